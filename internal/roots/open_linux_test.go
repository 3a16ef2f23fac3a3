package roots

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestHoldEntry holds both ways of taking hold of an entry to the same answers.
func TestHoldEntry(t *testing.T) {
	_, root := linked(t)
	fifo := filepath.Join(root, "sub", "fifo")
	must(t, unix.Mkfifo(fifo, 0o600))
	must(t, os.Mkdir(filepath.Join(root, "search"), 0o700))
	must(t, os.WriteFile(filepath.Join(root, "search", "file"), []byte("found"), 0o600))
	must(t, os.Chmod(filepath.Join(root, "search"), 0o100)) // it may be passed through and not listed
	dir, err := os.Open(root)
	must(t, err)
	defer dir.Close()
	for name, hold := range map[string]func(int, string) (int, error){"openat2": holdAtOnce, "walk": holdByWalk} {
		for rel, want := range map[string]error{
			"sub/file": nil, "search/file": nil,
			"sub": ErrNotRegular, ".": ErrNotRegular, "sub/fifo": ErrNotRegular,
			"inner": unix.ELOOP, "innerdir/file": unix.ELOOP, "out": unix.ELOOP, "outdir/file": unix.ELOOP,
			"none": unix.ENOENT, "sub/file/x": unix.ENOTDIR,
		} {
			entry, err := hold(int(dir.Fd()), rel)
			if err == nil {
				var f *os.File
				if f, err = openEntry(entry); err == nil {
					f.Close()
				}
				unix.Close(entry)
			}
			// A link in place of a directory is no directory, to the walk.
			if !errors.Is(err, want) && !(errors.Is(want, unix.ELOOP) && errors.Is(err, unix.ENOTDIR)) || (err == nil) != (want == nil) {
				t.Errorf("%s: %s: %v, want %v", name, rel, err, want)
			}
		}
		if _, err := hold(int(dir.Fd()), "../outside/file"); err == nil {
			t.Errorf("%s: .. leads out", name)
		}
	}
}

// TestOpenedOutside holds that a file that was moved out of the roots while it
// was opened is not read.
func TestOpenedOutside(t *testing.T) {
	dir, root := linked(t)
	set := newSet(t, root)
	for path, inside := range map[string]bool{"root/sub/file": true, "outside/file": false, "rootlike/file": false} {
		f, err := os.Open(filepath.Join(dir, path))
		must(t, err)
		defer f.Close()
		if err := set.opened(f); (err == nil) != inside {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestOpenDoesNotOpenFIFOs holds that a FIFO and a device are not even opened: a
// writer that waits for a reader would notice.
func TestOpenDoesNotOpenFIFOs(t *testing.T) {
	dir := tree(t, "file")
	fifo := filepath.Join(dir, "fifo")
	must(t, unix.Mkfifo(fifo, 0o600))
	set := newSet(t, dir)
	if _, err := set.Open(fifo); !errors.Is(err, ErrNotRegular) {
		t.Errorf("open: %v", err)
	}
	// Nobody has it open for reading: this would succeed else.
	if fd, err := unix.Open(fifo, unix.O_WRONLY|unix.O_NONBLOCK, 0); !errors.Is(err, unix.ENXIO) {
		unix.Close(fd)
		t.Errorf("open for writing: %v", err)
	}
}

// TestOpenWhileParentMovesOut moves a directory out of the root and back while
// the file in it is opened: what is read lay in the root when it was opened.
func TestOpenWhileParentMovesOut(t *testing.T) {
	dir := tree(t, "root/moves/file", "outside/file")
	root := filepath.Join(dir, "root")
	set := newSet(t, root)
	moves, away := filepath.Join(root, "moves"), filepath.Join(dir, "away")
	race(t, func() error {
		return errors.Join(os.Rename(moves, away), os.Symlink("../outside", moves), os.Remove(moves), os.Rename(away, moves))
	}, func() {
		if got, err := openAndRead(set, filepath.Join(moves, "file")); err == nil && got != "root/moves/file" {
			t.Errorf("read %q", got)
		}
	})
}

// TestOpenWhileFileBecomesDevice swaps the file for a link to a device.
func TestOpenWhileFileBecomesDevice(t *testing.T) {
	dir := tree(t, "regular")
	path, regular := filepath.Join(dir, "path"), filepath.Join(dir, "regular")
	set := newSet(t, dir)
	race(t, func() error {
		return errors.Join(os.Link(regular, path), os.Symlink("/dev/zero", path+"2"), os.Rename(path+"2", path), os.Remove(path))
	}, func() {
		if got, err := openAndRead(set, path); err == nil && got != "regular" {
			t.Errorf("read %d bytes", len(got))
		}
	})
}
