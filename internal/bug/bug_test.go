package bug

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const roleVariable = "MCPLS_TEST_ROLE"

func TestMain(m *testing.M) {
	if os.Getenv(roleVariable) == "" {
		os.Exit(m.Run())
	}
	// A program with a fault in a goroutine, and a clean-up that hangs.
	OnExit(func(report string) { fmt.Println("reaped; " + strings.SplitN(report, "\n", 2)[0]) })
	OnExit(func(string) { fmt.Println("removed") })()
	if os.Getenv(roleVariable) == "hang" {
		OnExit(func(string) { select {} })
	}
	for range 3 {
		go func() {
			defer Exit()
			panic("out of \x1b[2Jcheese")
		}()
	}
	select {}
}

// TestExit holds that a fault in a goroutine ends the program with 101, once
// what must be done is done, whatever hangs.
func TestExit(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range []string{"panic", "hang"} {
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), roleVariable+"="+role)
		out, err := cmd.Output()
		failed, ok := errors.AsType[*exec.ExitError](err)
		if !ok || failed.ExitCode() != ExitCode {
			t.Errorf("%s: %v", role, err)
		}
		if want := "reaped; a fault in mcpls: out of \\x1b[2Jcheese\n"; role == "panic" && string(out) != want {
			t.Errorf("%s: %q, want %q", role, out, want)
		}
	}
}

// TestReport holds that a fault is logged once for each place.
func TestReport(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, nil))
	fault := func(f func()) (err error) {
		defer func() { err = Report(log, recover()) }()
		f()
		return nil
	}
	var list []int
	index := func() { _ = list[1] }
	for range 3 {
		if err := fault(index); !strings.Contains(err.Error(), "internal/bug.TestReport.func") {
			t.Error(err)
		}
	}
	fault(func() { panic("another") })
	if got := strings.Count(b.String(), "a fault in mcpls"); got != 2 {
		t.Errorf("%d reports:\n%s", got, b.String())
	}
}
