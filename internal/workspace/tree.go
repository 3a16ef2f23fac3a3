package workspace

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"path/filepath"
	"slices"
)

// maxTree bounds the files of a Tree. Past it changes of files that nobody
// opened are not told: some 10 MB are used by then.
const maxTree = 100_000

// Tree is which files lay beneath the roots at one moment, and what stat said
// of them. Directories that hold nothing of the project's own are left out, as
// in the search for markers, and links are not followed. It is immutable, and
// shares what has not changed with the tree before it.
type Tree struct {
	folders map[string]folder // by directory
	files   int
	cut     bool // there were more than maxTree
}

// folder is the files of one directory, by name. It is immutable.
type folder []leaf

type leaf struct {
	name    string
	stamp   stamp
	settled bool // the times were old enough to tell the next change
}

// Tree looks at the roots. It is cut short when ctx ends.
func (w *Workspace) Tree(ctx context.Context) *Tree {
	last := w.lastTree.Load()
	if last == nil {
		last = &Tree{}
	}
	t := &Tree{folders: make(map[string]folder, len(last.folders))}
	for _, root := range w.roots.Dirs() {
		t.look(ctx, root, last)
	}
	if t.cut = t.cut || ctx.Err() != nil; !t.cut {
		w.lastTree.Store(t)
	}
	return t
}

func (t *Tree) look(ctx context.Context, dir string, last *Tree) {
	if t.cut || ctx.Err() != nil {
		return
	}
	files, dirs := readFolder(dir) // an unreadable directory is passed over
	slices.SortFunc(files, func(a, b leaf) int { return cmp.Compare(a.name, b.name) })
	if t.files += len(files); t.files > maxTree {
		t.cut = true
		return
	}
	if old := last.folders[dir]; slices.Equal(old, files) {
		files = old
	}
	if len(files) > 0 {
		t.folders[dir] = files
	}
	for _, name := range dirs {
		if !slices.Contains(skipped, name) {
			t.look(ctx, filepath.Join(dir, name), last)
		}
	}
}

// all gives every file with its path.
func (t *Tree) all() iter.Seq2[string, leaf] {
	return func(yield func(string, leaf) bool) {
		for dir, files := range t.folders {
			for _, l := range files {
				if !yield(filepath.Join(dir, l.name), l) {
					return
				}
			}
		}
	}
}

// find gives the file of a name.
func (f folder) find(name string) (leaf, bool) {
	i, ok := slices.BinarySearchFunc(f, name, func(l leaf, name string) int { return cmp.Compare(l.name, name) })
	if !ok {
		return leaf{}, false
	}
	return f[i], true
}

// DirsWith gives the directories that hold a file with one of the names.
func (t *Tree) DirsWith(names []string) []string {
	var dirs []string
	for dir, files := range t.folders {
		if slices.ContainsFunc(names, func(name string) bool { _, ok := files.find(name); return ok }) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
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

// Changes gives what is different in next, one at a time: a checkout changes
// tens of thousands of files. A file whose times were too young to trust counts
// as changed: once too often is harmless. Of a tree that was cut nothing is
// known.
func (t *Tree) Changes(next *Tree) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		if t.cut || next.cut {
			return
		}
		for dir, was := range t.folders {
			if !was.changes(dir, next.folders[dir], yield) {
				return
			}
		}
		for dir, is := range next.folders {
			if _, known := t.folders[dir]; !known && !folder(nil).changes(dir, is, yield) {
				return
			}
		}
	}
}

func (f folder) changes(dir string, next folder, yield func(Change) bool) bool {
	tell := func(name string, kind ChangeKind) bool { return yield(Change{filepath.Join(dir, name), kind}) }
	for _, was := range f {
		is, ok := next.find(was.name)
		if !ok && !tell(was.name, Deleted) || ok && (is.stamp != was.stamp || !was.settled) && !tell(was.name, Changed) {
			return false
		}
	}
	for _, is := range next {
		if _, ok := f.find(is.name); !ok && !tell(is.name, Created) {
			return false
		}
	}
	return true
}

// NewDirs gives, of the files that changes created, one for each directory that
// had none with the same extension in t.
func (t *Tree) NewDirs(changes iter.Seq[Change]) []string {
	created := map[string]string{}
	for c := range changes {
		if c.Kind != Created {
			continue
		}
		dir, ext := filepath.Dir(c.Path), filepath.Ext(c.Path)
		if !slices.ContainsFunc(t.folders[dir], func(l leaf) bool { return filepath.Ext(l.name) == ext }) {
			created[dir+"|"+ext] = c.Path
		}
	}
	return slices.Sorted(maps.Values(created))
}

// Has reports whether there was a file at a path.
func (t *Tree) Has(path string) bool {
	_, ok := t.folders[filepath.Dir(path)].find(filepath.Base(path))
	return ok
}

// Paths gives the files, sorted.
func (t *Tree) Paths() []string {
	list := make([]string, 0, t.files)
	for path := range t.all() {
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}

// Newest gives the files, the one that was changed last first.
func (t *Tree) Newest() []string {
	type aged struct {
		path  string
		mtime int64
	}
	all := make([]aged, 0, t.files)
	for path, l := range t.all() {
		all = append(all, aged{path, l.stamp.mtime})
	}
	slices.SortFunc(all, func(a, b aged) int { return cmp.Or(cmp.Compare(b.mtime, a.mtime), cmp.Compare(a.path, b.path)) })
	list := make([]string, 0, len(all))
	for _, a := range all {
		list = append(list, a.path)
	}
	return list
}
