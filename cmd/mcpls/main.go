// Mcpls is a bridge from the Model Context Protocol to language servers. See
// README.md for its use and docs/design.md for its parts.
package main

import (
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"mcpls/internal/cli"
	_ "mcpls/internal/ownenv" // drops variables before anything reads them
)

// gcPercent is half of Go's default: mcpls lives beside an agent and its
// servers all day, its heap is small, and a walk over a large workspace leaves
// garbage in proportion to the files.
const gcPercent = 50

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// A client that no longer reads must not end mcpls before its servers are
	// ended: writing then fails, which is noticed.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(cli.Main(cli.UntilSignal(signals), os.Args[1:], os.Environ(), cli.Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
