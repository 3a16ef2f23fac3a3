package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// language is a real server and a workspace of its language in testdata, with
// questions whose answers were written by hand from the sources.
type language struct {
	name     string // of the server, for people
	needs    string // its program in .servers/bin
	args     []string
	id       string // language id
	dir      string // in testdata
	patterns string // file_patterns of its entry, as TOML
	prepare  func(t testing.TB, dir string)
	path     func(t testing.TB) string // directory in front of the system's PATH

	questions []asked
	edit      breaking
	fresh     freshFile
}

// freshFile is a file that cold starts write anew each time, with another NAME.
type freshFile struct {
	file, text string
	noSearch   bool // the server has no workspace symbols
}

// asked is one question. The answer is want, or has each of has.
type asked struct {
	tool string
	args args
	want string
	has  []string
}

// breaking is an edit that puts an error in a clean file.
type breaking struct {
	file, old, new string
	has            string
}

// wrong says what is wrong with an answer, "" when it is right.
func (q asked) wrong(got string) string {
	if q.want != "" && got != q.want {
		return fmt.Sprintf("got  %q\nwant %q", got, q.want)
	}
	for _, part := range q.has {
		if !strings.Contains(got, part) {
			return fmt.Sprintf("%q lacks %q", got, part)
		}
	}
	return ""
}

// workspace makes a workspace of the language.
func (l language) workspace(t testing.TB) string {
	t.Helper()
	dir := workspace(t, l.dir)
	if l.prepare != nil {
		l.prepare(t, dir)
	}
	return dir
}

// start starts mcpls on a workspace with this server alone.
func (l language) start(t testing.TB, dir string) *client {
	t.Helper()
	return start(t, l.setup(t, dir, ""))
}

// setup starts mcpls on a workspace with this server alone; more is added to
// its configuration, between the keys and the tables.
func (l language) setup(t testing.TB, dir, more string) setup {
	t.Helper()
	command := needServer(t, l.needs)
	list, err := json.Marshal(append([]string{}, l.args...))
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "mcpls.toml")
	patterns := ""
	if l.patterns != "" {
		patterns = "file_patterns = " + l.patterns + "\n"
	}
	write(t, config, fmt.Sprintf("builtin_servers = false\n%s[workspace]\nroots = [%q]\n[[lsp_servers]]\nlanguage_id = %q\ncommand = %q\nargs = %s\n%s",
		more, dir, l.id, command, list, patterns))
	s := setup{dir: dir, args: []string{"--config", config}}
	if l.path != nil {
		s.path = l.path(t)
	}
	return s
}

// link makes a symbolic link inside the root.
func link(target, name string) func(testing.TB, string) {
	return func(t testing.TB, dir string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// cppDatabase makes the link, and the database that CMake would make.
func cppDatabase(t testing.TB, dir string) {
	t.Helper()
	link("prices.h", "alias.h")(t, dir)
	write(t, filepath.Join(dir, "fresh.cpp"), "")
	var entries []map[string]any
	for _, file := range []string{"prices.cpp", "cart.cpp", "generated.cpp", "broken.cpp", "fresh.cpp"} {
		entries = append(entries, map[string]any{"directory": dir, "file": file, "arguments": []string{"c++", "-std=c++17", "-c", file}})
	}
	data, err := json.Marshal(entries)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "compile_commands.json"), string(data))
}

// toolchain is the directory of the real cargo: that of rustup needs the home.
func toolchain(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("rustc", "--print", "sysroot").Output()
	if err != nil {
		t.Fatalf("rust-analyzer is installed and rustc is not: %v", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "bin")
}

// TestLanguages asks each server everything, and then breaks a file and mends
// it again.
func TestLanguages(t *testing.T) {
	for _, l := range languages {
		t.Run(l.name, func(t *testing.T) {
			needServer(t, l.needs)
			dir := l.workspace(t)
			c := l.start(t, dir)
			for _, q := range l.questions {
				if wrong := q.wrong(c.patient(q.tool, q.args)); wrong != "" {
					t.Errorf("%s %v:\n%s", q.tool, q.args, wrong)
				}
			}
			l.breakAndMend(t, c, dir)
		})
	}
}

// breakAndMend puts an error in a file and takes it out again, a few times: no
// answer may be about the earlier text.
func (l language) breakAndMend(t *testing.T, c *client, dir string) {
	if l.edit.file == "" {
		return
	}
	path := filepath.Join(dir, filepath.FromSlash(l.edit.file))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	bad := strings.Replace(good, l.edit.old, l.edit.new, 1)
	if bad == good {
		t.Fatalf("%s has no %q", l.edit.file, l.edit.old)
	}
	a := args{"file_path": l.edit.file, "wait_seconds": 30}
	clean := l.edit.file + ": no errors or warnings"
	for range 3 {
		if got := c.patient("get_diagnostics", a); got != clean {
			t.Errorf("mended: %q", got)
		}
		write(t, path, bad)
		if got := c.patient("get_diagnostics", a); !strings.Contains(got, l.edit.has) {
			t.Errorf("broken: %q", got)
		}
		write(t, path, good)
	}
	if got := c.patient("get_diagnostics", a); got != clean {
		t.Errorf("mended: %q", got)
	}
}

// patient asks until there is an answer: an honest "not yet" is asked again.
func (c *client) patient(tool string, a args) string {
	c.t.Helper()
	for {
		got, err := c.try(tool, a)
		if err == nil {
			return got
		}
		if !retryable(err) {
			return "error: " + err.Error()
		}
	}
}
