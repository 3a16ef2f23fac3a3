package e2e_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"mcpls/internal/lsptest"
)

// maxPeak bounds the memory of mcpls under each fault, in MiB, unless the row
// says otherwise.
const maxPeak = 300

// fault is a row of the table of faults: one bad input, and what is seen of it.
type fault struct {
	name string
	want string // how that which is seen begins
	// play brings the fault about and gives what the client sees of it, and the
	// most memory that mcpls took meanwhile, in KiB.
	play func(t *testing.T) (saw string, peak int)
	most int // in MiB; 0 is maxPeak
}

// TestFaults plays every bad input of the four families and prints a table of
// them: each has a clear error, what is not concerned goes on, and memory stays
// bounded. The program is the one that is released: the race detector would be
// most of its memory.
func TestFaults(t *testing.T) {
	release := buildRelease(t)
	for _, family := range []struct {
		name string
		rows []fault
	}{
		{"arguments and files", argumentFaults(t, release)},
		{"configuration", configFaults(release)},
		{"servers", serverFaults(release)},
		{"clients", clientFaults(release)},
	} {
		var table faultTable
		t.Run(family.name, func(t *testing.T) { table.play(t, family.rows) })
		if len(table.lines) > 0 { // none where -run names another family
			t.Logf("\n%s", table.String(family.name))
		}
	}
}

// buildRelease builds mcpls as `make build` does.
func buildRelease(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mcpls")
	build := exec.Command("go", "build", "-trimpath", "-o", path, "mcpls/cmd/mcpls")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building mcpls: %v\n%s", err, out)
	}
	return path
}

// faultTable is what the rows came to.
type faultTable struct {
	mu    sync.Mutex
	lines map[string]string // by the name of the row
	order []string
}

// play plays the rows, several at once: some wait for a time limit.
func (table *faultTable) play(t *testing.T, rows []fault) {
	table.lines = map[string]string{}
	for _, row := range rows {
		table.order = append(table.order, row.name)
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			begin := time.Now()
			saw, peak := row.play(t)
			took := time.Since(begin)
			if !strings.HasPrefix(saw, row.want) || row.want == "" {
				t.Errorf("the client saw\n%.1000s\nwant\n%s", saw, row.want)
			}
			most := maxPeak
			if row.most > 0 {
				most = row.most
			}
			if peak == 0 || peak > most<<10 {
				t.Errorf("mcpls took %d MiB, want at most %d", peak>>10, most)
			}
			saw, _, _ = strings.Cut(saw, "\n")
			table.mu.Lock()
			defer table.mu.Unlock()
			table.lines[row.name] = fmt.Sprintf("%s\t%.90s\t%d ms\t%d MiB", row.name, saw, took.Milliseconds(), peak>>10)
		})
	}
}

func (table *faultTable) String(family string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "FAULT: %s\tTHE CLIENT SAW\tTIME\tPEAK\n", strings.ToUpper(family))
	for _, name := range table.order {
		fmt.Fprintln(w, table.lines[name])
	}
	w.Flush()
	return b.String()
}

// outcome is what a client sees of a call: the code and the text of an error,
// or the text of an answer.
func outcome(text string, err error) string {
	if failed, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return fmt.Sprintf("%d %s", failed.Code, failed.Message)
	}
	if err != nil {
		return err.Error()
	}
	return text
}

// scene is a mcpls with a server for *.txt that misbehaves, and a good one for
// *.ok.
type scene struct{ fake }

const goodScript = `
on initialize
	reply {"capabilities": {"hoverProvider": true}}
on textDocument/hover
	reply {"contents": "well"}
`

// startScene starts both servers, and sees the good one answer.
func startScene(t *testing.T, release, command, script, more string, s setup) scene {
	t.Helper()
	if s.dir == "" {
		s.dir = t.TempDir()
	}
	write(t, filepath.Join(s.dir, "a.txt"), "alpha 🛒 beta\ngamma\n")
	write(t, filepath.Join(s.dir, "good.ok"), "alpha\n")
	good := filepath.Join(t.TempDir(), "good")
	write(t, good, goodScript)
	more += fmt.Sprintf(`
[[lsp_servers]]
language_id = "good"
command = %q
env = { GORACE = "atexit_sleep_ms=0", %s = %q }
[[workspace.language_extensions]]
extensions = ["ok"]
language_id = "good"
`, fakePath, lsptest.ScriptEnv, good)
	s.program = release
	c := scene{startFakeAs(t, command, script, more, s)}
	c.checkWell()
	return c
}

// checkWell holds that mcpls and its other server go on.
func (c scene) checkWell() {
	c.t.Helper()
	if got := outcome(c.try("get_hover", args{"file_path": "good.ok", "line": 1, "text": "alpha"})); got != "alpha (good.ok:1:1)\nwell" {
		c.t.Errorf("the other server: %s", got)
	}
}

// resetPeak has the peak of a process counted from now on.
func resetPeak(t *testing.T, pid int) {
	t.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
}

// peakOf gives the most memory that a running process has had, in KiB.
func peakOf(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	peak, err := strconv.Atoi(string(bytes.Fields(rest)[0]))
	if err != nil {
		t.Fatal(err)
	}
	return peak
}

// measureEnv has this test binary run a command, end with its exit code, and
// write to the file that is named how much memory it took at most, in KiB. The
// kernel counts a child's memory from before it had its own image: that of a test
// which has run for a while would be most of it.
const measureEnv = "MCPLS_E2E_MEASURE"

func measured(file, program string, arg ...string) *exec.Cmd {
	cmd := exec.Command(fakePath, append([]string{program}, arg...)...)
	cmd.Env = []string{measureEnv + "=" + file}
	return cmd
}

// measure is the other side of measured.
func measure() {
	file := os.Getenv(measureEnv)
	if file == "" {
		return
	}
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	_ = cmd.Run() // the exit code tells
	peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if err := os.WriteFile(file, []byte(strconv.FormatInt(peak, 10)), 0o600); err != nil {
		panic(err)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}

// peakIn reads what was measured.
func peakIn(t *testing.T, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	peak, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return peak
}
