package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/router"
)

var documentSymbolsTool = tool{
	name: "get_document_symbols", title: "Outline of a file", core: true, method: "textDocument/documentSymbol",
	about: "The outline of a file: every symbol with its kind and lines.",
	args:  []arg{fileArg},
	run:   (*call).documentSymbols,
}

var workspaceSymbolTool = tool{
	name: "workspace_symbol_search", title: "Search symbols", core: true, method: "workspace/symbol",
	about: "Find symbols by name, or a part of it, in the whole workspace.",
	args: []arg{
		{name: "query", kind: kindString, required: true, plain: true, about: "name or part of one; the servers match loosely"},
		{name: "kind_filter", kind: kindString, plain: true, about: "only this kind, such as function, method, struct, interface, class"},
		{name: "limit", kind: kindInteger, min: 1, max: 1000, fallback: 100, plain: true, about: "at most so many"},
	},
	run: (*call).workspaceSymbols,
}

func (c *call) documentSymbols(ctx context.Context) (result, error) {
	doc, err := c.Workspace.Find(c.args.text("file_path"))
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.DocumentSymbols(ctx, doc, c.report)
	if err != nil {
		return nil, err
	}
	r := &outlineResult{flags: flagsOf(answer), shown: c.show(doc)}
	r.add(answer.Value, 0)
	return r, nil
}

// outlineResult is the outline of one file, its tree flattened: each symbol
// with its depth, parents before children.
type outlineResult struct {
	flags flags
	shown string
	rows  []outlineRow
}

type outlineRow struct {
	depth  int
	symbol protocol.DocumentSymbol
}

func (r *outlineResult) add(list []protocol.DocumentSymbol, depth int) {
	for _, s := range list {
		r.rows = append(r.rows, outlineRow{depth, s})
		r.add(s.Children, depth+1)
	}
}

func (r *outlineResult) items() int { return len(r.rows) }

func (r *outlineResult) text(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", r.shown)
	if len(r.rows) == 0 {
		b.WriteString("no symbols")
	} else {
		b.WriteString(plural(len(r.rows), "symbol") + ", each with its lines")
	}
	for _, row := range r.rows[:n] {
		fmt.Fprintf(&b, "\n%s%s", strings.Repeat("  ", min(row.depth, maxIndent)), row)
	}
	return b.String() + r.flags.lines()
}

// maxIndent bounds how deep an outline is shown: real ones are less than ten.
const maxIndent = 20

// String gives kind, name, detail and lines; the detail is cut to one line.
func (row outlineRow) String() string {
	s := row.symbol
	detail, _, _ := strings.Cut(s.Detail, "\n")
	if detail != "" {
		detail = " " + shorten(detail)
	}
	lines := fmt.Sprint(s.Range.Start.Line + 1)
	if s.Range.End.Line != s.Range.Start.Line {
		lines += fmt.Sprintf("-%d", s.Range.End.Line+1)
	}
	return fmt.Sprintf("%s %s%s  %s", s.Kind, oneLine(s.Name), detail, lines)
}

type symbolJSON struct {
	Name      string        `json:"name"`
	Kind      string        `json:"kind"`
	Detail    string        `json:"detail,omitempty"`
	Range     rangeJSON     `json:"range"`
	Selection rangeJSON     `json:"selection_range"`
	Children  []*symbolJSON `json:"children,omitempty"`
}

func (r *outlineResult) json(n int) any {
	top := []*symbolJSON{}
	var open []*symbolJSON // the path from the top to the row before
	for _, row := range r.rows[:n] {
		s := row.symbol
		node := &symbolJSON{
			Name: s.Name, Kind: s.Kind.String(), Detail: s.Detail,
			Range: jsonRange(s.Range), Selection: jsonRange(s.Selection),
		}
		open = open[:row.depth]
		if row.depth == 0 {
			top = append(top, node)
		} else {
			parent := open[row.depth-1]
			parent.Children = append(parent.Children, node)
		}
		open = append(open, node)
	}
	return struct {
		Symbols []*symbolJSON `json:"symbols"`
		flags
		cut
	}{top, r.flags, cutAt(n, len(r.rows))}
}

func (c *call) workspaceSymbols(ctx context.Context) (result, error) {
	var kind protocol.SymbolKind
	if name := c.args.text("kind_filter"); name != "" {
		var err error
		if kind, err = protocol.ParseSymbolKind(name); err != nil {
			return nil, badArg("kind_filter: %v", err)
		}
	}
	if strings.TrimSpace(c.args.text("query")) == "" {
		return nil, badArg("query is empty: give a name or part of one")
	}
	answers, failures, err := c.Router.WorkspaceSymbols(ctx, c.args.text("query"), c.report)
	if err != nil {
		return nil, err
	}
	r := &symbolsResult{query: c.args.text("query"), kind: c.args.text("kind_filter")}
	for _, answer := range answers {
		r.take(c, answer, kind)
	}
	for _, f := range failures {
		if _, blocked := errors.AsType[*router.LaunchError](f.Err); blocked {
			r.unasked = append(r.unasked, f.Server)
			continue
		}
		r.unanswered = append(r.unanswered, fmt.Sprintf("%s: %v", f.Server, f.Err))
	}
	r.found = len(r.rows)
	r.rows = r.rows[:min(len(r.rows), c.args.number("limit"))]
	return r, nil
}

// symbolsResult are the symbols that match a query, in the order in which the
// servers rank them.
type symbolsResult struct {
	flags       []flags // one for each server that answered
	unanswered  []string
	unasked     []string // servers that may not start
	query, kind string
	rows        []symbolRow
	found       int // before limit was applied
}

// capped is the most that one of the servers gives, if it gave as many.
func (r *symbolsResult) capped() int {
	most := 0
	for _, f := range r.flags {
		most = max(most, f.Capped)
	}
	return most
}

type symbolRow struct {
	protocol.WorkspaceSymbol
	at located
}

func (r *symbolsResult) take(c *call, answer router.Answer[[]protocol.WorkspaceSymbol], kind protocol.SymbolKind) {
	r.flags = append(r.flags, flagsOf(answer))
	seen := map[protocol.WorkspaceSymbol]bool{}
	for _, s := range answer.Value {
		if kind != 0 && s.Kind != kind {
			continue
		}
		at := c.locateOne(s.Location)
		s.Location = at.Location
		// A file that has two names has its symbols once.
		if !seen[s] {
			seen[s] = true
			r.rows = append(r.rows, symbolRow{s, at})
		}
	}
}

func (r *symbolsResult) items() int { return len(r.rows) }

func (r *symbolsResult) text(n int) string {
	var b strings.Builder
	switch {
	case r.found == 0 && r.capped() > 0:
		fmt.Fprintf(&b, "none of the first %d symbols for %q is", r.capped(), r.query)
	case r.found == 0:
		fmt.Fprintf(&b, "no symbol matches %q", r.query)
	case r.capped() > 0:
		fmt.Fprintf(&b, "at least %s for %q", plural(r.found, "symbol"), r.query)
	default:
		fmt.Fprintf(&b, "%s for %q", plural(r.found, "symbol"), r.query)
	}
	if r.kind != "" {
		b.WriteString(" of kind " + r.kind)
	}
	if r.found > len(r.rows) {
		fmt.Fprintf(&b, ", the first %d (limit)", len(r.rows))
	}
	for _, row := range r.rows[:n] {
		fmt.Fprintf(&b, "\n%s", row)
	}
	for _, f := range r.flags {
		b.WriteString(f.lines())
	}
	if len(r.unasked) > 0 {
		b.WriteString("\n[not asked, since they may not start: " + oneLine(strings.Join(r.unasked, ", ")) + "; get_tool_support says why]")
	}
	for _, failure := range r.unanswered {
		b.WriteString("\n[not answered by " + failure + "]")
	}
	return b.String()
}

func (row symbolRow) String() string {
	name := oneLine(row.Name)
	if row.Container != "" {
		name += " (in " + oneLine(row.Container) + ")"
	}
	if !row.HasRange {
		return fmt.Sprintf("%s %s  %s", row.Kind, name, row.at.Path)
	}
	return fmt.Sprintf("%s %s  %s", row.Kind, name, row.at)
}

type workspaceSymbolJSON struct {
	Name      string       `json:"name"`
	Kind      string       `json:"kind"`
	Location  locationJSON `json:"location"`
	Container string       `json:"container_name,omitempty"`
}

func (r *symbolsResult) json(n int) any {
	list := make([]workspaceSymbolJSON, 0, n)
	for _, row := range r.rows[:n] {
		list = append(list, workspaceSymbolJSON{row.Name, row.Kind.String(), row.at.json(), row.Container})
	}
	return struct {
		Symbols    []workspaceSymbolJSON `json:"symbols"`
		Servers    []flags               `json:"servers"`
		Unanswered []string              `json:"unanswered,omitempty"`
		Unasked    []string              `json:"not_asked,omitempty"`
		cut
	}{list, r.flags, r.unanswered, r.unasked, cutAt(n, r.found)}
}
