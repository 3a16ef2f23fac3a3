package process

import (
	"errors"

	"golang.org/x/sys/unix"
)

// reap waits for the end of the leader, kills what it left in its group and
// then reaps it: until it is reaped its number, and its group's, belong to
// nobody else.
func (p *Process) reap() error {
	for {
		err := unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	p.group.kill(p.cmd.Process)
	p.group.release()
	return p.cmd.Wait()
}
