package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/router"
	"mcpls/internal/workspace"
)

var prepareCallsTool = tool{
	name: "prepare_call_hierarchy", title: "Callable at a place", method: "textDocument/prepareCallHierarchy",
	about: "The function at a place as an item for get_incoming_calls and get_outgoing_calls, which take the same place too.",
	args:  withSymbol(),
	run:   prepare((*router.Router).PrepareCalls),
}

var incomingCallsTool = tool{
	name: "get_incoming_calls", title: "Callers", core: true, method: "callHierarchy/incomingCalls",
	about: "Who calls a function, with each call's source line.",
	args:  withItem(),
	run:   func(c *call, ctx context.Context) (result, error) { return c.calls(ctx, false) },
}

var outgoingCallsTool = tool{
	name: "get_outgoing_calls", title: "Callees", method: "callHierarchy/outgoingCalls",
	about: "What a function calls, with each call's source line.",
	args:  withItem(),
	run:   func(c *call, ctx context.Context) (result, error) { return c.calls(ctx, true) },
}

var prepareTypesTool = tool{
	name: "prepare_type_hierarchy", title: "Type at a place", method: "textDocument/prepareTypeHierarchy",
	about: "The type at a place as an item for get_supertypes and get_subtypes, which take the same place too.",
	args:  withSymbol(),
	run:   prepare((*router.Router).PrepareTypes),
}

var supertypesTool = tool{
	name: "get_supertypes", title: "Supertypes", method: "typeHierarchy/supertypes",
	about: "The types right above a type.",
	args:  withItem(),
	run:   func(c *call, ctx context.Context) (result, error) { return c.types(ctx, false) },
}

var subtypesTool = tool{
	name: "get_subtypes", title: "Subtypes", method: "typeHierarchy/subtypes",
	about: "The types right beneath a type.",
	args:  withItem(),
	run:   func(c *call, ctx context.Context) (result, error) { return c.types(ctx, true) },
}

// withItem are the arguments of a tool that takes an item, or the address of
// one: one call is enough then.
func withItem() []arg {
	return withSymbol(arg{name: "item", kind: kindObject, plain: true, about: "an item of the prepare tool, in place of an address"})
}

// prepare makes the handler of a tool that gives the items at a place.
func prepare(
	ask func(*router.Router, context.Context, router.Place, router.Report) (router.Answer[[]protocol.HierarchyItem], error),
) func(*call, context.Context) (result, error) {
	return func(c *call, ctx context.Context) (result, error) {
		at, err := c.address(ctx)
		if err != nil {
			return nil, err
		}
		answer, err := ask(c.Router, ctx, at.Place, c.report)
		if err != nil {
			return nil, err
		}
		r := &itemsResult{flags: at.flags(flagsOf(answer)), head: at.echo(c), what: "item", hint: at.hint(), withItem: true}
		r.take(c, answer.Value)
		return r, nil
	}
}

// item resolves the address of a hierarchy's item.
func (c *call) item(ctx context.Context) (of router.Item, head string, f func(flags) flags, err error) {
	if !c.args.has("item") {
		at, err := c.address(ctx)
		if err != nil {
			return of, "", nil, err
		}
		return router.Item{Place: at.Place}, at.echo(c), at.flags, nil
	}
	if c.args.has("line") || c.args.has("symbol_name") {
		return of, "", nil, badArg("give either item or an address, not both")
	}
	item, err := parseItem(c.args.object("item"))
	if err != nil {
		return of, "", nil, err
	}
	doc, inside := c.Workspace.Contains(item.URI.Path())
	if !inside {
		return of, "", nil, &placeError{"outside_workspace", fmt.Sprintf(
			"the item %s lies outside the workspace; give the place of a use of it instead", oneLine(item.Name),
		)}
	}
	if err := c.stands(item, doc); err != nil {
		return of, "", nil, err
	}
	at := place{Place: router.Place{Document: doc, Position: item.Selection.Start}, Name: item.Name}
	return router.Item{Place: at.Place, Given: &item}, at.echo(c), at.flags, nil
}

// stands holds an item against the text on disk: what was prepared before an
// edit may be another function now. A name with more than an identifier in it is
// the server's own way to write one.
func (c *call) stands(item protocol.HierarchyItem, doc workspace.Document) error {
	text, err := c.Workspace.Load(doc.Path)
	if err != nil {
		return err
	}
	at, _ := text.Offset(item.Selection.Start, protocol.UTF16)
	isName := !strings.ContainsFunc(item.Name, func(r rune) bool { return !isIdentifier(r) })
	if isName && !strings.HasPrefix(text.Text[at:], item.Name) {
		return &placeError{"position_unverified", fmt.Sprintf(
			"%s does not stand at %s:%d any more: prepare the item again, or give the place",
			oneLine(item.Name), c.show(doc), jsonPosition(item.Selection.Start).Line,
		)}
	}
	return nil
}

func (c *call) calls(ctx context.Context, down bool) (result, error) {
	of, head, flagged, err := c.item(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.Calls(ctx, of, down, c.report)
	if err != nil {
		return nil, err
	}
	if answer.Value.Items == 0 {
		return nil, noItem(head, "function")
	}
	r := &callsResult{flags: flagged(flagsOf(answer)), head: head, down: down}
	for _, found := range answer.Value.List {
		row := callRow{itemRow: c.itemRow(found.Other)}
		for _, span := range found.Ranges {
			row.sites = append(row.sites, c.locateOne(protocol.Location{URI: found.In, Range: span}))
		}
		r.rows = append(r.rows, row)
	}
	return r, nil
}

func (c *call) types(ctx context.Context, down bool) (result, error) {
	of, head, flagged, err := c.item(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.Types(ctx, of, down, c.report)
	if err != nil {
		return nil, err
	}
	if answer.Value.Items == 0 {
		return nil, noItem(head, "type")
	}
	what := "supertype"
	if down {
		what = "subtype"
	}
	r := &itemsResult{flags: flagged(flagsOf(answer)), head: head, what: what}
	r.take(c, answer.Value.List)
	return r, nil
}

// noItem is an address at which there is nothing that could have an answer: it
// is not the same as no answer.
func noItem(head, what string) error {
	return &placeError{"no_item", fmt.Sprintf("%s is no %s that the server knows", head, what)}
}

// itemRow is an item and its source line.
type itemRow struct {
	item protocol.HierarchyItem
	at   located
}

func (c *call) itemRow(item protocol.HierarchyItem) itemRow {
	return itemRow{item, c.locateOne(protocol.Location{URI: item.URI, Range: item.Selection})}
}

func (row itemRow) String() string {
	return fmt.Sprintf("%s %s  %s", row.item.Kind, oneLine(row.item.Name), row.at)
}

// itemsResult are items of a hierarchy.
type itemsResult struct {
	flags    flags
	head     string
	what     string // the word for one of them
	hint     string
	withItem bool // each with the item to give to the next tool
	rows     []itemRow
}

func (r *itemsResult) take(c *call, list []protocol.HierarchyItem) {
	for _, item := range list {
		r.rows = append(r.rows, c.itemRow(item))
	}
}

func (r *itemsResult) items() int { return len(r.rows) }

func (r *itemsResult) text(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", r.head, plural(len(r.rows), r.what))
	if len(r.rows) == 0 {
		b.WriteString(r.hint)
	}
	for _, row := range r.rows[:n] {
		fmt.Fprintf(&b, "\n%s", row)
		if r.withItem {
			fmt.Fprintf(&b, "\n  item: %s", encode(jsonItem(row.item)))
		}
	}
	return b.String() + r.flags.lines()
}

func (r *itemsResult) json(n int) any {
	list := make([]itemJSON, 0, n)
	for _, row := range r.rows[:n] {
		list = append(list, jsonItem(row.item))
	}
	return struct {
		Items []itemJSON `json:"items"`
		flags
		cut
	}{list, r.flags, cutAt(n, len(r.rows))}
}

// callsResult are the callers of a function, or what it calls.
type callsResult struct {
	flags flags
	head  string
	down  bool
	rows  []callRow
}

type callRow struct {
	itemRow
	sites []located
}

func (r *callsResult) items() int { return len(r.rows) }

func (r *callsResult) text(n int) string {
	var b strings.Builder
	what := "caller"
	if r.down {
		what = "callee"
	}
	fmt.Fprintf(&b, "%s: %s", r.head, plural(len(r.rows), what))
	for _, row := range r.rows[:n] {
		fmt.Fprintf(&b, "\n%s", row)
		for _, site := range row.sites {
			fmt.Fprintf(&b, "\n  %s", site)
		}
	}
	return b.String() + r.flags.lines()
}

type incomingJSON struct {
	From   itemJSON    `json:"from"`
	Ranges []rangeJSON `json:"from_ranges"`
}

type outgoingJSON struct {
	To     itemJSON    `json:"to"`
	Ranges []rangeJSON `json:"from_ranges"`
}

func (r *callsResult) json(n int) any {
	list := make([]any, 0, n)
	for _, row := range r.rows[:n] {
		ranges := make([]rangeJSON, 0, len(row.sites))
		for _, site := range row.sites {
			ranges = append(ranges, jsonRange(site.Range))
		}
		if r.down {
			list = append(list, outgoingJSON{jsonItem(row.item), ranges})
		} else {
			list = append(list, incomingJSON{jsonItem(row.item), ranges})
		}
	}
	return struct {
		Calls []any `json:"calls"`
		flags
		cut
	}{list, r.flags, cutAt(n, len(r.rows))}
}

// itemJSON is an item as clients see it and give it back: positions from 1, in
// UTF-16; the rest is the protocol's.
type itemJSON struct {
	Name      string               `json:"name"`
	Kind      protocol.SymbolKind  `json:"kind"`
	Tags      []int                `json:"tags,omitempty"`
	Detail    string               `json:"detail,omitempty"`
	URI       protocol.DocumentURI `json:"uri"`
	Range     rangeJSON            `json:"range"`
	Selection rangeJSON            `json:"selectionRange"`
	Data      json.RawMessage      `json:"data,omitempty"`
}

func jsonItem(i protocol.HierarchyItem) itemJSON {
	return itemJSON{i.Name, i.Kind, i.Tags, i.Detail, i.URI, jsonRange(i.Range), jsonRange(i.Selection), i.Data}
}

func parseItem(raw json.RawMessage) (protocol.HierarchyItem, error) {
	var i itemJSON
	if err := json.Unmarshal(raw, &i); err != nil {
		return protocol.HierarchyItem{}, badArg("item is none that the prepare tool gave: %v", err)
	}
	if i.Name == "" || i.URI == "" {
		return protocol.HierarchyItem{}, badArg("item is none that the prepare tool gave: it has no name or no uri")
	}
	whole, ok := i.Range.protocol()
	selection, also := i.Selection.protocol()
	if !ok || !also {
		return protocol.HierarchyItem{}, badArg("item is none that the prepare tool gave: lines and characters count from 1")
	}
	return protocol.HierarchyItem{
		Name: i.Name, Kind: i.Kind, Tags: i.Tags, Detail: i.Detail, URI: i.URI,
		Range: whole, Selection: selection, Data: i.Data,
	}, nil
}
