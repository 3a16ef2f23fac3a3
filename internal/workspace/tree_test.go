package workspace

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// kinds are the letters of changes in these tests.
var kinds = map[ChangeKind]string{Created: "+", Changed: "~", Deleted: "-"}

func TestTreeChanges(t *testing.T) {
	dir := tree(t, "a.go", "b/c.go", "node_modules/x/y.go", ".git/index")
	w := newWorkspace(t, Options{MaxDepth: 9}, dir)
	old := time.Now().Add(-time.Hour)
	settle := func() {
		for _, name := range []string{"a.go", "b/c.go"} {
			must(t, os.Chtimes(filepath.Join(dir, name), old, old))
		}
	}
	settle()
	show := func(changes iter.Seq[Change]) string {
		var list []string
		for c := range changes {
			rel, err := filepath.Rel(dir, c.Path)
			must(t, err)
			list = append(list, kinds[c.Kind]+filepath.ToSlash(rel))
		}
		slices.Sort(list)
		return strings.Join(list, " ")
	}
	// The change time cannot be set back, so a new tree is not settled: what
	// was stamped is made so by hand.
	trust := func(tr *Tree) *Tree {
		for _, files := range tr.folders {
			for i := range files {
				files[i].settled = true
			}
		}
		return tr
	}
	before := w.Tree(t.Context())
	if got := show(before.Changes(w.Tree(t.Context()))); got != "~a.go ~b/c.go" {
		t.Errorf("times too young to trust: %q", got)
	}
	trust(before)
	if got := show(before.Changes(w.Tree(t.Context()))); got != "" {
		t.Errorf("nothing changed: %q", got)
	}
	must(t, os.WriteFile(filepath.Join(dir, "new.go"), nil, 0o600))
	must(t, os.Rename(filepath.Join(dir, "b"), filepath.Join(dir, "d")))
	must(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("x"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "node_modules", "x", "z.go"), nil, 0o600))
	must(t, os.Symlink("a.go", filepath.Join(dir, "link.go")))
	if got := show(before.Changes(w.Tree(t.Context()))); got != "+d/c.go +new.go -b/c.go ~a.go" {
		t.Errorf("changed: %q", got)
	}
}

func TestTreeCut(t *testing.T) {
	dir := tree(t, "a.go")
	w := newWorkspace(t, Options{MaxDepth: 9}, dir)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	whole, part := w.Tree(t.Context()), w.Tree(ended)
	if len(slices.Collect(whole.Changes(part)))+len(slices.Collect(part.Changes(whole))) > 0 {
		t.Error("a tree that was cut short tells of deleted or created files")
	}
}

func TestNewDirs(t *testing.T) {
	was := &Tree{folders: map[string]folder{"/w/a": {{name: "x.go"}}, "/w/b": {{name: "y.txt"}}}}
	got := was.NewDirs(slices.Values([]Change{
		{"/w/a/z.go", Created},  // not the first of its kind there
		{"/w/b/z.go", Created},  // the first .go there
		{"/w/c/1.go", Created},  // two in a new directory: one is enough
		{"/w/c/2.go", Created},  //
		{"/w/d/1.go", Changed},  // not created
		{"/w/a/q.txt", Created}, // another kind
	}))
	if want := []string{"/w/a/q.txt", "/w/b/z.go", "/w/c/2.go"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func BenchmarkTree(b *testing.B) {
	const files = 5000
	dir := b.TempDir()
	for i := range files {
		sub := filepath.Join(dir, fmt.Sprint(i%100))
		if i < 100 {
			if err := os.Mkdir(sub, 0o700); err != nil {
				b.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(sub, fmt.Sprint(i, ".go")), nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	w := newWorkspace(b, Options{MaxDepth: 9}, dir)
	for b.Loop() {
		if n := w.Tree(b.Context()).files; n != files {
			b.Fatal(n)
		}
	}
}
