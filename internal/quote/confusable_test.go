package quote

import "testing"

func TestConfusable(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "gopls": false, "node ./server.mjs --stdio": false, "a1_b-c.d": false, "\u00fc\u00f6": false, "\u65e5\u672c\u8a9e": false, "\u65e5\u672c go": false,
		"\u3053\u3093\u30fc": false, "\U0001f600": false, "a\u0301": false,
		"g\u043epls":         true, // Cyrillic o
		"\u0430\u0440\u0440": true, // Cyrillic only
		"\u03bf":             true, // Greek
		"go\u13e2":           true, // Cherokee
		"\u0561":             true, // Armenian
		"n\u00f6de":          true, // a letter outside ASCII between ASCII ones
		"\u0261o":            true, // Latin script g
		"\u0261":             true,
		"\u0131":             true, // dotless i
		"\u017f":             true, // long s
		"\uff47\uff4f":       true, // full width
		"\U0001d420":         true, // mathematical
		"\u2113":             true, // script l
		"a\u65e5":            true,
		"a\u0301\u65e5":      true, // a mark divides no word
		"\uff11":             true, // a full width digit
		"\u0661":             true, // an Arabic one
	} {
		if got := Confusable(text); got != want {
			t.Errorf("Confusable(%+q) = %v", text, got)
		}
	}
}
