// Package terminal asks a person on the controlling terminal whether a server of
// the repository may run.
//
// It never reads stdin or writes stdout, which may be somebody else's: a pipe
// cannot answer. What was typed before the question does not count, and neither
// does Enter alone.
package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
	"time"

	"mcpls/internal/quote"
	"mcpls/internal/trust"
)

// Surface is what a decision of a terminal is kept with.
const Surface = "terminal"

// ErrEnded is a terminal that went away, or an end of its input: no answer.
var ErrEnded = errors.New("the terminal gave no answer: nothing was decided")

// Terminal is the controlling terminal.
type Terminal struct {
	in    *bufio.Reader
	out   *quote.Printer
	size  func() (width, height int) // of the screen, 0 where it does not tell
	flush func() error               // drops what was typed so far
	close func() error
}

// Close gives the terminal back.
func (t *Terminal) Close() error { return t.close() }

// Options are how to ask.
type Options struct {
	Expires time.Time             // of what is allowed; zero: never
	Only    func(trust.Case) bool // the cases to ask about
}

// Review asks about each case and gives how many were allowed and denied. A case
// that is left stays blocked.
func (t *Terminal) Review(review *trust.Review, opts Options) (allowed, denied int, err error) {
	asked := map[string]bool{}
	for {
		next, left, err := t.next(review, opts, asked)
		if err != nil || left == 0 {
			return allowed, denied, err
		}
		asked[next.Key] = true
		verdict, err := t.ask(review, next, opts.Expires, left)
		if err != nil {
			return allowed, denied, err
		}
		switch verdict {
		case trust.Allow:
			allowed++
		case trust.Deny:
			denied++
		}
	}
}

// next gives the first case that was not asked about, as it is now.
func (t *Terminal) next(review *trust.Review, opts Options, asked map[string]bool) (next trust.Case, left int, err error) {
	cases, err := review.Cases()
	if err != nil {
		return trust.Case{}, 0, err
	}
	for _, c := range cases {
		if asked[c.Key] || !opts.Only(c) {
			continue
		}
		if left == 0 {
			next = c
		}
		left++
	}
	return next, left, nil
}

// ask shows one card and takes the answer. "" is a case that was left.
func (t *Terminal) ask(review *trust.Review, c trust.Case, expires time.Time, left int) (trust.Verdict, error) {
	if err := t.show(c.Card); err != nil {
		return "", err
	}
	scope := "until you revoke it"
	if !expires.IsZero() {
		scope = "until " + expires.Local().Format(time.DateTime)
	}
	for {
		t.say("\nAllowed, it starts without asking in this workspace\n%s, as long as nothing of this changes.\n", scope)
		t.say("To allow it type  %s\nTo deny exactly this type  deny\nEnter alone keeps it blocked.  (%d to decide)\n", c.Code, left)
		line, err := t.line("> ")
		if err != nil {
			return "", err
		}
		if t.out.Err() != nil {
			return "", ErrEnded // what was not shown cannot be answered
		}
		verdict, typed := trust.Allow, line
		switch line {
		case "":
			t.say("It stays blocked.\n\n")
			return "", nil
		case "deny":
			verdict, typed = trust.Deny, ""
		}
		err = review.Decide(c.Key, typed, verdict, Surface, expires)
		switch {
		case errors.Is(err, trust.ErrWrongCode):
			t.say("That is neither the code nor deny.\n")
			continue
		case errors.Is(err, trust.ErrTooOften), errors.Is(err, trust.ErrOtherCard):
			t.say("%v. Nothing was decided.\n\n", err)
			return "", nil
		case err != nil:
			return "", err
		}
		t.say("%s\n\n", map[trust.Verdict]string{trust.Allow: "It may start.", trust.Deny: "It is denied."}[verdict])
		return verdict, nil
	}
}

// show shows a card page by page: its end, and so the code, comes when all of it
// was on the screen. The lines are broken here, so that a page has no more of them
// than the screen, and so that none begins with a part of a value.
func (t *Terminal) show(card trust.Card) error {
	width, height := t.size()
	if width <= 0 || height <= 0 {
		width, height = usualWidth, usualHeight
	}
	page := max(height-promptLines, minPage)
	lines := strings.SplitAfter(strings.TrimSuffix(card.Wrapped(width-1), "\n"), "\n")
	for {
		n := min(page, len(lines))
		t.say("%s", strings.Join(lines[:n], ""))
		if lines = lines[n:]; len(lines) == 0 {
			t.say("\n")
			return nil
		}
		if _, err := t.line(fmt.Sprintf("-- %d more lines: Enter --", len(lines))); err != nil {
			return err
		}
	}
}

const (
	// promptLines are those of the question below the last page.
	promptLines = 9
	// minPage is the least that a page is.
	minPage = 10
	// The size of a screen that does not tell its own.
	usualWidth, usualHeight = 80, 24
)

// line reads one line that was typed after this moment, and so after all that was
// shown before the prompt. An interrupt of a terminal in the usual mode is a signal
// and no line.
func (t *Terminal) line(prompt string) (string, error) {
	if err := t.flush(); err != nil {
		return "", fmt.Errorf("the terminal cannot drop what was typed before: %w", err)
	}
	t.in.Discard(t.in.Buffered())
	t.say("%s", prompt)
	line, err := t.in.ReadString('\n')
	if err != nil {
		return "", ErrEnded
	}
	return strings.TrimSpace(line), nil
}

func (t *Terminal) say(format string, args ...any) { t.out.Printf(format, args...) }
