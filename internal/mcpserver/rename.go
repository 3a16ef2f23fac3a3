package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mcpls/internal/lsp/protocol"
)

var renameTool = tool{
	name: "rename_symbol", title: "Plan a rename", core: true,
	about: "The edits that rename the symbol at a place everywhere. Nothing is written: apply them yourself, all of them.",
	args: withSymbol(arg{
		name: "new_name", kind: kindString, required: true, about: "the new name",
	}),
	run: (*call).rename,
}

func (c *call) rename(ctx context.Context) (result, error) {
	if strings.TrimSpace(c.args.text("new_name")) == "" {
		return nil, badArg("new_name is empty")
	}
	at, err := c.address(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.Rename(ctx, at.Place, c.args.text("new_name"), c.report)
	if err != nil {
		return nil, err
	}
	r := &renameResult{flags: flagsOf(answer), at: at, echo: at.echo(c), name: c.args.text("new_name")}
	if answer.Value != nil {
		r.take(c, answer.Value)
	}
	return r, nil
}

// renameResult is the plan of a rename: one row an edit, the edits of a file
// in the order of the text. Every range is about the text as it is now.
type renameResult struct {
	flags      flags
	at         place
	echo, name string
	rows       []editRow
	operations []protocol.FileOperation
}

type editRow struct {
	at      located
	newText string
}

func (r *renameResult) take(c *call, edit *protocol.WorkspaceEdit) {
	r.operations = edit.Operations
	for _, file := range edit.Files {
		for _, e := range file.Edits {
			at := c.locateOne(protocol.Location{URI: file.URI, Range: e.Range})
			if at.Outside {
				r.flags.Outside++
			}
			r.rows = append(r.rows, editRow{at, e.NewText})
		}
	}
	slices.SortStableFunc(r.rows, func(a, b editRow) int { return compareLocated(a.at, b.at) })
}

func (r *renameResult) items() int { return len(r.rows) }

func (r *renameResult) text(n int) string {
	var b strings.Builder
	if len(r.rows) == 0 && len(r.operations) == 0 {
		return fmt.Sprintf("%s: cannot be renamed", r.echo) + r.flags.lines()
	}
	list := make([]located, 0, len(r.rows))
	for _, row := range r.rows {
		list = append(list, row.at)
	}
	fmt.Fprintf(&b, "rename %s to %s: %s in %s; each replaces the columns given, end exclusive",
		r.echo, r.name, plural(len(r.rows), "edit"), plural(files(list), "file"))
	for _, row := range r.rows[:n] {
		fmt.Fprintf(&b, "\n%s", row.text(r.name))
	}
	for _, op := range r.operations {
		fmt.Fprintf(&b, "\nfile operation: %s %s", op.Kind, strings.TrimSpace(op.URI.Path()+" "+op.OldURI.Path()+" "+op.NewURI.Path()))
	}
	if r.flags.Outside > 0 {
		fmt.Fprintf(&b, "\n[%s outside the workspace]", plural(r.flags.Outside, "edit"))
	}
	return b.String() + r.flags.lines()
}

// text gives path:line:column-column, the new text where it is not just the
// new name, and the source line as it is now.
func (row editRow) text(name string) string {
	start, end := row.at.Range.Start, row.at.Range.End
	at := fmt.Sprintf("%s:%d:%d-%d", row.at.Path, start.Line+1, start.Character+1, end.Character+1)
	if end.Line != start.Line {
		at = fmt.Sprintf("%s:%d:%d-%d:%d", row.at.Path, start.Line+1, start.Character+1, end.Line+1, end.Character+1)
	}
	if row.newText != name {
		at += fmt.Sprintf(" with %q", row.newText)
	}
	return at + ": " + row.at.Line
}

type textEditJSON struct {
	Range   rangeJSON `json:"range"`
	NewText string    `json:"new_text"`
}

type fileEditsJSON struct {
	URI   protocol.DocumentURI `json:"uri"`
	Edits []textEditJSON       `json:"edits"`
}

func (r *renameResult) json(n int) any {
	changes := []*fileEditsJSON{}
	for _, row := range r.rows[:n] {
		if len(changes) == 0 || changes[len(changes)-1].URI != row.at.URI {
			changes = append(changes, &fileEditsJSON{URI: row.at.URI})
		}
		last := changes[len(changes)-1]
		last.Edits = append(last.Edits, textEditJSON{jsonRange(row.at.Range), row.newText})
	}
	return struct {
		Changes    []*fileEditsJSON         `json:"changes"`
		Operations []protocol.FileOperation `json:"file_operations,omitempty"`
		Resolved   resolvedJSON             `json:"resolved"`
		flags
		cut
	}{changes, r.operations, r.at.json(), r.flags, cutAt(n, len(r.rows))}
}
