package quote

import "unicode"

// Confusable reports whether a text has letters or digits that a reader may take
// for others: letters of more than one script in one word, any letter or digit
// outside ASCII in a word with letters of ASCII, and everywhere those that are drawn
// like Latin ones (Unicode Technical Standard 39, Mixed-Script Detection, in a
// simple form).
func Confusable(s string) bool {
	scripts := map[string]bool{}
	for _, r := range s {
		switch {
		case unicode.IsMark(r):
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			clear(scripts)
			continue
		case '0' <= r && r <= '9':
			continue
		case r <= unicode.MaxASCII:
			scripts["ASCII"] = true
		case looksLatin(r):
			return true
		case unicode.Is(unicode.Latin, r):
			scripts["Latin"] = true
		default:
			scripts["other"] = true
		}
		if len(scripts) > 1 {
			return true
		}
	}
	return false
}

// lookalikes are scripts with letters that are drawn as Latin ones.
var lookalikes = []*unicode.RangeTable{unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic, unicode.Lisu}

// looksLatin reports whether a letter or digit outside ASCII may be drawn as one of
// ASCII: the scripts above, the phonetic letters, and the mathematical, full width
// and enclosed forms, which belong to no script.
func looksLatin(r rune) bool {
	const rare, vietnamese, phonetic = 0x180, 0x1e00, 0x1f00 // the blocks of Latin letters that begin here
	switch {
	case unicode.In(r, lookalikes...), unicode.IsDigit(r):
		return true
	case unicode.Is(unicode.Latin, r):
		return r >= rare && !(vietnamese <= r && r < phonetic) || r == '\u0131' || r == '\u017f' // dotless i, long s
	}
	return unicode.Is(unicode.Common, r) && !unicode.Is(unicode.Lm, r)
}
