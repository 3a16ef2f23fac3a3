package launch

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcpls/internal/catalog"
	"mcpls/internal/launch/policy"
	"mcpls/internal/launch/reason"
)

// optionPrograms refuses settings and arguments that have a server run a program
// of the workspace. Those that are known to name programs are held to the rules of
// a command; of all others no string may name an executable file of the workspace.
func (p *planner) optionPrograms() *reason.Refusal {
	for _, known := range p.rows() {
		if refusal := p.knownPrograms(known); refusal != nil {
			return refusal
		}
	}
	for _, table := range []map[string]any{p.plan.InitOptions, p.plan.Settings} {
		if key, bad := p.executableIn(table); bad {
			return settingRefusal(key, "names an executable file inside the workspace")
		}
	}
	return nil
}

// knownPrograms holds the settings that are known of a server to the rules.
func (p *planner) knownPrograms(known catalog.Server) *reason.Refusal {
	for _, row := range catalog.ProgramSettings {
		if row.Server != known.Command[0] {
			continue
		}
		for _, value := range p.settingValues(row.Key, known.Sections) {
			if say := p.badSetting(row.Means, value); say != "" {
				return settingRefusal(row.Key, say)
			}
		}
	}
	return nil
}

func settingRefusal(key, say string) *reason.Refusal {
	return &reason.Refusal{
		Code: reason.SettingsProgram, Message: fmt.Sprintf("the option %q of the server %s", key, say),
		Hint: "in its entry name a program outside the workspace, by its absolute path, or remove the option",
	}
}

// settingValues gives the values of a setting, in the initialization options and
// the settings, at their top and below each of the server's sections; or of an
// argument of the command line.
func (p *planner) settingValues(key string, sections []string) []any {
	if strings.HasPrefix(key, "-") {
		return argumentValues(key, p.plan.Argv)
	}
	var found []any
	for _, table := range []map[string]any{p.plan.InitOptions, p.plan.Settings} {
		for _, section := range append([]string{""}, sections...) {
			path := strings.Split(strings.TrimPrefix(section+"."+key, "."), ".")
			found = append(found, valuesAt(table, path)...)
		}
	}
	return found
}

// valuesAt follows a path of keys; * is every element.
func valuesAt(value any, path []string) []any {
	if len(path) == 0 {
		return []any{value}
	}
	var below []any
	switch value := value.(type) {
	case map[string]any:
		if part, ok := value[path[0]]; ok {
			below = append(below, part)
		} else if path[0] == "*" {
			below = slices.AppendSeq(below, maps.Values(value))
		}
	case []any:
		if path[0] == "*" {
			below = value
		}
	}
	var found []any
	for _, part := range below {
		found = append(found, valuesAt(part, path[1:])...)
	}
	return found
}

// argumentValues gives the values of an option, glued with = or as the next
// argument, with one dash or two, as LLVM's command line takes them.
func argumentValues(option string, argv []string) []any {
	var found []any
	for i, arg := range argv {
		name, value, glued := strings.Cut(arg, "=")
		switch {
		case strings.TrimLeft(name, "-") != strings.TrimLeft(option, "-") || !strings.HasPrefix(name, "-"):
		case glued:
			found = append(found, value)
		case i+1 < len(argv):
			found = append(found, argv[i+1])
		}
	}
	return found
}

// badSetting says what is wrong with a value that names programs; "" is nothing.
func (p *planner) badSetting(means catalog.Means, value any) string {
	switch means {
	case catalog.MeansCommand:
		return p.badCommand(texts(value))
	case catalog.MeansFlags:
		return p.badFlags(texts(value))
	case catalog.MeansVariables:
		return p.badVariables(value)
	}
	for _, text := range texts(value) {
		check := p.badProgram
		switch means {
		case catalog.MeansDirectory, catalog.MeansCode:
			check = p.badPath
		case catalog.MeansGlobs:
			check = p.badGlobs
		}
		if say := check(text); say != "" {
			return say
		}
	}
	return ""
}

// texts gives the strings of a value that is one or a list of them.
func texts(value any) []string {
	switch value := value.(type) {
	case string:
		return []string{value}
	case []any:
		var list []string
		for _, element := range value {
			list = append(list, texts(element)...)
		}
		return list
	}
	return nil
}

// badCommand holds a command to the rules of the server's own.
func (p *planner) badCommand(argv []string) string {
	if len(argv) == 0 {
		return ""
	}
	if say := p.badProgram(argv[0]); say != "" {
		return say
	}
	program, found := resolve(argv[0], p.plan, "", p.facts)
	if !found {
		return ""
	}
	full := append([]string{program}, argv[1:]...)
	if _, refusal := policy.Check(argv[0], full, p.machine()); refusal != nil {
		return "names a command that is refused: " + refusal.Message
	}
	return ""
}

// badProgram refuses a program that lies in the workspace, and one by a relative
// path: servers look for it in the workspace. A bare name is looked up on the
// server's PATH, which leads nowhere into it.
func (p *planner) badProgram(program string) string {
	if !p.facts.IsPath(program) {
		return ""
	}
	if say := p.badPath(program); say != "" {
		return say
	}
	if manager, proxy := policy.Proxy(program, p.machine()); proxy && manager != "rustup" {
		return fmt.Sprintf("names a program of %s, which asks the workspace what to run", manager)
	}
	return ""
}

func (p *planner) badPath(path string) string {
	switch {
	case path == "":
		return ""
	case !p.facts.IsAbs(path):
		return "is a relative path or has a variable in it, which may lead into the workspace"
	case p.inside(path):
		return "leads into the workspace"
	}
	return ""
}

// badGlobs refuses globs that may match a program of the workspace: by the part
// before the first special character.
func (p *planner) badGlobs(list string) string {
	for glob := range strings.SplitSeq(list, ",") {
		fixed := glob
		if i := strings.IndexAny(glob, "*?[{\\"); i >= 0 && !(p.facts.Windows() && glob[i] == '\\') {
			fixed = glob[:i]
			if slash := strings.LastIndexAny(fixed, `/\`); slash >= 0 {
				fixed = fixed[:slash+1]
			}
		}
		if say := p.badPath(fixed); say != "" || fixed == "" {
			return "has a glob that may match a program of the workspace"
		}
		for _, dir := range p.Boundary {
			if fixed != glob && p.facts.Inside(p.facts.Join(fixed, "."), dir) {
				return "has a glob that may match a program of the workspace"
			}
		}
	}
	return ""
}

// badFlags refuses flags of the go command that have it run a program, unless it
// lies outside (go help build).
func (p *planner) badFlags(flags []string) string {
	for i, flag := range flags {
		name, value, glued := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if name != "toolexec" && name != "exec" && name != "vettool" {
			continue
		}
		if !glued && i+1 < len(flags) {
			value = flags[i+1]
		}
		if say := p.badCommand(strings.Fields(value)); say != "" {
			return say
		}
	}
	return ""
}

// badVariables refuses variables that have a program of the workspace run.
func (p *planner) badVariables(value any) string {
	table, _ := value.(map[string]any)
	for name, value := range table {
		text, _ := value.(string)
		say := ""
		switch {
		case strings.EqualFold(name, "PATH"):
			for _, dir := range p.facts.SplitList(text) {
				if dir == "" || p.badPath(dir) != "" {
					say = "has a PATH that leads into the workspace"
				}
			}
		case name == "GOFLAGS":
			say = p.badFlags(strings.Fields(text))
		case slices.Contains(catalog.ProgramVariables, name):
			say = p.badCommand(strings.Fields(text))
		}
		if say != "" {
			return say
		}
	}
	return ""
}

// executableIn finds a string, also behind its first =, that is the path of an
// executable file of the workspace: from the directory of the start, or from a
// root, which servers resolve their settings against.
func (p *planner) executableIn(value any) (key string, found bool) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if below, found := p.executableIn(value[name]); found {
				return strings.TrimSuffix(name+"."+below, "."), true
			}
		}
	case []any:
		for _, element := range value {
			if _, found := p.executableIn(element); found {
				return "", true
			}
		}
	case string:
		_, behind, _ := strings.Cut(value, "=")
		return "", p.namesExecutable(value) || p.namesExecutable(behind)
	}
	return "", false
}

func (p *planner) namesExecutable(text string) bool {
	if !p.facts.IsPath(text) {
		return false
	}
	if p.facts.IsAbs(text) {
		return p.facts.Executable(text) && p.inside(text)
	}
	for _, dir := range append([]string{p.plan.Dir}, p.Boundary...) {
		if path := p.facts.Join(dir, text); p.facts.Executable(path) && p.inside(path) {
			return true
		}
	}
	return false
}
