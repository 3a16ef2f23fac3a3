package quote

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// anyText draws strings that are rich in what the escapes are about, invalid
// UTF-8 included.
func anyText() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{
			`\`, `\n`, `\x1b`, `\u202e`, "\n", "\r", "\r\n", "\t", "\x1b", "\x7f", "\u0085", "\u202e", "\u200b",
			"\u2028", "\u00a0", "\u115f", "\u2800", "\ufe0f", "\U000e0041", "\ue000", "\ufffd", "\xff", "\x80", "\xed\xa0\x80",
		}),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 4), func(b []byte) string { return string(b) }),
	)
	return rapid.Map(rapid.SliceOf(piece), func(pieces []string) string { return strings.Join(pieces, "") })
}

func TestString(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{`plain "text" with ~ and '`, `plain "text" with ~ and '`},
		{`C:\dir`, `C:\\dir`},
		{"a\nb\r\tc", `a\nb\r\tc`},
		{"\x1b[31m\x00\x7f", `\x1b[31m\x00\x7f`},
		{"\u0085é\u202e", `\u0085\u00e9\u202e`},
		{"😀", `\U0001f600`},
		{"\xff\xed\xa0\x80", `\xff\xed\xa0\x80`},
		{"\ufffd", `\ufffd`},
	} {
		if got := String(test.in); got != test.want {
			t.Errorf("String(%+q) = %s, want %s", test.in, got, test.want)
		}
	}
}

// unquote is the inverse of String, written as a table of its escapes.
func unquote(t *rapid.T, s string) string {
	var b strings.Builder
	number := func(digits int) (v rune) {
		for _, c := range s[2 : 2+digits] {
			v = v<<4 | rune(strings.IndexRune("0123456789abcdef", c))
		}
		s = s[2+digits:]
		return v
	}
	for s != "" {
		if s[0] != '\\' {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		if c := strings.IndexByte(`\nrt`, s[1]); c >= 0 {
			b.WriteByte("\\\n\r\t"[c])
			s = s[2:]
			continue
		}
		switch s[1] {
		case 'x':
			b.WriteByte(byte(number(2)))
		case 'u':
			b.WriteRune(number(4))
		case 'U':
			b.WriteRune(number(8))
		default:
			t.Fatalf("no such escape: %q", s)
		}
	}
	return b.String()
}

// An inverse exists, so no two inputs can share an output.
func TestStringIsInjective(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyText().Draw(t, "s")
		got := String(s)
		if back := unquote(t, got); back != s {
			t.Fatalf("String(%+q) = %s, which reads back as %+q", s, got, back)
		}
		if len(got) < len(s) {
			t.Fatalf("String(%+q) = %s is shorter", s, got)
		}
		for i := range len(got) {
			if got[i] < ' ' || got[i] > '~' {
				t.Fatalf("String(%+q) = %+q holds byte %#x", s, got, got[i])
			}
		}
	})
}

func TestText(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{"func f() {\n\treturn `\\d`\n}\n", "func f() {\n\treturn `\\d`\n}\n"},
		{"grüße 你好 مرحبا हिन्दी e\u0301 ½ € → 😀 \ufffd", "grüße 你好 مرحبا हिन्दी e\u0301 ½ € → 😀 \ufffd"},
		{"a\r\nb\rc\r\r\nd\r", "a\nb\\rc\\r\nd\\r"},
		{"\x1b[31mred\x00\x07\x08\x7f", `\x1b[31mred\x00\x07\x08\x7f`},
		{"\u0080\u0085\u009b", `\u0080\u0085\u009b`},
		{"\u061c\u200e\u200f", `\u061c\u200e\u200f`},
		{"\u202a\u202b\u202c\u202d\u202e", `\u202a\u202b\u202c\u202d\u202e`},
		{"\u2066\u2067\u2068\u2069", `\u2066\u2067\u2068\u2069`},
		{"\u200b\u200c\u200d\u2060\ufeff\u00ad", `\u200b\u200c\u200d\u2060\ufeff\u00ad`},
		{"\u2028\u2029", `\u2028\u2029`},
		{"\u00a0\u2003\u3000", `\u00a0\u2003\u3000`},
		{"\ue000\u0378\U0010ffff\U000e0041", `\ue000\u0378\U0010ffff\U000e0041`},
		{"\u115f\u1160\u3164\uffa0\u2800", `\u115f\u1160\u3164\uffa0\u2800`},
		{"\u034f\u17b4\U00013441\U00016fe4\U0001d159", `\u034f\u17b4\U00013441\U00016fe4\U0001d159`},
		{"\u180b\u180c\u180d\u180e\u180f", `\u180b\u180c\u180d\u180e\u180f`},
		{"\ufe00\ufe0f\U000e0100", `\ufe00\ufe0f\U000e0100`},
		{"\xff\xed\xa0\x80", `\xff\xed\xa0\x80`},
	} {
		if got := Text(test.in); got != test.want {
			t.Errorf("Text(%+q) = %+q, want %+q", test.in, got, test.want)
		}
	}
}

// TestTextRunes asks for every rune what Text does with it, against the rule
// in words of Unicode categories.
func TestTextRunes(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= 0xd800 && r <= 0xdfff {
			continue // no string holds a surrogate
		}
		kept := Text(string(r)) == string(r)
		visible := unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S)
		if kept && !visible && !strings.ContainsRune("\n\t ", r) {
			t.Errorf("%U is kept", r)
		}
		ignored := unicode.In(r, blank, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
		if kept == ignored && visible {
			t.Errorf("%U: kept is %t, drawn as nothing is %t", r, kept, ignored)
		}
	}
}

func TestTextAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyText().Draw(t, "s")
		once := Text(s)
		if twice := Text(once); twice != once {
			t.Fatalf("Text(%+q) = %+q and then %+q", s, once, twice)
		}
		if !utf8.ValidString(once) {
			t.Fatalf("Text(%+q) = %+q is not UTF-8", s, once)
		}
	})
}

func TestTextOfPlainTextAllocatesNothing(t *testing.T) {
	s := strings.Repeat("if größe > 0 {\n\treturn `→`\n}\n", 100)
	if n := testing.AllocsPerRun(10, func() { Text(s) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func BenchmarkText(b *testing.B) {
	line := "\tif err := open(ctx, name); err != nil { // ask again\n"
	for _, bench := range []struct{ name, text string }{
		{"source", strings.Repeat(line, 1000)},
		{"source with one escape", strings.Repeat(line, 1000) + "\x1b"},
		{"no ASCII", strings.Repeat("你好", 10000)},
		{"escapes only", strings.Repeat("\u202e", 10000)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				Text(bench.text)
			}
		})
	}
}

func TestJSON(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"{\n\t\"a\": 1 }", "{\n\t\"a\": 1 }"},
		{"{\r\n\"a\":\r1}", "{\n\"a\":\n1}"},
		{`"` + "é\u202e\u007f\u2028" + `"`, `"é\u202e\u007f\u2028"`},
		{`"` + "\U000e0041" + `"`, `"\udb40\udc41"`},
		{`"` + "\xff" + `\\"`, `"\ufffd\\"`},
		{"\x1b", `\u001b`}, // not JSON: safe all the same
	} {
		if got := string(JSON([]byte(test.in))); got != test.want {
			t.Errorf("JSON(%+q) = %+q, want %+q", test.in, got, test.want)
		}
	}
}

// anyJSON draws valid JSON whose strings hold raw runes and raw bytes, with
// space between its tokens.
func anyJSON(t *rapid.T) []byte {
	space := rapid.SampledFrom([]string{"", " ", "\n", "\r\n", "\r", "\t"})
	str := func() string {
		var b strings.Builder
		for _, c := range []byte(anyText().Draw(t, "text")) {
			switch {
			case c < ' ':
				b.WriteString(`\t`)
			case c == '"' || c == '\\':
				b.WriteString(`\` + string(c))
			default:
				b.WriteByte(c)
			}
		}
		return `"` + b.String() + `"`
	}
	gap := func() string { return space.Draw(t, "space") }
	return []byte(gap() + "{" + gap() + str() + gap() + ":" + gap() + "[" + str() + gap() + "," + gap() + "1" + gap() + "]" + gap() + "}" + gap())
}

func TestJSONKeepsTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyJSON(t)
		before := bytes.Clone(in)
		out := JSON(in)
		var want, got any
		if err := json.Unmarshal(in, &want); err != nil {
			t.Fatalf("the test drew bad JSON: %v", err)
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("JSON(%+q) = %+q: %v", in, out, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("JSON(%+q) = %+q decodes to %+q, want %+q", in, out, got, want)
		}
		if s := string(out); Text(s) != s {
			t.Fatalf("JSON(%+q) = %+q still needs an escape", in, out)
		}
		if !bytes.Equal(in, before) {
			t.Fatalf("JSON changed its input %+q", before)
		}
	})
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		s     string
		limit int
		want  string
	}{
		{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"aé", 2, "a…"}, {"é", 1, "…"}, {"\xff\xfe\xfd", 2, "\xff\xfe…"},
	} {
		if got := Cut(c.s, c.limit); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.s, c.limit, got, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	if got := Line("a\nb\r\tc"); got != `a\nb\r\tc` {
		t.Errorf("got %q", got)
	}
}
