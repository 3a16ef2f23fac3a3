package launch

import "mcpls/internal/roots"

// resolve finds the program of a command as a spawn with the plan's
// environment and directory would. A bare name that is not on the server's
// PATH is looked up on the whole one, so that it can be said where it lies.
func resolve(command string, plan Plan, whole string, facts Facts) (program string, found bool) {
	if facts.IsPath(command) {
		if !facts.IsAbs(command) {
			command = facts.Join(plan.Dir, command)
		}
		return command, facts.Executable(command)
	}
	for _, path := range []string{plan.Env["PATH"], whole} {
		if program, found := lookUp(command, path, facts); found {
			return program, true
		}
	}
	return "", false
}

// lookUp finds a program on a PATH. Relative and empty entries are passed
// over: they name the working directory, which is the checkout.
func lookUp(command, path string, facts Facts) (program string, found bool) {
	for _, dir := range facts.SplitList(path) {
		if !facts.IsAbs(dir) {
			continue
		}
		for _, name := range spellings(command, facts) {
			if path := facts.Join(dir, name); facts.Executable(path) {
				return path, true
			}
		}
	}
	return "", false
}

// spellings are the file names that a bare command may have: on Windows also
// with the extension that CreateProcess adds.
func spellings(command string, facts Facts) []string {
	if facts.Windows() {
		return []string{command, command + ".exe"}
	}
	return []string{command}
}

// inWorkspace reports whether a program, or a directory of programs, lies in
// the boundary or its path leads through it. One that cannot be resolved counts
// as inside.
func inWorkspace(path string, boundary []string, facts Facts) bool {
	_, exists := facts.Canonical(path)
	return !exists || roots.LeadsInto(boundary, path, facts)
}
