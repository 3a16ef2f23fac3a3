package router

import (
	"context"
	"errors"

	"mcpls/internal/lsp"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/workspace"
)

// disk is what a run's server has been told of the files that nobody opened.
type disk struct {
	turn chan struct{} // holds one token while nobody compares
	seen *workspace.Tree
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
	if !run.session.Watches() {
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
	var events []protocol.FileEvent
	for _, change := range changes {
		events = append(events, protocol.FileEvent{URI: protocol.URIFromPath(change.Path), Type: int(change.Kind)})
	}
	if err := run.session.FilesChanged(events); err != nil {
		return err
	}
	if s.Known.TouchNewDirs {
		if err := s.touch(ctx, run, d.seen.NewDirs(changes)); err != nil {
			return err
		}
	}
	d.seen = now
	return nil
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
