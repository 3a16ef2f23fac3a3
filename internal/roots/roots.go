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
type Set struct{ dirs []string }

// NewSet canonicalises each directory. One that is missing or not a directory
// is an error; one that is named twice counts once.
func NewSet(dirs []string) (*Set, error) {
	s := &Set{}
	for _, dir := range dirs {
		canonical, err := Canonical(dir)
		if err != nil {
			return nil, fmt.Errorf("workspace root %q: %w", dir, reason(err))
		}
		info, err := os.Stat(canonical)
		if err != nil {
			return nil, fmt.Errorf("workspace root %q: %w", dir, reason(err))
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("workspace root %q: not a directory", dir)
		}
		if !slices.Contains(s.dirs, canonical) {
			s.dirs = append(s.dirs, canonical)
		}
	}
	return s, nil
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

// Open opens a regular file beneath a root for reading. The path is
// canonicalised and contained first and then opened through os.Root, which
// never follows a link out of the root: a directory that is swapped for a link
// between the two steps does not lead outside. A FIFO, device or socket is
// ErrNotRegular; one that replaces a regular file in between is opened without
// blocking and not read.
func (s *Set) Open(path string) (*os.File, error) {
	canonical, dir, err := s.Resolve(path)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, reason(err)
	}
	defer root.Close()
	rel, err := filepath.Rel(dir, canonical)
	if err != nil {
		return nil, err
	}
	return openRegular(root, rel)
}

func openRegular(root *os.Root, rel string) (*os.File, error) {
	info, err := root.Stat(rel)
	if err != nil {
		return nil, reason(err)
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	f, err := root.OpenFile(rel, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, reason(err)
	}
	info, err = f.Stat()
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
