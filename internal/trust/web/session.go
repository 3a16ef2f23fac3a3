package web

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"mcpls/internal/quote"
	"mcpls/internal/trust"
)

// session is one link and the one page that followed it. The page is shown one
// card after the other, and can only speak of the one that it was shown last.
type session struct {
	review   *trust.Review
	opts     Options
	only     trust.Case // the one case of opts.Only
	token    string     // of the link, for one use
	deadline time.Time
	ended    chan struct{} // closed when nothing is left to do
	err      error         // why it ended, once it has; nil if all is well

	mu     sync.Mutex
	secret string          // of the page, once it has shown the token; "" before
	shown  shownCard       // what the page draws now
	past   map[string]bool // keys of the cases that were decided or left here
	done   []outcome
}

// shownCard is a card that was sent to the page. Each drawing has a number of its
// own, so that an answer to an earlier one counts for nothing.
type shownCard struct {
	number int
	of     trust.Case
	seen   bool // to its end: only then has the page the code
}

// request is what the page asks. Each action reads what it needs.
type request struct {
	Card    int    `json:"card"`
	Code    string `json:"code"`
	Verdict string `json:"verdict"`
}

// answer is what the page is to show. A card is to be drawn; without one the page
// stays as it is, and without one at the end it closes with what was done.
type answer struct {
	Secret  string    `json:"secret,omitempty"`
	Seconds int       `json:"seconds,omitempty"` // until the page expires
	Card    *card     `json:"card,omitempty"`
	Code    string    `json:"code,omitempty"`
	Notice  string    `json:"notice,omitempty"`
	Ended   bool      `json:"ended,omitempty"`
	Done    []outcome `json:"done,omitempty"`
}

// card is a trust.Card as the page draws it. All its texts are plain ASCII.
type card struct {
	Number      int       `json:"number"`
	Waiting     int       `json:"waiting"` // cases that wait, with this one
	Badge       string    `json:"badge"`
	Title       string    `json:"title"`
	Changed     bool      `json:"changed"`
	Sections    []section `json:"sections"`
	Fingerprint string    `json:"fingerprint"`
	Scope       string    `json:"scope"` // how far a yes reaches
	CodeLength  int       `json:"code_length"`
}

type section struct {
	Label string `json:"label"`
	Lines []line `json:"lines"`
}

type line struct {
	Text  string   `json:"text"`
	Facts []string `json:"facts,omitempty"` // marks that warn of nothing
	Marks []string `json:"marks,omitempty"`
}

// facts are the beginnings of the marks of a card that nearly every line of their
// kind has. Drawn like the others, they would hide those.
var facts = []string{"outside the workspace", "by its place", "by its content"}

func newLine(from trust.Line) line {
	l := line{Text: from.Text}
	for _, mark := range from.Marks {
		if slices.ContainsFunc(facts, func(begin string) bool { return strings.HasPrefix(mark, begin) }) {
			l.Facts = append(l.Facts, mark)
		} else {
			l.Marks = append(l.Marks, mark)
		}
	}
	return l
}

// outcome is what became of a case.
type outcome struct {
	Server string `json:"server"`
	What   string `json:"what"`
}

// newSession makes the session of a link. It is ended already when nothing waits.
func newSession(review *trust.Review, opts Options) (*session, error) {
	s := &session{
		review: review, opts: opts, token: newSecret(),
		deadline: time.Now().Add(opts.Lifetime), ended: make(chan struct{}), past: map[string]bool{},
	}
	cases, err := review.Cases()
	if err != nil {
		return nil, err
	}
	if opts.Only != "" {
		i := slices.IndexFunc(cases, func(c trust.Case) bool { return c.Key == opts.Only })
		if i < 0 {
			return nil, trust.ErrOtherCard
		}
		s.only = cases[i]
	}
	if len(s.waiting(cases)) == 0 {
		s.end(nil)
	}
	return s, nil
}

// newSecret makes 256 bits that nobody guesses.
func newSecret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // it never fails (crypto/rand)
	return hex.EncodeToString(b[:])
}

// same compares secrets in a time that tells nothing of them.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

func (s *session) finished() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

func (s *session) end(err error) {
	if !s.finished() {
		s.err = err
		close(s.ended)
	}
}

func (s *session) followed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.secret != ""
}

// action is one thing that the page can ask for. It is called with the lock held.
type action func(*session, request) (*answer, error)

var actions = map[string]action{
	"begin":  nil, // the one that takes the token
	"seen":   (*session).seen,
	"decide": (*session).decide,
	"close":  (*session).close,
}

var (
	errRequest = &refusal{http.StatusBadRequest, "the request is not as the page makes it"}
	errExpired = &refusal{http.StatusGone, "this link has expired: run mcpls trust review again"}
	errUsed    = &refusal{http.StatusGone, "this link was used already: run mcpls trust review again"}
	errSecret  = &refusal{http.StatusForbidden, "this is no link of a review that runs: run mcpls trust review again"}
)

// do does what the page asks for, if it shows the right secret in time.
func (s *session) do(act action, secret string, req request, now time.Time) (*answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	begin, known := act == nil, s.secret != "" && same(secret, s.secret)
	if begin {
		known = same(secret, s.token)
	}
	switch {
	case !known:
		return nil, errSecret // it learns nothing of the link, not even that it expired
	case !now.Before(s.deadline) || s.finished():
		return nil, errExpired
	case !begin:
		return act(s, req)
	case s.secret != "":
		return nil, errUsed
	}
	s.secret = newSecret()
	a, err := s.next("")
	if err != nil {
		return nil, err
	}
	a.Secret, a.Seconds = s.secret, int(s.deadline.Sub(now).Seconds())
	return a, nil
}

// waiting are the cases that the page is still to show.
func (s *session) waiting(cases []trust.Case) []trust.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c trust.Case) bool {
		switch {
		case s.past[c.Key]:
			return true
		case s.opts.Only != "":
			return c.Key != s.opts.Only && !(sameEntry(c, s.only) && c.Waits())
		}
		return !c.Waits()
	})
}

// sameEntry reports whether two cases are forms of one entry of one file.
func sameEntry(a, b trust.Case) bool {
	return a.Plan.ID == b.Plan.ID && a.Plan.DeclaredIn == b.Plan.DeclaredIn && a.Plan.Root == b.Plan.Root
}

// cases asks for them anew: what is on the disk counts.
func (s *session) cases() ([]trust.Case, error) {
	cases, err := s.review.Cases()
	if err != nil {
		s.end(err)
	}
	return cases, err
}

// next shows the first case that waits, or ends the page when none does.
func (s *session) next(notice string) (*answer, error) {
	all, err := s.cases()
	if err != nil {
		return nil, err
	}
	waiting := s.waiting(all)
	if len(waiting) == 0 {
		s.shown.of, s.shown.seen = trust.Case{}, false
		s.end(nil)
		return &answer{Notice: notice, Ended: true, Done: s.done}, nil
	}
	s.shown = shownCard{number: s.shown.number + 1, of: waiting[0]}
	return &answer{Notice: notice, Card: s.draw(waiting[0], len(waiting)), Done: s.done}, nil
}

func (s *session) draw(c trust.Case, waiting int) *card {
	badge, title, _ := strings.Cut(c.Card.Title, ": ")
	drawn := &card{
		Number: s.shown.number, Waiting: waiting, Badge: badge, Title: title, Changed: len(c.Standing.Changes) > 0,
		Fingerprint: c.Card.Fingerprint, Scope: s.scope(), CodeLength: len(c.Code),
	}
	for _, part := range c.Card.Sections {
		lines := make([]line, 0, len(part.Lines))
		for _, l := range part.Lines {
			lines = append(lines, newLine(l))
		}
		drawn.Sections = append(drawn.Sections, section{part.Label, lines})
	}
	return drawn
}

func (s *session) scope() string {
	const what = "A yes covers exactly this, in this workspace, "
	if s.opts.Expires == 0 {
		return what + "until it is revoked."
	}
	return what + "for " + s.opts.Expires.String() + "."
}

// Notices of the page.
const (
	sayOld       = "The card was drawn anew meanwhile."
	sayChanged   = "What would run has changed since you were shown it. Nothing was decided."
	sayElsewhere = "It was decided elsewhere meanwhile."
	sayWrong     = "That is not the code of this card. Nothing was allowed."
	sayTooOften  = "Three wrong codes: the card has a new one. Look at it again."
	sayUnseen    = "Look at the whole card first. Nothing was allowed."
)

// current gives the case of the shown card as it is now, or a notice why the page
// is to show another one.
func (s *session) current(number int) (c trust.Case, notice string, err error) {
	if number != s.shown.number || s.shown.of.Key == "" {
		return c, sayOld, nil
	}
	all, err := s.cases()
	if err != nil {
		return c, "", err
	}
	is := func(c trust.Case) bool { return c.Key == s.shown.of.Key }
	waiting := s.waiting(all)
	if i := slices.IndexFunc(waiting, is); i >= 0 {
		return waiting[i], "", nil
	}
	if slices.ContainsFunc(all, is) {
		return c, sayElsewhere, nil
	}
	return c, sayChanged, nil
}

// seen is told that the end of the card was on screen, and gives its code. A
// script of ours tells it, so this guards against haste and not against a browser.
func (s *session) seen(req request) (*answer, error) {
	now, notice, err := s.current(req.Card)
	switch {
	case err != nil:
		return nil, err
	case notice != "":
		return s.next(notice)
	}
	s.shown.seen = true
	return &answer{Code: now.Code}, nil
}

// leave is what a person says who decides nothing now.
const leave trust.Verdict = "leave"

// decide takes what a person says of the shown card.
func (s *session) decide(req request) (*answer, error) {
	_, notice, err := s.current(req.Card)
	verdict := trust.Verdict(req.Verdict)
	switch {
	case err != nil:
		return nil, err
	case notice != "":
		return s.next(notice)
	case verdict == leave:
		return s.settle("left blocked")
	case verdict == trust.Deny:
		return s.decided(s.review.Decide(s.shown.of.Key, "", verdict, Surface, time.Time{}), "denied")
	case verdict != trust.Allow:
		return nil, errRequest
	case !s.shown.seen:
		return &answer{Notice: sayUnseen}, nil
	}
	var expires time.Time
	if s.opts.Expires != 0 {
		expires = time.Now().Add(s.opts.Expires)
	}
	return s.decided(s.review.Decide(s.shown.of.Key, req.Code, verdict, Surface, expires), "allowed")
}

// decided goes on from what the review said to a verdict.
func (s *session) decided(err error, what string) (*answer, error) {
	switch {
	case err == nil:
		return s.settle(what)
	case errors.Is(err, trust.ErrWrongCode):
		return &answer{Notice: sayWrong}, nil
	case errors.Is(err, trust.ErrTooOften):
		return s.next(sayTooOften)
	case errors.Is(err, trust.ErrOtherCard):
		return s.next(sayChanged)
	}
	s.end(err)
	return nil, fmt.Errorf("nothing was decided: %w", err)
}

// settle notes what became of the shown case, and goes on.
func (s *session) settle(what string) (*answer, error) {
	s.past[s.shown.of.Key] = true
	s.done = append(s.done, outcome{Server: `"` + quote.String(s.shown.of.Plan.ID) + `"`, What: what})
	return s.next("")
}

// close ends a page that a person has closed: what is undecided stays blocked, and
// nobody has to wait for the end of its lifetime.
func (s *session) close(request) (*answer, error) {
	s.end(nil)
	return &answer{Ended: true, Done: s.done}, nil
}

// shown makes a message safe to show on one line.
func shown(message string) string { return quote.Line(quote.Text(message)) }
