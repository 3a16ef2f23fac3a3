package router

import (
	"context"

	"mcpls/internal/catalog"
	"mcpls/internal/lsp"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/workspace"
)

// Hover asks what is known of the symbol at a place; nil when nothing.
func (r *Router) Hover(ctx context.Context, at Place, report Report) (Answer[*protocol.Hover], error) {
	return askAt(ctx, r, at, report, question[*protocol.Hover]{
		feature: catalog.Hover,
		empty:   func(h *protocol.Hover) bool { return h == nil || h.Contents == "" },
		convert: func(c *converter, h **protocol.Hover) {
			if *h != nil && (*h).Range != nil {
				c.span(at.Document.URI(), (*h).Range)
			}
		},
		ask: func(ctx context.Context, s *lsp.Session, to target) (*protocol.Hover, error) {
			return s.Hover(ctx, to.at)
		},
	})
}

// Definition asks where the symbol at a place is defined.
func (r *Router) Definition(ctx context.Context, at Place, report Report) (Answer[protocol.Locations], error) {
	return askAt(ctx, r, at, report, question[protocol.Locations]{
		feature: catalog.Definition,
		empty:   func(l protocol.Locations) bool { return len(l) == 0 },
		convert: convertLocations,
		ask: func(ctx context.Context, s *lsp.Session, to target) (protocol.Locations, error) {
			return s.Definition(ctx, to.at)
		},
	})
}

// References asks where the symbol at a place is used.
func (r *Router) References(ctx context.Context, at Place, declaration bool, report Report) (Answer[protocol.Locations], error) {
	return askAt(ctx, r, at, report, question[protocol.Locations]{
		feature: catalog.References,
		whole:   true,
		empty:   func(l protocol.Locations) bool { return len(l) == 0 },
		convert: convertLocations,
		ask: func(ctx context.Context, s *lsp.Session, to target) (protocol.Locations, error) {
			return s.References(ctx, to.at, declaration)
		},
	})
}

func convertLocations(c *converter, list *protocol.Locations) {
	for i := range *list {
		c.location(&(*list)[i])
	}
}

// DocumentSymbols asks for a document's outline.
func (r *Router) DocumentSymbols(ctx context.Context, doc workspace.Document, report Report) (Answer[protocol.DocumentSymbols], error) {
	return askAt(ctx, r, Place{Document: doc}, report, question[protocol.DocumentSymbols]{
		feature: catalog.DocumentSymbols,
		empty:   func(s protocol.DocumentSymbols) bool { return len(s) == 0 },
		convert: func(c *converter, s *protocol.DocumentSymbols) {
			convertSymbols(c, doc.URI(), *s)
		},
		ask: func(ctx context.Context, s *lsp.Session, to target) (protocol.DocumentSymbols, error) {
			return s.DocumentSymbols(ctx, to.held.URI)
		},
	})
}

func convertSymbols(c *converter, uri protocol.DocumentURI, list []protocol.DocumentSymbol) {
	for i := range list {
		c.span(uri, &list[i].Range)
		c.span(uri, &list[i].Selection)
		convertSymbols(c, uri, list[i].Children)
	}
}

// Rename asks for the edits that rename the symbol at a place; nil when it
// cannot be renamed.
func (r *Router) Rename(ctx context.Context, at Place, name string, report Report) (Answer[*protocol.WorkspaceEdit], error) {
	return askAt(ctx, r, at, report, question[*protocol.WorkspaceEdit]{
		feature: catalog.Rename,
		whole:   true,
		empty:   func(e *protocol.WorkspaceEdit) bool { return e == nil },
		convert: func(c *converter, e **protocol.WorkspaceEdit) {
			if *e != nil {
				convertEdit(c, *e)
			}
		},
		ask: func(ctx context.Context, s *lsp.Session, to target) (*protocol.WorkspaceEdit, error) {
			return s.Rename(ctx, to.at, name)
		},
	})
}

func convertEdit(c *converter, e *protocol.WorkspaceEdit) {
	for _, file := range e.Files {
		for i := range file.Edits {
			c.span(file.URI, &file.Edits[i].Range)
		}
	}
}
