package e2e_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestTwoRealServers holds that of two real servers for one language each
// answers what it is declared for: the errors are ty's, all else is pyright's.
func TestTwoRealServers(t *testing.T) {
	pyright, ty := needServer(t, "pyright-langserver"), needServer(t, "ty")
	dir, config := t.TempDir(), filepath.Join(t.TempDir(), "mcpls.toml")
	write(t, filepath.Join(dir, "shop.py"), "def total(prices: list[int]) -> int:\n    return sum(prices)\n\n\nwrong = total(\"x\")\n")
	write(t, config, fmt.Sprintf(`builtin_servers = false
workspace.roots = [%q]
[[lsp_servers]]
language_id = "python"
command = %q
args = ["--stdio"]
[[lsp_servers]]
language_id = "python"
name = "ty"
command = %q
args = ["server"]
handles = ["diagnostics"]
`, dir, pyright, ty))
	c := start(t, setup{dir: dir, args: []string{"--config", config}})
	got := c.ask("get_diagnostics", args{"file_path": "shop.py"})
	if !strings.Contains(got, "shop.py:5:15: error: ") || !strings.Contains(got, "[ty invalid-argument-type]") || strings.Contains(strings.ToLower(got), "pyright") {
		t.Errorf("diagnostics %q", got)
	}
	got = c.ask("get_hover", args{"file_path": "shop.py", "line": 5, "text": "total"})
	if !strings.Contains(got, "(function) def total(prices: list[int]) -> int") {
		t.Errorf("hover %q", got)
	}
	told := c.ask("get_tool_support", nil)
	if !strings.Contains(told, "\n  handles only diagnostics\n  answers get_diagnostics, get_cached_diagnostics") {
		t.Errorf("get_tool_support %q", told)
	}
}
