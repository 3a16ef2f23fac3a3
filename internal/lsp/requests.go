package lsp

import (
	"context"
	"errors"
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

// Hover asks for what is known of the symbol at a position; nil when nothing.
func (s *Session) Hover(ctx context.Context, at protocol.TextDocumentPositionParams) (*protocol.Hover, error) {
	return call[*protocol.Hover](ctx, s, "textDocument/hover", at)
}

// Definition asks where the symbol at a position is defined.
func (s *Session) Definition(ctx context.Context, at protocol.TextDocumentPositionParams) (protocol.Locations, error) {
	return call[protocol.Locations](ctx, s, "textDocument/definition", at)
}

// References asks where the symbol at a position is used.
func (s *Session) References(ctx context.Context, at protocol.TextDocumentPositionParams, declaration bool) (protocol.Locations, error) {
	return call[protocol.Locations](ctx, s, "textDocument/references", protocol.ReferenceParams{
		TextDocumentPositionParams: at,
		Context:                    protocol.ReferenceContext{IncludeDeclaration: declaration},
	})
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

func documentParams(uri protocol.DocumentURI) protocol.DocumentParams {
	return protocol.DocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri}}
}
