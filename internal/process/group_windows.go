package process

import (
	"os"
	"syscall"
)

// ownGroup gives the child a process group of its own.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup kills the leader only: descendants on Windows are ended by a job
// object, which mcpls does not make yet (docs/rough-edges.md).
func killGroup(leader *os.Process) { _ = leader.Kill() }
