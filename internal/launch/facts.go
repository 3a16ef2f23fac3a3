package launch

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"mcpls/internal/roots"
)

// Facts is what a plan is made from, as an interface so that tests can draw
// any file system, any PATH and the rules of any operating system. Its methods
// read; they run nothing.
type Facts interface {
	roots.Paths
	// Windows reports whether the rules of Windows hold.
	Windows() bool
	// Getenv gives a variable of mcpls's own environment.
	Getenv(name string) (value string, ok bool)
	// Executable reports whether a path is a regular file that may be executed,
	// links followed.
	Executable(path string) bool
	// IsPath reports whether a command is a path and not a name for PATH.
	IsPath(command string) bool
	// Join and SplitList are those of the operating system's paths.
	Join(dir, name string) string
	SplitList(path string) []string
	// IsAbs reports whether a path is absolute.
	IsAbs(path string) bool
	// LoginHome is the home directory of the account database, which no
	// environment variable sets; false when it is not known.
	LoginHome() (string, bool)
}

// Machine is the facts of the machine that mcpls runs on. Env is mcpls's own
// environment, as os.Environ gives it.
type Machine struct {
	roots.Disk
	Env []string
}

// Windows implements Facts.
func (Machine) Windows() bool { return runtime.GOOS == "windows" }

// Getenv implements Facts. Names are compared without case on Windows.
func (m Machine) Getenv(name string) (string, bool) {
	for _, pair := range m.Env {
		key, value, ok := strings.Cut(pair, "=")
		if ok && (key == name || m.Windows() && strings.EqualFold(key, name)) {
			return value, true
		}
	}
	return "", false
}

// Executable implements Facts.
func (m Machine) Executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (m.Windows() || info.Mode()&0o111 != 0)
}

// IsPath implements Facts.
func (m Machine) IsPath(command string) bool {
	return strings.ContainsRune(command, '/') || m.Windows() && strings.ContainsAny(command, `\:`)
}

// Join implements Facts.
func (Machine) Join(dir, name string) string { return filepath.Join(dir, name) }

// SplitList implements Facts.
func (Machine) SplitList(path string) []string { return filepath.SplitList(path) }

// IsAbs implements Facts.
func (Machine) IsAbs(path string) bool { return filepath.IsAbs(path) }

// LoginHome implements Facts.
func (Machine) LoginHome() (string, bool) { return roots.LoginHome() }
