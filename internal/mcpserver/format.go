package mcpserver

import (
	"context"
	"slices"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/workspace"
)

var formatDocumentTool = tool{
	name: "format_document", title: "Plan formatting", method: "textDocument/formatting",
	about: "The changes that format a file, as a diff. Writes nothing.",
	args:  formatArgs(fileArg),
	run: func(c *call, ctx context.Context) (result, error) {
		doc, err := c.Workspace.Find(c.args.text("file_path"))
		if err != nil {
			return nil, err
		}
		return c.format(ctx, doc, nil)
	},
}

var formatRangeTool = tool{
	name: "format_range", title: "Plan formatting of a range", method: "textDocument/rangeFormatting",
	about: "The changes that format a range of a file, as a diff. Writes nothing.",
	args:  formatArgs(rangeArgs...),
	run: func(c *call, ctx context.Context) (result, error) {
		doc, in, err := c.span()
		if err != nil {
			return nil, err
		}
		return c.format(ctx, doc, &in)
	},
}

func formatArgs(where ...arg) []arg {
	return slices.Concat(where, []arg{
		{name: "tab_size", kind: kindInteger, min: 1, max: 32, plain: true, fallback: 4, about: "columns of a tab; servers with a style of their own ignore it"},
		{name: "insert_spaces", kind: kindBoolean, plain: true, fallback: true, about: "spaces for tabs; as tab_size"},
	})
}

func (c *call) format(ctx context.Context, doc workspace.Document, in *protocol.Range) (result, error) {
	options := protocol.FormattingOptions{TabSize: c.args.number("tab_size"), InsertSpaces: c.args.flag("insert_spaces")}
	answer, err := c.Router.Format(ctx, doc, in, options, c.report)
	if err != nil {
		return nil, err
	}
	shown, err := c.diffOf(protocol.FileEdits{URI: doc.URI(), Edits: answer.Value}, answer.Text)
	if err != nil {
		return nil, &staleError{err.Error()}
	}
	return &formatResult{flags: flagsOf(answer), file: c.show(doc), edits: answer.Value, diff: shown}, nil
}

// formatResult is a plan of formatting: all of it or nothing.
type formatResult struct {
	flags flags
	file  string
	edits []protocol.TextEdit
	diff  string
}

func (r *formatResult) items() int      { return 0 }
func (r *formatResult) compact() result { return r }

func (r *formatResult) text(int) string {
	switch {
	case len(r.edits) == 0:
		return r.file + ": is formatted" + r.flags.lines()
	case r.diff == "":
		return r.file + ": only line breaks would change; output = \"json\" has the edits" + r.flags.lines()
	}
	return r.diff + r.flags.lines()
}

func (r *formatResult) json(int) any {
	return struct {
		Edits []textEditJSON `json:"edits"`
		flags
	}{editsJSON(r.edits), r.flags}
}
