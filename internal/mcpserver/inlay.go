package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"mcpls/internal/lsp/protocol"
)

var inlayHintsTool = tool{
	name: "get_inlay_hints", title: "Inlay hints", method: "textDocument/inlayHint",
	about: "The types and parameter names that an editor shows inside the lines of a range.",
	args:  rangeArgs,
	run:   (*call).inlayHints,
}

func (c *call) inlayHints(ctx context.Context) (result, error) {
	doc, in, err := c.span()
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.InlayHints(ctx, doc, in, c.report)
	if err != nil {
		return nil, err
	}
	r := &hintsResult{flags: flagsOf(answer), file: c.show(doc), hints: answer.Value}
	slices.SortStableFunc(r.hints, func(a, b protocol.InlayHint) int {
		return cmp.Or(cmp.Compare(a.Position.Line, b.Position.Line), cmp.Compare(a.Position.Character, b.Position.Character))
	})
	for _, h := range r.hints {
		at := protocol.Range{Start: h.Position, End: h.Position}
		r.lines = append(r.lines, c.rangeRow(doc, at, "").at.Line)
	}
	return r, nil
}

// hintsResult are the hints in a range of a file.
type hintsResult struct {
	flags flags
	file  string
	hints []protocol.InlayHint
	lines []string // the source line of each
}

func (r *hintsResult) items() int { return len(r.hints) }

func (r *hintsResult) text(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", r.file, plural(len(r.hints), "hint"))
	for i, h := range r.hints[:n] {
		at := jsonPosition(h.Position)
		fmt.Fprintf(&b, "\n%d:%d %s", at.Line, at.Character, oneLine(h.Label))
		if i == 0 || h.Position.Line != r.hints[i-1].Position.Line {
			b.WriteString("  in: " + r.lines[i])
		}
	}
	return b.String() + r.flags.lines()
}

type hintJSON struct {
	Position     positionJSON `json:"position"`
	Label        string       `json:"label"`
	Kind         int          `json:"kind,omitempty"`
	PaddingLeft  bool         `json:"padding_left,omitempty"`
	PaddingRight bool         `json:"padding_right,omitempty"`
	Tooltip      string       `json:"tooltip,omitempty"`
}

func (r *hintsResult) json(n int) any {
	list := make([]hintJSON, 0, n)
	for _, h := range r.hints[:n] {
		list = append(list, hintJSON{jsonPosition(h.Position), h.Label, h.Kind, h.PaddingLeft, h.PaddingRight, h.Tooltip})
	}
	return struct {
		Hints []hintJSON `json:"hints"`
		flags
		cut
	}{list, r.flags, cutAt(n, len(r.hints))}
}
