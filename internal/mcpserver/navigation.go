package mcpserver

import (
	"context"
	"strings"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/router"
)

var definitionTool = tool{
	name: "get_definition", title: "Go to definition", core: true, method: "textDocument/definition",
	about: "Where the symbol at a place is defined, with the source line.",
	args:  withSymbol(),
	run:   (*call).definition,
}

var referencesTool = tool{
	name: "get_references", title: "Find references", core: true, method: "textDocument/references",
	about: "Every use of the symbol at a place in the whole workspace, each with its source line. An empty list is a fact: nothing uses it.",
	args: withSymbol(arg{
		name: "include_declaration", kind: kindBoolean, fallback: false, about: "list the declaration too",
	}),
	run: (*call).references,
}

func (c *call) definition(ctx context.Context) (result, error) {
	at, err := c.address(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.Definition(ctx, at.Place, c.report)
	if err != nil {
		return nil, err
	}
	return c.locations(ctx, at, "definition", answer)
}

func (c *call) references(ctx context.Context) (result, error) {
	at, err := c.address(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.References(ctx, at.Place, c.args.flag("include_declaration"), c.report)
	if err != nil {
		return nil, err
	}
	return c.locations(ctx, at, "reference", answer)
}

func (c *call) locations(ctx context.Context, at place, what string, answer router.Answer[protocol.Locations]) (result, error) {
	list, err := c.locate(ctx, answer.Value)
	if err != nil {
		return nil, err
	}
	r := &locationsResult{flags: at.flags(flagsOf(answer)), at: at, echo: at.echo(c), what: what, list: list}
	r.flags.Outside = outside(r.list)
	return r, nil
}

// locationsResult is a list of locations of one thing.
type locationsResult struct {
	flags flags
	at    place
	echo  string
	what  string // the word for one of them
	list  []located
}

func (r *locationsResult) items() int { return len(r.list) }

func (r *locationsResult) text(n int) string {
	var b strings.Builder
	b.WriteString(r.echo + ": ")
	if len(r.list) == 0 {
		b.WriteString("no " + r.what + "s")
		if r.what != "reference" { // no reference is a fact and no sign of a wrong place
			b.WriteString(r.at.hint())
		}
	} else {
		b.WriteString(plural(len(r.list), r.what))
	}
	if count := files(r.list); count > 1 {
		b.WriteString(" in " + plural(count, "file"))
	}
	for _, l := range r.list[:n] {
		b.WriteString("\n" + l.String())
	}
	return b.String() + r.flags.lines()
}

func (r *locationsResult) json(n int) any {
	list := make([]locationJSON, 0, n)
	for _, l := range r.list[:n] {
		list = append(list, jsonLocation(l.Location))
	}
	return struct {
		Locations []locationJSON `json:"locations"`
		Resolved  resolvedJSON   `json:"resolved"`
		flags
		cut
	}{list, r.at.json(), r.flags, cutAt(n, len(r.list))}
}
