//go:build linux

package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// person is somebody at a terminal of their own, on which a command runs.
type person struct {
	t      *testing.T
	master *os.File
	cmd    *exec.Cmd
	out    *syncBuffer // standard output of the command

	mu     sync.Mutex
	more   *sync.Cond
	screen string // what the terminal was told
	seen   int    // how much of it was expected
	ended  bool
}

// sit starts a command of mcpls with the flags of another one, on a terminal with
// 24 lines of 64 letters. What is typed ahead waits in the terminal.
func sit(t *testing.T, like *exec.Cmd, ahead string, words ...string) *person {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	must(t, err)
	fd := int(master.Fd())
	must(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	must(t, err)
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	must(t, err)
	must(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 64}))
	p := &person{t: t, master: master, out: &syncBuffer{}}
	p.more = sync.NewCond(&p.mu)
	p.typed(ahead)
	p.cmd = exec.Command(like.Path, append(append([]string{"trust"}, words...), like.Args[1:]...)...)
	p.cmd.Dir, p.cmd.Env = like.Dir, like.Env
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = strings.NewReader("deny\n"), p.out, p.out
	p.cmd.ExtraFiles = []*os.File{slave}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	must(t, p.cmd.Start())
	must(t, slave.Close())
	go p.watch()
	return p
}

// watch takes in what the terminal is told, until nobody has it open.
func (p *person) watch() {
	buffer := make([]byte, 4096)
	for {
		n, err := p.master.Read(buffer)
		p.mu.Lock()
		p.screen += string(buffer[:n])
		p.ended = err != nil
		p.more.Broadcast()
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// sees waits for something that was not seen before, and gives its groups.
func (p *person) sees(pattern string) []string {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		rest := p.screen[p.seen:]
		what := regexp.MustCompile(pattern)
		if at := what.FindStringIndex(rest); at != nil {
			p.seen += at[1]
			return what.FindStringSubmatch(rest)
		}
		if p.ended {
			p.t.Fatalf("%q was not shown:\n%s\n%s", pattern, p.screen, p.out)
		}
		p.more.Wait()
	}
}

func (p *person) typed(text string) {
	p.t.Helper()
	_, err := p.master.WriteString(text)
	must(p.t, err)
}

// reads turns every page of a card and gives the code at its end.
func (p *person) reads() string {
	p.t.Helper()
	for {
		found := p.sees(`-- [0-9]+ more lines: Enter --|type  ([a-z2-9]{6})\r\n[^>]*\r\n> `)
		if !strings.HasPrefix(found[0], "--") {
			return found[1]
		}
		p.typed("\n")
	}
}

// leaves waits for the end of the command and gives all that was shown.
func (p *person) leaves() (screen string, code int) {
	p.t.Helper()
	_ = p.cmd.Wait()
	p.mu.Lock()
	for !p.ended {
		p.more.Wait()
	}
	p.mu.Unlock()
	must(p.t, p.master.Close())
	return p.screen, p.cmd.ProcessState.ExitCode()
}

// allow reviews a server and says yes.
func allow(t *testing.T, like *exec.Cmd, id string) {
	t.Helper()
	p := sit(t, like, "", "review", id)
	p.typed(p.reads() + "\n")
	p.sees("It may start.")
	if _, code := p.leaves(); code != 0 {
		t.Fatalf("exit code %d: %s", code, p.out)
	}
}

// run runs a command of mcpls trust without a terminal.
func (r repository) run(stdin string, words ...string) (string, int) {
	r.t.Helper()
	cmd := exec.Command(r.like.Path, append(append([]string{"trust"}, words...), r.like.Args[1:]...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.like.Dir, r.like.Env, strings.NewReader(stdin)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run()
	return out.String(), cmd.ProcessState.ExitCode()
}

// state is how a server stands, by mcpls trust list.
func (r repository) state(id string) string {
	r.t.Helper()
	out, _ := r.run("", "list")
	_, behind, _ := strings.Cut("\n"+out, "\n"+id+": ")
	state, _, _ := strings.Cut(behind, "\n")
	return state
}

func TestTrustReview(t *testing.T) {
	for _, test := range []struct {
		name   string
		ahead  string
		answer func(p *person, r repository)
		shown  string
		state  string
	}{
		{"by code", "", func(p *person, _ repository) { p.typed(p.reads() + "\n") }, "It may start.", "allowed"},
		{"Enter alone", "", func(p *person, _ repository) { p.reads(); p.typed("\n") }, "It stays blocked.", "unknown"},
		{"deny", "", func(p *person, _ repository) { p.reads(); p.typed("deny\n") }, "It is denied.", "denied"},
		{"yes is no code", "", func(p *person, _ repository) {
			p.reads()
			p.typed("yes\n")
			p.sees("neither the code nor deny")
			p.reads()
			p.typed("\n")
		}, "It stays blocked.", "unknown"},
		{"three wrong codes", "", func(p *person, _ repository) {
			for range 3 {
				p.reads()
				p.typed("aaaaaa\n")
			}
		}, "too many wrong codes", "unknown"},
		{"what was typed ahead does not count", "deny\ndeny\ndeny\ndeny\n", func(p *person, _ repository) { p.reads(); p.typed("\n") }, "It stays blocked.", "unknown"},
		{"the terminal goes away", "", func(p *person, _ repository) { p.reads(); p.typed("\x04") }, "", "unknown"},
		// The yes is for what was shown, and does not reach what the file says now.
		{"the file changes behind the card", "", func(p *person, r repository) {
			code := p.reads()
			r.edit(`"one"`, `"other"`)
			p.typed(code + "\n")
		}, "It may start.", "changed"},
		{"the script changes behind the card", "", func(p *person, r repository) {
			code := p.reads()
			mode(t, r.dir+"/server.sh", "#!/bin/sh\nexit 1\n", 0o755)
			p.typed(code + "\n")
			p.sees("what would run has changed since the card was shown")
			p.reads()
			p.typed("\n")
		}, "It stays blocked.", "unknown"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRepository(t, "")
			p := sit(t, r.like, test.ahead, "review")
			test.answer(p, r)
			p.sees(regexp.QuoteMeta(test.shown))
			screen, code := p.leaves()
			if strings.Index(screen, "Fingerprint") > strings.Index(screen, "To allow it type") || !strings.Contains(screen, "more lines: Enter") {
				t.Errorf("the code does not come last, or the card is not paged:\n%s", screen)
			}
			if ended := test.shown == ""; (code != 0) != ended {
				t.Errorf("exit code %d: %s", code, p.out)
			}
			if got := r.state("evil@project"); got != test.state {
				t.Errorf("the state is %q, want %q", got, test.state)
			}
			if r.ran() {
				t.Error("a review started the server")
			}
		})
	}
}

// A card draws no escape, and no line of the screen is wider than it or begins with
// a part of a value.
func TestTrustReviewOfAHostileCard(t *testing.T) {
	r := newRepository(t, "")
	r.edit(`"one"`, `"\u001b[2J\u001b]0;x\u0007\u202e\u3164\u2800 g\u043e"`)
	r.edit(`A = "1"`, `A = "`+strings.Repeat(" ", 67)+`Fingerprint`+strings.Repeat("x", 10_000)+`"`)
	p := sit(t, r.like, "", "review")
	p.reads()
	p.typed("\n")
	screen, _ := p.leaves()
	if strings.ContainsFunc(screen, func(r rune) bool { return r != '\r' && r != '\n' && (r < ' ' || r > '~') }) {
		t.Errorf("the screen was told\n%q", screen)
	}
	if !strings.Contains(screen, `\x1b[2J\x1b]0;x\x07\u202e\u3164\u2800 g\u043e"`) {
		t.Errorf("the argument is not shown:\n%s", screen)
	}
	if n := strings.Count(screen, "x"); n < 10_000 {
		t.Errorf("%d of 10,000 letters are shown", n)
	}
	labels := 0
	for line := range strings.SplitSeq(screen, "\r\n") {
		if strings.HasPrefix(line, "Fingerprint") {
			labels++
		}
		if len(line) > 63 {
			t.Errorf("the line is wider than the screen: %q", line)
		}
	}
	if labels != 1 {
		t.Errorf("%d lines begin with Fingerprint", labels)
	}
}

// Without a terminal nobody decides, whatever stdin says.
func TestTrustReviewWithoutTerminal(t *testing.T) {
	r := newRepository(t, "")
	for _, stdin := range []string{"", "deny\n", "y\nyes\n\n\n"} {
		out, code := r.run(stdin, "review")
		if code != 1 || !strings.Contains(out, "there is no terminal to ask on") || !strings.Contains(out, "--trust-fingerprint") {
			t.Errorf("exit code %d: %s", code, out)
		}
	}
	if _, err := os.Lstat(r.store); err == nil {
		t.Error("something was stored")
	}
}
