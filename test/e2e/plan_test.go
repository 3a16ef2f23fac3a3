package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// planned is a server in the output of mcpls plan --json.
type planned struct {
	ID, Origin, Verdict, Reason, Message, Hint string

	Argv, Unwrapped, Warnings []string
	Cwd                       string
	Env                       map[string]string
	InitializationOptions     map[string]any `json:"initialization_options"`
}

// plan runs mcpls plan as the client has run mcpls, and gives its servers by id
// and the exit code.
func plan(t testing.TB, like *exec.Cmd) (map[string]planned, int) {
	t.Helper()
	cmd := exec.Command(like.Path, append([]string{"plan", "--json"}, like.Args[1:]...)...)
	cmd.Dir, cmd.Env = like.Dir, like.Env
	out, err := cmd.Output()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	var told struct {
		Version int
		Servers []planned
	}
	if err := json.Unmarshal(out, &told); err != nil || told.Version != 1 {
		t.Fatalf("%v: version %d\n%s", err, told.Version, out)
	}
	servers := map[string]planned{}
	for _, s := range told.Servers {
		servers[s.ID] = s
	}
	return servers, cmd.ProcessState.ExitCode()
}

// TestPlanIsWhatRuns holds a running server against what mcpls plan said: its
// program, its arguments, its directory and its whole environment.
func TestPlanIsWhatRuns(t *testing.T) {
	const hover = "on initialize\n\treply {\"capabilities\": {\"hoverProvider\": true}}\non textDocument/hover\n\treply {\"contents\": \"told\"}\n"
	const entry = "args = [\"--flag\", \"\", \"two words\", \"🛒\", \"a=b\"]\ninitialization_options = {a = {b = 1}}\n"
	for _, test := range []struct {
		name, id string
		start    func(t *testing.T, mode []string) *client
	}{
		{"gopls", "go", func(t *testing.T, mode []string) *client {
			c := gopls(t, setup{dir: workspace(t, "shapes"), args: mode, strays: mode != nil})
			c.patient("workspace_symbol_search", args{"query": "Shape"})
			return c
		}},
		{"fake", "text", func(t *testing.T, mode []string) *client {
			c := startFake(t, hover, entry, setup{args: mode})
			c.patient("get_hover", args{"file_path": "a.txt", "line": 1, "character": 1})
			return c.client
		}},
	} {
		for mode, flags := range map[string][]string{"trusted": nil, "untrusted": {"--workspace-trust", "untrusted", "--allow-server", test.id}} {
			t.Run(test.name+"/"+mode, func(t *testing.T) {
				c := test.start(t, flags)
				told, code := plan(t, c.cmd)
				want := told[test.id]
				if code != 0 || want.Verdict != "start" {
					t.Fatalf("exit code %d, %+v", code, want)
				}
				children := childrenOf(t, c.cmd.Process.Pid)
				if len(children) != 1 {
					t.Fatalf("mcpls has the children %v", children)
				}
				compareProcess(t, children[0], want)
			})
		}
	}
}

// childrenOf gives the /proc directories of a process's children.
func childrenOf(t testing.TB, pid int) []string {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*/stat")
	must(t, err)
	var found []string
	for _, entry := range entries {
		data, _ := os.ReadFile(entry) // it may be gone by now
		_, behind, _ := strings.Cut(string(data), ") ")
		if fields := strings.Fields(behind); len(fields) > 1 && fields[1] == fmt.Sprint(pid) {
			found = append(found, filepath.Dir(entry))
		}
	}
	return found
}

func compareProcess(t *testing.T, proc string, want planned) {
	t.Helper()
	read := func(name string) []string {
		data, err := os.ReadFile(filepath.Join(proc, name))
		must(t, err)
		return strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
	}
	link := func(name string) string {
		target, err := os.Readlink(filepath.Join(proc, name))
		must(t, err)
		return target
	}
	if program, err := filepath.EvalSymlinks(want.Argv[0]); err != nil || link("exe") != program {
		t.Errorf("%v: %s runs, and the plan says %s", err, link("exe"), program)
	}
	if dir, err := filepath.EvalSymlinks(want.Cwd); err != nil || link("cwd") != dir {
		t.Errorf("%v: it runs in %s, and the plan says %s", err, link("cwd"), dir)
	}
	if got := read("cmdline"); !slices.Equal(got, want.Argv) {
		t.Errorf("its arguments are\n%q, and the plan says\n%q", got, want.Argv)
	}
	env := map[string]string{}
	for _, pair := range read("environ") {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	if !maps.Equal(env, want.Env) {
		t.Errorf("its environment is\n%q, and the plan says\n%q", env, want.Env)
	}
}
