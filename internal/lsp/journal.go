package lsp

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"mcpls/internal/quote"
)

// Bounds of a journal. A server writes as much as it likes.
const (
	maxLogs       = 500
	maxMessages   = 100
	maxEntryBytes = 2 << 10
)

// Level is how grave an entry is: the protocol's MessageType.
type Level int

// The levels of the protocol (LSP 3.17, ShowMessage Notification).
const (
	LevelError Level = iota + 1
	LevelWarning
	LevelInfo
	LevelDebug
)

var levels = [...]string{LevelError: "error", LevelWarning: "warning", LevelInfo: "info", LevelDebug: "debug"}

// Levels are the names of the levels, the gravest first.
func Levels() []string { return levels[LevelError:] }

// String gives the level's name; one that the protocol does not know reads as
// debug.
func (l Level) String() string {
	if l >= LevelError && l < LevelDebug {
		return levels[l]
	}
	return levels[LevelDebug]
}

// Entry is one thing that a server said.
type Entry struct {
	Time  time.Time
	Level Level
	Text  string // redacted and cut
}

// Journal keeps the last things that a server said, over its restarts. It is
// safe for concurrent use; the zero value is ready.
type Journal struct {
	mu             sync.Mutex
	logs, messages []Entry
}

// Logs gives what the server logged, the oldest first.
func (j *Journal) Logs() []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.logs)
}

// Messages gives what the server wanted to show the user, the oldest first.
func (j *Journal) Messages() []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.messages)
}

func (j *Journal) log(e Entry) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.logs = last(append(j.logs, e), maxLogs)
}

func (j *Journal) message(e Entry) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.messages = last(append(j.messages, e), maxMessages)
}

func last(list []Entry, n int) []Entry { return slices.Delete(list, 0, max(0, len(list)-n)) }

// messageParams are those of window/logMessage, showMessage and
// showMessageRequest.
type messageParams struct {
	Type    Level  `json:"type"`
	Message string `json:"message"`
}

// entry redacts before it cuts: half a secret is not recognised.
func (s *Session) entry(p messageParams) Entry {
	return Entry{time.Now(), p.Type, quote.Cut(s.opts.Redact.Redact(p.Message), maxEntryBytes)}
}

func (s *Session) logMessage(p messageParams) {
	e := s.entry(p)
	s.opts.Log.Debug("message from the server", "type", p.Type, "message", e.Text)
	s.opts.Journal.log(e)
}

func (s *Session) showMessage(p messageParams) {
	e := s.entry(p)
	s.opts.Log.Debug("message from the server for the user", "type", p.Type, "message", e.Text)
	s.opts.Journal.message(e)
}

// refused notes an act that the server asked for and mcpls did not do.
func (s *Session) refused(what string) {
	s.showMessage(messageParams{LevelInfo, fmt.Sprintf("mcpls refused %s", what)})
}
