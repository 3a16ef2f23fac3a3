package quote

import "unicode"

// Confusable reports whether a text has letters that a reader may take for others:
// letters of more than one script in one word, or any letter outside ASCII that
// stands between ASCII ones (Unicode Technical Standard 39, Mixed-Script
// Detection, in a simple form).
func Confusable(s string) bool {
	scripts := map[string]bool{}
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r):
			if !unicode.IsMark(r) {
				clear(scripts)
			}
			continue
		case unicode.Is(unicode.Latin, r):
			scripts["Latin"] = true
			if r >= 0xff00 { // full width
				return true
			}
		case unicode.Is(unicode.Cyrillic, r), unicode.Is(unicode.Greek, r), unicode.Is(unicode.Armenian, r), unicode.Is(unicode.Cherokee, r):
			return true // each has letters that are drawn as Latin ones
		default:
			scripts["other"] = true
		}
		if len(scripts) > 1 {
			return true
		}
	}
	return false
}
