package e2e_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestServerKilled kills a server in the middle of 50 calls: each is answered
// or fails with an error that says when to ask again, and the next call works.
func TestServerKilled(t *testing.T) {
	const calls = 50
	var answers strings.Builder
	for range 20 {
		answers.WriteString("on textDocument/hover\n\treply {\"contents\": \"alive\"}\n")
	}
	f := startFake(t, capable+answers.String()+"on textDocument/hover\n\tuntil exit\n", "", setup{})
	f.ask("get_references", atAlpha) // it runs
	outcomes := make(chan string, calls)
	for range calls {
		go func() {
			text, err := f.try("get_hover", atAlpha)
			if retryable(err) {
				text = "retry"
			} else if err != nil {
				text = err.Error()
			}
			outcomes <- text
		}()
	}
	f.waitRecorded("textDocument/hover", calls)
	if err := syscall.Kill(childOf(t, f.cmd.Process.Pid), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	saw := map[string]int{}
	for range calls {
		saw[<-outcomes]++
	}
	const alive = "alpha (a.txt:1:1)\nalive"
	if saw[alive] != 20 || saw["retry"] != calls-20 {
		t.Errorf("the calls came to %v", saw)
	}
	if got := f.ask("get_hover", atAlpha); got != alive {
		t.Errorf("the next call: %q", got)
	}
}

// TestGoplsKilled does the same to a real server, at the first answer.
func TestGoplsKilled(t *testing.T) {
	const calls = 50
	c := gopls(t, setup{})
	at := args{"file_path": "shop.go", "line": 8, "text": "Total"}
	want := c.ask("get_references", at)
	pid := childOf(t, c.cmd.Process.Pid)
	var once sync.Once
	var all sync.WaitGroup
	for range calls {
		all.Go(func() {
			got, err := c.try("get_references", at)
			once.Do(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
			if err == nil && got != want || err != nil && !retryable(err) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	all.Wait()
	if got := c.ask("get_references", at); got != want {
		t.Errorf("the next call: %q", got)
	}
}

// waitRecorded waits until the server has recorded n messages of a method.
func (f fake) waitRecorded(method string, n int) {
	f.t.Helper()
	guard := time.Now().Add(deadline)
	for {
		data, _ := os.ReadFile(f.record)
		if strings.Count(string(data), `"method":"`+method+`"`) >= n {
			return
		}
		if time.Now().After(guard) {
			f.t.Fatalf("the server has not got %d messages %s", n, method)
		}
	}
}

// TestStdinClosed closes stdin a hundred times, every tenth time in the middle of
// a call that is not answered, and prints how long it took until mcpls and its
// server were gone.
func TestStdinClosed(t *testing.T) {
	const (
		times = 100
		wish  = 2 * time.Second
	)
	var worst time.Duration
	within := 0
	for i := range times {
		script := goodScript
		if i%10 == 0 {
			script = "on initialize\n\treply {\"capabilities\": {\"hoverProvider\": true}}\non textDocument/hover\n\tuntil exit\n"
		}
		c := startRawAs(t, mcplsPath, script)
		c.greet()
		c.say(askedWell)
		if i%10 != 0 {
			c.hearOf("well")
		}
		begin := time.Now()
		if saw, _ := c.end(); saw != "mcpls ended with 0, nothing left" {
			t.Errorf("time %d: %s", i, saw)
		}
		took := time.Since(begin)
		worst = max(worst, took)
		if took <= wish {
			within++
		}
	}
	t.Logf("gone within %s: %d of %d, the slowest after %s", wish, within, times, worst.Round(time.Millisecond))
}

// TestSecondSignal ends mcpls while it waits for a server that does not end: the
// first signal asks, the second one kills both.
func TestSecondSignal(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		f := startFake(t, capable+"on shutdown\n\tdeaf\n", "", setup{rude: true})
		f.ask("get_hover", atAlpha)
		asked := f.asked("shutdown")
		if err := f.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		<-asked
		begin := time.Now()
		if err := f.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = f.cmd.Wait() // the exit code tells
		if code := f.cmd.ProcessState.ExitCode(); code != 128+int(signal) {
			t.Errorf("%s: mcpls ended with %s", signal, f.cmd.ProcessState)
		}
		f.checkNothingLeft()
		t.Logf("%s: gone %s after the second signal", signal, time.Since(begin).Round(time.Millisecond))
		if want := fmt.Sprintf("ended at once by a second signal (%s)", signal); !strings.Contains(f.log.String(), want) {
			t.Errorf("log %s", f.log)
		}
	}
}
