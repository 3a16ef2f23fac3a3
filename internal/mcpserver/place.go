package mcpserver

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/router"
	"mcpls/internal/workspace"
)

// placeArgs address a place in a document: a line, and on it either a column
// or the text that stands there.
var placeArgs = []arg{
	fileArg,
	{name: "line", kind: kindInteger, required: true, min: 1, about: "from 1"},
	{name: "character", kind: kindInteger, min: 1, about: "column from 1, in UTF-16; not needed with text"},
	{name: "text", kind: kindString, about: "the identifier on that line"},
	{name: "occurrence", kind: kindInteger, min: 1, fallback: 1, about: "which text on the line"},
}

// fileArg is the address of a whole document.
var fileArg = arg{name: "file_path", kind: kindString, required: true, about: "absolute, or relative to the root"}

// placeError is an address that was understood and does not hold. Resolution
// is a stable word for what went wrong.
type placeError struct{ resolution, message string }

func (e *placeError) Error() string { return e.message }

// place is a resolved address. Name is the identifier there, "" when there is
// none: the server is asked all the same.
type place struct {
	router.Place
	Name string
}

// address resolves whichever address the call gives: a symbol's name, or a
// place.
func (c *call) address(ctx context.Context) (place, error) {
	byName, byLine := c.args.has("symbol_name"), c.args.has("line")
	switch {
	case byName && byLine:
		return place{}, badArg("give either symbol_name or line, not both")
	case byName:
		return c.symbol(ctx)
	case c.args.has("symbol_kind") || c.args.has("container"):
		return place{}, badArg("symbol_kind and container go with symbol_name")
	case !byLine || !c.args.has("file_path"):
		return place{}, badArg("give file_path and line with text (or character), or symbol_name")
	}
	return c.place()
}

// place resolves the place arguments against the text on disk.
func (c *call) place() (place, error) {
	doc, err := c.Workspace.Find(c.args.text("file_path"))
	if err != nil {
		return place{}, err
	}
	text, err := c.Workspace.Load(doc.Path)
	if err != nil {
		return place{}, err
	}
	line, ok := text.Line(c.args.number("line") - 1)
	if !ok {
		return place{}, &placeError{"position_unverified", fmt.Sprintf(
			"line %d is past the end of %s, which has %d lines", c.args.number("line"), doc.Rel(), text.LineCount(),
		)}
	}
	offset, err := c.column(doc, text, line)
	if err != nil {
		return place{}, err
	}
	start, end := identifierAt(line, offset)
	at := protocol.Position{Line: uint32(c.args.number("line") - 1), Character: utf16Len(line[:start])}
	if start == end { // no identifier near: as it was asked
		at.Character = utf16Len(line[:offset])
	}
	return place{Place: router.Place{Document: doc, Position: at}, Name: line[start:end]}, nil
}

// column gives the byte offset on the line that the arguments address.
func (c *call) column(doc workspace.Document, text *protocol.Mapper, line string) (int, error) {
	if c.args.has("text") == c.args.has("character") {
		return 0, badArg("give either text (the identifier on the line) or character (its column)")
	}
	if c.args.has("character") {
		at := protocol.Position{Character: uint32(c.args.number("character") - 1)}
		offset, _ := protocol.NewMapper(line).Offset(at, protocol.UTF16)
		return offset, nil
	}
	offset, ok := nthIndex(line, c.args.text("text"), c.args.number("occurrence"))
	if !ok {
		return 0, c.notOnLine(doc, text, line)
	}
	return offset, nil
}

// maxCandidates bounds the lines that an error offers.
const maxCandidates = 5

// notOnLine says where the text stands instead: an agent's line numbers are
// often those of an earlier version of the file.
func (c *call) notOnLine(doc workspace.Document, text *protocol.Mapper, line string) error {
	want := c.args.text("text")
	var b strings.Builder
	fmt.Fprintf(&b, "%q does not stand on line %d of %s", want, c.args.number("line"), doc.Rel())
	if n := c.args.number("occurrence"); n > 1 {
		fmt.Fprintf(&b, " %d times", n)
	}
	fmt.Fprintf(&b, "; that line is: %s", shorten(strings.TrimSpace(line)))
	var lines []string
	for n := range text.LineCount() {
		other, _ := text.Line(n)
		if _, found := nthIndex(other, want, 1); found && len(lines) < maxCandidates {
			lines = append(lines, fmt.Sprint(n+1))
		}
	}
	if len(lines) == 0 {
		b.WriteString("\nthe file does not have it at all; workspace_symbol_search finds symbols by name")
	} else {
		fmt.Fprintf(&b, "\nit stands on line %s", strings.Join(lines, ", "))
	}
	return &placeError{"position_unverified", b.String()}
}

// nthIndex finds the nth occurrence of want. One that is a whole identifier
// counts before one that is part of a longer one: "id" in "width(id)".
func nthIndex(line, want string, n int) (int, bool) {
	var whole, all []int
	for at := 0; want != ""; {
		i := strings.Index(line[at:], want)
		if i < 0 {
			break
		}
		at += i
		all = append(all, at)
		if !touchesIdentifier(line, at, at+len(want)) {
			whole = append(whole, at)
		}
		at += len(want)
	}
	if len(whole) > 0 {
		all = whole
	}
	if n > len(all) {
		return 0, false
	}
	return all[n-1], true
}

func touchesIdentifier(line string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:start])
	first, _ := utf8.DecodeRuneInString(line[start:])
	last, _ := utf8.DecodeLastRuneInString(line[:end])
	after, _ := utf8.DecodeRuneInString(line[end:])
	return isIdentifier(before) && isIdentifier(first) || isIdentifier(last) && isIdentifier(after)
}

// identifierAt gives the identifier at an offset. White space or punctuation
// snaps to the identifier beside it: the one that ends there, else the next
// one when only white space lies between. start == end means there is none.
func identifierAt(line string, offset int) (start, end int) {
	after, _ := utf8.DecodeRuneInString(line[offset:])
	before, _ := utf8.DecodeLastRuneInString(line[:offset])
	if !isIdentifier(after) && !isIdentifier(before) {
		rest := strings.TrimLeftFunc(line[offset:], unicode.IsSpace)
		offset = len(line) - len(rest)
	}
	start, end = offset, offset
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(line[:start])
		if !isIdentifier(r) {
			break
		}
		start -= size
	}
	for end < len(line) {
		r, size := utf8.DecodeRuneInString(line[end:])
		if !isIdentifier(r) {
			break
		}
		end += size
	}
	return start, end
}

// isIdentifier reports whether a rune may stand in an identifier of most
// languages. RuneError is what decoding an empty string gives.
func isIdentifier(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func utf16Len(s string) uint32 {
	m := protocol.NewMapper(s)
	return m.Position(len(s), protocol.UTF16).Character
}

// echo says what an address was resolved to: `name (path:line:column)`.
func (p place) echo(c *call) string {
	at := fmt.Sprintf("%s:%d:%d", c.show(p.Document), p.Position.Line+1, p.Position.Character+1)
	if p.Name == "" {
		return at
	}
	return fmt.Sprintf("%s (%s)", p.Name, at)
}

// show gives a document's path as answers name it: relative to its root, or
// absolute where several roots would make that ambiguous.
func (c *call) show(doc workspace.Document) string {
	if len(c.Workspace.Roots()) > 1 {
		return doc.Path
	}
	return doc.Rel()
}

// resolvedJSON is a resolved address in JSON.
type resolvedJSON struct {
	Name      string `json:"name,omitempty"`
	FilePath  string `json:"file_path"`
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

func (p place) json() resolvedJSON {
	return resolvedJSON{p.Name, p.Document.Path, p.Position.Line + 1, p.Position.Character + 1}
}
