package launch

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"mcpls/internal/launch/policy"
	"mcpls/internal/launch/reason"
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
func (p *planner) environment() *reason.Refusal {
	env, own := p.inherited(), p.own()
	for _, c := range cleaners {
		if _, ok := own[c.name]; ok {
			continue
		}
		if note := c.clean(env, c.name, p.Boundary, p.facts); note != "" {
			p.plan.Notes = append(p.plan.Notes, note)
		}
	}
	p.setEnv(env, own)
	return nil
}

// inherited is what is passed on of mcpls's own environment.
func (p *planner) inherited() map[string]string {
	env := map[string]string{}
	for _, name := range passedNames(p.facts) {
		if value, ok := p.facts.Getenv(name); ok {
			env[name] = value
		}
	}
	return env
}

// own are the entry's variables.
func (p *planner) own() map[string]string {
	return spelled(p.Declaration.Env, passedNames(p.facts), p.facts)
}

// setEnv puts the entry's own variables over the others.
func (p *planner) setEnv(env, own map[string]string) {
	maps.Copy(env, own)
	if p.facts.Windows() {
		env[noCurrentDirectory] = "1"
	}
	p.plan.Env = env
}

func passedNames(facts Facts) []string {
	if facts.Windows() {
		return slices.Concat(passed, passedOnWindows)
	}
	return passed
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

// cleanEnvironment is the environment of a server whose workspace is not trusted:
// PATH is without the workspace also where the entry sets it, the home
// directories are the login home, and toolchains do not ask the checkout.
func (p *planner) cleanEnvironment() *reason.Refusal {
	env, own := p.inherited(), maps.Clone(p.own())
	if path, set := own["PATH"]; set {
		env["PATH"] = path
		delete(own, "PATH")
	}
	if note := cleanPath(env, "PATH", p.Boundary, p.facts); note != "" {
		p.plan.Notes = append(p.plan.Notes, note)
	}
	if refusal := p.loginHomes(env, own); refusal != nil {
		return refusal
	}
	p.setEnv(env, own)
	p.leaveProxies()
	p.pinToolchains()
	return nil
}

// homes are the variables that name the home directory. needed says that a
// system's programs have none without it: they then take the working directory.
var homes = []struct {
	name    string
	windows bool // needed on Windows; the other one is elsewhere
}{{"HOME", false}, {"USERPROFILE", true}}

// loginHomes sets the home directories to the login home unless the entry sets
// them. Where it is not known they stay as they are, and have to be outside.
func (p *planner) loginHomes(env, own map[string]string) *reason.Refusal {
	login, known := p.facts.LoginHome()
	known = known && utf8.ValidString(login)
	for _, h := range homes {
		value, set := env[h.name]
		_, chosen := own[h.name]
		needed := h.windows == p.facts.Windows()
		switch {
		case chosen || !set && !needed:
		case known:
			env[h.name] = login
		case !p.outsideHome(value):
			return &reason.Refusal{
				Code: reason.UnsafeHome,
				Message: fmt.Sprintf("the login home is not known, and %s is unset, empty, not there or inside the workspace: "+
					"programs would take their configuration from the workspace", h.name),
				Hint: fmt.Sprintf("set env.%s in its entry to a directory outside the workspace", h.name),
			}
		}
	}
	return nil
}

func (p *planner) outsideHome(home string) bool {
	return p.facts.IsAbs(home) && p.facts.Kind(home) == policy.Directory && !p.inside(home)
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
