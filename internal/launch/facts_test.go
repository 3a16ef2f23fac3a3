package launch

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"mcpls/internal/launch/policy"
)

// drawn is the facts of a machine that is drawn in maps. A file is "x"
// (executable), "x:" and its text, "-> target" (a link), "special", "unreadable" or the text of one
// that is not executable. On Windows the paths are
// written with backslashes.
type drawn struct {
	windows bool
	env     map[string]string
	files   map[string]string
	home    string // the login home; "": unknown
	private []string
}

func (m drawn) Windows() bool { return m.windows }

func (m drawn) Getenv(name string) (string, bool) {
	for key, value := range m.env {
		if key == name || m.windows && strings.EqualFold(key, name) {
			return value, true
		}
	}
	return "", false
}

func (m drawn) Executable(file string) bool {
	canonical, ok := m.Canonical(file)
	return ok && m.Kind(canonical) == policy.Executable
}

func (m drawn) Kind(file string) policy.Kind {
	canonical, ok := m.Canonical(file)
	if !ok {
		return policy.Missing
	}
	switch text := m.files[canonical]; {
	case text == "x" || strings.HasPrefix(text, "x:"):
		return policy.Executable
	}
	switch m.files[canonical] {
	case "":
		return policy.Directory
	case "special":
		return policy.Special
	case "unreadable":
		return policy.Unreadable
	}
	return policy.File
}

func (m drawn) ReadFile(file string, limit int) ([]byte, bool) {
	canonical, _ := m.Canonical(file)
	text, ok := m.files[canonical]
	return []byte(text), ok && m.Kind(file) == policy.File && len(text) <= limit
}

func (m drawn) Head(file string, n int) []byte {
	canonical, _ := m.Canonical(file)
	text := strings.TrimPrefix(m.files[canonical], "x:")
	return []byte(text[:min(n, len(text))])
}

func (m drawn) Digest(file string, limit int64) (string, int64, bool) {
	canonical, _ := m.Canonical(file)
	kind, text := m.Kind(file), m.files[canonical]
	return "digest of " + text, int64(len(text)), (kind == policy.File || kind == policy.Executable) && int64(len(text)) <= limit
}

func (m drawn) Identity(file string) string { return "identity of " + file }

func (m drawn) Owner(file string) (owner, mode string, ok bool) {
	canonical, ok := m.Canonical(file)
	return "0", "mode of " + canonical, ok
}

func (m drawn) ReadDir(dir string, limit int) ([]string, bool) {
	canonical, ok := m.Canonical(dir)
	var names []string
	for file := range m.files {
		if rest, below := strings.CutPrefix(m.slashed(file), strings.TrimSuffix(m.slashed(canonical), "/")+"/"); below {
			names = append(names, strings.Split(rest, "/")[0])
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return names[:min(len(names), limit+1)], ok && m.Kind(dir) == policy.Directory
}

func (m drawn) TempDir() string {
	if dir, ok := m.Getenv("TMPDIR"); ok {
		return dir
	}
	return "/tmp"
}

func (m drawn) Private(dir string) bool { return slices.Contains(m.private, dir) }

func (m drawn) Canonical(file string) (string, bool) {
	if !m.IsAbs(file) { // mcpls runs in the workspace
		file = m.Join(map[bool]string{false: "/ws", true: `C:\ws`}[m.windows], file)
	}
	rest, done := strings.Split(m.slashed(file), "/"), ""
	for hops := 0; len(rest) > 0; {
		next := path.Join(done, rest[0])
		if done == "" {
			next = rest[0] + "/"
		}
		rest = rest[1:]
		target, link := strings.CutPrefix(m.files[m.native(next)], "-> ")
		if link {
			if hops++; hops > 8 {
				return "", false
			}
			if !m.IsAbs(target) {
				target = m.Join(done, target)
			}
			rest, done = append(strings.Split(m.slashed(target), "/"), rest...), ""
			continue
		}
		done = next
	}
	return m.native(done), m.exists(m.native(done))
}

func (m drawn) Link(file string) (string, bool) {
	target, link := strings.CutPrefix(m.files[file], "-> ")
	if link && !m.IsAbs(target) {
		target = m.Join(m.Dir(file), target)
	}
	return target, link
}

func (m drawn) exists(file string) bool {
	for name := range m.files {
		if m.Inside(file, name) {
			return true
		}
	}
	return false
}

func (m drawn) IsPath(command string) bool {
	return strings.Contains(command, "/") || m.windows && strings.ContainsAny(command, `\:`)
}

func (m drawn) Join(dir, name string) string {
	drive, rest := "", m.slashed(dir)
	if m.windows && len(rest) > 1 && rest[1] == ':' {
		drive, rest = rest[:2], rest[2:]
	}
	return drive + m.native(path.Join(rest, m.slashed(name)))
}

func (m drawn) Dir(file string) string { return m.Join(file, "..") }

func (m drawn) LoginHome() (string, bool) { return m.home, m.home != "" }

func (m drawn) SplitList(list string) []string {
	if list == "" {
		return nil
	}
	if m.windows {
		return strings.Split(list, ";")
	}
	return strings.Split(list, ":")
}

func (m drawn) IsAbs(file string) bool {
	if m.windows {
		return len(file) > 2 && file[1] == ':' && (file[2] == '\\' || file[2] == '/')
	}
	return strings.HasPrefix(file, "/")
}

func (m drawn) Inside(dir, file string) bool {
	return file == dir || strings.HasPrefix(m.slashed(file), strings.TrimSuffix(m.slashed(dir), "/")+"/")
}

func (m drawn) slashed(file string) string {
	if m.windows {
		return strings.ReplaceAll(file, `\`, "/")
	}
	return file
}

func (m drawn) native(file string) string {
	if m.windows {
		return strings.ReplaceAll(file, "/", `\`)
	}
	return file
}

// TestDrawnCanonical holds the drawing to what a file system does.
func TestDrawnCanonical(t *testing.T) {
	m := drawn{files: map[string]string{
		"/a/b/f": "x", "/l": "-> /a", "/a/up": "-> ../a/b", "/loop": "-> /loop", "/gone": "-> /no",
	}}
	for file, want := range map[string]string{
		"/a/b/f": "/a/b/f", "/l/b/f": "/a/b/f", "/l/up/f": "/a/b/f", "/a/b": "/a/b",
		"/loop": "", "/gone": "", "/no": "", "/a/b/g": "", "../a/b/f": "/a/b/f",
	} {
		if got, ok := m.Canonical(file); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, %v; want %q", file, got, ok, want)
		}
	}
}

func TestMachine(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, mode := range map[string]os.FileMode{"run": 0o755, "group": 0o610, "data": 0o644} {
		if err := os.WriteFile(at(name), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"link": "run", "gone": "nothing"} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	if home, ok := (Machine{}).LoginHome(); ok && !filepath.IsAbs(home) {
		t.Errorf("LoginHome = %q", home)
	}
	m := Machine{Env: []string{"A=1", "B==x=", "C=", "A=2", "broken"}}
	for name, want := range map[string]bool{
		"run": true, "group": true, "link": true, "data": runtime.GOOS == "windows", "gone": false, "missing": false, ".": false,
	} {
		if got := m.Executable(at(name)); got != want {
			t.Errorf("Executable(%s) = %v", name, got)
		}
	}
	if got, ok := m.Canonical(at("link")); got != at("run") || !ok {
		t.Errorf("Canonical(link) = %q, %v", got, ok)
	}
	if got, ok := m.Canonical(at("gone")); ok {
		t.Errorf("Canonical(gone) = %q", got)
	}
	for name, want := range map[string]string{"A": "1", "B": "=x=", "C": ""} {
		if got, ok := m.Getenv(name); got != want || !ok {
			t.Errorf("Getenv(%s) = %q, %v", name, got, ok)
		}
	}
	for _, name := range []string{"broken", "D", ""} {
		if got, ok := m.Getenv(name); ok {
			t.Errorf("Getenv(%q) = %q", name, got)
		}
	}
	for command, want := range map[string]bool{"a": false, "a/b": true, "/a": true, "./a": true, `a\b`: runtime.GOOS == "windows"} {
		if got := m.IsPath(command); got != want {
			t.Errorf("IsPath(%q) = %v", command, got)
		}
	}
	list := m.SplitList("a" + string(os.PathListSeparator) + string(os.PathListSeparator) + "b")
	if !slices.Equal(list, []string{"a", "", "b"}) {
		t.Errorf("SplitList = %q", list)
	}
	if m.Join(dir, "x") != at("x") || !m.IsAbs(dir) || m.IsAbs("x") || !m.Inside(dir, at("x")) || m.Inside(dir, dir+"x") {
		t.Error("Join, IsAbs or Inside")
	}
}
