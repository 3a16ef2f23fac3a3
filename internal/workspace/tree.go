package workspace

import (
	"cmp"
	"context"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"time"
)

// maxTree bounds the files of a Tree. Past it changes of files that nobody
// opened are not told: some 15 MB are used for each server by then.
const maxTree = 100_000

// Tree is which files lay beneath the roots at one moment, and what stat said
// of them. Directories that hold nothing of the project's own are left out, as
// in the search for markers, and links are not followed.
type Tree struct {
	files map[string]leaf
	cut   bool // there were more than maxTree
}

type leaf struct {
	stamp   stamp
	settled bool // the times were old enough to tell the next change
}

// Tree looks at the roots. It is cut short when ctx ends.
func (w *Workspace) Tree(ctx context.Context) *Tree {
	t := &Tree{files: map[string]leaf{}}
	for _, root := range w.roots.Dirs() {
		walk(ctx, root, math.MaxInt, func(path string, d fs.DirEntry) bool {
			if d.Type().IsRegular() {
				t.add(filepath.Join(root, filepath.FromSlash(path)), d)
			}
			return !t.cut
		})
	}
	t.cut = t.cut || ctx.Err() != nil
	return t
}

func (t *Tree) add(path string, d fs.DirEntry) {
	if len(t.files) == maxTree {
		t.cut = true
		return
	}
	now := time.Now()
	info, err := d.Info()
	if err != nil {
		return // deleted meanwhile
	}
	at := stampOf(info)
	t.files[path] = leaf{at, at.settledBy(now)}
}

// DirsWith gives the directories that hold a file with one of the names.
func (t *Tree) DirsWith(names []string) []string {
	dirs := map[string]bool{}
	for path := range t.files {
		if slices.Contains(names, filepath.Base(path)) {
			dirs[filepath.Dir(path)] = true
		}
	}
	return slices.Sorted(maps.Keys(dirs))
}

// Change is one difference between two trees.
type Change struct {
	Path string
	Kind ChangeKind
}

// ChangeKind is the protocol's FileChangeType.
type ChangeKind int

// The kinds of change.
const (
	Created ChangeKind = iota + 1
	Changed
	Deleted
)

// Changes gives what is different in next. A file whose times were too young
// to trust counts as changed: once too often is harmless. Of a tree that was
// cut nothing is known.
func (t *Tree) Changes(next *Tree) []Change {
	if t.cut || next.cut {
		return nil
	}
	var list []Change
	for path, was := range t.files {
		switch is, ok := next.files[path]; {
		case !ok:
			list = append(list, Change{path, Deleted})
		case is.stamp != was.stamp || !was.settled:
			list = append(list, Change{path, Changed})
		}
	}
	for path := range next.files {
		if _, ok := t.files[path]; !ok {
			list = append(list, Change{path, Created})
		}
	}
	return list
}

// NewDirs gives, of the files that changes created, one for each directory that
// had none with the same extension in t.
func (t *Tree) NewDirs(changes []Change) []string {
	kind := func(path string) string { return filepath.Dir(path) + "|" + filepath.Ext(path) }
	created := map[string]string{}
	for _, c := range changes {
		if c.Kind == Created {
			created[kind(c.Path)] = c.Path
		}
	}
	if len(created) == 0 {
		return nil
	}
	for path := range t.files {
		delete(created, kind(path))
	}
	return slices.Sorted(maps.Values(created))
}

// Has reports whether there was a file at a path.
func (t *Tree) Has(path string) bool {
	_, ok := t.files[path]
	return ok
}

// Paths gives the files, sorted.
func (t *Tree) Paths() []string { return slices.Sorted(maps.Keys(t.files)) }

// Newest gives the files, the one that was changed last first.
func (t *Tree) Newest() []string {
	return slices.SortedFunc(maps.Keys(t.files), func(a, b string) int {
		return cmp.Or(t.files[b].stamp.mtime.Compare(t.files[a].stamp.mtime), cmp.Compare(a, b))
	})
}
