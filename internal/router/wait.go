package router

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mcpls/internal/lsp"
)

// unprovenFor is how long after its start an unknown server may still be
// loading without saying so.
const unprovenFor = time.Minute

// unproven reports whether the server may be loading without saying so.
func (s *server) unproven(run *run) bool {
	return s.Known.Loading.Unknown() && time.Since(run.opened) < unprovenFor
}

// waitShown shows the server what it must see before it loads, and waits until
// it has loaded.
func (s *server) waitShown(ctx context.Context, run *run, place *Place, report Report) error {
	if s.Known.Projects != nil {
		if err := s.explain(ctx, run, s.tellChanges(ctx, run)); err != nil {
			return err
		}
		if err := s.explain(ctx, run, s.showProjects(ctx, run)); err != nil {
			return err
		}
	}
	if place != nil && s.Known.Database != nil {
		if err := s.explain(ctx, run, s.show(ctx, run, place.Document.Path)); err != nil {
			return err
		}
	}
	return s.waitLoaded(ctx, run, report)
}

// waitLoaded waits until the server has loaded the workspace, at most the
// router's ReadyTimeout.
func (s *server) waitLoaded(ctx context.Context, run *run, report Report) error {
	wait, cancel := context.WithTimeout(ctx, s.router.opts.ReadyTimeout)
	defer cancel()
	var last lsp.Progress
	err := run.session.WaitLoaded(wait, func(p lsp.Progress) {
		last = p
		report.say(Stage{Server: s.ID, Doing: "loading", Detail: words(p)})
	})
	switch {
	case err == nil:
		return nil
	case ctx.Err() == nil && wait.Err() != nil:
		return &LoadingError{Server: s.ID, Progress: words(last)}
	}
	return s.explain(ctx, run, err)
}

func words(p lsp.Progress) string {
	text := p.Title
	if p.Message != "" && text != "" {
		text += ": "
	}
	text += p.Message
	if p.Percentage != nil {
		text += fmt.Sprintf(" %d%%", *p.Percentage)
	}
	return text
}

// offersLater reports whether a server that does not offer a question was
// loading: it may register it when it has loaded.
func offersLater(run *run, mark lsp.LoadMark, err error) bool {
	_, unsupported := errors.AsType[*lsp.UnsupportedError](err)
	return unsupported && !run.session.LoadedSince(mark)
}
