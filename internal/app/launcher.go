package app

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"sync"

	"mcpls/internal/config"
	"mcpls/internal/launch"
	"mcpls/internal/launch/reason"
	"mcpls/internal/process"
	"mcpls/internal/quote"
	"mcpls/internal/router"
	"mcpls/internal/trust"
)

// launcher is the launch wing as the router sees it: plan, gate, process, in
// this order and anew for every start.
type launcher struct {
	declared  map[string]config.Declaration
	order     []string // of the ids, as they are declared
	workspace launch.Workspace
	log       *slog.Logger
	facts     launch.Facts
	own       []string // mcpls's own environment
	gate      *trust.Gate

	mu    sync.Mutex
	first map[string]launch.Plan // by id: what was started first, see launch.Input
	keeps map[string]trust.Grant // by id: grants that rest on kept decisions, of what was started last
}

// Check implements router.Launcher.
func (l *launcher) Check(ctx context.Context, id string) error {
	_, err := l.grant(ctx, id)
	return err
}

// Start implements router.Launcher.
func (l *launcher) Start(ctx context.Context, id string) (router.Process, error) {
	grant, err := l.grant(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, note := range grant.Plan().Notes {
		l.log.Info("launch", "server", id, "note", note)
	}
	started, err := process.Start(grant, func() (launch.Plan, error) { return l.plan(id) })
	if _, ok := errors.AsType[*reason.Refusal](err); ok {
		return nil, refused(id, err)
	}
	if err != nil {
		return nil, &router.LaunchError{Server: id, Code: string(reason.ProcessFailed), Message: err.Error()}
	}
	l.gate.Started(grant)
	l.remember(grant)
	return &child{Process: started, redact: redactor(l.declared[id], grant.Plan(), l.own), plan: grant.Plan()}, nil
}

// Status implements router.Launcher.
func (l *launcher) Status(id string) router.LaunchStatus {
	d := l.declared[id]
	words := []string{quote.String(d.Command)}
	for _, arg := range d.Args {
		words = append(words, quote.String(arg))
	}
	program := redactor(d, launch.Plan{Argv: append([]string{d.Command}, d.Args...)}, l.own).Redact(strings.Join(words, " "))
	return router.LaunchStatus{Origin: string(d.Origin), Program: program}
}

// grant plans a server and asks the gate. Whether it is allowed at all comes
// first: what is wrong with one that is not is of no interest.
func (l *launcher) grant(ctx context.Context, id string) (trust.Grant, error) {
	if refusal := l.gate.Allows(id); refusal != nil {
		return trust.Grant{}, refused(id, refusal)
	}
	plan, err := l.plan(id)
	if err != nil {
		return trust.Grant{}, refused(id, err)
	}
	grant, err := l.gate.Check(ctx, plan)
	return grant, refused(id, err)
}

func (l *launcher) plan(id string) (launch.Plan, error) {
	l.mu.Lock()
	first := l.first[id]
	l.mu.Unlock()
	return launch.Make(launch.Input{Workspace: l.workspace, Declaration: l.declared[id], Program: first.Found, Tsserver: first.Tsserver}, l.facts)
}

// remember keeps the plan of the first start for those that come, and a grant that
// may be taken back.
func (l *launcher) remember(grant trust.Grant) {
	plan := grant.Plan()
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.first[plan.ID]; !known {
		l.first[plan.ID] = plan
	}
	if delete(l.keeps, plan.ID); grant.Kept() {
		l.keeps[plan.ID] = grant
	}
}

// kept gives the grants that may be taken back.
func (l *launcher) kept() map[string]trust.Grant {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.keeps)
}

// drop forgets a grant that was taken back.
func (l *launcher) drop(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.keeps, id)
}

// refused puts a refusal into the router's terms.
func refused(id string, err error) error {
	if r, ok := errors.AsType[*reason.Refusal](err); ok {
		return &router.LaunchError{Server: id, Code: string(r.Code), Message: r.Message, Hint: r.Hint}
	}
	return err
}

// child is a started process whose secrets are hidden in what it says.
type child struct {
	*process.Process
	redact *quote.Redactor
	plan   launch.Plan
}

// InitOptions implements router.Process.
func (c *child) InitOptions() map[string]any { return c.plan.InitOptions }

// Settings implements router.Process.
func (c *child) Settings() map[string]any { return c.plan.Settings }

// Stderr implements router.Process. Its beginning may be cut.
func (c *child) Stderr() string { return c.redact.RedactEnd(c.Process.Stderr()) }

// Redactor implements router.Process.
func (c *child) Redactor() *quote.Redactor { return c.redact }
