package lsp

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"mcpls/internal/catalog"
	"mcpls/internal/lsp/protocol"
)

// TestLoading walks through what a server says of its loads.
func TestLoading(t *testing.T) {
	titled := catalog.Server{Loading: catalog.Loading{Title: "Load", PerFolder: true}, TroubleTitle: "Trouble"}
	begin := func(token, title string) [2]string {
		return [2]string{token, `{"kind": "begin", "title": "` + title + `"}`}
	}
	end := func(token string) [2]string { return [2]string{token, `{"kind": "end"}`} }
	for _, c := range []struct {
		name    string
		opts    Options
		says    [][2]string
		loading bool
		trouble string
	}{
		{"unknown, silent", Options{}, nil, false, ""},
		{"unknown, any progress", Options{}, [][2]string{begin("1", "x")}, true, ""},
		{"unknown, ended", Options{}, [][2]string{begin("1", "x"), end("1")}, false, ""},
		{"unknown, one of two ended", Options{}, [][2]string{begin("1", "x"), begin("2", "y"), end("1")}, true, ""},
		{"unknown, signalled before", Options{ExpectLoad: true}, nil, true, ""},
		{"known, not begun", Options{Known: titled, Folders: []string{"/w"}}, nil, true, ""},
		{"known, other progress", Options{Known: titled, Folders: []string{"/w"}}, [][2]string{begin("1", "x"), end("1")}, true, ""},
		{"known, ended", Options{Known: titled, Folders: []string{"/w"}}, [][2]string{begin("1", "Load"), end("1")}, false, ""},
		{"known, one of two folders", Options{Known: titled, Folders: []string{"/w", "/v"}}, [][2]string{begin("1", "Load"), end("1")}, true, ""},
		{"known, an end of nothing", Options{Known: titled, Folders: []string{"/w"}}, [][2]string{end("1")}, true, ""},
		{"known, ignored", Options{Known: titled, Folders: []string{"/w"}, IgnoreLoading: true}, nil, false, ""},
		{"trouble", Options{Known: titled, Folders: []string{"/w"}}, [][2]string{begin("1", "Load"), end("1"), begin("2", "Trouble")}, false, "Trouble: "},
		{"trouble over", Options{Known: titled, Folders: []string{"/w"}}, [][2]string{begin("1", "Load"), end("1"), begin("2", "Trouble"), end("2")}, false, ""},
	} {
		s := &Session{opts: c.opts, loading: newLoading(c.opts)}
		for _, said := range c.says {
			s.progress(protocol.ProgressParams{Token: json.RawMessage(said[0]), Value: json.RawMessage(said[1])})
		}
		if _, got := s.Loading(); got != c.loading || s.Trouble() != c.trouble {
			t.Errorf("%s: loading %v, trouble %q", c.name, got, s.Trouble())
		}
	}
}

// TestLoadingLapses holds that a load that never comes is waited for two
// minutes and not for ever. The time is virtual.
func TestLoadingLapses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := Options{Known: catalog.Server{Loading: catalog.Loading{Title: "Load", PerFolder: true}}, Folders: []string{"/w"}}
		s := &Session{opts: opts, loading: newLoading(opts)}
		time.Sleep(lapse - time.Second)
		if _, is := s.Loading(); !is {
			t.Error("lapsed early")
		}
		time.Sleep(time.Second)
		if _, is := s.Loading(); is {
			t.Error("still waited for")
		}
	})
}

// TestLoadedSince holds that an answer is complete only if no load was there at
// any time since the question.
func TestLoadedSince(t *testing.T) {
	s := &Session{loading: newLoading(Options{})}
	say := func(kind string) {
		s.progress(protocol.ProgressParams{Token: json.RawMessage("1"), Value: json.RawMessage(`{"kind": "` + kind + `"}`)})
	}
	quiet := s.Mark()
	if !s.LoadedSince(quiet) {
		t.Error("nothing loaded")
	}
	say("begin")
	during := s.Mark()
	if s.LoadedSince(quiet) || s.LoadedSince(during) {
		t.Error("a load goes on")
	}
	say("end")
	if s.LoadedSince(quiet) || s.LoadedSince(during) {
		t.Error("a load went on in between")
	}
	if !s.LoadedSince(s.Mark()) {
		t.Error("the load is over")
	}
}
