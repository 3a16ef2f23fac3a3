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
	return askAt(ctx, r, at, report, hoverOf(at.Document))
}

func hoverOf(doc workspace.Document) question[*protocol.Hover] {
	return question[*protocol.Hover]{
		feature: catalog.Hover,
		empty:   func(h *protocol.Hover) bool { return h == nil || h.Contents == "" },
		convert: func(c *converter, h **protocol.Hover) {
			if *h != nil && (*h).Range != nil {
				c.span(doc.URI(), (*h).Range)
			}
		},
		ask: func(ctx context.Context, s *lsp.Session, to target) (*protocol.Hover, error) {
			return s.Hover(ctx, to.at)
		},
	}
}

// locate is a question of a session that a position answers with locations.
type locate func(*lsp.Session, context.Context, protocol.TextDocumentPositionParams) (protocol.Locations, error)

// Definition asks where the symbol at a place is defined.
func (r *Router) Definition(ctx context.Context, at Place, report Report) (Answer[protocol.Locations], error) {
	return askAt(ctx, r, at, report, locations(catalog.Definition, false, (*lsp.Session).Definition))
}

// Declaration asks where the symbol at a place is declared.
func (r *Router) Declaration(ctx context.Context, at Place, report Report) (Answer[protocol.Locations], error) {
	return askAt(ctx, r, at, report, locations(catalog.Declaration, false, (*lsp.Session).Declaration))
}

// TypeDefinition asks where the type of the symbol at a place is defined.
func (r *Router) TypeDefinition(ctx context.Context, at Place, report Report) (Answer[protocol.Locations], error) {
	return askAt(ctx, r, at, report, locations(catalog.TypeDefinition, false, (*lsp.Session).TypeDefinition))
}

// Implementation asks what implements the symbol at a place.
func (r *Router) Implementation(ctx context.Context, at Place, report Report) (Answer[protocol.Locations], error) {
	return askAt(ctx, r, at, report, locations(catalog.Implementation, true, (*lsp.Session).Implementation))
}

// References asks where the symbol at a place is used.
func (r *Router) References(ctx context.Context, at Place, declaration bool, report Report) (Answer[protocol.Locations], error) {
	return askAt(ctx, r, at, report, locations(catalog.References, true,
		func(s *lsp.Session, ctx context.Context, at protocol.TextDocumentPositionParams) (protocol.Locations, error) {
			return s.References(ctx, at, declaration)
		}))
}

func locations(feature catalog.Feature, whole bool, ask locate) question[protocol.Locations] {
	return question[protocol.Locations]{
		feature: feature,
		whole:   whole,
		empty:   none[protocol.Location, protocol.Locations],
		convert: func(c *converter, list *protocol.Locations) {
			for i := range *list {
				c.location(&(*list)[i])
			}
		},
		ask: func(ctx context.Context, s *lsp.Session, to target) (protocol.Locations, error) {
			return ask(s, ctx, to.at)
		},
	}
}

// none is empty for an answer that is a list.
func none[E any, L ~[]E](list L) bool { return len(list) == 0 }

// never is empty for an answer that says the same while the server loads: it
// comes from the one document alone.
func never[T any](T) bool { return false }

// Highlights asks where the symbol at a place stands in its own document.
func (r *Router) Highlights(ctx context.Context, at Place, report Report) (Answer[[]protocol.Highlight], error) {
	return askAt(ctx, r, at, report, question[[]protocol.Highlight]{
		feature: catalog.DocumentHighlights,
		empty:   none[protocol.Highlight, []protocol.Highlight],
		convert: func(c *converter, list *[]protocol.Highlight) {
			for i := range *list {
				c.span(at.Document.URI(), &(*list)[i].Range)
			}
		},
		ask: func(ctx context.Context, s *lsp.Session, to target) ([]protocol.Highlight, error) {
			return s.Highlights(ctx, to.at)
		},
	})
}

// DocumentSymbols asks for a document's outline.
func (r *Router) DocumentSymbols(ctx context.Context, doc workspace.Document, report Report) (Answer[protocol.DocumentSymbols], error) {
	return askAt(ctx, r, Place{Document: doc}, report, outlineOf(doc))
}

func outlineOf(doc workspace.Document) question[protocol.DocumentSymbols] {
	return question[protocol.DocumentSymbols]{
		feature: catalog.DocumentSymbols,
		empty:   none[protocol.DocumentSymbol, protocol.DocumentSymbols],
		convert: func(c *converter, s *protocol.DocumentSymbols) {
			convertSymbols(c, doc.URI(), *s)
		},
		ask: func(ctx context.Context, s *lsp.Session, to target) (protocol.DocumentSymbols, error) {
			return s.DocumentSymbols(ctx, to.held.URI)
		},
	}
}

func convertSymbols(c *converter, uri protocol.DocumentURI, list []protocol.DocumentSymbol) {
	for i := range list {
		c.span(uri, &list[i].Range)
		c.span(uri, &list[i].Selection)
		convertSymbols(c, uri, list[i].Children)
	}
}

// SelectionRanges asks for the ranges around a place, the innermost first.
func (r *Router) SelectionRanges(ctx context.Context, at Place, report Report) (Answer[protocol.SelectionRanges], error) {
	return askAt(ctx, r, at, report, question[protocol.SelectionRanges]{
		feature: catalog.SelectionRange,
		empty:   never[protocol.SelectionRanges],
		convert: func(c *converter, list *protocol.SelectionRanges) {
			for i := range *list {
				c.span(at.Document.URI(), &(*list)[i])
			}
		},
		ask: func(ctx context.Context, s *lsp.Session, to target) (protocol.SelectionRanges, error) {
			return s.SelectionRanges(ctx, to.at)
		},
	})
}

// FoldingRanges asks which lines of a document belong together.
func (r *Router) FoldingRanges(ctx context.Context, doc workspace.Document, report Report) (Answer[[]protocol.FoldingRange], error) {
	return askAt(ctx, r, Place{Document: doc}, report, question[[]protocol.FoldingRange]{
		feature: catalog.FoldingRange,
		empty:   never[[]protocol.FoldingRange],
		convert: func(*converter, *[]protocol.FoldingRange) {}, // lines are the same in every encoding
		ask: func(ctx context.Context, s *lsp.Session, to target) ([]protocol.FoldingRange, error) {
			return s.FoldingRanges(ctx, to.held.URI)
		},
	})
}

// InlayHints asks for the hints in a range of a document.
func (r *Router) InlayHints(ctx context.Context, doc workspace.Document, in protocol.Range, report Report) (Answer[[]protocol.InlayHint], error) {
	return askAt(ctx, r, Place{Document: doc}, report, question[[]protocol.InlayHint]{
		feature: catalog.InlayHints,
		empty:   none[protocol.InlayHint, []protocol.InlayHint],
		convert: func(c *converter, list *[]protocol.InlayHint) {
			for i := range *list {
				at := protocol.Range{Start: (*list)[i].Position, End: (*list)[i].Position}
				c.span(doc.URI(), &at)
				(*list)[i].Position = at.Start
			}
		},
		ask: func(ctx context.Context, s *lsp.Session, to target) ([]protocol.InlayHint, error) {
			return s.InlayHints(ctx, protocol.RangeParams{TextDocument: to.at.TextDocument, Range: to.intoRange(in)})
		},
	})
}
