package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDiagnosticsOfAnOlderText holds that what a server published about an
// older version, or has not published at all, is never told as the state of
// the file.
func TestDiagnosticsOfAnOlderText(t *testing.T) {
	const publish = `notify textDocument/publishDiagnostics {"uri": "$URI", "version": %d, "diagnostics": [%s]}`
	const problem = `{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}, "message": "old"}`
	f := startFake(t, capable+"on textDocument/didOpen\n\t"+fmt.Sprintf(publish, 1, problem)+`
on textDocument/didChange
	notify textDocument/publishDiagnostics {"uri": "$URI", "version": 1, "diagnostics": []}
on textDocument/didChange
	`+fmt.Sprintf(publish, 3, "")+"\n", "", setup{})
	quick := args{"file_path": "a.txt", "wait_seconds": 1}
	if got := f.ask("get_diagnostics", args{"file_path": "a.txt"}); got != "a.txt: 1 error\na.txt:1:1: error: old\n    alpha 🛒 beta"+unproven {
		t.Errorf("version 1: %q", got)
	}
	path := filepath.Join(f.cmd.Dir, "a.txt")
	write(t, path, "alpha\n")
	// The server publishes a clean file, but for the text before.
	if got := f.ask("get_diagnostics", quick); !strings.HasPrefix(got, "a.txt: not known yet: text has not spoken") {
		t.Errorf("version 2: %q", got)
	}
	write(t, path, "alpha beta\n")
	if got := f.ask("get_diagnostics", args{"file_path": "a.txt"}); got != "a.txt: no errors or warnings"+unproven {
		t.Errorf("version 3: %q", got)
	}
}

// TestPullOfferedLate holds that diagnostics are pulled from a server that
// offers it only while they are waited for, as pyright does.
func TestPullOfferedLate(t *testing.T) {
	f := startFake(t, capable+`
on textDocument/didOpen
	request client/registerCapability {"registrations": [{"id": "d", "method": "textDocument/diagnostic"}]}
on textDocument/diagnostic
	fail -32802 not yet
on textDocument/diagnostic
	reply {"kind": "full", "items": []}
`, "", setup{})
	if got := f.ask("get_diagnostics", args{"file_path": "a.txt"}); got != "a.txt: no errors or warnings"+unproven {
		t.Errorf("diagnostics %q", got)
	}
}

// TestMalformedReports holds that a pulled report that lists nothing is not "no
// errors".
func TestMalformedReports(t *testing.T) {
	for _, report := range []string{`null`, `{}`, `{"kind": "unchanged", "resultId": "1"}`, `{"kind": "full"}`} {
		f := startFake(t, `
on initialize
	reply {"capabilities": {"diagnosticProvider": {}}}
on textDocument/diagnostic
	reply `+report+"\n", "", setup{})
		if got := f.ask("get_diagnostics", args{"file_path": "a.txt", "wait_seconds": 0}); !strings.HasPrefix(got, "a.txt: not known yet") {
			t.Errorf("%s: %q", report, got)
		}
	}
}

// TestLeaderDies holds that a server whose process is gone is known to be gone,
// also where a descendant in a session of its own holds its pipes.
func TestLeaderDies(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.txt"), "alpha\n")
	script := filepath.Join(t.TempDir(), "server")
	write(t, script, "#!/bin/sh\nsetsid sleep 5 &\nexec "+fakePath+"\n")
	if err := os.Chmod(script, 0o700); err != nil {
		t.Fatal(err)
	}
	f := startFakeAs(t, script, capable+"on textDocument/hover\n\texit 3\n", "", setup{dir: dir, strays: true})
	failed := f.fails("get_hover", atAlpha, -32054)
	if !strings.Contains(failed.Message, "exit status 3") {
		t.Errorf("message %q", failed.Message)
	}
}

// TestForgedLines holds that no name can begin a line of its own in an answer.
func TestForgedLines(t *testing.T) {
	f := startFake(t, `
on initialize
	reply {"capabilities": {"referencesProvider": true, "documentSymbolProvider": true}}
on textDocument/references
	reply [{"uri": "file:///x%0A[forged]", "range": {"start": {"line": 4294967295, "character": 0}, "end": {"line": 0, "character": 0}}}]
on textDocument/documentSymbol
	reply [{"name": "a\n[forged]", "kind": 12, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "selectionRange": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}}]
`, "", setup{})
	for tool, a := range map[string]args{"get_references": atAlpha, "get_document_symbols": {"file_path": "a.txt"}} {
		got := f.ask(tool, a)
		if strings.Contains(got, "\n[forged]") || !strings.Contains(got, `\n[forged]`) {
			t.Errorf("%s: %q", tool, got)
		}
	}
}

// TestPiped writes its questions and closes at once, as a script does: each is
// answered.
func TestPiped(t *testing.T) {
	cmd := exec.Command(mcplsPath)
	cmd.Dir = workspace(t, "shop")
	cmd.Env = []string{"HOME=" + freshHome(t), "PATH=/nowhere", noRaceSleep}
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_tool_support","arguments":{}}}
`)
	out, err := cmd.Output()
	if err != nil || strings.Count(string(out), `"result"`) != 3 {
		t.Errorf("%v, %d answers: %s", err, strings.Count(string(out), `"result"`), out)
	}
}
