package protocol

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

var encodings = []Encoding{UTF8, UTF16, UTF32}

// refLine is a line of the naive reference: where it starts, where its line
// break begins, and each of its characters. An invalid byte is a character.
type refLine struct {
	start, end int
	chars      []refChar
}

type refChar struct {
	at, size int
	widths   map[Encoding]uint32
}

func reference(text string) []refLine {
	var lines []refLine
	var line refLine
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == '\n' || r == '\r' {
			line.end = i
			if strings.HasPrefix(text[i:], "\r\n") {
				size = 2
			}
			i += size
			lines = append(lines, line)
			line = refLine{start: i}
			continue
		}
		c := refChar{i, size, map[Encoding]uint32{UTF8: uint32(size), UTF16: 1, UTF32: 1}}
		if size == 4 {
			c.widths[UTF16] = 2
		}
		line.chars = append(line.chars, c)
		i += size
	}
	line.end = len(text)
	return append(lines, line)
}

func refOffset(lines []refLine, p Position, enc Encoding) (int, bool) {
	if p.Line >= uint32(len(lines)) {
		return lines[len(lines)-1].end, false
	}
	line, column := lines[p.Line], uint32(0)
	for _, c := range line.chars {
		if p.Character-column < c.widths[enc] {
			return c.at, p.Character == column
		}
		column += c.widths[enc]
	}
	return line.end, p.Character == column
}

func refPosition(lines []refLine, offset int, enc Encoding) Position {
	var p Position
	for n, line := range lines {
		if n > 0 && line.start > offset {
			break
		}
		p = Position{Line: uint32(n)}
		for _, c := range line.chars {
			if c.at+c.size <= offset {
				p.Character += c.widths[enc]
			}
		}
	}
	return p
}

// texts draws text with every line break, characters of one to four bytes,
// marks that combine, and bytes that are no UTF-8.
func texts() *rapid.Generator[string] {
	pieces := rapid.SampledFrom([]string{
		"a", "\t", "\x00", "\n", "\r", "\r\n", "\n\r", "é", "e\u0301", "\u0301", "漢", "\u2028", "\u0085",
		"\uFFFD", "\uFFFF", "😀", "👩\u200d👧", "\U0010FFFF",
		"\x80", "\xbf\xbf", "\xff", "\xc3", "\xe6\xbc", "\xf0\x9f\x98", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80",
	})
	raw := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "raw")) })
	part := rapid.OneOf(pieces, pieces, pieces, rapid.StringN(0, 4, -1), raw)
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "parts"), "")
	})
}

func TestMapperPositionMatchesReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		m, lines := NewMapper(text), reference(text)
		for offset := -1; offset <= len(text)+1; offset++ {
			for _, enc := range encodings {
				got, want := m.Position(offset, enc), refPosition(lines, min(offset, len(text)), enc)
				if got != want {
					t.Fatalf("%q: offset %d in %s: got %v, want %v", text, offset, enc, got, want)
				}
			}
		}
	})
}

func TestMapperOffsetMatchesReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		m, lines := NewMapper(text), reference(text)
		for _, p := range positions(lines) {
			for _, enc := range encodings {
				got, exact := m.Offset(p, enc)
				want, wantExact := refOffset(lines, p, enc)
				if got != want || exact != wantExact {
					t.Fatalf("%q: %v in %s: got %d, %v, want %d, %v", text, p, enc, got, exact, want, wantExact)
				}
			}
		}
	})
}

// positions gives every place in the lines in every encoding, and some that
// lie past the end.
func positions(lines []refLine) []Position {
	var all []Position
	for n := range len(lines) + 2 {
		width := 2
		if n < len(lines) {
			width += lines[n].end - lines[n].start
		}
		for c := range width {
			all = append(all, Position{uint32(n), uint32(c)})
		}
	}
	const most = 1<<32 - 1
	return append(all, Position{0, most}, Position{most, 0}, Position{most, most})
}

func TestMapperRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		m, lines := NewMapper(text), reference(text)
		for _, enc := range encodings {
			for _, p := range positions(lines) {
				if offset, exact := m.Offset(p, enc); exact && m.Position(offset, enc) != p {
					t.Fatalf("%q: %v in %s: offset %d gives %v", text, p, enc, offset, m.Position(offset, enc))
				}
			}
			for _, offset := range boundaries(lines) {
				p := m.Position(offset, enc)
				if got, exact := m.Offset(p, enc); got != offset || !exact {
					t.Fatalf("%q: offset %d is %v in %s, which is offset %d, %v", text, offset, p, enc, got, exact)
				}
			}
		}
	})
}

// boundaries gives the offsets between two characters.
func boundaries(lines []refLine) []int {
	var all []int
	for _, line := range lines {
		for _, c := range line.chars {
			all = append(all, c.at)
		}
		all = append(all, line.end)
	}
	return all
}

func TestMapperConvertMatchesReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		m, lines := NewMapper(text), reference(text)
		for _, p := range positions(lines) {
			for _, from := range encodings {
				for _, to := range encodings {
					checkConvert(t, m, lines, p, from, to)
				}
			}
		}
	})
}

func checkConvert(t *rapid.T, m *Mapper, lines []refLine, p Position, from, to Encoding) {
	offset, wantExact := refOffset(lines, p, from)
	want := refPosition(lines, offset, to)
	got, exact := m.Convert(p, from, to)
	if got != want || exact != wantExact {
		t.Fatalf("%q: %v from %s to %s: got %v, %v, want %v, %v", m.Text, p, from, to, got, exact, want, wantExact)
	}
	if back, ok := m.Convert(got, to, from); exact && (back != p || !ok) {
		t.Fatalf("%q: %v from %s to %s and back: got %v, %v", m.Text, p, from, to, back, ok)
	}
}

func TestMapperLinesMatchReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		m, lines := NewMapper(text), reference(text)
		if m.LineCount() != len(lines) {
			t.Fatalf("%q: %d lines, want %d", text, m.LineCount(), len(lines))
		}
		for n, line := range lines {
			if got, ok := m.Line(n); !ok || got != text[line.start:line.end] {
				t.Fatalf("%q: line %d is %q, %v, want %q", text, n, got, ok, text[line.start:line.end])
			}
		}
		for _, n := range []int{-1, len(lines), len(lines) + 1} {
			if got, ok := m.Line(n); ok || got != "" {
				t.Fatalf("%q: line %d is %q, %v, want none", text, n, got, ok)
			}
		}
	})
}

// The reference could share a mistake with the code; these are by hand.
func TestMapperOffset(t *testing.T) {
	const text = "a😀é\r\nb\rc\n"
	tests := []struct {
		name      string
		enc       Encoding
		at        Position
		offset    int
		exact     bool
		inUTF8    Position
		lineAfter string
	}{
		{"start", UTF16, Position{0, 0}, 0, true, Position{0, 0}, text},
		{"before the pair", UTF16, Position{0, 1}, 1, true, Position{0, 1}, "😀é\r\nb\rc\n"},
		{"inside the pair", UTF16, Position{0, 2}, 1, false, Position{0, 1}, "😀é\r\nb\rc\n"},
		{"after the pair", UTF16, Position{0, 3}, 5, true, Position{0, 5}, "é\r\nb\rc\n"},
		{"after it in UTF-32", UTF32, Position{0, 2}, 5, true, Position{0, 5}, "é\r\nb\rc\n"},
		{"inside four bytes", UTF8, Position{0, 3}, 1, false, Position{0, 1}, "😀é\r\nb\rc\n"},
		{"inside two bytes", UTF8, Position{0, 6}, 5, false, Position{0, 5}, "é\r\nb\rc\n"},
		{"end of line", UTF16, Position{0, 4}, 7, true, Position{0, 7}, "\r\nb\rc\n"},
		{"past the end of line", UTF16, Position{0, 5}, 7, false, Position{0, 7}, "\r\nb\rc\n"},
		{"line after CR LF", UTF16, Position{1, 1}, 10, true, Position{1, 1}, "\rc\n"},
		{"line after CR", UTF16, Position{2, 0}, 11, true, Position{2, 0}, "c\n"},
		{"empty last line", UTF16, Position{3, 0}, 13, true, Position{3, 0}, ""},
		{"past the last line", UTF16, Position{4, 0}, 13, false, Position{3, 0}, ""},
	}
	m := NewMapper(text)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			offset, exact := m.Offset(test.at, test.enc)
			if offset != test.offset || exact != test.exact || text[offset:] != test.lineAfter {
				t.Errorf("got %d, %v before %q", offset, exact, text[offset:])
			}
			if got, _ := m.Convert(test.at, test.enc, UTF8); got != test.inUTF8 {
				t.Errorf("in UTF-8: got %v, want %v", got, test.inUTF8)
			}
		})
	}
}

func FuzzMapper(f *testing.F) {
	f.Add("", uint32(0), uint32(0), 0)
	f.Add("a😀é\r\nb\rc\n", uint32(0), uint32(2), 3)
	f.Add("a\x80\xf0\x9f\x98", uint32(0), uint32(2), 2)
	f.Add("\n\r\r\n", uint32(9), uint32(1<<32-1), -1)
	f.Fuzz(func(t *testing.T, text string, line, character uint32, offset int) {
		m, lines := NewMapper(text), reference(text)
		at := Position{line, character}
		for _, enc := range encodings {
			got, exact := m.Offset(at, enc)
			if want, wantExact := refOffset(lines, at, enc); got != want || exact != wantExact {
				t.Errorf("%v in %s: got %d, %v, want %d, %v", at, enc, got, exact, want, wantExact)
			}
			p := m.Position(offset, enc)
			if want := refPosition(lines, max(0, min(offset, len(text))), enc); p != want {
				t.Errorf("offset %d in %s: got %v, want %v", offset, enc, p, want)
			}
		}
	})
}
