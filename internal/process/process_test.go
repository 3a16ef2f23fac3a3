package process

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"mcpls/internal/launch"
	"mcpls/internal/trust"
)

func TestStartWithoutGrant(t *testing.T) {
	for range 2 {
		if p, err := Start(trust.Grant{}, nil); !errors.Is(err, ErrNoGrant) || p != nil {
			t.Errorf("Start = %v, %v", p, err)
		}
	}
}

// TestStartOfWhatChanged changes each field of the plan after it was granted:
// nothing starts.
func TestStartOfWhatChanged(t *testing.T) {
	grant := grantOf(t, planOf(t, "echo"))
	for name, change := range map[string]func(*launch.Plan){
		"program": func(p *launch.Plan) { p.Argv[0] = "/bin/true" }, "argument": func(p *launch.Plan) { p.Argv = append(p.Argv, "x") },
		"directory": func(p *launch.Plan) { p.Dir = "/" }, "variable": func(p *launch.Plan) { p.Env["X"] = "1" },
		"origin": func(p *launch.Plan) { p.Origin = launch.Project }, "option": func(p *launch.Plan) { p.InitOptions = map[string]any{"a": 1} },
		"file":     func(p *launch.Plan) { p.Files = []launch.File{{Digest: "x"}} },
		"identity": func(p *launch.Plan) { p.RootIdentity = "x" },
	} {
		p, err := Start(grant, func() (launch.Plan, error) {
			plan := grant.Plan()
			change(&plan)
			return plan, nil
		})
		if !errors.Is(err, ErrChanged) || p != nil {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	refused := errors.New("refused now")
	if p, err := Start(grant, func() (launch.Plan, error) { return launch.Plan{}, refused }); err != refused || p != nil {
		t.Errorf("a plan that is refused: %v, %v", p, err)
	}
}

func TestRoundTrip(t *testing.T) {
	p := begin(t, planOf(t, "echo"))
	for _, text := range []string{"one\n", strings.Repeat("x", 1<<17) + "\n"} {
		written := make(chan error, 1)
		go func() {
			_, err := io.WriteString(p, text)
			written <- err
		}()
		got := make([]byte, len(text))
		if _, err := io.ReadFull(p, got); err != nil || string(got) != text {
			t.Fatalf("%d bytes came back as %.20q, %v", len(text), got, err)
		}
		if err := <-written; err != nil {
			t.Fatal(err)
		}
	}
	if exit := p.Exit(); exit != "" {
		t.Errorf("Exit = %q of a running process", exit)
	}
}

func TestStopLetsItEndByItself(t *testing.T) {
	p := begin(t, planOf(t, "echo"))
	stopPatiently(t, p)
	// A build with -cover adds a line.
	if p.Exit() != "exit status 3" || !strings.HasPrefix(p.Stderr(), "end of stdin") {
		t.Errorf("exit %q, stderr %q", p.Exit(), p.Stderr())
	}
	stopPatiently(t, p) // again is well
}

func TestEverythingAtOnce(t *testing.T) {
	p := begin(t, planOf(t, "echo"))
	var all sync.WaitGroup
	for range 4 {
		for _, use := range []func(){
			func() { p.Read(make([]byte, 16)) },
			func() { p.Write([]byte("some text\n")) },
			func() { p.Exit() },
			func() { p.Stderr() },
			func() { p.Close() },
			func() { stopPatiently(t, p) },
			func() { stopNow(t, p) },
		} {
			all.Go(use)
		}
	}
	all.Wait()
	// By itself, killed, or by its write to the stdout that was closed.
	ways := []string{"exit status 3", "signal: killed", "signal: broken pipe"}
	if !slices.Contains(ways, p.Exit()) {
		t.Errorf("Exit = %q", p.Exit())
	}
	if _, err := p.Write([]byte("x")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Write after Stop: %v", err)
	}
	if _, err := p.Read(make([]byte, 1)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Read after Stop: %v", err)
	}
}

// A Read that waits for a program that says nothing ends with Stop.
func TestStopEndsARead(t *testing.T) {
	p := begin(t, planOf(t, "echo"))
	ended := make(chan error)
	go func() {
		_, err := bufio.NewReader(p).ReadByte()
		ended <- err
	}()
	stopPatiently(t, p)
	if err := <-ended; err == nil {
		t.Error("Read gave a byte that nobody wrote")
	}
}

func TestStartFailure(t *testing.T) {
	missing := planOf(t, "echo")
	missing.Argv[0] = filepath.Join(missing.Dir, "nothing")
	nowhere := planOf(t, "echo")
	nowhere.Dir = filepath.Join(nowhere.Dir, "nothing")
	nul := planOf(t, "echo", "a\x00b")
	for _, plan := range []struct {
		name  string
		grant trust.Grant
	}{{"program", grantOf(t, missing)}, {"directory", grantOf(t, nowhere)}, {"NUL", grantOf(t, nul)}} {
		p, err := startGrant(plan.grant)
		if err == nil || p != nil {
			t.Fatalf("%s: Start = %v, %v", plan.name, p, err)
		}
		if program := plan.grant.Plan().Argv[0]; !strings.HasPrefix(err.Error(), `start "`+program+`": `) {
			t.Errorf("%s: error %q does not name the program", plan.name, err)
		}
	}
}

func TestStopWithEndedContextOfAnEndedProcess(t *testing.T) {
	p := begin(t, planOf(t, "echo"))
	p.Close()
	waitEnd(t, p)
	for range 20 { // select takes either of two ready cases
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := p.Stop(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if p.Exit() != "exit status 3" {
		t.Errorf("Exit = %q", p.Exit())
	}
}
