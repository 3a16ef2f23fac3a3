package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpls/internal/config"
)

// Text of others never reaches a terminal raw. Each case must show the escape,
// so that one which no longer shows the text at all is noticed.
func TestNoRawEscapes(t *testing.T) {
	const esc = "\x1b[31m"
	isolate(t)
	dir := "d" + esc
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	entry := "[[lsp_servers]]\nlanguage_id = \"\\u001b[31m\"\ncommand = '" + program + "'\n"
	write(t, "a"+esc+".go", "package a\n")
	write(t, "id.toml", entry)
	write(t, "command.toml", "[[lsp_servers]]\nlanguage_id = 'x'\ncommand = \"\\u001b[31m\"\n")
	write(t, "twice.toml", entry+entry)
	write(t, "bad"+esc+".toml", "x = 1\n")
	write(t, "key.toml", "\"\\u001b[31m\" = 1\n")
	write(t, "root.toml", "workspace.roots = [\"\\u001b[31m\"]\n")
	write(t, "tools.toml", "mcp.tools = [\"\\u001b[31m\"]\n")
	write(t, "raw.toml", "a = "+esc+"\n")
	write(t, "main.go", "package a // "+esc+"\n")
	write(t, config.FileName, entry)
	for _, test := range []struct {
		name string
		env  []string
		args []string
		code int
	}{
		{"command", nil, []string{esc}, 2},
		{"flag", nil, []string{"--" + esc}, 2},
		{"flag value", nil, []string{"--log-json=" + esc}, 2},
		{"log level", []string{"MCPLS_LOG=" + esc}, []string{"version"}, 2},
		{"variable", []string{"MCPLS_TRUST_PROJECT_CONFIG=" + esc}, []string{"version"}, 2},
		{"tool", nil, []string{"call", esc}, 2},
		{"pair", nil, []string{"call", "get_hover", esc}, 2},
		{"argument name", nil, []string{"call", "get_hover", "file_path=main.go", "line=1", "text=x", esc + "=1"}, 1},
		{"argument value", nil, []string{"call", "get_hover", "file_path=main.go", "line=" + esc}, 1},
		{"missing file", nil, []string{"call", "get_hover", "file_path=" + esc, "line=1", "text=x"}, 1},
		{"file without a server", nil, []string{"call", "get_hover", "file_path=a" + esc + ".go", "line=1", "text=package"}, 1},
		{"text that is not there", nil, []string{"call", "get_hover", "file_path=main.go", "line=1", "text=" + esc + "x"}, 1},
		{"server id", nil, []string{"call", "get_tool_support"}, 0},
		{"server id as JSON", nil, []string{"call", "get_tool_support", "--json"}, 0},
		{"log of a warning", nil, []string{"call"}, 0},
		{"log of a warning as JSON", nil, []string{"call", "--log-json"}, 0},
		{"config check", nil, []string{"config", "check"}, 0},
		{"config path", nil, []string{"config", "path", "-c", esc}, 0},
		{"id in config", nil, []string{"config", "check", "id.toml"}, 0},
		{"command in config", nil, []string{"config", "check", "command.toml"}, 0},
		{"two ids", nil, []string{"config", "check", "twice.toml"}, 1},
		{"name of the file", nil, []string{"config", "check", "bad" + esc + ".toml"}, 1},
		{"missing configuration", nil, []string{"-c", "no" + esc}, 1},
		{"key", nil, []string{"config", "check", "key.toml"}, 1},
		{"root", nil, []string{"config", "check", "root.toml"}, 1},
		{"tool name", nil, []string{"-c", "tools.toml"}, 1},
		{"raw in the file", nil, []string{"config", "check", "raw.toml"}, 1},
		{"serving", nil, nil, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, out, errOut := run(t, test.env, test.args...)
			if code != test.code {
				t.Errorf("code %d, want %d", code, test.code)
			}
			if strings.ContainsRune(out+errOut, 0x1b) {
				t.Errorf("a raw escape in %q %q", out, errOut)
			}
			if shown := out + errOut; !strings.Contains(shown, `x1b`) && !strings.Contains(shown, `u001b`) {
				t.Errorf("nothing of the text is shown: %q", shown)
			}
		})
	}
	if _, err := os.Stat(filepath.Join("..", dir)); err != nil {
		t.Error(err) // the working directory has its escape in its name
	}
}
