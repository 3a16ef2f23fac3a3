package config

import (
	"reflect"
	"strings"
	"testing"

	"mcpls/internal/catalog"
)

// TestBuiltins holds that rows of one id are one declaration, the first with
// the others in its stead, and that another id holds for all of them.
func TestBuiltins(t *testing.T) {
	row := func(id string, command ...string) catalog.Server {
		return catalog.Server{ID: id, Command: command, Markers: []string{command[0] + ".marker"}}
	}
	declared := func(id, language string, command ...string) Declaration {
		return Declaration{ID: id, Origin: Builtin, Server: Server{
			LanguageID: language, Command: command[0], Args: command[1:], Heuristics: Heuristics{ProjectMarkers: []string{command[0] + ".marker"}},
		}}
	}
	want := declared("py", "py", "a", "--stdio")
	want.Others = []Declaration{declared("py", "py", "b"), declared("py", "py", "c", "server")}
	got := builtins([]catalog.Server{row("py", "a", "--stdio"), row("go", "g"), row("py", "b"), row("py", "c", "server")})
	if !reflect.DeepEqual(got, []Declaration{want, declared("go", "go", "g")}) {
		t.Errorf("got %+v", got)
	}
	named := got[0].named("py@builtin")
	if named.ID != "py@builtin" || named.Others[1].ID != "py@builtin" || got[0].Others[1].ID != "py" {
		t.Errorf("renamed: %+v, from %+v", named, got[0])
	}
}

// TestClashes holds that servers of the user's that cannot stand beside each
// other are an error with a place.
func TestClashes(t *testing.T) {
	const x = "[[lsp_servers]]\nlanguage_id = 'x'\ncommand = 'x'\n"
	for _, test := range []struct{ name, text, want string }{
		{"one id", x + "[[lsp_servers]]\nlanguage_id = 'y'\ncommand = 'y'\nname = 'x'\n", `f:7:8: lsp_servers.name: two servers have the id "x": give one of them a name`},
		{"one id, without a name", x + x + "handles = ['hover']\n", `f:4:3: lsp_servers.name: two servers have the id "x": give one of them a name`},
		{"two catch-alls", x + x + "name = 'z'\n", `f:4:3: lsp_servers.handles: "x" answers everything for x already: only one server a language may be without handles`},
		{"a feature twice", x + "name = 'a'\nhandles = ['hover', 'rename']\n" + x + "name = 'b'\nhandles = ['references', 'rename']\n", `f:10:11: lsp_servers.handles: "a" handles rename for x already`},
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
