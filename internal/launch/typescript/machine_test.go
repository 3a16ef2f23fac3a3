package typescript

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// drawn is a machine that is drawn in a map. A file is its text, "-> target" a
// link, and "fifo" what is neither. On Windows the paths have backslashes.
type drawn struct {
	windows  bool
	env      map[string]string
	files    map[string]string
	programs map[string]string // on PATH
	roots    []string
}

func (m drawn) Windows() bool { return m.windows }

func (m drawn) Getenv(name string) (string, bool) {
	value, ok := m.env[name]
	return value, ok
}

func (m drawn) Canonical(file string) (string, bool) {
	return m.follow(file, func(string) {})
}

// follow resolves the links of a path. It calls visit with each link and each
// directory on the way, and with the end.
func (m drawn) follow(file string, visit func(string)) (string, bool) {
	if !m.IsAbs(file) {
		return "", false
	}
	rest, done := strings.Split(m.slashed(file), "/"), ""
	for hops := 0; len(rest) > 0; {
		next := path.Join(done, rest[0])
		if done == "" {
			next = rest[0] + "/"
		}
		rest = rest[1:]
		visit(m.native(next))
		if target, link := strings.CutPrefix(m.files[m.native(next)], "-> "); link {
			if hops++; hops > 8 {
				return "", false
			}
			if !m.IsAbs(target) {
				target = m.slashed(done) + "/" + target
			}
			rest, done = append(strings.Split(m.slashed(target), "/"), rest...), ""
			continue
		}
		done = next
	}
	return m.native(done), m.exists(m.native(done))
}

func (m drawn) exists(file string) bool {
	for name := range m.files {
		if inside(m, file, name) {
			return true
		}
	}
	return false
}

func (m drawn) Join(dir, name string) string {
	drive, rest := "", m.slashed(dir)
	if m.windows && len(rest) > 1 && rest[1] == ':' {
		drive, rest = rest[:2], rest[2:]
	}
	return drive + m.native(path.Join(rest, m.slashed(name)))
}

func (m drawn) Dir(file string) string { return m.Join(file, "..") }

func (m drawn) IsAbs(file string) bool {
	if m.windows {
		return len(file) > 2 && file[1] == ':' && (file[2] == '\\' || file[2] == '/')
	}
	return strings.HasPrefix(file, "/")
}

func (m drawn) Inside(file string) (in bool) {
	m.follow(file, func(step string) {
		in = in || slices.ContainsFunc(m.roots, func(root string) bool { return inside(m, root, step) })
	})
	return in
}

func inside(m drawn, dir, file string) bool {
	return file == dir || strings.HasPrefix(m.slashed(file), strings.TrimSuffix(m.slashed(dir), "/")+"/")
}

func (m drawn) Regular(file string) bool {
	canonical, _ := m.Canonical(file)
	text, ok := m.files[canonical]
	return ok && text != "fifo"
}

func (m drawn) ReadFile(file string, limit int) ([]byte, bool) {
	if !m.Regular(file) {
		return nil, false
	}
	canonical, _ := m.Canonical(file)
	text := m.files[canonical]
	return []byte(text), len(text) <= limit
}

func (m drawn) ReadDir(dir string, limit int) ([]string, bool) {
	canonical, ok := m.Canonical(dir)
	if _, file := m.files[canonical]; !ok || file {
		return nil, false
	}
	names := map[string]bool{}
	for name := range m.files {
		if name != canonical && inside(m, canonical, name) {
			first, _, _ := strings.Cut(strings.TrimPrefix(m.slashed(name), strings.TrimSuffix(m.slashed(canonical), "/")+"/"), "/")
			names[first] = true
		}
	}
	list := slices.Sorted(maps.Keys(names))
	return list[:min(len(list), limit+1)], true
}

func (m drawn) Resolve(program string) (string, bool) {
	file, ok := m.programs[program]
	return file, ok
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

// unix is a machine with the files of the lists; each line of a list is
// `path`, `path = text` or `path -> target`. The workspace is /ws.
func unix(lists ...string) drawn { return drawn{files: draw(lists...), roots: []string{"/ws"}} }

// windows is the same with the workspace C:\ws.
func windows(lists ...string) drawn {
	return drawn{windows: true, files: draw(lists...), roots: []string{`C:\ws`}}
}

func draw(lists ...string) map[string]string {
	files := map[string]string{}
	for line := range strings.Lines(strings.Join(lists, "\n")) {
		line = strings.TrimSpace(line)
		if file, target, ok := strings.Cut(line, " -> "); ok {
			files[file] = "-> " + target
		} else if file, text, _ := strings.Cut(line, " = "); file != "" {
			files[file] = text
		}
	}
	return files
}

// server and typescript draw the two packages in a node_modules, tsc a
// TypeScript without a JavaScript tsserver.
func server(nodeModules string) string {
	return inDir(in(nodeModules, "typescript-language-server"),
		`package.json = {"name": "typescript-language-server", "version": "5.3.0"}`, "lib/cli.mjs")
}

func typescript(nodeModules string) string {
	return inDir(in(nodeModules, "typescript"), `package.json = {"name": "typescript", "version": "5.9.3"}`, "lib/tsserver.js", "bin/tsc")
}

func tsc(nodeModules string) string {
	return inDir(in(nodeModules, "typescript"), `package.json = {"name": "typescript", "version": "7.0.2"}`, "lib/tsc.js", "bin/tsc")
}

func in(nodeModules, pkg string) string {
	if strings.Contains(nodeModules, `\`) {
		return nodeModules + `\` + pkg
	}
	return nodeModules + "/" + pkg
}

func inDir(dir string, lines ...string) string {
	for i, line := range lines {
		file, text, _ := strings.Cut(line, " = ")
		if strings.Contains(dir, `\`) {
			file = `\` + strings.ReplaceAll(file, "/", `\`)
		} else {
			file = "/" + file
		}
		if lines[i] = dir + file; text != "" {
			lines[i] += " = " + text
		}
	}
	return strings.Join(lines, "\n")
}

// TestDrawn holds the drawing to what a file system does.
func TestDrawn(t *testing.T) {
	m := unix(`
		/a/b/f = text
		/a/b/c/g
		/l -> /a
		/a/up -> ../a/b
		/loop -> /loop
		/gone -> /no
		/ws/out -> /a
		/into -> /ws/out
		/p = fifo`)
	for file, want := range map[string]string{
		"/a/b/f": "/a/b/f", "/l/b/f": "/a/b/f", "/l/up/f": "/a/b/f", "/a/b": "/a/b", "/": "/",
		"/loop": "", "/gone": "", "/no": "", "/a/b/g": "", "a": "",
	} {
		if got, ok := m.Canonical(file); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, %v; want %q", file, got, ok, want)
		}
	}
	if names, ok := m.ReadDir("/l/b", 1); !ok || !slices.Equal(names, []string{"c", "f"}) {
		t.Errorf("ReadDir: %q", names)
	}
	if names, ok := m.ReadDir("/", 2); !ok || len(names) != 3 {
		t.Errorf("ReadDir: %q", names)
	}
	if _, ok := m.ReadDir("/a/b/f", 9); ok {
		t.Error("a file is read as a directory")
	}
	if data, ok := m.ReadFile("/l/b/f", 4); !ok || string(data) != "text" {
		t.Errorf("ReadFile: %q", data)
	}
	if _, ok := m.ReadFile("/l/b/f", 3); ok {
		t.Error("a long file is read")
	}
	if m.Regular("/p") || m.Regular("/a") || !m.Regular("/a/up/f") || !m.Inside("/ws/out/b") || !m.Inside("/into/b") || m.Inside("/a/b") || !m.Inside("/ws/no") {
		t.Error("Regular or Inside")
	}
	if got := windows(`C:\a\f`).Join(`C:\a\b`, "../f"); got != `C:\a\f` {
		t.Errorf("Join: %s", got)
	}
}
