package roots

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree makes a canonical temporary directory with the named files, each of
// which holds its own name. A name that ends in a slash is a directory.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	dir, err := Canonical(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
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

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newSet(t *testing.T, dirs ...string) *Set {
	t.Helper()
	set, err := NewSet(dirs)
	must(t, err)
	return set
}

func TestInside(t *testing.T) {
	tests := []struct {
		dir, path string
		want      bool
	}{
		{"/a/b", "/a/b", true},
		{"/a/b", "/a/b/c", true},
		{"/a/b", "/a/b/c/d", true},
		{"/a/b", "/a/b/..c", true},
		{"/a/b", "/a/bc", false},
		{"/a/b", "/a", false},
		{"/a/b", "/a/B/c", false},
		{"/a/b", "/", false},
		{"/a/b", "", false},
		{"/", "/", true},
		{"/", "/a", true},
		{"/", "a", false},
	}
	for _, test := range tests {
		if got := Inside(filepath.FromSlash(test.dir), filepath.FromSlash(test.path)); got != test.want {
			t.Errorf("%s in %s: got %v", test.path, test.dir, got)
		}
	}
}

func TestNewSet(t *testing.T) {
	dir := tree(t, "a/", "b/", "file")
	must(t, os.Symlink(filepath.Join(dir, "a"), filepath.Join(dir, "link")))
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")

	set := newSet(t, b, a, a+"/", filepath.Join(b, "..", "a"), filepath.Join(dir, "link"))
	if got, want := set.Dirs(), []string{b, a}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	set.Dirs()[0] = "changed"
	if got := set.Dirs()[0]; got != b {
		t.Errorf("a caller changed the set: got %s", got)
	}
	if got := newSet(t).Dirs(); len(got) != 0 {
		t.Errorf("no directories: got %v", got)
	}
	t.Chdir(dir)
	if got, want := newSet(t, "a").Dirs(), []string{a}; !slices.Equal(got, want) {
		t.Errorf("relative: got %v, want %v", got, want)
	}

	_, err := NewSet([]string{a, filepath.Join(dir, "none")})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "none") {
		t.Errorf("missing: got %v", err)
	}
	if _, err = NewSet([]string{filepath.Join(dir, "file")}); err == nil || !strings.HasSuffix(err.Error(), `file": not a directory`) {
		t.Errorf("a file: got %v", err)
	}
}

func TestOfGivesTheInnermostRoot(t *testing.T) {
	dir := tree(t, "a/b/c/", "d/")
	a, c := filepath.Join(dir, "a"), filepath.Join(dir, "a/b/c")
	for _, set := range []*Set{newSet(t, a, c), newSet(t, c, a)} {
		for path, want := range map[string]string{
			a:                             a,
			filepath.Join(a, "b"):         a,
			filepath.Join(a, "b/cc/file"): a,
			c:                             c,
			filepath.Join(c, "file"):      c,
			filepath.Join(dir, "d"):       "",
			dir:                           "",
			"":                            "",
		} {
			if got, ok := set.Of(path); got != want || ok != (want != "") {
				t.Errorf("%q in %v: got %q, %v, want %q", path, set.Dirs(), got, ok, want)
			}
		}
	}
}

// linked is a root with links that stay inside and links that lead out.
func linked(t *testing.T) (dir, root string) {
	dir = tree(t, "root/sub/file", "outside/file", "rootlike/file")
	root = filepath.Join(dir, "root")
	for name, target := range map[string]string{
		"inner": "sub/file", "innerdir": "sub", "absolute": filepath.Join(root, "sub"),
		"out": "../outside/file", "outdir": "../outside", "broken": "nothing", "loop": "loop",
	} {
		must(t, os.Symlink(target, filepath.Join(root, name)))
	}
	return dir, root
}

func TestResolveAndOpen(t *testing.T) {
	dir, root := linked(t)
	set := newSet(t, root)
	tests := []struct {
		name, path string
		want       string // content; its own path beneath dir
		resolves   error
		opens      error
	}{
		{name: "plain", path: "root/sub/file", want: "root/sub/file"},
		{name: "dots", path: "root/sub/../sub/file", want: "root/sub/file"},
		{name: "dots that leave and come back", path: "root/../" + "root/sub/file", want: "root/sub/file"},
		{name: "link", path: "root/inner", want: "root/sub/file"},
		{name: "linked directory", path: "root/innerdir/file", want: "root/sub/file"},
		{name: "absolute link", path: "root/absolute/file", want: "root/sub/file"},
		{name: "directory", path: "root/sub", opens: ErrNotRegular},
		{name: "root itself", path: "root", opens: ErrNotRegular},
		{name: "outside", path: "outside/file", resolves: ErrOutside},
		{name: "name that begins alike", path: "rootlike/file", resolves: ErrOutside},
		{name: "dots", path: "root/../outside/file", resolves: ErrOutside},
		{name: "link out", path: "root/out", resolves: ErrOutside},
		{name: "linked directory out", path: "root/outdir/file", resolves: ErrOutside},
		{name: "missing", path: "root/none", resolves: fs.ErrNotExist},
		{name: "broken link", path: "root/broken", resolves: fs.ErrNotExist},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := dir + "/" + test.path
			canonical, in, err := set.Resolve(path)
			if !errors.Is(err, test.resolves) || err == nil && in != root {
				t.Errorf("resolve: got %q in %q, %v", canonical, in, err)
			}
			if test.want != "" && canonical != filepath.Join(dir, test.want) {
				t.Errorf("resolve: got %q", canonical)
			}
			got, err := openAndRead(set, path)
			if want := errors.Join(test.resolves, test.opens); got != test.want || (err == nil) != (want == nil) {
				t.Errorf("open: got %q, %v, want %q, %v", got, err, test.want, want)
			}
			if test.opens != nil && !errors.Is(err, test.opens) {
				t.Errorf("open: got %v, want %v", err, test.opens)
			}
		})
	}
	if _, err := openAndRead(set, filepath.Join(root, "loop")); err == nil {
		t.Error("a link to itself opens")
	}
}

func openAndRead(set *Set, path string) (string, error) {
	f, err := set.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	return string(data), err
}

// race looks at a tree over and over while it is changed over and over.
func race(t *testing.T, change func() error, look func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		var err error
		for range 4000 {
			err = errors.Join(err, change())
		}
		done <- err
	}()
	for {
		look()
		select {
		case err := <-done:
			must(t, err)
			return
		default:
		}
	}
}

// The caller names the path as the user wrote it, so an error does not.
func TestErrorsDoNotNameThePath(t *testing.T) {
	_, root := linked(t)
	set := newSet(t, root)
	for _, name := range []string{"none", "sub/file/below", "sub"} {
		_, err := set.Open(filepath.Join(root, name))
		if err == nil || strings.Contains(err.Error(), root) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestOpenThroughSwappedDirectory changes a directory for a link to one
// outside and back, while the file in it is opened: only the file inside may
// ever be read.
func TestOpenThroughSwappedDirectory(t *testing.T) {
	dir := tree(t, "root/swap/file", "outside/file")
	root := filepath.Join(dir, "root")
	set := newSet(t, root)
	swap, aside, outside := filepath.Join(root, "swap"), filepath.Join(root, "aside"), filepath.Join(dir, "outside")

	race(t, func() error {
		return errors.Join(os.Rename(swap, aside), os.Symlink(outside, swap), os.Remove(swap), os.Rename(aside, swap))
	}, func() {
		got, err := openAndRead(set, filepath.Join(swap, "file"))
		if err == nil && got != "root/swap/file" {
			t.Errorf("read %q", got)
		}
	})
	if got, err := openAndRead(set, filepath.Join(swap, "file")); err != nil || got != "root/swap/file" {
		t.Errorf("at rest: read %q, %v", got, err)
	}
}

// The same race without its chance: the path was resolved, then its directory
// became a link.
func TestOpenBeneathFollowsNoLink(t *testing.T) {
	_, path := linked(t)
	root, err := os.OpenRoot(path)
	must(t, err)
	defer root.Close()
	for name, inside := range map[string]bool{"sub/file": true, "innerdir/file": false, "inner": false, "outdir/file": false, "out": false, "../outside/file": false} {
		f, err := openBeneath(root, name)
		if (err == nil) != inside {
			t.Errorf("%s: got %v", name, err)
		}
		if err == nil {
			f.Close()
		}
	}
}

func TestLoginHomeDoesNotAskTheEnvironment(t *testing.T) {
	want, wantOK := LoginHome()
	for _, name := range []string{"HOME", "USERPROFILE"} {
		t.Setenv(name, t.TempDir())
	}
	if got, ok := LoginHome(); got != want || ok != wantOK || got == os.Getenv("HOME") {
		t.Errorf("got %q, %v, before %q, %v", got, ok, want, wantOK)
	}
}

func TestIsCheckout(t *testing.T) {
	if IsCheckout("/") {
		t.Error("/ is a checkout")
	}
	if !IsCheckout(t.TempDir()) {
		t.Error("a directory is no checkout")
	}
	if home, ok := LoginHome(); ok {
		if canonical, err := Canonical(home); err == nil && IsCheckout(canonical) {
			t.Error("the login home is a checkout")
		}
	}
}

// A root that was replaced is not read, whatever lies in its place now.
func TestOpenOfAReplacedRoot(t *testing.T) {
	for name, replace := range map[string]func(dir, root string) error{
		"another directory": func(dir, root string) error { return os.Rename(filepath.Join(dir, "other"), root) },
		"copy":              func(_, root string) error { return os.CopyFS(root, os.DirFS(root+"-aside")) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, "root/file", "other/file")
			root := filepath.Join(dir, "root")
			set := newSet(t, root)
			must(t, os.Rename(root, root+"-aside"))
			must(t, replace(dir, root))
			if got, err := openAndRead(set, filepath.Join(root, "file")); !errors.Is(err, ErrReplaced) {
				t.Errorf("read %q, %v", got, err)
			}
			must(t, os.RemoveAll(root))
			must(t, os.Rename(root+"-aside", root))
			if got, err := openAndRead(set, filepath.Join(root, "file")); err != nil || got != "root/file" {
				t.Errorf("put back: read %q, %v", got, err)
			}
		})
	}
}

// The race of the next test without its chance: the path was resolved, then
// its root became a link.
func TestOpenSameDoesNotFollowALinkInTheRootsPlace(t *testing.T) {
	dir := tree(t, "root/file", "outside/file")
	root := filepath.Join(dir, "root")
	set := newSet(t, root)
	must(t, os.Rename(root, root+"-aside"))
	must(t, os.Symlink(filepath.Join(dir, "outside"), root))
	if opened, err := set.openSame(root); !errors.Is(err, ErrReplaced) {
		t.Errorf("opened %v, %v", opened, err)
	}
}

// TestOpenThroughSwappedRoot changes the root itself for a link to a directory
// outside and back, while a file in it is opened.
func TestOpenThroughSwappedRoot(t *testing.T) {
	dir := tree(t, "root/file", "outside/file")
	root, outside := filepath.Join(dir, "root"), filepath.Join(dir, "outside")
	set := newSet(t, root)
	aside := root + "-aside"

	race(t, func() error {
		return errors.Join(os.Rename(root, aside), os.Symlink(outside, root), os.Remove(root), os.Rename(aside, root))
	}, func() {
		if got, err := openAndRead(set, filepath.Join(root, "file")); err == nil && got != "root/file" {
			t.Errorf("read %q", got)
		}
	})
}
