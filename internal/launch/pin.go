package launch

import (
	"fmt"
	"strings"

	"mcpls/internal/launch/policy"
	"mcpls/internal/launch/reason"
)

// pin notes what a grant is to be bound to, of a plan that the repository asks for:
// the program and the interpreters of its scripts, and every argument that is a
// file of the workspace (node ./tools/server.mjs).
func (p *planner) pin() *reason.Refusal {
	p.plan.Root = p.rootOf(p.plan.DeclaredIn)
	if p.plan.Origin != Project {
		return nil
	}
	p.plan.RootIdentity = p.facts.Identity(p.plan.Root)
	program := p.plan.Argv[0]
	if refusal := p.pinFile("program", program); refusal != nil {
		return refusal
	}
	for depth := 0; depth < maxInterpreters; depth++ {
		name, _ := shebang(p.facts.Head(program, maxShebang))
		interpreter, found := resolve(name, p.plan, "", p.facts)
		if name == "" || !found {
			break
		}
		if refusal := p.pinFile("interpreter", interpreter); refusal != nil {
			return refusal
		}
		program = interpreter
	}
	for _, arg := range p.plan.Argv[1:] {
		_, behind, _ := strings.Cut(arg, "=")
		for _, text := range []string{arg, behind} {
			if refusal := p.pinArgument(text); refusal != nil {
				return refusal
			}
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
	path := p.machine().Abs(text)
	if text == "" || !p.inside(p.facts.Join(path, ".")) {
		return nil
	}
	switch p.facts.Kind(path) {
	case policy.File, policy.Executable:
		return p.pinFile("argument", path)
	case policy.Unreadable:
		return &reason.Refusal{Code: reason.ArgumentUnreadable, Message: fmt.Sprintf("the argument %q names a file inside the workspace that cannot be read", text)}
	}
	return nil
}

func (p *planner) pinFile(role, path string) *reason.Refusal {
	file := File{Role: role, Path: path}
	ok := false
	outside := !p.inside(path)
	if outside {
		file.Owner, file.Mode, ok = p.facts.Owner(path)
	}
	if !outside || p.PinExecutables {
		file.Digest, ok = p.facts.Digest(path)
	}
	if !ok {
		return &reason.Refusal{Code: reason.ArgumentUnreadable, Message: fmt.Sprintf("the %s %q cannot be read, so that a yes could not be bound to it", role, path)}
	}
	p.plan.Files = append(p.plan.Files, file)
	return nil
}
