package router

import (
	"context"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"mcpls/internal/catalog"
	"mcpls/internal/quote"
	"mcpls/internal/workspace"
)

// route gives the server that answers for a document: the first declared one
// that claims it, is applicable here and may be started. One that may not be
// started stands back for the next; its refusal is the error when there is no
// next.
func (r *Router) route(ctx context.Context, doc workspace.Document, _ catalog.Feature) (*server, error) {
	var refusal error
	var inactive []*server
	for _, s := range r.servers {
		if !s.claims(doc) {
			continue
		}
		switch state, err := s.standing(ctx); {
		case state == StateInactive:
			inactive = append(inactive, s)
		case err == nil:
			return s, nil
		case refusal == nil:
			refusal = err
		}
	}
	if refusal != nil {
		return nil, refusal
	}
	return nil, r.noServer(doc, inactive)
}

// standing tells whether a server may be asked here: StateIdle, also for one
// that runs, StateInactive, or StateRefused with the refusal. Permission comes
// first: what a repository declares must not cost a walk for its markers.
func (s *server) standing(ctx context.Context) (State, error) {
	if s.current() != nil {
		return StateIdle, nil
	}
	if err := s.router.opts.Launcher.Check(ctx, s.ID); err != nil {
		return StateRefused, err
	}
	if !s.applicable(ctx) {
		return StateInactive, nil
	}
	return StateIdle, nil
}

func (s *server) claims(doc workspace.Document) bool {
	if doc.Language == s.Language {
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

func (r *Router) noServer(doc workspace.Document, inactive []*server) error {
	if len(inactive) > 0 {
		s := inactive[0]
		return &NoServerError{Path: quote.Line(doc.Rel()), Reason: "server \"" + s.ID + "\" is inactive: the workspace has no " +
			strings.Join(s.Markers, " or ") + " (set heuristics.project_markers to change this)"}
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
