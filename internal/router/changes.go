package router

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"sync"

	"mcpls/internal/lsp"
	"mcpls/internal/workspace"
)

// disk is what a run's server has been told of the files that nobody opened.
type disk struct {
	turn chan struct{} // holds one token while nobody compares

	mu   sync.Mutex
	seen *workspace.Tree // is not changed, only replaced
	lost bool            // more files have changed than could be shown
}

func (d *disk) tree() *workspace.Tree {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.seen
}

// look remembers the files as they are before the server reads them.
func (s *server) look(ctx context.Context) *disk {
	d := &disk{turn: make(chan struct{}, 1), seen: s.router.opts.Workspace.Tree(ctx)}
	d.turn <- struct{}{}
	return d
}

// tellChanges tells the server which files have changed since it was last told,
// so that a question about the workspace is about the files as they are now. A
// watcher could not do this: it tells late, and an agent asks at once.
func (s *server) tellChanges(ctx context.Context, run *run) error {
	if !run.session.Watches() && !s.Known.OpenChanged {
		return nil
	}
	d := run.disk
	select {
	case <-d.turn:
		defer func() { d.turn <- struct{}{} }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	now := s.router.opts.Workspace.Tree(ctx)
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	changes := d.seen.Changes(now)
	if err := run.session.FilesChanged(ctx, forSession(changes)); err != nil {
		return err
	}
	if s.Known.OpenChanged {
		if err := s.showChanged(ctx, run, changes); err != nil {
			return err
		}
	}
	if s.Known.TouchNewDirs {
		if err := s.touch(ctx, run, d.seen.NewDirs(changes)); err != nil {
			return err
		}
	}
	d.mu.Lock()
	d.seen = now
	d.mu.Unlock()
	return nil
}

func forSession(changes iter.Seq[workspace.Change]) iter.Seq[lsp.FileChange] {
	return func(yield func(lsp.FileChange) bool) {
		for change := range changes {
			if !yield(lsp.FileChange{Path: change.Path, Type: int(change.Kind)}) {
				return
			}
		}
	}
}

// touch shows the server files that it would not look at by itself. What it
// says of them is of no interest, only that it lives and answers in time.
func (s *server) touch(ctx context.Context, run *run, paths []string) error {
	for _, path := range paths {
		doc, _ := s.router.opts.Workspace.Contains(path)
		if !s.claims(doc) {
			continue
		}
		err := run.session.Touch(ctx, path)
		if _, said := errors.AsType[*lsp.ServerError](err); err != nil && !said {
			return err
		}
	}
	return nil
}

// maxUnsearched bounds the modules that an answer names.
const maxUnsearched = 4

// unsearched gives the modules that the server may not have searched, relative
// to their root: those that lie in none of its folders or deeper in one, and,
// for a question about a place, the other folders. A folder with the file that
// joins modules has them all.
func (s *server) unsearched(run *run, place *Place) []string {
	if !s.Known.FoldersAtMarkers || s.Known.MarkersNest {
		return nil
	}
	run.disk.mu.Lock()
	modules, joined := run.disk.seen.DirsWith(s.Known.Markers), run.disk.seen.DirsWith([]string{s.Known.Joins})
	run.disk.mu.Unlock()
	var list []string
	for _, dir := range modules {
		own := place != nil && dir == home(modules, place.Document.Path)
		searched := place == nil && slices.Contains(run.folders, dir) || own ||
			slices.ContainsFunc(joined, func(j string) bool { return beneath(j, dir) })
		if !searched && len(list) < maxUnsearched {
			list = append(list, s.shown(dir))
		}
	}
	return list
}

// shown gives a directory relative to its root, or whole where there are several.
func (s *server) shown(dir string) string {
	roots := s.router.opts.Workspace.Roots()
	rel, err := filepath.Rel(roots[0], dir)
	if len(roots) > 1 || err != nil {
		return dir
	}
	return filepath.ToSlash(rel)
}

// home gives the innermost of dirs that holds a path.
func home(dirs []string, path string) string {
	innermost := ""
	for _, dir := range dirs {
		if beneath(dir, path) && len(dir) > len(innermost) {
			innermost = dir
		}
	}
	return innermost
}

func beneath(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
