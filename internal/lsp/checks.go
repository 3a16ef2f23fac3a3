package lsp

import (
	"mcpls/internal/lsp/protocol"
)

// checks follows the compiler that a server runs when it has loaded and when a
// file is saved, and whose errors it pushes. Guarded by Session.mu.
type checks struct {
	title string // of its progress; "": there is none

	active map[string]bool // by token
	begun  int
	ended  int
	need   int  // so many must have ended before its errors are known
	stale  bool // files have changed since it was last asked to run
}

func newChecks(opts Options) checks {
	known := opts.Known
	c := checks{title: known.CheckTitle, active: map[string]bool{}, need: 1}
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
	switch {
	case c.title == "":
		return false
	case v.Kind == "begin" && v.Title == c.title && len(c.active) < maxProgress:
		c.active[token] = true
		c.begun++
		return true
	case v.Kind == "end" && c.active[token]:
		delete(c.active, token)
		c.ended++
		return true
	}
	return false
}

// done reports whether the compiler has looked at the files as they are.
func (c *checks) done() bool {
	return c.title == "" || !c.stale && len(c.active) == 0 && c.ended >= c.need
}

// filesChanged notes that what the compiler said may be about older files.
func (s *Session) filesChanged() {
	s.mu.Lock()
	s.checks.stale = true
	s.mu.Unlock()
}

// askCheck has the compiler run again if files have changed since it last did.
// It runs when a file is saved, and what is on disk is saved.
func (s *Session) askCheck(uri protocol.DocumentURI) error {
	s.mu.Lock()
	ask := s.checks.title != "" && s.checks.stale
	if ask {
		s.checks.stale, s.checks.need = false, s.checks.begun+1
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
	return s.checks.done()
}
