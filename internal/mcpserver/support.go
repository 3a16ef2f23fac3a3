package mcpserver

import (
	"context"
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
	args:  []arg{{name: "file_path", kind: kindString, about: "only the servers of this file"}},
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
	r := &supportResult{roots: c.Workspace.Roots()}
	for _, s := range c.Router.Support(ctx, doc) {
		r.rows = append(r.rows, supportRow{s, c.supported(s)})
	}
	return r, nil
}

// supported gives the tools that a started server answers. Diagnostics need no
// request: every server may publish them.
func (c *call) supported(s router.Support) []string {
	started := s.State == router.StateReady || s.State == router.StateLoading
	var names []string
	for _, t := range c.offered {
		published := t.name == diagnosticsTool.name || t.name == cachedDiagnosticsTool.name
		if slices.Contains(s.Methods, t.method) || started && published && s.Diagnoses() {
			names = append(names, c.ToolPrefix+t.name)
		}
	}
	return names
}

// supportResult is the state of the declared servers.
type supportResult struct {
	roots []string
	rows  []supportRow
}

type supportRow struct {
	router.Support
	tools []string
}

func (r *supportResult) items() int { return len(r.rows) }

func (r *supportResult) text(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "workspace %s: %s", strings.Join(r.roots, ", "), plural(len(r.rows), "server"))
	for _, row := range r.rows[:n] {
		fmt.Fprintf(&b, "\n%s", row)
	}
	return b.String()
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
	if len(row.tools) > 0 {
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
		Servers []supportJSON `json:"servers"`
		cut
	}{r.roots, list, cutAt(n, len(r.rows))}
}
