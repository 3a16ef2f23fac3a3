package workspace

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestHasMarker(t *testing.T) {
	tests := []struct {
		name  string
		depth int
		files []string
		want  bool
	}{
		{"at the root", 0, []string{"go.mod"}, true},
		{"another name of the list", 0, []string{"go.work"}, true},
		{"nowhere", 9, []string{"a/b/main.go"}, false},
		{"name that begins alike", 9, []string{"a/go.mod.bak"}, false},
		{"nested within the depth", 2, []string{"a/b/go.mod"}, true},
		{"nested beyond the depth", 2, []string{"a/b/c/go.mod"}, false},
		{"nested with depth 0", 0, []string{"a/go.mod"}, false},
		{"skipped directory", 9, []string{"node_modules/x/go.mod", "vendor/go.mod", "target/go.mod", ".git/go.mod", ".venv/go.mod"}, false},
		{"nested skipped directory", 9, []string{"a/vendor/go.mod"}, false},
		{"after a skipped directory", 9, []string{".git/go.mod", "node_modules/go.mod", "z/go.mod"}, true},
		{"skipped name of a file", 9, []string{"vendor", "z/go.mod"}, true},
		{"nested directory of that name", 9, []string{"a/go.mod/x"}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorkspace(t, Options{MaxDepth: test.depth}, tree(t, test.files...))
			if got := w.HasMarker(t.Context(), []string{"go.mod", "go.work"}); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestHasMarkerAsksEveryRoot(t *testing.T) {
	dir := tree(t, "one/a", "two/x/go.mod")
	w := newWorkspace(t, Options{MaxDepth: 1}, filepath.Join(dir, "one"), filepath.Join(dir, "two"))
	if !w.HasMarker(t.Context(), []string{"go.mod"}) {
		t.Error("not found in the second root")
	}
	if w.HasMarker(t.Context(), nil) {
		t.Error("found without a name to look for")
	}
}

func TestHasMarkerDoesNotFollowLinks(t *testing.T) {
	dir := tree(t, "root/a", "outside/go.mod")
	must(t, os.Symlink(filepath.Join(dir, "outside"), filepath.Join(dir, "root", "link")))
	must(t, os.Symlink(dir, filepath.Join(dir, "root", "up")))
	if newWorkspace(t, Options{MaxDepth: 9}, filepath.Join(dir, "root")).HasMarker(t.Context(), []string{"go.mod"}) {
		t.Error("found behind a link")
	}
}

func TestHasMarkerSaysNoWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"go.mod", "a/go.mod"} {
		w := newWorkspace(t, Options{MaxDepth: 9}, tree(t, name))
		if w.HasMarker(ctx, []string{"go.mod"}) {
			t.Errorf("%s: found", name)
		}
		if !w.HasMarker(t.Context(), []string{"go.mod"}) {
			t.Errorf("%s: not found afterwards", name)
		}
	}
}

// endsAfter is a context that ends when it has been asked a number of times.
type endsAfter struct {
	context.Context
	left int
}

func (c *endsAfter) Err() error {
	c.left--
	if c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestHasMarkerStopsInTheMiddle(t *testing.T) {
	w := newWorkspace(t, Options{MaxDepth: 9}, tree(t, "a/b/c", "d/go.mod"))
	for left := range 4 { // the root, a, a/b, a/b/c; in d it is found
		if w.HasMarker(&endsAfter{t.Context(), left}, []string{"go.mod"}) {
			t.Errorf("found after %d steps", left)
		}
	}
	if !w.HasMarker(&endsAfter{t.Context(), 100}, []string{"go.mod"}) {
		t.Error("not found in 100 steps")
	}
}

// TestGlobMarkers holds that a marker with a * is a glob of file names.
func TestGlobMarkers(t *testing.T) {
	for _, test := range []struct {
		markers []string
		name    string
		want    bool
	}{
		{[]string{"*.sh"}, "a.sh", true},
		{[]string{"*.sh"}, "a.sh.txt", false},
		{[]string{"go.mod", "*.c"}, "go.mod", true},
		{[]string{"[x]"}, "x", false}, // no *: a name
		{[]string{"[x]"}, "[x]", true},
		{[]string{"*["}, "a[", false}, // no pattern
	} {
		if got := isMarker(test.markers, test.name); got != test.want {
			t.Errorf("%v, %q: %v", test.markers, test.name, got)
		}
	}
}
