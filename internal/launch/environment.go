package launch

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcpls/internal/roots"
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

// cleaners take out of a variable what leads into the workspace, and say so.
var cleaners = []struct {
	name  string
	clean func(env map[string]string, name string, boundary []string, facts Facts) (note string)
}{{"PATH", cleanPath}, {"HOME", cleanHome}, {"USERPROFILE", cleanHome}}

// environment gives the whole environment of a server: the allowlist without
// what leads into the workspace, then the entry's own variables as written.
// The notes say what was changed of the allowlist.
func environment(own map[string]string, boundary []string, facts Facts) (env map[string]string, notes []string) {
	names := passed
	if facts.Windows() {
		names = slices.Concat(passed, passedOnWindows)
	}
	own = spelled(own, names, facts)
	env = map[string]string{}
	for _, name := range names {
		if value, ok := facts.Getenv(name); ok {
			env[name] = value
		}
	}
	for _, c := range cleaners {
		if _, ok := own[c.name]; ok {
			continue
		}
		if note := c.clean(env, c.name, boundary, facts); note != "" {
			notes = append(notes, note)
		}
	}
	maps.Copy(env, own)
	if facts.Windows() {
		env[noCurrentDirectory] = "1"
	}
	return env, notes
}

// spelled gives the entry's own variables. On Windows a name has one spelling
// in it, that of the allowlist first: which of two would count there is not
// said.
func spelled(own map[string]string, names []string, facts Facts) map[string]string {
	if !facts.Windows() {
		return own
	}
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		known := slices.Concat(names, []string{noCurrentDirectory}, slices.Collect(maps.Keys(out)))
		out[spelling(name, known)] = own[name]
	}
	return out
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

// cleanPath takes out of PATH what would let a program of the repository run
// in the place of one that the server starts by name, such as the node of
// `#!/usr/bin/env node`: entries that are relative, and so name the working
// directory, and directories that lie in the workspace or lead through it. A
// directory that is not there is left out too: a later link in its place is
// not looked at again.
//
// An empty PATH, and none at all, would have programs use a default of their
// own that may hold the working directory: they become the system's.
func cleanPath(env map[string]string, name string, boundary []string, facts Facts) (note string) {
	var kept []string
	dropped := 0
	list := facts.SplitList(env[name])
	for _, dir := range list {
		if facts.IsAbs(dir) {
			dir = facts.Join(dir, ".") // look-up cleans it so too
		}
		_, exists := facts.Canonical(dir)
		switch {
		case !facts.IsAbs(dir) || roots.LeadsInto(boundary, dir, facts):
			dropped++
		case exists:
			kept = append(kept, dir)
		}
	}
	if len(kept) == 0 {
		kept = systemPath(facts)
	}
	if delete(env, name); len(kept) > 0 {
		env[name] = joinList(kept, facts)
	}
	if dropped == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d entries of PATH are empty, relative or lead into the workspace: the server's PATH is without them; "+
		"to use them, set env.PATH in its entry", dropped, len(list))
}

// systemPath is a PATH that needs nothing of the environment.
func systemPath(facts Facts) []string {
	if !facts.Windows() {
		return []string{"/usr/local/bin", "/usr/bin", "/bin"}
	}
	if root, ok := facts.Getenv("SystemRoot"); ok && facts.IsAbs(root) {
		return []string{facts.Join(root, "System32")}
	}
	return nil
}

// joinList is the inverse of SplitList. On Windows an entry with the separator
// in it stands in quotation marks.
func joinList(dirs []string, facts Facts) string {
	if !facts.Windows() {
		return strings.Join(dirs, ":")
	}
	var list []string
	for _, dir := range dirs {
		if strings.Contains(dir, ";") {
			dir = `"` + dir + `"`
		}
		list = append(list, dir)
	}
	return strings.Join(list, ";")
}

// cleanHome replaces a home directory that the repository can write: programs
// take from it configuration that names programs (go/env, .npmrc, .gitconfig).
// The login home of the account database is not for a checkout's tooling to
// set. Where it is not known the server gets none.
func cleanHome(env map[string]string, name string, boundary []string, facts Facts) (note string) {
	home, set := env[name]
	if !set {
		return ""
	}
	if facts.IsAbs(home) {
		if env[name] = facts.Join(home, "."); !roots.LeadsInto(boundary, env[name], facts) {
			return ""
		}
	}
	login, known := facts.LoginHome()
	switch {
	case known && login == home:
		return ""
	case known:
		env[name] = login
		return fmt.Sprintf("%s is %q, relative or inside the workspace: the server gets %q, the login home", name, home, login)
	}
	delete(env, name)
	return fmt.Sprintf("%s is %q, relative or inside the workspace, and the login home is not known: the server gets none", name, home)
}

// wholePath gives the PATH that a command may also be looked up on: mcpls's
// own, unless the entry sets one, which is then the only one.
func wholePath(own map[string]string, facts Facts) string {
	if _, ok := spelled(own, passed, facts)["PATH"]; ok {
		return ""
	}
	path, _ := facts.Getenv("PATH")
	return path
}
