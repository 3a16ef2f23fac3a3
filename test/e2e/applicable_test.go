package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpls/internal/lsptest"
)

// TestMarkers holds that a server is started only where a marker of it is no
// deeper than heuristics_max_depth.
func TestMarkers(t *testing.T) {
	for _, test := range []struct {
		marker string // in the workspace; "" is none
		depth  int
		active bool
	}{
		{"", 10, false},
		{"text.marker", 0, true},
		{"one/other.marker", 0, false},
		{"one/other.marker", 1, true},
		{"one/two/text.marker", 1, false},
		{"one/two/text.marker", 2, true},
	} {
		dir, outside := t.TempDir(), t.TempDir()
		write(t, filepath.Join(dir, "a.txt"), "alpha\n")
		if test.marker != "" {
			marker := filepath.Join(dir, filepath.FromSlash(test.marker))
			if err := os.MkdirAll(filepath.Dir(marker), 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, marker, "")
		}
		write(t, filepath.Join(outside, "script"), oneLine(sayWho("main")))
		config := filepath.Join(outside, "mcpls.toml")
		write(t, config, fmt.Sprintf(`builtin_servers = false
[workspace]
roots = [%q]
heuristics_max_depth = %d
[[lsp_servers]]
language_id = "text"
file_patterns = ["**/*.txt"]
command = %q
env = { GORACE = "atexit_sleep_ms=0", %s = %q }
heuristics.project_markers = ["text.marker", "other.marker"]
`, dir, test.depth, fakePath, lsptest.ScriptEnv, filepath.Join(outside, "script")))
		c := start(t, setup{dir: dir, args: []string{"--config", config}})
		got, err := c.try("get_hover", atAlpha)
		switch {
		case test.active && !strings.HasSuffix(got, "\nmain"):
			t.Errorf("%+v: hover %q, %v", test, got, err)
		case !test.active && (err == nil || !strings.Contains(err.Error(), `server "text" is inactive: the workspace has no text.marker or other.marker`)):
			t.Errorf("%+v: hover %q, %v", test, got, err)
		}
		c.close()
	}
}

// TestLanguageExtensions holds that configured extensions add to the built-in
// ones and go before them, whatever their case and dot.
func TestLanguageExtensions(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for _, name := range []string{"a.tpl", "b.py", "c.rs", "d.TPL"} {
		write(t, filepath.Join(dir, name), "alpha\n")
	}
	config := filepath.Join(outside, "mcpls.toml")
	text := fmt.Sprintf(`builtin_servers = false
workspace.roots = [%q]
[[workspace.language_extensions]]
extensions = [".tpl", "py"]
language_id = "template"
`, dir)
	for _, language := range []string{"template", "python", "rust"} {
		script := filepath.Join(outside, language)
		write(t, script, oneLine(sayWho(language)))
		text += fmt.Sprintf("[[lsp_servers]]\nlanguage_id = %q\ncommand = %q\nenv = { GORACE = \"atexit_sleep_ms=0\", %s = %q }\n",
			language, fakePath, lsptest.ScriptEnv, script)
	}
	write(t, config, text)
	c := start(t, setup{dir: dir, args: []string{"--config", config}})
	for name, want := range map[string]string{"a.tpl": "template", "b.py": "template", "c.rs": "rust", "d.TPL": "template"} {
		if got := c.ask("get_hover", args{"file_path": name, "line": 1, "text": "alpha"}); !strings.HasSuffix(got, "\n"+want) {
			t.Errorf("%s: hover %q, want that of %s", name, got, want)
		}
	}
}

// TestSearchByPattern holds that a server which found nothing is asked again
// with one of its files open, also where it has files by its patterns only.
func TestSearchByPattern(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "a.txt"), "alpha\n")
	write(t, filepath.Join(outside, "script"), `
on initialize
	reply {"capabilities": {"workspaceSymbolProvider": true}}
on workspace/symbol
	reply []
on workspace/symbol
	reply [{"name": "alpha", "kind": 12, "location": {"uri": "file://`+dir+`/a.txt", "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}}}]
`)
	config, record := filepath.Join(outside, "mcpls.toml"), filepath.Join(outside, "record")
	write(t, config, fmt.Sprintf(`builtin_servers = false
workspace.roots = [%q]
[[lsp_servers]]
language_id = "other"
file_patterns = ["**/*.txt"]
command = %q
env = { GORACE = "atexit_sleep_ms=0", %s = %q, %s = %q }
`, dir, fakePath, lsptest.ScriptEnv, filepath.Join(outside, "script"), lsptest.RecordEnv, record))
	c := start(t, setup{dir: dir, args: []string{"--config", config}})
	if got := c.ask("workspace_symbol_search", args{"query": "alpha"}); !strings.Contains(got, "a.txt:1") {
		t.Errorf("search %q", got)
	}
	c.close()
	if got := methods(recorded(t, record)); !slices.Contains(got, "textDocument/didOpen") {
		t.Errorf("the server got %v", got)
	}
}
