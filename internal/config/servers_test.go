package config

import (
	"strings"
	"testing"
)

// TestClashes holds that servers of the user's that cannot stand beside each
// other are an error with a place.
func TestClashes(t *testing.T) {
	const x = "[[lsp_servers]]\nlanguage_id = 'x'\ncommand = 'x'\n"
	for _, test := range []struct{ name, text, want string }{
		{"one id", x + "[[lsp_servers]]\nlanguage_id = 'y'\ncommand = 'y'\nname = 'x'\n", `f:7:1: name: two servers have the id "x": give one of them a name`},
		{"one id, without a name", x + x + "handles = ['hover']\n", `f:4:1: name: two servers have the id "x": give one of them a name`},
		{"two catch-alls", x + x + "name = 'z'\n", `f:4:1: handles: is needed: "x" answers everything for x already, and only one server a language may be without`},
		{"a feature twice", x + "name = 'a'\nhandles = ['hover', 'rename']\n" + x + "name = 'b'\nhandles = ['references', 'rename']\n", `f:10:1: handles: "a" handles rename for x already`},
		{"a share each and the rest", x + "name = 'a'\nhandles = ['hover']\n" + x + "name = 'b'\nhandles = ['rename']\n" + x, ""},
		{"one feature of two languages", x + "handles = ['hover']\n" + strings.ReplaceAll(x, "'x'", "'y'") + "handles = ['hover']\n", ""},
	} {
		_, err := decode("f", []byte(test.text))
		if got := errorText(err); got != test.want {
			t.Errorf("%s: error %q, want %q", test.name, got, test.want)
		}
		if _, err := decodeProject("f", []byte(test.text)); err != nil {
			t.Errorf("%s, in a project file: %v", test.name, err)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
