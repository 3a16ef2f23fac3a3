package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

var hoverTool = tool{
	name: "get_hover", title: "Hover", core: true, method: "textDocument/hover",
	about: "Type, signature and documentation of a symbol.",
	args:  withSymbol(),
	run:   (*call).hover,
}

func (c *call) hover(ctx context.Context) (result, error) {
	at, err := c.address(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.Hover(ctx, at.Place, c.report)
	if err != nil {
		return nil, err
	}
	r := &hoverResult{flags: at.flags(flagsOf(answer)), at: at, echo: at.echo(c)}
	if h := answer.Value; h != nil && h.Contents != "" {
		r.lines = textLines(h.Contents)
		if h.Range != nil {
			span := jsonRange(*h.Range)
			r.span = &span
		}
	}
	return r, nil
}

// maxHoverLines is where the text of a hover is cut: gopls gives a type with all
// its methods, in hundreds of lines. As JSON it is whole.
const maxHoverLines = 80

// hoverResult is a hover text; its items are its lines.
type hoverResult struct {
	flags flags
	at    place
	echo  string
	lines []string
	span  *rangeJSON
}

func (r *hoverResult) items() int { return len(r.lines) }

func (r *hoverResult) text(n int) string {
	if len(r.lines) == 0 {
		return r.echo + ": nothing is known of it" + r.at.hint() + r.flags.lines()
	}
	more := ""
	if shown := min(n, maxHoverLines); shown < n {
		n, more = shown, fmt.Sprintf("\n[%d more lines]", n-shown)
	}
	return r.echo + "\n" + strings.Join(r.lines[:n], "\n") + more + r.flags.lines()
}

func (r *hoverResult) json(n int) any {
	return struct {
		Contents string       `json:"contents"`
		Range    *rangeJSON   `json:"range,omitempty"`
		Resolved resolvedJSON `json:"resolved"`
		flags
		cut
	}{strings.Join(r.lines[:n], "\n"), r.span, r.at.json(), r.flags, cutAt(n, len(r.lines))}
}

// textLines splits a text into lines, without blank ones that say nothing:
// around the text, and a second one in a row.
func textLines(text string) []string {
	blank := func(line string) bool { return strings.TrimSpace(line) == "" }
	return slices.CompactFunc(strings.Split(strings.TrimSpace(text), "\n"), func(a, b string) bool {
		return blank(a) && blank(b)
	})
}
