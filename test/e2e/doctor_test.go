package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcpls/internal/catalog"
	"mcpls/internal/lsptest"
)

// patients is a configuration with a server in each state that doctor tells of,
// and the directories that its tests use.
type patients struct {
	t                 *testing.T
	workspace, config string
	ran               string // a file that the repository's server would make
	bin               string // where its rust-analyzer is, which does not start
}

func newPatients(t *testing.T) *patients {
	p := &patients{t: t, workspace: t.TempDir(), bin: t.TempDir()}
	outside := t.TempDir()
	p.config, p.ran = filepath.Join(outside, "mcpls.toml"), filepath.Join(outside, "ran")
	proxy := filepath.Join(p.bin, "rust-analyzer")
	if err := os.Symlink(fakePath, proxy); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.workspace, "a.txt"), "alpha\n")
	write(t, filepath.Join(p.workspace, "mcpls.toml"), fmt.Sprintf(
		"[[lsp_servers]]\nlanguage_id = 'evil'\ncommand = '/bin/sh'\nargs = ['-c', 'touch %s']\n", p.ran,
	))
	fakeEntry := func(name, command, script, more string) string {
		path := filepath.Join(outside, name)
		write(t, path, script)
		return fmt.Sprintf("[[lsp_servers]]\nlanguage_id = %q\ncommand = %q\nenv = { GORACE = \"atexit_sleep_ms=0\", %s = %q }\n%s\n",
			name, command, lsptest.ScriptEnv, path, more)
	}
	write(t, p.config, fmt.Sprintf("builtin_servers = false\nworkspace.roots = [%q]\n", p.workspace)+
		fakeEntry("text", fakePath, `
on initialize
	reply {"capabilities": {"hoverProvider": true, "documentSymbolProvider": true}, "serverInfo": {"name": "fake", "version": "7"}}
on textDocument/documentSymbol
	reply [{"name": "alpha", "kind": 12, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}, "selectionRange": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}}]
on textDocument/hover
	reply {"contents": "known"}
`, "file_patterns = ['*.txt']")+
		fakeEntry("rust", proxy, `
on initialize
	stderr error: Unknown binary 'rust-analyzer' in official toolchain 'stable'.
	exit 1
`, "")+
		"[[lsp_servers]]\nlanguage_id = 'idle'\ncommand = '/bin/true'\nheuristics.project_markers = ['no.such']\n"+
		"[[lsp_servers]]\nlanguage_id = 'gone'\ncommand = 'no-such-program'\n")
	return p
}

// TestDoctorIsNotForged holds that what a repository or a server names looks
// like no line of doctor's, and stays JSON.
func TestDoctorIsNotForged(t *testing.T) {
	p := newPatients(t)
	evil := "x\u007f\u202e\ngo (go, builtin): ready"
	if err := os.Remove(filepath.Join(p.workspace, "a.txt")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.workspace, evil+".txt"), "alpha\n")
	out, _, code := p.doctor("text")
	if code != 0 || strings.Contains(out, "\ngo (go") || strings.ContainsAny(out, "\u007f\u202e") {
		t.Errorf("exit %d\n%s", code, out)
	}
	out, _, _ = p.doctor("--json", "text")
	var told struct{ Servers []struct{ File string } }
	if err := json.Unmarshal([]byte(out), &told); err != nil || len(told.Servers) != 1 || told.Servers[0].File != evil+".txt" || strings.ContainsAny(out, "\u007f\u202e") {
		t.Errorf("%v\n%s", err, out)
	}
}

// doctor runs the command, without what it measures and where things are.
func (p *patients) doctor(args ...string) (out, errOut string, code int) {
	p.t.Helper()
	cmd := exec.Command(mcplsPath, append([]string{"doctor", "--config", p.config}, args...)...)
	cmd.Dir, cmd.Env = p.workspace, []string{"HOME=" + p.t.TempDir(), "PATH=" + os.Getenv("PATH"), noRaceSleep}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		code = failed.ExitCode()
	} else if err != nil {
		p.t.Fatal(err)
	}
	shown := strings.NewReplacer(fakePath, "FAKE", p.bin, "BIN", p.workspace, "WORKSPACE").Replace(string(text))
	return regexp.MustCompile(`\d+ ms`).ReplaceAllString(shown, "N ms"), stderr.String(), code
}

// TestDoctor holds what is told of a server in each state, and that a program
// which the repository names is not run for it.
func TestDoctor(t *testing.T) {
	p := newPatients(t)
	out, errOut, code := p.doctor()
	want := `text (text, named): ready
  command  FAKE
  program  FAKE
  version  fake 7
  start    N ms
  asked    document_symbols of a.txt: answered, after N ms
  asked    hover of a.txt: answered
  loaded   the workspace, as far as it tells, within N ms
  answers  diagnostics, document_symbols, hover
rust (rust, named): failed
  why      initialize: the server closed the connection: exit status 1
  command  BIN/rust-analyzer
  program  BIN/rust-analyzer
  stderr   error: Unknown binary 'rust-analyzer' in official toolchain 'stable'.
  install  rustup component add rust-analyzer
  problem  the program is rustup's proxy, and the toolchain of this workspace has no rust-analyzer
  mend     rustup component add rust-analyzer
idle (idle, named): inactive, the workspace has no no.such
gone (gone, named): refused
  why      the program "no-such-program" is not installed: it was not found
           install it, or give its absolute path as command
  command  no-such-program
evil@project (evil, project): refused
  why      `
	if code != 1 || !strings.HasPrefix(out, want) || !strings.Contains(out, "until a person has seen it and said yes") {
		t.Errorf("exit %d\n%s\nwant\n%s", code, out, want)
	}
	if want := "error: 2 of 5 servers failed\n"; errOut != want {
		t.Errorf("stderr %q, want %q", errOut, want)
	}
	if _, err := os.Stat(p.ran); err == nil {
		t.Error("the repository's command has run")
	}
}

// TestDoctorNamed holds that only those servers are started that are named, and
// that each of them has to serve.
func TestDoctorNamed(t *testing.T) {
	p := newPatients(t)
	for _, test := range []struct {
		args    []string
		code    int
		servers int
		words   string
	}{
		{[]string{"text"}, 0, 1, ""},
		{[]string{"idle"}, 1, 0, "error: 1 of 1 servers failed\n"},
		{[]string{"text", "evil@project"}, 1, 2, "error: 1 of 2 servers failed\n"},
		{[]string{"txt"}, 1, 0, "error: there is no server \"txt\": declared are text, rust, idle, gone, evil@project\n"},
	} {
		out, errOut, code := p.doctor(test.args...)
		if n := strings.Count(out, "\n  command "); code != test.code || n != test.servers || errOut != test.words {
			t.Errorf("%v: exit %d, %d servers, %q", test.args, code, n, errOut)
		}
	}
	out, _, code := p.doctor("--json", "text", "rust")
	var told struct {
		Servers []struct {
			Server, State, Program, Version, Stderr string
			Failed                                  bool
			Answers                                 []string
			Advice                                  []struct{ Problem, Mend string }
		}
	}
	if err := json.Unmarshal([]byte(out), &told); err != nil || code != 1 || len(told.Servers) != 2 {
		t.Fatalf("exit %d, %v\n%s", code, err, out)
	}
	if text := told.Servers[0]; text.State != "ready" || text.Failed || text.Version != "7" || len(text.Answers) != 3 || text.Program != "FAKE" {
		t.Errorf("%+v", text)
	}
	if rust := told.Servers[1]; rust.State != "failed" || !rust.Failed || !strings.Contains(rust.Stderr, "Unknown binary") ||
		len(rust.Advice) != 1 || rust.Advice[0].Mend != "rustup component add rust-analyzer" {
		t.Errorf("%+v", rust)
	}
}

// TestEveryRequestHasAFeature has a server offer all there is: each request
// belongs to a feature, and each feature has one.
func TestEveryRequestHasAFeature(t *testing.T) {
	p := newPatients(t)
	var offered []string
	for _, name := range strings.Fields(`hover definition declaration typeDefinition implementation references documentHighlight
		documentSymbol workspaceSymbol diagnostic signatureHelp selectionRange foldingRange inlayHint
		documentFormatting documentRangeFormatting callHierarchy typeHierarchy`) {
		offered = append(offered, fmt.Sprintf("%q: true", name+"Provider"))
	}
	offered = append(offered, `"renameProvider": {"prepareProvider": true}`, `"completionProvider": {"resolveProvider": true}`, `"codeActionProvider": {"resolveProvider": true}`)
	write(t, filepath.Join(filepath.Dir(p.config), "text"), "on initialize\n\treply {\"capabilities\": {"+strings.Join(offered, ", ")+"}}\n")
	out, errOut, _ := p.doctor("--json", "text")
	var told struct {
		Servers []struct{ Answers []catalog.Feature }
	}
	if err := json.Unmarshal([]byte(out), &told); err != nil || len(told.Servers) != 1 {
		t.Fatalf("%v %s\n%s", err, errOut, out)
	}
	if got, want := told.Servers[0].Answers, slices.Sorted(slices.Values(catalog.Features)); !slices.Equal(got, want) {
		t.Errorf("answers %q, want %q", got, want)
	}
}
