//go:build !windows

package trust

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcpls/internal/launch"
	"mcpls/internal/launch/reason"
)

// TestStates holds each state, and which of them start.
func TestStates(t *testing.T) {
	hour := time.Now().Add(time.Hour)
	for _, test := range []struct {
		name   string
		opts   Options
		before func(s *Store, g *Gate) error
		state  State
		scope  Scope
		code   reason.Code // "": it starts
	}{
		{"nothing is known", Options{}, nil, Unknown, "", reason.NoSurface},
		{"once", Options{}, func(_ *Store, g *Gate) error { g.Remember(asked(), Once); return nil }, Allowed, Once, ""},
		{"session", Options{}, func(_ *Store, g *Gate) error { g.Remember(asked(), Session); return nil }, Allowed, Session, ""},
		{"workspace", Options{}, decided(asked(), true, time.Time{}), Allowed, Always, ""},
		{"workspace, for an hour", Options{}, decided(asked(), true, hour), Allowed, Always, ""},
		{"command line", Options{Fingerprints: []string{"x", asked().Fingerprint()}}, nil, Allowed, CommandLine, ""},
		{"another fingerprint on the command line", Options{Fingerprints: []string{"sha256:" + strings.Repeat("0", 64)}}, nil, Unknown, "", reason.NoSurface},
		{"all of the project", Options{TrustProject: true}, nil, Allowed, CommandLine, ""},
		{"expired", Options{}, decided(asked(), true, time.Now().Add(-time.Second)), Expired, "", reason.GateExpired},
		{"denied", Options{}, decided(asked(), false, time.Time{}), Denied, "", reason.GateDenied},
		{"denied, and allowed in memory", Options{}, func(s *Store, g *Gate) error {
			g.Remember(asked(), Session)
			return decided(asked(), false, time.Time{})(s, g)
		}, Denied, "", reason.GateDenied},
		{"denied, and allowed on the command line", Options{Fingerprints: []string{asked().Fingerprint()}}, decided(asked(), false, time.Time{}), Denied, "", reason.GateDenied},
		{"denied, and all of the project is trusted", Options{TrustProject: true}, decided(asked(), false, time.Time{}), Denied, "", reason.GateDenied},
		{"another was denied", Options{}, decided(asked(func(p *launch.Plan) { p.Dir = "/ws/sub" }), false, time.Time{}), Unknown, "", reason.NoSurface},
		{"changed", Options{}, decided(asked(func(p *launch.Plan) { p.Dir = "/ws/sub" }), true, time.Time{}), Changed, "", reason.GateChanged},
		{"the yes of another id", Options{}, decided(asked(func(p *launch.Plan) { p.ID = "x@project" }), true, time.Time{}), Unknown, "", reason.NoSurface},
		{"the yes of another file", Options{}, decided(asked(func(p *launch.Plan) { p.DeclaredIn = "/ws/sub/mcpls.toml" }), true, time.Time{}), Unknown, "", reason.NoSurface},
		{"the yes of a copy elsewhere", Options{}, decided(asked(func(p *launch.Plan) { p.Root, p.RootIdentity = "/ws2", "1:3" }), true, time.Time{}), Unknown, "", reason.NoSurface},
		{"the yes of another directory in its place", Options{}, decided(asked(func(p *launch.Plan) { p.RootIdentity = "1:3" }), true, time.Time{}), Unknown, "", reason.NoSurface},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.opts.Store = newStore(t)
			gate := NewGate(test.opts)
			if test.before != nil {
				must(t, test.before(test.opts.Store, gate))
			}
			standing, err := gate.Standing(asked())
			if err != nil || standing.State != test.state || standing.Scope != test.scope || (len(standing.Changes) > 0) != (test.state == Changed) {
				t.Errorf("%+v, %v", standing, err)
			}
			grant, err := gate.Check(t.Context(), asked())
			refusal, _ := errors.AsType[*reason.Refusal](err)
			switch {
			case test.code == "" && (err != nil || !grant.Valid()):
				t.Errorf("it does not start: %v", err)
			case test.code != "" && (refusal == nil || refusal.Code != test.code || grant.Valid()):
				t.Errorf("%v, want %s", err, test.code)
			case test.code != "" && (!strings.Contains(refusal.Hint, "`mcpls trust review srv@project` in a terminal, in \"/ws\"") || !strings.Contains(refusal.Message, asked().Fingerprint())):
				t.Errorf("the refusal does not say what to do: %+v", refusal)
			}
		})
	}
}

func decided(plan launch.Plan, allow bool, expires time.Time) func(*Store, *Gate) error {
	return func(s *Store, _ *Gate) error {
		_, err := s.Put(plan, allow, "terminal", expires)
		return err
	}
}

func TestOnceIsOneStart(t *testing.T) {
	gate := NewGate(Options{})
	other := asked(func(p *launch.Plan) { p.ID = "other@project" })
	gate.Remember(asked(), Once)
	gate.Remember(other, Session)
	for range 2 { // a question uses nothing up
		if _, err := gate.Check(t.Context(), asked()); err != nil {
			t.Fatal(err)
		}
	}
	for _, plan := range []launch.Plan{asked(), other} {
		grant, err := gate.Check(t.Context(), plan)
		must(t, err)
		gate.Started(grant)
	}
	if _, err := gate.Check(t.Context(), asked()); err == nil {
		t.Error("once is twice")
	}
	if _, err := gate.Check(t.Context(), other); err != nil {
		t.Errorf("a session ended with a start: %v", err)
	}
}

// TestWhatChanged holds the words for each kind of change, and that nothing else is
// said.
func TestWhatChanged(t *testing.T) {
	for want, change := range map[string]func(p *launch.Plan){
		`the command was "node" and is "deno"`:                   func(p *launch.Plan) { p.Declared.Command = "deno" },
		`argument 2 was "--stdio" and is "--evil"`:               func(p *launch.Plan) { p.Declared.Args[1] = "--evil" },
		`argument 3, "-x", is new`:                               func(p *launch.Plan) { p.Declared.Args = append(p.Declared.Args, "-x") },
		`argument 2, "--stdio", is gone`:                         func(p *launch.Plan) { p.Declared.Args = p.Declared.Args[:1] },
		`argument 3, "", is new`:                                 func(p *launch.Plan) { p.Declared.Args = append(p.Declared.Args, "") },
		`argument 3, "x\" and is \"y\n\u202e", is new`:           func(p *launch.Plan) { p.Declared.Args = append(p.Declared.Args, "x\" and is \"y\n\u202e") },
		`the variable "NODE_OPTIONS" is new`:                     func(p *launch.Plan) { p.Declared.Env["NODE_OPTIONS"] = "--require=x" },
		`the variable "EMPTY" is gone`:                           func(p *launch.Plan) { delete(p.Declared.Env, "EMPTY") },
		`the value of the variable "TOKEN" has changed`:          func(p *launch.Plan) { p.Declared.Env["TOKEN"] = "other" },
		`the working directory was "/ws" and is "/ws/a"`:         func(p *launch.Plan) { p.Dir = "/ws/a" },
		`the initialization options were {"a" = 1} and are none`: func(p *launch.Plan) { p.Declared.InitOptions = nil },
		`the initialization options were {"a" = 1} and are {"a" = "1"}`: func(p *launch.Plan) {
			p.Declared.InitOptions = map[string]any{"a": "1"}
		},
		`the settings were {"s" = "x"} and are {"s" = "\u3164"}`:           func(p *launch.Plan) { p.Declared.Settings["s"] = "\u3164" },
		`the content of the argument "/ws/server.mjs" has changed`:         func(p *launch.Plan) { p.Files[1].Digest = strings.Repeat("00", 32) },
		`the owner or the mode of the program "/usr/bin/node" has changed`: func(p *launch.Plan) { p.Files[0].Owner = "1000" },
		`the argument "/ws/server.mjs" is not used any more`:               func(p *launch.Plan) { p.Files = p.Files[:1] },
		`mcpls looks at more than it did: nothing that was kept differs`:   func(p *launch.Plan) { p.Kind = "mcp" },
	} {
		s := newStore(t)
		put(t, s, asked(), true)
		now := asked()
		now = now.Clone()
		change(&now)
		standing, err := NewGate(Options{Store: s}).Standing(now)
		if err != nil || standing.State != Changed || !slices.Equal(standing.Changes, []string{want}) {
			t.Errorf("%v, %s:\n%q, want\n%q", err, standing.State, standing.Changes, want)
		}
	}
}

// TestCopyInheritsNothing holds it with real directories: one that was copied, and
// one that stands in the place of another.
func TestCopyInheritsNothing(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	ws, copied := filepath.Join(base, "ws"), filepath.Join(base, "copy")
	in := func(dir string) launch.Plan {
		return asked(func(p *launch.Plan) {
			p.Root, p.RootIdentity, p.DeclaredIn, p.Dir = dir, launch.Machine{}.Identity(dir), dir+"/mcpls.toml", dir
			p.Files = p.Files[:1]
		})
	}
	must(t, os.Mkdir(ws, 0o700))
	must(t, os.Mkdir(copied, 0o700))
	s := newStore(t)
	put(t, s, in(ws), true)
	gate := NewGate(Options{Store: s})
	state := func(dir string) State {
		standing, err := gate.Standing(in(dir))
		must(t, err)
		return standing.State
	}
	if in(ws).Fingerprint() != in(copied).Fingerprint() {
		t.Fatal("a clone has another fingerprint")
	}
	if state(ws) != Allowed || state(copied) != Unknown {
		t.Errorf("%s, its copy %s", state(ws), state(copied))
	}
	must(t, os.Rename(ws, ws+"-before"))
	if got := state(ws + "-before"); got != Unknown {
		t.Errorf("moved away: %s", got)
	}
	must(t, os.Rename(copied, ws))
	if got := state(ws); got != Unknown {
		t.Errorf("another directory in its place: %s", got)
	}
	must(t, os.Rename(ws, copied))
	must(t, os.Rename(ws+"-before", ws))
	if got := state(ws); got != Allowed {
		t.Errorf("moved back: %s", got)
	}
}
