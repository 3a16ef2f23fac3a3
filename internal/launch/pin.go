package launch

import (
	"fmt"
	"slices"
	"strings"

	"mcpls/internal/launch/policy"
	"mcpls/internal/launch/reason"
)

// Bounds of what a grant is bound to: a repository must not keep mcpls busy with
// reading it.
const (
	maxPinned      = 64
	maxPinnedBytes = 256 << 20 // of all files together
)

// pin notes what a grant is to be bound to, of a plan that the repository asks for:
// the program, the one that its wrappers start, the interpreters of scripts, and every
// argument that is a file of the workspace (node ./tools/server.mjs). What cannot be
// followed so is said, and what could be another file at the start is refused.
func (p *planner) pin() *reason.Refusal {
	p.plan.Root = p.rootOf(p.plan.DeclaredIn)
	if p.plan.Origin != Project {
		return nil
	}
	p.plan.RootIdentity = p.facts.Identity(p.plan.Root)
	if refusal := p.plainPath(); refusal != nil {
		return refusal
	}
	programs := []string{p.plan.Argv[0]}
	if result, refusal := policy.Check(p.Declaration.Command, p.plan.Argv, p.machine()); refusal == nil {
		p.plan.Argv, p.plan.Unwrapped, p.inner = result.Argv, result.Unwrapped, result.Program
		programs = append(programs, p.plan.Argv[p.inner])
	} else {
		p.note("what this command runs in the end cannot be told (%s): a yes is bound to the files that are listed", refusal.Message)
	}
	for _, program := range programs {
		if refusal := p.pinProgram(program); refusal != nil {
			return refusal
		}
	}
	for _, arg := range p.plan.Argv[1:] {
		if refusal := p.pinArguments(arg); refusal != nil {
			return refusal
		}
	}
	return nil
}

// plainPath refuses an entry whose own PATH leads to what the working directory
// decides about.
func (p *planner) plainPath() *reason.Refusal {
	path, set := p.own()["PATH"]
	for _, dir := range p.facts.SplitList(path) {
		if !p.facts.IsAbs(dir) {
			return &reason.Refusal{
				Code: reason.MalformedEntry, Message: "its env.PATH has an entry that is empty or relative: which program runs would depend on the directory",
			}
		}
	}
	if set && path == "" {
		return &reason.Refusal{Code: reason.MalformedEntry, Message: "its env.PATH is empty: programs would be looked for in the directory"}
	}
	return nil
}

// pinProgram binds a program and the interpreters that it needs, with the files that
// they are given.
func (p *planner) pinProgram(program string) *reason.Refusal {
	role := "program"
	for range maxInterpreters {
		if refusal := p.pinFile(role, program); refusal != nil {
			return refusal
		}
		line, ok := p.shebang(program)
		if !ok {
			return badInterpreter(reason.ExecutableNotFound, program, line.interpreter, "has a first line that cannot be followed")
		}
		if line.interpreter == "" {
			return nil
		}
		for _, word := range append(line.args, line.env) {
			if refusal := p.pinArguments(word); refusal != nil {
				return refusal
			}
		}
		next, refusal := p.interpreter(program)
		if refusal != nil {
			return refusal
		}
		role, program = "interpreter", next
	}
	return badInterpreter(reason.WrapperDepth, program, program, "needs more interpreters than can be followed")
}

// pinArguments binds the file that an argument names, also behind its first =.
func (p *planner) pinArguments(arg string) *reason.Refusal {
	_, behind, _ := strings.Cut(arg, "=")
	for _, text := range []string{arg, behind} {
		if refusal := p.pinArgument(text); refusal != nil {
			return refusal
		}
	}
	return nil
}

// rootOf gives the innermost directory of the boundary that a file lies in, the
// first root when it lies in none.
func (p *planner) rootOf(file string) string {
	root := p.Dir
	found := false
	for _, dir := range p.Boundary {
		if p.facts.Inside(dir, file) && (!found || len(dir) > len(root)) {
			root, found = dir, true
		}
	}
	return root
}

func (p *planner) pinArgument(text string) *reason.Refusal {
	if text == "" {
		return nil
	}
	path := p.plan.Dir + "/" + text // as it is written: what lies before dots may be a link
	if p.facts.IsAbs(text) {
		path = text
	}
	kind := p.facts.Kind(path)
	if !p.inside(path) || kind != policy.File && kind != policy.Executable && kind != policy.Unreadable {
		return nil
	}
	clean := p.facts.Join(path, ".")
	if same, ok := p.facts.Canonical(clean); strings.Contains("/"+strings.ReplaceAll(text, `\`, "/")+"/", "/../") || !ok || !p.inside(same) && !p.inside(clean) {
		return &reason.Refusal{
			Code: reason.ScriptUnsafePath, Message: fmt.Sprintf("the argument %q names a file by a way that goes up again, or through /proc: which file that is can change", text),
		}
	}
	if kind == policy.Unreadable {
		return &reason.Refusal{Code: reason.ArgumentUnreadable, Message: fmt.Sprintf("the argument %q names a file inside the workspace that cannot be read", text)}
	}
	return p.pinFile("argument", clean)
}

func (p *planner) pinFile(role, path string) *reason.Refusal {
	if slices.ContainsFunc(p.plan.Files, func(f File) bool { return f.Path == path }) {
		return nil
	}
	bad := func(why string) *reason.Refusal {
		return &reason.Refusal{Code: reason.ArgumentUnreadable, Message: fmt.Sprintf("the %s %q %s, so that a yes could not be bound to it", role, path, why)}
	}
	if len(p.plan.Files) == maxPinned {
		return bad(fmt.Sprintf("is one of more than %d files", maxPinned))
	}
	if clean := p.facts.Join(path, "."); clean != path {
		return bad("is not given by its plain path")
	}
	file := File{Role: role, Path: path}
	ok := false
	outside := !p.inside(path)
	if outside {
		file.Owner, file.Mode, ok = p.facts.Owner(path)
	}
	if !outside || p.PinExecutables {
		var size int64
		file.Digest, size, ok = p.facts.Digest(path, maxPinnedBytes-p.hashed)
		p.hashed += size
	}
	if !ok {
		return bad(fmt.Sprintf("cannot be read, or is more than %d MiB with the others", maxPinnedBytes>>20))
	}
	p.plan.Files = append(p.plan.Files, file)
	return nil
}
