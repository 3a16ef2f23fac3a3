//go:build !linux

package roots

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// openBeneath opens a regular file beneath a root. The path was canonical, so
// that a link or another reparse point on it has come since: each part is
// looked at, and refused if it is one. os.Root keeps what happens between the
// look and the open within the root, and the opened file must be the entry that
// was looked at.
func openBeneath(root *os.Root, rel string) (*os.File, error) {
	var entry os.FileInfo
	for at := range prefixes(rel) {
		var err error
		if entry, err = root.Lstat(at); err != nil {
			return nil, err
		}
		// On Windows a junction or a mounted volume is irregular.
		if entry.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
			return nil, errLink
		}
	}
	if !entry.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	f, err := root.OpenFile(rel, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	opened, err := f.Stat()
	if err != nil || !os.SameFile(entry, opened) {
		f.Close()
		return nil, errLink
	}
	return f, nil
}

// errLink is a path that became another one while it was opened.
var errLink = errors.New("the path was changed while it was opened")

// prefixes gives each directory on a relative path, and the path itself.
func prefixes(rel string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		var up func(path string) bool
		up = func(path string) bool {
			dir := filepath.Dir(path)
			return (dir == "." || up(dir)) && yield(path)
		}
		up(rel)
	}
}

// opened is all that is known of an open file's place here: os.Root has kept it
// beneath the root. A directory that is moved out of the root between the look
// and the open is not noticed.
func (s *Set) opened(*os.File) error { return nil }
