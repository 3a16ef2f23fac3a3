package router

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"mcpls/internal/catalog"
	"mcpls/internal/quote"
	"mcpls/internal/workspace"
)

// route gives the server that answers questions of a feature about a document:
// the first of its claimers that is applicable here and may be started, but for
// those that were tried already. One that may not be started stands back for
// the next; its refusal is the error when there is no next. So does one whose
// last start failed a moment ago, which is tried again when there is no other.
func (r *Router) route(ctx context.Context, doc workspace.Document, feature catalog.Feature, tried []*server) (*server, error) {
	var refusal error
	var dead *server
	var inactive []*server
	for _, s := range r.claimers(doc, feature) {
		if slices.Contains(tried, s) {
			continue
		}
		switch state, err := s.standing(ctx); {
		case state == StateInactive:
			inactive = append(inactive, s)
		case err != nil:
			refusal = cmp.Or(refusal, err)
		case s.failure() != nil:
			dead = cmp.Or(dead, s)
		default:
			return s, nil
		}
	}
	switch {
	case dead != nil:
		return dead, nil
	case refusal != nil:
		return nil, refusal
	}
	return nil, r.noServer(doc, feature, inactive)
}

// claimers are the servers that a question may go to, the preferred one first:
// those that were declared for its feature, then the catch-alls. A server that
// was declared for other features only has declined.
func (r *Router) claimers(doc workspace.Document, feature catalog.Feature) []*server {
	var special, general []*server
	for _, s := range r.servers {
		switch {
		case !s.claims(doc) || !s.handles(feature):
		case len(s.Handles) > 0:
			special = append(special, s)
		default:
			general = append(general, s)
		}
	}
	return append(special, general...)
}

// handles reports whether the server is asked questions of a feature.
func (s *server) handles(feature catalog.Feature) bool {
	return len(s.Handles) == 0 || slices.Contains(s.Handles, feature)
}

// deadFor is how long a server whose start failed stands back for another one.
const deadFor = 30 * time.Second

// failure gives why the server is not to be started: a start that failed a
// moment ago, or too many crashes; nil when it may be.
func (s *server) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.run != nil:
		return nil
	case s.crashes.halted:
		return s.crashes.err(s.ID)
	case time.Since(s.failedAt) > deadFor:
		return nil
	}
	return s.failed
}

// NeverStarted reports whether a question failed because its server did not
// start and will not by itself, so that another one may be asked.
func NeverStarted(err error) bool {
	_, failed := errors.AsType[*StartError](err)
	_, refused := errors.AsType[*LaunchError](err)
	_, crashed := errors.AsType[*CrashedError](err)
	return failed || refused || crashed
}

// standing tells whether a server may be asked here: StateIdle, also for one
// that runs, StateInactive, or StateRefused with the refusal. Permission comes
// first: what a repository declares must not cost a walk for its markers.
func (s *server) standing(ctx context.Context) (State, error) {
	if s.current() != nil {
		return StateIdle, nil
	}
	err := s.router.opts.Launcher.Check(ctx, s.ID)
	switch {
	case err != nil && s.router.opts.Launcher.Status(s.ID).Origin == "project":
		return StateRefused, err
	case err != nil && s.applicable(ctx):
		return StateRefused, err
	case err != nil:
		return StateInactive, nil // nobody misses it here
	}
	if !s.applicable(ctx) {
		return StateInactive, nil
	}
	return StateIdle, nil
}

func (s *server) claims(doc workspace.Document) bool {
	if doc.Language == s.Language && s.Language != "" { // a malformed entry has none
		return true
	}
	rel := doc.Rel()
	for _, pattern := range s.Patterns {
		if ok, _ := doublestar.Match(pattern, rel); ok {
			return true
		}
		if !strings.Contains(pattern, "/") && pattern == path.Base(rel) {
			return true
		}
	}
	return false
}

func (r *Router) noServer(doc workspace.Document, feature catalog.Feature, inactive []*server) error {
	if len(inactive) > 0 {
		s := inactive[0]
		return &NoServerError{Path: quote.Line(doc.Rel()), Reason: "server \"" + s.ID + "\" is inactive: the workspace has no " +
			strings.Join(s.Markers, " or ") + " (set heuristics.project_markers to change this)"}
	}
	if i := slices.IndexFunc(r.servers, func(s *server) bool { return s.claims(doc) }); i >= 0 {
		return &NoServerError{Path: quote.Line(doc.Rel()), Reason: "server \"" + r.servers[i].ID + "\" answers for it, but its handles do not name " +
			string(feature) + ", and no server without handles is declared for the language"}
	}
	language := doc.Language
	if language == "" {
		language = "of unknown language"
	}
	var served []string
	for _, s := range r.servers {
		served = append(served, s.Language)
	}
	return &NoServerError{Path: quote.Line(doc.Rel()), Reason: "it is " + language +
		", and servers are declared for " + strings.Join(served, ", ") + "; add an [[lsp_servers]] entry to mcpls.toml"}
}
