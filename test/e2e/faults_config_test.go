package e2e_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// configFaults are configurations that mcpls does not start with: the client
// sees the end of the process and what it says on stderr.
func configFaults(release string) []fault {
	text := func(config string) func(*testing.T) (string, int) {
		return func(t *testing.T) (string, int) { return startWith(t, release, config, "") }
	}
	const server = "[[lsp_servers]]\nlanguage_id = \"x\"\ncommand = \"x\"\n"
	return []fault{
		{name: "unknown key", play: text("[workspace]\nrots = [\"/\"]"), want: `1 error: mcpls.toml:2:1: unknown key "workspace.rots": did you mean "roots"?`},
		{name: "unknown table", play: text("[lsp_server]\nx = 1"), want: `1 error: mcpls.toml:1:2: unknown key "lsp_server": did you mean "lsp_servers"?`},
		{name: "value of another type", play: text("[workspace]\nmax_documents = \"many\""), want: `1 error: mcpls.toml:2:17: workspace.max_documents: a string stands here; it must be an integer`},
		{name: "table in the place of a list", play: text("[lsp_servers]\ncommand = \"x\""), want: `1 error: mcpls.toml:1:2: lsp_servers.language_id: is required`},
		{name: "number out of bounds", play: text("[workspace]\nmax_documents = -1"), want: `1 error: mcpls.toml:2:17: workspace.max_documents: must be at least 0`},
		{name: "two catch-alls", play: text(server + server), want: `1 error: mcpls.toml:4:3: lsp_servers.name: two servers have the id "x": give one of them a name`},
		{name: "bad glob", play: text(server + "file_patterns = [\"[a\"]"), want: `1 error: mcpls.toml:4:18: lsp_servers.file_patterns: no valid glob`},
		{name: "missing root", play: text("[workspace]\nroots = [\"/nowhere/at/all\"]"), want: `1 error: mcpls.toml: workspace root "/nowhere/at/all": no such file or directory`},
		{name: "root that is a file", play: text("[workspace]\nroots = [\"/etc/passwd\"]"), want: `1 error: mcpls.toml: workspace root "/etc/passwd": not a directory`},
		{name: "empty string", play: text("[[lsp_servers]]\nlanguage_id = \"x\"\ncommand = \"\""), want: `1 error: mcpls.toml:3:11: lsp_servers.command: is required`},
		{name: "no TOML", play: text("{\"lsp_servers\": []}"), want: `1 error: mcpls.toml:1:1: invalid character at start of key: U+007B '{'`},
		{name: "not UTF-8", play: text("[mcp]\ntitle = \"\xff\""), want: `1 error: mcpls.toml:2:10: invalid UTF-8 character in basic string`},
		{name: "file of 10 MB", play: text(strings.Repeat("# comment\n", 1<<20)), want: `1 error: mcpls.toml: cannot be read: larger than 1048576 bytes`},
		{name: "list of a million levels", play: text("x = " + strings.Repeat("[", 900_000)), want: `1 error: mcpls.toml:1:10005: arrays and inline tables are nested more than the maximum of 10000 levels deep`},
		{name: "missing file", play: func(t *testing.T) (string, int) { return startWith(t, release, "", "/nowhere/mcpls.toml") }, want: `1 error: mcpls.toml: cannot be read: no such file or directory`},
		{name: "directory", play: func(t *testing.T) (string, int) { return startWith(t, release, "", "/etc") }, want: `1 error: /etc: cannot be read: not a regular file`},
		{name: "device", play: func(t *testing.T) (string, int) { return startWith(t, release, "", "/dev/zero") }, want: `1 error: zero: cannot be read: not a regular file`},
	}
}

// startWith starts mcpls with a configuration that it must refuse, and gives
// what it says. The directory of the test is cut out of it.
func startWith(t *testing.T, release, config, path string) (string, int) {
	t.Helper()
	dir := t.TempDir()
	if path == "" {
		path = filepath.Join(dir, "mcpls.toml")
		write(t, path, config)
	}
	file := filepath.Join(dir, "peak")
	cmd := measured(file, release, "--config", path)
	cmd.Dir, cmd.Env = t.TempDir(), append(cmd.Env, "HOME="+dir)
	said, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(said), filepath.Dir(path)+"/", "")
	text, ok := strings.CutSuffix(text, "hint: mcpls config check tells whether a file is well, mcpls config default shows every key\n")
	if !ok {
		t.Errorf("no hint: %s", said)
	}
	return fmt.Sprintf("%d %s", cmd.ProcessState.ExitCode(), text), peakIn(t, file)
}
