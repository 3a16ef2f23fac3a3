package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
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
		{name: "unknown key", play: text("[workspace]\nrots = [\"/\"]"), want: `?`},
		{name: "unknown table", play: text("[lsp_server]\nx = 1"), want: `?`},
		{name: "value of another type", play: text("[workspace]\nmax_documents = \"many\""), want: `?`},
		{name: "table in the place of a list", play: text("[lsp_servers]\ncommand = \"x\""), want: `?`},
		{name: "number out of bounds", play: text("[workspace]\nmax_documents = -1"), want: `?`},
		{name: "two catch-alls", play: text(server + server), want: `?`},
		{name: "bad glob", play: text(server + "file_patterns = [\"[a\"]"), want: `?`},
		{name: "missing root", play: text("[workspace]\nroots = [\"/nowhere/at/all\"]"), want: `?`},
		{name: "root that is a file", play: text("[workspace]\nroots = [\"/etc/passwd\"]"), want: `?`},
		{name: "empty string", play: text("[[lsp_servers]]\nlanguage_id = \"x\"\ncommand = \"\""), want: `?`},
		{name: "no TOML", play: text("{\"lsp_servers\": []}"), want: `?`},
		{name: "not UTF-8", play: text("[mcp]\ntitle = \"\xff\""), want: `?`},
		{name: "file of 10 MB", play: text(strings.Repeat("# comment\n", 1<<20)), want: `?`},
		{name: "list of a million levels", play: text("x = " + strings.Repeat("[", 900_000)), want: `?`},
		{name: "missing file", play: func(t *testing.T) (string, int) { return startWith(t, release, "", "/nowhere/mcpls.toml") }, want: `?`},
		{name: "directory", play: func(t *testing.T) (string, int) { return startWith(t, release, "", t.TempDir()) }, want: `?`},
		{name: "device", play: func(t *testing.T) (string, int) { return startWith(t, release, "", "/dev/zero") }, want: `?`},
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
	cmd := exec.Command(release, "--config", path)
	cmd.Dir, cmd.Env = t.TempDir(), []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	said, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(said), filepath.Dir(path)+"/", "")
	return fmt.Sprintf("%d %s", cmd.ProcessState.ExitCode(), text), peakOfEnded(cmd)
}
