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

// HasMarker reports whether a file with one of the names lies beneath a root,
// no deeper than the workspace's depth. It stops when ctx ends, and then says
// no.
func (w *Workspace) HasMarker(ctx context.Context, markers []string) bool {
	return slices.ContainsFunc(w.roots.Dirs(), func(root string) bool {
		return hasMarker(ctx, root, markers, w.maxDepth)
	})
}

func hasMarker(ctx context.Context, root string, markers []string, depth int) bool {
	if ctx.Err() != nil {
		return false
	}
	for _, name := range markers { // where most projects have it
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil {
			return true
		}
	}
	found := false // a marker may be a directory, such as .git
	// An unreadable directory is passed over: it hides a marker at worst.
	_ = fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return fs.SkipAll
		case err != nil:
			return nil
		case slices.Contains(markers, d.Name()):
			found = true
			return fs.SkipAll
		case d.IsDir():
			return enter(path, d.Name(), depth)
		}
		return nil
	})
	return found
}

func enter(path, name string, depth int) error {
	if path == "." {
		return nil
	}
	deep := strings.Count(filepath.ToSlash(path), "/") + 1
	if slices.Contains(skipped, name) || deep > depth {
		return fs.SkipDir
	}
	return nil
}
