package router

import (
	"context"
	"errors"
	"slices"
	"sync"

	"mcpls/internal/bug"
	"mcpls/internal/catalog"
	"mcpls/internal/lsp"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/workspace"
)

// Failure is a server that could not answer a question that others answered.
type Failure struct {
	Server string
	Err    error
}

// WorkspaceSymbols asks every applicable server for the symbols that match a
// query, all at once. When some fail, the answer is that of the others, with
// the failures beside it; when all do, it is the first one's error.
func (r *Router) WorkspaceSymbols(ctx context.Context, query string, report Report) ([]Answer[[]protocol.WorkspaceSymbol], []Failure, error) {
	servers, blocked := r.active(ctx, catalog.WorkspaceSymbols)
	if len(servers) == 0 {
		return nil, nil, &NoServerError{Path: "this workspace", Reason: "none of the declared servers is active here; get_tool_support says why"}
	}
	answers := make([]Answer[[]protocol.WorkspaceSymbol], len(servers))
	errs := make([]error, len(servers))
	var each sync.WaitGroup
	for i, s := range servers {
		each.Go(func() {
			defer bug.Exit()
			if errs[i] = s.failure(); errs[i] == nil || len(servers) == 1 {
				answers[i], errs[i] = s.workspaceSymbols(ctx, query, report)
			}
		})
	}
	each.Wait()
	distinct(answers)
	good, failures, err := sift(servers, answers, errs)
	if len(good) > 0 {
		failures = append(failures, blocked...)
	}
	return good, failures, err
}

// distinct leaves each symbol in the first answer that has it: two servers for
// one language find the same, and may differ in where exactly it begins.
func distinct(answers []Answer[[]protocol.WorkspaceSymbol]) {
	type symbol struct {
		name string
		kind protocol.SymbolKind
		uri  protocol.DocumentURI
		line uint32
	}
	first := map[symbol]int{}
	for i := range answers {
		answers[i].Value = slices.DeleteFunc(answers[i].Value, func(s protocol.WorkspaceSymbol) bool {
			key := symbol{s.Name, s.Kind, s.Location.URI, s.Location.Range.Start.Line}
			if _, known := first[key]; !known {
				first[key] = i
			}
			return first[key] != i
		})
	}
}

func (s *server) workspaceSymbols(ctx context.Context, query string, report Report) (Answer[[]protocol.WorkspaceSymbol], error) {
	if _, err := s.standing(ctx); err != nil {
		return Answer[[]protocol.WorkspaceSymbol]{}, err
	}
	q := question[[]protocol.WorkspaceSymbol]{
		feature: catalog.WorkspaceSymbols,
		whole:   true, everywhere: true,
		empty: func(l []protocol.WorkspaceSymbol) bool { return len(l) == 0 },
		convert: func(c *converter, l *[]protocol.WorkspaceSymbol) {
			for i := range *l {
				c.location(&(*l)[i].Location)
			}
		},
		ask: func(ctx context.Context, session *lsp.Session, _ target) ([]protocol.WorkspaceSymbol, error) {
			return session.WorkspaceSymbols(ctx, query)
		},
	}
	answer, err := askServer(ctx, s, nil, report, q)
	if err == nil && len(answer.Value) == 0 {
		answer, err = s.askWithFile(ctx, answer, query, report, q)
	}
	if s.Known.MaxSymbols > 0 && len(answer.Value) >= s.Known.MaxSymbols {
		answer.Capped = s.Known.MaxSymbols
	}
	return answer, err
}

// askWithFile asks again with one of the server's files open and looked at, to
// tell a workspace without a symbol from one that the server has not loaded:
// tsserver loads nothing before a file is open, and gopls finds nothing in a
// module with a broken go.mod and complains only about a file. A workspace
// without a file is believed to be empty.
func (s *server) askWithFile(
	ctx context.Context, empty Answer[[]protocol.WorkspaceSymbol], query string, report Report,
	q question[[]protocol.WorkspaceSymbol],
) (Answer[[]protocol.WorkspaceSymbol], error) {
	doc, ok := s.firstFile(ctx)
	if !ok {
		return empty, nil
	}
	var looked error
	q.ask = func(ctx context.Context, session *lsp.Session, to target) ([]protocol.WorkspaceSymbol, error) {
		_, looked = session.Pull(ctx, to.held)
		return session.WorkspaceSymbols(ctx, query)
	}
	answer, err := askServer(ctx, s, &Place{Document: doc}, report, q)
	if failed, ok := errors.AsType[*lsp.ServerError](looked); ok && err == nil && len(answer.Value) == 0 {
		return answer, &TroubleError{Server: s.ID, Trouble: failed.Message}
	}
	return answer, err
}

// firstFile gives a file that the server answers for: one of its language where
// there is one, since what it claims beside may be no source.
func (s *server) firstFile(ctx context.Context) (workspace.Document, bool) {
	files := s.router.opts.Workspace
	if doc, ok := files.First(ctx, func(d workspace.Document) bool { return d.Language == s.Language }); ok {
		return doc, true
	}
	return files.First(ctx, s.claims)
}

// sift parts answers from failures. A server that does not offer the question
// has not failed to answer it, unless nobody offers it.
func sift[T any](servers []*server, answers []Answer[T], errs []error) ([]Answer[T], []Failure, error) {
	var good []Answer[T]
	var failures []Failure
	for i, err := range errs {
		_, unsupported := errors.AsType[*UnsupportedError](err)
		switch {
		case err == nil:
			good = append(good, answers[i])
		case !unsupported:
			failures = append(failures, Failure{Server: servers[i].ID, Err: err})
		}
	}
	switch {
	case len(good) > 0:
		return good, failures, nil
	case len(failures) > 0:
		return nil, nil, failures[0].Err
	}
	return nil, nil, errs[0]
}

// active are the servers that may be asked about a feature here, and what those say
// that may not start: an answer of the others alone is not that of the workspace.
// Where there is none that may, it is those that are refused, so that the refusal is
// told: as long as another one answers, what a repository declares must not get in
// its way.
func (r *Router) active(ctx context.Context, feature catalog.Feature) (servers []*server, blocked []Failure) {
	var idle, refused []*server
	for _, s := range r.servers {
		if !s.handles(feature) || s.Known.Lazy && s.current() == nil {
			continue
		}
		switch state, err := s.standing(ctx); state {
		case StateIdle:
			idle = append(idle, s)
		case StateRefused:
			if refused = append(refused, s); !notInstalled(s, err) {
				blocked = append(blocked, Failure{s.ID, err})
			}
		}
	}
	if len(idle) == 0 {
		return refused, nil
	}
	// A server is missed where another one answers for none of its files.
	return idle, slices.DeleteFunc(blocked, func(f Failure) bool {
		s := r.byID(f.Server)
		_, has := r.opts.Workspace.First(ctx, s.claims)
		return !has || slices.ContainsFunc(idle, func(other *server) bool { return other.Language == s.Language })
	})
}

func (r *Router) byID(id string) *server {
	return r.servers[slices.IndexFunc(r.servers, func(s *server) bool { return s.ID == id })]
}

// notInstalled reports whether a built-in server is refused for want of its program:
// nobody has asked for it.
func notInstalled(s *server, err error) bool {
	refused, ok := errors.AsType[*LaunchError](err)
	return ok && refused.Code == "executable.not_found" && s.router.opts.Launcher.Status(s.ID).Origin == "builtin"
}
