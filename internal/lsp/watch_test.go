package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
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

// TestWatchersAreBounded holds that a server that registers globs without end is
// told of every change in place of all of them being tried.
func TestWatchersAreBounded(t *testing.T) {
	s, end := play(t, capable, Options{Folders: []string{"/w"}})
	for i := range 3 {
		var globs []string
		for range 500 {
			globs = append(globs, `{"globPattern": "**/*.none"}`)
		}
		s.register([]protocol.Registration{{
			ID: string(rune('a' + i)), Method: watchMethod,
			RegisterOptions: json.RawMessage(`{"watchers": [` + strings.Join(globs, ",") + `]}`),
		}})
	}
	if got := s.watching(); len(got) != 1 || !got[0].wants([]string{"/w"}, "/w/sub/a.txt", 1) {
		t.Errorf("%d globs", len(got))
	}
	ctx, cancel := context.WithCancel(t.Context())
	one := func(yield func(FileChange) bool) { yield(FileChange{"/w/a.txt", 1}) }
	if err := s.FilesChanged(ctx, one); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := s.FilesChanged(ctx, one); err == nil {
		t.Error("a call that has ended goes on")
	}
	end()
}

// TestBrief holds that what a server says beside our words is one line.
func TestBrief(t *testing.T) {
	s := &Session{}
	if got := s.brief(" failed:\n\tno such\r\nfile  "); got != "failed: no such file" {
		t.Errorf("%q", got)
	}
}
