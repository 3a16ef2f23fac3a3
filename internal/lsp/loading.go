package lsp

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/quote"
)

// Progress is how far a server is with loading the workspace.
type Progress struct {
	Title, Message string
	Percentage     *int // 0 to 100; nil when the server gives none
}

// loading knows whether the server has loaded the workspace. Guarded by
// Session.mu; changed is closed and replaced whenever something changes.
type loading struct {
	ignore       bool
	title        string // only a progress of this title is a load; "" is any
	byLog        bool   // a message says that a load has ended: no progress is one
	troubleTitle string // a progress of this title says that a load failed
	expect       int    // loads that must have ended before the server is ready
	opened       time.Time

	active  map[string]Progress // by token: every load that goes on
	trouble map[string]Progress // by token: progress of the trouble title
	failure string              // what the server said of a workspace that it has not loaded whole
	warning string              // what it said is missing of one that it has loaded
	blind   string              // what it said of why it finds no errors
	busy    bool                // experimental/serverStatus said not quiescent
	ended   int                 // loads that have ended
	epoch   int                 // counts the changes
	changed chan struct{}
}

func newLoading(opts Options) loading {
	known := opts.Known.Loading
	l := loading{
		ignore: opts.IgnoreLoading || known.InOrder, opened: time.Now(),
		title: known.Title, byLog: known.Log != nil, troubleTitle: opts.Known.TroubleTitle,
		active: map[string]Progress{}, trouble: map[string]Progress{}, changed: make(chan struct{}),
	}
	switch {
	case known.AfterOpen:
	case known.PerFolder:
		l.expect = len(opts.Folders)
	case known.Signals() || opts.ExpectLoad:
		l.expect = 1
	}
	return l
}

// ExpectLoad says that a load must come of what was just sent, if none has
// come yet.
func (s *Session) ExpectLoad() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loading.expect == 0 {
		s.loading.expect, s.loading.opened = 1, time.Now()
		s.loading.notify()
	}
}

// lapse is when a load that was expected and has not come is no longer waited
// for. No server in the catalog takes that long to begin; one whose next
// version renames its progress must not be unusable for ever.
const lapse = 2 * time.Minute

// now reports whether the server loads at this moment, and how far it is. A
// load that was expected and never began counts: "not yet" is not "ready".
func (l *loading) now() (Progress, bool) {
	if l.ignore {
		return Progress{}, false
	}
	for _, p := range l.active {
		return p, true
	}
	return Progress{}, l.busy || l.ended < l.expect && time.Since(l.opened) < lapse
}

func (l *loading) notify() {
	l.epoch++
	close(l.changed)
	l.changed = make(chan struct{})
}

// Loading reports whether the server is loading the workspace, and how far.
func (s *Session) Loading() (Progress, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loading.now()
}

// LoadMark is a moment in the loading of the workspace.
type LoadMark struct {
	loading bool
	epoch   int
}

// Mark gives the present moment, for LoadedSince.
func (s *Session) Mark() LoadMark {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, is := s.loading.now()
	return LoadMark{is, s.loading.epoch}
}

// LoadedSince reports whether the server had loaded the workspace all the time
// since a mark. Only then is it sure that an answer in between knew all of it:
// a load that ends just after an answer was given is over when one looks.
func (s *Session) LoadedSince(m LoadMark) bool {
	now := s.Mark()
	return s.loading.ignore || !m.loading && !now.loading && m.epoch == now.epoch
}

// Signalled reports whether this server has shown that it signals its loads.
func (s *Session) Signalled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loading.ended > 0 || len(s.loading.active) > 0 || s.loading.busy
}

// Trouble is what the server says of a workspace that it could not load, ""
// when there is nothing.
func (s *Session) Trouble() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.loading.trouble {
		return p.Title + ": " + p.Message
	}
	return s.loading.failure
}

// Blind is what the server says of why it finds no errors in any file, "" when
// it does find them.
func (s *Session) Blind() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loading.blind
}

// WaitLoaded returns nil when the server says that it does not load, at once
// when it does not load now. It calls report, if not nil, at each change until then.
// When ctx ends first it returns ctx's cause.
func (s *Session) WaitLoaded(ctx context.Context, report func(Progress)) error {
	for {
		s.mu.Lock()
		progress, is := s.loading.now()
		changed := s.loading.changed
		s.mu.Unlock()
		if !is {
			return nil
		}
		if report != nil {
			report(progress)
		}
		select {
		case <-changed:
		case <-s.Done():
			return s.Err()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// progress follows $/progress (LSP 3.17, Work Done Progress). The value of a
// partial result has no kind and is none of ours.
func (s *Session) progress(p protocol.ProgressParams) {
	var value protocol.WorkDoneProgress
	if len(p.Token) > maxTokenBytes || json.Unmarshal(p.Value, &value) != nil {
		return
	}
	value.Title, value.Message = s.brief(value.Title), s.brief(value.Message)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loading.take(string(p.Token), value) {
		s.loading.notify()
	}
	if s.checks.take(string(p.Token), value) {
		s.diagnostics.notify()
	}
}

// maxTokenBytes bounds a token: it is kept as long as its progress goes on.
const maxTokenBytes = 256

// maxProgressBytes bounds what is kept of a progress: it is shown in one line.
const maxProgressBytes = 300

// brief gives what a server says in one line: it stands beside lines of ours. It
// redacts before it cuts: half a secret is not recognised.
func (s *Session) brief(text string) string {
	return quote.Cut(strings.Join(strings.Fields(s.opts.Redact.Redact(text)), " "), maxProgressBytes)
}

// take applies one progress value and reports whether something changed.
func (l *loading) take(token string, v protocol.WorkDoneProgress) bool {
	switch v.Kind {
	case "begin":
		return l.begin(token, v)
	case "report":
		return update(l.active, token, v) || update(l.trouble, token, v)
	case "end":
		delete(l.trouble, token)
		if _, ok := l.active[token]; !ok {
			return false
		}
		delete(l.active, token)
		l.ended++
		return true
	}
	return false
}

// maxProgress bounds the progress tokens that are followed at once: a server
// may begin as many as it likes.
const maxProgress = 256

func (l *loading) begin(token string, v protocol.WorkDoneProgress) bool {
	if len(l.active)+len(l.trouble) >= maxProgress {
		return false
	}
	p := Progress{Title: v.Title, Message: v.Message, Percentage: v.Percentage}
	switch {
	case l.troubleTitle != "" && v.Title == l.troubleTitle:
		l.trouble[token] = p
	case !l.byLog && (l.title == "" || v.Title == l.title):
		l.active[token] = p
	default:
		return false
	}
	return true
}

func update(set map[string]Progress, token string, v protocol.WorkDoneProgress) bool {
	p, ok := set[token]
	if !ok {
		return false
	}
	if v.Message != "" {
		p.Message = v.Message
	}
	if v.Percentage != nil {
		p.Percentage = v.Percentage
	}
	set[token] = p
	return true
}
