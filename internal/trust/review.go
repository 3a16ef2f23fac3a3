package trust

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"sync"
	"time"

	"mcpls/internal/launch"
)

// Verdict is what a person says of a case.
type Verdict string

// The verdicts. To leave a case as it is needs none.
const (
	Allow Verdict = "allow"
	Deny  Verdict = "deny"
)

// Case is one server of the repository that waits for a decision, or has one.
type Case struct {
	// Key names the case to Decide: what would run, and in which workspace.
	Key      string
	Plan     launch.Plan
	Standing Standing
	Card     Card
	// Code is what a person types to allow it. It is to be shown behind the whole
	// card only.
	Code string
}

// Errors of a decision.
var (
	// ErrWrongCode is a yes without the code of its card.
	ErrWrongCode = errors.New("the code is not that of the card")
	// ErrTooOften is a case that was answered with too many wrong codes: it has a
	// new one.
	ErrTooOften = errors.New("too many wrong codes: the card has a new one")
	// ErrOtherCard is a decision about what would not run any more.
	ErrOtherCard = errors.New("what would run has changed since the card was shown: look at the new one")
)

// maxWrong is how many wrong codes a card takes.
const maxWrong = 3

// Review lets a person decide about the servers of the repository. Every surface is
// one way to it, and none can decide without the code of the card. It is safe for
// concurrent use.
type Review struct {
	// Plans makes the plans of the repository's servers anew.
	Plans func() []launch.Plan
	// Standing tells how a plan stands.
	Standing func(launch.Plan) (Standing, error)
	// Keep keeps a decision.
	Keep func(plan launch.Plan, verdict Verdict, surface string, expires time.Time) error

	mu    sync.Mutex
	codes map[string]*code // by key of the case
}

type code struct {
	text  string
	wrong int
}

// Cases gives every server of the repository as it is now.
func (r *Review) Cases() ([]Case, error) {
	var cases []Case
	for _, plan := range r.Plans() {
		standing, err := r.Standing(plan)
		if err != nil {
			return nil, err
		}
		key := caseKey(plan)
		cases = append(cases, Case{Key: key, Plan: plan, Standing: standing, Card: NewCard(plan, standing), Code: r.codeOf(key).text})
	}
	return cases, nil
}

func caseKey(plan launch.Plan) string {
	w := workspaceOf(plan)
	return plan.Fingerprint() + " " + w.Identity + " " + w.Path
}

// Waits reports whether a case has no decision that holds.
func (c Case) Waits() bool { return c.Standing.State != Allowed && c.Standing.State != Denied }

func (r *Review) codeOf(key string) *code {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.codes == nil {
		r.codes = map[string]*code{}
	}
	if r.codes[key] == nil {
		r.codes[key] = &code{text: newCode()}
	}
	return r.codes[key]
}

// Decide takes a verdict about a case. A yes needs the code of its card, which is
// used up by it. The plans
// are made anew: what is kept is what would run now.
func (r *Review) Decide(key, typed string, verdict Verdict, surface string, expires time.Time) error {
	if verdict != Allow && verdict != Deny {
		return fmt.Errorf("%q is no verdict", verdict)
	}
	if verdict == Allow {
		if err := r.check(key, typed); err != nil {
			return err
		}
	}
	for _, plan := range r.Plans() {
		if caseKey(plan) == key {
			return r.Keep(plan, verdict, surface, expires)
		}
	}
	return ErrOtherCard
}

// Once takes a yes for one start: allow is given the case as it is now. It needs the
// code of the card, like every yes.
func (r *Review) Once(key, typed string, allow func(Case)) error {
	if err := r.check(key, typed); err != nil {
		return err
	}
	for _, plan := range r.Plans() {
		if caseKey(plan) == key {
			allow(Case{Key: key, Plan: plan})
			return nil
		}
	}
	return ErrOtherCard
}

// check holds a typed code to that of the card. After some wrong ones the card has
// another.
func (r *Review) check(key, typed string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.codes[key]
	if c == nil {
		return ErrOtherCard // it was never shown
	}
	if subtle.ConstantTimeCompare([]byte(typed), []byte(c.text)) == 1 {
		delete(r.codes, key) // one code, one yes
		return nil
	}
	if c.wrong++; c.wrong < maxWrong {
		return ErrWrongCode
	}
	delete(r.codes, key)
	return ErrTooOften
}

// letters are those of a code: none is taken for another one.
const letters = "23456789abcdefghjkmnpqrstuvwxyz"

// newCode is short enough to type, and not to be guessed in a few tries.
func newCode() string {
	const length = 6
	out := make([]byte, 0, length)
	var b [1]byte
	for len(out) < length {
		_, _ = rand.Read(b[:]) // it never fails (crypto/rand)
		// The last few values of a byte would make some letters more likely.
		if int(b[0]) < 256/len(letters)*len(letters) {
			out = append(out, letters[int(b[0])%len(letters)])
		}
	}
	return string(out)
}
