package router

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"maps"
	"slices"
	"sync"
	"time"

	"mcpls/internal/catalog"
	"mcpls/internal/lsp"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/workspace"
)

// Bounds of the sweep: each save may run build scripts and macros of the
// workspace.
const (
	sweepEvery       = 2 * time.Second
	savedSubscribed  = 64 // files a server and round
	savedOthers      = 32
	pulledSubscribed = 64
)

// watched are the documents whose diagnostics somebody follows, and what is to
// be told of them.
type watched struct {
	mu     sync.Mutex
	docs   map[string]*watchedDoc // by path
	sweeps bool                   // a goroutine sweeps

	updated map[string]bool // paths, told of and not taken yet
	signal  chan struct{}   // has a token while updated has a path
}

type watchedDoc struct {
	workspace.Document
	times  int              // how often it is followed
	pulled uint64           // digest of what was pulled last
	shown  *protocol.Mapper // the text that it was shown last
	to     *run             // and by which run of the server
}

// Follow looks after a document until Unfollow is called as often: while there
// is one, the open documents of its server are compared with the disk every two
// seconds, and the server is told of what was saved.
func (r *Router) Follow(doc workspace.Document) {
	r.watched.mu.Lock()
	defer r.watched.mu.Unlock()
	if r.watched.docs == nil {
		r.watched.docs = map[string]*watchedDoc{}
	}
	if r.watched.docs[doc.Path] == nil {
		r.watched.docs[doc.Path] = &watchedDoc{Document: doc}
	}
	r.watched.docs[doc.Path].times++
	if !r.watched.sweeps {
		r.watched.sweeps = r.spawn(r.sweep)
	}
}

// Unfollow ends one Follow.
func (r *Router) Unfollow(doc workspace.Document) {
	r.watched.mu.Lock()
	defer r.watched.mu.Unlock()
	if w := r.watched.docs[doc.Path]; w != nil {
		if w.times--; w.times == 0 {
			delete(r.watched.docs, doc.Path)
		}
	}
}

// Updated gives the paths of followed documents about which a server has spoken
// since the last call, each once, and waits until there is one or ctx ends.
func (r *Router) Updated(ctx context.Context) []string {
	select {
	case <-r.watched.signal:
	case <-ctx.Done():
		return nil
	}
	r.watched.mu.Lock()
	defer r.watched.mu.Unlock()
	paths := slices.Sorted(maps.Keys(r.watched.updated))
	r.watched.updated = nil
	return paths
}

// update notes that a server has spoken about a document. It does not block.
func (r *Router) update(path string) {
	r.watched.mu.Lock()
	defer r.watched.mu.Unlock()
	if r.watched.docs[path] == nil {
		return
	}
	if r.watched.updated == nil {
		r.watched.updated = map[string]bool{}
	}
	r.watched.updated[path] = true
	select {
	case r.watched.signal <- struct{}{}:
	default:
	}
}

// published takes a publish of a session.
func (r *Router) published(uri protocol.DocumentURI) {
	if doc, inside := r.opts.Workspace.Contains(uri.Path()); inside {
		r.update(doc.Path)
	}
}

// sweep goes on while a document is followed.
func (r *Router) sweep() {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		groups := r.followed()
		if groups == nil {
			return
		}
		for s, docs := range groups {
			if err := s.sweep(r.ctx, docs); err != nil && r.ctx.Err() == nil {
				r.opts.Log.Debug("sweep failed", "server", s.ID, "error", err)
			}
		}
		select {
		case <-ticker.C:
		case <-r.ctx.Done():
			return
		}
	}
}

// followed gives the followed documents by the server that is asked for their
// diagnostics; nil, and the end of the sweep, when there is none.
func (r *Router) followed() map[*server][]*watchedDoc {
	r.watched.mu.Lock()
	docs := slices.Collect(maps.Values(r.watched.docs))
	r.watched.sweeps = len(docs) > 0
	r.watched.mu.Unlock()
	if len(docs) == 0 {
		return nil
	}
	groups := map[*server][]*watchedDoc{}
	for _, doc := range docs {
		// One without a server has nothing to be told of. A server that does not
		// start is not tried over and over while nobody asks.
		if s, err := r.route(r.ctx, doc.Document, catalog.Diagnostics, nil); err == nil && s.failure() == nil {
			groups[s] = append(groups[s], doc)
		}
	}
	return groups
}

// sweep brings the open documents of a server up to date, opens the followed
// ones, tells of saved files, and asks a server that tells diagnostics only
// when it is asked.
func (s *server) sweep(ctx context.Context, docs []*watchedDoc) error {
	run, err := s.session(ctx, nil)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.RequestTimeout)
	defer cancel()
	if err := s.tellChanges(ctx, run); err != nil {
		return err
	}
	if err := run.session.SyncAll(ctx); err != nil {
		return err
	}
	follows := map[string]bool{}
	for _, doc := range docs {
		follows[doc.Path] = true
		// One that is as it was shown is not opened again: more may be followed
		// than are open at once.
		if text, err := s.router.opts.Workspace.Load(doc.Path); err != nil || text == doc.shown && run == doc.to {
			continue // deleted, or not readable at this moment
		}
		held, err := run.session.Hold(ctx, doc.Path, doc.Language)
		if err != nil {
			continue
		}
		doc.shown, doc.to = held.Text, run
		held.Release()
	}
	budget := lsp.SaveBudget{First: savedSubscribed, Others: savedOthers}
	if err := run.session.TellSaved(ctx, func(path string) bool { return follows[path] }, budget); err != nil {
		return err
	}
	if !run.session.PullsOnly() {
		return nil
	}
	for _, doc := range docs[:min(len(docs), pulledSubscribed)] {
		if err := s.pullFollowed(ctx, doc); err != nil {
			return err
		}
	}
	return nil
}

// pullFollowed tells of a document when what is pulled of it has changed.
func (s *server) pullFollowed(ctx context.Context, doc *watchedDoc) error {
	q := diagnosticsOf(doc.Document, sweepEvery)
	q.whole = false // the sweep has told what has changed
	answer, err := askServer(ctx, s, &Place{Document: doc.Document}, nil, q)
	if err != nil || !answer.Value.Settled {
		return err
	}
	h := fnv.New64a()
	// Diagnostics came from JSON: they always marshal.
	_ = json.NewEncoder(h).Encode(answer.Value.Items)
	if digest := h.Sum64(); digest != doc.pulled {
		doc.pulled = digest
		s.router.update(doc.Path)
	}
	return nil
}

// PublishedFiles gives the documents of the workspace about which servers have
// published, at most limit.
func (r *Router) PublishedFiles(limit int) []workspace.Document {
	found := map[string]workspace.Document{}
	for _, s := range r.servers {
		session := s.currentSession()
		if session == nil {
			continue
		}
		for _, uri := range session.PublishedFiles() {
			if doc, inside := r.opts.Workspace.Contains(uri.Path()); inside {
				found[doc.Path] = doc
			}
		}
	}
	var list []workspace.Document
	for _, path := range slices.Sorted(maps.Keys(found))[:min(len(found), limit)] {
		list = append(list, found[path])
	}
	return list
}
