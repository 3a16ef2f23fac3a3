package app

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"mcpls/internal/launch/reason"
	"mcpls/internal/mcpserver"
	"mcpls/internal/trust"
)

// consent asks a person through the client. It implements mcpserver.Consent.
type consent struct {
	app *App
	off bool // trust.elicitation is false

	mu    sync.Mutex
	asked map[string]bool // by the key of the case: a client may decline by itself
	ctx   context.Context // of the serving: a page outlives the call that opened it
}

// Ask implements mcpserver.Consent.
func (c *consent) Ask(ctx context.Context, server string, client mcpserver.Elicitor) bool {
	review := c.app.Review(c.context())
	k, ok := c.take(review, server, client)
	if !ok {
		return false
	}
	if client.OffersURL() {
		return c.byPage(ctx, review, k, client)
	}
	return c.byForm(ctx, review, k, client)
}

// take gives the case of a server if there is somebody to ask who was not asked
// about it.
func (c *consent) take(review *trust.Review, server string, client mcpserver.Elicitor) (trust.Case, bool) {
	if c.off || !client.OffersURL() && !client.OffersForm() {
		return trust.Case{}, false
	}
	cases, err := review.Cases()
	if err != nil {
		return trust.Case{}, false // the refusal says so
	}
	for _, k := range cases {
		if k.Plan.ID == server && k.Waits() {
			return k, c.first(k.Key)
		}
	}
	return trust.Case{}, false
}

func (c *consent) first(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked == nil {
		c.asked = map[string]bool{}
	}
	if c.asked[key] {
		return false
	}
	c.asked[key] = true
	return true
}

// byForm asks in the client itself, and allows one start at most: clients have
// hooks that answer by themselves.
func (c *consent) byForm(ctx context.Context, review *trust.Review, k trust.Case, client mcpserver.Elicitor) bool {
	message := k.Card.Text() + "\nIt stays blocked unless you choose \"" + mcpserver.AllowOnce + "\" and type the code\n    " + k.Code + "\n" +
		"To allow it for good, run mcpls trust review in a terminal."
	choice, code, answered := client.AskForm(ctx, message)
	if !answered || choice != mcpserver.AllowOnce {
		return false
	}
	return review.Once(k.Key, code, func(fresh trust.Case) { c.app.launcher.gate.Remember(fresh.Plan, trust.Once) }) == nil
}

// States implements mcpserver.Consent.
func (c *consent) States() (json.RawMessage, error) {
	type state struct {
		ID          string      `json:"id"`
		State       trust.State `json:"state"`
		Scope       trust.Scope `json:"scope,omitempty"`
		Expires     *time.Time  `json:"expires,omitempty"`
		DeclaredIn  string      `json:"declared_in,omitempty"`
		Fingerprint string      `json:"fingerprint,omitempty"`
		Changes     []string    `json:"changes,omitempty"`
		Reason      reason.Code `json:"reason,omitempty"`
	}
	list := []state{}
	for _, p := range c.app.Pending() {
		if p.Refusal != nil {
			list = append(list, state{ID: p.ID, State: "refused", Reason: p.Refusal.Code})
			continue
		}
		standing, err := c.app.Standing(p.Plan)
		if err != nil {
			return nil, err
		}
		s := state{ID: p.ID, State: standing.State, Scope: standing.Scope, DeclaredIn: p.Plan.DeclaredIn, Fingerprint: p.Plan.Fingerprint(), Changes: standing.Changes}
		if !standing.Expires.IsZero() {
			s.Expires = &standing.Expires
		}
		list = append(list, s)
	}
	return json.Marshal(map[string]any{"servers": list, "review": "mcpls trust review"})
}

// serve gives the time for which pages are served.
func (c *consent) serve(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ctx = ctx
}

func (c *consent) context() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ctx
}

// watchEvery is how often decisions are looked at while a server runs by one: a
// revoke ends it within a second.
const watchEvery = 300 * time.Millisecond

// watch ends the servers of the repository whose yes was taken back. It goes on
// until ctx ends.
func (a *App) watch(ctx context.Context) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		for id, grant := range a.launcher.kept() {
			if why := a.launcher.gate.Revoked(grant); why != nil {
				a.launcher.drop(id)
				a.router.Stop(id, refused(id, why))
			}
		}
	}
}

// byPage opens the consent page, on which a yes is kept. The page is served on when
// the call ends before the person has decided.
func (c *consent) byPage(ctx context.Context, review *trust.Review, k trust.Case, client mcpserver.Elicitor) bool {
	return false
}
