package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/workspace"
)

var codeActionsTool = tool{
	name: "get_code_actions", title: "Quick fixes and refactorings", core: true, method: "textDocument/codeAction",
	about: "What the server offers to do about a range: quick fixes, imports, refactorings, each as a diff. Writes nothing.",
	args: append(rangeArgs[:len(rangeArgs):len(rangeArgs)], arg{
		name: "kind_filter", kind: kindString, about: "quickfix, refactor, source.organizeImports, ...",
	}),
	run: (*call).codeActions,
}

func (c *call) codeActions(ctx context.Context) (result, error) {
	doc, in, err := c.span()
	if err != nil {
		return nil, err
	}
	var only []string
	if kind := c.args.text("kind_filter"); kind != "" {
		only = []string{kind}
	}
	answer, err := c.Router.CodeActions(ctx, doc, in, only, c.report)
	if err != nil {
		return nil, err
	}
	r := &actionsResult{flags: flagsOf(answer), where: c.show(doc) + ":" + spanText(in)}
	r.flags.Unsearched = nil // what is offered here needs no search
	for _, a := range answer.Value {
		if len(only) == 0 || isKind(a.Kind, only[0]) { // some servers give every kind
			r.rows = append(r.rows, c.actionRow(a, doc, answer.Text))
		}
	}
	return r, nil
}

// isKind reports whether a kind is another or one beneath it: quickfix.import
// is a quickfix.
func isKind(kind, wanted string) bool {
	return kind == wanted || strings.HasPrefix(kind, wanted+".")
}

// actionRow shows an action with its edit; one that cannot be shown whole is told
// without it.
func (c *call) actionRow(a protocol.CodeAction, doc workspace.Document, text *protocol.Mapper) actionRow {
	row := actionRow{CodeAction: a}
	if a.Edit == nil {
		return row
	}
	var err error
	if row.plan, err = c.diffsOf(a.Edit, doc.URI(), text); err != nil {
		row.Edit, row.Unresolved = nil, err.Error()
	}
	return row
}

// actionsResult are the actions that are offered for a range.
type actionsResult struct {
	flags flags
	where string
	rows  []actionRow
}

type actionRow struct {
	protocol.CodeAction
	plan []string
}

func (r *actionsResult) items() int { return len(r.rows) }

func (r *actionsResult) text(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", r.where, plural(len(r.rows), "action"))
	for _, row := range r.rows[:n] {
		b.WriteString("\n* " + row.head())
		for _, part := range row.plan {
			b.WriteString("\n" + part)
		}
	}
	if slices.ContainsFunc(r.rows, func(row actionRow) bool { return row.Edit == nil && row.Disabled == "" && row.Unresolved == "" }) {
		b.WriteString("\n[no edit: a command of the server's, which mcpls does not run]")
	}
	return b.String() + r.flags.lines()
}

func (row actionRow) head() string {
	text := oneLine(row.Title)
	if row.Kind != "" {
		text += " [" + oneLine(row.Kind) + "]"
	}
	if row.Preferred {
		text += " (preferred)"
	}
	switch {
	case row.Disabled != "":
		text += ": not now: " + oneLine(row.Disabled)
	case row.Edit == nil && row.Unresolved != "":
		text += ": its edit cannot be shown: " + oneLine(row.Unresolved)
	case row.Edit == nil:
		text += " (no edit)"
	case row.Command != nil:
		text += " (and a command of the server's, which mcpls does not run)"
	}
	return text
}

type actionJSON struct {
	Title       string           `json:"title"`
	Kind        string           `json:"kind,omitempty"`
	Diagnostics []diagnosticJSON `json:"diagnostics,omitempty"`
	Edit        *planJSON        `json:"edit,omitempty"`
	Command     *commandJSON     `json:"command,omitempty"`
	Preferred   bool             `json:"is_preferred"`
	Disabled    string           `json:"disabled,omitempty"`
	Unresolved  string           `json:"unresolved,omitempty"`
}

type planJSON struct {
	Changes    []fileEditsJSON          `json:"changes"`
	Operations []protocol.FileOperation `json:"file_operations,omitempty"`
}

type commandJSON struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments any    `json:"arguments,omitempty"`
}

func (r *actionsResult) json(n int) any {
	list := make([]actionJSON, 0, n)
	for _, row := range r.rows[:n] {
		list = append(list, row.json())
	}
	return struct {
		Actions []actionJSON `json:"actions"`
		flags
		cut
	}{list, r.flags, cutAt(n, len(r.rows))}
}

func (row actionRow) json() actionJSON {
	a := actionJSON{Title: row.Title, Kind: row.Kind, Preferred: row.Preferred, Disabled: row.Disabled, Unresolved: row.Unresolved}
	for _, d := range row.Diagnostics {
		a.Diagnostics = append(a.Diagnostics, diagnosticRow{Diagnostic: d}.json())
	}
	if row.Edit != nil {
		a.Edit = &planJSON{Changes: []fileEditsJSON{}, Operations: row.Edit.Operations}
		for _, file := range row.Edit.Files {
			a.Edit.Changes = append(a.Edit.Changes, fileEditsJSON{file.URI, editsJSON(file.Edits)})
		}
	}
	if row.Command != nil {
		a.Command = &commandJSON{Title: row.Command.Title, Command: row.Command.Command}
		if len(row.Command.Arguments) > 0 {
			a.Command.Arguments = row.Command.Arguments
		}
	}
	return a
}
