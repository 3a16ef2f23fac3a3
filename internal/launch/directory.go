package launch

import (
	"mcpls/internal/launch/policy"
	"mcpls/internal/launch/reason"
)

// directory is that of a server whose workspace is trusted: the first root.
func (p *planner) directory() *reason.Refusal {
	p.plan.Dir = p.Dir
	return nil
}

// safeDirectory is where a server starts whose workspace is not trusted, never
// in it: a program that is looked up in the working directory, and a file that is
// read there, would be the repository's. Servers get the workspace from their
// workspace folders.
func (p *planner) safeDirectory() *reason.Refusal {
	if home, known := p.facts.LoginHome(); known && p.safe(home) {
		p.plan.Dir = home
		return nil
	}
	// A shared one lies open to what others put there.
	if temp := p.facts.TempDir(); p.safe(temp) && p.facts.Private(temp) {
		p.plan.Dir = temp
		return nil
	}
	return &reason.Refusal{
		Code: reason.NoSafeDir,
		Message: "there is no directory to start it in: the login home is not known, not there or inside the workspace, " +
			"and so is the temporary directory, or others can write to it",
		Hint: "set TMPDIR to a directory outside the workspace that only you can write to",
	}
}

func (p *planner) safe(dir string) bool {
	return p.facts.IsAbs(dir) && p.facts.Kind(dir) == policy.Directory && !p.inside(dir)
}
