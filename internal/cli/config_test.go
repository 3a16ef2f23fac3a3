package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpls/internal/config"
)

// No value of a file begins a line of its own, nor looks like another server.
func TestConfigCheckIsNotForged(t *testing.T) {
	dir := isolate(t)
	write(t, config.FileName, `[[lsp_servers]]
language_id = "q"
name = "a (user): /usr/bin/true\nserver good\u001b[2J"
command = "x\nno project file\r\nroot /\u2028warning: x\u0085note: y"
[[lsp_servers]]
language_id = "b"
name = "go"
command = "z"
`)
	if err := os.Mkdir("forged\nserver x", 0o700); err != nil {
		t.Fatal(err)
	}
	named := filepath.Join(dir, "forged\nserver x", "conf.toml")
	write(t, named, "workspace.roots = ['.', '..']\n[[lsp_servers]]\nlanguage_id = 'r'\ncommand = 'r'\n")
	write(t, filepath.Join(filepath.Dir(named), config.FileName), "\"x\\nserver y\" = 1\n")
	for _, args := range [][]string{nil, {named}} {
		code, out, errOut := run(t, nil, append([]string{"config", "check"}, args...)...)
		if code != 0 || errOut != "" {
			t.Fatalf("code %d, %s", code, errOut)
		}
		if n := len(strings.Split(out, "\nserver \"a (user): /usr/bin/true\\nserver good\\x1b[2J@project\" (project): x\\nno project file\\r\\nroot /\\u2028warning: x\\u0085note: y\n")); n != 2 {
			t.Errorf("the entry is not shown as one line in\n%s", out)
		}
		for line := range strings.Lines(out) {
			line, known := strings.TrimSuffix(line, "\n"), false
			for _, start := range []string{dir, "root " + dir, "server r (named): r", "server \"a (user)", "server go@project (project): z", "note: server ", "warning: "} {
				known = known || strings.HasPrefix(line, start)
			}
			if !known && !strings.Contains(line, " (builtin): ") {
				t.Errorf("line %q", line)
			}
		}
	}
}

func TestConfigCheckTellsWhatIsNotFound(t *testing.T) {
	dir := isolate(t)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	write(t, "conf.toml", "builtin_servers = false\n[[lsp_servers]]\nlanguage_id = 'a'\ncommand = '"+program+"'\n"+
		"[[lsp_servers]]\nlanguage_id = 'a2'\ncommand = '"+program+"'\n"+
		"[[lsp_servers]]\nlanguage_id = 'b'\ncommand = 'no-such-program'\n[[lsp_servers]]\nlanguage_id = 'c'\ncommand = './no'\n")
	code, out, errOut := run(t, []string{"PATH=" + dir}, "config", "check", "conf.toml")
	var notes []string
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "note: ") {
			notes = append(notes, strings.TrimSpace(line))
		}
	}
	want := []string{
		"note: 1 of 1 entries of PATH are empty, relative or lead into the workspace: the server's PATH is without them; to use them, set env.PATH in its entry",
		`note: server b: the program "no-such-program" is not installed: it was not found`,
		`note: server c: the program "./no" is not installed: it was not found`,
	}
	if code != 0 || errOut != "" || !slices.Equal(notes, want) {
		t.Errorf("code %d, %s\n%q\nwant\n%q", code, errOut, notes, want)
	}
}

// The hint of a failed check is not the check itself.
func TestConfigCheckDoesNotHintAtItself(t *testing.T) {
	isolate(t)
	write(t, "bad.toml", "x = 1\n")
	if code, _, errOut := run(t, nil, "config", "check", "bad.toml"); code != 1 || strings.Contains(errOut, "config check") || !strings.Contains(errOut, "hint: mcpls config default") {
		t.Errorf("code %d, %s", code, errOut)
	}
}
