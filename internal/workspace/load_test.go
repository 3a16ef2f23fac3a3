package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpls/internal/lsp/protocol"
)

// past is a time of modification that Load trusts.
var past = time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600))
	must(t, os.Chtimes(path, past, past))
}

func load(t *testing.T, w *Workspace, path string) *protocol.Mapper {
	t.Helper()
	text, err := w.Load(path)
	must(t, err)
	return text
}

// The change time cannot be set back, so the content decides here; that a
// settled file is not read at all is shown in load_unix_test.go.
func TestLoadGivesTheSameMapper(t *testing.T) {
	dir := tree(t)
	path := filepath.Join(dir, "a")
	w := newWorkspace(t, Options{}, dir)
	write(t, path, "text")
	first := load(t, w, path)
	if first.Text != "text" {
		t.Fatalf("got %q", first.Text)
	}
	if load(t, w, path) != first {
		t.Error("unchanged: another mapper")
	}
	write(t, path, "text")
	if load(t, w, path) != first {
		t.Error("written anew with the same text: another mapper")
	}
}

func TestLoadSeesEveryChange(t *testing.T) {
	tests := []struct {
		name, want string
		change     func(t *testing.T, path string)
	}{
		{"same size, time put back", "TEXT", func(t *testing.T, path string) { write(t, path, "TEXT") }},
		{"longer", "text and more", func(t *testing.T, path string) { write(t, path, "text and more") }},
		{"truncated", "te", func(t *testing.T, path string) { must(t, os.Truncate(path, 2)) }},
		{"emptied", "", func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) }},
		{"another file renamed over it", "NEWS", func(t *testing.T, path string) {
			write(t, path+".new", "NEWS")
			must(t, os.Rename(path+".new", path))
		}},
		{"removed and made again", "AGAIN", func(t *testing.T, path string) {
			must(t, os.Remove(path))
			write(t, path, "AGAIN")
		}},
		{"replaced by a link", "linked", func(t *testing.T, path string) {
			write(t, path+".target", "linked")
			must(t, os.Remove(path))
			must(t, os.Symlink(path+".target", path))
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := tree(t)
			path := filepath.Join(dir, "a")
			w := newWorkspace(t, Options{}, dir)
			write(t, path, "text")
			load(t, w, path)
			test.change(t, path)
			if got := load(t, w, path).Text; got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// While a time is young the file is read again, though nothing that stat says
// has changed.
func TestLoadDoesNotTrustYoungTimes(t *testing.T) {
	dir := tree(t, "a")
	path := filepath.Join(dir, "a")
	w := newWorkspace(t, Options{}, dir)
	load(t, w, path)
	stale := *w.cache.get(path)
	stale.text = protocol.NewMapper("stale")
	w.cache.put(path, &stale)
	if stale.settled {
		t.Fatal("a file that was just written counts as settled")
	}
	if got := load(t, w, path).Text; got != "a" {
		t.Errorf("got %q", got)
	}
}

func TestSettledBy(t *testing.T) {
	now := past.Add(time.Hour)
	tests := []struct {
		name         string
		mtime, ctime time.Duration // before now
		want         bool
	}{
		{"old", time.Minute, time.Minute, true},
		{"just old enough", settle + 1, settle + 1, true},
		{"at the limit", settle, settle, false},
		{"young content", 1, time.Minute, false},
		{"young change, time put back", time.Minute, 1, false},
		{"from the future", -time.Minute, -time.Minute, false},
	}
	for _, test := range tests {
		if got := (stamp{mtime: now.Add(-test.mtime).UnixNano(), ctime: now.Add(-test.ctime).UnixNano()}).settledBy(now); got != test.want {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	const limit = 8
	tests := []struct{ name, text, want string }{
		{"at the limit", "12345678", ""},
		{"too large", "123456789", "larger than workspace.max_file_size (8 bytes)"},
		{"binary", "\x7fELF\x02\xfe", "not UTF-8 text"},
		{"UTF-16", "\xff\xfea\x00", "not UTF-8 text"},
		{"cut character", "a\xe6\xbc", "not UTF-8 text"},
		{"NUL is text", "a\x00b", ""},
		{"empty", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := tree(t)
			path := filepath.Join(dir, "a")
			write(t, path, test.text)
			text, err := newWorkspace(t, Options{MaxFileSize: limit}, dir).Load(path)
			if test.want == "" {
				if err != nil || text.Text != test.text {
					t.Errorf("got %v, %v", text, err)
				}
				return
			}
			checkPathError(t, err, path, test.want)
		})
	}
}

func checkPathError(t *testing.T, err error, path, want string) {
	t.Helper()
	pathErr, ok := errors.AsType[*PathError](err)
	if !ok || pathErr.Path != path || !strings.HasPrefix(err.Error(), `file_path "`) || !strings.Contains(err.Error(), `": `+want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestLoadWithoutLimit(t *testing.T) {
	dir := tree(t)
	path := filepath.Join(dir, "a")
	write(t, path, strings.Repeat("a", 1<<20))
	if got := len(load(t, newWorkspace(t, Options{}, dir), path).Text); got != 1<<20 {
		t.Errorf("got %d bytes", got)
	}
}

func TestLoadRefusesPaths(t *testing.T) {
	w, dir := twoRoots(t)
	for path, want := range map[string]string{
		"one/sub":        "not a regular file",
		"one":            "not a regular file",
		"one/none.go":    "no such file; give an absolute path",
		"one/out/x.go":   "outside the workspace roots; the roots are ",
		"outside/x.go":   "outside the workspace roots; the roots are ",
		"one/../two/x.c": "no such file; ",
	} {
		path = dir + "/" + path
		text, err := w.Load(path)
		if text != nil {
			t.Errorf("%s: got %q", path, text.Text)
		}
		checkPathError(t, err, path, want)
	}
}

// A text that became unreadable is forgotten: it must not come back.
func TestLoadForgetsAfterAnError(t *testing.T) {
	dir := tree(t, "a")
	path := filepath.Join(dir, "a")
	w := newWorkspace(t, Options{MaxFileSize: 100}, dir)
	first := load(t, w, path)
	must(t, os.Remove(path))
	if text, err := w.Load(path); err == nil {
		t.Errorf("deleted: got %q", text.Text)
	}
	if w.cache.get(path) != nil {
		t.Error("the deleted file is still in the cache")
	}
	write(t, path, "a")
	if load(t, w, path) == first {
		t.Error("the mapper of the deleted file came back")
	}
}

// TestLoadInParallel replaces files as a whole while they are read: each text
// must be one that was written. The race detector sees the rest.
func TestLoadInParallel(t *testing.T) {
	dir := tree(t, "0", "1", "2")
	w := newWorkspace(t, Options{}, dir)
	var wg sync.WaitGroup
	for _, name := range []string{"0", "1", "2"} {
		path := filepath.Join(dir, name)
		old := strings.Repeat(name, 10_000)
		write(t, path, old)
		wg.Go(func() {
			for i := range 50 {
				write(t, path+".new", strings.Repeat(name, 10_000+i%2))
				if err := os.Rename(path+".new", path); err != nil {
					t.Error(err)
				}
			}
		})
		for range 3 {
			wg.Go(func() {
				for range 50 {
					text, err := w.Load(path)
					if err != nil {
						t.Error(err)
					} else if strings.Trim(text.Text, name) != "" || len(text.Text) < len(old) {
						t.Errorf("%s: got %d bytes of another text", name, len(text.Text))
					}
				}
			})
		}
	}
	wg.Wait()
}
