package catalog

import "testing"

// TestByCommand holds that a row is found by its program, and where several
// have it by the arguments.
func TestByCommand(t *testing.T) {
	whole := servers
	defer func() { servers = whole }()
	servers = []Server{
		{ID: "a", Command: []string{"tool", "check", "--stdio"}},
		{ID: "b", Command: []string{"tool", "lsp"}},
		{ID: "c", Command: []string{"other"}},
	}
	for _, test := range []struct {
		command string
		args    []string
		want    string
	}{
		{"tool", []string{"check", "--stdio"}, "a"},
		{"tool", []string{"lsp"}, "b"},
		{"tool", []string{"-v", "lsp", "--stdio"}, "b"},
		{"/opt/bin/tool", []string{"lsp"}, "b"},
		{`C:\bin\tool.exe`, []string{"lsp"}, "b"},
		{"tool.cmd", []string{"--pipe"}, "a"},
		{"other", []string{"x"}, "c"},
		{"tools", nil, ""},
		{"", nil, ""},
	} {
		if got, ok := ByCommand(test.command, test.args); got.ID != test.want || ok != (test.want != "") {
			t.Errorf("ByCommand(%q, %q) = %q, %v; want %q", test.command, test.args, got.ID, ok, test.want)
		}
	}
}
