//go:build !linux

package process

// reap waits for the end of the leader and then kills what it left in its
// group. The group's number is free for others in between, for microseconds:
// docs/rough-edges.md.
func (p *Process) reap() error {
	err := p.cmd.Wait()
	p.group.kill(p.cmd.Process)
	p.group.release()
	return err
}
