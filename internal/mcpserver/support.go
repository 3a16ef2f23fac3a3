package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcpls/internal/quote"
	"mcpls/internal/router"
	"mcpls/internal/workspace"
)

var toolSupportTool = tool{
	name: "get_tool_support", title: "Servers and their state",
	about: "Which language servers there are, which tools each answers, and why one does not run. Starts nothing.",
	args:  []arg{{name: "file_path", kind: kindString, plain: true, about: "only the servers of this file"}},
	run:   (*call).toolSupport,
}

func (c *call) toolSupport(ctx context.Context) (result, error) {
	var doc *workspace.Document
	if c.args.has("file_path") {
		found, err := c.Workspace.Find(c.args.text("file_path"))
		if err != nil {
			return nil, err
		}
		doc = &found
	}
	r := &supportResult{roots: c.Workspace.Roots(), brief: doc == nil, trust: "trusted"}
	if c.Untrusted {
		r.trust, r.mode = "untrusted", c.modeLine()
	}
	for _, s := range c.Router.Support(ctx, doc) {
		r.rows = append(r.rows, c.supportRow(s))
	}
	slices.SortStableFunc(r.rows, func(a, b supportRow) int { return cmp.Compare(a.rank(), b.rank()) })
	return r, nil
}

// supportRow parts the tools into those that a started server answers and those
// that it does not. Diagnostics need no request: every server may publish them.
func (c *call) supportRow(s router.Support) supportRow {
	row := supportRow{Support: s}
	if s.State != router.StateReady && s.State != router.StateLoading {
		return row
	}
	for _, t := range c.offered {
		published := t.name == diagnosticsTool.name || t.name == cachedDiagnosticsTool.name
		switch {
		case slices.Contains(s.Methods, t.method) || published && s.Diagnoses():
			row.tools = append(row.tools, c.ToolPrefix+t.name)
		case t.method != "" || published:
			row.lacks = append(row.lacks, c.ToolPrefix+t.name)
		}
	}
	return row
}

// supportResult is the state of the declared servers.
type supportResult struct {
	roots []string
	brief bool   // of an inactive server only its name
	trust string // trusted or untrusted
	mode  string // what is to be said of untrusted-workspace mode; "": it is off
	rows  []supportRow
}

type supportRow struct {
	router.Support
	tools []string // that it answers
	lacks []string // that it does not
}

// rank puts the servers that are of no use here last.
func (row supportRow) rank() int {
	if row.State == router.StateInactive {
		return 1
	}
	return 0
}

func (r *supportResult) items() int { return len(r.rows) }

func (r *supportResult) text(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "workspace %s: %s", strings.Join(r.roots, ", "), plural(len(r.rows), "server"))
	if r.mode != "" {
		b.WriteString("\n" + r.mode)
	}
	var inactive, notAllowed []string
	for _, row := range r.rows[:n] {
		if r.brief && row.notAllowed() {
			notAllowed = append(notAllowed, quote.String(row.Server))
			continue
		}
		if r.brief && row.State == router.StateInactive {
			inactive = append(inactive, quote.String(row.Server))
			continue
		}
		fmt.Fprintf(&b, "\n%s", row)
	}
	if len(notAllowed) > 0 {
		fmt.Fprintf(&b, "\nnot allowed (with file_path it is told how to go on): %s", strings.Join(notAllowed, ", "))
	}
	if len(inactive) > 0 {
		fmt.Fprintf(&b, "\ninactive, the workspace has no marker of theirs (with file_path it is told which): %s", strings.Join(inactive, ", "))
	}
	return b.String()
}

// notAllowed reports whether the server is one that untrusted-workspace mode leaves
// out.
func (row supportRow) notAllowed() bool {
	refused, ok := errors.AsType[*router.LaunchError](row.Refusal)
	return ok && refused.Code == "inactive.not_allowed"
}

func (row supportRow) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, %s, `%s`): %s", quote.String(row.Server), quote.String(row.Language), row.Launch.Origin, row.Launch.Program, row.State)
	if row.Name != "" {
		fmt.Fprintf(&b, ", %s %s", row.Name, shorten(row.Version))
	}
	if row.Progress != "" {
		fmt.Fprintf(&b, ", %s", row.Progress)
	}
	if len(row.Missing) > 0 {
		fmt.Fprintf(&b, ", the workspace has no %s", strings.Join(row.Missing, " or "))
	}
	if row.State == router.StateIdle {
		b.WriteString(", starts at the first question")
	}
	if row.Refusal != nil {
		fmt.Fprintf(&b, "\n  %s", strings.ReplaceAll(row.Refusal.Error(), "\n", "\n  "))
	}
	if row.Trouble != "" {
		fmt.Fprintf(&b, "\n  it says: %s", row.Trouble)
	}
	if len(row.Handles) > 0 {
		fmt.Fprintf(&b, "\n  handles only %s", strings.Join(row.Handles, ", "))
	}
	switch {
	case len(row.tools) > 0 && len(row.lacks) == 0:
		b.WriteString("\n  answers every tool")
	case len(row.lacks) < len(row.tools):
		fmt.Fprintf(&b, "\n  answers every tool but %s", strings.Join(row.lacks, ", "))
	case len(row.tools) > 0:
		fmt.Fprintf(&b, "\n  answers %s", strings.Join(row.tools, ", "))
	}
	return b.String()
}

type supportJSON struct {
	Server   string       `json:"server"`
	Language string       `json:"language_id"`
	Origin   string       `json:"origin"`
	Program  string       `json:"program"`
	State    router.State `json:"state"`
	Name     string       `json:"name,omitempty"`
	Version  string       `json:"version,omitempty"`
	Progress string       `json:"progress,omitempty"`
	Trouble  string       `json:"server_trouble,omitempty"`
	Refusal  string       `json:"refusal,omitempty"`
	Handles  []string     `json:"handles,omitempty"`
	Tools    []string     `json:"tools,omitempty"`
}

func (r *supportResult) json(n int) any {
	list := make([]supportJSON, 0, n)
	for _, row := range r.rows[:n] {
		s := supportJSON{
			Server: row.Server, Language: row.Language, Origin: row.Launch.Origin, Program: row.Launch.Program,
			State: row.State, Name: row.Name, Version: shorten(row.Version),
			Progress: row.Progress, Trouble: row.Trouble, Handles: row.Handles, Tools: row.tools,
		}
		if row.Refusal != nil {
			s.Refusal = row.Refusal.Error()
		}
		list = append(list, s)
	}
	return struct {
		Roots   []string      `json:"roots"`
		Trust   string        `json:"workspace_trust"`
		Servers []supportJSON `json:"servers"`
		cut
	}{r.roots, r.trust, list, cutAt(n, len(r.rows))}
}
