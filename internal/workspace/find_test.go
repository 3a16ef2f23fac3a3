package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/roots"
)

// tree makes a canonical temporary directory with the named files, each of
// which holds its own name. A name that ends in a slash is a directory.
func tree(t testing.TB, names ...string) string {
	t.Helper()
	dir, err := roots.Canonical(t.TempDir())
	must(t, err)
	for _, name := range names {
		full := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(full, 0o700))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(full), 0o700))
		must(t, os.WriteFile(full, []byte(name), 0o600))
	}
	return dir
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newWorkspace(t testing.TB, opts Options, dirs ...string) *Workspace {
	t.Helper()
	set, err := roots.NewSet(dirs)
	must(t, err)
	opts.Roots = set
	return New(opts)
}

// twoRoots is a workspace of one and two, with links and a neighbour outside.
func twoRoots(t *testing.T) (w *Workspace, dir string) {
	dir = tree(t, "one/a.go", "one/sub/é 漢.rs", "one/both.py", "two/both.py", "two/b.ts", "outside/x.go")
	must(t, os.Symlink(filepath.Join("sub", "é 漢.rs"), filepath.Join(dir, "one", "link.rs")))
	must(t, os.Symlink(filepath.Join(dir, "outside"), filepath.Join(dir, "one", "out")))
	return newWorkspace(t, Options{}, filepath.Join(dir, "one"), filepath.Join(dir, "two")), dir
}

func TestFind(t *testing.T) {
	w, dir := twoRoots(t)
	tests := []struct{ name, path, root, rel, language string }{
		{"absolute", dir + "/one/a.go", "one", "a.go", "go"},
		{"relative", "a.go", "one", "a.go", "go"},
		{"relative to the second root", "b.ts", "two", "b.ts", "typescript"},
		{"absolute where two roots hold it", dir + "/two/both.py", "two", "both.py", "python"},
		{"non-ASCII", "sub/é 漢.rs", "one", "sub/é 漢.rs", "rust"},
		{"link that stays inside", "link.rs", "one", "sub/é 漢.rs", "rust"},
		{"dots", "sub/../a.go", "one", "a.go", "go"},
		{"absolute with dots", dir + "/outside/../one/./a.go", "one", "a.go", "go"},
		{"dots into the other root", "../two/b.ts", "two", "b.ts", "typescript"},
		{"a URI", "file://" + dir + "/one/a.go", "one", "a.go", "go"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := filepath.Join(dir, test.root)
			want := Document{Path: filepath.Join(root, test.rel), Root: root, Language: test.language}
			got, err := w.Find(test.path)
			if err != nil || got != want || got.Rel() != test.rel {
				t.Errorf("got %+v with rel %q, %v, want %+v", got, got.Rel(), err, want)
			}
			if got.URI() != protocol.URIFromPath(want.Path) {
				t.Errorf("got the URI %s", got.URI())
			}
		})
	}
}

func TestFindRefuses(t *testing.T) {
	w, dir := twoRoots(t)
	list := dir + "/one, " + dir + "/two"
	tests := []struct{ name, path, want string }{
		{"empty", "", "empty; give an absolute path, or one relative to " + list},
		{"missing", "none.go", "no such file; give an absolute path, or one relative to " + list},
		{"missing absolute", dir + "/one/none.go", "no such file; give an absolute path, or one relative to " + list},
		{"ambiguous", "both.py", "more than one root holds it; give an absolute path: " + dir + "/one/both.py, " + dir + "/two/both.py"},
		{"outside", dir + "/outside/x.go", "outside the workspace roots; the roots are " + list},
		{"link out", "out/x.go", "outside the workspace roots; the roots are " + list},
		{"dots out", "../outside/x.go", "outside the workspace roots; the roots are " + list},
		{"beneath a file", "a.go/b", "no such file; give an absolute path, or one relative to " + list},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc, err := w.Find(test.path)
			pathErr, ok := errors.AsType[*PathError](err)
			if !ok || pathErr.Path != test.path || doc != (Document{}) {
				t.Fatalf("got %+v, %v", doc, err)
			}
			if got, want := strings.ReplaceAll(err.Error(), `\`, "/"), `file_path "`+test.path+`": `+test.want; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
	if _, err := w.Find("../outside/x.go"); !errors.Is(err, roots.ErrOutside) {
		t.Errorf("got %v, want one that wraps %v", err, roots.ErrOutside)
	}
	if _, err := w.Find("a\x00b"); err == nil {
		t.Error("a NUL byte is no error")
	}
}

func TestContains(t *testing.T) {
	w, dir := twoRoots(t)
	one := filepath.Join(dir, "one")
	path := filepath.Join(one, "not", "there.go")
	if got, ok := w.Contains(path); !ok || got != (Document{Path: path, Root: one, Language: "go"}) {
		t.Errorf("got %+v, %v", got, ok)
	}
	for _, path := range []string{"", dir, filepath.Join(dir, "outside", "x.go"), filepath.Join(dir, "onerous")} {
		if got, ok := w.Contains(path); ok {
			t.Errorf("%q: got %+v", path, got)
		}
	}
}

func TestLanguage(t *testing.T) {
	w := newWorkspace(t, Options{Extensions: map[string]string{".TPL": "html", "py": "python3"}})
	for path, want := range map[string]string{
		"/a/main.go": "go", "/a/MAIN.RS": "rust", "/a/x.d.ts": "typescript", "/a/x.tsx": "typescriptreact", "/a/x.h": "c",
		"/a/go.mod": "go.mod", "/a/Makefile": "makefile", "/a/makefile": "", "/a/x": "", "/a/x.unknown": "", "/a.go/x": "",
		"/a/x.tpl": "html", "/a/x.py": "python3",
	} {
		if got := w.language(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if got := newWorkspace(t, Options{}).language("/a/x.py"); got != "python" {
		t.Errorf("one workspace's table changed another's: got %q", got)
	}
}
