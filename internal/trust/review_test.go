//go:build !windows

package trust

import (
	"errors"
	"strings"
	"testing"
	"time"

	"mcpls/internal/launch"
)

// reviewed is a review of plans that a test can change, and what it kept.
type reviewed struct {
	*Review
	plans []launch.Plan
	kept  []string
}

func newReview(plans ...launch.Plan) *reviewed {
	r := &reviewed{plans: plans}
	gate := NewGate(Options{})
	r.Review = &Review{
		Plans:    func() []launch.Plan { return r.plans },
		Standing: gate.Standing,
		Keep: func(plan launch.Plan, verdict Verdict, surface string, _ time.Time) error {
			r.kept = append(r.kept, string(verdict)+" "+plan.ID+" "+surface)
			return nil
		},
	}
	return r
}

func (r *reviewed) first(t *testing.T) Case {
	t.Helper()
	cases, err := r.Cases()
	if err != nil || len(cases) == 0 {
		t.Fatalf("%v, %v", cases, err)
	}
	return cases[0]
}

func TestReview(t *testing.T) {
	r := newReview(asked())
	c := r.first(t)
	if again := r.first(t); again.Code != c.Code || again.Key != c.Key || !c.Waits() {
		t.Errorf("%+v, then %+v", c, again)
	}
	for _, verdict := range []Verdict{"", "Allow", "yes"} {
		if err := r.Decide(c.Key, c.Code, verdict, "x", time.Time{}); err == nil {
			t.Errorf("%q is a verdict", verdict)
		}
	}
	if err := r.Decide(c.Key, c.Code, Allow, "x", time.Time{}); err != nil || strings.Join(r.kept, ",") != "allow srv@project x" {
		t.Errorf("%v, %q", err, r.kept)
	}
	if err := r.Decide(c.Key, c.Code, Allow, "x", time.Time{}); !errors.Is(err, ErrOtherCard) {
		t.Errorf("a code that was used: %v", err)
	}
	if err := r.Decide(c.Key, "", Deny, "y", time.Time{}); err != nil || r.kept[1] != "deny srv@project y" {
		t.Errorf("%v, %q", err, r.kept)
	}
	if r.first(t).Code == c.Code {
		t.Error("a used code is that of the next card")
	}
}

func TestWrongCodes(t *testing.T) {
	r := newReview(asked())
	c := r.first(t)
	for i, typed := range []string{"", strings.ToUpper(c.Code), c.Code + "x"} {
		want := ErrWrongCode
		if i == maxWrong-1 {
			want = ErrTooOften
		}
		if err := r.Decide(c.Key, typed, Allow, "x", time.Time{}); !errors.Is(err, want) {
			t.Errorf("try %d: %v, want %v", i+1, err, want)
		}
	}
	if err := r.Decide(c.Key, c.Code, Allow, "x", time.Time{}); !errors.Is(err, ErrOtherCard) {
		t.Errorf("the code after three wrong ones: %v", err)
	}
	if again := r.first(t); again.Code == c.Code || r.Decide(again.Key, c.Code, Allow, "x", time.Time{}) == nil {
		t.Error("the old code is taken")
	}
	if err := r.Decide("never shown", "", Allow, "x", time.Time{}); !errors.Is(err, ErrOtherCard) {
		t.Errorf("a card that was never shown: %v", err)
	}
	if len(r.kept) > 0 {
		t.Errorf("kept: %q", r.kept)
	}
}

// What changed between the card and the answer is not decided about.
func TestChangedBehindTheCard(t *testing.T) {
	for name, change := range map[string]func(p *launch.Plan){
		"an argument": func(p *launch.Plan) { p.Declared.Args = []string{"x"} },
		"a file":      func(p *launch.Plan) { p.Files[1].Digest = strings.Repeat("00", 32) },
		"the place":   func(p *launch.Plan) { p.RootIdentity = "9:9" },
	} {
		for _, verdict := range []Verdict{Allow, Deny} {
			r := newReview(asked())
			c := r.first(t)
			r.plans = []launch.Plan{asked(change)}
			if err := r.Decide(c.Key, c.Code, verdict, "x", time.Time{}); !errors.Is(err, ErrOtherCard) || len(r.kept) > 0 {
				t.Errorf("%s, %s: %v, %q", name, verdict, err, r.kept)
			}
		}
	}
	r := newReview(asked(), asked(func(p *launch.Plan) { p.ID = "two@project" }))
	cases, err := r.Cases()
	must(t, err)
	if err := r.Decide(cases[0].Key, cases[1].Code, Allow, "x", time.Time{}); !errors.Is(err, ErrWrongCode) {
		t.Errorf("the code of another card: %v", err)
	}
}

func TestNewCode(t *testing.T) {
	counts := map[rune]int{}
	seen := map[string]bool{}
	for range 5000 {
		code := newCode()
		if len(code) != 6 || seen[code] && len(seen) < 100 {
			t.Fatalf("the code %q", code)
		}
		seen[code] = true
		for _, r := range code {
			counts[r]++
		}
	}
	for _, r := range letters {
		if n := counts[r]; n < 700 || n > 1300 { // 968 are expected
			t.Errorf("%q came %d times", r, n)
		}
		delete(counts, r)
	}
	if len(counts) > 0 || strings.ContainsAny(letters, "01iloABC") {
		t.Errorf("other letters: %v", counts)
	}
}
