package roots

import "path/filepath"

// Paths is what [LeadsInto] asks of a system and its disk, as an interface so
// that a test can draw any file system and the rules of any operating system.
type Paths interface {
	// Canonical resolves every link of a path; false when it does not exist.
	Canonical(path string) (string, bool)
	// Dir gives the directory above a path, the path itself where there is none.
	Dir(path string) string
	// Inside is the containment predicate of canonical paths.
	Inside(dir, path string) bool
}

// Disk is the paths of the machine that mcpls runs on.
type Disk struct{}

// Canonical implements Paths.
func (Disk) Canonical(path string) (string, bool) {
	canonical, err := Canonical(path)
	return canonical, err == nil
}

// Dir implements Paths.
func (Disk) Dir(path string) string { return filepath.Dir(path) }

// Inside implements Paths.
func (Disk) Inside(dir, path string) bool { return Inside(dir, path) }

// LeadsInto reports whether a path lies in one of the canonical directories or
// leads through it: a link in a checkout may lead out of it, but it is the
// checkout that says where to. What does not exist is judged by the directory
// above it. The path is to be absolute: a relative one is not followed above its
// first name.
func LeadsInto(dirs []string, path string, paths Paths) bool {
	for {
		if canonical, ok := paths.Canonical(path); ok {
			for _, dir := range dirs {
				if paths.Inside(dir, canonical) {
					return true
				}
			}
		}
		parent := paths.Dir(path)
		if parent == path {
			return false
		}
		path = parent
	}
}
