package router

import (
	"context"
	"time"

	"mcpls/internal/catalog"
	"mcpls/internal/lsp"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/workspace"
)

// Diagnostics is what a server says about one version of a document.
type Diagnostics struct {
	Items   []protocol.Diagnostic
	Origin  string // pull or push_cache
	Settled bool   // false: the server has not spoken about this version yet
	Exact   bool   // false: the server does not name the version it speaks about
}

// Diagnostics asks for a document's diagnostics, waiting at most wait for the
// server to speak about its current version.
func (r *Router) Diagnostics(ctx context.Context, doc workspace.Document, wait time.Duration, report Report) (Answer[Diagnostics], error) {
	return askAt(ctx, r, Place{Document: doc}, report, diagnosticsOf(doc, wait))
}

func diagnosticsOf(doc workspace.Document, wait time.Duration) question[Diagnostics] {
	return question[Diagnostics]{
		feature: catalog.Diagnostics,
		whole:   true, // the errors of one file come from the others too
		empty:   func(d Diagnostics) bool { return len(d.Items) == 0 && d.Settled },
		convert: func(c *converter, d *Diagnostics) {
			convertDiagnostics(c, doc.URI(), d.Items)
		},
		ask: func(ctx context.Context, s *lsp.Session, to target) (Diagnostics, error) {
			// The request's own time limit must not end the wait: that the
			// server has not spoken yet is an answer.
			within := wait
			if deadline, ok := ctx.Deadline(); ok {
				within = min(within, time.Until(deadline)*9/10)
			}
			got, err := s.Diagnostics(ctx, to.held, within)
			return Diagnostics{Items: got.Items, Origin: string(got.Origin), Settled: got.Settled, Exact: got.Exact}, err
		},
	}
}

// Availability is what is known of a file's diagnostics.
type Availability string

// What can be known of them.
const (
	Published Availability = "published"
	Pending   Availability = "pending" // the server has not spoken
	Evicted   Availability = "evicted" // it has, too long ago
)

// CachedDiagnostics gives what the server last pushed about a document, starting
// and asking nothing.
func (r *Router) CachedDiagnostics(ctx context.Context, doc workspace.Document) (Answer[Diagnostics], Availability, error) {
	s, err := r.route(ctx, doc, catalog.Diagnostics, nil)
	if err != nil {
		return Answer[Diagnostics]{}, Pending, err
	}
	answer := Answer[Diagnostics]{Server: s.ID, Value: Diagnostics{Origin: string(lsp.OriginPush)}}
	session := s.currentSession()
	if session == nil {
		return answer, Pending, nil
	}
	report, known, evicted := session.Published(doc.URI())
	switch {
	case evicted && !known:
		return answer, Evicted, nil
	case !known:
		return answer, Pending, nil
	}
	convert := newConverter(ctx, session.Encoding(), r.opts.Workspace)
	convertDiagnostics(convert, doc.URI(), report.Items)
	answer.Value.Items, answer.Value.Settled, answer.Value.Exact = report.Items, report.Settled, report.Exact
	answer.ResponseDegraded = !convert.exact
	return answer, Published, nil
}

func convertDiagnostics(c *converter, uri protocol.DocumentURI, items []protocol.Diagnostic) {
	for i := range items {
		c.span(uri, &items[i].Range)
		for j := range items[i].Related {
			c.location(&items[i].Related[j].Location)
		}
	}
}
