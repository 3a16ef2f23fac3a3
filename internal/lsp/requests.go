package lsp

import (
	"context"
	"errors"
	"slices"
	"time"

	"mcpls/internal/jsonrpc2"
	"mcpls/internal/lsp/protocol"
)

// A server that answers ContentModified or ServerCancelled asks to be asked
// again (LSP 3.17, Error Codes); pyright does so until it has looked at a file.
// It is, until the caller's time is over, with pauses that double up to a limit.
const (
	firstPause = 20 * time.Millisecond
	maxPause   = 500 * time.Millisecond
)

// call asks the server, again while it says that the content was modified.
func call[T any](ctx context.Context, s *Session, method string, params any) (T, error) {
	var none T
	if !s.Supports(method) {
		return none, &UnsupportedError{Method: method}
	}
	pause := firstPause
	for {
		var result T
		err := s.conn.Call(ctx, method, params, &result)
		if err == nil || !again(err) {
			return result, s.translate(err)
		}
		select {
		case <-time.After(pause):
			pause = min(2*pause, maxPause)
		case <-ctx.Done():
			return none, context.Cause(ctx)
		}
	}
}

func again(err error) bool {
	wire, ok := errors.AsType[*jsonrpc2.Error](err)
	return ok && (wire.Code == jsonrpc2.CodeContentModified || wire.Code == jsonrpc2.CodeServerCancelled)
}

// What a server says in prose is redacted: a hover, documentation, a complaint.
// Code, names and edits are not: they are those of files that the client reads
// itself, and must be exact.

// Hover asks for what is known of the symbol at a position; nil when nothing.
func (s *Session) Hover(ctx context.Context, at protocol.TextDocumentPositionParams) (*protocol.Hover, error) {
	h, err := call[*protocol.Hover](ctx, s, "textDocument/hover", at)
	if h != nil {
		h.Contents = s.opts.Redact.Redact(h.Contents)
	}
	return h, err
}

// Definition asks where the symbol at a position is defined.
func (s *Session) Definition(ctx context.Context, at protocol.TextDocumentPositionParams) (protocol.Locations, error) {
	return call[protocol.Locations](ctx, s, "textDocument/definition", at)
}

// Declaration asks where the symbol at a position is declared.
func (s *Session) Declaration(ctx context.Context, at protocol.TextDocumentPositionParams) (protocol.Locations, error) {
	return call[protocol.Locations](ctx, s, "textDocument/declaration", at)
}

// TypeDefinition asks where the type of the symbol at a position is defined.
func (s *Session) TypeDefinition(ctx context.Context, at protocol.TextDocumentPositionParams) (protocol.Locations, error) {
	return call[protocol.Locations](ctx, s, "textDocument/typeDefinition", at)
}

// Implementation asks what implements the symbol at a position.
func (s *Session) Implementation(ctx context.Context, at protocol.TextDocumentPositionParams) (protocol.Locations, error) {
	return call[protocol.Locations](ctx, s, "textDocument/implementation", at)
}

// References asks where the symbol at a position is used.
func (s *Session) References(ctx context.Context, at protocol.TextDocumentPositionParams, declaration bool) (protocol.Locations, error) {
	if s.opts.Known.DeclarationForUse && !declaration {
		return s.uses(ctx, at)
	}
	return call[protocol.Locations](ctx, s, "textDocument/references", protocol.ReferenceParams{
		TextDocumentPositionParams: at,
		Context:                    protocol.ReferenceContext{IncludeDeclaration: declaration},
	})
}

// uses gives the references without the declarations, by what the server itself
// says that they are.
func (s *Session) uses(ctx context.Context, at protocol.TextDocumentPositionParams) (protocol.Locations, error) {
	all, err := s.References(ctx, at, true)
	if err != nil || len(all) == 0 {
		return all, err
	}
	declared, err := s.Definition(ctx, at)
	return slices.DeleteFunc(all, func(l protocol.Location) bool {
		return slices.ContainsFunc(declared, func(d protocol.Location) bool {
			return d.URI == l.URI && d.Range.Start == l.Range.Start
		})
	}), err
}

// Highlights asks where the symbol at a position stands in its own document.
func (s *Session) Highlights(ctx context.Context, at protocol.TextDocumentPositionParams) ([]protocol.Highlight, error) {
	return call[[]protocol.Highlight](ctx, s, "textDocument/documentHighlight", at)
}

// SelectionRanges asks for the ranges around a position, the innermost first.
func (s *Session) SelectionRanges(ctx context.Context, at protocol.TextDocumentPositionParams) (protocol.SelectionRanges, error) {
	list, err := call[[]protocol.SelectionRanges](ctx, s, "textDocument/selectionRange", protocol.PositionsParams{
		TextDocument: at.TextDocument, Positions: []protocol.Position{at.Position},
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list[0], nil
}

// SignatureHelp asks how what is called around a position is called; nil when
// nothing is.
func (s *Session) SignatureHelp(ctx context.Context, at protocol.TextDocumentPositionParams) (*protocol.SignatureHelp, error) {
	help, err := call[*protocol.SignatureHelp](ctx, s, "textDocument/signatureHelp", at)
	if help == nil {
		return nil, err
	}
	hide := s.opts.Redact.Redact
	for i, signature := range help.Signatures {
		help.Signatures[i].Documentation = hide(signature.Documentation)
		for j, p := range signature.Parameters {
			signature.Parameters[j].Documentation = hide(p.Documentation)
		}
	}
	return help, err
}

// Completions asks how the text could go on at a position. trigger is the
// character that was typed last, "" when it is none that matters.
func (s *Session) Completions(ctx context.Context, at protocol.TextDocumentPositionParams, trigger string) (protocol.Completions, error) {
	params := protocol.CompletionParams{TextDocumentPositionParams: at, Context: protocol.CompletionContext{Kind: 1}}
	if trigger != "" {
		params.Context = protocol.CompletionContext{Kind: 2, Trigger: trigger}
	}
	list, err := call[protocol.Completions](ctx, s, "textDocument/completion", params)
	for i, item := range list.Items {
		list.Items[i].Detail, list.Items[i].Documentation = s.opts.Redact.Redact(item.Detail), s.opts.Redact.Redact(item.Documentation)
	}
	return list, err
}

// DocumentSymbols asks for a document's outline.
func (s *Session) DocumentSymbols(ctx context.Context, uri protocol.DocumentURI) (protocol.DocumentSymbols, error) {
	return call[protocol.DocumentSymbols](ctx, s, "textDocument/documentSymbol", documentParams(uri))
}

// WorkspaceSymbols asks for the symbols of the workspace that match a query.
func (s *Session) WorkspaceSymbols(ctx context.Context, query string) ([]protocol.WorkspaceSymbol, error) {
	return call[[]protocol.WorkspaceSymbol](ctx, s, "workspace/symbol", protocol.WorkspaceSymbolParams{Query: query})
}

// Rename asks for the edits that rename the symbol at a position; nil when it
// cannot be renamed.
func (s *Session) Rename(ctx context.Context, at protocol.TextDocumentPositionParams, name string) (*protocol.WorkspaceEdit, error) {
	return call[*protocol.WorkspaceEdit](ctx, s, "textDocument/rename", protocol.RenameParams{
		TextDocumentPositionParams: at, NewName: name,
	})
}

// PrepareRename asks whether the symbol at a position can be renamed; nil when
// it cannot.
func (s *Session) PrepareRename(ctx context.Context, at protocol.TextDocumentPositionParams) (*protocol.Renamable, error) {
	return call[*protocol.Renamable](ctx, s, "textDocument/prepareRename", at)
}

// FoldingRanges asks which lines of a document belong together.
func (s *Session) FoldingRanges(ctx context.Context, uri protocol.DocumentURI) ([]protocol.FoldingRange, error) {
	return call[[]protocol.FoldingRange](ctx, s, "textDocument/foldingRange", documentParams(uri))
}

// InlayHints asks for the hints in a range.
func (s *Session) InlayHints(ctx context.Context, in protocol.RangeParams) ([]protocol.InlayHint, error) {
	return call[[]protocol.InlayHint](ctx, s, "textDocument/inlayHint", in)
}

// Format asks for the edits that format a document, or a range of it.
func (s *Session) Format(ctx context.Context, params protocol.FormattingParams) ([]protocol.TextEdit, error) {
	method := "textDocument/formatting"
	if params.Range != nil {
		method = "textDocument/rangeFormatting"
	}
	return call[[]protocol.TextEdit](ctx, s, method, params)
}

func documentParams(uri protocol.DocumentURI) protocol.DocumentParams {
	return protocol.DocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri}}
}
