package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// filled repeats text to worstBytes. A %d in it is a
// number that grows.
func filled(head, text, tail string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; ; i++ {
		next := strings.ReplaceAll(text, "%d", fmt.Sprint(i))
		if b.Len()+len(next)+len(tail) > worstBytes {
			return b.String() + tail
		}
		b.WriteString(next)
	}
}

// projectFile is the text of a project file and a part of the warning that it
// leads to, "" for any.
type projectFile struct{ name, text, want string }

// worstProjectFiles are what costs most in a project file.
func worstProjectFiles() []projectFile {
	const server = "[[lsp_servers]]\nlanguage_id='x'\ncommand='x'\n"
	half := maxProjectBytes/2 - 100
	return []projectFile{
		{"servers without anything", filled("", "[[lsp_servers]]\n", ""), "more than 32 servers"},
		{"servers", filled("", "[[lsp_servers]]\nlanguage_id='x%d'\ncommand='x'\n", ""), "more than 32 servers"},
		{"servers in a list", filled("lsp_servers=[", "{},", "]"), "more than 32 servers"},
		{"unknown keys", filled("", "%d=1\n", ""), "only its server entries are read"},
		{"unknown keys of a server", filled(server, "%d=1\n", ""), `unknown key "lsp_servers.`},
		{"unknown keys in a line", filled("mcp={", "a%d=1,", "z=1}"), "only its server entries are read"},
		{"unknown tables", filled("", "[a%d]\n", ""), "only its server entries are read"},
		{"one hundred unknown keys in a large file", filled("", "z%d=1\n", "")[:500] + "\n#" + strings.Repeat("\n", maxProjectBytes-600), "only its server entries are read"},
		{"keys of settings", filled(server+"[lsp_servers.settings]\n", "a%d=1\n", ""), ""},
		{"dotted keys of settings", filled(server+"[lsp_servers.settings]\n", "'a%d.b.c'=1\n", ""), ""},
		{"deep dotted key", server + "settings." + strings.Repeat("a.", half) + "a=1", "at most 32 parts"},
		{"deep quoted key", server + "settings={'" + strings.Repeat("a.", half) + "a'=1}", "at most 32 parts"},
		{"deep unknown key", strings.Repeat("a.", half) + "a=1", "only its server entries are read"},
		{"deep table", "[" + strings.Repeat("a.", half) + "a]", "only its server entries are read"},
		{"deep tables", server + "settings=" + strings.Repeat("{a=", half/2) + "1" + strings.Repeat("}", half/2), "nested more than the maximum"},
		{"deep lists", server + "settings.a=" + strings.Repeat("[", half) + strings.Repeat("]", half), "nested more than the maximum"},
		{"deep list without an end", "a=" + strings.Repeat("[", maxProjectBytes-10), "project file ignored"},
		{"patterns", filled(server+"file_patterns=[", "'{*,*,?}{*,*,?}{*,*,?}z',", "]"), "more than 64 file_patterns"},
		{"bad patterns", filled(server+"file_patterns=[", "'[',", "]"), "more than 64 file_patterns"},
		{"markers", filled(server+"heuristics.project_markers=[", "'%d',", "]"), ""},
		{"many lines", strings.Repeat("\n", maxProjectBytes-100) + "[[lsp_servers]]\nlanguage_id='x'\ncommand=1", "must be a string"},
		{"one byte more", strings.Repeat("#", maxProjectBytes+1), "larger than 65536 bytes"},
	}
}

// TestWorstProjectFiles holds that of each of them one short thing is said: it
// is within the bounds, or which one it breaks. BenchmarkWorstProjectFiles
// tells what they cost.
func TestWorstProjectFiles(t *testing.T) {
	for _, test := range worstProjectFiles() {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.write(test.text, w.workspace, FileName)
			cfg := w.load(w.sources())
			told := cfg.Warnings
			if len(told) != 1 || len(told[0]) > maxWarningBytes {
				t.Errorf("warnings %.300q", told)
			}
			for _, d := range cfg.Servers {
				if told = append(told, d.Fault); len(d.Fault) > maxWarningBytes {
					t.Errorf("a fault of %d bytes", len(d.Fault))
				}
			}
			if !slices.ContainsFunc(told, func(s string) bool { return strings.Contains(s, test.want) }) {
				t.Errorf("%q is not said in %.300q", test.want, told)
			}
		})
	}
}

// BenchmarkWorstProjectFiles takes a fifth of a second at most for each on a
// machine that does nothing else.
func BenchmarkWorstProjectFiles(b *testing.B) {
	for _, test := range worstProjectFiles() {
		b.Run(test.name, func(b *testing.B) {
			dir := b.TempDir()
			if err := os.WriteFile(filepath.Join(dir, FileName), []byte(test.text), 0o600); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := Load(Sources{WorkDir: dir}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestLargestProjectFile(t *testing.T) {
	w := newWorld(t)
	w.write(strings.Repeat("#", maxProjectBytes), w.workspace, FileName)
	if cfg := w.load(w.sources()); len(cfg.Files) != 1 {
		t.Errorf("files %v, warnings %v", cfg.Files, cfg.Warnings)
	}
	var text string
	for i := range maxProjectServers {
		text += entry(fmt.Sprintf("x%d", i))
	}
	w.write(text, w.workspace, FileName)
	if cfg := w.load(w.sources()); !slices.Contains(ids(cfg), "x31@project:project") {
		t.Errorf("servers %v, warnings %v", ids(cfg), cfg.Warnings)
	}
}

func TestErrorsOfAFileAreFew(t *testing.T) {
	for name, text := range map[string]string{
		"rules":            strings.Repeat("[[lsp_servers]]\nlanguage_id='x'\n", 15),
		"unknown keys":     "a0=1\na1=1\na2=1\na3=1\na4=1\na5=1\na6=1\na7=1\na8=1\na9=1\nb0=1\nb1=1\nb2=1\nb3=1\nb4=1\n",
		"very many (1015)": strings.Repeat("#\n", 3) + filledLines(1015),
	} {
		_, err := decode("f", []byte(text))
		if err == nil {
			t.Fatal(name)
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != 11 || lines[10] != map[bool]string{false: "f: and 5 more", true: "f: and 1005 more"}[strings.HasPrefix(name, "very")] {
			t.Errorf("%s: %q", name, lines)
		}
	}
}

func filledLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d=1\n", i)
	}
	return b.String()
}

func TestWarningsAreShort(t *testing.T) {
	l := &loader{cfg: &Config{}}
	l.warn("%s", strings.Repeat("x", 1000))
	for i := range 3 {
		l.warn("%s", strings.Repeat("x", i)+strings.Repeat("ä", 1000))
	}
	for i, text := range l.cfg.Warnings {
		if len(text) > 1000 || !utf8.ValidString(text) || strings.HasSuffix(text, "...") != (i > 0) {
			t.Errorf("%d bytes: %q", len(text), text[len(text)-10:])
		}
	}
}

// costliestPatterns are the globs that cost most of those that are allowed.
func costliestPatterns() []string {
	alternatives := "{" + strings.Repeat("*,", 10) + "?}"
	return []string{
		strings.Repeat("{*,*,?}", 3) + "z",
		strings.Repeat(alternatives, 3) + "z",
		strings.Repeat("**/", 4) + strings.Repeat("a*", 100) + "z",
		strings.Repeat("**/", 4) + alternatives + alternatives + alternatives + "z",
		"{**/*,**/a,*/a}/{**/*,*/*,*}/{**,*}/z",
		strings.Repeat("{**/*,", 3) + "a}b}c}z",
	}
}

// The bounds themselves are held in TestRules; BenchmarkCostliestPatterns tells
// what those let pass that reach them.
func TestCostliestPatternsAreAllowed(t *testing.T) {
	for _, pattern := range costliestPatterns() {
		if costlyPattern(pattern) {
			t.Errorf("%q is not allowed", pattern)
		}
	}
}

// BenchmarkCostliestPatterns matches against long paths.
func BenchmarkCostliestPatterns(b *testing.B) {
	for i, pattern := range costliestPatterns() {
		b.Run(fmt.Sprint(i), func(b *testing.B) {
			for b.Loop() {
				for _, path := range []string{strings.Repeat("a/", 64) + "x.go", strings.Repeat("a", 255)} {
					doublestar.Match(pattern, path)
				}
			}
		})
	}
}

// A broken file that the environment led into the checkout must not stop
// mcpls, nor change a setting.
func TestMainFileOfTheCheckoutThatCannotBeUsed(t *testing.T) {
	const note = "lies inside the workspace: only its server entries are read"
	for _, test := range []struct {
		name string
		make func(w *world, path string) error
		want string
	}{
		{"malformed", func(w *world, path string) error { w.write("a = [", path); return nil }, "project file ignored: "},
		{"unknown key", func(w *world, path string) error { w.write("x = 1", path); return nil }, note},
		{"missing", func(*world, string) error { return nil }, "cannot be read: no such file"},
		{"directory", func(_ *world, path string) error { return os.Mkdir(path, 0o700) }, "cannot be read: not a regular file"},
		{"too large", func(w *world, path string) error { w.write(strings.Repeat("#", maxProjectBytes+1), path); return nil }, "larger than 65536 bytes"},
		{"roots that are not there", func(w *world, path string) error { w.write("workspace.roots = ['/no']", path); return nil }, note},
		{"link out of it", func(w *world, path string) error { return os.Symlink(w.write("a = [", w.other, "x"), path) }, "project file ignored: "},
		{"link to nothing", func(_ *world, path string) error { return os.Symlink("/nowhere/x", path) }, "cannot be read"},
		{"endless", func(_ *world, path string) error { return os.Symlink("/dev/zero", path) }, "not a regular file"},
	} {
		for _, name := range []string{"MCPLS_CONFIG", "user directory"} {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				w := newWorld(t)
				path := filepath.Join(w.workspace, "mcpls", FileName)
				if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := test.make(w, path); err != nil {
					t.Fatal(err)
				}
				src := Sources{Env: path, WorkDir: w.workspace}
				if _, err := os.Stat(path); name == "user directory" && err == nil { // else it is not found at all
					src = Sources{UserDir: w.workspace, WorkDir: w.workspace}
				}
				cfg := w.load(src)
				expectServers(t, cfg)
				expectWarning(t, cfg, path, note)
				expectWarning(t, cfg, path, test.want)
			})
		}
	}
}

// A link in the checkout may lead out of it: the checkout says where to.
func TestMainFileThroughTheCheckoutIsProject(t *testing.T) {
	w := newWorld(t)
	w.write(entry("a"), w.other, "sub", "x.toml")
	if err := os.Symlink(filepath.Join(w.other, "sub"), filepath.Join(w.workspace, "link")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"link/x.toml", filepath.Join(w.workspace, "link", "x.toml"), w.workspace + "/link/../sub/x.toml"} {
		cfg := w.load(Sources{Env: path, WorkDir: w.workspace})
		expectServers(t, cfg, "a@project:project")
	}
}

// Outside the checkout a fault stays an error.
func TestMissingMainFileOutsideIsAnError(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{filepath.Join(w.other, "no.toml"), filepath.Join(w.other, "no", "no.toml"), "../no.toml"} {
		if cfg, err := Load(Sources{Env: path, WorkDir: w.workspace}); err == nil {
			t.Errorf("%s: %+v", path, cfg)
		}
	}
}

func TestBoundary(t *testing.T) {
	w := newWorld(t)
	w.writeUser("workspace.roots = ['" + w.other + "']")
	for _, test := range []struct {
		src  Sources
		want []string
	}{
		{Sources{WorkDir: w.workspace}, []string{w.workspace}},
		{w.sources(), []string{w.other, w.workspace}},
		{Sources{UserDir: w.user, WorkDir: w.other}, []string{w.other}},
		{Sources{UserDir: w.user, WorkDir: "/"}, []string{w.other}},
	} {
		if got := w.load(test.src).Boundary; !slices.Equal(got, test.want) {
			t.Errorf("%+v: %v, want %v", test.src, got, test.want)
		}
	}
}

func TestErrorIsOneLine(t *testing.T) {
	_, err := decode("a\nb", []byte("[mcp]\n\"x\\ny\" = 1\n\"x\\ny\" = 1"))
	if err == nil || strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("%q", err)
	}
	_, err = decode("a\r\nb", []byte("mcp.title = 1"))
	if want := `a\r\nb:1:13: mcp.title: an integer stands here; it must be a string`; err == nil || err.Error() != want {
		t.Errorf("%q", err)
	}
}
