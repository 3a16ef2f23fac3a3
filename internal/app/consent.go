package app

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"mcpls/internal/bug"
	"mcpls/internal/mcpserver"
	"mcpls/internal/quote"
	"mcpls/internal/trust"
	"mcpls/internal/trust/web"
)

// consent asks a person through the client. It implements mcpserver.Consent.
type consent struct {
	app *App
	off bool // trust.elicitation is false

	mu    sync.Mutex
	ctx   context.Context // of the serving: a page outlives the call that opened it
	asked map[string]bool // by the key of the case: a client may decline by itself
	open  map[string]question
}

// question is one that was put and not answered, by its id.
type question struct {
	review *trust.Review
	key    string
	page   <-chan struct{} // closed when the page has ended; nil of a form
}

// Request implements mcpserver.Consent. It asks about the same thing once.
func (c *consent) Request(server string, offers mcpserver.Offers) (mcpserver.Question, bool) {
	if c.off || !offers.URL && !offers.Form {
		return mcpserver.Question{}, false
	}
	review := c.app.Review(c.serving())
	cases, err := review.Cases()
	if err != nil {
		return mcpserver.Question{}, false // the refusal says so
	}
	i := slices.IndexFunc(cases, func(k trust.Case) bool { return k.Plan.ID == server && k.Waits() })
	if i < 0 || !c.first(cases[i].Key) {
		return mcpserver.Question{}, false
	}
	q := question{review: review, key: cases[i].Key}
	told := mcpserver.Question{ID: rand.Text(), Message: formMessage(cases[i])}
	if offers.URL {
		if told.URL, q.page = c.openPage(review, q.key); told.URL == "" {
			return mcpserver.Question{}, false
		}
		told.Message = fmt.Sprintf("This repository wants to start the server %s. The page shows what would run.", quote.String(server))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[told.ID] = q
	return told, true
}

func (c *consent) first(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked[key] {
		return false
	}
	c.asked[key] = true
	return true
}

// formMessage is the whole card, in plain ASCII, with the code behind it.
func formMessage(k trust.Case) string {
	return k.Card.Text() + "\nIt stays blocked unless you choose \"" + mcpserver.AllowOnce + "\" and type the code\n    " + k.Code +
		"\nTo allow it for good, run mcpls trust review in a terminal.\n"
}

// Answer implements mcpserver.Consent. A form allows one start at most: clients have
// hooks that answer by themselves. A yes on the page is kept by the page.
func (c *consent) Answer(ctx context.Context, id string, answer mcpserver.Answered) {
	c.mu.Lock()
	q, known := c.open[id]
	delete(c.open, id)
	c.mu.Unlock()
	switch {
	case !known || !answer.Accepted:
	case q.page != nil:
		select {
		case <-q.page:
		case <-ctx.Done():
		}
	case answer.Choice == mcpserver.AllowOnce:
		// A wrong code is no answer: the call is refused again, and says what to do.
		_ = q.review.Once(q.key, answer.Code, func(k trust.Case) { c.app.launcher.gate.Remember(k.Plan, trust.Once) })
	}
}

// openPage serves the consent page for one case and gives its URL, and what is closed
// when it ends.
func (c *consent) openPage(review *trust.Review, key string) (url string, ended <-chan struct{}) {
	urls, done := make(chan string, 1), make(chan struct{})
	go func() {
		defer bug.Exit()
		defer close(done)
		err := web.Serve(c.serving(), review, web.Options{Only: key, Open: func(url string) { urls <- url }})
		if err != nil {
			c.app.launcher.log.Debug("consent page", "error", err)
		}
	}()
	select {
	case url = <-urls:
	case <-done:
	}
	return url, done
}

// States implements mcpserver.Consent.
func (c *consent) States() (json.RawMessage, error) {
	list, err := c.app.TrustStates()
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"servers": list, "review": "mcpls trust review"})
}

// serve gives the time for which pages are served.
func (c *consent) serve(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ctx = ctx
}

func (c *consent) serving() context.Context {
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
