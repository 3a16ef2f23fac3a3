package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/quote"
)

// maxLineBytes is where a source line is cut: enough to recognise a line, and
// minified code is one line of a megabyte.
const maxLineBytes = 200

// located is one location as answers show it.
type located struct {
	Path    string // relative to its root, absolute outside every root
	Outside bool
	Line    string // the source line, trimmed; "" outside the workspace
	Within  string // kind and name of the symbol around it; "" when not asked for
	protocol.Location
}

// String is the one line of text for a location: path:line:column and the
// source line, so that the file need not be opened to see what was found.
func (l located) String() string {
	at := fmt.Sprintf("%s:%d:%d", l.Path, uint64(l.Range.Start.Line)+1, uint64(l.Range.Start.Character)+1)
	if l.Within != "" {
		at += " (in " + l.Within + ")"
	}
	switch {
	case l.Outside:
		return at + " (outside the workspace)"
	case l.Line == "":
		return at
	}
	return at + ": " + l.Line
}

// locate sorts locations by file and place, drops those named twice, and finds
// their source lines. It stops when ctx ends.
func (c *call) locate(ctx context.Context, list []protocol.Location) ([]located, error) {
	found := make([]located, 0, len(list))
	for _, l := range list {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		found = append(found, c.locateOne(l))
	}
	slices.SortFunc(found, compareLocated)
	return slices.CompactFunc(found, func(a, b located) bool { return a.Location == b.Location }), nil
}

func compareLocated(a, b located) int {
	return cmp.Or(
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
		cmp.Compare(a.Range.Start.Character, b.Range.Start.Character),
		cmp.Compare(a.Range.End.Line, b.Range.End.Line),
		cmp.Compare(a.Range.End.Character, b.Range.End.Character),
	)
}

func (c *call) locateOne(l protocol.Location) located {
	file := c.file(l.URI)
	if !file.outside {
		l.URI = file.uri // two names of one file are one place
	}
	at := located{Path: file.shown, Outside: file.outside, Location: l}
	if file.text != nil {
		line, _ := file.text.Line(int(l.Range.Start.Line))
		at.Line = trimmed(line)
	}
	return at
}

// namedFile is a file that a server named, as it was at its first mention in
// this call: an answer may name it a hundred thousand times.
type namedFile struct {
	uri     protocol.DocumentURI // with its links resolved
	shown   string
	outside bool
	text    *protocol.Mapper // nil outside the workspace, or when it cannot be read
}

func (c *call) file(uri protocol.DocumentURI) *namedFile {
	if known := c.files[uri]; known != nil {
		return known
	}
	file := &namedFile{outside: true, shown: oneLine(uri.Path())}
	if file.shown == "" { // not a file's URI: shown as it came
		file.shown = oneLine(string(uri))
	}
	if doc, inside := c.Workspace.Contains(uri.Path()); inside {
		file.outside, file.shown, file.uri = false, c.show(doc), doc.URI()
		// Without its text a file has no source lines, and that is all.
		file.text, _ = c.Workspace.Load(doc.Path)
	}
	if c.files == nil {
		c.files = map[protocol.DocumentURI]*namedFile{}
	}
	c.files[uri] = file
	return file
}

// trimmed gives a source line as it is shown: without what surrounds it, and
// not too long.
func trimmed(line string) string {
	line = strings.TrimLeft(line, " \t")
	return strings.TrimSpace(shorten(line))
}

// oneLine is a name that others chose, as it may stand in a line of ours.
func oneLine(name string) string { return quote.Line(shorten(name)) }

// shorten cuts a line at maxLineBytes.
func shorten(line string) string { return quote.Cut(line, maxLineBytes) }

// locationJSON is the shape of the Rust mcpls: positions from 1.
type locationJSON struct {
	URI    protocol.DocumentURI `json:"uri"`
	Range  rangeJSON            `json:"range"`
	Within string               `json:"enclosing_symbol,omitempty"`
}

func (l located) json() locationJSON {
	return locationJSON{URI: l.URI, Range: jsonRange(l.Range), Within: l.Within}
}

type rangeJSON struct {
	Start positionJSON `json:"start"`
	End   positionJSON `json:"end"`
}

type positionJSON struct {
	Line      uint64 `json:"line"`
	Character uint64 `json:"character"`
}

func jsonRange(r protocol.Range) rangeJSON {
	return rangeJSON{
		Start: jsonPosition(r.Start),
		End:   jsonPosition(r.End),
	}
}

// jsonPosition counts from 1. A server may name the last number there is.
func jsonPosition(p protocol.Position) positionJSON {
	return positionJSON{uint64(p.Line) + 1, uint64(p.Character) + 1}
}

// protocol is the inverse of jsonRange; false for what it cannot have given.
func (r rangeJSON) protocol() (protocol.Range, bool) {
	start, ok := r.Start.protocol()
	end, also := r.End.protocol()
	return protocol.Range{Start: start, End: end}, ok && also
}

func (p positionJSON) protocol() (protocol.Position, bool) {
	if p.Line-1 > math.MaxUint32 || p.Character-1 > math.MaxUint32 { // 0 wraps around
		return protocol.Position{}, false
	}
	return protocol.Position{Line: uint32(p.Line - 1), Character: uint32(p.Character - 1)}, true
}

// files counts the files that locations lie in.
func files(list []located) int {
	seen := map[protocol.DocumentURI]bool{}
	for _, l := range list {
		seen[l.URI] = true
	}
	return len(seen)
}

func outside(list []located) int {
	n := 0
	for _, l := range list {
		if l.Outside {
			n++
		}
	}
	return n
}

// plural gives "1 file", "2 files".
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
