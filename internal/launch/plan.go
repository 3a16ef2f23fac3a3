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
	"mcpls/internal/roots"
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

// Plan is exactly what would run, and what it is told at its start.
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

	// Found is the program that the command was resolved to: that of Argv, unless a
	// toolchain's launcher was replaced by the program that it would pick.
	Found string

	// Tsserver is the JavaScript tsserver that a TypeScript server is told to run; ""
	// when there is none, or the user has set one.
	Tsserver string

	// Unwrapped are the wrappers (env, nice) that start the program, the outermost
	// first, as far as they were looked into.
	Unwrapped []string

	// InitOptions and Settings are what a language server is configured with:
	// they may name programs too.
	InitOptions, Settings map[string]any

	// Declared is the entry as it was written, as far as it says what runs, and
	// Root the root that its file lies in. Files are what would run, of a plan that
	// the repository asks for. See Fingerprint.
	Declared Declared
	Root     string
	Files    []File

	// RootIdentity tells the root from every other directory, also from one that
	// stands in its place later; "" of a plan that the repository does not ask for.
	RootIdentity string

	// Notes say what a person should know of the plan.
	Notes []string
}

// Declared is what an entry says of what runs.
type Declared struct {
	Command               string
	Args                  []string
	Env                   map[string]string
	InitOptions, Settings map[string]any
}

// File is one that a grant is bound to. One outside the workspace is bound by its
// place, its owner and its mode, so that an upgrade does not ask again; one inside
// by its content.
type File struct {
	Role   string // program, interpreter or argument
	Path   string
	Owner  string // of one outside; "" where the system has none
	Mode   string // of one outside
	Digest string // SHA-256 of the content of one inside, in hexadecimal digits
}

// Clone gives a plan that shares nothing with p.
func (p Plan) Clone() Plan {
	p.Argv, p.Unwrapped, p.Notes = slices.Clone(p.Argv), slices.Clone(p.Unwrapped), slices.Clone(p.Notes)
	p.Env = maps.Clone(p.Env)
	p.InitOptions, p.Settings = cloneTable(p.InitOptions), cloneTable(p.Settings)
	p.Files = slices.Clone(p.Files)
	d := &p.Declared
	d.Args, d.Env, d.InitOptions, d.Settings = slices.Clone(d.Args), maps.Clone(d.Env), cloneTable(d.InitOptions), cloneTable(d.Settings)
	return p
}

// Workspace is what is planned for.
type Workspace struct {
	Dir string // the first root, canonical

	// Boundary is all that counts as workspace, canonical, as package config
	// gives it: the roots, and the working directory of mcpls where it may be a
	// checkout. Without one it is Dir, so that what lies there never passes
	// for the user's by mistake.
	Boundary []string

	// Untrusted says that untrusted-workspace mode is on: nothing in the workspace
	// may choose what runs.
	Untrusted bool
	// PinExecutables says that programs outside are bound by their content too.
	PinExecutables bool
}

// Input is what a plan is made of beside the facts of the machine.
type Input struct {
	Workspace
	Declaration config.Declaration

	// Program is the program that the first plan of the server found. It is not
	// looked for again: what has come to lie on PATH since then does not count. ""
	// before the first start.
	Program string
	// Tsserver is the one that the first plan pinned, see Plan.
	Tsserver string
}

// Make makes the plan of one declaration. The error is a *reason.Refusal.
func Make(in Input, facts Facts) (Plan, error) {
	p, refusal := planned(in, facts)
	if refusal != nil {
		return Plan{}, refusal
	}
	return p.plan.Clone(), nil
}

// planned takes every step of a plan.
func planned(in Input, facts Facts) (*planner, *reason.Refusal) {
	if len(in.Boundary) == 0 {
		in.Boundary = []string{in.Dir}
	}
	d := in.Declaration
	if d.Fault != "" {
		return nil, &reason.Refusal{
			Code: reason.MalformedEntry, Message: fmt.Sprintf("its entry in %q is malformed: %s", d.File, d.Fault),
			Hint: "whoever maintains the file mends it: nothing is guessed of a malformed entry",
		}
	}
	p := &planner{Input: in, facts: facts, plan: Plan{
		ID: d.ID, Kind: LSP, Origin: d.Origin, DeclaredIn: d.File,
		Declared: Declared{Command: d.Command, Args: d.Args, Env: d.Env, InitOptions: d.InitializationOptions, Settings: d.Settings},
	}}
	steps := trustedSteps
	if in.Untrusted {
		steps = untrustedSteps
	}
	for _, step := range steps {
		if refusal := step(p); refusal != nil {
			return nil, refusal
		}
	}
	if d.Note != "" {
		p.note("%s", d.Note)
	}
	return p, nil
}

// planner makes one plan, a step after the other.
type planner struct {
	Input
	facts  Facts
	plan   Plan
	inner  int   // the place in Argv of the innermost program
	hashed int64 // bytes that were read to bind a yes to them
}

// The steps of a plan, in the order in which each needs what those before it
// found.
var (
	trustedSteps = []func(*planner) *reason.Refusal{
		(*planner).environment, (*planner).directory, (*planner).program, (*planner).markWorkspace, (*planner).options, (*planner).typescript, (*planner).pin,
	}
	untrustedSteps = []func(*planner) *reason.Refusal{
		(*planner).cleanEnvironment, (*planner).safeDirectory, (*planner).program, (*planner).outside, (*planner).launcher,
		(*planner).options, (*planner).typescript, (*planner).optionPrograms, (*planner).pin,
	}
)

func (p *planner) note(format string, args ...any) {
	p.plan.Notes = append(p.plan.Notes, fmt.Sprintf(format, args...))
}

// inside reports whether a path lies in the workspace or leads through it.
func (p *planner) inside(path string) bool { return roots.LeadsInto(p.Boundary, path, p.facts) }

// program finds the program of the command.
func (p *planner) program() *reason.Refusal {
	program, found := p.Program, p.facts.Executable(p.Program)
	if program == "" {
		program, found = resolve(p.Declaration.Command, p.plan, wholePath(p.Declaration.Env, p.facts), p.facts)
	}
	switch {
	case !found && p.Program != "":
		return &reason.Refusal{
			Code:    reason.ExecutableNotFound,
			Message: fmt.Sprintf("the program %q, which it was started with, is not there any more", program),
			Hint:    "install it again, or restart mcpls, which looks for another one then",
		}
	case !found:
		return notFound(p.Declaration)
	}
	p.plan.Found, p.plan.Argv = program, append([]string{program}, p.Declaration.Args...)
	return nil
}

// markWorkspace marks a program that lies inside the workspace. A bare name
// that PATH leads there is the repository's program, whoever named it; a path
// that the user wrote runs as written.
func (p *planner) markWorkspace() *reason.Refusal {
	program, command := p.plan.Argv[0], p.Declaration.Command
	switch {
	case p.plan.Origin == Project || !inWorkspace(program, p.Boundary, p.facts):
	case p.facts.IsPath(command):
		p.note("the program lies inside the workspace: it is the repository's code")
	default:
		p.plan.Origin, p.plan.PathIntoWorkspace = Project, true
		p.note("PATH leads %q to %q, inside the workspace", command, program)
	}
	return nil
}

// outside refuses a program that lies inside the workspace, whoever named it.
func (p *planner) outside() *reason.Refusal {
	program := p.plan.Argv[0]
	if !inWorkspace(program, p.Boundary, p.facts) {
		return nil
	}
	return &reason.Refusal{
		Code:    reason.ExecutableInWorkspace,
		Message: fmt.Sprintf("the program %q lies inside the workspace or is reached through it", program),
		Hint:    installOutside(p.Declaration),
	}
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

// installOutside says how to get at a program that is not the repository's.
func installOutside(d config.Declaration) string {
	const hint = "install it outside the workspace and give its absolute path as command in your own configuration file"
	if row, _ := catalog.ByCommand(d.Command, d.Args); row.Install != "" {
		return hint + fmt.Sprintf(" (`%s`)", row.Install)
	}
	return hint
}
