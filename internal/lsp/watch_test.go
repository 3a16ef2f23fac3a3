package lsp

import (
	"encoding/json"
	"fmt"
	"testing"

	"mcpls/internal/lsp/protocol"
)

func TestWatchers(t *testing.T) {
	for _, c := range []struct {
		glob string // of the registration
		kind int    // 0: left out
		path string
		is   int // kind of change
		want bool
	}{
		{`"**/*.go"`, 0, "/w/a/b.go", 1, true},
		{`"**/*.go"`, 0, "/w/b.go", 2, true},
		{`"**/*.go"`, 0, "/w/b.txt", 2, false},
		{`"**/*.{go,mod}"`, 7, "/w/go.mod", 3, true},
		{`"*.go"`, 0, "/w/a/b.go", 2, false},
		{`"**/*.go"`, 1, "/w/b.go", 1, true},
		{`"**/*.go"`, 1, "/w/b.go", 2, false},
		{`"**/*.go"`, 4, "/w/b.go", 3, true},
		{`"**/*.go"`, 0, "/elsewhere/b.go", 2, false},
		{`"/w/**/*.go"`, 0, "/w/a/b.go", 2, true},
		{`{"baseUri": "file:///w/a", "pattern": "*.go"}`, 0, "/w/a/b.go", 2, true},
		{`{"baseUri": "file:///w/a", "pattern": "*.go"}`, 0, "/w/b.go", 2, false},
		{`{"baseUri": {"uri": "file:///w/a", "name": "a"}, "pattern": "**"}`, 0, "/w/a/x/y", 2, true},
		{`{"baseUri": 1, "pattern": "**"}`, 0, "/w/a", 2, false},
		{`"[broken"`, 0, "/w/[broken", 2, false},
		{`12`, 0, "/w/a", 2, false},
	} {
		raw := fmt.Sprintf(`{"watchers": [{"globPattern": %s, "kind": %d}]}`, c.glob, c.kind)
		got := false
		for _, w := range watchers(json.RawMessage(raw)) {
			got = got || w.wants([]string{"/v", "/w"}, c.path, c.is)
		}
		if got != c.want {
			t.Errorf("%s, kind %d: a change %d of %s is wanted: %v", c.glob, c.kind, c.is, c.path, got)
		}
	}
}

// TestWatchersComeAndGo registers, sends, and takes back.
func TestWatchersComeAndGo(t *testing.T) {
	s := &Session{}
	if s.Watches() {
		t.Error("watches before it registered")
	}
	registration := protocol.Registration{
		ID: "1", Method: watchMethod, RegisterOptions: json.RawMessage(`{"watchers": [{"globPattern": "**"}]}`),
	}
	s.register([]protocol.Registration{registration})
	if !s.Watches() {
		t.Error("does not watch")
	}
	s.unregister([]protocol.Registration{registration})
	if s.Watches() {
		t.Error("watches after it took the registration back")
	}
}
