package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcpls/internal/lsp/protocol"
)

// contextArg asks for the symbol around each location.
var contextArg = arg{
	name: "context", kind: kindString, enum: []any{contextNone, contextEnclosing},
	plain: true, about: "enclosing_symbol: name the innermost symbol around each location; none when left out",
}

const (
	contextNone      = "none"
	contextEnclosing = "enclosing_symbol"
)

// Bounds of naming the symbols around locations: each file is one request.
const (
	maxEnclosedFiles = 16
	enclosingTime    = 30 * time.Second
)

// enclose names the innermost symbol around each location, if the call asks for
// it, and says of how many files it could not.
func (c *call) enclose(ctx context.Context, list []located, f *flags) {
	if c.args.text("context") != contextEnclosing {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, enclosingTime)
	defer cancel()
	outlines := map[protocol.DocumentURI]*outline{}
	unknown := 0
	for i := range list {
		l := &list[i]
		known, asked := outlines[l.URI]
		if !asked {
			if len(outlines)-unknown < maxEnclosedFiles {
				known = c.outline(ctx, l.URI)
			}
			outlines[l.URI] = known
			if known == nil {
				unknown++
			}
		}
		if known != nil {
			l.Within = known.around(l.Range.Start)
		}
	}
	if unknown > 0 {
		f.Enclosing = fmt.Sprintf("not known in %d of %d files", unknown, len(outlines))
	}
}

// outline is the symbols of one file.
type outline struct{ symbols []outlineRow }

// outline asks for the symbols of a file; nil when they cannot be had.
func (c *call) outline(ctx context.Context, uri protocol.DocumentURI) *outline {
	doc, inside := c.Workspace.Contains(uri.Path())
	if !inside || ctx.Err() != nil {
		return nil
	}
	answer, err := c.Router.DocumentSymbols(ctx, doc, c.report)
	if err != nil {
		return nil
	}
	var r outlineResult
	r.add(answer.Value, 0)
	return &outline{r.rows}
}

// around gives kind and name of the innermost symbol that holds a position,
// with those that hold it before its name; "" at the top of a file. Of a flat
// list the last one that begins before it is the innermost.
func (o *outline) around(p protocol.Position) string {
	var path []outlineRow
	for _, row := range o.symbols {
		if holds(row.symbol.Range, p) {
			path = slices.DeleteFunc(path, func(above outlineRow) bool {
				return above.depth >= row.depth && !contains(above.symbol.Range, row.symbol.Range)
			})
			path = append(path, row)
		}
	}
	if len(path) == 0 {
		return ""
	}
	var names []string
	for _, row := range path {
		names = append(names, oneLine(row.symbol.Name))
	}
	return fmt.Sprintf("%s %s", path[len(path)-1].symbol.Kind, strings.Join(names, "."))
}

func holds(r protocol.Range, p protocol.Position) bool {
	return !before(p, r.Start) && !before(r.End, p)
}

func contains(outer, inner protocol.Range) bool {
	return !before(inner.Start, outer.Start) && !before(outer.End, inner.End)
}

func before(p, q protocol.Position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
}
