package lsp

import (
	"encoding/json"
	"regexp"
	"testing"

	"mcpls/internal/catalog"
	"mcpls/internal/lsp/protocol"
)

func quiet(known catalog.Server, folders ...string) *Session {
	opts := Options{Known: known, Folders: folders, Journal: &Journal{}, Log: discard}
	return &Session{opts: opts, loading: newLoading(opts), checks: newChecks(opts)}
}

func loadingNow(s *Session) bool {
	_, is := s.Loading()
	return is
}

// TestLoadByLog follows a server that says in its log that it has loaded: its
// progress is none of loading.
func TestLoadByLog(t *testing.T) {
	known := catalog.Server{
		Loading:    catalog.Loading{Log: regexp.MustCompile(`^Found \d+`), PerFolder: true},
		TroubleLog: regexp.MustCompile(`stopped.*`), BlindLog: regexp.MustCompile(`no linter.*`),
	}
	s := quiet(known, "/a", "/b")
	s.heard(messageParams{Message: "Found 3 files"})
	if !loadingNow(s) {
		t.Error("one of two folders: loaded")
	}
	s.heard(messageParams{Message: "Found none"})
	if !loadingNow(s) {
		t.Error("another message: loaded")
	}
	s.heard(messageParams{Message: "Found 4 files"})
	s.progress(protocol.ProgressParams{Token: json.RawMessage("1"), Value: json.RawMessage(`{"kind":"begin","title":""}`)})
	if loadingNow(s) {
		t.Error("both folders: loading")
	}
	mark := s.Mark()
	s.heard(messageParams{Message: "Found 5 files"})
	if !s.LoadedSince(mark) {
		t.Error("a later listing counts as a load")
	}
	s.heard(messageParams{Message: "WARN stopped at 500"})
	s.heard(messageParams{Message: "WARN no linter here"})
	if s.Trouble() != "stopped at 500" || s.Blind() != "no linter here" {
		t.Errorf("trouble %q, blind %q", s.Trouble(), s.Blind())
	}
}

// TestLoadAfterOpen follows a server whose load begins with the first file.
func TestLoadAfterOpen(t *testing.T) {
	s := quiet(catalog.Server{Loading: catalog.Loading{Title: "index", AfterOpen: true}}, "/a")
	if loadingNow(s) {
		t.Error("nothing open: loading")
	}
	s.ExpectLoad()
	if !loadingNow(s) {
		t.Error("a file open: loaded")
	}
	for _, value := range []string{`{"kind":"begin","title":"index"}`, `{"kind":"end"}`} {
		s.progress(protocol.ProgressParams{Token: json.RawMessage("1"), Value: json.RawMessage(value)})
	}
	s.ExpectLoad()
	if loadingNow(s) {
		t.Error("the load has ended: loading")
	}
}

// TestChecks follows a compiler: its errors are known when a run has ended that
// began after the last change.
func TestChecks(t *testing.T) {
	c := newChecks(Options{Known: catalog.Server{CheckTitle: "check"}})
	begin, end := protocol.WorkDoneProgress{Kind: "begin", Title: "check"}, protocol.WorkDoneProgress{Kind: "end"}
	crate := protocol.WorkDoneProgress{Kind: "report", Message: "shop"}
	expect := func(what string, want bool) {
		t.Helper()
		if c.known() != want {
			t.Errorf("%s: known %v", what, !want)
		}
	}
	expect("never run", false)
	c.take("1", begin)
	expect("running", false)
	c.take("1", crate)
	c.take("1", end)
	expect("run", true)
	c.stale = true
	expect("a file has changed", false)
	c.stale, c.need = false, c.begun+1
	expect("asked to run again", false)
	c.take("2", begin)
	c.take("1", end) // of nothing that runs
	expect("running again", false)
	c.take("2", end)
	expect("called off without a word", false)
	c.take("3", begin)
	c.published()
	expect("running once more", false)
	c.take("3", end)
	expect("run, with errors", true)

	off := Options{
		Known:    catalog.Server{CheckTitle: "check", CheckSwitch: "checkOnSave", Sections: []string{"tool"}},
		Settings: map[string]any{"tool": map[string]any{"checkOnSave": false}},
	}
	if c := newChecks(off); !c.known() {
		t.Error("turned off, and waited for")
	}
}

// TestTsDiagnostic holds the conversion from tsserver's own protocol.
func TestTsDiagnostic(t *testing.T) {
	var d tsDiagnostic
	err := json.Unmarshal([]byte(`{"start": {"line": 3, "offset": 14}, "end": {"line": 3, "offset": 19}, "text": "no", "code": 2322, "category": "error",
		"relatedInformation": [{"message": "here", "span": {"file": "/w/a.ts", "start": {"line": 1, "offset": 1}, "end": {"line": 1, "offset": 2}}}, {"message": "nowhere"}]}`), &d)
	if err != nil {
		t.Fatal(err)
	}
	got := d.protocol()
	if got.Range.Start != (protocol.Position{Line: 2, Character: 13}) || got.Range.End != (protocol.Position{Line: 2, Character: 18}) ||
		got.Severity != protocol.SeverityError || got.CodeString() != "2322" || got.Message != "no" ||
		len(got.Related) != 1 || got.Related[0].Location.URI != "file:///w/a.ts" {
		t.Errorf("%+v", got)
	}
}
