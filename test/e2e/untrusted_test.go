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

// bait is what a hostile checkout plants: programs under the names that servers
// and their tools are started by.
var bait = []string{
	"gopls", "go", "go1.99.0", "git", "pyright-langserver", "python", "python3", "typescript-language-server", "tsc", "node", "npm", "npx", "tsserver",
	"clangd", "gcc", "g++", "c++", "clang", "rust-analyzer", "rustc", "cargo", "rustup", "env", "sh", "uname",
}

// baitDirs are the directories of a checkout that it has on the ways on which
// programs look for others.
var baitDirs = []string{".", "bin", "node_modules/.bin", ".venv/bin", "venv/bin", ".cargo/bin", "toolchain/bin", ".local/bin"}

// trap is a checkout that is full of bait. Whatever of it runs leaves its path in
// a file.
type trap struct {
	t      *testing.T
	dir    string
	marker string
}

func setTrap(t *testing.T, dir string) trap {
	t.Helper()
	trap := trap{t, dir, filepath.Join(t.TempDir(), "marker")}
	for _, sub := range baitDirs {
		must(t, os.MkdirAll(filepath.Join(dir, sub), 0o755))
		for _, name := range bait {
			mode(t, filepath.Join(dir, sub, name), fmt.Sprintf("#!/bin/sh\necho \"$0\" >> %s\nexit 1\n", trap.marker), 0o755)
		}
	}
	script := fmt.Sprintf("require('fs').appendFileSync(%q, __filename + '\\n')\n", trap.marker)
	lib := filepath.Join(dir, "node_modules", "typescript", "lib")
	must(t, os.MkdirAll(lib, 0o755))
	for _, name := range []string{"tsserver.js", "_tsserver.js", "typescript.js", "tsc.js"} {
		write(t, filepath.Join(lib, name), script)
	}
	write(t, filepath.Join(lib, "..", "package.json"), `{"name": "typescript", "version": "5.9.9", "main": "lib/typescript.js"}`)
	for name, text := range map[string]string{
		"rust-toolchain.toml": "[toolchain]\npath = \"toolchain\"\n", ".python-version": "../../.." + dir + "/.venv\n",
		".tool-versions": "nodejs path:" + dir + "\npython path:" + dir + "\nrust path:" + dir + "\n", "mise.toml": "[tools]\nnode = \"path:" + dir + "\"\n",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	return trap
}

// path is a PATH that leads into the checkout in every way, before the system's.
func (tr trap) path() string {
	var dirs []string
	for _, sub := range baitDirs {
		dirs = append(dirs, filepath.Join(tr.dir, sub))
	}
	return strings.Join(append(dirs, "", ".", "bin", "./node_modules/.bin", serversDir), ":")
}

// sprung gives what has run.
func (tr trap) sprung() string {
	data, err := os.ReadFile(tr.marker)
	if err != nil && !os.IsNotExist(err) {
		tr.t.Fatal(err)
	}
	return string(data)
}

// proves holds that each bait is one: a plain spawn with this PATH in the checkout
// runs it.
func (tr trap) proves() {
	tr.t.Helper()
	for _, name := range bait {
		cmd := exec.Command("/usr/bin/env", name)
		cmd.Dir, cmd.Env = tr.dir, []string{"PATH=" + tr.path()}
		_ = cmd.Run() // it fails
		if !strings.Contains(tr.sprung(), "/"+name+"\n") {
			tr.t.Errorf("%s was not run by a plain spawn: it is no bait", name)
		}
	}
	must(tr.t, os.Remove(tr.marker))
}

// TestUntrustedWorkspace holds that on a checkout that plants every program and
// has HOME, PATH and the toolchain files lead to them, the allowed servers answer
// as ever and nothing of the checkout runs.
func TestUntrustedWorkspace(t *testing.T) {
	goFiles := language{
		name: "gopls", needs: "gopls", id: "go", dir: "shapes",
		questions: []asked{
			{tool: "workspace_symbol_search", args: args{"query": "Shape"}, has: []string{"Shape"}},
			{tool: "get_diagnostics", args: args{"file_path": "shapes.go"}, has: []string{"shapes.go: no errors or warnings"}},
		},
	}
	builtin := []string{"gopls", "pyright", "typescript-language-server", "clangd", "rust-analyzer", "bash-language-server"}
	for _, l := range append([]language{goFiles}, languages...) {
		t.Run(l.name, func(t *testing.T) {
			needServer(t, l.needs)
			trap := setTrap(t, l.workspace(t))
			trap.proves()
			s := setup{dir: trap.dir}
			if !slices.Contains(builtin, l.name) {
				s = l.setup(t, trap.dir, "") // by an entry with its path
			}
			s.strays = l.name == "gopls" // its home is that of the account, where telemetry is not off
			s.home, s.path, s.args = trap.dir, trap.path(), append(s.args, "--workspace-trust", "untrusted", "--allow-server", l.id)
			s.env = map[string]string{
				"NODE_OPTIONS": "--require=" + trap.dir + "/node_modules/typescript/lib/tsserver.js", "RUSTC_WRAPPER": trap.dir + "/bin/rustc",
				"GOFLAGS": "-toolexec=" + trap.dir + "/bin/go", "GOROOT": trap.dir, "CARGO_HOME": trap.dir + "/.cargo", "RUSTUP_HOME": trap.dir,
				"XDG_CONFIG_HOME": trap.dir, "GODEBUG": "execerrdot=0", "BASH_ENV": trap.dir + "/bin/sh", "MCPGODEBUG": "broken",
			}
			c := start(t, s)
			for _, q := range l.questions {
				if l.name == "rust-analyzer" && q.tool == "get_diagnostics" {
					continue // the compiler is not run
				}
				// A server that gets no root says what it did not search.
				got, _, _ := strings.Cut(c.patient(q.tool, q.args), "\n[shellscript says: the server gets no root in an untrusted workspace")
				if wrong := q.wrong(got); wrong != "" {
					t.Errorf("%s %v:\n%s", q.tool, q.args, wrong)
				}
			}
			support := c.ask("get_tool_support", args{})
			if !strings.Contains(support, "Untrusted-workspace mode is on") || !strings.Contains(support, "only "+l.id+" may run here") {
				t.Errorf("get_tool_support does not tell of the mode:\n%s", support)
			}
			c.close()
			if sprung := trap.sprung(); sprung != "" {
				t.Errorf("programs of the checkout have run:\n%s\nlog:\n%s", sprung, c.log)
			}
		})
	}
}

// TestUntrustedIsCheckedAnew holds that the plan is made again before every start:
// what is refused at a restart leaves the running server alone, and one that has
// ended is not started again.
func TestUntrustedIsCheckedAnew(t *testing.T) {
	const hover = "on initialize\n\treply {\"capabilities\": {\"hoverProvider\": true}}\non textDocument/hover\n\treply {\"contents\": \"told\"}\n"
	for _, test := range []struct {
		name        string
		spoil, mend func(t *testing.T, dir, outside string)
		refusal     string
	}{
		{
			"an argument becomes executable",
			func(t *testing.T, dir, _ string) { must(t, os.Chmod(filepath.Join(dir, "data"), 0o755)) },
			func(t *testing.T, dir, _ string) { must(t, os.Chmod(filepath.Join(dir, "data"), 0o644)) },
			"is an executable file inside the workspace",
		},
		{
			"the program comes to lead into the workspace",
			func(t *testing.T, dir, outside string) {
				must(t, os.Remove(filepath.Join(outside, "server")))
				mode(t, filepath.Join(dir, "evil"), "#!/bin/sh\n", 0o755)
				must(t, os.Symlink(filepath.Join(dir, "evil"), filepath.Join(outside, "server")))
			},
			func(t *testing.T, _, outside string) {
				must(t, os.Remove(filepath.Join(outside, "server")))
				must(t, os.Symlink(fakePath, filepath.Join(outside, "server")))
			},
			"lies inside the workspace or is reached through it",
		},
		{
			"the program goes away, and another one comes first",
			func(t *testing.T, _, outside string) {
				must(t, os.Remove(filepath.Join(outside, "server")))
				mode(t, filepath.Join(outside, "first", "server"), "#!/bin/sh\n", 0o755)
			},
			func(t *testing.T, _, outside string) {
				must(t, os.Symlink(fakePath, filepath.Join(outside, "server")))
			},
			"is not there any more",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, outside := t.TempDir(), t.TempDir()
			write(t, filepath.Join(dir, "a.txt"), "alpha\n")
			write(t, filepath.Join(dir, "data"), "text\n")
			must(t, os.Mkdir(filepath.Join(outside, "first"), 0o755))
			must(t, os.Symlink(fakePath, filepath.Join(outside, "server")))
			c := startFakeAs(t, "server", hover, fmt.Sprintf("args = [%q]\n", filepath.Join(dir, "data")), setup{
				dir: dir, path: filepath.Join(outside, "first") + ":" + outside, args: []string{"--workspace-trust", "untrusted", "--allow-server", "text"},
			})
			question := args{"file_path": "a.txt", "line": 1, "character": 1}
			told := func(when string) string {
				t.Helper()
				if got := c.patient("get_hover", question); !strings.Contains(got, "told") {
					t.Errorf("%s: %q", when, got)
				}
				children := childrenOf(t, c.cmd.Process.Pid)
				if len(children) != 1 {
					t.Fatalf("%s: mcpls has the children %v", when, children)
				}
				return children[0]
			}
			first := told("at first")
			test.spoil(t, dir, outside)
			if got := c.ask("restart_server", args{"servers": []string{"text"}}); !strings.Contains(got, test.refusal) || !strings.Contains(got, "text: failed") {
				t.Errorf("the restart was not refused: %s", got)
			}
			if again := told("after a restart that was refused"); again != first {
				t.Errorf("the server is another process: %s, then %s", first, again)
			}
			pid, err := strconv.Atoi(filepath.Base(first))
			must(t, err)
			must(t, syscall.Kill(pid, syscall.SIGKILL))
			_, err = c.try("get_hover", question)
			for err != nil && !strings.Contains(err.Error(), "was not started") { // lost, or waiting after the crash
				_, err = c.try("get_hover", question)
			}
			if err == nil || !strings.Contains(err.Error(), test.refusal) {
				t.Errorf("after the server has ended: %v", err)
			}
			if children := childrenOf(t, c.cmd.Process.Pid); len(children) > 0 {
				t.Errorf("something runs: %v", children)
			}
			test.mend(t, dir, outside)
			told("when it is well again")
		})
	}
}

// TestUntrustedNamesWhatIsNotAsked holds that an answer about a workspace names the
// servers that were not asked since they are not allowed, and that a question which
// nobody else can answer fails with the flag.
func TestUntrustedNamesWhatIsNotAsked(t *testing.T) {
	needServer(t, "pyright-langserver")
	dir := workspace(t, "shapes")
	write(t, filepath.Join(dir, "a.py"), "def add(a: int) -> int:\n    return a\n\n\nadd('x')\n")
	write(t, filepath.Join(dir, "pyproject.toml"), "")
	flags := func(more ...string) setup {
		return setup{dir: dir, path: serversDir, strays: true, args: append([]string{"--workspace-trust", "untrusted"}, more...)}
	}
	c := start(t, flags("--allow-server", "go"))
	for tool, a := range map[string]args{"get_diagnostics": {}, "workspace_symbol_search": {"query": "Shape"}} {
		if got := c.patient(tool, a); !strings.Contains(got, "[not asked") || !strings.Contains(got, "python") {
			t.Errorf("%s does not say that python was not asked:\n%s", tool, got)
		}
	}
	if _, err := c.try("get_hover", args{"symbol_name": "add"}); err == nil || !strings.Contains(err.Error(), "not asked for the name, since it does not start: python") {
		t.Errorf("a name that python would know: %v", err)
	}
	none := start(t, flags())
	if _, err := none.try("get_diagnostics", args{}); err == nil || !strings.Contains(err.Error(), "--allow-server") {
		t.Errorf("nothing is allowed: %v", err)
	}
}
