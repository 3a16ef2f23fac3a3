package launch

import (
	"strings"
	"testing"

	"mcpls/internal/config"
	"mcpls/internal/launch/reason"
)

func candidates(commands ...string) config.Declaration {
	var list []config.Declaration
	for _, command := range commands {
		list = append(list, config.Declaration{ID: "py", Origin: config.Builtin, Server: config.Server{Command: command}})
	}
	list[0].Others = list[1:]
	return list[0]
}

// TestChoose holds that a declaration with others becomes the first that is
// found, where a plan would find it, and that one found in the workspace only
// is the last choice.
func TestChoose(t *testing.T) {
	for _, test := range []struct{ name, path, files, want string }{
		{"the first", "/bin", "/bin/a /bin/b", "a"},
		{"the next", "/bin", "/bin/c /bin/b", "b"},
		{"none", "/bin", "", "a"},
		{"not where no plan looks", ".:/bin", "/ws/a /bin/c", "c"},
		{"the workspace comes last", "/ws/bin:/bin", "/ws/bin/a /bin/c", "c"},
		{"and before nothing", "/ws/bin:/bin", "/ws/bin/c /ws/bin/b", "b"},
	} {
		files := map[string]string{}
		for _, file := range strings.Fields(test.files) {
			files[file] = "x"
		}
		other := config.Declaration{ID: "go", Server: config.Server{Command: "g"}}
		declared := []config.Declaration{candidates("a", "b", "c"), other}
		got := Choose(declared, Workspace{Dir: "/ws", Boundary: []string{"/ws"}}, linux(test.path, files))
		if len(got) != 2 || got[0].Command != test.want || got[1].Command != "g" || declared[0].Command != "a" {
			t.Errorf("%s: %+v, want %s", test.name, got, test.want)
		}
	}
}

func TestNotFoundNamesTheOthers(t *testing.T) {
	_, err := Make(Input{Declaration: candidates("a", "b", "c"), Workspace: Workspace{Dir: "/ws"}}, linux("/bin", map[string]string{}))
	r, _ := err.(*reason.Refusal)
	if r == nil || r.Code != reason.ExecutableNotFound || !strings.HasSuffix(r.Hint, "; in its stead mcpls takes b, else c, if it is there when mcpls starts") {
		t.Errorf("refusal %+v", r)
	}
}
