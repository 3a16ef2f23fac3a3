package mcpserver

import (
	"fmt"
	"slices"
	"strings"

	"mcpls/internal/router"
)

// flags are what is to be known about an answer beside its content. They show
// only when they say something.
type flags struct {
	Server     string   `json:"server,omitempty"`
	Indexing   bool     `json:"indexing_in_progress,omitempty"`
	Degraded   []string `json:"positions_degraded,omitempty"`
	Outside    int      `json:"out_of_workspace,omitempty"`
	Unproven   bool     `json:"readiness_unknown,omitempty"`
	Unsearched []string `json:"modules_not_searched,omitempty"`
	Capped     int      `json:"server_gives_at_most,omitempty"`
	Uncompiled bool     `json:"compiler_not_run,omitempty"`
	Trouble    string   `json:"server_trouble,omitempty"`
	Enclosing  string   `json:"enclosing_symbols,omitempty"`
	Unasked    []string `json:"symbol_name_not_asked_of,omitempty"`
}

func (p place) flags(f flags) flags {
	f.Unasked = p.unasked
	if p.degraded && !slices.Contains(f.Degraded, "request") {
		f.Degraded = append(f.Degraded, "request")
	}
	return f
}

func flagsOf[T any](a router.Answer[T]) flags {
	f := flags{Server: a.Server, Indexing: a.Loading, Unproven: a.Unproven, Unsearched: a.Unsearched, Capped: a.Capped, Uncompiled: a.Uncompiled, Trouble: a.Trouble}
	if a.RequestDegraded {
		f.Degraded = append(f.Degraded, "request")
	}
	if a.ResponseDegraded {
		f.Degraded = append(f.Degraded, "response")
	}
	return f
}

// uncompiled is said beside errors of a server that runs a compiler for the rest.
const uncompiled = "the compiler is not run in untrusted-workspace mode: errors that only it finds are missing"

// lines gives the flags as lines of text, each beginning on a new line.
func (f flags) lines() string {
	var b strings.Builder
	say := func(is bool, text string) {
		if is {
			b.WriteString("\n[" + text + "]")
		}
	}
	say(f.Indexing, f.Server+" was still loading the workspace: there may be more")
	say(f.Unproven, f.Server+" has just started, and mcpls does not know how it shows that it has loaded the workspace: there may be more")
	say(len(f.Unsearched) > 0, "perhaps not searched: the modules in "+oneLine(strings.Join(f.Unsearched, ", ")))
	say(f.Capped > 0, fmt.Sprintf("%s gives at most %d: there may be more, which a longer name would find", f.Server, f.Capped))
	for _, side := range f.Degraded {
		say(side == "request", "the column was past the end of the line or inside a character and was moved")
		say(side == "response", "some columns could not be converted and may be off")
	}
	say(len(f.Unasked) > 0, "not asked for the name, since it does not start: "+oneLine(strings.Join(f.Unasked, ", "))+"; get_tool_support says why")
	say(f.Enclosing != "", "the symbol around a location is "+f.Enclosing)
	say(f.Uncompiled, uncompiled)
	say(f.Trouble != "", f.Server+" says: "+oneLine(f.Trouble))
	return b.String()
}
