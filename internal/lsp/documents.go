package lsp

import (
	"context"

	"mcpls/internal/lsp/protocol"
)

// documents are the documents that are open on the server, guarded by
// Session.mu.
type documents struct {
	open    map[string]*document // by path
	tick    uint64               // counts uses, to find the least recent one
	version int32                // the last one that was given to any document
	epoch   int                  // counts the changes of files that are not open
}

// document is one open document. Whoever has its turn may compare it with the
// disk and tell the server: so two calls never send versions out of order, and
// a slow disk delays only calls about this file. version, text and closed
// belong to the holder of the turn; users and used to Session.mu.
type document struct {
	path, language string
	turn           chan struct{} // holds one token while nobody has the turn

	version int32
	text    *protocol.Mapper // as last sent; nil before didOpen
	saved   *protocol.Mapper // as the server was last told that it was saved; that of didOpen counts
	closed  bool             // forgotten: look the path up again

	users int    // held by a caller: not to be closed
	used  uint64 // documents.tick of the last use
}

func (d *document) uri() protocol.DocumentURI { return protocol.URIFromPath(d.path) }

// Held is a document that is open on the server and was current when it was
// held. It stays open until Release.
type Held struct {
	URI     protocol.DocumentURI
	Version int32
	Text    *protocol.Mapper

	session *Session
	doc     *document
}

// Release lets the session close the document when it needs the room.
func (h Held) Release() {
	h.session.mu.Lock()
	h.doc.users--
	h.session.mu.Unlock()
}

// Hold opens a document on the server, or brings it up to date with the disk,
// and keeps it open until Release. The path is canonical.
func (s *Session) Hold(ctx context.Context, path, language string) (Held, error) {
	for {
		held, current, err := s.holdCurrent(ctx, s.use(path, language))
		switch {
		case err != nil:
			held.Release()
			return Held{}, err
		case current:
			s.spawn(s.closeExcess) // the caller need not wait for it
			return held, nil
		}
		held.Release() // closed while this call waited for its turn: open it anew
	}
}

// use finds or adds the document and counts one user.
func (s *Session) use(path, language string) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	doc := s.docs.open[path]
	if doc == nil {
		doc = &document{path: path, language: language, turn: make(chan struct{}, 1)}
		doc.turn <- struct{}{}
		if s.docs.open == nil {
			s.docs.open = map[string]*document{}
		}
		s.docs.open[path] = doc
	}
	s.docs.tick++
	doc.users, doc.used = doc.users+1, s.docs.tick
	return doc
}

func (s *Session) holdCurrent(ctx context.Context, doc *document) (Held, bool, error) {
	held := Held{URI: doc.uri(), session: s, doc: doc}
	current := false
	err := s.inTurn(ctx, doc, func() error {
		if doc.closed {
			return nil
		}
		err := s.sync(doc)
		if err != nil && doc.text == nil {
			s.forget(doc) // never opened: it must not count against the limit
		}
		held.Version, held.Text, current = doc.version, doc.text, err == nil
		return err
	})
	if err != nil { // f may still be running: what it writes is not ours
		return Held{URI: doc.uri(), session: s, doc: doc}, false, err
	}
	return held, current, nil
}

// inTurn runs f once it has the document's turn. What f sends is sent whole: a
// caller whose ctx ends leaves f to finish on its own, with the turn, since a
// didOpen of which nobody knows whether it was sent could not be mended.
func (s *Session) inTurn(ctx context.Context, doc *document, f func() error) error {
	select {
	case <-doc.turn:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	done := make(chan error, 1)
	started := s.spawn(func() {
		err := f()
		doc.turn <- struct{}{}
		done <- err
	})
	if !started {
		doc.turn <- struct{}{}
		return s.Err()
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// notify tells the server something about a document. It waits until the
// message is written or the connection has ended.
func (s *Session) notify(method string, params any) error {
	return s.translate(s.conn.Notify(context.Background(), method, params))
}

// sync tells the server what the disk says now. The caller has the turn.
func (s *Session) sync(doc *document) error {
	text, err := s.opts.Source(doc.path)
	switch {
	case err != nil:
		return err
	case doc.text == nil:
		return s.didOpen(doc, text)
	case text == doc.text || text.Text == doc.text.Text:
		return nil
	}
	return s.didChange(doc, text)
}

// resend sends a document again as it is, of a server that learns in no other
// way that a file has changed which this one depends on.
func (s *Session) resend(ctx context.Context, held Held) error {
	return s.inTurn(ctx, held.doc, func() error {
		if held.doc.closed || held.doc.text == nil {
			return nil
		}
		return s.didChange(held.doc, held.doc.text)
	})
}

// nextVersion numbers the texts of all documents in one row. A document that is
// closed and opened again goes on: what the server still says of its earlier
// life is told from what it says of this one.
func (s *Session) nextVersion() int32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs.version++
	return s.docs.version
}

func (s *Session) didOpen(doc *document, text *protocol.Mapper) error {
	doc.version, doc.text, doc.saved = s.nextVersion(), text, text
	s.expectDiagnostics(doc.uri(), doc.version)
	return s.notify("textDocument/didOpen", protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{
			URI: doc.uri(), LanguageID: doc.language, Version: doc.version, Text: text.Text,
		},
	})
}

func (s *Session) didChange(doc *document, text *protocol.Mapper) error {
	doc.version, doc.text = s.nextVersion(), text
	s.expectDiagnostics(doc.uri(), doc.version)
	s.checksStale()
	return s.notify("textDocument/didChange", didChangeParams{
		DidChangeTextDocumentParams: protocol.DidChangeTextDocumentParams{
			TextDocument:   protocol.VersionedTextDocumentIdentifier{URI: doc.uri(), Version: doc.version},
			ContentChanges: []protocol.TextDocumentContentChangeEvent{{Text: text.Text}},
		},
		ForceRebuild: s.opts.Known.ForceRebuild,
	})
}

// didChangeParams has clangd's own addition to the protocol.
type didChangeParams struct {
	protocol.DidChangeTextDocumentParams
	ForceRebuild bool `json:"forceRebuild,omitempty"`
}

// didClose closes the document on the server and forgets it, in this order: a
// caller who opens it anew must come after. The caller has the turn.
func (s *Session) didClose(doc *document) error {
	defer s.forget(doc)
	if doc.text == nil {
		return nil
	}
	return s.notify("textDocument/didClose", protocol.DidCloseTextDocumentParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: doc.uri()},
	})
}

// forget drops a document. The caller has the turn; those who wait for it look
// the path up again.
func (s *Session) forget(doc *document) {
	doc.closed = true
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.docs.open, doc.path)
	s.diagnostics.forget(doc.uri())
}

// SyncAll brings every open document up to date with the disk, for a question
// about the whole workspace. A document whose file can no longer be read is
// closed, so that the server looks at the disk itself.
func (s *Session) SyncAll(ctx context.Context) error {
	for _, doc := range s.openDocuments() {
		err := s.inTurn(ctx, doc, func() error {
			if doc.closed || doc.text == nil {
				return nil
			}
			if s.sync(doc) != nil {
				return s.vanish(doc)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Vanish tells a server that looks at files late, or never, that one is gone.
func (s *Session) Vanish(ctx context.Context, path, language string) error {
	doc := s.use(path, language)
	defer Held{session: s, doc: doc}.Release()
	return s.inTurn(ctx, doc, func() error {
		if doc.closed || s.sync(doc) == nil {
			return nil // it is back
		}
		return s.vanish(doc)
	})
}

// vanish closes a document whose file is gone. A server that looks at files late
// would go on knowing the text: it is made empty first. The caller has the turn.
func (s *Session) vanish(doc *document) error {
	if !s.opts.Known.OpenChanged {
		return s.didClose(doc)
	}
	var err error
	switch empty := protocol.NewMapper(""); {
	case doc.text == nil:
		err = s.didOpen(doc, empty)
	case doc.text.Text != "":
		err = s.didChange(doc, empty)
	}
	if err != nil || s.opts.Known.IndexedAtPublish {
		return err // it stays open: what is closed too early is not indexed
	}
	return s.didClose(doc)
}

func (s *Session) openDocuments() []*document {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*document, 0, len(s.docs.open))
	for _, doc := range s.docs.open {
		list = append(list, doc)
	}
	return list
}

// closeExcess closes the least recently used documents past the limit. One
// that somebody uses stays open: the limit is then exceeded for a while.
func (s *Session) closeExcess() {
	for {
		doc := s.leastRecent()
		if doc == nil {
			return
		}
		err := s.didClose(doc)
		doc.turn <- struct{}{}
		if err != nil {
			return // the connection has ended, and the documents with it
		}
	}
}

// leastRecent takes the turn of the document to close, if one is to be closed.
func (s *Session) leastRecent() *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opts.MaxDocuments == 0 || len(s.docs.open) <= s.opts.MaxDocuments {
		return nil
	}
	var oldest *document
	for _, doc := range s.docs.open {
		if doc.users == 0 && (oldest == nil || doc.used < oldest.used) {
			oldest = doc
		}
	}
	if oldest == nil {
		return nil
	}
	select {
	case <-oldest.turn:
		return oldest
	default:
		return nil // being synced: it is in use after all
	}
}
