package roots

import (
	"os"
	"path/filepath"
	"strings"
)

// Paths is what [LeadsInto] asks of a system and its disk, as an interface so
// that a test can draw any file system and the rules of any operating system.
type Paths interface {
	// Canonical resolves every link of a path; false when it does not exist.
	Canonical(path string) (string, bool)
	// Link gives where a link leads to at first, made absolute; false when a path
	// is none. Where that cannot be told it is "".
	Link(path string) (string, bool)
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

// Link implements Paths.
func (Disk) Link(path string) (string, bool) {
	target, err := os.Readlink(path)
	if err != nil {
		return "", false
	}
	dir, err := Canonical(filepath.Dir(path))
	switch {
	case climbs(target) || err != nil:
		return "", true
	case filepath.IsAbs(target):
		return target, true
	}
	return filepath.Join(dir, target), true
}

// relativeToProcess reports whether a path means another file in every process:
// what is found out about it here does not hold for a server (proc(5)).
func relativeToProcess(path string) bool {
	path = strings.ToLower(filepath.ToSlash(path)) + "/"
	return strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/dev/fd/")
}

// climbs reports whether a path goes up again after a name, which may be a link:
// where that leads to is not for the text of the path to say.
func climbs(path string) bool {
	rest := filepath.ToSlash(path)
	for strings.HasPrefix(rest, "../") {
		rest = rest[len("../"):]
	}
	return rest != ".." && strings.Contains("/"+rest+"/", "/../")
}

// Dir implements Paths.
func (Disk) Dir(path string) string { return filepath.Dir(path) }

// Inside implements Paths.
func (Disk) Inside(dir, path string) bool { return Inside(dir, path) }

// maxLinks bounds the links on the way of one path, as that of Linux does.
const maxLinks = 40

// LeadsInto reports whether a path lies in one of the canonical directories or
// leads through it, by any link on its way: a link in a checkout may lead out of
// it, but it is the checkout that says where to. What does not exist is judged by
// the directory above it. A way that cannot be followed leads anywhere: one of more
// than 40 links, one that goes up again behind a name, which may be a link, and one
// through /proc. The path is to be absolute: a relative one is not followed above its first name.
func LeadsInto(dirs []string, path string, paths Paths) bool {
	links := 0
	return leadsInto(dirs, path, paths, &links)
}

func leadsInto(dirs []string, path string, paths Paths, links *int) bool {
	if climbs(path) || relativeToProcess(path) {
		return len(dirs) > 0
	}
	for {
		if canonical, ok := paths.Canonical(path); ok {
			for _, dir := range dirs {
				if paths.Inside(dir, canonical) {
					return true
				}
			}
		}
		if target, link := paths.Link(path); link {
			if *links++; *links > maxLinks || target == "" || leadsInto(dirs, target, paths, links) {
				return len(dirs) > 0
			}
		}
		parent := paths.Dir(path)
		if parent == path {
			return false
		}
		path = parent
	}
}
