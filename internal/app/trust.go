package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"mcpls/internal/catalog"
	"mcpls/internal/config"
	"mcpls/internal/launch"
	"mcpls/internal/launch/reason"
	"mcpls/internal/trust"
)

// Pending is a server that needs a person's yes, as far as it has a plan.
type Pending struct {
	ID      string
	Refusal *reason.Refusal // why it has no plan; nil when it has one
	Plan    launch.Plan
}

// Pending gives the servers that the repository asks for, those that PATH finds in
// the workspace only among them. It starts nothing.
func (a *App) Pending() []Pending {
	var list []Pending
	for _, id := range a.launcher.order {
		plan, err := a.launcher.plan(id)
		refusal, refused := errors.AsType[*reason.Refusal](err)
		switch {
		case refused && a.launcher.declared[id].Origin == config.Project:
			list = append(list, Pending{ID: id, Refusal: refusal})
		case !refused && plan.Origin == config.Project:
			list = append(list, Pending{ID: id, Plan: plan})
		}
	}
	return list
}

// Standing tells how a plan of the repository stands.
func (a *App) Standing(plan launch.Plan) (trust.Standing, error) {
	return a.launcher.gate.Standing(plan)
}

// ErrNoStore is a decision for which there is no place.
var ErrNoStore = errors.New("the login home is not known, so that no decision can be kept: name a place with --trust-store")

// Review lets a person decide about the servers that the repository asks for. What
// they decide is kept.
func (a *App) Review(ctx context.Context) *trust.Review {
	return &trust.Review{
		Plans: func() []launch.Plan {
			var plans []launch.Plan
			for _, p := range a.Pending() {
				if p.Refusal == nil {
					plans = append(plans, p.Plan)
				}
			}
			return plans
		},
		Standing: a.Standing,
		Keep: func(plan launch.Plan, verdict trust.Verdict, surface string, expires time.Time) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			store := a.launcher.gate.Store
			if store == nil {
				return ErrNoStore
			}
			_, err := store.Put(plan, verdict == trust.Allow, surface, expires)
			return err
		},
	}
}

// Store is where decisions are kept; nil when there is no place for them.
func (a *App) Store() *trust.Store { return a.launcher.gate.Store }

// Gone reports whether a workspace of a decision is not there any more, or another
// directory stands in its place.
func (a *App) Gone(w trust.Workspace) bool { return a.launcher.facts.Identity(w.Path) != w.Identity }

// Steering is a file of the checkout that can steer what servers run.
type Steering struct {
	Path    string
	Servers []string
	How     string
}

// Explain gives the files of the roots, and of the directories right beneath them,
// that are known to steer servers. It reads none of them.
func (a *App) Explain() []Steering {
	var found []Steering
	for _, row := range catalog.SteeringFiles {
		for _, root := range a.roots {
			for _, dir := range []string{root, filepath.Join(root, "*")} {
				matches, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(row.Glob))) // the pattern is ours
				for _, match := range matches {
					found = append(found, Steering{Path: match, Servers: row.Servers, How: row.How})
				}
			}
		}
	}
	return found
}

// TrustState is how a server of the repository stands. The tags are those of its
// JSON.
type TrustState struct {
	ID          string      `json:"id"`
	State       trust.State `json:"state"`
	Scope       trust.Scope `json:"scope,omitempty"`
	Expires     *time.Time  `json:"expires,omitempty"`
	DeclaredIn  string      `json:"declared_in,omitempty"`
	Fingerprint string      `json:"fingerprint,omitempty"`
	Changes     []string    `json:"changes,omitempty"`
	Reason      reason.Code `json:"reason,omitempty"` // of an entry that cannot start
	Message     string      `json:"message,omitempty"`
}

// refusedState is the state of an entry that has no plan.
const refusedState trust.State = "refused"

// TrustStates gives every server of the repository.
func (a *App) TrustStates() ([]TrustState, error) {
	list := []TrustState{}
	for _, p := range a.Pending() {
		if p.Refusal != nil {
			list = append(list, TrustState{ID: p.ID, State: refusedState, Reason: p.Refusal.Code, Message: p.Refusal.Message})
			continue
		}
		standing, err := a.Standing(p.Plan)
		if err != nil {
			return nil, err
		}
		state := TrustState{
			ID: p.ID, State: standing.State, Scope: standing.Scope, DeclaredIn: p.Plan.DeclaredIn,
			Fingerprint: p.Plan.Fingerprint(), Changes: standing.Changes,
		}
		if p.Plan.PathIntoWorkspace {
			state.Message = fmt.Sprintf("PATH finds its program only inside the workspace: %q", p.Plan.Argv[0])
		}
		if !standing.Expires.IsZero() {
			state.Expires = &standing.Expires
		}
		list = append(list, state)
	}
	return list, nil
}
