package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mcpls/internal/lsp/protocol"
)

var prepareRenameTool = tool{
	name: "prepare_rename", title: "Can it be renamed", method: "textDocument/prepareRename",
	about: "Whether the symbol at a place can be renamed, and what text would be replaced.",
	args:  placeArgs,
	run:   (*call).prepareRename,
}

var renameTool = tool{
	name: "rename_symbol", title: "Plan a rename", core: true, method: "textDocument/rename",
	about: "The edits that rename a symbol everywhere. Writes nothing: apply all of them yourself.",
	args: withSymbol(arg{
		name: "new_name", kind: kindString, required: true, plain: true, about: "the new name",
	}),
	run: (*call).rename,
}

func (c *call) prepareRename(ctx context.Context) (result, error) {
	at, err := c.place()
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.PrepareRename(ctx, at.Place, c.report)
	if err != nil {
		return nil, err
	}
	r := &renamableResult{flags: at.flags(flagsOf(answer)), at: at, echo: at.echo(c), found: answer.Value}
	if r.found != nil && r.found.Placeholder == "" {
		r.found.Placeholder = at.Name
	}
	return r, nil
}

// renamableResult says whether something can be renamed.
type renamableResult struct {
	flags flags
	at    place
	echo  string
	found *protocol.Renamable // nil: it cannot
}

func (r *renamableResult) items() int { return 0 }

func (r *renamableResult) text(int) string {
	switch {
	case r.found == nil:
		return r.echo + ": cannot be renamed" + r.at.hint() + r.flags.lines()
	case !r.found.HasRange:
		return fmt.Sprintf("%s: can be renamed", r.echo) + r.flags.lines()
	}
	return fmt.Sprintf("%s: can be renamed: %s at %s", r.echo, oneLine(r.found.Placeholder), spanText(r.found.Range)) + r.flags.lines()
}

func (r *renamableResult) json(int) any {
	shown := struct {
		Renamable   bool         `json:"renamable"`
		Range       *rangeJSON   `json:"range,omitempty"`
		Placeholder string       `json:"placeholder,omitempty"`
		Resolved    resolvedJSON `json:"resolved"`
		flags
	}{Renamable: r.found != nil, Resolved: r.at.json(), flags: r.flags}
	if r.found != nil {
		shown.Placeholder = r.found.Placeholder
		if span := jsonRange(r.found.Range); r.found.HasRange {
			shown.Range = &span
		}
	}
	return shown
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
	r := &renameResult{flags: at.flags(flagsOf(answer)), at: at, echo: at.echo(c), name: c.args.text("new_name")}
	if answer.Value != nil {
		if err := r.take(c, answer.Value); err != nil {
			return nil, err
		}
		if err := r.compare(ctx, c); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// compare holds the plan against the uses that the server lists: some rename in
// fewer files than they search. A server that lists none says nothing.
func (r *renameResult) compare(ctx context.Context, c *call) error {
	answer, err := c.Router.References(ctx, r.at.Place, true, c.report)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return nil // the plan stands for itself
	}
	uses, err := c.locate(ctx, answer.Value)
	for _, use := range uses {
		planned := func(row editRow) bool {
			return row.at.URI == use.URI && row.at.Range.Start == use.Range.Start
		}
		if !use.Outside && !slices.ContainsFunc(r.rows, planned) {
			r.missed = append(r.missed, use)
		}
	}
	return err
}

// maxMissed bounds the uses that are shown beside a plan.
const maxMissed = 50

// renameResult is the plan of a rename: one row an edit, the edits of a file
// in the order of the text. Every range is about the text as it is now.
type renameResult struct {
	flags      flags
	at         place
	echo, name string
	rows       []editRow
	operations []protocol.FileOperation
	missed     []located // uses that the plan leaves as they are
	short      bool      // without source lines
}

type editRow struct {
	at      located
	newText string
}

func (r *renameResult) take(c *call, edit *protocol.WorkspaceEdit) error {
	r.operations = edit.Operations
	for _, file := range edit.Files {
		if err := r.fits(c, file); err != nil {
			return err
		}
		for _, e := range file.Edits {
			at := c.locateOne(protocol.Location{URI: file.URI, Range: e.Range})
			if at.Outside {
				r.flags.Outside++
			}
			r.rows = append(r.rows, editRow{at, e.NewText})
		}
	}
	slices.SortStableFunc(r.rows, func(a, b editRow) int { return compareLocated(a.at, b.at) })
	return nil
}

// fits holds the edits of a file against the disk: those that put the new name
// where the old one does not stand, overlap, or lie past the end were made for
// another text, and would destroy this one.
func (r *renameResult) fits(c *call, edits protocol.FileEdits) error {
	doc, inside := c.Workspace.Contains(edits.URI.Path())
	if !inside {
		return nil
	}
	text, err := c.Workspace.Load(doc.Path)
	if err != nil {
		return err
	}
	if text.Ambiguous() {
		return &staleError{c.show(doc) + ": " + ambiguousLines}
	}
	if _, err := text.Apply(edits.Edits); err != nil {
		return &staleError{c.show(doc) + ": " + err.Error()}
	}
	for _, e := range edits.Edits {
		start, _ := text.Offset(e.Range.Start, protocol.UTF16)
		end, _ := text.Offset(e.Range.End, protocol.UTF16)
		if old := text.Text[start:max(start, end)]; e.NewText == r.name && r.at.Name != "" && old != r.at.Name {
			return &staleError{fmt.Sprintf("%s would replace %q and not %s", c.show(doc), shorten(old), r.at.Name)}
		}
	}
	return nil
}

// staleError is an answer that was made for another text than the one on disk.
type staleError struct{ message string }

func (e *staleError) Error() string {
	return "the plan does not fit the files as they are now: " + e.message
}

// items is 0: a plan is never cut.
func (r *renameResult) items() int { return 0 }

func (r *renameResult) compact() result {
	short := *r
	short.short = true
	return &short
}

func (r *renameResult) text(int) string {
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
	if r.short {
		b.WriteString("; source lines are left out, there are too many")
	}
	path := ""
	for _, row := range r.rows {
		switch {
		case !r.short:
			fmt.Fprintf(&b, "\n%s:%s: %s", row.at.Path, row.span(r.name), row.at.Line)
		case row.at.Path != path:
			path = row.at.Path
			fmt.Fprintf(&b, "\n%s %s", path, row.span(r.name))
		default:
			b.WriteString(" " + row.span(r.name))
		}
	}
	for _, op := range r.operations {
		b.WriteString("\n" + operationText(op))
	}
	if len(r.missed) > 0 {
		fmt.Fprintf(&b, "\n[%s not in the plan, which the server lists as references:", plural(len(r.missed), "use"))
		for _, use := range r.missed[:min(len(r.missed), maxMissed)] {
			b.WriteString("\n  " + use.String())
		}
		b.WriteString("]")
	}
	if r.flags.Outside > 0 {
		fmt.Fprintf(&b, "\n[%s outside the workspace, not checked against the disk]", plural(r.flags.Outside, "edit"))
	}
	return b.String() + r.flags.lines()
}

// operationText gives an operation with its URIs as they came.
func operationText(op protocol.FileOperation) string {
	text := "file operation, not part of the edits: " + oneLine(op.Kind)
	for _, uri := range []protocol.DocumentURI{op.URI, op.OldURI, op.NewURI} {
		if uri != "" {
			text += " " + oneLine(string(uri))
		}
	}
	return text
}

// span gives line:column-column, and the new text where it is not just the new
// name.
func (row editRow) span(name string) string {
	span := spanText(row.at.Range)
	if row.newText != name {
		span += fmt.Sprintf(" with %q", row.newText)
	}
	return span
}

func (r *renameResult) json(int) any {
	var missed []locationJSON
	for _, use := range r.missed {
		missed = append(missed, use.json())
	}
	changes := []*fileEditsJSON{}
	for _, row := range r.rows {
		if len(changes) == 0 || changes[len(changes)-1].URI != row.at.URI {
			changes = append(changes, &fileEditsJSON{URI: row.at.URI})
		}
		last := changes[len(changes)-1]
		last.Edits = append(last.Edits, textEditJSON{jsonRange(row.at.Range), row.newText})
	}
	return struct {
		Changes    []*fileEditsJSON         `json:"changes"`
		Operations []protocol.FileOperation `json:"file_operations,omitempty"`
		Missed     []locationJSON           `json:"references_not_in_plan,omitempty"`
		Resolved   resolvedJSON             `json:"resolved"`
		flags
	}{changes, r.operations, missed, r.at.json(), r.flags}
}
