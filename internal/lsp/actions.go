package lsp

import (
	"context"
	"time"

	"mcpls/internal/lsp/protocol"
)

// maxResolved bounds the actions of one answer whose edits are asked for: each
// is a request.
const maxResolved = 32

// CodeActions asks what the server offers to do about a range of a held
// document: about what it said of it, and of the kinds in only, if any. An
// action whose edit the server leaves for later is resolved.
func (s *Session) CodeActions(ctx context.Context, held Held, in protocol.Range, only []string) ([]protocol.CodeAction, error) {
	report, err := s.Diagnostics(ctx, held, diagnosticsForActions)
	if err != nil {
		return nil, err
	}
	found := []protocol.Diagnostic{} // null is no list
	for _, d := range report.Items {
		if overlaps(d.Range, in) {
			found = append(found, d)
		}
	}
	actions, err := call[[]protocol.CodeAction](ctx, s, "textDocument/codeAction", protocol.CodeActionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: held.URI}, Range: in,
		Context: protocol.CodeActionContext{Diagnostics: found, Only: only},
	})
	if err != nil {
		return nil, err
	}
	for i, action := range actions {
		actions[i].Title, actions[i].Disabled = s.opts.Redact.Redact(action.Title), s.opts.Redact.Redact(action.Disabled)
	}
	return actions, s.resolveActions(ctx, actions)
}

// diagnosticsForActions is how long the diagnostics are waited for which the
// actions mend: without them there is no quick fix to offer.
const diagnosticsForActions = 5 * time.Second

func overlaps(a, b protocol.Range) bool {
	before := func(p, q protocol.Position) bool {
		return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
	}
	return !before(a.End, b.Start) && !before(b.End, a.Start)
}

func (s *Session) resolveActions(ctx context.Context, actions []protocol.CodeAction) error {
	if !s.Supports("codeAction/resolve") {
		return nil
	}
	resolved := 0
	for i, a := range actions {
		switch {
		case a.Edit != nil || a.Disabled != "" || a.Command != nil && a.Kind == "":
			continue
		case resolved == maxResolved:
			actions[i].Unresolved = "there are too many to ask for all edits"
			continue
		}
		resolved++
		whole, err := call[protocol.CodeAction](ctx, s, "codeAction/resolve", a.Raw)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			actions[i].Unresolved = s.brief(err.Error())
			continue
		}
		actions[i].Edit = whole.Edit
	}
	return nil
}
