package router

import (
	"context"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"mcpls/internal/catalog"
	"mcpls/internal/workspace"
)

// waits reports whether a question waits until the server has loaded.
func (s *server) waits(feature catalog.Feature, whole bool) bool {
	if s.free(feature) {
		return false
	}
	return whole || slices.Contains(s.Known.Loading.Partial, feature)
}

// free reports whether the answer does not depend on what the server loads: an
// index that is built in the background tells nothing of the errors of a file.
func (s *server) free(feature catalog.Feature) bool {
	return s.Known.Loading.AfterOpen && feature == catalog.Diagnostics
}

// Bounds of what is opened so that a server knows the workspace.
const (
	maxShown      = 60 // files, in all
	maxShownIn    = 8  // files of one project, each in a directory of its own
	maxShownAnew  = 64 // files that have changed since the server was told
	reasonChanged = "many files have changed since it looked at the workspace, and it cannot be told of all: restart it to be sure"
)

// showProjects opens files of every project, for a server that knows nothing of
// a project of which no file is open. They are opened again when they have been
// closed for want of room.
func (s *server) showProjects(ctx context.Context, run *run) error {
	if len(s.Known.Projects) == 0 {
		return nil
	}
	for _, path := range s.representatives(run) {
		if err := s.show(ctx, run, path); err != nil {
			return err
		}
	}
	return nil
}

// show opens a file on the server. One that cannot be read is passed over.
func (s *server) show(ctx context.Context, run *run, path string) error {
	doc, ok := s.router.opts.Workspace.Contains(path)
	if !ok {
		return nil
	}
	held, err := run.session.Hold(ctx, doc.Path, doc.Language)
	if err != nil {
		if run.session.Err() != nil || ctx.Err() != nil {
			return err
		}
		return nil
	}
	held.Release()
	if s.hasDatabase(run, path) {
		run.session.ExpectLoad()
	}
	return nil
}

// representatives gives the files that show the server its projects.
func (s *server) representatives(run *run) []string {
	tree := run.disk.tree()
	dirs := s.projects(tree)
	if len(dirs) == 0 {
		dirs = s.router.opts.Workspace.Roots()
	}
	each := min(maxShownIn, max(1, maxShown/len(dirs)))
	shown, seen := map[string]int{}, map[string]bool{}
	var list []string
	for _, path := range tree.Paths() {
		in, dir := home(dirs, path), filepath.Dir(path)
		if in == "" || seen[dir] || shown[in] == each || len(list) == maxShown {
			continue
		}
		if doc, ok := s.router.opts.Workspace.Contains(path); ok && s.claims(doc) {
			seen[dir] = true
			shown[in]++
			list = append(list, path)
		}
	}
	return list
}

// projects gives the directories of the server's projects. A database in a
// build directory is one of the directory above.
func (s *server) projects(tree *workspace.Tree) []string {
	dirs := tree.DirsWith(s.Known.Projects)
	for i, dir := range dirs {
		if len(s.Known.Database) > 0 && filepath.Base(dir) == "build" {
			dirs[i] = filepath.Dir(dir)
		}
	}
	return slices.Compact(dirs)
}

// hasDatabase reports whether there is a database from which the server finds
// out about other files than a given one.
func (s *server) hasDatabase(run *run, path string) bool {
	if len(s.Known.Database) == 0 {
		return false
	}
	tree := run.disk.tree()
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		for _, name := range s.Known.Database {
			if tree.Has(filepath.Join(dir, filepath.FromSlash(name))) {
				return true
			}
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// unshown is what is to be said of an answer about the workspace by a server
// that knows only the files that are open; "" when it knows the others.
func (s *server) unshown(run *run, place *Place) string {
	run.disk.mu.Lock()
	lost := run.disk.lost
	run.disk.mu.Unlock()
	switch {
	case lost:
		return reasonChanged
	case len(s.Known.Database) == 0:
		return ""
	case place != nil && s.hasDatabase(run, place.Document.Path):
		return ""
	case place == nil && len(s.projects(run.disk.tree())) > 0:
		return ""
	}
	return "there is no " + strings.Join(s.Known.Database, " or ") + ": only files that are open are known"
}

// showChanged opens the files that have changed, for a server that does not
// learn of it in another way.
func (s *server) showChanged(ctx context.Context, run *run, changes iter.Seq[workspace.Change]) error {
	shown := 0
	for change := range changes {
		doc, ok := s.router.opts.Workspace.Contains(change.Path)
		if !ok || !s.claims(doc) {
			continue
		}
		if shown++; shown > maxShownAnew {
			run.disk.mu.Lock()
			run.disk.lost = run.disk.lost || !run.session.Watches()
			run.disk.mu.Unlock()
			return nil
		}
		tell := func() error { return s.show(ctx, run, change.Path) }
		if change.Kind == workspace.Deleted {
			tell = func() error { return run.session.Vanish(ctx, doc.Path, doc.Language) }
		}
		if err := tell(); err != nil {
			return err
		}
	}
	return nil
}
