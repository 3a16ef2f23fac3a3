package launch

import (
	"maps"
	"slices"
	"strings"
)

// passed are the variables of mcpls's own environment that a server gets. All
// others, and with them those that make programs load code (NODE_OPTIONS,
// LD_PRELOAD, PYTHONPATH and the like), are cleared: the server's own env is
// the place to set one.
var passed = []string{"PATH", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"}

// passedOnWindows are those that programs on Windows do not start without.
var passedOnWindows = []string{
	"SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "APPDATA", "LOCALAPPDATA",
	"ProgramData", "ProgramFiles", "ProgramFiles(x86)", "ProgramW6432",
	"CommonProgramFiles", "CommonProgramFiles(x86)", "CommonProgramW6432",
	"HOMEDRIVE", "HOMEPATH", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE", "OS", "USERNAME",
}

// noCurrentDirectory keeps cmd.exe and CreateProcess from running what lies in
// the working directory; not for the entry to undo.
const noCurrentDirectory = "NoDefaultCurrentDirectoryInExePath"

// environment gives the whole environment of a server: the allowlist, then the
// entry's own variables. On Windows a name has one spelling in it, that of the
// allowlist first: which of two would count there is not said.
func environment(own map[string]string, facts Facts) map[string]string {
	env := map[string]string{}
	names := passed
	if facts.Windows() {
		names = slices.Concat(passed, passedOnWindows)
	}
	for _, name := range names {
		if value, ok := facts.Getenv(name); ok {
			env[name] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		value := own[name]
		if facts.Windows() {
			name = spelling(name, slices.Concat(names, []string{noCurrentDirectory}, slices.Collect(maps.Keys(env))))
		}
		env[name] = value
	}
	if facts.Windows() {
		env[noCurrentDirectory] = "1"
	}
	return env
}

// spelling gives the known name that differs from name in case at most, else
// name itself.
func spelling(name string, known []string) string {
	i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, name) })
	if i < 0 {
		return name
	}
	return known[i]
}

// resolve finds the program of a command as a spawn with the plan's
// environment and directory would. Relative and empty entries of PATH are
// passed over: they name the working directory, which is the checkout.
func resolve(command string, plan Plan, facts Facts) (program string, found bool) {
	if facts.IsPath(command) {
		if !facts.IsAbs(command) {
			command = facts.Join(plan.Dir, command)
		}
		return command, facts.Executable(command)
	}
	for _, dir := range facts.SplitList(plan.Env["PATH"]) {
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

// inWorkspace reports whether a program lies in a root or its path leads
// through one: a link in a root may lead out again. A program that cannot be
// resolved counts as inside.
func inWorkspace(program string, roots []string, facts Facts) bool {
	for {
		canonical, ok := facts.Canonical(program)
		if !ok || slices.ContainsFunc(roots, func(root string) bool { return facts.Inside(root, canonical) }) {
			return true
		}
		parent := facts.Join(program, "..")
		if parent == program {
			return false
		}
		program = parent
	}
}
