package catalog

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestRows holds what every row must have.
func TestRows(t *testing.T) {
	commands := map[string]bool{}
	for _, s := range Servers() {
		name := strings.Join(s.Command, " ")
		if s.ID == "" || len(s.Patterns) == 0 || len(s.Markers) == 0 || s.Install == "" {
			t.Errorf("%s: ID, Patterns, Markers and Install must be there", name)
		}
		if commands[name] {
			t.Errorf("%s has two rows", name)
		}
		commands[name] = true
		for _, m := range s.Markers {
			if _, err := filepath.Match(m, "x"); err != nil || strings.Contains(m, "/") {
				t.Errorf("%s: the marker %q is no file name", name, m)
			}
		}
		if got, ok := ByCommand(s.Command[0], s.Command[1:]); !ok || strings.Join(got.Command, " ") != name {
			t.Errorf("%s is found as %q", name, got.Command)
		}
	}
}

// TestOnlyWith holds that a program which is a server only with an argument is
// none without it.
func TestOnlyWith(t *testing.T) {
	for _, test := range []struct {
		command string
		args    []string
		want    bool
	}{
		{"/opt/node_modules/.bin/tsc", []string{"--lsp", "--stdio"}, true},
		{`C:\npm\tsc.cmd`, []string{"--stdio", "--lsp"}, true},
		{"tsc", []string{"-p", "."}, false},
		{"ty", []string{"check"}, false},
		{"clangd", []string{"--log=error"}, true},
	} {
		if _, ok := ByCommand(test.command, test.args); ok != test.want {
			t.Errorf("%s %v: found %v", test.command, test.args, ok)
		}
	}
}
