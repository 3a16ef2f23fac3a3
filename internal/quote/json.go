package quote

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns the JSON text b with every rune that [Text] escapes written as
// \uXXXX, a rune above U+FFFF as a surrogate pair. The result decodes to the
// same value as b.
//
// b must be valid JSON: then such runes occur only inside strings, where an
// escape may stand. Space, tab and newline between tokens stay; a carriage
// return there becomes part of its line's end, or a newline when it is alone.
// A byte that is not valid UTF-8 becomes \ufffd, which is what encoding/json
// decodes it to.
//
// For text that is not valid JSON the result is not valid either, but holds
// no raw character all the same. When nothing needs an escape the result is b
// itself, not a copy.
func JSON(b []byte) []byte {
	s := string(b)
	n := plainPrefix(s)
	if n == len(s) {
		return b
	}
	var out strings.Builder
	for {
		out.WriteString(s[:n])
		s = s[n:]
		if s == "" {
			return []byte(out.String())
		}
		r, size := utf8.DecodeRuneInString(s)
		if r != '\r' {
			writeJSONEscape(&out, r)
		} else if !strings.HasPrefix(s, "\r\n") {
			out.WriteByte('\n')
		}
		s = s[size:]
		n = plainPrefix(s)
	}
}

// writeJSONEscape writes r as one \uXXXX, or two when r is above U+FFFF.
func writeJSONEscape(b *strings.Builder, r rune) {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		writeJSONEscape(b, high)
		r = low
	}
	b.WriteString(`\u`)
	writeHex(b, r, 4)
}
