// Package quote makes untrusted text safe to show and keeps secret values out
// of what is shown.
//
// Text from a client, a language server, a source file or a configuration can
// hold terminal commands, invisible characters and characters that reorder a
// line. Three functions escape them, each for one kind of place:
//
//   - [String] for one value inside a log line, an error or a card;
//   - [Text] for many-line text that a person or a model reads;
//   - [JSON] for a JSON document.
//
// [Handler] and [Printer] apply them to all that the program logs and prints.
// Escaping does not hide anything; hiding is the work of [Redactor].
//
// The package imports no other package of the module, so any may import it.
package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// String returns s on one line of printable ASCII, for values inside logs,
// errors and cards.
//
// A backslash becomes \\, newline, carriage return and tab become \n, \r and
// \t, another ASCII control becomes \x1b, a rune outside ASCII becomes \u202e
// or \U0001f600, and a byte that is not part of valid UTF-8 becomes \xff.
// Quotation marks stay as they are and none are added.
//
// Two different inputs never give the same output, and the output is never
// shorter than the input.
func String(s string) string {
	var b strings.Builder
	for s != "" {
		_, size := utf8.DecodeRuneInString(s)
		if c := s[0]; c >= ' ' && c <= '~' && c != '\\' {
			b.WriteByte(c)
		} else {
			writeEscape(&b, s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// Text returns s with everything escaped that a reader would not see as it
// is, for many-line text shown to a person or a model.
//
// Newline, tab, the ordinary space, and letters, marks, numbers, punctuation
// and symbols of every script stay. A carriage return before a newline is
// dropped. All else is escaped as by [String]: controls, format characters
// (among them the ones that reorder a line or have no width), unassigned and
// private runes, line and paragraph separators, every other space, and the
// letters, marks and symbols that are drawn as nothing.
//
// Variation selectors and the zero-width joiner are escaped too, because text
// can be hidden in them; so an emoji that is composed with them is shown in
// its parts.
//
// A backslash stays, because source code would be unreadable otherwise. So
// Text is not injective: an escape that it writes and the same characters in s
// look alike. Text of a result is that result. When nothing needs an escape
// the result is s itself and nothing is allocated.
func Text(s string) string {
	n := plainPrefix(s)
	if n == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		b.WriteString(s[:n])
		s = s[n:]
		if s == "" {
			return b.String()
		}
		_, size := utf8.DecodeRuneInString(s)
		if !strings.HasPrefix(s, "\r\n") {
			writeEscape(&b, s[:size])
		}
		s = s[size:]
		n = plainPrefix(s)
	}
}

// plainPrefix returns the number of bytes at the start of s that [Text] keeps.
func plainPrefix(s string) int {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if !plainASCII(c) {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if invalid(r, size) || !plainRune(r) {
			return i
		}
		i += size
	}
	return len(s)
}

// plainASCII reports whether Text keeps the ASCII byte c.
func plainASCII(c byte) bool {
	return c >= ' ' && c <= '~' || c == '\n' || c == '\t'
}

// plainRune reports whether Text keeps r, a rune outside ASCII. IsPrint admits
// letters, marks, numbers, punctuation and symbols.
func plainRune(r rune) bool {
	return unicode.IsPrint(r) && !unicode.In(r, blank, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// blank holds the runes that are letters, marks or symbols to Unicode and are
// drawn as nothing, beyond the ones that Unicode says to ignore when drawing
// (such as the Hangul fillers).
var blank = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // Braille pattern blank
	},
	R32: []unicode.Range32{
		{Lo: 0x13441, Hi: 0x13442, Stride: 1}, // Egyptian hieroglyph full and half blank
		{Lo: 0x16fe4, Hi: 0x16fe4, Stride: 1}, // Khitan small script filler
		{Lo: 0x1d159, Hi: 0x1d159, Stride: 1}, // musical symbol null notehead
	},
}

// invalid reports whether a decoded rune and its size in bytes stand for a
// byte that is not part of valid UTF-8.
func invalid(r rune, size int) bool {
	return r == utf8.RuneError && size == 1
}

const hexDigits = "0123456789abcdef"

// writeEscape writes the escape of one character: a rune, or one byte that is
// not part of valid UTF-8. No escape is the start of another one, which is
// what makes [String] injective.
func writeEscape(b *strings.Builder, char string) {
	r, size := utf8.DecodeRuneInString(char)
	switch {
	case r == '\\':
		b.WriteString(`\\`)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case invalid(r, size):
		b.WriteString(`\x`)
		writeHex(b, rune(char[0]), 2)
	case r < utf8.RuneSelf:
		b.WriteString(`\x`)
		writeHex(b, r, 2)
	case r <= 0xffff:
		b.WriteString(`\u`)
		writeHex(b, r, 4)
	default:
		b.WriteString(`\U`)
		writeHex(b, r, 8)
	}
}

// writeHex writes v as the given number of hexadecimal digits.
func writeHex(b *strings.Builder, v rune, digits int) {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		b.WriteByte(hexDigits[v>>shift&0xf])
	}
}

// Cut returns the beginning of s, at most limit bytes and an ellipsis, cut
// between two runes; s itself when it is not longer.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}

// Line returns s with its newlines, carriage returns and tabs escaped, for a
// name that others chose inside text of ours: it cannot begin a line of its
// own, which could pass for one of ours. [Text] escapes the rest.
func Line(s string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s)
}
