package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

// soakEnv says how many calls a soak has. TestSoak does nothing without it:
// `make soak` sets it.
const soakEnv = "SOAK"

// The shape of a soak.
const (
	soakFiles     = 75 // of each language
	soakDocuments = 20 // open at most, a server
	soakWorkers   = 4
	soakSamples   = 40
	soakRestart   = 250 // calls from one restart to the next; the servers by turns
)

// soakServer is one of the servers, with a workspace of its own in a directory.
type soakServer struct {
	server, id, dir, ext string
	args, markers        string
	project              map[string]string // the files of the project
	text                 string            // of file N, a function fN that is used in it
}

var soakServers = []soakServer{
	{
		"gopls", "go", "go", "go", "", "go.mod",
		map[string]string{"go.mod": "module soak\n\ngo 1.24\n"},
		"package soak\n\n// FN is one of many.\nfunc FN(x int) int { return x + 1 }\n\nfunc useN() int { return FN(2) }\n",
	},
	{
		"pyright-langserver", "python", "py", "py", `args = ["--stdio"]`, "pyproject.toml",
		map[string]string{"pyproject.toml": "[project]\nname = \"soak\"\n"},
		"def FN(x: int) -> int:\n    return x + 1\n\n\nused = FN(2)\n",
	},
	{
		"typescript-language-server", "typescript", "ts", "ts", `args = ["--stdio"]`, "tsconfig.json",
		map[string]string{"tsconfig.json": "{\"compilerOptions\": {\"strict\": true}}\n", "package.json": "{\"name\": \"soak\"}\n"},
		"export function FN(x: number): number {\n  return x + 1;\n}\n\nexport const usedN = FN(2);\n",
	},
	{
		"clangd", "c", "c", "c", "", "compile_flags.txt",
		map[string]string{"compile_flags.txt": "-Wall\n"},
		"static int FN(int x) { return x + 1; }\n\nint useN(void) { return FN(2); }\n",
	},
}

// TestSoak asks four servers about 300 files for a long time, with edits,
// restarts and cancellations, and holds that mcpls does not grow: what it uses
// in the second half is what it used in the first. The table goes to the log.
func TestSoak(t *testing.T) {
	calls, err := strconv.Atoi(os.Getenv(soakEnv))
	if err != nil {
		t.Skip("long days are played by: make soak")
	}
	s := newSoak(t)
	samples := make([]soakSample, 0, soakSamples)
	each := max(calls/soakSamples, 1)
	for done := 0; done < calls; done += each {
		s.round(done, each)
		samples = append(samples, s.sample(done+each))
	}
	s.client.close()
	t.Logf("%s\nanswered %d, not yet or lost %d, cancelled %d, edits %d, restarts %d, in %s\n%s", s.header(calls),
		s.answered, s.retryable, s.cancelled, s.edits, s.restarts, time.Since(s.begin).Round(time.Second), table(samples))
	for _, failure := range s.failures {
		t.Error(failure)
	}
	checkFlat(t, samples)
}

type soak struct {
	t      *testing.T
	client *client
	dir    string
	open   []string // the files with the numbers of open documents
	begin  time.Time

	mu       sync.Mutex
	versions map[string]int
	failures []string

	answered, retryable, cancelled, edits, restarts int
}

func newSoak(t *testing.T) *soak {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &soak{t: t, dir: dir, versions: map[string]int{}, begin: time.Now()}
	config := fmt.Sprintf("builtin_servers = false\n[workspace]\nroots = [%q]\nmax_documents = %d\n", s.dir, soakDocuments)
	for _, server := range soakServers {
		command, env, open := teeOf(t, server.server)
		s.open = append(s.open, open)
		config += fmt.Sprintf("[[lsp_servers]]\nlanguage_id = %q\ncommand = %q\nenv = %s\n%s\nheuristics.project_markers = [%q]\n",
			server.id, command, env, server.args, server.markers)
		if err := os.Mkdir(filepath.Join(s.dir, server.dir), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range server.project {
			write(t, filepath.Join(s.dir, server.dir, name), text)
		}
		for i := range soakFiles {
			s.edit(server, i)
		}
	}
	s.edits = 0
	path := filepath.Join(t.TempDir(), "mcpls.toml")
	write(t, path, config)
	s.client = start(t, setup{dir: s.dir, args: []string{"--config", path, "--log-level", "warn"}})
	return s
}

func (s *soak) name(server soakServer, i int) string {
	return filepath.Join(server.dir, fmt.Sprintf("f%d.%s", i, server.ext))
}

// edit writes a file with another comment at its end.
func (s *soak) edit(server soakServer, i int) {
	name := s.name(server, i)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.versions[name]++
	s.edits++
	comment := map[string]string{"py": "#"}[server.ext]
	if comment == "" {
		comment = "//"
	}
	text := strings.ReplaceAll(server.text, "N", strconv.Itoa(i)) + fmt.Sprintf("\n%s version %d\n", comment, s.versions[name])
	// In one step, as an editor does: else another call reads half of it.
	path := filepath.Join(s.dir, name)
	write(s.t, path+".new", text)
	if err := os.Rename(path+".new", path); err != nil {
		s.t.Error(err)
	}
}

// round restarts a server when it is time, and makes some calls, several at a
// time.
func (s *soak) round(from, n int) {
	if turn := from / soakRestart; turn > (from-n)/soakRestart && from > 0 {
		s.restarts++
		server := soakServers[turn%len(soakServers)]
		if got := s.client.ask("restart_server", args{"servers": []string{server.id}}); !strings.Contains(got, "started") {
			s.failures = append(s.failures, "restart: "+got)
		}
	}
	var workers sync.WaitGroup
	for w := range soakWorkers {
		workers.Go(func() {
			for i := from + w; i < from+n; i += soakWorkers {
				s.call(i)
			}
		})
	}
	workers.Wait()
}

var soakTools = []string{
	"get_hover", "get_hover", "get_definition", "get_document_symbols", "get_references", "get_document_highlights",
	"get_diagnostics", "get_hover", "get_hover", "get_tool_support",
}

// call makes the call of a number: what it asks depends on nothing else.
func (s *soak) call(i int) {
	random := rand.New(rand.NewPCG(1, uint64(i)))
	server := soakServers[random.IntN(len(soakServers))]
	file := random.IntN(soakFiles)
	if i%20 == 0 {
		s.edit(server, file)
	}
	tool := soakTools[random.IntN(len(soakTools))]
	a := args{"file_path": s.name(server, file)}
	switch tool {
	case "get_hover", "get_definition", "get_references", "get_document_highlights":
		a["line"], a["text"] = s.line(server), "F"+strconv.Itoa(file)
	case "get_diagnostics":
		a["wait_seconds"] = 0
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), deadline)
	defer cancel()
	gone := i%15 == 7
	if gone {
		cancel()
	}
	text, err := s.client.tryContext(ctx, tool, a)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case gone:
		s.cancelled++
	case err == nil:
		s.answered++
	case retryable(err):
		s.retryable++
	default:
		s.failures = append(s.failures, fmt.Sprintf("call %d, %s %v: %q, %v", i, tool, a, text, err))
	}
}

// line is that of the function in the files of a server.
func (s *soak) line(server soakServer) int {
	before, _, _ := strings.Cut(server.text, "FN(")
	return 1 + strings.Count(before, "\n")
}

// soakSample is what mcpls uses at a moment when nothing is asked.
type soakSample struct{ calls, descriptors, threads, memory, open, processes int }

func (s *soak) sample(calls int) soakSample {
	proc := fmt.Sprintf("/proc/%d/", s.client.cmd.Process.Pid)
	descriptors, err := os.ReadDir(proc + "fd")
	if err != nil {
		s.t.Fatal(err)
	}
	open := 0
	for _, file := range s.open {
		text, _ := os.ReadFile(file) // it may not have started
		n, _ := strconv.Atoi(string(text))
		open += n
	}
	return soakSample{
		calls, len(descriptors), statusOf(s.t, proc, "Threads:"), statusOf(s.t, proc, "VmRSS:") >> 10, open,
		len(descendants(s.t, s.client.mark)),
	}
}

// statusOf reads a number of a process's status.
func statusOf(t *testing.T, proc, name string) int {
	t.Helper()
	status, err := os.ReadFile(proc + "status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), name)
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (s *soak) header(calls int) string {
	return fmt.Sprintf("%d calls over %d files on %d servers, at most %d documents open each",
		calls, soakFiles*len(soakServers), len(soakServers), soakDocuments)
}

func table(samples []soakSample) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "calls\tdescriptors\tthreads\tMiB\topen documents\tprocesses\t")
	for i, x := range samples {
		if i%4 == 3 || i == len(samples)-1 {
			fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%d\t\n", x.calls, x.descriptors, x.threads, x.memory, x.open, x.processes)
		}
	}
	w.Flush()
	return b.String()
}

// checkFlat compares the second half with the first, without its warm-up. The
// room is for what comes and goes: a server that is being started, the heap
// before its next collection.
func checkFlat(t *testing.T, samples []soakSample) {
	t.Helper()
	warm, half := len(samples)/10, len(samples)/2
	for _, q := range []struct {
		name   string
		of     func(soakSample) int
		factor float64
		room   int
	}{
		{"descriptors", func(s soakSample) int { return s.descriptors }, 1.1, 4},
		{"threads", func(s soakSample) int { return s.threads }, 1.3, 4},
		{"MiB", func(s soakSample) int { return s.memory }, 1.3, 16},
		{"processes", func(s soakSample) int { return s.processes }, 1.3, 2},
	} {
		first, second := most(samples[warm:half], q.of), most(samples[half:], q.of)
		if limit := int(q.factor*float64(first)) + q.room; second > limit {
			t.Errorf("%s: at most %d in the first half, %d in the second", q.name, first, second)
		}
	}
	for _, s := range samples {
		// A call leaves its document open and does not wait until another one has
		// been closed for it (lsp.Session.Hold).
		if limit := soakDocuments*len(soakServers) + soakWorkers; s.open > limit {
			t.Errorf("%d documents are open after %d calls, the limit is %d", s.open, s.calls, limit)
		}
	}
}

func most(samples []soakSample, of func(soakSample) int) int {
	found := 0
	for _, s := range samples {
		found = max(found, of(s))
	}
	return found
}
