// Package policy decides from a command alone, and from facts of the file
// system, whether the workspace could choose the program that runs.
//
// The lists are data, in the files that end in _table.go: programs that are
// refused, wrappers that are passed, and what each shell and interpreter takes
// as its program. Most of them are those of the security policy of mcpls, which
// the comments cite; what goes beyond it says so. They are closed and best
// effort. A program on none of them is admitted as written; only its arguments
// are held against the workspace.
//
// Nothing here runs a program, and a Machine is asked for facts only.
package policy

import "mcpls/internal/launch/reason"

// Machine is what the engine asks of the machine, so that a test can draw any.
// Nothing it does runs anything.
type Machine interface {
	// Windows reports whether the rules of Windows hold.
	Windows() bool
	// Resolve gives the absolute path that a spawn with the server's PATH and
	// start directory would run.
	Resolve(program string) (path string, found bool)
	// Canonical gives a path with all links resolved; false: it does not exist.
	Canonical(path string) (string, bool)
	// Inside reports whether an absolute path lies in the workspace or leads
	// through it, links followed.
	Inside(path string) bool
	// Abs makes a path absolute from the start directory of the server.
	Abs(path string) string
	// Kind tells what is at an absolute path, links followed.
	Kind(path string) Kind
}

// Kind is what is found at a path.
type Kind int

// The kinds.
const (
	Missing    Kind = iota
	File            // a regular file that cannot be executed
	Executable      // a regular file with an execute bit; on Windows with the extension of a program
	Directory
	Special    // a device, FIFO or socket
	Unreadable // permission was denied
)

// Result is a command that was admitted.
type Result struct {
	// Argv is the command as given, each wrapped program replaced by its
	// absolute path.
	Argv []string
	// Unwrapped are the wrappers that were passed, the outermost first, an
	// applet with the binary that holds it: "env", "busybox nice".
	Unwrapped []string
	// Program is the index in Argv of the innermost program. It is that of the
	// binary when the program is an applet.
	Program int
}

// maxDepth is how deep wrappers may be nested.
const maxDepth = 8

// Check decides on a command. argv[0] is the program as the caller resolved it:
// absolute, and known to lie outside the workspace. declared is how the
// configuration wrote it. argv is not changed.
//
// Each program, the first one and every wrapped one, is known by the name it was
// given, by that of its path and by that of the file the path leads to. Where
// any of them is refused the command is.
func Check(declared string, argv []string, m Machine) (Result, *reason.Refusal) {
	if len(argv) == 0 {
		return Result{}, refuse(reason.ExecutableNotFound, "", "no command")
	}
	c := &checker{m: m, argv: append([]string(nil), argv...)}
	if refusal := c.program(0, declared); refusal != nil {
		return Result{}, refusal
	}
	if refusal := c.arguments(); refusal != nil {
		return Result{}, refusal
	}
	return Result{Argv: c.argv, Unwrapped: c.unwrapped, Program: c.innermost}, nil
}
