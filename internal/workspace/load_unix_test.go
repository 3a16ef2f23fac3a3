//go:build unix

package workspace

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"mcpls/internal/lsp/protocol"
)

// Opening a FIFO for reading waits for a writer: here that would be for ever,
// until the time limit of the tests.
func TestLoadRefusesSpecialFiles(t *testing.T) {
	dir := tree(t)
	fifo, socket := filepath.Join(dir, "fifo"), filepath.Join(dir, "s")
	must(t, syscall.Mkfifo(fifo, 0o600))
	listener, err := net.Listen("unix", socket)
	must(t, err)
	defer listener.Close()
	w := newWorkspace(t, Options{}, dir)
	for _, path := range []string{fifo, socket} {
		_, err := w.Load(path)
		checkPathError(t, err, path, "not a regular file")
	}
}

// settledEntry loads the file and puts in its place what a later Load would
// have kept of it: the same stamp, settled, and another text, by which it is
// seen whether the file was read.
func settledEntry(t *testing.T, w *Workspace, path string) *protocol.Mapper {
	t.Helper()
	load(t, w, path)
	kept := *w.cache.get(path)
	kept.settled, kept.text = true, protocol.NewMapper("kept")
	w.cache.put(path, &kept)
	return kept.text
}

func TestLoadDoesNotReadASettledFile(t *testing.T) {
	dir := tree(t)
	path := filepath.Join(dir, "a")
	w := newWorkspace(t, Options{}, dir)
	write(t, path, "text")
	kept := settledEntry(t, w, path)
	for range 2 {
		if load(t, w, path) != kept {
			t.Fatal("the file was read")
		}
	}
}

// Each part of the stamp tells of a change alone.
func TestLoadComparesTheWholeStamp(t *testing.T) {
	for name, change := range map[string]func(s *stamp){
		"size":  func(s *stamp) { s.size++ },
		"mtime": func(s *stamp) { s.mtime++ },
		"ctime": func(s *stamp) { s.ctime++ },
		"inode": func(s *stamp) { s.inode++ },
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, "a")
			path := filepath.Join(dir, "a")
			w := newWorkspace(t, Options{}, dir)
			settledEntry(t, w, path)
			change(&w.cache.get(path).stamp)
			if got := load(t, w, path).Text; got != "a" {
				t.Errorf("got %q", got)
			}
		})
	}
}

// The content of a settled file changes, its size and time of modification are
// put back: its change time tells. The clock of the file system ticks in
// milliseconds, so it is written until the clock has moved on: a second write
// in one tick is what settle is for.
func TestLoadSeesAChangeWithItsTimePutBack(t *testing.T) {
	dir := tree(t)
	path := filepath.Join(dir, "a")
	w := newWorkspace(t, Options{}, dir)
	write(t, path, "text")
	settledEntry(t, w, path)
	before := stampOfFile(t, path)
	for range 100_000 {
		write(t, path, "TEXT")
		if stampOfFile(t, path).ctime != before.ctime {
			break
		}
	}
	if got := load(t, w, path).Text; got != "TEXT" {
		t.Errorf("got %q", got)
	}
}

func stampOfFile(t *testing.T, path string) stamp {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	return stampOf(info)
}

func TestStampHasEveryPart(t *testing.T) {
	dir := tree(t, "b")
	path := filepath.Join(dir, "a")
	write(t, path, "text")
	s := stampOfFile(t, path)
	if s.size != 4 || s.mtime != past.UnixNano() || s.inode == 0 || s.ctime <= past.UnixNano() {
		t.Errorf("got %+v", s)
	}
	if other := stampOfFile(t, filepath.Join(dir, "b")); other.inode == s.inode {
		t.Error("two files have one inode")
	}
}
