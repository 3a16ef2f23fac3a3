package e2e_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRangesOfAnotherEncoding holds that every tool that asks about a range, or
// answers with ranges, converts: the server counts in UTF-8, where the cart in
// line 1 of a.txt has four units and not two.
func TestRangesOfAnotherEncoding(t *testing.T) {
	const beta = `{"start": {"line": 0, "character": 11}, "end": {"line": 0, "character": 15}}`
	const item = `{"name": "beta", "kind": 12, "uri": "$URI", "range": ` + beta + `, "selectionRange": ` + beta + `, "data": {"keep": "me"}}`
	f := startFake(t, `
on initialize
	reply {"capabilities": {"positionEncoding": "utf-8", "documentHighlightProvider": true, "selectionRangeProvider": true, "inlayHintProvider": true, "codeActionProvider": true, "documentRangeFormattingProvider": true, "callHierarchyProvider": true, "typeHierarchyProvider": true, "renameProvider": {"prepareProvider": true}, "implementationProvider": true}}
on textDocument/didOpen
	notify textDocument/publishDiagnostics {"uri": "$URI", "diagnostics": []}
on textDocument/documentHighlight
	reply [{"range": `+beta+`, "kind": 3}]
on textDocument/selectionRange
	reply [{"range": `+beta+`}]
on textDocument/inlayHint
	reply [{"position": {"line": 0, "character": 11}, "label": ": int"}]
on textDocument/codeAction
	reply [{"title": "fix", "kind": "quickfix", "edit": {"changes": {"$URI": [{"range": `+beta+`, "newText": "B"}]}}}]
on textDocument/rangeFormatting
	reply [{"range": `+beta+`, "newText": "B"}]
on textDocument/prepareRename
	reply `+beta+`
on textDocument/implementation
	reply [{"uri": "$URI", "range": `+beta+`}]
on textDocument/prepareCallHierarchy
	reply [`+item+`]
on callHierarchy/incomingCalls
	reply []
on textDocument/prepareTypeHierarchy
	reply [`+item+`]
`, "", setup{})
	asked := args{"file_path": "a.txt", "start_line": 1, "start_character": 10, "end_line": 1, "end_character": 14}
	for _, c := range []struct {
		tool string
		args args
		want string
	}{
		{"get_document_highlights", atBeta, "beta (a.txt:1:10): 1 use in its file\n1:10-14 write: alpha 🛒 beta"},
		{"get_selection_ranges", atBeta, "beta (a.txt:1:10): 1 range in its file\n1:10-14: alpha 🛒 beta"},
		{"get_inlay_hints", asked, "a.txt: 1 hint\n1:10 : int  in: alpha 🛒 beta"},
		{"get_code_actions", asked, "a.txt:1:10-14: 1 action\n* fix [quickfix]\n--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n-alpha 🛒 beta\n+alpha 🛒 B\n gamma" + unproven},
		{"format_range", asked, "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n-alpha 🛒 beta\n+alpha 🛒 B\n gamma"},
		{"prepare_rename", atBeta, "beta (a.txt:1:10): can be renamed: beta at 1:10-14"},
		{"go_to_implementation", atBeta, "beta (a.txt:1:10): 1 implementation\na.txt:1:10: alpha 🛒 beta" + unproven},
	} {
		if got := f.ask(c.tool, c.args); got != c.want {
			t.Errorf("%s: %q, want %q", c.tool, got, c.want)
		}
	}
	_, shown, _ := strings.Cut(f.ask("prepare_call_hierarchy", atBeta), "\n  item: ")
	f.ask("get_incoming_calls", args{"item": shown})
	f.ask("prepare_type_hierarchy", atBeta)
	// What the server got is in its own units again, with its data as it came.
	for _, m := range f.received() {
		switch m.Method {
		case "textDocument/inlayHint", "textDocument/codeAction", "textDocument/rangeFormatting":
			if !strings.Contains(compact(m.Params), `"range":{"start":{"line":0,"character":11},"end":{"line":0,"character":15}}`) {
				t.Errorf("%s: %s", m.Method, m.Params)
			}
		case "callHierarchy/incomingCalls":
			if !strings.Contains(compact(m.Params), `"selectionRange":{"start":{"line":0,"character":11},"end":{"line":0,"character":15}},"data":{"keep":"me"}`) {
				t.Errorf("%s: %s", m.Method, m.Params)
			}
		}
	}
}

func compact(raw []byte) string { return strings.ReplaceAll(string(raw), " ", "") }

// TestNothingToSay holds what is said when a server has no answer: not the same
// for what is a fact and for a place that is the wrong one.
func TestNothingToSay(t *testing.T) {
	f := startFake(t, `
on initialize
	reply {"capabilities": {"documentHighlightProvider": true, "selectionRangeProvider": true, "foldingRangeProvider": true, "inlayHintProvider": true, "codeActionProvider": true, "documentFormattingProvider": true, "callHierarchyProvider": true, "typeHierarchyProvider": true, "renameProvider": {"prepareProvider": true}, "completionProvider": {}, "signatureHelpProvider": {}, "declarationProvider": true, "diagnosticProvider": {}}}
on textDocument/diagnostic
	reply {"kind": "full", "items": []}
`, "", setup{}) // every other request is answered with null
	file := args{"file_path": "a.txt"}
	for tool, c := range map[string]struct {
		args args
		want string
	}{
		"get_document_highlights": {atBeta, "beta (a.txt:1:10): 0 uses in its file"},
		"get_selection_ranges":    {atBeta, "beta (a.txt:1:10): 0 ranges in its file"},
		"get_folding_ranges":      {file, "a.txt: 0 blocks"},
		"get_inlay_hints":         {file, "a.txt: 0 hints"},
		"get_code_actions":        {file, "a.txt:1:1-3:1: 0 actions" + unproven},
		"format_document":         {file, "a.txt: is formatted"},
		"prepare_rename":          {atBeta, "beta (a.txt:1:10): cannot be renamed"},
		"get_completions":         {atBeta, "a.txt:1:14: 0 completions"},
		"get_signature_help":      {atBeta, "a.txt:1:14: no call stands around this place"},
		"go_to_declaration":       {atBeta, "beta (a.txt:1:10): no declarations"},
		"prepare_call_hierarchy":  {atBeta, "beta (a.txt:1:10): 0 items"},
		"get_cached_diagnostics":  {file, "a.txt: not known: text has published nothing about it; get_diagnostics asks for it"},
		"get_server_logs":         {nil, "0 log lines"},
		"get_server_messages":     {nil, "0 messages"},
	} {
		if got := f.ask(tool, c.args); got != c.want {
			t.Errorf("%s: %q, want %q", tool, got, c.want)
		}
	}
	for tool, what := range map[string]string{"get_incoming_calls": "function", "get_outgoing_calls": "function", "get_supertypes": "type", "get_subtypes": "type"} {
		failed := f.fails(tool, atBeta, -32602)
		if want := "beta (a.txt:1:10) is no " + what + " that the server knows"; failed.Message != want || !strings.Contains(string(failed.Data), "no_item") {
			t.Errorf("%s: %q %s, want %q", tool, failed.Message, failed.Data, want)
		}
	}
}

// TestActions holds what is made of actions: resolved, with a command, disabled,
// with an edit that cannot be applied.
func TestActions(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.txt"), "alpha 🛒 beta\ngamma\n")
	f := startFake(t, strings.ReplaceAll(`
on initialize
	reply {"capabilities": {"codeActionProvider": {"resolveProvider": true}}}
on textDocument/didOpen
	notify textDocument/publishDiagnostics {"uri": "$URI", "version": 1, "diagnostics": [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}, "message": "bad", "data": {"id": 7}}, {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 5}}, "message": "elsewhere"}]}
on textDocument/codeAction
	reply [{"title": "later", "kind": "quickfix", "isPreferred": true, "data": 1}, {"title": "refuses", "kind": "quickfix", "data": 2}, {"title": "run", "command": "do.it"}, {"title": "busy", "kind": "refactor", "disabled": {"reason": "no selection"}}, {"title": "overlap", "kind": "refactor", "edit": {"changes": {"$URI": [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}, "newText": ""}, {"range": {"start": {"line": 0, "character": 2}, "end": {"line": 0, "character": 4}}, "newText": ""}]}}}, {"title": "move", "kind": "refactor", "edit": {"documentChanges": [{"kind": "create", "uri": "file://DIR/new.txt"}, {"textDocument": {"uri": "file://DIR/new.txt"}, "edits": [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "newText": "gamma\n"}]}]}}]
on codeAction/resolve
	reply {"title": "later", "edit": {"documentChanges": [{"textDocument": {"uri": "file:///elsewhere/x"}, "edits": []}, {"kind": "create", "uri": "file:///elsewhere/y"}]}}
on codeAction/resolve
	fail -32603 no
`, "DIR", dir), "", setup{dir: dir})
	line := args{"file_path": "a.txt", "start_line": 1, "end_line": 1}
	want := `a.txt:1:1-14: 6 actions
* later [quickfix] (preferred): its edit cannot be shown: /elsewhere/x lies outside the workspace or cannot be read
* refuses [quickfix]: its edit cannot be shown: no
* run (no edit)
* busy [refactor]: not now: no selection
* overlap [refactor]: its edit cannot be shown: a.txt: two edits overlap at byte 2
* move [refactor]
--- new.txt
+++ new.txt
@@ -0,0 +1,1 @@
+gamma
file operation, not part of the edits: create file://` + dir + `/new.txt
[no edit: a command of the server's, which mcpls does not run]` + unproven
	if got := f.ask("get_code_actions", line); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	line["kind_filter"] = "refactor"
	if got := f.ask("get_code_actions", line); !strings.HasPrefix(got, "a.txt:1:1-14: 3 actions\n* busy [refactor]") {
		t.Errorf("only refactor: %s", got)
	}
	for _, m := range f.received() {
		if m.Method == "textDocument/codeAction" {
			if p := compact(m.Params); !strings.Contains(p, `"data":{"id":7}`) || strings.Contains(p, "elsewhere") {
				t.Errorf("diagnostics of the range, with their data: %s", p)
			}
		}
	}
}

// stamps are the times of log lines and messages.
var stamps = regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d `)

// TestJournal holds that what a server says, and what it asks for in vain, is
// told, over a restart.
func TestJournal(t *testing.T) {
	f := startFake(t, capable+`
on textDocument/hover
	notify window/logMessage {"type": 3, "message": "loaded\nall"}
	notify window/logMessage {"type": 1, "message": "broken \u001b[2J"}
	notify window/showMessage {"type": 2, "message": "look here"}
	request window/showMessageRequest {"type": 1, "message": "shall I?", "actions": [{"title": "yes"}]}
	request workspace/applyEdit {"edit": {}}
	request window/showDocument {"uri": "http://example.org"}
	reply {"contents": "x"}
`, "", setup{})
	f.ask("get_hover", atAlpha)
	const logs = "2 log lines\ntext info: loaded\n    all\ntext error: broken \\x1b[2J"
	if got := stamps.ReplaceAllString(f.ask("get_server_logs", nil), ""); got != logs {
		t.Errorf("logs %q, want %q", got, logs)
	}
	if got := f.ask("get_server_logs", args{"min_level": "warning"}); !strings.HasPrefix(got, "1 log line\n") {
		t.Errorf("logs from warning on %q", got)
	}
	const messages = `4 messages
text warning: look here
text error: shall I?
text info: mcpls refused an edit that the server wanted to apply
text info: mcpls refused to open a document or page that the server wanted to show`
	if got := stamps.ReplaceAllString(f.ask("get_server_messages", nil), ""); got != messages {
		t.Errorf("messages %q", got)
	}
	if got := f.ask("restart_server", args{"servers": []string{"text"}}); got != "text: restarted" {
		t.Errorf("restart: %q", got)
	}
	f.ask("get_hover", atAlpha)
	if got := f.ask("get_server_messages", args{"limit": 5}); !strings.HasPrefix(got, "5 messages\n") || strings.Count(got, "refused to open") != 2 {
		t.Errorf("after the restart %q", got)
	}
}

// TestRestartArguments holds which arguments a restart takes.
func TestRestartArguments(t *testing.T) {
	f := startFake(t, capable, "", setup{})
	for _, a := range []args{{"servers": []string{"text"}, "all": true}, nil, {"servers": []string{"other"}}, {"servers": "text"}, {"servers": []string{}}} {
		f.fails("restart_server", a, -32602)
	}
	f.ask("get_hover", atAlpha)
	if got := f.ask("restart_server", args{"all": true}); got != "text: restarted" {
		t.Errorf("all: %q", got)
	}
}

// TestRestartInFlight holds that a question under way ends with an error that
// says to ask again, and that the next answer is the new server's.
func TestRestartInFlight(t *testing.T) {
	f := startFake(t, capable+"on textDocument/hover\n\tsilent\n", "", setup{})
	failed, asked := make(chan error, 1), f.asked("textDocument/hover")
	go func() {
		_, err := f.try("get_hover", atAlpha)
		failed <- err
	}()
	<-asked
	if got := f.ask("restart_server", args{"servers": []string{"text"}}); got != "text: restarted" {
		t.Errorf("restart: %q", got)
	}
	if err := <-failed; err == nil || !retryable(err) || !strings.Contains(err.Error(), "was restarted while it was asked") {
		t.Errorf("the question under way: %v", err)
	}
	if got := f.ask("restart_server", args{"servers": []string{"text"}}); !strings.HasPrefix(got, "text: not restarted: it was a moment ago; ask again in ") {
		t.Errorf("again at once: %q", got)
	}
}
