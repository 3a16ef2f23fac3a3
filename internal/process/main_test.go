package process

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"mcpls/internal/launch"
	"mcpls/internal/trust"
)

// roleVariable makes this test binary one of the programs below.
const roleVariable = "MCPLS_TEST_ROLE"

// bound is how long anything may take before a test counts as stuck.
const bound = 30 * time.Second

func TestMain(m *testing.M) {
	if role, ok := os.LookupEnv(roleVariable); ok {
		os.Exit(programs[role]())
	}
	goleak.VerifyTestMain(m)
}

// programs are what a test starts, by role.
var programs = map[string]func() int{
	// echo gives back its stdin and says so at its end.
	"echo": func() int {
		io.Copy(os.Stdout, os.Stdin)
		fmt.Fprintln(os.Stderr, "end of stdin")
		return 3
	},
}

// planOf is a plan of this test binary in a role.
func planOf(t *testing.T, role string, args ...string) launch.Plan {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return launch.Plan{
		ID: "test", Kind: launch.LSP, Origin: launch.User, Argv: append([]string{program}, args...),
		Dir: dir, Env: map[string]string{roleVariable: role},
	}
}

func grantOf(t *testing.T, plan launch.Plan) trust.Grant {
	t.Helper()
	grant, err := trust.NewGate(trust.Options{}).Check(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	return grant
}

// begin starts a plan and makes sure that nothing of it outlives the test.
func begin(t *testing.T, plan launch.Plan) *Process {
	t.Helper()
	p, err := startGrant(grantOf(t, plan))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stopNow(t, p) })
	return p
}

// stopNow kills.
func stopNow(t *testing.T, p *Process) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.Stop(ctx); err != nil {
		t.Error(err)
	}
}

// stopPatiently waits for an end by itself, up to bound.
func stopPatiently(t *testing.T, p *Process) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	if err := p.Stop(ctx); err != nil {
		t.Error(err)
	}
	if ctx.Err() != nil {
		t.Errorf("Stop took %s", bound)
	}
}

// waitEnd waits for the end of a process that ends by itself.
func waitEnd(t *testing.T, p *Process) {
	t.Helper()
	select {
	case <-p.done:
	case <-time.After(bound):
		t.Fatalf("the process is still there after %s", bound)
	}
}

// line reads one line of stdout; a program says with it that it is ready.
func line(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	text, err := r.ReadString('\n')
	if err != nil {
		t.Fatalf("read a line of stdout: %q, %v", text, err)
	}
	return strings.TrimSuffix(text, "\n")
}

// startGrant starts what has not changed since it was granted.
func startGrant(grant trust.Grant) (*Process, error) {
	return Start(grant, func() (launch.Plan, error) { return grant.Plan(), nil })
}
