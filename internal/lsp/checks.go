package lsp

import "mcpls/internal/lsp/protocol"

// checks follows the compiler that a server runs when it has loaded and when a
// file is saved, and whose errors it pushes. Guarded by Session.mu.
type checks struct {
	title string // of its progress; "": there is none

	active map[string]*check // by token
	begun  int               // how many have begun: the number of the last one
	over   int               // the number of the last one that has ended, however
	done   int               // the number of the last one that ran to its end
	need   int               // one of this number or a later one must have, before its errors are known
	stale  bool              // files have changed since it was last asked to run
	silent bool              // the last run ended without a word, and none has begun since
}

// check is one run of the compiler.
type check struct {
	number int
	// spoke says that it has told of a crate, or that errors were published
	// meanwhile. One that ends without a word was called off for the next one,
	// which has not begun yet: it tells nothing.
	spoke bool
}

func newChecks(opts Options) checks {
	known := opts.Known
	c := checks{title: known.CheckTitle, active: map[string]*check{}, need: 1}
	if opts.Untrusted {
		c.title = "" // it runs at a save, of which the server is not told
	}
	if known.CheckSwitch == "" {
		return c
	}
	settings := opts.Settings
	for _, name := range known.Sections {
		if part, ok := section(opts.Settings, name).(map[string]any); ok {
			settings = part
		}
	}
	if opts.InitOptions[known.CheckSwitch] == false || settings[known.CheckSwitch] == false {
		c.title = ""
	}
	return c
}

// take applies one progress value and reports whether something changed.
func (c *checks) take(token string, v protocol.WorkDoneProgress) bool {
	run := c.active[token]
	switch {
	case c.title == "":
		return false
	case v.Kind == "begin" && v.Title == c.title && len(c.active) < maxProgress:
		c.begun++
		c.silent = false
		c.active[token] = &check{number: c.begun}
		return true
	case v.Kind == "report" && run != nil:
		run.spoke = true
	case v.Kind == "end" && run != nil:
		delete(c.active, token)
		c.over = max(c.over, run.number)
		if c.silent = !run.spoke; run.spoke {
			c.done = max(c.done, run.number)
		}
		return true
	}
	return false
}

// published notes that there were errors to publish.
func (c *checks) published() {
	for _, run := range c.active {
		run.spoke = true
	}
}

// known reports whether the compiler has looked at the files as they are.
func (c *checks) known() bool {
	return c.title == "" || !c.stale && len(c.active) == 0 && c.done >= c.need
}

// checksStale notes that what the compiler said may be about older files.
func (s *Session) checksStale() {
	s.mu.Lock()
	s.checks.stale = true
	s.mu.Unlock()
}

// askCheck has the compiler run again if files have changed since it last did.
// It runs when a file is saved, and what is on disk is saved. While a run that
// was asked for before is not over nothing is asked: its end, which is about an
// older text, would be taken for that of the new one. One that ended without a word,
// and was followed by none, is asked for again: else nothing would ever be known.
func (s *Session) askCheck(uri protocol.DocumentURI) error {
	s.mu.Lock()
	c := &s.checks
	ask := c.title != "" && (c.stale || c.silent && c.done < c.need) && len(c.active) == 0 && c.over >= c.need
	if ask {
		c.stale, c.silent, c.need = false, false, c.begun+1
	}
	s.mu.Unlock()
	if !ask {
		return nil
	}
	return s.notify("textDocument/didSave", documentParams(uri))
}

// checked reports whether the compiler's errors are known.
func (s *Session) checked() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.checks.known()
}
