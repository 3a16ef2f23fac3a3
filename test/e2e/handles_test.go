package e2e_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpls/internal/lsptest"
)

// second is one more entry for the fake server, with a script of its own; more
// is added to it. It gives the path of its record too.
func second(t *testing.T, name, script, more string) (entry, record string) {
	t.Helper()
	dir := t.TempDir()
	record = filepath.Join(dir, "record")
	write(t, filepath.Join(dir, "script"), script)
	return fmt.Sprintf(`
[[lsp_servers]]
language_id = "text"
name = %q
command = %q
env = { GORACE = "atexit_sleep_ms=0", %s = %q, %s = %q }
%s
`, name, fakePath, lsptest.ScriptEnv, filepath.Join(dir, "script"), lsptest.RecordEnv, record, more), record
}

// sayWho is a server that answers every question with its name.
func sayWho(name string) string {
	return fmt.Sprintf(`
on initialize
	reply {"capabilities": {"hoverProvider": true, "referencesProvider": true, "workspaceSymbolProvider": {},
		"diagnosticProvider": {}}, "serverInfo": {"name": %[1]q, "version": "1"}}
on textDocument/hover
	reply {"contents": %[1]q}
on textDocument/diagnostic
	reply {"kind": "full", "items": [{"message": %[1]q, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}}]}
on workspace/symbol
	reply [{"name": %[1]q, "kind": 12, "location": {"uri": "", "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}}},
		{"name": "shared", "kind": 12, "location": {"uri": "", "range": {"start": {"line": 0, "character": %[2]d}, "end": {"line": 0, "character": 5}}}}]
`, name, len(name)/5) // a symbol that both find begins elsewhere for each
}

// TestHandles holds that each question goes to the server that was declared for
// it, and the rest to the catch-all.
func TestHandles(t *testing.T) {
	linter, record := second(t, "linter", oneLine(sayWho("linter")), `handles = ["diagnostics"]`)
	f := startFake(t, oneLine(sayWho("main")), linter, setup{})
	if got := f.ask("get_hover", atAlpha); !strings.HasSuffix(got, "\nmain") {
		t.Errorf("hover %q", got)
	}
	if got := f.ask("get_diagnostics", args{"file_path": "a.txt"}); !strings.Contains(got, "linter") || strings.Contains(got, "main") {
		t.Errorf("diagnostics %q", got)
	}
	f.fails("rename_symbol", args{"file_path": "a.txt", "line": 1, "text": "alpha", "new_name": "x"}, -32056)
	told := f.ask("get_tool_support", nil)
	for _, want := range []string{"linter 1\n  handles only diagnostics\n  answers get_diagnostics", "main 1\n  answers get_hover, get_references"} {
		if !strings.Contains(told, want) {
			t.Errorf("get_tool_support %q lacks %q", told, want)
		}
	}
	if got := f.ask("get_tool_support", args{"file_path": "a.txt"}); strings.Count(got, "\n  answers ") != 2 {
		t.Errorf("get_tool_support of a file %q", got)
	}
	main := methods(f.received())
	if slices.Contains(main, "textDocument/diagnostic") || !slices.Contains(main, "textDocument/hover") {
		t.Errorf("the catch-all was asked %v", main)
	}
	if other := methods(recorded(t, record)); slices.Contains(other, "textDocument/hover") {
		t.Errorf("the linter was asked %v", other)
	}
}

// TestHandlesSearch holds that a search goes to those that handle it, and to no
// server that declined.
func TestHandlesSearch(t *testing.T) {
	linter, record := second(t, "linter", oneLine(sayWho("linter")), `handles = ["diagnostics"]`)
	finder, _ := second(t, "finder", oneLine(sayWho("finder")), `handles = ["workspace_symbols"]`)
	f := startFake(t, oneLine(sayWho("main")), linter+finder, setup{})
	got := f.ask("workspace_symbol_search", args{"query": "x"})
	if !strings.Contains(got, "finder") || !strings.Contains(got, "main") || strings.Contains(got, "linter") || strings.Count(got, "shared") != 1 {
		t.Errorf("search %q", got)
	}
	f.close()
	if other := methods(recorded(t, record)); slices.Contains(other, "workspace/symbol") {
		t.Errorf("the linter was asked %v", other)
	}
}

// dead is a server that does not start.
const dead = `
on initialize
	stderr no licence found
	exit 9
`

// TestDeadClaimer holds that the catch-all answers for a server that does not
// start, at the first question, and that the dead one is left alone then.
func TestDeadClaimer(t *testing.T) {
	linter, record := second(t, "linter", dead, `handles = ["diagnostics"]`)
	f := startFake(t, oneLine(sayWho("main")), linter, setup{})
	for range 3 {
		if got := f.ask("get_diagnostics", args{"file_path": "a.txt"}); !strings.Contains(got, "main") {
			t.Errorf("diagnostics %q", got)
		}
	}
	if told := f.ask("get_tool_support", nil); !strings.Contains(told, "failed\n") || !strings.Contains(told, "no licence found") {
		t.Errorf("get_tool_support %q", told)
	}
	f.close()
	if got := methods(recorded(t, record)); !slices.Equal(got, []string{"initialize"}) {
		t.Errorf("the dead server was asked %v", got)
	}
}

// TestDeadServerHidesNoSymbol holds that a server that does not start takes no
// name from the others, and that this is told.
func TestDeadServerHidesNoSymbol(t *testing.T) {
	dead, _ := second(t, "dead", "on initialize\n\texit 9\n", `handles = ["workspace_symbols"]`)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.txt"), "alpha\ngamma\n")
	f := startFake(t, capable+`
on workspace/symbol
	reply [{"name": "gamma", "kind": 12, "location": {"uri": "file://`+dir+`/a.txt", "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 5}}}}]
on textDocument/hover
	reply {"contents": "found"}
`, dead, setup{dir: dir})
	const note = "\n[not asked for the name, since it does not start: dead; get_tool_support says why]"
	if got := f.ask("get_hover", args{"symbol_name": "gamma"}); got != "gamma (a.txt:2:1)\nfound"+note {
		t.Errorf("got %q", got)
	}
	failed := f.fails("get_hover", args{"symbol_name": "delta"}, -32602)
	if !strings.Contains(failed.Message, note) {
		t.Errorf("not found: %q", failed.Message)
	}
}

// TestNeverADecliner holds that a question stays unanswered when its server is
// dead and the only other one declined it, and when nobody claims it.
func TestNeverADecliner(t *testing.T) {
	linter, _ := second(t, "linter", oneLine(sayWho("linter")), `handles = ["diagnostics"]`)
	f := startFake(t, dead, "handles = [\"hover\"]\n"+linter, setup{})
	if failed := f.fails("get_hover", atAlpha, -32603); !strings.Contains(failed.Message, `server "text"`) || !strings.Contains(failed.Message, "no licence found") {
		t.Errorf("message %q", failed.Message)
	}
	failed := f.fails("get_references", atAlpha, -32602)
	if want := `server "text" answers for it, but its handles do not name references`; !strings.Contains(failed.Message, want) {
		t.Errorf("message %q lacks %q", failed.Message, want)
	}
	f.ask("get_diagnostics", args{"file_path": "a.txt"})
}

// oneLine joins the lines of a script that go on the next.
func oneLine(script string) string { return strings.ReplaceAll(script, ",\n\t\t", ", ") }

// TestLateCapability holds that a question which a loading server does not
// offer waits for the load, and is asked when the server has registered it;
// what it does not offer then is no longer waited for.
func TestLateCapability(t *testing.T) {
	f := startFake(t, `
on initialize
	reply {"capabilities": {"referencesProvider": true}}
on initialized
	notify $/progress {"token": 1, "value": {"kind": "begin", "title": "Indexing"}}
on textDocument/didOpen
	request client/registerCapability {"registrations": [{"id": "h", "method": "textDocument/hover"}]}
	notify $/progress {"token": 1, "value": {"kind": "end"}}
on textDocument/hover
	reply {"contents": "late"}
`, "", setup{})
	told := f.ask("get_tool_support", nil)
	for !strings.Contains(told, "loading, Indexing\n  answers get_references, get_diagnostics") && t.Context().Err() == nil {
		told = f.ask("get_tool_support", nil) // it starts in the background
	}
	if got := f.ask("get_hover", atAlpha); got != "alpha (a.txt:1:1)\nlate" {
		t.Errorf("hover %q", got)
	}
	if told = f.ask("get_tool_support", nil); !strings.Contains(told, "answers get_hover, get_references, get_diagnostics") {
		t.Errorf("after it: %q", told)
	}
	failed := f.fails("rename_symbol", args{"file_path": "a.txt", "line": 1, "text": "alpha", "new_name": "x"}, -32056)
	if want := `server "text" does not offer textDocument/rename`; failed.Message != want {
		t.Errorf("message %q, want %q", failed.Message, want)
	}
}
