package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestClientGoesAway closes stdin in different moments of a session: mcpls ends
// with 0 and leaves nothing running. The checks are those of client.close.
func TestClientGoesAway(t *testing.T) {
	t.Run("at once", func(t *testing.T) { gopls(t, setup{}).close() })
	t.Run("after an answer", func(t *testing.T) {
		c := gopls(t, setup{})
		c.ask("get_hover", args{"file_path": "shop.go", "line": 8, "text": "Total"})
		c.close()
	})
	// The library's client waits for its calls before it closes: this one is
	// killed, and the system closes its side.
	t.Run("while it is asked", func(t *testing.T) {
		f := startFake(t, capable+"on textDocument/hover\n\tsilent\n", "", setup{rude: true})
		asked := f.asked("textDocument/hover")
		done := make(chan struct{})
		go func() {
			defer close(done)
			f.try("get_hover", atAlpha) // never answered
		}()
		<-asked
		f.hangUp()
		<-done
	})
}

// TestNoProject holds that mcpls does not take / for a workspace: a language
// server would try to load all of it.
func TestNoProject(t *testing.T) {
	cmd := exec.Command(mcplsPath, "call", "get_tool_support")
	cmd.Dir = "/"
	cmd.Env = []string{"HOME=" + t.TempDir(), noRaceSleep}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "set workspace.roots") {
		t.Errorf("%v, %s", err, out)
	}
}

// TestSignals ends mcpls by signal while a server runs.
func TestSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			c := gopls(t, setup{})
			c.ask("get_hover", args{"file_path": "shop.go", "line": 8, "text": "Total"})
			if err := c.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if err := c.session.Wait(); err != nil {
				t.Logf("the session ended with %v", err)
			}
			c.close()
		})
	}
}

// TestProcessIsThePlan holds the started process against what was declared:
// program, arguments, directory and the whole environment.
func TestProcessIsThePlan(t *testing.T) {
	dir := workspace(t, "shop")
	bin := filepath.Dir(needServer(t, "gopls"))
	c := gopls(t, setup{dir: dir, env: map[string]string{"NODE_OPTIONS": "--require /tmp/x.js", "LD_PRELOAD_X": "1", "GOFLAGS": "-mod=mod"}})
	c.ask("get_hover", args{"file_path": "shop.go", "line": 8, "text": "Total"})
	pid := childOf(t, c.cmd.Process.Pid)
	read := func(name string) []string {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimRight(string(data), "\x00"), "\x00")
	}
	if got := read("cmdline"); !slices.Equal(got, []string{filepath.Join(bin, "gopls")}) {
		t.Errorf("cmdline %q", got)
	}
	if got, _ := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); got != dir {
		t.Errorf("cwd %q, want %q", got, dir)
	}
	var names []string
	for _, pair := range read("environ") {
		name, _, _ := strings.Cut(pair, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	if want := []string{"HOME", "PATH", "TMPDIR"}; !slices.Equal(names, want) {
		t.Errorf("environment %v, want %v", names, want)
	}
	if group, err := syscall.Getpgid(pid); err != nil || group != pid {
		t.Errorf("process group %d of %d, %v", group, pid, err)
	}
}

// childOf gives the one child of a process.
func childOf(t *testing.T, parent int) int {
	t.Helper()
	statuses, err := filepath.Glob("/proc/[0-9]*/status")
	if err != nil {
		t.Fatal(err)
	}
	var children []int
	for _, status := range statuses {
		text, err := os.ReadFile(status)
		if err != nil || !strings.Contains(string(text), fmt.Sprintf("\nPPid:\t%d\n", parent)) {
			continue // gone, or another's
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(status)))
		if err != nil {
			t.Fatal(err)
		}
		children = append(children, pid)
	}
	if len(children) != 1 {
		t.Fatalf("children of mcpls: %v", children)
	}
	return children[0]
}
