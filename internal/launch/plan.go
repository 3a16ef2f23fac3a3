// Package launch turns a declaration into a Plan: what exactly would run. The
// same value is shown to people, checked by the gate and handed to the spawn,
// so that what a person reads is what runs.
//
// Make is a pure function of the declaration and of [Facts]; it executes
// nothing. A plan is made again before every start.
package launch

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcpls/internal/catalog"
	"mcpls/internal/config"
	"mcpls/internal/launch/reason"
)

// Kind is what kind of server a plan starts.
type Kind string

// LSP is a language server.
const LSP Kind = "lsp"

// Origin is who asked for the command, as package config has it: the gate
// decides on a plan and needs nothing else.
type Origin = config.Origin

// The origins.
const (
	Builtin = config.Builtin
	User    = config.User
	Named   = config.Named
	Project = config.Project
)

// ProjectSuffix ends the id of a server that a project file declares.
const ProjectSuffix = config.ProjectSuffix

// Plan is exactly what would run.
type Plan struct {
	ID         string
	Kind       Kind
	Origin     Origin
	DeclaredIn string // the file; "" for a built-in server

	// PathIntoWorkspace says that PATH led a bare command into the workspace
	// and nowhere else: the program is the repository's whoever declared it,
	// and the origin Project.
	PathIntoWorkspace bool

	// Argv is the program by absolute path, and its arguments.
	Argv []string
	Dir  string            // working directory, absolute
	Env  map[string]string // the whole environment

	// Notes say what a person should know of the plan.
	Notes []string
}

// Clone gives a plan that shares nothing with p.
func (p Plan) Clone() Plan {
	p.Argv, p.Notes = slices.Clone(p.Argv), slices.Clone(p.Notes)
	p.Env = maps.Clone(p.Env)
	return p
}

// Input is what a plan is made of beside the facts of the machine.
type Input struct {
	Declaration config.Declaration
	Dir         string // the first root, canonical: the working directory

	// Boundary is all that counts as workspace, canonical, as package config
	// gives it: the roots, and the working directory of mcpls where it may be a
	// checkout. Without one it is Dir, so that what lies there never passes
	// for the user's by mistake.
	Boundary []string
}

// Make makes the plan of one declaration. The error is a *reason.Refusal.
func Make(in Input, facts Facts) (Plan, error) {
	d := in.Declaration
	boundary := in.Boundary
	if len(boundary) == 0 {
		boundary = []string{in.Dir}
	}
	plan := Plan{ID: d.ID, Kind: LSP, Origin: d.Origin, DeclaredIn: d.File, Dir: in.Dir}
	plan.Env, plan.Notes = environment(d.Env, boundary, facts)
	program, found := resolve(d.Command, plan, wholePath(d.Env, facts), facts)
	if !found {
		return Plan{}, notFound(d)
	}
	plan.Argv = append([]string{program}, d.Args...)
	if d.Origin != Project && inWorkspace(program, boundary, facts) {
		plan.takeIntoWorkspace(d.Command, facts)
	}
	return plan, nil
}

// takeIntoWorkspace marks a program that lies inside the workspace. A bare name
// that PATH leads there is the repository's program, whoever named it; a path
// that the user wrote runs as written.
func (p *Plan) takeIntoWorkspace(command string, facts Facts) {
	if facts.IsPath(command) {
		p.Notes = append(p.Notes, "the program lies inside the workspace: it is the repository's code")
		return
	}
	p.Origin, p.PathIntoWorkspace = Project, true
	p.Notes = append(p.Notes, fmt.Sprintf("PATH leads %q to %q, inside the workspace", command, p.Argv[0]))
}

func notFound(d config.Declaration) *reason.Refusal {
	r := &reason.Refusal{
		Code:    reason.ExecutableNotFound,
		Message: fmt.Sprintf("the program %q is not installed: it was not found", d.Command),
		Hint:    "install it, or give its absolute path as command",
	}
	if row, _ := catalog.ByCommand(d.Command, d.Args); row.Install != "" {
		r.Hint = fmt.Sprintf("install it with `%s`, or give its absolute path as command", row.Install)
	}
	if len(d.Others) > 0 {
		var names []string
		for _, other := range d.Others {
			names = append(names, other.Command)
		}
		r.Hint += "; in its stead mcpls takes " + strings.Join(names, ", else ") + ", if it is there when mcpls starts"
	}
	return r
}
