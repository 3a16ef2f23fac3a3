// Mcpls is a bridge from the Model Context Protocol to language servers. See
// README.md for its use and docs/design.md for its parts.
package main

import (
	"os"
	"os/signal"
	"syscall"

	"mcpls/internal/cli"
)

func main() {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// A client that no longer reads must not end mcpls before its servers are
	// ended: writing then fails, which is noticed.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(cli.Main(cli.UntilSignal(signals), os.Args[1:], os.Environ(), cli.Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
