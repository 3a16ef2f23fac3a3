package trust

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"mcpls/internal/launch"
	"mcpls/internal/launch/reason"
)

func plan(origin launch.Origin, change ...func(*launch.Plan)) launch.Plan {
	p := launch.Plan{
		ID: "srv", Kind: launch.LSP, Origin: origin, DeclaredIn: "/ws/mcpls.toml",
		Argv: []string{"/bin/ls", "-a"}, Dir: "/ws", Env: map[string]string{"A": "1"}, Notes: []string{"n"},
	}
	for _, f := range change {
		f(&p)
	}
	return p
}

func intoWorkspace(p *launch.Plan) {
	p.PathIntoWorkspace, p.DeclaredIn, p.Argv = true, "", []string{"/ws/bin/ls"}
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name    string
		plan    launch.Plan
		trust   bool
		message string // of the refusal; "": granted
		hint    string
	}{
		{"builtin", plan(launch.Builtin), false, "", ""},
		{"user", plan(launch.User), false, "", ""},
		{"named", plan(launch.Named), false, "", ""},
		{"project", plan(launch.Project), false, `"/ws/mcpls.toml" declares it`, "mcpls trust review srv"},
		{"project says which entry", plan(launch.Project, func(p *launch.Plan) { p.ID = "a@b@project" }), false, `in its entry "a@b", and mcpls does not start what a repository names until a person has seen it and said yes`, "mcpls trust review a@b"},
		{"project, trusted", plan(launch.Project), true, "", ""},
		{"PATH into the workspace", plan(launch.Project, intoWorkspace), false, `PATH leads to "/ws/bin/ls" inside the workspace`, "or they install the program outside the workspace, or give the absolute path"},
		{"PATH into the workspace, trusted", plan(launch.Project, intoWorkspace), true, "", ""},
		{"unknown origin", plan("users"), false, `its origin "users" is not known`, ""},
		{"unknown origin, trusted", plan("users"), true, `its origin "users" is not known`, ""},
		{"origin in other case", plan("User"), true, `its origin "User" is not known`, ""},
		{"no origin", plan(""), true, `its origin "" is not known`, ""},
		{"zero plan", launch.Plan{}, true, `its origin "" is not known`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			grant, err := NewGate(Options{TrustProject: test.trust}).Check(t.Context(), test.plan)
			if test.message == "" {
				if err != nil || !grant.Valid() || !reflect.DeepEqual(grant.Plan(), test.plan) {
					t.Errorf("%v; valid %v; %+v", err, grant.Valid(), grant.Plan())
				}
				return
			}
			r, ok := errors.AsType[*reason.Refusal](err)
			if !ok || grant.Valid() || !reflect.DeepEqual(grant, Grant{}) {
				t.Fatalf("error %v, grant %+v", err, grant)
			}
			if r.Code != reason.NoSurface || r.Error() != r.Message ||
				!strings.Contains(r.Message, test.message) || !strings.Contains(r.Hint, test.hint) {
				t.Errorf("%+v, want message %q and hint %q", r, test.message, test.hint)
			}
		})
	}
}

func TestCheckCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if grant, err := NewGate(Options{TrustProject: true}).Check(ctx, plan(launch.User)); !errors.Is(err, context.Canceled) || grant.Valid() {
		t.Errorf("%v, valid %v", err, grant.Valid())
	}
}

func TestZeroGrant(t *testing.T) {
	if (Grant{}).Valid() {
		t.Error("the zero grant is valid")
	}
}

// What was checked is what runs: nobody can change a grant afterwards.
func TestGrantIsFrozen(t *testing.T) {
	given := plan(launch.User)
	grant, err := NewGate(Options{}).Check(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	spoil := func(p *launch.Plan) {
		p.Argv[0], p.Env["A"], p.Env["LD_PRELOAD"], p.Notes[0], p.Dir = "/bin/evil", "2", "x", "x", "/"
	}
	spoil(&given)
	if got := grant.Plan(); !reflect.DeepEqual(got, plan(launch.User)) {
		t.Errorf("a change of the plan after the check shows: %+v", got)
	}
	out := grant.Plan()
	spoil(&out)
	if got := grant.Plan(); !reflect.DeepEqual(got, plan(launch.User)) {
		t.Errorf("a change of what Plan gave shows: %+v", got)
	}
}

// TestUntrusted holds that in untrusted-workspace mode only what was allowed
// passes, and nothing of the repository.
func TestUntrusted(t *testing.T) {
	for _, test := range []struct {
		name    string
		plan    launch.Plan
		allowed []string
		code    reason.Code
	}{
		{"allowed", plan(launch.User), []string{"other", "srv"}, ""},
		{"built in, allowed", plan(launch.Builtin), []string{"srv"}, ""},
		{"named, allowed", plan(launch.Named), []string{"srv"}, ""},
		{"nothing is allowed", plan(launch.User), nil, reason.NotAllowed},
		{"another is", plan(launch.User), []string{"srv2", "sr"}, reason.NotAllowed},
		{"in other case", plan(launch.User), []string{"SRV"}, reason.NotAllowed},
		{"of the project", plan(launch.Project), []string{"srv"}, reason.NoSurface},
		{"of the project, trusted by mistake", plan(launch.Project, intoWorkspace), []string{"srv"}, reason.NoSurface},
	} {
		gate := NewGate(Options{TrustProject: true, Untrusted: true, Allowed: test.allowed})
		grant, err := gate.Check(t.Context(), test.plan)
		refusal, _ := errors.AsType[*reason.Refusal](err)
		switch {
		case test.code == "":
			if err != nil || !grant.Valid() || gate.Allows("srv") != nil {
				t.Errorf("%s: %v", test.name, err)
			}
		case refusal == nil || refusal.Code != test.code || grant.Valid():
			t.Errorf("%s: %v, want %s", test.name, err, test.code)
		case refusal.Code == reason.NotAllowed && !strings.Contains(refusal.Hint, "--allow-server srv"):
			t.Errorf("%s: the hint %q names no flag", test.name, refusal.Hint)
		}
	}
	if refusal := NewGate(Options{}).Allows("srv"); refusal != nil {
		t.Errorf("in a trusted workspace: %v", refusal)
	}
}
