package workspace

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// skipped are directories that hold no project of the workspace's own.
var skipped = []string{".git", ".hg", ".svn", "node_modules", "vendor", "target", "__pycache__", ".venv"}

// isMarker reports whether a name is one of the markers. One with a * is a glob.
func isMarker(markers []string, name string) bool {
	return slices.ContainsFunc(markers, func(m string) bool {
		if !strings.Contains(m, "*") {
			return m == name
		}
		ok, err := filepath.Match(m, name)
		return ok && err == nil
	})
}

// HasMarker reports whether a file or directory with one of the names lies
// beneath a root, no deeper than the workspace's depth. It stops when ctx ends,
// and then says no.
func (w *Workspace) HasMarker(ctx context.Context, markers []string) bool {
	_, found := w.MarkerDirs(ctx, markers, 0)
	return found
}

// MarkerDirs gives the outermost directories with a marker: a root that has one
// itself, else those beneath it, at most limit in all. More says that there are
// others.
func (w *Workspace) MarkerDirs(ctx context.Context, markers []string, limit int) (dirs []string, more bool) {
	var look func(dir string, depth int)
	look = func(dir string, depth int) {
		entries, err := os.ReadDir(dir)
		if err != nil || ctx.Err() != nil || more {
			return // an unreadable directory hides a marker at worst
		}
		if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return isMarker(markers, e.Name()) }) {
			if more = len(dirs) == limit; !more {
				dirs = append(dirs, dir)
			}
			return
		}
		for _, e := range entries {
			if e.IsDir() && depth > 0 && !slices.Contains(skipped, e.Name()) {
				look(filepath.Join(dir, e.Name()), depth-1)
			}
		}
	}
	for _, root := range w.roots.Dirs() {
		look(root, w.maxDepth)
	}
	return dirs, more
}

// First gives a file beneath a root that match accepts, looked for as a marker
// is; false when there is none.
func (w *Workspace) First(ctx context.Context, match func(Document) bool) (Document, bool) {
	for _, root := range w.roots.Dirs() {
		var first Document
		found := false
		walk(ctx, root, w.maxDepth, func(path string, d fs.DirEntry) bool {
			full := filepath.Join(root, filepath.FromSlash(path))
			first = Document{Path: full, Root: root, Language: w.language(full)}
			found = d.Type().IsRegular() && match(first)
			return !found
		})
		if found {
			return first, true
		}
	}
	return Document{}, false
}

// walk visits what lies beneath a root, no deeper than depth, until visit says
// no or ctx ends. An unreadable directory is passed over.
func walk(ctx context.Context, root string, depth int, visit func(path string, d fs.DirEntry) bool) {
	// No error is ever passed on.
	_ = fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return fs.SkipAll
		case err != nil || path == ".":
			return nil
		case !visit(path, d):
			return fs.SkipAll
		case d.IsDir():
			return enter(path, d.Name(), depth)
		}
		return nil
	})
}

func enter(path, name string, depth int) error {
	deep := strings.Count(filepath.ToSlash(path), "/") + 1
	if slices.Contains(skipped, name) || deep > depth {
		return fs.SkipDir
	}
	return nil
}
