package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"mcpls/internal/catalog"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/lsptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// disk is the text of files by path.
type disk struct {
	mu    sync.Mutex
	files map[string]*protocol.Mapper
}

func (d *disk) write(path, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files == nil {
		d.files = map[string]*protocol.Mapper{}
	}
	d.files[path] = protocol.NewMapper(text)
}

func (d *disk) remove(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.files, path)
}

var errGone = errors.New("no such file")

func (d *disk) load(path string) (*protocol.Mapper, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if text := d.files[path]; text != nil {
		return text, nil
	}
	return nil, errGone
}

// duplex is one end of two pipes.
type duplex struct {
	io.ReadCloser
	w io.WriteCloser
}

func (d duplex) Write(p []byte) (int, error) { return d.w.Write(p) }
func (d duplex) Close() error                { return errors.Join(d.ReadCloser.Close(), d.w.Close()) }

// play opens a session with a fake server in this process. The end function
// closes it and gives what the server received.
func play(t *testing.T, script string, opts Options) (s *Session, end func() []received) {
	t.Helper()
	fromServer, toUs := io.Pipe()
	fromUs, toServer := io.Pipe()
	var record bytes.Buffer
	served := make(chan error, 1)
	go func() {
		served <- lsptest.Serve(script, fromUs, toUs, &record)
		toUs.Close()
		fromUs.Close()
	}()
	opts.Stream = duplex{fromServer, toServer}
	opts.Log = slog.New(slog.DiscardHandler)
	s, err := Open(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	end = sync.OnceValue(func() []received {
		if s.Err() == nil {
			if err := s.Shutdown(context.Background()); err != nil {
				t.Error(err)
			}
		}
		s.Exit(context.Background())
		if err := <-served; err != nil {
			t.Error(err)
		}
		return parse(t, record.String())
	})
	t.Cleanup(func() { end() })
	return s, end
}

// received is a document notification that the server got.
type received struct {
	Method string
	Params struct {
		TextDocument struct {
			URI     string
			Version int32
			Text    string
		}
		ContentChanges []struct{ Text string }
	}
}

func parse(t *testing.T, record string) []received {
	var list []received
	for line := range strings.Lines(record) {
		var m received
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(m.Method, "textDocument/did") {
			list = append(list, m)
		}
	}
	return list
}

const capable = "on initialize\n\treply {\"capabilities\": {\"hoverProvider\": true}}\n"

// legal holds a sequence of document notifications to the protocol (LSP 3.17,
// Text Document Synchronization) and gives the text that each open document
// has at its end.
func legal(t *testing.T, list []received) map[string]string {
	t.Helper()
	open, version := map[string]string{}, map[string]int32{}
	for i, m := range list {
		doc := m.Params.TextDocument
		_, isOpen := open[doc.URI]
		switch m.Method {
		case "textDocument/didOpen":
			if isOpen {
				t.Errorf("message %d opens %s twice", i, doc.URI)
			}
			open[doc.URI], version[doc.URI] = doc.Text, doc.Version
		case "textDocument/didChange":
			if !isOpen || doc.Version <= version[doc.URI] {
				t.Errorf("message %d changes %s to version %d after %d (open: %v)", i, doc.URI, doc.Version, version[doc.URI], isOpen)
			}
			open[doc.URI], version[doc.URI] = m.Params.ContentChanges[0].Text, doc.Version
		case "textDocument/didClose":
			if !isOpen {
				t.Errorf("message %d closes %s, which is not open", i, doc.URI)
			}
			delete(open, doc.URI)
		}
	}
	return open
}

func TestHoldFollowsTheDisk(t *testing.T) {
	var files disk
	files.write("/a", "one")
	s, end := play(t, capable, Options{Source: files.load})
	for _, text := range []string{"one", "one", "two", "two", "three"} {
		files.write("/a", text)
		held, err := s.Hold(t.Context(), "/a", "text")
		if err != nil || held.Text.Text != text {
			t.Fatalf("held %v, %v, want %q", held.Text, err, text)
		}
		held.Release()
	}
	got := end()
	if len(got) != 3 {
		t.Errorf("%d notifications, want one open and two changes", len(got))
	}
	if last := legal(t, got)["file:///a"]; last != "three" {
		t.Errorf("the server has %q", last)
	}
}

// TestHoldUnderLoad holds many documents at once with few allowed to be open,
// while the disk changes: every sequence of messages is legal, and each holder
// had the text of its moment.
func TestHoldUnderLoad(t *testing.T) {
	var files disk
	const paths, holders, rounds = 7, 8, 60
	for i := range paths {
		files.write(fmt.Sprintf("/%d", i), "0")
	}
	s, end := play(t, capable, Options{Source: files.load, MaxDocuments: 3})
	var all sync.WaitGroup
	for h := range holders {
		all.Go(func() {
			for round := range rounds {
				path := fmt.Sprintf("/%d", (h*5+round)%paths)
				files.write(path, fmt.Sprintf("%d by %d", round, h))
				held, err := s.Hold(t.Context(), path, "text")
				if err != nil {
					t.Error(err)
					return
				}
				if round%10 == 0 {
					if err := s.SyncAll(t.Context()); err != nil {
						t.Error(err)
					}
				}
				held.Release()
			}
		})
	}
	all.Wait()
	if err := s.SyncAll(t.Context()); err != nil {
		t.Error(err)
	}
	for uri, text := range legal(t, end()) {
		if want, _ := files.load(strings.TrimPrefix(uri, "file://")); want.Text != text {
			t.Errorf("the server has %q of %s, the disk %q", text, uri, want.Text)
		}
	}
}

func TestMaxDocuments(t *testing.T) {
	var files disk
	s, end := play(t, capable, Options{Source: files.load, MaxDocuments: 2})
	hold := func(path string) Held {
		files.write(path, path)
		held, err := s.Hold(t.Context(), path, "text")
		if err != nil {
			t.Fatal(err)
		}
		return held
	}
	kept := hold("/kept") // the oldest, but in use
	for _, path := range []string{"/a", "/b", "/c"} {
		hold(path).Release()
	}
	s.workers.Wait() // the closing of what is too much
	open := legal(t, end())
	kept.Release()
	if _, ok := open["file:///kept"]; !ok || len(open) != 2 {
		t.Errorf("open at the end: %v", open)
	}
	if _, ok := open["file:///a"]; ok {
		t.Errorf("the least recently used document is open: %v", open)
	}
}

// TestUnreadable holds that a file that cannot be read leaves no trace, and
// that one that vanishes is closed before a question about the workspace.
func TestUnreadable(t *testing.T) {
	var files disk
	files.write("/a", "a")
	s, end := play(t, capable, Options{Source: files.load})
	if _, err := s.Hold(t.Context(), "/missing", "text"); !errors.Is(err, errGone) {
		t.Errorf("error %v", err)
	}
	if n := len(s.openDocuments()); n != 0 {
		t.Errorf("%d documents after a failed hold", n)
	}
	held, err := s.Hold(t.Context(), "/a", "text")
	if err != nil {
		t.Fatal(err)
	}
	held.Release()
	files.remove("/a")
	if err := s.SyncAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if open := legal(t, end()); len(open) != 0 {
		t.Errorf("open at the end: %v", open)
	}
}

// TestHoldCancelled cancels a hold whose file takes long to read: the caller
// is free at once, others wait for the file only, and the document is opened
// once.
func TestHoldCancelled(t *testing.T) {
	var files disk
	files.write("/slow", "slow")
	files.write("/quick", "quick")
	reading, goOn := make(chan struct{}), make(chan struct{})
	var first sync.Once
	s, end := play(t, capable, Options{Source: func(path string) (*protocol.Mapper, error) {
		if path == "/slow" {
			first.Do(func() {
				close(reading)
				<-goOn
			})
		}
		return files.load(path)
	}})
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() {
		_, err := s.Hold(ctx, "/slow", "text")
		result <- err
	}()
	<-reading
	quick, err := s.Hold(t.Context(), "/quick", "text")
	if err != nil {
		t.Fatal(err)
	}
	quick.Release()
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	close(goOn)
	slow, err := s.Hold(t.Context(), "/slow", "text")
	if err != nil {
		t.Error(err)
	}
	slow.Release()
	if open := legal(t, end()); len(open) != 2 {
		t.Errorf("open at the end: %v", open)
	}
}

// TestMerge holds that no distinct diagnostic is lost.
func TestMerge(t *testing.T) {
	d := func(line uint32, code, message string) protocol.Diagnostic {
		return protocol.Diagnostic{
			Range: protocol.Range{Start: protocol.Position{Line: line}}, Code: json.RawMessage(code), Message: message,
		}
	}
	pulled := []protocol.Diagnostic{d(1, "1", "a"), d(2, "1", "a")}
	pushed := []protocol.Diagnostic{d(1, "1", "a"), d(1, "2", "a"), d(1, "1", "b"), d(3, "1", "a")}
	if got := merge(pulled, pushed); len(got) != 5 {
		t.Errorf("%d diagnostics, want 5: %v", len(got), got)
	}
}

// TestPublishedBound holds that the cache of published diagnostics is bounded
// and keeps what is known of open documents.
func TestPublishedBound(t *testing.T) {
	s := &Session{}
	s.expectDiagnostics("file:///open", 3)
	version := int32(3)
	s.publish(protocol.PublishDiagnosticsParams{URI: "file:///open", Version: &version})
	for i := range 3 * maxPublished {
		s.publish(protocol.PublishDiagnosticsParams{URI: protocol.DocumentURI(fmt.Sprintf("file:///%d", i)), Version: &version})
	}
	if n := len(s.diagnostics.byURI); n > maxPublished {
		t.Errorf("%d files are kept", n)
	}
	if report, _ := s.pushed("file:///open"); !report.Settled {
		t.Error("the open document was dropped")
	}
}

func TestConnectionEnds(t *testing.T) {
	s, end := play(t, capable+"on textDocument/hover\n\traw \"garbage\\n\\n\"\n", Options{})
	_, err := s.Hover(t.Context(), protocol.TextDocumentPositionParams{})
	if closed, ok := errors.AsType[*ClosedError](err); !ok || closed.Cause == nil {
		t.Errorf("error %v", err)
	}
	end()
}

func TestSection(t *testing.T) {
	settings := map[string]any{"a": map[string]any{"b": 1}, "c": 2}
	for name, want := range map[string]string{
		"": `{"a":{"b":1},"c":2}`, "a": `{"b":1}`, "a.b": "1", "c": "2", "a.x": "null", "c.d": "null", "x.y": "null",
	} {
		if got, _ := json.Marshal(section(settings, name)); string(got) != want {
			t.Errorf("section %q: %s, want %s", name, got, want)
		}
	}
}

// TestVersionsNeverRepeat closes a document and opens it again: what the server
// publishes late about its earlier life does not count for this one.
func TestVersionsNeverRepeat(t *testing.T) {
	var files disk
	s, end := play(t, capable, Options{Source: files.load, MaxDocuments: 1})
	hold := func(path, text string) Held {
		files.write(path, text)
		held, err := s.Hold(t.Context(), path, "text")
		if err != nil {
			t.Fatal(err)
		}
		held.Release()
		s.workers.Wait()
		return held
	}
	hold("/a", "one")
	second := hold("/a", "two")
	hold("/b", "") // closes /a
	hold("/a", "three")
	s.publish(protocol.PublishDiagnosticsParams{URI: second.URI, Version: &second.Version})
	if report, _ := s.pushed(second.URI); report.Settled {
		t.Error("a publish for the earlier life counts")
	}
	end()
}

// TestRegistrationsAreBounded registers more than any server would.
func TestRegistrationsAreBounded(t *testing.T) {
	s := &Session{}
	for i := range 3 * maxRegistrations {
		s.register([]protocol.Registration{
			{ID: fmt.Sprint(i), Method: "textDocument/hover"},
			{ID: fmt.Sprint("x", i), Method: "no/such/method"},
			{ID: strings.Repeat("y", maxRegistrationID+1), Method: "textDocument/hover"},
		})
	}
	if n := len(s.capabilities.dynamic); n > maxRegistrations {
		t.Errorf("%d registrations are kept", n)
	}
	if s.Supports("no/such/method") {
		t.Error("a method that mcpls does not send is kept")
	}
}

// TestProgressWithoutTitle holds that of a server which says by message that it
// has loaded no progress is a load, one without a title neither: pyright has one
// for the files that it still looks at.
func TestProgressWithoutTitle(t *testing.T) {
	s, end := play(t, capable+`
on initialized
	notify $/progress {"token": 1, "value": {"kind": "begin", "title": "", "message": "20 files to analyze"}}
	notify window/logMessage {"type": 3, "message": "Found 20 source files"}
on textDocument/hover
	reply null
`, Options{Known: catalog.Server{Loading: catalog.Loading{Log: regexp.MustCompile("^Found")}}})
	if _, err := s.Hover(t.Context(), protocol.TextDocumentPositionParams{}); err != nil {
		t.Fatal(err)
	}
	if p, is := s.Loading(); is {
		t.Errorf("it loads: %+v", p)
	}
	end()
}

// TestLateAnswer has a server answer after ten minutes, in virtual time: the
// session has no limit of its own.
func TestLateAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, end := play(t, capable+"on textDocument/hover\n\tdelay 10m\n\treply {\"contents\": \"late\"}\n", Options{})
		begin := time.Now()
		h, err := s.Hover(t.Context(), protocol.TextDocumentPositionParams{})
		if err != nil || h.Contents != "late" || time.Since(begin) != 10*time.Minute {
			t.Errorf("%v, %v after %s", h, err, time.Since(begin))
		}
		end()
	})
}
