package router

import (
	"cmp"
	"context"
	"errors"
	"time"

	"mcpls/internal/catalog"
	"mcpls/internal/lsp"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/workspace"
)

// Stage is what a call waits for, told to a client that asked for progress.
type Stage struct {
	Server string
	Doing  string // starting, loading, asking
	Detail string // the server's own words
}

// Report takes the stages of one call; nil drops them.
type Report func(Stage)

func (r Report) say(s Stage) {
	if r != nil {
		r(s)
	}
}

// Place is a position in a document, from 0 and in UTF-16.
type Place struct {
	Document workspace.Document
	Position protocol.Position
}

// Answer is a server's answer and what is to be known about it.
type Answer[T any] struct {
	Value  T
	Server string
	Text   *protocol.Mapper // of the document asked about, as the server has it; nil without one

	// Loading says that the server is still loading the workspace: there may be
	// more. An empty answer, or one about the whole workspace, has it only from
	// an unknown server: of others it is asked again when the load has ended, or
	// becomes a *LoadingError.
	Loading bool
	// RequestDegraded and ResponseDegraded say that a position could not be
	// converted exactly between the client's UTF-16 and the server's encoding.
	RequestDegraded, ResponseDegraded bool
	// Unproven says that nothing is known of how the server shows that it has
	// loaded the workspace, and that it has just started: there may be more.
	Unproven bool
	// Unsearched are modules of the workspace that the server may not have
	// searched.
	Unsearched []string
	// Capped is how many items the server gives at most, if it gave as many.
	Capped int
	// Uncompiled says that errors which only the compiler finds are missing: the
	// server is not to run it, since the workspace is not trusted.
	Uncompiled bool
	// Trouble is the server's complaint that it could not load the workspace.
	// An empty answer never has it: it becomes a *TroubleError.
	Trouble string
	blind   bool // the trouble is that the server finds no errors in any file
}

// question is one kind of request, from the router's side.
type question[T any] struct {
	// feature decides which of several servers for a language is asked.
	feature catalog.Feature
	// whole is a question about more than one document: before it is asked the
	// server is told of every change on disk, and a load is waited for.
	whole bool
	// everywhere is a question that is put to all of the server's folders, and
	// not to that of the place.
	everywhere bool
	// limit bounds the request where the server's own limit is longer; 0 is none.
	limit time.Duration
	// empty reports an answer that would read as "there is none".
	empty func(T) bool
	// convert brings every position of the answer from the server's encoding
	// to UTF-16.
	convert func(*converter, *T)
	ask     func(context.Context, *lsp.Session, target) (T, error)
}

// target is what is asked about. held is the zero Held for a question about
// the workspace.
type target struct {
	held    lsp.Held
	at      protocol.TextDocumentPositionParams // in the server's encoding
	convert *converter
}

// askAt asks the server of a document about a place in it. One that does not
// start stands back for the next; when none is left, the first one's error is
// told.
func askAt[T any](ctx context.Context, r *Router, place Place, report Report, q question[T]) (Answer[T], error) {
	var none Answer[T]
	var first error
	for tried := []*server(nil); ; {
		s, err := r.route(ctx, place.Document, q.feature, tried)
		if err != nil {
			return none, cmp.Or(first, err)
		}
		answer, err := askServer(ctx, s, &place, report, q)
		if !NeverStarted(err) {
			return answer, err
		}
		tried, first = append(tried, s), cmp.Or(first, err)
	}
}

// askServer is the one way down to a server and up again. place is nil for a
// question about the workspace.
func askServer[T any](ctx context.Context, s *server, place *Place, report Report, q question[T]) (Answer[T], error) {
	var none Answer[T]
	run, err := s.session(ctx, report)
	if err != nil {
		return none, err
	}
	waits := s.waits(q.feature, q.whole)
	if waits {
		if err := s.waitShown(ctx, run, place, report); err != nil {
			return none, err
		}
	}
	for asked := 1; asked <= maxAsks; asked++ {
		mark := run.session.Mark()
		answer, err := askSession(ctx, s, run, place, report, q)
		if offersLater(run, mark, err) && asked < maxAsks {
			if err := s.waitLoaded(ctx, run, report); err != nil {
				return none, err
			}
			continue
		}
		if err != nil {
			return none, s.explain(ctx, run, err)
		}
		if answer.Trouble != "" && q.empty(answer.Value) {
			return none, &TroubleError{Server: s.ID, Trouble: answer.Trouble, Blind: answer.blind}
		}
		if run.session.LoadedSince(mark) || s.free(q.feature) || !waits && !q.empty(answer.Value) {
			return answer, nil
		}
		if asked == maxAsks && !s.Known.Loading.Signals() {
			// An unknown server that is quiet before each question and busy
			// during it shows the progress of the question itself.
			return answer, nil
		}
		// The server was loading: it may not have known all that it will.
		if err := s.waitLoaded(ctx, run, report); err != nil {
			return none, err
		}
	}
	return none, &LoadingError{Server: s.ID}
}

// maxAsks is how often a question is asked whose answers come while the server
// loads, each time after a load has ended.
const maxAsks = 3

// askSession asks once, within the server's time limit.
func askSession[T any](ctx context.Context, s *server, run *run, place *Place, report Report, q question[T]) (Answer[T], error) {
	answer := Answer[T]{Server: s.ID}
	session := run.session
	limit := s.RequestTimeout
	if q.limit > 0 {
		limit = min(limit, q.limit)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, &TimeoutError{Server: s.ID, After: limit})
	defer cancel()
	wide := q.whole || s.Known.Rootless
	if wide {
		if err := s.tellChanges(ctx, run); err != nil {
			return answer, err
		}
		if err := session.SyncAll(ctx); err != nil {
			return answer, err
		}
		if s.Known.IndexedAtPublish && q.feature != catalog.Diagnostics {
			if err := session.AwaitPublished(ctx); err != nil {
				return answer, err
			}
		}
	}
	missed := ""
	if wide {
		var err error
		if missed, err = s.showMentions(ctx, run, place, q.feature); err != nil {
			return answer, err
		}
	}
	convert := newConverter(ctx, session.Encoding(), s.router.opts.Workspace)
	var to target
	if place != nil {
		held, err := session.Hold(ctx, place.Document.Path, place.Document.Language)
		if err != nil {
			return answer, err
		}
		defer held.Release()
		to = convert.target(held, place.Position)
		answer.Text = held.Text
	}
	report.say(Stage{Server: s.ID, Doing: "asking"})
	value, err := q.ask(ctx, session, to)
	if err != nil {
		return answer, err
	}
	q.convert(convert, &value)
	if ctx.Err() != nil {
		return answer, context.Cause(ctx)
	}
	answer.Value, answer.RequestDegraded, answer.ResponseDegraded = value, !convert.asked, !convert.exact
	if !s.free(q.feature) {
		_, answer.Loading = session.Loading()
	}
	answer.Trouble = session.Trouble()
	if q.whole {
		if q.everywhere {
			place = nil
		}
		answer.Unsearched, answer.Unproven = s.unsearched(run, place), s.unproven(run)
		if q.feature != catalog.Diagnostics {
			answer.Trouble = cmp.Or(answer.Trouble, run.partial, s.unshown(run, place), missed)
		}
	}
	answer.Uncompiled = q.feature == catalog.Diagnostics && s.router.opts.Untrusted && s.Known.CheckTitle != ""
	if q.feature == catalog.Diagnostics && answer.Trouble == "" {
		answer.Trouble = session.Blind()
		answer.blind = answer.Trouble != ""
	}
	return answer, nil
}

// explain puts an error of a session into the router's terms.
func (s *server) explain(ctx context.Context, run *run, err error) error {
	if _, ok := errors.AsType[*lsp.ClosedError](err); ok {
		return s.lost(ctx, run, err)
	}
	if failed, ok := errors.AsType[*lsp.ServerError](err); ok {
		return &ServerError{Server: s.ID, Code: failed.Code, Message: failed.Message, Trouble: run.session.Trouble()}
	}
	if missing, ok := errors.AsType[*lsp.UnsupportedError](err); ok {
		return &UnsupportedError{Server: s.ID, Method: missing.Method}
	}
	if timeout, ok := errors.AsType[*TimeoutError](err); ok {
		return timeout
	}
	return err
}

// endedBy gives why a run was ended on purpose, nil when it was not.
func endedBy(ctx context.Context) error {
	cause := context.Cause(ctx)
	if restarted, ok := errors.AsType[*RestartedError](cause); ok {
		return restarted
	}
	if refused, ok := errors.AsType[*LaunchError](cause); ok {
		return refused
	}
	return nil
}

// lost waits until the process has been reaped, so that the error can say how
// it ended.
func (s *server) lost(ctx context.Context, run *run, err error) error {
	if s.router.ctx.Err() != nil {
		return ErrStopping
	}
	if ended := endedBy(run.ctx); ended != nil {
		return ended
	}
	select {
	case <-run.ended:
	case <-ctx.Done():
	}
	return &LostError{Server: s.ID, Err: err, Exit: run.process.Exit(), Stderr: run.process.Stderr()}
}
