package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"mcpls/internal/lsp/protocol"
)

// maxPublished bounds the files whose published diagnostics are kept.
const maxPublished = 1000

// maxPublishedBytes bounds what is kept of them all: a message alone may have
// the length of jsonrpc2.MaxMessageBytes.
const maxPublishedBytes = 32 << 20

// maxURIBytes is longer than any path is. What is published for a longer one is
// dropped: it is remembered by its URI.
const maxURIBytes = 16 << 10

// maxEvicted bounds the files of which it is remembered that they were dropped.
const maxEvicted = 100_000

// diagnosticsCache holds what the server published, guarded by Session.mu.
type diagnosticsCache struct {
	byURI     map[protocol.DocumentURI]*published
	bytes     int // of the items of all of them
	tick      uint64
	versioned bool          // the server names versions
	changed   chan struct{} // closed and replaced at each publish; nil before the first wait

	evicted map[protocol.DocumentURI]bool // dropped for want of room, and not published since
}

// published is the last publish for one file.
type published struct {
	items   []protocol.Diagnostic
	bytes   int   // of items
	version int32 // of the document; 0 when the server named none
	wanted  int32 // the version that was sent last
	fresh   bool  // items speak about wanted
	exact   bool  // fresh, and the server named the version
	epoch   int   // of the files when wanted was sent
	tick    uint64
}

func (c *diagnosticsCache) entry(uri protocol.DocumentURI) *published {
	if e := c.byURI[uri]; e != nil {
		return e
	}
	if c.byURI == nil {
		c.byURI = map[protocol.DocumentURI]*published{}
	}
	if len(c.byURI) >= maxPublished {
		c.evict()
	}
	e := &published{}
	c.byURI[uri] = e
	delete(c.evicted, uri)
	return e
}

// evict drops the file that was published longest ago. An open document stays:
// its wanted version tells an old publish from a current one, and the limit on
// documents bounds how many there are.
func (c *diagnosticsCache) evict() {
	var oldest protocol.DocumentURI
	for uri, e := range c.byURI {
		if e.wanted == 0 && (oldest == "" || e.tick < c.byURI[oldest].tick) {
			oldest = uri
		}
	}
	if oldest == "" {
		return // all are open
	}
	c.markEvicted(oldest)
	c.forget(oldest)
}

func (c *diagnosticsCache) markEvicted(uri protocol.DocumentURI) {
	if len(c.evicted) >= maxEvicted || c.evicted == nil {
		c.evicted = map[protocol.DocumentURI]bool{}
	}
	c.evicted[uri] = true
}

func (c *diagnosticsCache) forget(uri protocol.DocumentURI) {
	c.keep(c.byURI[uri], nil)
	delete(c.byURI, uri)
}

// keep sets the items of a file.
func (c *diagnosticsCache) keep(e *published, items []protocol.Diagnostic) {
	if e == nil {
		return
	}
	size := 0
	for _, d := range items {
		size += sizeOf(d)
	}
	c.bytes += size - e.bytes
	e.items, e.bytes = items, size
}

// shrink drops what was published longest ago, of open documents too, until the
// rest is within maxPublishedBytes. Of an open document it is then not known
// what the server has said.
func (c *diagnosticsCache) shrink() {
	for c.bytes > maxPublishedBytes {
		var oldest protocol.DocumentURI
		for uri, e := range c.byURI {
			if e.bytes > 0 && (oldest == "" || e.tick < c.byURI[oldest].tick) {
				oldest = uri
			}
		}
		c.markEvicted(oldest)
		if e := c.byURI[oldest]; e.wanted != 0 {
			c.keep(e, nil)
			e.fresh, e.exact = false, false
			continue
		}
		c.forget(oldest)
	}
}

// sizeOf is about how much memory a diagnostic takes.
func sizeOf(d protocol.Diagnostic) int {
	const fields = 200
	size := fields + len(d.Code) + len(d.Source) + len(d.Message) + len(d.Data)
	for _, r := range d.Related {
		size += fields + len(r.Location.URI) + len(r.Message)
	}
	return size
}

// expectDiagnostics notes, before a version is sent, that what was published
// so far is about an older one.
func (s *Session) expectDiagnostics(uri protocol.DocumentURI, version int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.diagnostics.entry(uri)
	e.wanted, e.fresh, e.exact, e.epoch = version, false, false, s.docs.epoch
}

// outdated reports whether files have changed since a document was sent that a
// server which pushes only would not look at again by itself.
func (s *Session) outdated(uri protocol.DocumentURI) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.diagnostics.byURI[uri]
	return s.opts.Known.ForceRebuild && e != nil && e.epoch != s.docs.epoch
}

// publish takes textDocument/publishDiagnostics. A publish without a version
// counts for the version last sent, unless the server is one that names
// versions: then it speaks about the file on disk and not about the document.
func (s *Session) publish(p protocol.PublishDiagnosticsParams) {
	if s.keep(p) && s.opts.Published != nil {
		s.opts.Published(p.URI)
	}
}

// keep takes what was published and reports whether it is about the text that
// was sent last.
func (s *Session) keep(p protocol.PublishDiagnosticsParams) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(p.URI) > maxURIBytes {
		return false
	}
	c := &s.diagnostics
	e := c.entry(p.URI)
	c.tick++
	e.tick, e.version = c.tick, 0
	c.keep(e, s.redact(p.Diagnostics))
	if len(p.Diagnostics) > 0 {
		s.checks.published()
	}
	if p.Version == nil {
		e.fresh, e.exact = !c.versioned, false
	} else {
		c.versioned = true
		e.version = *p.Version
		// Of an older version, or of a newer one that was never sent: not ours.
		e.fresh = e.version == e.wanted || e.wanted == 0
		e.exact = e.fresh
	}
	c.shrink()
	c.notify()
	return e.fresh
}

// PublishedFiles gives the files about which the server has published and is
// remembered.
func (s *Session) PublishedFiles() []protocol.DocumentURI {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []protocol.DocumentURI
	for uri, e := range s.diagnostics.byURI {
		if e.tick > 0 {
			list = append(list, uri)
		}
	}
	return list
}

func (c *diagnosticsCache) notify() {
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// AwaitPublished waits until the server has published the errors of every open
// document as it was last sent.
func (s *Session) AwaitPublished(ctx context.Context) error {
	for {
		waiting, changed := s.unpublished()
		if !waiting {
			return nil
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

func (s *Session) unpublished() (bool, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &s.diagnostics
	if c.changed == nil {
		c.changed = make(chan struct{})
	}
	for _, e := range c.byURI {
		if e.wanted != 0 && !e.fresh {
			return true, c.changed
		}
	}
	return false, c.changed
}

// Origin is where a diagnostics report came from.
type Origin string

// The two origins. A pulled report has what was pushed for the same version
// merged into it.
const (
	OriginPull Origin = "pull"
	OriginPush Origin = "push_cache"
)

// Report is what the server says about one version of a document. While
// Settled is false the server has not spoken about that version: the items, if
// any, are about an older text, and none is no sign of a clean file.
type Report struct {
	Items   []protocol.Diagnostic
	Origin  Origin
	Settled bool
	// Exact is false when the server does not name the version that it speaks
	// about: it came after the version was sent, and may be about the one before.
	Exact bool
}

// Diagnostics gives the diagnostics of a held document: a pulled report if the
// server offers one, else what it pushes for this version, waited for until
// wait has passed. Only a lost connection and the end of ctx are errors; that
// wait has passed leaves the report unsettled.
func (s *Session) Diagnostics(ctx context.Context, held Held, wait time.Duration) (Report, error) {
	waitCtx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if s.outdated(held.URI) {
		if err := s.resend(ctx, held); err != nil {
			return Report{}, err
		}
	}
	pulled := false
	var own *Report // pulled, while a compiler may have more to say
	for {
		if err := s.askCheck(held.URI); err != nil {
			return Report{}, err
		}
		report, changed := s.pushed(held.URI)
		// A server may offer to pull only some time after it has started.
		if !pulled && s.pulls() {
			pulled = true
			items, err := s.Pull(waitCtx, held)
			switch {
			case err != nil: // for some kinds of file it may
				s.opts.Log.Debug("pulling diagnostics failed", "uri", string(held.URI), "error", err)
			case !s.checked():
				own = &Report{Items: items, Origin: OriginPull, Settled: len(items) > 0, Exact: true}
			case s.complete(held.URI, items):
				return s.withPushed(held, items), nil
			}
			continue // what is pushed decides
		}
		if s.Blind() != "" && len(report.Items) == 0 {
			report.Settled = true // it will say no more
			return report, nil
		}
		switch {
		case own != nil && s.checked():
			return s.withPushed(held, own.Items), nil
		case own != nil:
			report = *own
		case report.Settled && s.checked():
			return report, nil
		case report.Settled:
			report.Settled = len(report.Items) > 0
		}
		select {
		case <-changed:
		case <-s.Done():
			return report, s.Err()
		case <-waitCtx.Done():
			return report, context.Cause(ctx)
		}
	}
}

// complete reports whether a pulled report may stand alone. An empty one may
// not where the server also pushes, until it has pushed an empty list for this
// file.
func (s *Session) complete(uri protocol.DocumentURI, items []protocol.Diagnostic) bool {
	if len(items) > 0 || !s.opts.Known.PushesToo {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.diagnostics.byURI[uri]
	return e != nil && (e.fresh || e.version != 0) && len(e.items) == 0
}

// withPushed adds to a pulled report what was pushed for the same version.
func (s *Session) withPushed(held Held, items []protocol.Diagnostic) Report {
	if report, _ := s.pushed(held.URI); report.Settled {
		items = merge(items, report.Items)
	}
	return Report{Items: items, Origin: OriginPull, Settled: true, Exact: true}
}

const pullMethod = "textDocument/diagnostic"

// PullsOnly reports whether the server tells diagnostics only when it is asked.
func (s *Session) PullsOnly() bool { return s.pulls() && !s.opts.Known.PushesToo }

// pulls reports whether the server can be asked for diagnostics at this moment.
func (s *Session) pulls() bool { return s.opts.Known.Tsserver || s.Supports(pullMethod) }

// Pull asks the server for the diagnostics of a held document.
func (s *Session) Pull(ctx context.Context, held Held) ([]protocol.Diagnostic, error) {
	if s.opts.Known.Tsserver {
		return s.pullTsserver(ctx, held)
	}
	report, err := call[protocol.DocumentDiagnosticReport](ctx, s, pullMethod, documentParams(held.URI))
	return s.redact(report.Items), err
}

// redact hides secrets in what is shown of fresh items. Data is given back to
// the server only.
func (s *Session) redact(items []protocol.Diagnostic) []protocol.Diagnostic {
	hide := s.opts.Redact.Redact
	for i, d := range items {
		items[i].Message, items[i].Source = hide(d.Message), hide(d.Source)
		if code := d.CodeString(); hide(code) != code {
			items[i].Code, _ = json.Marshal(hide(code)) // a string always marshals
		}
		for j, r := range d.Related {
			items[i].Related[j].Message = hide(r.Message)
		}
	}
	return items
}

// Published gives what the server last pushed for a file, asking nothing and
// waiting for nothing.
func (s *Session) Published(uri protocol.DocumentURI) (report Report, known, evicted bool) {
	report, _ = s.pushed(uri)
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.diagnostics.byURI[uri]
	return report, e != nil && e.tick > 0, s.diagnostics.evicted[uri]
}

// pushed gives what was published for a document, and a channel that is closed
// when there may be more to know: at a publish, and when the server offers or
// takes back a request.
func (s *Session) pushed(uri protocol.DocumentURI) (Report, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &s.diagnostics
	if c.changed == nil {
		c.changed = make(chan struct{})
	}
	report := Report{Origin: OriginPush}
	if e := c.byURI[uri]; e != nil {
		report.Items, report.Settled, report.Exact = cloneDiagnostics(e.items), e.fresh, e.exact
	}
	return report, c.changed
}

// cloneDiagnostics copies what the caller may convert.
func cloneDiagnostics(items []protocol.Diagnostic) []protocol.Diagnostic {
	items = slices.Clone(items)
	for i := range items {
		items[i].Related = slices.Clone(items[i].Related)
	}
	return items
}

// merge adds to pulled what was pushed and is not there yet. Two diagnostics
// are the same when range, severity, code and message are: nothing is dropped
// for being near another.
func merge(pulled, pushed []protocol.Diagnostic) []protocol.Diagnostic {
	for _, d := range pushed {
		if !slices.ContainsFunc(pulled, func(p protocol.Diagnostic) bool { return same(p, d) }) {
			pulled = append(pulled, d)
		}
	}
	return pulled
}

func same(a, b protocol.Diagnostic) bool {
	return a.Range == b.Range && a.Severity == b.Severity &&
		bytes.Equal(a.Code, b.Code) && a.Message == b.Message
}
