package e2e_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestWorkspaceDiagnostics holds what is told of a workspace: the worst file
// first, what is not known, what there was no room for.
func TestWorkspaceDiagnostics(t *testing.T) {
	const at = `"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}`
	dir := t.TempDir()
	write(t, filepath.Join(dir, "clean.txt"), "x\n")
	write(t, filepath.Join(dir, "warned.txt"), "x\n")
	write(t, filepath.Join(dir, "broken.txt"), "x\n")
	write(t, filepath.Join(dir, "silent.txt"), "x\n")
	write(t, filepath.Join(dir, "image.png"), "x\n") // of no language: not asked about
	f := startFake(t, `
on initialize
	reply {"capabilities": {"diagnosticProvider": {}}}
on textDocument/diagnostic
	reply {"kind": "full", "items": []}
on textDocument/diagnostic
	reply {"kind": "full", "items": [{`+at+`, "severity": 2, "message": "odd"}]}
on textDocument/diagnostic
	reply {"kind": "full", "items": [{`+at+`, "message": "bad\nmore"}, {`+at+`, "severity": 4, "message": "hint"}]}
on textDocument/diagnostic
	fail -32603 no
`, "", setup{dir: dir})
	got := f.ask("get_diagnostics", args{"wait_seconds": 1})
	lines := strings.Split(got, "\n")
	if lines[0] != "1 error, 1 warning, 1 hint in 2 of 3 files" || len(lines) != 5 {
		t.Errorf("got %q", got)
	}
	for _, part := range []string{
		": 1 error, 1 hint; 1:1 error: bad\n", ": 1 warning; 1:1 warning: odd\n",
		"[not known of 1 file:\n", ": text has not spoken about it yet]",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not in %q", part, got)
		}
	}
	f.fails("get_diagnostics", args{"context": "enclosing_symbol"}, -32602)
}

// TestWorkspaceDiagnosticsBound holds that a large workspace is asked about in
// part, and that this is told.
func TestWorkspaceDiagnosticsBound(t *testing.T) {
	dir := t.TempDir()
	for i := range 230 {
		write(t, filepath.Join(dir, fmt.Sprintf("%03d.txt", i)), "x\n")
	}
	f := startFake(t, `
on initialize
	reply {"capabilities": {"diagnosticProvider": {}}}
on textDocument/diagnostic
	reply {"kind": "full", "items": []}
`, "", setup{dir: dir})
	want := "no errors or warnings in 0 of 200 files\n[30 files not asked about: the ones that changed last come first; give file_path for another]"
	if got := f.ask("get_diagnostics", nil); got != want {
		t.Errorf("got %q", got)
	}
	other := startFake(t, capable, "heuristics = { project_markers = [\"none\"] }", setup{dir: dir})
	other.fails("get_diagnostics", nil, -32602)
}

// TestBlindServer holds that a server that finds no errors says so of each file,
// also of those that are asked about together.
func TestBlindServer(t *testing.T) {
	l := languages[len(languages)-1]
	if l.name != "bash-language-server" {
		t.Fatalf("the last language is %s", l.name)
	}
	needServer(t, l.needs)
	c := l.start(t, l.workspace(t))
	got := c.patient("get_diagnostics", nil)
	if strings.Contains(got, "no errors or warnings in 0 of") && !strings.HasPrefix(got, "no errors or warnings in 0 of 0 files") {
		t.Errorf("got %q", got)
	}
	if !strings.Contains(got, "cannot tell errors") {
		t.Errorf("it is not said why: %q", got)
	}
}
