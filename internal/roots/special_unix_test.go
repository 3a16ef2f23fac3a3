//go:build unix

package roots

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A FIFO that is opened for reading waits for a writer: here that would be for
// ever, until the time limit of the tests.
func TestOpenRefusesSpecialFiles(t *testing.T) {
	dir := tree(t)
	fifo, socket := filepath.Join(dir, "fifo"), filepath.Join(dir, "s")
	must(t, syscall.Mkfifo(fifo, 0o600))
	listener, err := net.Listen("unix", socket)
	must(t, err)
	defer listener.Close()
	link := filepath.Join(dir, "link")
	must(t, os.Symlink(fifo, link))

	set := newSet(t, dir, "/dev")
	for _, path := range []string{fifo, socket, link, "/dev/null", "/dev/zero"} {
		if got, err := openAndRead(set, path); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: got %q, %v", path, got, err)
		}
	}
}

// TestOpenWhileFileBecomesFIFO puts a FIFO in the place of a regular file and
// takes it away, while the path is opened: no open may wait for a writer.
func TestOpenWhileFileBecomesFIFO(t *testing.T) {
	dir := tree(t, "regular")
	path, fifo, regular := filepath.Join(dir, "path"), filepath.Join(dir, "fifo"), filepath.Join(dir, "regular")
	set := newSet(t, dir)

	race(t, func() error {
		return errors.Join(os.Link(regular, path), syscall.Mkfifo(fifo, 0o600), os.Rename(fifo, path), os.Remove(path))
	}, func() {
		if got, err := openAndRead(set, path); err == nil && got != "regular" {
			t.Errorf("read %q", got)
		}
	})
}

func TestOpenRegular(t *testing.T) {
	dir := tree(t, "file")
	fifo, file, link := filepath.Join(dir, "fifo"), filepath.Join(dir, "file"), filepath.Join(dir, "link")
	must(t, syscall.Mkfifo(fifo, 0o600))
	must(t, os.Symlink("file", link))
	for path, want := range map[string]error{
		file: nil, link: nil, fifo: ErrNotRegular, dir: ErrNotRegular, "/dev/zero": ErrNotRegular, dir + "/none": syscall.ENOENT,
	} {
		f, err := OpenRegular(path)
		if !errors.Is(err, want) || (err == nil) != (want == nil) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
		f.Close()
	}
}

// A FIFO in the place of a root must not be waited for either.
func TestRootBecomesFIFO(t *testing.T) {
	dir := tree(t, "root/file")
	root := filepath.Join(dir, "root")
	set := newSet(t, root)
	must(t, os.RemoveAll(root))
	must(t, syscall.Mkfifo(root, 0o600))
	if opened, err := set.openSame(root); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("opened %v, %v", opened, err)
	}
	if _, err := NewSet([]string{root}); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("NewSet: %v", err)
	}
}
