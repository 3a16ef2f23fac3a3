package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"mcpls/internal/launch/policy"
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
	// Kind tells what lies at an absolute path, links followed.
	Kind(path string) policy.Kind
	// ReadFile reads a regular file of at most limit bytes; false when it is
	// none, or cannot be read, or is longer.
	ReadFile(path string, limit int) ([]byte, bool)
	// Head gives the first bytes of a regular file, at most n; none when it
	// cannot be read.
	Head(path string, n int) []byte
	// Digest gives the SHA-256 of a regular file of at most limit bytes, in
	// hexadecimal digits, and how many there are.
	Digest(path string, limit int64) (digest string, size int64, ok bool)
	// Identity tells a directory from every other; "" where that is not known.
	Identity(path string) string
	// Owner gives the owner and the mode of a file, links followed. The owner is ""
	// where the system has none.
	Owner(path string) (owner, mode string, ok bool)
	// ReadDir gives the names in a directory, at most limit and one; false when
	// they cannot be read.
	ReadDir(path string, limit int) ([]string, bool)
	// TempDir is the directory for temporary files, as the environment says.
	TempDir() string
	// Private reports whether nobody else can write to a directory.
	Private(dir string) bool
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

// Kind implements Facts. What cannot be told counts as unreadable.
func (m Machine) Kind(path string) policy.Kind {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG):
		return policy.Missing
	case err != nil:
		return policy.Unreadable
	case info.IsDir():
		return policy.Directory
	case !info.Mode().IsRegular():
		return policy.Special
	case m.runs(path, info):
		return policy.Executable
	}
	f, err := roots.OpenRegular(path)
	if err != nil {
		return policy.Unreadable
	}
	f.Close()
	return policy.File
}

// programExtensions are those of the files that Windows starts.
var programExtensions = []string{".exe", ".com", ".bat", ".cmd", ".ps1", ".vbs", ".vbe", ".js", ".jse", ".wsf", ".wsh", ".msc", ".scr"}

func (m Machine) runs(path string, info fs.FileInfo) bool {
	if m.Windows() {
		return slices.Contains(programExtensions, strings.ToLower(filepath.Ext(path)))
	}
	return info.Mode()&0o111 != 0
}

// ReadFile implements Facts.
func (Machine) ReadFile(path string, limit int) ([]byte, bool) {
	f, err := roots.OpenRegular(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	return data, err == nil && len(data) <= limit
}

// Head implements Facts.
func (Machine) Head(path string, n int) []byte {
	f, err := roots.OpenRegular(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, int64(n)))
	if err != nil {
		return nil
	}
	return head
}

// Digest implements Facts.
func (Machine) Digest(path string, limit int64) (digest string, size int64, ok bool) {
	f, err := roots.OpenRegular(path)
	if err != nil {
		return "", 0, false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() > limit {
		return "", 0, false
	}
	hash := sha256.New()
	size, err = io.Copy(hash, io.LimitReader(f, limit+1))
	return hex.EncodeToString(hash.Sum(nil)), size, err == nil && size <= limit
}

// Identity implements Facts.
func (Machine) Identity(path string) string {
	f, err := os.Open(path + string(filepath.Separator) + ".")
	if err != nil {
		return ""
	}
	defer f.Close()
	return identityOf(f)
}

// Owner implements Facts.
func (Machine) Owner(path string) (owner, mode string, ok bool) {
	info, err := os.Stat(path)
	if err != nil {
		return "", "", false
	}
	return ownerOf(info), info.Mode().String(), true
}

// ReadDir implements Facts.
func (Machine) ReadDir(path string, limit int) ([]string, bool) {
	f, err := os.Open(path + string(filepath.Separator) + ".") // a FIFO is not waited for
	if err != nil {
		return nil, false
	}
	defer f.Close()
	names, err := f.Readdirnames(limit + 1)
	return names, err == nil || errors.Is(err, io.EOF)
}

// TempDir implements Facts.
func (Machine) TempDir() string { return os.TempDir() }

// Private implements Facts.
func (Machine) Private(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir() && private(dir, info)
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
