// Package roots is the boundary of the workspace: canonical root directories,
// the one containment predicate, and the opening of files beneath a root.
package roots

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Set is the canonical root directories of a workspace. It is immutable.
type Set struct {
	dirs []string
	// infos say which directories were meant. A path alone does not: whoever
	// can rename a root can put a link in its place that leads anywhere.
	infos map[string]os.FileInfo
}

// NewSet canonicalises each directory. One that is missing, cannot be read or
// is not a directory is an error; one that is named twice counts once.
func NewSet(dirs []string) (*Set, error) {
	s := &Set{infos: map[string]os.FileInfo{}}
	for _, dir := range dirs {
		canonical, info, err := identify(dir)
		if err != nil {
			return nil, fmt.Errorf("workspace root %q: %w", dir, reason(err))
		}
		if !slices.Contains(s.dirs, canonical) {
			s.dirs = append(s.dirs, canonical)
			s.infos[canonical] = info
		}
	}
	return s, nil
}

// identify gives the canonical path of a directory, and which one it is.
func identify(dir string) (string, os.FileInfo, error) {
	canonical, err := Canonical(dir)
	if err != nil {
		return "", nil, err
	}
	root, err := openRoot(canonical)
	if err != nil {
		return "", nil, err
	}
	defer root.Close()
	// Of the opened directory, and not os.Stat of its path: on Windows that
	// finds out only when it is compared.
	info, err := root.Stat(".")
	return canonical, info, err
}

// openRoot opens a directory. The dot keeps the opening of a FIFO that lies
// there from waiting for a writer.
func openRoot(dir string) (*os.Root, error) {
	return os.OpenRoot(dir + string(filepath.Separator) + ".")
}

// Dirs gives the roots in the order in which they were named.
func (s *Set) Dirs() []string { return slices.Clone(s.dirs) }

// Of gives the innermost root that holds a canonical path.
func (s *Set) Of(canonical string) (root string, ok bool) {
	for _, dir := range s.dirs {
		if Inside(dir, canonical) && len(dir) > len(root) {
			root, ok = dir, true
		}
	}
	return root, ok
}

// Inside is the containment predicate: whether path is dir or lies beneath it.
// Both are canonical; they are compared by whole components and exact case.
func Inside(dir, path string) bool {
	if dir == path {
		return true
	}
	if !strings.HasSuffix(dir, string(filepath.Separator)) {
		dir += string(filepath.Separator)
	}
	return strings.HasPrefix(path, dir)
}

// Canonical gives the absolute path with every link resolved. The file must
// exist.
func Canonical(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// IsCheckout reports whether a canonical directory may be somebody's project:
// any but / and the login home.
func IsCheckout(dir string) bool {
	if dir == filepath.Dir(dir) {
		return false
	}
	home, ok := LoginHome()
	if !ok {
		return true
	}
	canonical, err := Canonical(home)
	return err != nil || canonical != dir
}

// ErrOutside is a path that lies in no root.
var ErrOutside = errors.New("outside the workspace roots")

// ErrReplaced is a root that is no longer the directory that it was.
var ErrReplaced = errors.New("its workspace root was replaced by another directory: restart mcpls to use that one")

// ErrNotRegular is a path that is no regular file.
var ErrNotRegular = errors.New("not a regular file")

// Resolve gives the canonical path of a file and the root that holds it. A
// path whose links lead out of every root is ErrOutside.
func (s *Set) Resolve(path string) (canonical, root string, err error) {
	canonical, err = Canonical(path)
	if err != nil {
		return "", "", reason(err)
	}
	root, ok := s.Of(canonical)
	if !ok {
		return "", "", ErrOutside
	}
	return canonical, root, nil
}

// Open opens a regular file beneath a root for reading. The path is canonicalised and contained first and then opened without
// following any link, so that a link inside the roots works, and a directory
// that is swapped for a link between the two steps does not lead outside. What
// was opened is held to the roots once more. A root that is not the directory
// that NewSet found is ErrReplaced. A FIFO, device or socket is ErrNotRegular
// and is not opened. A hard link is a file like any other.
func (s *Set) Open(path string) (*os.File, error) {
	canonical, dir, err := s.Resolve(path)
	if err != nil {
		return nil, err
	}
	root, err := s.openSame(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	rel, err := filepath.Rel(dir, canonical)
	if err != nil {
		return nil, err
	}
	f, err := openBeneath(root, rel)
	if err != nil {
		return nil, reason(err)
	}
	if err := s.opened(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// openSame opens a root that is still the directory that NewSet found.
func (s *Set) openSame(dir string) (*os.Root, error) {
	root, err := openRoot(dir)
	if err != nil {
		return nil, reason(err)
	}
	info, err := root.Stat(".")
	if err == nil && !os.SameFile(info, s.infos[dir]) {
		err = ErrReplaced
	}
	if err != nil {
		root.Close()
		return nil, reason(err)
	}
	return root, nil
}

// OpenRegular opens a regular file that lies anywhere. It is for files that a
// person or the environment names; what a client names goes through
// [Set.Open]. A FIFO, device or socket is ErrNotRegular and is not waited for.
func OpenRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, reason(err)
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	return stillRegular(f, err)
}

// stillRegular passes on a file that was regular before it was opened, if it
// is now.
func stillRegular(f *os.File, err error) (*os.File, error) {
	if err != nil {
		return nil, reason(err)
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, ErrNotRegular
	}
	return f, nil
}

// reason drops the path and the system call's name from an error: the caller
// names the path as the user wrote it.
func reason(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}
