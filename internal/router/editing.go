package router

import (
	"context"
	"time"

	"mcpls/internal/catalog"
	"mcpls/internal/lsp"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/workspace"
)

// PrepareRename asks whether the symbol at a place can be renamed; nil when it
// cannot.
func (r *Router) PrepareRename(ctx context.Context, at Place, report Report) (Answer[*protocol.Renamable], error) {
	return askAt(ctx, r, at, report, question[*protocol.Renamable]{
		feature: catalog.Rename,
		empty:   func(r *protocol.Renamable) bool { return r == nil },
		convert: func(c *converter, r **protocol.Renamable) {
			if *r != nil && (*r).HasRange {
				c.span(at.Document.URI(), &(*r).Range)
			}
		},
		ask: func(ctx context.Context, s *lsp.Session, to target) (*protocol.Renamable, error) {
			return s.PrepareRename(ctx, to.at)
		},
	})
}

// Rename asks for the edits that rename the symbol at a place; nil when it
// cannot be renamed.
func (r *Router) Rename(ctx context.Context, at Place, name string, report Report) (Answer[*protocol.WorkspaceEdit], error) {
	return askAt(ctx, r, at, report, question[*protocol.WorkspaceEdit]{
		feature: catalog.Rename,
		whole:   true,
		empty:   func(e *protocol.WorkspaceEdit) bool { return e == nil },
		convert: func(c *converter, e **protocol.WorkspaceEdit) { convertEdit(c, *e) },
		ask: func(ctx context.Context, s *lsp.Session, to target) (*protocol.WorkspaceEdit, error) {
			return s.Rename(ctx, to.at, name)
		},
	})
}

// convertEdit converts an edit, which may be nil.
func convertEdit(c *converter, e *protocol.WorkspaceEdit) {
	if e == nil {
		return
	}
	for _, file := range e.Files {
		for i := range file.Edits {
			c.span(file.URI, &file.Edits[i].Range)
		}
	}
}

// CodeActions asks what the server offers to do about a range of a document. Of
// only, none is every kind.
func (r *Router) CodeActions(
	ctx context.Context, doc workspace.Document, in protocol.Range, only []string, report Report,
) (Answer[[]protocol.CodeAction], error) {
	return askAt(ctx, r, Place{Document: doc}, report, question[[]protocol.CodeAction]{
		feature: catalog.CodeActions,
		whole:   true, // an edit may be of another file
		empty:   none[protocol.CodeAction, []protocol.CodeAction],
		convert: func(c *converter, list *[]protocol.CodeAction) {
			for _, a := range *list {
				convertEdit(c, a.Edit)
				convertDiagnostics(c, doc.URI(), a.Diagnostics)
			}
		},
		ask: func(ctx context.Context, s *lsp.Session, to target) ([]protocol.CodeAction, error) {
			return s.CodeActions(ctx, to.held, to.intoRange(in), only)
		},
	})
}

// Format asks for the edits that format a document, or with a range a part of
// it.
func (r *Router) Format(
	ctx context.Context, doc workspace.Document, in *protocol.Range, options protocol.FormattingOptions, report Report,
) (Answer[[]protocol.TextEdit], error) {
	feature := catalog.FormatDocument
	if in != nil {
		feature = catalog.FormatRange
	}
	return askAt(ctx, r, Place{Document: doc}, report, question[[]protocol.TextEdit]{
		feature: feature,
		empty:   never[[]protocol.TextEdit],
		convert: func(c *converter, edits *[]protocol.TextEdit) {
			for i := range *edits {
				c.span(doc.URI(), &(*edits)[i].Range)
			}
		},
		ask: func(ctx context.Context, s *lsp.Session, to target) ([]protocol.TextEdit, error) {
			params := protocol.FormattingParams{TextDocument: to.at.TextDocument, Options: options}
			if in != nil {
				part := to.intoRange(*in)
				params.Range = &part
			}
			return s.Format(ctx, params)
		},
	})
}

// completionTimeout bounds completions: they are of use at once or not at all.
const completionTimeout = 10 * time.Second

// Completions asks how the text could go on at a place. trigger is the
// character that was typed last, or "".
func (r *Router) Completions(ctx context.Context, at Place, trigger string, report Report) (Answer[protocol.Completions], error) {
	return askAt(ctx, r, at, report, question[protocol.Completions]{
		feature: catalog.Completions,
		limit:   completionTimeout,
		empty:   func(l protocol.Completions) bool { return len(l.Items) == 0 },
		convert: func(*converter, *protocol.Completions) {}, // no positions
		ask: func(ctx context.Context, s *lsp.Session, to target) (protocol.Completions, error) {
			return s.Completions(ctx, to.at, trigger)
		},
	})
}

// SignatureHelp asks how what is called around a place is called; nil when
// nothing is.
func (r *Router) SignatureHelp(ctx context.Context, at Place, report Report) (Answer[*protocol.SignatureHelp], error) {
	return askAt(ctx, r, at, report, question[*protocol.SignatureHelp]{
		feature: catalog.SignatureHelp,
		empty:   func(h *protocol.SignatureHelp) bool { return h == nil || len(h.Signatures) == 0 },
		convert: func(*converter, **protocol.SignatureHelp) {}, // no positions
		ask: func(ctx context.Context, s *lsp.Session, to target) (*protocol.SignatureHelp, error) {
			return s.SignatureHelp(ctx, to.at)
		},
	})
}
