// Package ownenv drops those variables of mcpls's own environment that change
// how it behaves itself: a checkout's tooling may have set them. The program
// imports it for this and for nothing else.
//
// It imports syscall only. Packages are initialized in the order of their
// imports and then of their paths (Go specification, Program initialization), so
// that it comes before package os, and so before all that reads the environment.
package ownenv

import "syscall"

// dropped are the variables, with what they can do.
var dropped = [...]string{
	"GODEBUG",    // how Go looks up programs (execerrdot), resolves paths and checks certificates
	"MCPGODEBUG", // how the MCP library reads and answers; one that it cannot parse is a panic
}

func init() {
	for _, name := range dropped {
		_ = syscall.Unsetenv(name) // it fails for names that are none
	}
}
