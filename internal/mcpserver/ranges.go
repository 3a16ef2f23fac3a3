package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/workspace"
)

var highlightsTool = tool{
	name: "get_document_highlights", title: "Uses in this file", method: "textDocument/documentHighlight",
	about: "Where a symbol stands in its own file, read or written.",
	args:  placeArgs,
	run:   (*call).highlights,
}

var selectionRangesTool = tool{
	name: "get_selection_ranges", title: "Enclosing ranges", method: "textDocument/selectionRange",
	about: "The syntax around a place: ranges from the innermost to the whole file.",
	args:  placeArgs,
	run:   (*call).selectionRanges,
}

var foldingRangesTool = tool{
	name: "get_folding_ranges", title: "Blocks of a file", method: "textDocument/foldingRange",
	about: "Which lines of a file form a block, a comment or the imports.",
	args: []arg{fileArg, {
		name: "kind", kind: kindString, enum: []any{"all", "comment", "imports", "region"},
		plain: true, about: "only blocks of this kind; all when left out",
	}},
	run: (*call).foldingRanges,
}

// rangeArgs address a range of a document. What is left out is the start or
// the end of the file, or of the line.
var rangeArgs = []arg{
	fileArg,
	{name: "start_line", kind: kindInteger, min: 1, plain: true, about: "from 1; the first when left out"},
	{name: "start_character", kind: kindInteger, min: 1, plain: true, about: "column from 1, in UTF-16; the first when left out"},
	{name: "end_line", kind: kindInteger, min: 1, plain: true, about: "the last when left out"},
	{name: "end_character", kind: kindInteger, min: 1, plain: true, about: "column behind the last; the end of the line when left out"},
}

// span resolves the range arguments against the text on disk.
func (c *call) span() (workspace.Document, protocol.Range, error) {
	var r protocol.Range
	doc, text, err := c.document()
	if err != nil {
		return doc, r, err
	}
	start, end := max(1, c.args.number("start_line")), c.args.number("end_line")
	if !c.args.has("end_line") {
		end = text.LineCount()
	}
	for _, number := range []int{start, end} {
		if _, err := c.line(doc, text, number); err != nil {
			return doc, r, err
		}
	}
	r.Start = protocol.Position{Line: uint32(start - 1), Character: uint32(max(1, c.args.number("start_character")) - 1)}
	r.End = protocol.Position{Line: uint32(end - 1), Character: uint32(c.args.number("end_character") - 1)}
	if !c.args.has("end_character") {
		line, _ := text.Line(end - 1)
		r.End.Character = utf16Len(line)
	}
	if comparePositions(r.End, r.Start) < 0 {
		return doc, r, badArg("the range ends before it starts")
	}
	return doc, r, nil
}

func (c *call) highlights(ctx context.Context) (result, error) {
	at, err := c.place()
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.Highlights(ctx, at.Place, c.report)
	if err != nil {
		return nil, err
	}
	r := &rangesResult{flags: at.flags(flagsOf(answer)), head: at.echo(c), what: "use"}
	for _, h := range answer.Value {
		r.rows = append(r.rows, c.rangeRow(at.Document, h.Range, h.Kind.String()))
	}
	slices.SortStableFunc(r.rows, func(a, b rangeRow) int { return compareLocated(a.at, b.at) })
	return r, nil
}

func (c *call) selectionRanges(ctx context.Context) (result, error) {
	at, err := c.place()
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.SelectionRanges(ctx, at.Place, c.report)
	if err != nil {
		return nil, err
	}
	r := &rangesResult{flags: at.flags(flagsOf(answer)), head: at.echo(c), what: "range"}
	for _, span := range answer.Value {
		r.rows = append(r.rows, c.rangeRow(at.Document, span, ""))
	}
	return r, nil
}

func (c *call) foldingRanges(ctx context.Context) (result, error) {
	doc, err := c.Workspace.Find(c.args.text("file_path"))
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.FoldingRanges(ctx, doc, c.report)
	if err != nil {
		return nil, err
	}
	r := &foldsResult{flags: flagsOf(answer), file: c.show(doc)}
	kind := c.args.text("kind")
	for _, f := range answer.Value {
		if kind == "" || kind == "all" || f.Kind == kind {
			start := protocol.Position{Line: f.StartLine}
			r.rows = append(r.rows, foldRow{f, c.rangeRow(doc, protocol.Range{Start: start, End: start}, "").at.Line})
		}
	}
	return r, nil
}

// rangeRow is a range of a document, with the line where it begins.
type rangeRow struct {
	at   located
	kind string
}

func (c *call) rangeRow(doc workspace.Document, r protocol.Range, kind string) rangeRow {
	return rangeRow{c.locateOne(protocol.Location{URI: doc.URI(), Range: r}), kind}
}

// spanText gives line:column-line:column, the end behind the last character.
func spanText(r protocol.Range) string {
	s, e := jsonRange(r).Start, jsonRange(r).End
	if s.Line == e.Line {
		return fmt.Sprintf("%d:%d-%d", s.Line, s.Character, e.Character)
	}
	return fmt.Sprintf("%d:%d-%d:%d", s.Line, s.Character, e.Line, e.Character)
}

// rangesResult are ranges of one file.
type rangesResult struct {
	flags flags
	head  string
	what  string // the word for one of them
	rows  []rangeRow
}

func (r *rangesResult) items() int { return len(r.rows) }

func (r *rangesResult) text(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s in its file", r.head, plural(len(r.rows), r.what))
	for _, row := range r.rows[:n] {
		b.WriteString("\n" + spanText(row.at.Range))
		if row.kind != "" {
			b.WriteString(" " + row.kind)
		}
		b.WriteString(": " + row.at.Line)
	}
	return b.String() + r.flags.lines()
}

type kindRangeJSON struct {
	Range rangeJSON `json:"range"`
	Kind  string    `json:"kind,omitempty"`
}

func (r *rangesResult) json(n int) any {
	list := make([]kindRangeJSON, 0, n)
	for _, row := range r.rows[:n] {
		list = append(list, kindRangeJSON{jsonRange(row.at.Range), row.kind})
	}
	return struct {
		Ranges []kindRangeJSON `json:"ranges"`
		flags
		cut
	}{list, r.flags, cutAt(n, len(r.rows))}
}

// foldsResult are the blocks of a file.
type foldsResult struct {
	flags flags
	file  string
	rows  []foldRow
}

type foldRow struct {
	protocol.FoldingRange
	line string
}

func (r *foldsResult) items() int { return len(r.rows) }

func (r *foldsResult) text(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", r.file, plural(len(r.rows), "block"))
	for _, row := range r.rows[:n] {
		fmt.Fprintf(&b, "\n%d-%d", uint64(row.StartLine)+1, uint64(row.EndLine)+1)
		if row.Kind != "" {
			b.WriteString(" " + oneLine(row.Kind))
		}
		b.WriteString(": " + row.line)
	}
	return b.String() + r.flags.lines()
}

type foldJSON struct {
	StartLine uint64 `json:"start_line"`
	EndLine   uint64 `json:"end_line"`
	Kind      string `json:"kind,omitempty"`
}

func (r *foldsResult) json(n int) any {
	list := make([]foldJSON, 0, n)
	for _, row := range r.rows[:n] {
		list = append(list, foldJSON{uint64(row.StartLine) + 1, uint64(row.EndLine) + 1, row.Kind})
	}
	return struct {
		Ranges []foldJSON `json:"ranges"`
		flags
		cut
	}{list, r.flags, cutAt(n, len(r.rows))}
}
