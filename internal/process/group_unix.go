//go:build unix

package process

import (
	"os"
	"syscall"
)

// ownGroup makes the child the leader of a process group of its own, so that
// its descendants can be ended with it, and a Ctrl-C in a terminal does not
// reach it before mcpls has shut it down.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the leader and every descendant that has stayed in its
// group.
func killGroup(leader *os.Process) {
	// ESRCH is the wanted state; nothing else can be wrong with a group of our
	// own children.
	_ = syscall.Kill(-leader.Pid, syscall.SIGKILL)
}
