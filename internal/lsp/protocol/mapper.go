package protocol

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// Encoding is a PositionEncodingKind (LSP 3.17, Text Documents): the unit in
// which a position counts characters.
type Encoding string

// The three encodings of the protocol. UTF-16 is the one that every server
// must offer, and the one in which mcpls speaks to its own clients.
const (
	UTF8  Encoding = "utf-8"
	UTF16 Encoding = "utf-16"
	UTF32 Encoding = "utf-32"
)

// Mapper converts between positions and byte offsets of one text. It is
// immutable and safe for concurrent use. Lines end at \n, \r\n or \r.
type Mapper struct {
	Text  string
	lines []uint32 // byte offset of each line's start; lines[0] is 0
}

// NewMapper indexes the lines of text, which is shorter than 4 GiB.
func NewMapper(text string) *Mapper {
	lines := []uint32{0}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			lines = append(lines, uint32(i+1))
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			lines = append(lines, uint32(i+1))
		}
	}
	return &Mapper{Text: text, lines: lines}
}

// Size is the memory that the mapper takes, in bytes.
func (m *Mapper) Size() int { return len(m.Text) + 4*cap(m.lines) }

// Ambiguous reports whether programs count the lines of the text differently:
// by the protocol a lone \r ends one, which many servers do not know, and some
// take U+2028 and U+2029 for line breaks.
func (m *Mapper) Ambiguous() bool {
	for i := 0; i < len(m.Text); i++ {
		if m.Text[i] == '\r' && (i+1 == len(m.Text) || m.Text[i+1] != '\n') {
			return true
		}
	}
	return strings.ContainsAny(m.Text, "\u2028\u2029")
}

// LineCount is the number of lines; text that ends in a line break has an
// empty last line.
func (m *Mapper) LineCount() int { return len(m.lines) }

// Line gives line n (from 0) without its line break, and whether it exists.
func (m *Mapper) Line(n int) (string, bool) {
	if n < 0 || n >= len(m.lines) {
		return "", false
	}
	start, end := int(m.lines[n]), len(m.Text)
	if n+1 < len(m.lines) {
		end = int(m.lines[n+1])
		if m.Text[end-1] == '\n' {
			end--
		}
		if end > start && m.Text[end-1] == '\r' {
			end--
		}
	}
	return m.Text[start:end], true
}

// Offset gives the byte offset of p, counted in enc. A line or character past
// the end clamps to the end, as the protocol says of characters. Exact is
// false when p was clamped, or lies inside a surrogate pair or a multi-byte
// character and was moved to that character's start.
func (m *Mapper) Offset(p Position, enc Encoding) (offset int, exact bool) {
	line, ok := m.Line(int(p.Line))
	if !ok {
		return len(m.Text), false
	}
	within, exact := columnToByte(line, int(p.Character), enc)
	return int(m.lines[p.Line]) + within, exact
}

// Position gives the position of a byte offset, counted in enc. An offset in a
// line break, or inside a character, is moved back to what precedes it.
func (m *Mapper) Position(offset int, enc Encoding) Position {
	offset = max(0, min(offset, len(m.Text)))
	n := sort.Search(len(m.lines), func(i int) bool { return int(m.lines[i]) > offset }) - 1
	line, _ := m.Line(n)
	within := runeStart(line, min(offset-int(m.lines[n]), len(line)))
	return Position{Line: uint32(n), Character: uint32(width(line[:within], enc))}
}

// runeStart moves an offset inside a character back to its start. A byte that
// belongs to no valid character is one of its own.
func runeStart(line string, at int) int {
	for i := at - 1; i >= 0 && i > at-utf8.UTFMax; i-- {
		if _, size := utf8.DecodeRuneInString(line[i:]); size > at-i {
			return i
		}
	}
	return at
}

// Convert changes the unit of p. Exact is as in Offset; a position that was
// clamped in one unit is the end of its line in the other.
func (m *Mapper) Convert(p Position, from, to Encoding) (q Position, exact bool) {
	offset, exact := m.Offset(p, from)
	return m.Position(offset, to), exact
}

func columnToByte(line string, column int, enc Encoding) (offset int, exact bool) {
	at := 0
	for i, r := range line {
		if at == column {
			return i, true
		}
		at += runeWidth(r, line[i:], enc)
		if at > column {
			return i, false
		}
	}
	return len(line), at == column
}

func width(s string, enc Encoding) int {
	if enc == UTF8 {
		return len(s)
	}
	n := 0
	for _, r := range s {
		n += runeWidth(r, "", enc)
	}
	return n
}

// runeWidth is the width of r in enc. An invalid byte decodes as U+FFFD and
// counts one unit in every encoding; rest tells it from a real U+FFFD.
func runeWidth(r rune, rest string, enc Encoding) int {
	switch {
	case enc == UTF8 && r == utf8.RuneError:
		_, size := utf8.DecodeRuneInString(rest)
		return size
	case enc == UTF8:
		return utf8.RuneLen(r)
	case enc == UTF16 && r > 0xFFFF:
		return 2
	}
	return 1
}
