package mcpserver

import (
	"context"
	"strings"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/router"
)

var definitionTool = tool{
	name: "get_definition", title: "Go to definition", core: true, method: "textDocument/definition",
	about: "Where a symbol is defined.",
	args:  withSymbol(contextArg),
	run:   goTo("definition", (*router.Router).Definition),
}

var declarationTool = tool{
	name: "go_to_declaration", title: "Go to declaration", method: "textDocument/declaration",
	about: "Where a symbol is declared, in languages that part declaration and definition.",
	args:  placeArgs,
	run:   goTo("declaration", (*router.Router).Declaration),
}

var typeDefinitionTool = tool{
	name: "go_to_type_definition", title: "Go to type", method: "textDocument/typeDefinition",
	about: "Where the type of a symbol is defined.",
	args:  withSymbol(contextArg),
	run:   goTo("type definition", (*router.Router).TypeDefinition),
}

var implementationTool = tool{
	name: "go_to_implementation", title: "Find implementations", core: true, method: "textDocument/implementation",
	about: "What implements an interface or abstract method.",
	args:  withSymbol(contextArg),
	run:   goTo("implementation", (*router.Router).Implementation),
}

var referencesTool = tool{
	name: "get_references", title: "Find references", core: true, method: "textDocument/references",
	about: "Every use of a symbol in the workspace, with its source line. An empty list is a fact.",
	args: withSymbol(contextArg, arg{
		name: "include_declaration", kind: kindBoolean, plain: true, about: "list the declaration too; false when left out",
	}),
	run: (*call).references,
}

// ask is a question of the router that locations answer.
type ask func(*router.Router, context.Context, router.Place, router.Report) (router.Answer[protocol.Locations], error)

// goTo makes the handler of a tool that asks for locations of one kind.
func goTo(what string, ask ask) func(*call, context.Context) (result, error) {
	return func(c *call, ctx context.Context) (result, error) {
		at, err := c.address(ctx)
		if err != nil {
			return nil, err
		}
		answer, err := ask(c.Router, ctx, at.Place, c.report)
		if err != nil {
			return nil, err
		}
		return c.locations(ctx, at, what, answer)
	}
}

func (c *call) references(ctx context.Context) (result, error) {
	declaration := c.args.flag("include_declaration")
	return goTo("reference", func(
		r *router.Router, ctx context.Context, at router.Place, report router.Report,
	) (router.Answer[protocol.Locations], error) {
		return r.References(ctx, at, declaration, report)
	})(c, ctx)
}

func (c *call) locations(ctx context.Context, at place, what string, answer router.Answer[protocol.Locations]) (result, error) {
	list, err := c.locate(ctx, answer.Value)
	if err != nil {
		return nil, err
	}
	r := &locationsResult{flags: at.flags(flagsOf(answer)), at: at, echo: at.echo(c), what: what, list: list}
	r.flags.Outside = outside(r.list)
	c.enclose(ctx, r.list, &r.flags)
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
		list = append(list, l.json())
	}
	return struct {
		Locations []locationJSON `json:"locations"`
		Resolved  resolvedJSON   `json:"resolved"`
		flags
		cut
	}{list, r.at.json(), r.flags, cutAt(n, len(r.list))}
}
