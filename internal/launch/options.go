package launch

import (
	"maps"
	"slices"
	"strings"

	"mcpls/internal/catalog"
	"mcpls/internal/config"
	"mcpls/internal/launch/reason"
)

// options puts together what the server is configured with.
func (p *planner) options() *reason.Refusal {
	d := p.Declaration
	known, _ := p.known()
	if p.Untrusted {
		known = known.WithoutRoot()
	}
	p.plan.InitOptions = over(cloneTable(known.InitOptions), cloneTable(d.InitializationOptions))
	p.plan.Settings = over(cloneTable(known.Settings), cloneTable(d.Settings))
	if p.Untrusted {
		for _, row := range p.rows() {
			p.fixOptions(row)
		}
	}
	return nil
}

// known is what is known of the server that runs: of the innermost program, by the
// name of the link or of what it leads to.
func (p *planner) known() (catalog.Server, bool) {
	inner := p.plan.Argv[p.inner:]
	if row, ok := catalog.ByCommand(inner[0], inner[1:]); ok {
		return row, true
	}
	if canonical, ok := p.facts.Canonical(inner[0]); ok {
		if row, ok := catalog.ByCommand(canonical, inner[1:]); ok {
			return row, true
		}
	}
	return catalog.ByCommand(p.Declaration.Command, p.Declaration.Args)
}

// rows are what holds for the server in an untrusted workspace: of a program that is
// not known, such as a script that starts one, what holds for each of the language.
func (p *planner) rows() []catalog.Server {
	if row, ok := p.known(); ok {
		return []catalog.Server{row}
	}
	return slices.DeleteFunc(catalog.Servers(), func(row catalog.Server) bool { return row.ID != p.Declaration.LanguageID })
}

// Known is what is known of the server that a declaration starts; the zero row is
// nothing.
func Known(d config.Declaration, workspace Workspace, facts Facts) catalog.Server {
	if d.Origin != config.Project {
		if p, refusal := planned(Input{Declaration: d, Workspace: workspace}, facts); refusal == nil {
			row, _ := p.known()
			return row
		}
	}
	row, _ := catalog.ByCommand(d.Command, d.Args)
	return row
}

// fixOptions sets what keeps a server from running programs of the workspace by
// itself.
func (p *planner) fixOptions(known catalog.Server) {
	if known.CheckSwitch != "" {
		p.plan.InitOptions = over(orEmpty(p.plan.InitOptions), map[string]any{known.CheckSwitch: false})
		p.note("%s is off: the compiler, which runs build scripts of the workspace, is not run for its errors", known.CheckSwitch)
	}
	for _, fixed := range catalog.FixedPrograms {
		if len(known.Command) > 0 && fixed.Server == known.Command[0] {
			p.plan.Settings = over(nested(fixed.Key, p.firstProgram(fixed.Programs)), p.plan.Settings)
		}
	}
}

// firstProgram gives the first of some programs that is on the server's PATH, else a
// path at which there is none.
func (p *planner) firstProgram(names []string) string {
	for _, name := range names {
		if program, found := resolve(name, p.plan, "", p.facts); found {
			return program
		}
	}
	return p.facts.Join(p.plan.Dir, "no-"+names[0])
}

// nested gives the tables of a dotted key.
func nested(key string, value any) map[string]any {
	head, rest, more := strings.Cut(key, ".")
	if more {
		value = nested(rest, value)
	}
	return map[string]any{head: value}
}

func orEmpty(table map[string]any) map[string]any {
	if table == nil {
		return map[string]any{}
	}
	return table
}

// over puts a declaration's own options over those that are known to serve the
// server well, table by table.
func over(known, own map[string]any) map[string]any {
	if known == nil {
		return own
	}
	options := maps.Clone(known)
	for key, value := range own {
		before, both := known[key].(map[string]any)
		if table, ok := value.(map[string]any); ok && both {
			value = over(before, table)
		}
		options[key] = value
	}
	return options
}

func cloneTable(table map[string]any) map[string]any {
	if table == nil {
		return nil
	}
	out := maps.Clone(table)
	for key, value := range out {
		out[key] = cloneValue(value)
	}
	return out
}

func cloneValue(value any) any {
	switch value := value.(type) {
	case map[string]any:
		return cloneTable(value)
	case []any:
		list := slices.Clone(value)
		for i, element := range list {
			list[i] = cloneValue(element)
		}
		return list
	}
	return value
}
