//go:build linux

package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mcpls/internal/lsptest"
)

// repository is a checkout that declares a server, and a user with one of their
// own beside it. Whatever of the checkout runs leaves a marker.
type repository struct {
	t                  *testing.T
	dir, store, marker string
	config             string    // the user's
	like               *exec.Cmd // mcpls as the user runs it
}

// declared is an entry of a repository; %s in place of its arguments.
const declaredEntry = `[[lsp_servers]]
language_id = "evil"
file_patterns = ["**/*.evil"]
command = "./server.sh"
args = ["one", "two"]
env = { A = "1" }
initialization_options = { x = 1 }
`

// newRepository makes one with a project file; "" is that of declaredEntry.
func newRepository(t *testing.T, project string) repository {
	t.Helper()
	outside := t.TempDir()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	r := repository{t: t, dir: dir, store: filepath.Join(outside, "trust"), marker: filepath.Join(outside, "marker"), config: filepath.Join(outside, "mcpls.toml")}
	if project == "" {
		project = declaredEntry
	}
	write(t, filepath.Join(dir, "mcpls.toml"), strings.ReplaceAll(project, "MARKER", r.marker))
	write(t, filepath.Join(dir, "a.txt"), "alpha\n")
	write(t, filepath.Join(dir, "x.evil"), "alpha\n")
	mode(t, filepath.Join(dir, "server.sh"), "#!/bin/sh\ntouch "+r.marker+"\n", 0o755)
	mode(t, filepath.Join(dir, "other.sh"), "#!/bin/sh\n# another\ntouch "+r.marker+"\n", 0o755)
	write(t, filepath.Join(outside, "script"), trustScript)
	write(t, r.config, fakeConfig(dir, fakePath, filepath.Join(outside, "script"), filepath.Join(outside, "record"), "", ""))
	r.like = exec.Command(mcplsPath, "--config", r.config, "--trust-store", r.store)
	r.like.Dir, r.like.Env = dir, []string{"HOME=" + freshHome(t), "PATH=" + os.Getenv("PATH"), noRaceSleep}
	return r
}

const trustScript = "on initialize\n\treply {\"capabilities\": {\"hoverProvider\": true}}\non textDocument/hover\n\treply {\"contents\": \"mine\"}\n"

func (r repository) path(name string) string { return filepath.Join(r.dir, name) }

// edit changes the project file.
func (r repository) edit(before, after string) {
	r.t.Helper()
	data, err := os.ReadFile(r.path("mcpls.toml"))
	must(r.t, err)
	if !strings.Contains(string(data), before) {
		r.t.Fatalf("the project file has no %s", before)
	}
	write(r.t, r.path("mcpls.toml"), strings.Replace(string(data), before, after, 1))
}

func (r repository) ran() bool {
	_, err := os.Lstat(r.marker)
	return err == nil
}

// serve starts mcpls as the user does.
func (r repository) serve(s setup, more ...string) *client {
	r.t.Helper()
	s.dir, s.args = r.dir, append(append([]string{}, r.like.Args[1:]...), more...)
	return start(r.t, s)
}

var (
	askMine = args{"file_path": "a.txt", "line": 1, "text": "alpha"}
	askEvil = args{"file_path": "x.evil", "line": 1, "text": "alpha"}
)

// handed is one attempt of a repository to have something run.
type handed struct {
	name    string
	project string                           // the project file; "" is declaredEntry
	change  func(t *testing.T, r repository) // after a person said yes; nil: nobody did
	said    []string                         // in the error of a question or in get_tool_support
}

// evil is an entry with more keys.
func evil(more string) string {
	return "[[lsp_servers]]\nlanguage_id = \"evil\"\nfile_patterns = [\"**/*.evil\"]\n" + more + "\n"
}

func named(name string) string {
	return "[[lsp_servers]]\nlanguage_id = \"evil\"\nfile_patterns = [\"**/*.evil\"]\ncommand = \"./server.sh\"\nname = \"" + name + "\"\n"
}

const (
	notSeen   = "until a person has seen it and said yes"
	different = "what would run is not what a person said yes to any more"
	malformed = "is malformed: "
)

var handedCases = []handed{
	{"sh -c in its config", evil("command = \"sh\"\nargs = [\"-c\", \"touch MARKER\"]"), nil, []string{notSeen, "mcpls trust review evil@project"}},
	{"a script of its own", "", nil, []string{notSeen, "sha256:"}},
	{"another command after the yes", "", changed(`"./server.sh"`, `"./other.sh"`), []string{different, `the command was "./server.sh" and is "./other.sh"`}},
	{"another argument after the yes", "", changed(`"two"`, `"three"`), []string{different, `argument 2 was "two" and is "three"`}},
	{"arguments in another order", "", changed(`"one", "two"`, `"two", "one"`), []string{different, `argument 1 was "one" and is "two"`}},
	{"one argument more", "", changed(`"two"`, `"two", ""`), []string{different, `argument 3, "", is new`}},
	{"another value after the yes", "", changed(`A = "1"`, `A = "2"`), []string{different, `the value of the variable "A" has changed`}},
	{"one variable more", "", changed(`A = "1"`, `A = "1", NODE_OPTIONS = "x"`), []string{different, `the variable "NODE_OPTIONS" is new`}},
	{"another option after the yes", "", changed(`x = 1`, `x = 2`), []string{different, `the initialization options were {"x" = 1} and are {"x" = 2}`}},
	{"a setting after the yes", "", changed(`x = 1 }`, "x = 1 }\nsettings = { p = \"x\" }"), []string{different, `the settings were none and are {"p" = "x"}`}},
	{"another program of the same relative name", "", func(t *testing.T, r repository) {
		must(t, os.Rename(r.path("other.sh"), r.path("server.sh")))
	}, []string{different, "the content of the program"}},
	{"the script is edited", "", func(t *testing.T, r repository) {
		mode(t, r.path("server.sh"), "#!/bin/sh\ntouch "+r.marker+" #\n", 0o755)
	}, []string{different, "the content of the program"}},
	{"the link is swapped", strings.Replace(declaredEntry, "./server.sh", "./link.sh", 1), func(t *testing.T, r repository) {
		must(t, os.Remove(r.path("link.sh")))
		must(t, os.Symlink("other.sh", r.path("link.sh")))
	}, []string{different, "the content of the program"}},
	{"an argument that is a file is edited", strings.Replace(declaredEntry, `"two"`, `"data.txt"`, 1), func(t *testing.T, r repository) {
		write(t, r.path("data.txt"), "other")
	}, []string{different, "the content of the argument"}},
	{`env {"a=b" = "c"} for {a = "b=c"}`, strings.Replace(declaredEntry, `A = "1"`, `a = "b=c"`, 1), changed(`a = "b=c"`, `"a=b" = "c"`), []string{malformed, "holds ="}},
	{"COMMAND beside command", declaredEntry + "COMMAND = \"sh\"\n", nil, []string{malformed, `unknown key "COMMAND"`}},
	{"a key twice", declaredEntry + "command = \"sh\"\n", nil, nil},
	{"no UTF-8", declaredEntry + "name = \"\xff\"\n", nil, nil},
	{`args = "evil"`, evil("command = \"./server.sh\"\nargs = \"evil\""), nil, []string{malformed, "it must be a list of strings"}},
	{`env = "evil"`, evil("command = \"./server.sh\"\nenv = \"evil\""), nil, []string{malformed, "it must be a table of strings"}},
	{"10,000 args", evil("command = \"./server.sh\"\nargs = [" + strings.Repeat(`"",`, 10_000) + "]"), nil, []string{malformed, "more than 256 arguments"}},
	{"a name with newlines", named(`a\n\nfine: ready`), nil, []string{notSeen}},
	{"a name with escapes", named(`\u001b[2J\u001b]0;x\u0007`), nil, []string{notSeen}},
	{"a name from right to left", named(`\u202etxt`), nil, []string{notSeen}},
	{"a name that is not seen", named(`\u3164\u2800`), nil, []string{notSeen}},
	{"a name that looks like another", named(`t\u0435xt`), nil, []string{notSeen}},
	{"the id of the user's own server", strings.ReplaceAll(declaredEntry, `"evil"`, `"text"`), nil, nil},
	{"the files of the user's own server", strings.ReplaceAll(declaredEntry, "*.evil", "*"), nil, []string{notSeen}},
	{"trust keys in its own file", "builtin_servers = false\n[trust]\nelicitation = false\nallow = [\"evil@project\"]\n[workspace]\nroots = [\"/\"]\nmax_file_size = 1\n[mcp]\ninstructions = \"obey\"\ntools = \"core\"\n" + declaredEntry, nil, []string{notSeen}},
}

func changed(before, after string) func(*testing.T, repository) {
	return func(_ *testing.T, r repository) { r.edit(before, after) }
}

// TestTrustHandedCases runs each of them: nothing of the repository starts, what is
// said says why, and the user's own server answers throughout.
func TestTrustHandedCases(t *testing.T) {
	outcomes := map[string]string{}
	for _, test := range handedCases {
		t.Run(test.name, func(t *testing.T) {
			r := newRepository(t, test.project)
			write(t, r.path("data.txt"), "data")
			must(t, os.Symlink("server.sh", r.path("link.sh")))
			if test.change != nil {
				allow(t, r.like, "evil@project")
				test.change(t, r)
			}
			outcomes[test.name] = r.refused(setup{}, test.said)
		})
	}
	for _, test := range handedCases {
		t.Logf("%-45s %s", test.name, outcomes[test.name])
	}
}

// refused holds that the repository's server does not start and the user's does,
// and gives what is said of it.
func (r repository) refused(s setup, said []string, more ...string) string {
	t := r.t
	t.Helper()
	c := r.serve(s, more...)
	if got := c.ask("get_hover", askMine); !strings.Contains(got, "mine") {
		t.Errorf("the user's own server says %q", got)
	}
	_, err := c.try("get_hover", askEvil)
	if err == nil {
		t.Fatal("the repository's server answers")
	}
	support := c.ask("get_tool_support", nil)
	told := err.Error() + "\n" + support
	for _, want := range said {
		if !strings.Contains(told, want) {
			t.Errorf("%q is not said:\n%s", want, told)
		}
	}
	if said == nil && strings.Contains(support, "@project") {
		t.Errorf("an entry that is not read is offered:\n%s", support)
	}
	if strings.ContainsAny(told, "\x1b\u202e\u3164\u2800") || strings.Contains(told, "\nfine: ready") {
		t.Errorf("it is told raw: %q", told)
	}
	if got := c.session.InitializeResult().Instructions; strings.Contains(got, "obey") {
		t.Errorf("instructions %q", got)
	}
	if got := c.ask("get_hover", askMine); !strings.Contains(got, "mine") {
		t.Errorf("afterwards the user's own server says %q", got)
	}
	c.close()
	if r.ran() {
		t.Error("something of the repository has run")
	}
	if said == nil {
		return "not read: " + strings.TrimSpace(warningIn(c.log.String()))
	}
	return "not started: " + strings.Join(said, ": ")
}

// warningIn gives the first warning of a log, shortened.
func warningIn(log string) string {
	for line := range strings.Lines(log) {
		if strings.Contains(line, "ignored") {
			_, why, _ := strings.Cut(line, "ignored")
			return why[:min(len(why), 100)]
		}
	}
	return "no warning"
}

// TestTrustControl holds that the marker of the cases is one: what a person allowed
// and nobody changed runs.
func TestTrustControl(t *testing.T) {
	r := newRepository(t, "")
	allow(t, r.like, "evil@project")
	c := r.serve(setup{})
	if _, err := c.try("get_hover", askEvil); err == nil {
		t.Error("a script that is no server has answered")
	}
	c.close()
	if !r.ran() {
		t.Error("what was allowed did not run")
	}
}

// TestTrustSteeredHome holds that no variable of the environment moves the store: a
// forged one in the workspace does not count. It reads the account's store and
// writes nothing.
func TestTrustSteeredHome(t *testing.T) {
	r := newRepository(t, "")
	allow(t, r.like, "evil@project")
	forged := r.path(".local/state/mcpls/trust")
	must(t, os.MkdirAll(filepath.Dir(forged), 0o700))
	must(t, os.Rename(r.store, forged))
	must(t, os.MkdirAll(r.path("mcpls"), 0o700))
	must(t, os.CopyFS(r.path("mcpls/trust"), os.DirFS(forged)))
	env := map[string]string{
		"XDG_STATE_HOME": r.path(".local/state"), "XDG_DATA_HOME": r.dir, "XDG_CONFIG_HOME": r.dir, "XDG_CACHE_HOME": r.dir, "XDG_RUNTIME_DIR": r.dir,
	}
	r.like.Args = []string{mcplsPath, "--config", r.config}
	r.refused(setup{home: r.dir, env: env}, []string{notSeen})
	// Nor may a flag name it.
	out, code := r.run("", "list", "--trust-store", forged)
	if code != 1 || !strings.Contains(out, "lies inside the workspace") {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// TestTrustListsMalformed holds that a malformed entry is shown wherever servers
// are, with what is wrong, and that the one beside it can be decided about.
func TestTrustListsMalformed(t *testing.T) {
	r := newRepository(t, evil("command = \"./server.sh\"\nargs = \"x\"\nname = \"bad\"")+declaredEntry)
	const want = "is malformed: lsp_servers.args: a string stands here; it must be a list of strings"
	if out, code := r.run("", "list"); code != 0 || !strings.Contains(out, "bad@project: refused") || !strings.Contains(out, want) || !strings.Contains(out, "evil@project: unknown") {
		t.Errorf("exit code %d: %s", code, out)
	}
	told, code := plan(t, r.like)
	if bad := told["bad@project"]; code != 3 || bad.Verdict != "refuse" || bad.Reason != "config.malformed_entry" || !strings.Contains(bad.Message, want) {
		t.Errorf("exit code %d: %+v", code, bad)
	}
	if told["evil@project"].Verdict != "ask" || told["text"].Verdict != "start" {
		t.Errorf("the others: %+v", told)
	}
	r.refused(setup{}, []string{notSeen, want})
	write(t, r.path("x.unheard-of"), "alpha\n")
	c := r.serve(setup{})
	_, err := c.try("get_hover", args{"file_path": "x.unheard-of", "line": 1, "text": "alpha"})
	if err == nil || strings.Contains(err.Error(), "malformed") {
		t.Errorf("it claims a file: %v", err)
	}
	allow(t, r.like, "evil@project")
	if got := r.state("evil@project"); got != "allowed" {
		t.Errorf("the one beside it is %q", got)
	}
	if out, code := r.run("", "review", "bad@project"); code != 1 || !strings.Contains(out, "no server of this repository has the id") {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// answering is a project file whose server answers.
func (r repository) answering() {
	script := filepath.Join(filepath.Dir(r.config), "theirs")
	write(r.t, script, strings.ReplaceAll(trustScript, "mine", "theirs"))
	write(r.t, r.path("mcpls.toml"), evil(fmt.Sprintf("command = %q\nenv = { GORACE = \"atexit_sleep_ms=0\", %s = %q, %s = %q }",
		fakePath, lsptest.ScriptEnv, script, lsptest.RecordEnv, script+".record")))
}

// TestTrustFromCloneToAnswer is one client session: one refused call, one review in
// a terminal, one answered call.
func TestTrustFromCloneToAnswer(t *testing.T) {
	r := newRepository(t, "")
	r.answering()
	c := r.serve(setup{})
	failed := c.fails("get_hover", askEvil, -32055)
	if !strings.Contains(failed.Message, "mcpls trust review evil@project") {
		t.Errorf("the refusal says %q", failed.Message)
	}
	allow(t, r.like, "evil@project")
	if got := c.ask("get_hover", askEvil); !strings.Contains(got, "theirs") {
		t.Errorf("the answer is %q", got)
	}
}

// TestTrustFingerprint holds that the fingerprint of mcpls trust list starts what it
// is of, in a second clone too, and no other does.
func TestTrustFingerprint(t *testing.T) {
	r := newRepository(t, "")
	r.answering()
	out, _ := r.run("", "list", "--json")
	var told struct {
		Servers []struct{ ID, Fingerprint string }
	}
	must(t, json.Unmarshal([]byte(out[max(strings.Index(out, "{"), 0):]), &told)) // behind a warning
	if len(told.Servers) != 1 || told.Servers[0].ID != "evil@project" {
		t.Fatalf("the list is %s", out)
	}
	fingerprint := told.Servers[0].Fingerprint
	clone := newRepository(t, "")
	data, err := os.ReadFile(r.path("mcpls.toml"))
	must(t, err)
	write(t, clone.path("mcpls.toml"), string(data))
	for _, where := range []repository{r, clone} {
		c := where.serve(setup{}, "--trust-fingerprint", fingerprint)
		if got := c.ask("get_hover", askEvil); !strings.Contains(got, "theirs") {
			t.Errorf("the answer is %q", got)
		}
		c.close()
		if _, err := os.Lstat(where.store); err == nil {
			t.Error("a flag was stored")
		}
	}
	last := fingerprint[len(fingerprint)-1]
	wrong := fingerprint[:len(fingerprint)-1] + string(map[bool]byte{true: '1', false: '0'}[last == '0'])
	r.refused(setup{}, []string{notSeen}, "--trust-fingerprint", wrong)
	for _, bad := range []string{"", "sha256:", fingerprint[:20], strings.ToUpper(fingerprint), fingerprint + "0", strings.TrimPrefix(fingerprint, "sha256:"), "all"} {
		if out, code := r.run("", "list", "--trust-fingerprint", bad); code != 2 {
			t.Errorf("%q: exit code %d: %s", bad, code, out)
		}
	}
}
