package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
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
	{name: "line", kind: kindInteger, required: true, min: 1, plain: true, about: "from 1"},
	{name: "character", kind: kindInteger, min: 1, plain: true, about: "column from 1, in UTF-16; not needed with text"},
	{name: "text", kind: kindString, about: "identifier on that line"},
	{name: "occurrence", kind: kindInteger, min: 1, plain: true, about: "which one, where text stands several times on the line; 1 when left out"},
}

// fileArg is the address of a whole document.
var fileArg = arg{name: "file_path", kind: kindString, required: true, plain: true, about: "absolute, or relative to the root"}

// optionalFileArg is fileArg of a tool that has another meaning without it.
var optionalFileArg = arg{name: "file_path", kind: kindString, plain: true, about: "absolute, or relative to the root"}

// placeError is an address that was understood and does not hold. Resolution
// is a stable word for what went wrong.
type placeError struct{ resolution, message string }

func (e *placeError) Error() string { return e.message }

// place is a resolved address. Name is the identifier there, "" when there is
// none: the server is asked all the same.
type place struct {
	router.Place
	Name string

	unasked  []string // servers that could not be asked for the name
	degraded bool     // the column lay past the end of its line
	also     []int    // other lines with the name, the nearest first
}

// hint offers the other lines when nothing was found: the text that an agent
// names often stands in a comment just above what it means.
func (p place) hint() string {
	if len(p.also) == 0 {
		return ""
	}
	return fmt.Sprintf("\n[%s also stands on line %s]", p.Name, listLines(p.also))
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

// spot is a line of a document, and an offset in it in bytes.
type spot struct {
	doc      workspace.Document
	text     *protocol.Mapper
	number   int // of the line, from 1
	line     string
	offset   int
	degraded bool // the column lay past the end of the line
}

func (s spot) at(offset int) router.Place {
	return router.Place{Document: s.doc, Position: protocol.Position{Line: uint32(s.number - 1), Character: utf16Len(s.line[:offset])}}
}

// place resolves the place arguments against the text on disk, to the start of
// the identifier there.
func (c *call) place() (place, error) {
	s, err := c.spot(c.textOffset)
	if err != nil {
		return place{}, err
	}
	start, end := identifierAt(s.line, s.offset)
	p := place{Name: s.line[start:end], degraded: s.degraded}
	if start == end { // no identifier near: as it was asked
		start = s.offset
	}
	p.Place = s.at(start)
	if c.args.has("text") {
		p.also = linesWith(s.text, p.Name, s.number, false)
	}
	return p, nil
}

// cursor resolves the place arguments to a place where somebody types: a column
// as it is, and of a text its end, behind the bracket that opens there.
func (c *call) cursor() (place, error) {
	s, err := c.spot(func(doc workspace.Document, text *protocol.Mapper, line string) (int, error) {
		want := c.args.text("text")
		offset, ok := nthIndex(line, want, c.occurrenceArg())
		if !ok {
			return 0, c.notOnLine(doc, text, line)
		}
		end := offset + len(want)
		if strings.HasPrefix(line[end:], "(") {
			end++
		}
		return end, nil
	})
	if err != nil {
		return place{}, err
	}
	return place{Place: s.at(s.offset), degraded: s.degraded}, nil
}

// nthIndex finds the nth place where a text stands, within a word or not.
func nthIndex(line, want string, n int) (int, bool) {
	for at := 0; want != ""; at++ {
		i := strings.Index(line[at:], want)
		if i < 0 {
			break
		}
		at += i
		if n--; n == 0 {
			return at, true
		}
	}
	return 0, false
}

// spot resolves the place arguments. find gives the offset of the text
// argument on its line.
func (c *call) spot(find func(workspace.Document, *protocol.Mapper, string) (int, error)) (spot, error) {
	s := spot{number: c.args.number("line")}
	var err error
	if s.doc, s.text, err = c.document(); err != nil {
		return s, err
	}
	if s.line, err = c.line(s.doc, s.text, s.number); err != nil {
		return s, err
	}
	switch {
	case c.args.has("text"):
		s.offset, err = find(s.doc, s.text, s.line)
	case c.args.has("character"):
		at, exact := protocol.Position{Character: uint32(c.args.number("character") - 1)}, false
		s.offset, exact = protocol.NewMapper(s.line).Offset(at, protocol.UTF16)
		s.degraded = !exact
	default:
		err = badArg("give text (the identifier on the line) or character (its column)")
	}
	return s, err
}

// document finds the file of the call, and its text as it is now.
func (c *call) document() (workspace.Document, *protocol.Mapper, error) {
	doc, err := c.Workspace.Find(c.args.text("file_path"))
	if err != nil {
		return doc, nil, err
	}
	text, err := c.Workspace.Load(doc.Path)
	return doc, text, err
}

func (c *call) line(doc workspace.Document, text *protocol.Mapper, number int) (string, error) {
	line, ok := text.Line(number - 1)
	if !ok {
		return "", &placeError{"position_unverified", fmt.Sprintf(
			"line %d is past the end of %s, which has %d lines", number, c.show(doc), text.LineCount(),
		)}
	}
	return line, nil
}

// textOffset finds the text argument on the line, as it stands or without what
// models put around a name.
func (c *call) textOffset(doc workspace.Document, text *protocol.Mapper, line string) (int, error) {
	want := c.args.text("text")
	if strings.TrimSpace(want) == "" {
		return 0, badArg("text is empty: give the identifier on the line")
	}
	bare := strings.TrimSuffix(strings.Trim(want, "` \t"), "()")
	_, last := lastPart(bare)
	for _, form := range []string{want, bare, last} {
		if offset, ok := c.occurrence(line, form); ok {
			within, _ := lastPart(form)
			return offset + within, nil
		}
	}
	return 0, c.notOnLine(doc, text, line)
}

// lastPart gives what a qualified name names, and where in the name it stands:
// b in a.b, f in x.f(f). A text that is no name is itself.
func lastPart(name string) (offset int, last string) {
	parts := nameParts(name)
	if len(parts) == 0 {
		return 0, name
	}
	last = parts[len(parts)-1]
	// What follows the name, such as arguments, may repeat it.
	before := 0
	for _, part := range parts[:len(parts)-1] {
		before += strings.Index(name[before:], part) + len(part)
	}
	return before + strings.Index(name[before:], last), last
}

func (c *call) occurrenceArg() int { return max(1, c.args.number("occurrence")) }

// occurrence gives the one that is asked for: the nth, or with a character that
// which stands there or begins nearest.
func (c *call) occurrence(line, want string) (int, bool) {
	all := indices(line, want)
	if !c.args.has("character") {
		n := c.occurrenceArg()
		if n > len(all) {
			return 0, false
		}
		return all[n-1], true
	}
	at := protocol.Position{Character: uint32(c.args.number("character") - 1)}
	column, _ := protocol.NewMapper(line).Offset(at, protocol.UTF16)
	distance := func(offset int) int { return max(offset-column, column-offset-len(want), 0) }
	return slices.MinFunc(append(all, math.MaxInt32), func(a, b int) int {
		return cmp.Compare(distance(a), distance(b))
	}), len(all) > 0
}

// maxCandidates bounds the lines that an answer offers.
const maxCandidates = 5

// linesWith gives the lines, from 1, that have a text as a whole word, those
// nearest to a line first; the line itself is left out unless its case differs.
func linesWith(text *protocol.Mapper, want string, near int, fold bool) []int {
	var lines []int
	for n := 1; want != "" && n <= text.LineCount(); n++ {
		line, _ := text.Line(n - 1)
		if fold {
			line, want = strings.ToLower(line), strings.ToLower(want)
		}
		if (n != near || fold) && len(indices(line, want)) > 0 {
			lines = append(lines, n)
		}
	}
	slices.SortStableFunc(lines, func(a, b int) int {
		return cmp.Compare(max(a-near, near-a), max(b-near, near-b))
	})
	return lines
}

// listLines writes the nearest lines, and how many there are.
func listLines(lines []int) string {
	var b strings.Builder
	for i, n := range lines[:min(len(lines), maxCandidates)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d", n)
	}
	if more := len(lines) - maxCandidates; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

// notOnLine says where the text stands instead: an agent's line numbers are
// often those of an earlier version of the file.
func (c *call) notOnLine(doc workspace.Document, text *protocol.Mapper, line string) error {
	want, number := c.args.text("text"), c.args.number("line")
	var b strings.Builder
	fmt.Fprintf(&b, "%q does not stand on line %d of %s", want, number, c.show(doc))
	if n := c.occurrenceArg(); n > 1 {
		fmt.Fprintf(&b, " %d times", n)
	}
	fmt.Fprintf(&b, "; that line is: %s", shorten(strings.TrimSpace(line)))
	if lines := linesWith(text, want, number, false); len(lines) > 0 {
		b.WriteString("\nit stands on line " + listLines(lines))
	} else if lines := linesWith(text, want, number, true); len(lines) > 0 {
		b.WriteString("\nin another case it stands on line " + listLines(lines))
	} else {
		b.WriteString("\nthe file does not have it at all; workspace_symbol_search finds symbols by name")
	}
	return &placeError{"position_unverified", b.String()}
}

// indices finds every place where a text stands as a whole word: "id" in
// "f(id)" and not in "width".
func indices(line, want string) []int {
	var all []int
	for at := 0; want != ""; at += len(want) {
		i := strings.Index(line[at:], want)
		if i < 0 {
			break
		}
		at += i
		if !touchesIdentifier(line, at, at+len(want)) {
			all = append(all, at)
		}
	}
	return all
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
	return fmt.Sprintf("%s (%s)", shorten(p.Name), at)
}

// show gives a document's path as answers name it: relative to its root, or
// absolute where several roots would make that ambiguous.
func (c *call) show(doc workspace.Document) string {
	if len(c.Workspace.Roots()) > 1 {
		return oneLine(doc.Path)
	}
	return oneLine(doc.Rel())
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
