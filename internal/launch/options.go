package launch

import (
	"maps"
	"slices"

	"mcpls/internal/catalog"
	"mcpls/internal/launch/reason"
)

// options puts together what the server is configured with.
func (p *planner) options() *reason.Refusal {
	d := p.Declaration
	known, _ := catalog.ByCommand(d.Command, d.Args)
	p.plan.InitOptions = over(cloneTable(known.InitOptions), cloneTable(d.InitializationOptions))
	p.plan.Settings = over(cloneTable(known.Settings), cloneTable(d.Settings))
	if p.Untrusted && known.CheckSwitch != "" {
		if p.plan.InitOptions == nil {
			p.plan.InitOptions = map[string]any{}
		}
		p.plan.InitOptions[known.CheckSwitch] = false
		p.note("%s is off: the compiler, which runs build scripts of the workspace, is not run for its errors", known.CheckSwitch)
	}
	return nil
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
