package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/router"
	"mcpls/internal/workspace"
)

// symbolArgs address a symbol by its name, beside placeArgs.
var symbolArgs = []arg{
	{name: "symbol_name", kind: kindString, about: "instead of line; file_path optional"},
	{name: "symbol_kind", kind: kindString, plain: true, about: "function, method, struct, class, ..., to tell symbols of one name apart"},
	{name: "container", kind: kindString, plain: true, about: "type or package that holds the symbol"},
}

// withSymbol are the arguments of a tool that takes a place or a symbol.
func withSymbol(more ...arg) []arg {
	args := slices.Concat(placeArgs, symbolArgs, more)
	for i := range args {
		if args[i].name == "file_path" || args[i].name == "line" {
			args[i].required = false
		}
	}
	return args
}

// wanted is the symbol that a call names.
type wanted struct {
	name string
	path []string // what must hold it, the innermost last
	kind protocol.SymbolKind
	in   string // one of those that hold it; "" is any
}

func (c *call) wanted() (wanted, error) {
	parts := nameParts(c.args.text("symbol_name"))
	if len(parts) == 0 {
		return wanted{}, badArg("symbol_name is empty")
	}
	w := wanted{name: parts[len(parts)-1], path: parts[:len(parts)-1], in: c.args.text("container")}
	if kind := c.args.text("symbol_kind"); kind != "" {
		var err error
		if w.kind, err = protocol.ParseSymbolKind(kind); err != nil {
			return wanted{}, badArg("symbol_kind: %v", err)
		}
	}
	return w, nil
}

// nameParts splits a name as people and servers write it: a::b, a.b, (*T).m,
// path/to/pkg.T, f(int), T[K].
func nameParts(name string) []string {
	if i := strings.IndexByte(name, '('); i > 0 { // a signature; (*T).m begins with one
		name = name[:i]
	}
	if i := strings.IndexByte(name, '['); i > 0 {
		name = name[:i]
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".:/()*&#", r) })
	return slices.DeleteFunc(parts, func(p string) bool { return strings.TrimSpace(p) == "" })
}

// candidate is a symbol that a server named.
type candidate struct {
	name  string
	path  []string // what holds it, the innermost last
	kind  protocol.SymbolKind
	doc   workspace.Document
	where protocol.Range // holds the name, and may hold the whole declaration
}

func (w wanted) matches(c candidate) bool {
	if c.name != w.name || w.kind != 0 && c.kind != w.kind {
		return false
	}
	if w.in != "" && !slices.Contains(c.path, w.in) {
		return false
	}
	held := len(c.path) - len(w.path)
	return held >= 0 && slices.Equal(c.path[held:], w.path)
}

func (c candidate) String() string {
	return fmt.Sprintf("%s %s", c.kind, oneLine(strings.Join(append(slices.Clone(c.path), c.name), ".")))
}

// symbol resolves symbol_name. A name never guesses: it is one symbol, or an
// error that lists what it could be.
func (c *call) symbol(ctx context.Context) (place, error) {
	want, err := c.wanted()
	if err != nil {
		return place{}, err
	}
	find := c.symbolsOfWorkspace
	if c.args.has("file_path") {
		find = c.symbolsOfFile
	}
	all, caveats, err := find(ctx, want)
	if err != nil {
		return place{}, err
	}
	var places []place
	var lines []string
	for _, candidate := range all {
		if !want.matches(candidate) {
			continue
		}
		at, err := c.namePlace(candidate)
		if err != nil {
			return place{}, err
		}
		if !slices.ContainsFunc(places, func(p place) bool { return p.Place == at.Place }) {
			places, lines = append(places, at), append(lines, fmt.Sprintf("%s  %s", candidate, at.echo(c)))
		}
	}
	switch len(places) {
	case 0:
		return place{}, c.noSymbol(want, all, caveats)
	case 1:
		places[0].unasked = c.unasked
		return places[0], nil
	}
	return place{}, ambiguous(want, lines, caveats)
}

// symbolsOfFile are the symbols that a file declares. Caveats are lines that say
// why there may be more.
func (c *call) symbolsOfFile(ctx context.Context, _ wanted) (all []candidate, caveats string, err error) {
	doc, err := c.Workspace.Find(c.args.text("file_path"))
	if err != nil {
		return nil, "", err
	}
	answer, err := c.Router.DocumentSymbols(ctx, doc, c.report)
	if err != nil {
		return nil, "", err
	}
	var add func(list []protocol.DocumentSymbol, path []string)
	add = func(list []protocol.DocumentSymbol, path []string) {
		for _, s := range list {
			parts := nameParts(s.Name)
			if len(parts) == 0 {
				continue
			}
			own := slices.Concat(path, nameParts(s.Container), parts[:len(parts)-1])
			all = append(all, candidate{parts[len(parts)-1], own, s.Kind, doc, s.Selection})
			add(s.Children, append(slices.Clone(own), parts[len(parts)-1]))
		}
	}
	add(answer.Value, nil)
	return all, flagsOf(answer).lines(), nil
}

// symbolsOfWorkspace are the symbols of the workspace that a server finds for
// the name. Those outside the roots cannot be asked about and are left out.
func (c *call) symbolsOfWorkspace(ctx context.Context, want wanted) (all []candidate, caveats string, err error) {
	answers, failures, err := c.Router.WorkspaceSymbols(ctx, want.name, c.report)
	if err != nil {
		return nil, "", err
	}
	for _, f := range failures {
		// The symbol may be one that it knows, and it may be asked in a moment. One
		// that does not start must not take the name from the others.
		if !router.NeverStarted(f.Err) {
			return nil, "", f.Err
		}
		c.unasked = append(c.unasked, f.Server)
	}
	caveats = flags{Unasked: c.unasked}.lines()
	for _, answer := range answers {
		caveats += flagsOf(answer).lines()
		for _, s := range answer.Value {
			doc, inside := c.Workspace.Contains(s.Location.URI.Path())
			parts := nameParts(s.Name)
			if !inside || len(parts) == 0 {
				continue
			}
			path := slices.Concat(nameParts(s.Container), parts[:len(parts)-1])
			all = append(all, candidate{parts[len(parts)-1], path, s.Kind, doc, s.Location.Range})
		}
	}
	return all, caveats, nil
}

// namePlace finds the name itself in the range that a server gave, which may be
// that of the whole declaration.
func (c *call) namePlace(found candidate) (place, error) {
	text, err := c.Workspace.Load(found.doc.Path)
	if err != nil {
		return place{}, err
	}
	from, _ := text.Offset(found.where.Start, protocol.UTF16)
	to, _ := text.Offset(found.where.End, protocol.UTF16)
	offsets := indices(text.Text[from:max(from, to)], found.name)
	if len(offsets) == 0 {
		return place{}, &placeError{"position_unverified", fmt.Sprintf(
			"the server places %s at %s:%d, but the name does not stand there",
			found, c.show(found.doc), found.where.Start.Line+1,
		)}
	}
	at := text.Position(from+offsets[0], protocol.UTF16)
	return place{Place: router.Place{Document: found.doc, Position: at}, Name: found.name}, nil
}

// maxListed bounds the symbols that an error lists.
const maxListed = 20

func ambiguous(want wanted, lines []string, caveats string) error {
	message := fmt.Sprintf("%d symbols are named %s: say which by file_path, container, symbol_kind, or a qualified name", len(lines), want.name)
	if len(lines) > maxListed {
		lines = append(lines[:maxListed], "...")
	}
	return &placeError{"ambiguous", message + "\n" + strings.Join(lines, "\n") + caveats}
}

// distinct gives each name once.
func distinct(names []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(names, func(name string) bool {
		again := seen[name]
		seen[name] = true
		return again
	})
}

// noSymbol offers the names that come near: those that differ in case or in
// what holds them first, then those that have the name in them.
func (c *call) noSymbol(want wanted, all []candidate, caveats string) error {
	var same, near []string
	for _, other := range all {
		switch low := strings.ToLower(other.name); {
		case low == strings.ToLower(want.name):
			same = append(same, other.String())
		case strings.Contains(low, strings.ToLower(want.name)):
			near = append(near, other.String())
		}
	}
	offered := distinct(slices.Concat(same, near))
	resolution := "not_found"
	message := fmt.Sprintf("no symbol %s in the workspace", c.args.text("symbol_name"))
	if c.args.has("file_path") {
		resolution = "not_defined_in_file"
		message = fmt.Sprintf("%s defines no %s; workspace_symbol_search finds where it is defined, "+
			"line and text address a use of it", c.args.text("file_path"), c.args.text("symbol_name"))
	}
	if len(offered) > 0 {
		message += "\nthere is " + strings.Join(offered[:min(len(offered), maxCandidates)], ", ")
	}
	return &placeError{resolution, message + caveats}
}
