package roots

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// openBeneath opens a regular file beneath a root without following any link:
// the path was canonical, so that a link on it has come since. The entry is
// first taken hold of without being opened (O_PATH), which waits for nothing
// and has no effect on a FIFO or device, then looked at, and then opened
// through its handle: it is the same entry, whatever lies at the path by then.
func openBeneath(root *os.Root, rel string) (*os.File, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entry, err := holdEntry(int(dir.Fd()), rel)
	if err != nil {
		return nil, err
	}
	defer unix.Close(entry)
	return openEntry(entry)
}

// holdEntry gives an O_PATH descriptor of what lies at a path beneath a
// directory, with openat2 where the kernel has it (5.6) and lets us.
func holdEntry(dir int, rel string) (int, error) {
	entry, err := holdAtOnce(dir, rel)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		return holdByWalk(dir, rel)
	}
	return entry, err
}

// maxAgain bounds how often openat2 is asked again: it gives up when a rename
// is under way somewhere.
const maxAgain = 100

func holdAtOnce(dir int, rel string) (int, error) {
	how := &unix.OpenHow{
		Flags:   unix.O_PATH | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	}
	for again := 0; ; again++ {
		entry, err := unix.Openat2(dir, rel, how)
		if !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EINTR) || again == maxAgain {
			return entry, err
		}
	}
}

// holdByWalk goes down one name after the other.
func holdByWalk(dir int, rel string) (int, error) {
	names := strings.Split(filepath.ToSlash(rel), "/")
	at := dir
	for i, name := range names {
		if name == ".." {
			return -1, ErrOutside
		}
		flags := unix.O_PATH | unix.O_CLOEXEC | unix.O_NOFOLLOW
		if i < len(names)-1 {
			flags |= unix.O_DIRECTORY
		}
		next, err := unix.Openat(at, name, flags, 0)
		if at != dir {
			unix.Close(at)
		}
		if err != nil {
			return -1, err
		}
		at = next
	}
	if at == dir { // no name at all
		return unix.Dup(dir)
	}
	return at, nil
}

func openEntry(entry int) (*os.File, error) {
	var stat unix.Stat_t
	if err := unix.Fstat(entry, &stat); err != nil {
		return nil, err
	}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFLNK: // O_PATH takes hold of the link itself
		return nil, unix.ELOOP
	default:
		return nil, ErrNotRegular
	}
	fd, err := unix.Open(handlePath(entry), unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, withoutProc(err)
	}
	return os.NewFile(uintptr(fd), handlePath(fd)), nil
}

func handlePath(fd int) string { return fmt.Sprintf("/proc/self/fd/%d", fd) }

// opened holds an open file to the roots: where it lies now, links resolved, and
// not where it was found. A directory that was moved out of its root while the
// file in it was opened is caught here.
func (s *Set) opened(f *os.File) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var path string
	controlErr := raw.Control(func(fd uintptr) { path, err = os.Readlink(handlePath(int(fd))) })
	if err = errors.Join(controlErr, err); err != nil {
		return withoutProc(reason(err))
	}
	if _, inside := s.Of(path); !inside {
		return ErrOutside
	}
	return nil
}

// withoutProc says why nothing can be read where /proc is not mounted: it must
// not look like a missing file.
func withoutProc(err error) error {
	if _, statErr := os.Stat("/proc/self/fd"); statErr != nil {
		return errors.New("/proc is not mounted, and without it a file cannot be shown to lie in the workspace")
	}
	return err
}
