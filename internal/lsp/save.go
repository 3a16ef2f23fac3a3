package lsp

import (
	"context"
	"encoding/json"

	"mcpls/internal/lsp/protocol"
)

// saves reports whether the server wants to know of saved files (LSP 3.17,
// TextDocumentSyncOptions). A dynamic registration of it is not tracked.
func (s *Session) saves() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sync struct {
		Save json.RawMessage `json:"save"`
	}
	// A server may give a number in place of options: then it does not.
	_ = json.Unmarshal(s.capabilities.static.Providers["textDocumentSync"], &sync)
	return protocol.Provided(sync.Save)
}

// SaveBudget is how many files a server is told of in one round.
type SaveBudget struct{ First, Others int }

// TellSaved tells the server of open documents whose text has changed since it
// was last told that they were saved: what is on disk is saved. Those that
// first accepts have a budget of their own.
func (s *Session) TellSaved(ctx context.Context, first func(path string) bool, budget SaveBudget) error {
	if s.opts.Untrusted || !s.saves() {
		return nil
	}
	for _, doc := range s.openDocuments() {
		left := &budget.Others
		if first(doc.path) {
			left = &budget.First
		}
		if *left == 0 {
			continue
		}
		err := s.inTurn(ctx, doc, func() error {
			if doc.closed || doc.text == nil || doc.saved == doc.text || doc.saved != nil && doc.saved.Text == doc.text.Text {
				return nil
			}
			doc.saved = doc.text
			*left--
			return s.notify("textDocument/didSave", documentParams(doc.uri()))
		})
		if err != nil {
			return err
		}
	}
	return nil
}
