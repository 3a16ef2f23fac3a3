// Package trust is the launch gate: whether what a plan would run may run.
//
// Permission is a value. Gate.Check is the only maker of a [Grant], and a
// process is started from a Grant only, so a path around the gate does not
// compile.
package trust

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"mcpls/internal/launch"
	"mcpls/internal/launch/reason"
)

// Grant is the permission to run exactly one plan. The zero Grant permits
// nothing.
type Grant struct {
	granted bool
	allowed launch.Plan
	scope   Scope // of a plan of the repository
}

// Valid reports whether the grant permits anything.
func (g Grant) Valid() bool { return g.granted }

// Plan gives the plan that may run. The caller owns what it gets: changing it
// changes nothing of the grant.
func (g Grant) Plan() launch.Plan { return g.allowed.Clone() }

// Kept reports whether the grant rests on a decision in the store, which may be
// taken back.
func (g Grant) Kept() bool { return g.scope == Always }

// Options are what a gate decides by.
type Options struct {
	// Untrusted says that untrusted-workspace mode is on: only the servers whose
	// ids are in Allowed may start, and none that the repository names. Both come
	// from the command line.
	Untrusted bool
	Allowed   []string

	// TrustProject lets the plans of project files pass, for this process, but for
	// those that a person has denied: the user said so on the command line
	// (--trust-project-config).
	TrustProject bool
	// Fingerprints are the plans of project files that were granted on the command
	// line (--trust-fingerprint).
	Fingerprints []string

	// Store has the decisions of people; without one there are none. ReviewFlags are
	// the flags by which a review keeps them in the same one.
	Store       *Store
	ReviewFlags string
}

// Gate decides about plans. It is safe for concurrent use.
type Gate struct {
	Options

	mu     sync.Mutex
	memory map[key]Scope // what was allowed for this process
}

// key is what a decision is about.
type key struct {
	fingerprint string
	workspace   Workspace
}

func keyOf(plan launch.Plan) key { return key{plan.Fingerprint(), workspaceOf(plan)} }

// NewGate makes a gate.
func NewGate(opts Options) *Gate { return &Gate{Options: opts, memory: map[key]Scope{}} }

// Scope is how far a yes reaches.
type Scope string

// The scopes.
const (
	Once        Scope = "once"      // one start, of this mcpls
	Session     Scope = "session"   // until this mcpls ends
	Always      Scope = "workspace" // kept in the store
	CommandLine Scope = "command line"
)

// State is how a plan of the repository stands.
type State string

// The states.
const (
	Unknown State = "unknown"
	Allowed State = "allowed"
	Changed State = "changed" // what was allowed under its id has changed
	Expired State = "expired"
	Denied  State = "denied"
)

// Standing is what is known of a plan of the repository.
type Standing struct {
	State   State
	Scope   Scope
	Expires time.Time // zero: never
	Changes []string  // of a changed one: what differs, in words
}

// Allows tells whether a server may start whatever its plan is; the refusal is
// nil when it may.
func (g *Gate) Allows(id string) *reason.Refusal {
	if !g.Untrusted || slices.Contains(g.Options.Allowed, id) {
		return nil
	}
	return &reason.Refusal{
		Code:    reason.NotAllowed,
		Message: "untrusted-workspace mode is on, and it is not among the servers that were allowed on the command line",
		Hint: fmt.Sprintf("a person who accepts that it may run code of this workspace starts mcpls with `--allow-server %s`; "+
			"an agent is not to add the flag by itself", id),
	}
}

// Check decides whether a plan may run. What the user wrote, what they named
// and what mcpls brings along may; what the repository names may not, until a
// person has seen exactly that and said yes. An origin that is not known may not.
// The error is a *reason.Refusal.
func (g *Gate) Check(ctx context.Context, plan launch.Plan) (Grant, error) {
	if err := ctx.Err(); err != nil {
		return Grant{}, err
	}
	if refusal := g.Allows(plan.ID); refusal != nil {
		return Grant{}, refusal
	}
	var scope Scope
	switch plan.Origin {
	case launch.Builtin, launch.User, launch.Named:
	case launch.Project:
		var refusal *reason.Refusal
		if scope, refusal = g.checkProject(plan); refusal != nil {
			return Grant{}, refusal
		}
	default:
		return Grant{}, &reason.Refusal{Code: reason.NoSurface, Message: fmt.Sprintf("its origin %q is not known", plan.Origin)}
	}
	return Grant{granted: true, allowed: plan.Clone(), scope: scope}, nil
}

func (g *Gate) checkProject(plan launch.Plan) (Scope, *reason.Refusal) {
	if g.Untrusted {
		return "", g.refuse(plan, Standing{State: Unknown})
	}
	standing, err := g.Standing(plan)
	switch {
	case err != nil:
		return "", badStore(err)
	case standing.State != Allowed:
		return "", g.refuse(plan, standing)
	}
	return standing.Scope, nil
}

func badStore(err error) *reason.Refusal {
	return &reason.Refusal{
		Code: reason.GateStore, Message: err.Error(),
		Hint: "decisions of people are kept there: look at who changed it, mend or remove it, and review the servers anew",
	}
}

// Revoked tells why a grant that rests on a kept decision does not hold any more;
// nil when it does. The plan is taken as it was granted: a file that has changed
// since the start is of no interest to what runs.
func (g *Gate) Revoked(grant Grant) *reason.Refusal {
	standing, err := g.Standing(grant.allowed)
	switch {
	case err != nil:
		return badStore(err)
	case standing.State != Allowed:
		return g.refuse(grant.allowed, standing)
	}
	return nil
}

// Standing tells how a plan of the repository stands. A no counts before every
// yes.
func (g *Gate) Standing(plan launch.Plan) (Standing, error) {
	if g.Store == nil {
		return g.unstored(plan), nil
	}
	decision, found, err := g.Store.Find(plan)
	switch {
	case err != nil:
		return Standing{}, err
	case found && !decision.Allow:
		return Standing{State: Denied}, nil
	}
	if given := g.unstored(plan); given.State == Allowed {
		return given, nil
	}
	if found && (decision.Expires.IsZero() || time.Now().Before(decision.Expires)) {
		return Standing{State: Allowed, Scope: Always, Expires: decision.Expires}, nil
	}
	if found {
		return Standing{State: Expired, Expires: decision.Expires}, nil
	}
	changes, err := g.Store.changes(plan)
	if err != nil || len(changes) == 0 {
		return Standing{State: Unknown}, err
	}
	return Standing{State: Changed, Changes: changes}, nil
}

// unstored is what the command line and this process's own memory say.
func (g *Gate) unstored(plan launch.Plan) Standing {
	if g.TrustProject || slices.Contains(g.Fingerprints, plan.Fingerprint()) {
		return Standing{State: Allowed, Scope: CommandLine}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if scope, ok := g.memory[keyOf(plan)]; ok {
		return Standing{State: Allowed, Scope: scope}
	}
	return Standing{State: Unknown}
}

// Remember allows a plan for this process, once or until it ends. It is for a
// surface that a person has answered.
func (g *Gate) Remember(plan launch.Plan, scope Scope) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.memory[keyOf(plan)] = scope
}

// Started notes that a grant was used: what was allowed once is not allowed any
// more.
func (g *Gate) Started(grant Grant) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if k := keyOf(grant.allowed); g.memory[k] == Once {
		delete(g.memory, k)
	}
}

// refusals are the code and the sentence for each state.
var refusals = map[State]struct {
	code reason.Code
	say  string
}{
	Unknown: {reason.NoSurface, "mcpls does not start what a repository names until a person has seen it and said yes"},
	Changed: {reason.GateChanged, "what would run is not what a person said yes to any more"},
	Expired: {reason.GateExpired, "the yes of a person has expired"},
	Denied:  {reason.GateDenied, "a person has said no to it"},
}

func (g *Gate) refuse(plan launch.Plan, standing Standing) *reason.Refusal {
	r := refusals[standing.State]
	refusal := &reason.Refusal{
		Code: r.code,
		Message: fmt.Sprintf("%q declares it in its entry %q, and %s (%s)",
			plan.DeclaredIn, strings.TrimSuffix(plan.ID, launch.ProjectSuffix), r.say, plan.Fingerprint()),
		Hint: fmt.Sprintf("a person sees what would run and decides with `%s` in a terminal, in %q, or with --web on a page; "+
			"then ask again: this mcpls sees the decision", strings.TrimSpace("mcpls trust review "+shellWord(plan.ID))+g.ReviewFlags, plan.Root),
	}
	if plan.PathIntoWorkspace {
		refusal.Message = fmt.Sprintf("PATH leads to %q inside the workspace and to no such program elsewhere, and %s (%s)", plan.Argv[0], r.say, plan.Fingerprint())
		refusal.Hint += "; or they install the program outside the workspace, or give the absolute path of this one as command in their own configuration file"
	}
	if len(standing.Changes) > 0 {
		refusal.Message += ": " + strings.Join(standing.Changes, "; ")
	}
	return refusal
}

// shellWord gives an id as a word of a command line, nothing where it is none: the
// command reviews every server then.
func shellWord(id string) string {
	if strings.ContainsFunc(id, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("@._-", r))
	}) || strings.HasPrefix(id, "-") {
		return ""
	}
	return id
}
