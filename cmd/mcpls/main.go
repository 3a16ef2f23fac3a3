// Mcpls is a bridge from the Model Context Protocol to language servers. See
// README.md for its use and docs/design.md for its parts.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"mcpls/internal/cli"
)

func main() {
	// The first signal ends the context, and with it every server in good
	// order; a second one finds the default disposition and kills at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop)
	// A client that no longer reads must not end mcpls before its servers are
	// ended: writing then fails, which is noticed.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(cli.Main(ctx, os.Args[1:], os.Environ(), cli.Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
