package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// layouts gives the directory in which the TypeScript server is installed in every
// way.
func layouts(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(filepath.Dir(serversDir), "layouts")
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // the plan names the tsserver so
	}
	if _, err := os.Stat(filepath.Join(dir, "installed")); err == nil {
		return dir
	}
	if strings.Contains(os.Getenv("MCPLS_REQUIRE"), "typescript-language-server") {
		t.Fatal("the layouts are required and not installed: make servers")
	}
	t.Skip("the layouts are not installed: make servers")
	return ""
}

// TestTypeScriptLayouts starts the server from every kind of install, in a workspace
// full of bait that nobody trusts and in one that is trusted: it answers and runs the
// tsserver of its own install, or it is refused since the launcher leaves open which
// server runs.
func TestTypeScriptLayouts(t *testing.T) {
	base := layouts(t)
	const server = "typescript-language-server"
	for _, test := range []struct {
		name, command string
		args          []string
		pnpm          string // PNPM_HOME
		tsserver      string // the end of its path; "" is none
		refused       string // the code, in an untrusted workspace
	}{
		{name: "npm -g", command: "@/npm/bin/" + server, tsserver: "npm/lib/node_modules/typescript/lib/tsserver.js"},
		{name: "node cli.mjs", command: "node", args: []string{"@/npm/lib/node_modules/" + server + "/lib/cli.mjs"}, tsserver: "npm/lib/node_modules/typescript/lib/tsserver.js"},
		{name: "env node cli.mjs", command: "env", args: []string{"A=1", "node", "@/npm/lib/node_modules/" + server + "/lib/cli.mjs"}, tsserver: "npm/lib/node_modules/typescript/lib/tsserver.js"},
		{name: "shim beside node_modules", command: "@/npm-shims/" + server, tsserver: "npm-shims/node_modules/typescript/lib/tsserver.js"},
		{name: "pnpm 10", command: "@/pnpm10/" + server, pnpm: "@/pnpm10", tsserver: "typescript/lib/tsserver.js"},
		{name: "pnpm 12", command: "@/pnpm12/bin/" + server, pnpm: "@/pnpm12", tsserver: "typescript/lib/tsserver.js"},
		{name: "relative cli.mjs", command: "node", args: []string{"lib/node_modules/" + server + "/lib/cli.mjs"}, refused: "tsserver.unpinnable"},
		{name: "npx", command: "npx", args: []string{server}, refused: "launcher.package_runner"},
		{name: "a version manager's shim", command: "@/shims/" + server, refused: "launcher.toolchain_proxy"},
		{name: "Volta", command: "@/volta/.volta/bin/" + server, refused: "launcher.toolchain_proxy"},
	} {
		for _, untrusted := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/untrusted=%v", test.name, untrusted), func(t *testing.T) {
				at := func(s string) string { return strings.ReplaceAll(s, "@", base) }
				l := languageNamed(t, server)
				trap := setTrap(t, l.workspace(t))
				var list []string
				for _, arg := range append(test.args, "--stdio") {
					list = append(list, at(arg))
				}
				args, err := json.Marshal(list)
				must(t, err)
				config := filepath.Join(t.TempDir(), "mcpls.toml")
				write(t, config, fmt.Sprintf("builtin_servers = false\n[workspace]\nroots = [%q]\n[[lsp_servers]]\nlanguage_id = \"typescript\"\ncommand = %q\nargs = %s\n", trap.dir, at(test.command), args))
				s := setup{dir: trap.dir, args: []string{"--config", config}, env: map[string]string{}}
				if untrusted {
					s.path = trap.path()
					s.args = append(s.args, "--workspace-trust", "untrusted", "--allow-server", "typescript")
				}
				if test.pnpm != "" {
					s.env["PNPM_HOME"] = at(test.pnpm)
				}
				c := start(t, s)
				told, _ := plan(t, c.cmd)
				ts := told["typescript"]
				if test.refused != "" {
					if untrusted && (ts.Verdict != "refuse" || ts.Reason != test.refused) || !untrusted && !strings.Contains(strings.Join(ts.Warnings, "\n"), "no tsserver is pinned") {
						t.Errorf("%s %s, warnings %q", ts.Verdict, ts.Reason, ts.Warnings)
					}
					return
				}
				if test.command == "env" && !untrusted { // a wrapper is looked into where that is needed only
					if !strings.Contains(strings.Join(ts.Warnings, "\n"), "no tsserver is pinned") {
						t.Errorf("warnings %q", ts.Warnings)
					}
					return
				}
				options, _ := ts.InitializationOptions["tsserver"].(map[string]any)
				if path, _ := options["path"].(string); ts.Verdict != "start" || !strings.HasSuffix(path, test.tsserver) || !strings.HasPrefix(path, filepath.Dir(filepath.Dir(base))) {
					t.Fatalf("%s %s: the plan pins %q", ts.Verdict, ts.Message, path)
				}
				for _, q := range l.questions[:3] {
					if wrong := q.wrong(c.patient(q.tool, q.args)); wrong != "" {
						t.Errorf("%s %v:\n%s", q.tool, q.args, wrong)
					}
				}
				c.close()
				if strings.Contains(c.log.String(), "runs another TypeScript") {
					t.Errorf("it runs another tsserver:\n%s", c.log)
				}
				if sprung := trap.sprung(); strings.Contains(sprung, "tsserver") || untrusted && sprung != "" {
					t.Errorf("programs of the checkout have run:\n%s", sprung)
				}
			})
		}
	}
}

func languageNamed(t *testing.T, name string) language {
	t.Helper()
	for _, l := range languages {
		if l.name == name {
			return l
		}
	}
	t.Fatalf("no language %s", name)
	return language{}
}

// TestSelection holds that TypeScript 7 runs where it is installed and the server has
// no tsserver, and not where it has one.
func TestSelection(t *testing.T) {
	base := layouts(t)
	for name, test := range map[string]struct {
		path   string
		native bool
	}{
		"the server has a tsserver": {filepath.Join(base, "npm", "bin"), false},
		"TypeScript 7 beside it":    {filepath.Join(base, "npm7", "bin"), true},
		"TypeScript 7 on PATH":      {nativeOnly(t), true},
	} {
		t.Run(name, func(t *testing.T) {
			l := languageNamed(t, "typescript-language-server")
			c := start(t, setup{dir: l.workspace(t), path: test.path})
			told, _ := plan(t, c.cmd)
			ts := told["typescript"]
			if native := strings.HasSuffix(strings.Join(ts.Argv, " "), "typescript/bin/tsc --lsp --stdio"); native != test.native || ts.Verdict != "start" {
				t.Fatalf("%s %q %q", ts.Verdict, ts.Argv, ts.Warnings)
			}
			for _, q := range l.questions[:3] {
				if wrong := q.wrong(c.patient(q.tool, q.args)); wrong != "" {
					t.Errorf("%s %v:\n%s", q.tool, q.args, wrong)
				}
			}
		})
	}
}

// nativeOnly is a directory with the tsc of TypeScript 7 alone.
func nativeOnly(t *testing.T) string {
	t.Helper()
	needServer(t, "tsc")
	dir := t.TempDir()
	must(t, os.Symlink(filepath.Join(serversDir, "tsc"), filepath.Join(dir, "tsc")))
	return dir
}
