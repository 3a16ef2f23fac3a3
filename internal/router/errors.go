package router

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrStopping is a question that came while mcpls stops.
var ErrStopping = errors.New("mcpls is stopping")

// NoServerError is a file that no declared server answers for, or only servers
// that are inactive here. Reason says which of the two, and what to do.
type NoServerError struct {
	Path   string
	Reason string
}

func (e *NoServerError) Error() string {
	return fmt.Sprintf("no language server for %s: %s", e.Path, e.Reason)
}

// LaunchError is a server that the launch wing does not start.
type LaunchError struct {
	Server  string
	Code    string // a dotted reason code, such as gate.no_surface
	Message string // what is missing
	Hint    string // what to do about it
}

func (e *LaunchError) Error() string {
	msg := fmt.Sprintf("server %q was not started: %s", e.Server, e.Message)
	if e.Hint != "" {
		msg += "\n" + e.Hint
	}
	return msg
}

// StartError is a process that was started and did not become a server.
type StartError struct {
	Server, Program string
	Err             error
	Exit, Stderr    string
	Install         string
}

func (e *StartError) Error() string {
	msg := fmt.Sprintf("server %q (%s) failed to start: %v", e.Server, e.Program, e.Err) + endWords(e.Exit, e.Stderr)
	if e.Install != "" {
		msg += "\nif its installation is broken: " + e.Install
	}
	return msg
}

func (e *StartError) Unwrap() error { return e.Err }

// StartingError is a server that is still starting. Ask again.
type StartingError struct{ Server string }

func (e *StartingError) Error() string {
	return fmt.Sprintf("server %q is still starting", e.Server)
}

// LoadingError is a question that cannot be answered truthfully yet, because
// the server is still loading the workspace. Ask again.
type LoadingError struct {
	Server   string
	Progress string // the server's own words; "" when it has not said any
}

func (e *LoadingError) Error() string {
	msg := fmt.Sprintf("server %q is still loading the workspace", e.Server)
	if e.Progress != "" {
		msg += " (" + e.Progress + ")"
	}
	return msg
}

// TroubleError is a question to which a server that could not load the workspace
// found nothing: that is no answer.
type TroubleError struct {
	Server, Trouble string
	Blind           bool // it has loaded the workspace and finds no errors in any file
}

func (e *TroubleError) Error() string {
	if e.Blind {
		return fmt.Sprintf("server %q cannot tell errors: %s", e.Server, e.Trouble)
	}
	return fmt.Sprintf("server %q found nothing, but it could not load the workspace either: %s", e.Server, e.Trouble)
}

// LostError is a question whose server ended while it was asked. The next
// question starts the server again.
type LostError struct {
	Server       string
	Err          error
	Exit, Stderr string
}

func (e *LostError) Error() string {
	return fmt.Sprintf("server %q ended while it was asked: %v", e.Server, e.Err) + endWords(e.Exit, e.Stderr)
}

func (e *LostError) Unwrap() error { return e.Err }

// CrashedError is a server that has ended by itself too often. It is not started
// again until somebody restarts it.
type CrashedError struct {
	Server       string
	Times        int
	Exit, Stderr string
}

func (e *CrashedError) Error() string {
	return fmt.Sprintf("server %q has ended by itself %d times within a minute and is not started any more: restart_server starts it", e.Server, e.Times) +
		endWords(e.Exit, e.Stderr)
}

// RestartedError is a question whose server was restarted while it was asked.
// Ask again.
type RestartedError struct{ Server string }

func (e *RestartedError) Error() string {
	return fmt.Sprintf("server %q was restarted while it was asked", e.Server)
}

// UnknownServerError is an id that no declared server has.
type UnknownServerError struct {
	ID    string
	Known []string
}

func (e *UnknownServerError) Error() string {
	return fmt.Sprintf("no server %q is declared; there is %s", e.ID, strings.Join(e.Known, ", "))
}

// TimeoutError is a question that the server did not answer in time.
type TimeoutError struct {
	Server string
	After  time.Duration
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("server %q did not answer within %s; if it goes on so, restart_server starts it anew", e.Server, e.After)
}

// UnsupportedError is a question that the server does not offer to answer.
type UnsupportedError struct{ Server, Method string }

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("server %q does not offer %s", e.Server, e.Method)
}

// ServerError is an error that the server answered with, in its own words.
type ServerError struct {
	Server  string
	Code    int64
	Message string
	Trouble string // its complaint that it could not load the workspace, if any
}

func (e *ServerError) Error() string {
	msg := fmt.Sprintf("server %q: %s", e.Server, indent(e.Message))
	if e.Trouble != "" {
		msg += "\nit could not load the workspace: " + e.Trouble
	}
	return msg
}

// endWords tells how a process ended and what it said last, as further lines.
func endWords(exit, stderr string) string {
	var b strings.Builder
	if exit != "" {
		fmt.Fprintf(&b, "\nit ended with %s", exit)
	}
	if stderr != "" {
		fmt.Fprintf(&b, "\nits last words on stderr:\n    %s", indent(stderr))
	}
	return b.String()
}

// indent keeps what a server says from beginning a line of its own.
func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n    ") }
