package mcpserver

import (
	"cmp"
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
	maxEnclosed      = 2000 // locations: each is held against each symbol of its file
	maxEnclosingName = 8    // symbols in one name, the innermost
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
		if i == maxEnclosed || ctx.Err() != nil {
			f.Enclosing = fmt.Sprintf("not known of %d of %d locations", len(list)-i, len(list))
			return
		}
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

// outline is the symbols of one file, each before those within it.
type outline struct{ symbols []outlineRow }

// newOutline puts the symbols of a flat list into the order of a tree.
func newOutline(rows []outlineRow) *outline {
	slices.SortStableFunc(rows, func(a, b outlineRow) int {
		return cmp.Or(
			comparePositions(a.symbol.Range.Start, b.symbol.Range.Start),
			comparePositions(b.symbol.Range.End, a.symbol.Range.End),
		)
	})
	return &outline{rows}
}

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
	return newOutline(r.rows)
}

// around gives kind and name of the innermost symbol that holds a position,
// with the names of those that hold it before its own; "" at the top of a file.
func (o *outline) around(p protocol.Position) string {
	var names []string
	var kind protocol.SymbolKind
	for _, row := range o.symbols {
		if r := row.symbol.Range; comparePositions(r.Start, p) <= 0 && comparePositions(p, r.End) <= 0 {
			names, kind = append(names, row.symbol.Name), row.symbol.Kind
			if len(names) > maxEnclosingName {
				names = names[1:]
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s", kind, oneLine(strings.Join(names, ".")))
}

func comparePositions(p, q protocol.Position) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Character, q.Character))
}
