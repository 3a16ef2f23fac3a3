package mcpserver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mcpls/internal/lsp/protocol"
)

// maxLineBytes is where a source line is cut: enough to recognise a line, and
// minified code is one line of a megabyte.
const maxLineBytes = 200

// located is one location as answers show it.
type located struct {
	Path    string // relative to its root, absolute outside every root
	Outside bool
	Line    string // the source line, trimmed; "" outside the workspace
	protocol.Location
}

// String is the one line of text for a location: path:line:column and the
// source line, so that the file need not be opened to see what was found.
func (l located) String() string {
	at := fmt.Sprintf("%s:%d:%d", l.Path, l.Range.Start.Line+1, l.Range.Start.Character+1)
	switch {
	case l.Outside:
		return at + " (outside the workspace)"
	case l.Line == "":
		return at
	}
	return at + ": " + l.Line
}

// locate sorts locations by file and place, drops those named twice, and finds
// their source lines.
func (c *call) locate(list []protocol.Location) []located {
	found := make([]located, 0, len(list))
	for _, l := range list {
		found = append(found, c.locateOne(l))
	}
	slices.SortFunc(found, compareLocated)
	return slices.CompactFunc(found, func(a, b located) bool { return a.Location == b.Location })
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
	path := l.URI.Path()
	doc, inside := c.Workspace.Contains(path)
	if !inside {
		if path == "" { // not a file's URI: shown as it came
			path = string(l.URI)
		}
		return located{Path: path, Outside: true, Location: l}
	}
	return located{Path: c.show(doc), Line: c.sourceLine(path, l.Range.Start.Line), Location: l}
}

// sourceLine gives a line of a file beneath a root, "" when it cannot be read.
func (c *call) sourceLine(path string, line uint32) string {
	text, err := c.Workspace.Load(path)
	if err != nil {
		return ""
	}
	found, _ := text.Line(int(line))
	return shorten(strings.TrimSpace(found))
}

// shorten cuts a line at maxLineBytes, between two characters.
func shorten(line string) string {
	if len(line) <= maxLineBytes {
		return line
	}
	end := maxLineBytes
	for !utf8.RuneStart(line[end]) {
		end--
	}
	return line[:end] + "…"
}

// locationJSON is the shape of the Rust mcpls: positions from 1.
type locationJSON struct {
	URI   protocol.DocumentURI `json:"uri"`
	Range rangeJSON            `json:"range"`
}

type rangeJSON struct {
	Start positionJSON `json:"start"`
	End   positionJSON `json:"end"`
}

type positionJSON struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

func jsonRange(r protocol.Range) rangeJSON {
	return rangeJSON{
		Start: positionJSON{r.Start.Line + 1, r.Start.Character + 1},
		End:   positionJSON{r.End.Line + 1, r.End.Character + 1},
	}
}

func jsonLocation(l protocol.Location) locationJSON {
	return locationJSON{URI: l.URI, Range: jsonRange(l.Range)}
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
