package lsp

import (
	"log/slog"
	"slices"
	"testing"
	"time"

	"mcpls/internal/lsp/protocol"
)

// TestOffers holds each way in which a server offers a request.
func TestOffers(t *testing.T) {
	s, _ := play(t, `
on initialize
	reply {"capabilities": {"renameProvider": true, "codeActionProvider": {"resolveProvider": true}, "hoverProvider": {}, "definitionProvider": false, "referencesProvider": null, "callHierarchyProvider": true}}
on initialized
	request client/registerCapability {"registrations": [{"id": "1", "method": "textDocument/prepareTypeHierarchy"}, {"id": "2", "method": "textDocument/rename", "registerOptions": {"prepareProvider": true}}, {"id": "3", "method": "textDocument/unknown"}]}
	notify experimental/serverStatus {"quiescent": false}
	notify experimental/serverStatus {"quiescent": true}
`, Options{})
	// The registration has been taken when the later notification has.
	waitEpoch(t, s, 2)
	want := []string{
		"callHierarchy/incomingCalls", "callHierarchy/outgoingCalls", "codeAction/resolve", "textDocument/codeAction",
		"textDocument/hover", "textDocument/prepareCallHierarchy", "textDocument/prepareRename", "textDocument/prepareTypeHierarchy",
		"textDocument/rename", "typeHierarchy/subtypes", "typeHierarchy/supertypes",
	}
	if got := s.Methods(); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	s.unregister(unregistration("2"))
	if s.Supports("textDocument/prepareRename") || !s.Supports("textDocument/rename") {
		t.Error("after prepareRename was taken back: ", s.Methods())
	}
}

// TestJournal holds that a server's words are kept up to a bound, the latest.
func TestJournal(t *testing.T) {
	s := &Session{opts: Options{Journal: &Journal{}, Log: discard}}
	for i := range maxLogs + 10 {
		s.logMessage(messageParams{Level(i % 6), time.Unix(int64(i), 0).UTC().Format(time.DateTime)})
	}
	logs := s.opts.Journal.Logs()
	if len(logs) != maxLogs || logs[0].Text != "1970-01-01 00:00:10" || len(s.opts.Journal.Messages()) != 0 {
		t.Errorf("%d logs from %q on", len(logs), logs[0].Text)
	}
	for level, name := range map[Level]string{1: "error", 2: "warning", 3: "info", 4: "debug", 5: "debug", 0: "debug", -1: "debug"} {
		if level.String() != name {
			t.Errorf("level %d is %q", level, level)
		}
	}
	s.showMessage(messageParams{LevelError, string(make([]byte, 3*maxEntryBytes))})
	if m := s.opts.Journal.Messages(); len(m) != 1 || len(m[0].Text) > maxEntryBytes+10 {
		t.Errorf("a long message: %d bytes", len(m[0].Text))
	}
}

func TestEvicted(t *testing.T) {
	s := &Session{opts: Options{Log: discard}}
	uri := func(i int) string { return "file:///f" + time.Unix(int64(i), 0).UTC().Format("150405") }
	for i := range maxPublished + 1 {
		s.publish(publishOf(uri(i)))
	}
	if _, known, evicted := s.Published(doc(uri(0))); known || !evicted {
		t.Errorf("the first: known %v, evicted %v", known, evicted)
	}
	if _, known, evicted := s.Published(doc(uri(1))); !known || evicted {
		t.Errorf("the second: known %v, evicted %v", known, evicted)
	}
	s.publish(publishOf(uri(0)))
	if _, known, evicted := s.Published(doc(uri(0))); !known || evicted {
		t.Errorf("the first, published again: known %v, evicted %v", known, evicted)
	}
	if _, known, evicted := s.Published(doc("file:///never")); known || evicted {
		t.Errorf("one that never was: known %v, evicted %v", known, evicted)
	}
}

// waitEpoch waits until the loading of the workspace has changed n times.
func waitEpoch(t *testing.T, s *Session, n int) {
	t.Helper()
	for {
		s.mu.Lock()
		epoch, changed := s.loading.epoch, s.loading.changed
		s.mu.Unlock()
		if epoch >= n {
			return
		}
		select {
		case <-changed:
		case <-s.Done():
			t.Fatal(s.Err())
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		}
	}
}

var discard = slog.New(slog.DiscardHandler)

func unregistration(id string) []protocol.Registration { return []protocol.Registration{{ID: id}} }

func doc(uri string) protocol.DocumentURI { return protocol.DocumentURI(uri) }

func publishOf(uri string) protocol.PublishDiagnosticsParams {
	return protocol.PublishDiagnosticsParams{URI: doc(uri)}
}
