// Package process starts what the gate has granted, owns it and ends it. It is
// the only package that starts a program.
package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"sync"
	"time"

	"mcpls/internal/bug"
	"mcpls/internal/launch"
	"mcpls/internal/trust"
)

// ErrNoGrant is a start without a grant: a fault of the caller.
var ErrNoGrant = errors.New("process: no grant")

// ErrChanged is a start of what is not what was granted any more.
var ErrChanged = errors.New("what would run changed between the decision and the start")

// killWait bounds how long a killed process may take to be gone; one that
// takes longer hangs in the kernel.
const killWait = 5 * time.Second

// Process is a started program with its stdin and stdout. It leads a process
// group of its own, which is what Stop ends. It is safe for concurrent use.
type Process struct {
	cmd    *exec.Cmd
	group  group
	stdin  *os.File
	stdout *os.File
	stderr *tail

	done chan struct{} // closed when the leader has been reaped and its group killed
	exit string        // set before done is closed

	closeOnce sync.Once
	closeErr  error
}

// Start starts exactly the plan of the grant. again makes the plan once more, as
// the last thing before the start: what has become another one since it was granted
// is ErrChanged. The caller must call Stop in the end, even when the process has
// ended by itself.
func Start(grant trust.Grant, again func() (launch.Plan, error)) (*Process, error) {
	if !grant.Valid() {
		return nil, ErrNoGrant
	}
	plan := grant.Plan()
	now, err := again()
	if err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(now, plan) {
		return nil, ErrChanged
	}
	p := &Process{done: make(chan struct{})}
	p.cmd = &exec.Cmd{
		Path: plan.Argv[0], Args: plan.Argv, Dir: plan.Dir,
		Env: pairs(plan.Env), SysProcAttr: ownGroup(),
	}
	if err := p.start(); err != nil {
		return nil, fmt.Errorf("start %q: %w", plan.Argv[0], err)
	}
	remove := bug.OnExit(func(string) { p.group.kill(p.cmd.Process) })
	go p.wait(remove)
	return p, nil
}

func pairs(env map[string]string) []string {
	list := make([]string, 0, len(env))
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	return list
}

// start makes the three pipes itself: with *os.File on both ends exec starts
// no goroutines, and a grandchild that keeps a pipe open delays nobody.
func (p *Process) start() error {
	var ends, ours []*os.File
	closeAll := func(list []*os.File) {
		for _, f := range list {
			f.Close()
		}
	}
	for range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(ends)
			closeAll(ours)
			return err
		}
		ends, ours = append(ends, r), append(ours, w)
	}
	// The child reads the first pipe and writes the other two.
	ends[1], ours[1] = ours[1], ends[1]
	ends[2], ours[2] = ours[2], ends[2]
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = ends[0], ends[1], ends[2]
	err := p.cmd.Start()
	closeAll(ends)
	if err != nil {
		closeAll(ours)
		return err
	}
	p.stdin, p.stdout, p.stderr = ours[0], ours[1], readTail(ours[2])
	return nil
}

func (p *Process) wait(removeExit func()) {
	defer bug.Exit()
	err := p.reap()
	removeExit()
	p.stderr.close()
	p.exit = "exit status 0"
	if err != nil {
		p.exit = err.Error()
	}
	close(p.done)
}

// group is the leader's process group, as something to kill.
type group struct {
	mu       sync.Mutex
	released bool // the number may belong to somebody else by now
}

func (g *group) kill(leader *os.Process) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.released {
		killGroup(leader)
	}
}

func (g *group) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.released = true
}

// Read reads the program's stdout.
func (p *Process) Read(b []byte) (int, error) { return p.stdout.Read(b) }

// Write writes to the program's stdin.
func (p *Process) Write(b []byte) (int, error) { return p.stdin.Write(b) }

// Close closes stdin and stdout. It does not end the process.
func (p *Process) Close() error {
	p.closeOnce.Do(func() { p.closeErr = errors.Join(p.stdin.Close(), p.stdout.Close()) })
	return p.closeErr
}

// Stop closes stdin and stdout, gives the process until ctx ends to exit by
// itself, then kills its whole group. It returns when the leader has been
// reaped; an error means that it could not be.
func (p *Process) Stop(ctx context.Context) error {
	// That a pipe does not close tells nothing that the wait does not.
	_ = p.Close()
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
	}
	p.group.kill(p.cmd.Process)
	timeout := time.NewTimer(killWait)
	defer timeout.Stop()
	select {
	case <-p.done:
		return nil
	case <-timeout.C:
		return fmt.Errorf("process %d is still there %s after it was killed", p.cmd.Process.Pid, killWait)
	}
}

// Done is closed when the process has ended and its group was killed.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit says how the process ended, such as "exit status 1" or "signal:
// killed"; "" while it runs.
func (p *Process) Exit() string {
	select {
	case <-p.done:
		return p.exit
	default:
		return ""
	}
}

// Stderr gives the last lines that the process wrote to stderr, as they came.
func (p *Process) Stderr() string { return p.stderr.String() }

var _ io.ReadWriteCloser = (*Process)(nil)
