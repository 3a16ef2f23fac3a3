package policy

import (
	"slices"
	"strings"
	"testing"

	"mcpls/internal/launch/reason"
)

// once fails the test for what a list holds twice.
func once(t *testing.T, what string, names []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] {
			t.Errorf("%s: %s is there twice", what, n)
		}
		seen[n] = true
	}
}

// Each option has one use, and each program one row of each table.
func TestTablesHaveNothingTwice(t *testing.T) {
	var programs, tools, starters []string
	for _, r := range refusedPrograms {
		programs = append(programs, strings.Fields(r.names)...)
	}
	for _, r := range toolchains {
		tools = append(tools, strings.Fields(r.names)...)
		once(t, r.names, strings.Fields(r.runs))
	}
	for _, l := range slices.Concat(shells, interpreters) {
		programs = append(programs, strings.Fields(l.names)...)
		once(t, l.names, all(l.options))
	}
	for _, w := range wrappers {
		starters = append(starters, strings.Fields(w.names)...)
		once(t, w.names, all(w.options))
	}
	programs = append(programs, starters...)
	programs = append(programs, strings.Fields(multicalls)...)
	once(t, "programs", programs)
	once(t, "toolchains", tools)
	for _, n := range slices.Concat(programs, tools) {
		if n != strings.ToLower(n) {
			t.Errorf("%s is not in lower case, so nothing matches it", n)
		}
	}
}

func all(o options) []string {
	var names []string
	for _, list := range o {
		names = append(names, strings.Fields(list)...)
	}
	return names
}

// No option of a wrapper has a use that only languages know, and the other way
// round.
func TestOptionsHaveUsesThatAreRead(t *testing.T) {
	for _, w := range wrappers {
		for u := range w.options {
			if !slices.Contains([]use{flag, optional, value, dir, split, search, setenv}, u) {
				t.Errorf("%s: use %d", w.names, u)
			}
		}
	}
	for _, l := range slices.Concat(shells, interpreters) {
		for u := range l.options {
			if slices.Contains([]use{unknown, split, search, setenv}, u) {
				t.Errorf("%s: use %d", l.names, u)
			}
		}
	}
}

// Each name of the security policy is in a table. The lists are written again
// here, from the text.
func TestEveryNameOfThePolicy(t *testing.T) {
	refusals := map[reason.Code]string{
		reason.PackageRunner: "npm npx bunx pnpm pnpx yarn uvx corepack",
		reason.TaskRunner:    "make just task rake mvn sbt",
		reason.RunsArguments: "xargs find awk gawk mawk nawk script su flock watch cmd",
		reason.Wrapper: "sudo sudo-rs doas run0 pkexec runuser setpriv gosu su-exec chpst setuidgid envdir runas wsl strace " +
			"unshare chrt taskset ionice chroot nsenter systemd-run",
	}
	for code, names := range refusals {
		for n := range strings.FieldsSeq(names) {
			if group := refusedBy([]string{n}); group == nil || group.code != code {
				t.Errorf("%s: not refused as %s", n, code)
			}
		}
	}
	for n := range strings.FieldsSeq("bun deno cargo go uv pipx poetry pdm hatch bundle dotnet pipenv pixi swift stack cabal") {
		if rows := toolchainsOf([]string{n}); len(rows) != 1 || !has(rows[0].runs, "run") && n != "bundle" {
			t.Errorf("%s: no run subcommand", n)
		}
	}
	for n := range strings.FieldsSeq("sh bash zsh dash ash hush ksh mksh lksh oksh yash posh fish csh tcsh elvish nu xonsh powershell pwsh " +
		"node nodejs bun python py perl ruby php lua rscript julia osascript pypy deno") {
		if len(languagesOf([]string{n})) != 1 {
			t.Errorf("%s: no language", n)
		}
	}
	for n := range strings.FieldsSeq("time nice nohup timeout setsid stdbuf caffeinate arch env gtime gnice gnohup gtimeout gstdbuf genv") {
		if len(wrappersOf([]string{n})) != 1 {
			t.Errorf("%s: no wrapper", n)
		}
	}
	for n := range strings.FieldsSeq("numactl prlimit ltrace valgrind firejail sg run-parts xcrun sandbox-exec luajit jruby truffleruby " +
		"gopls clangd jdtls pylsp rust-analyzer java zls nil nixd texlab lua-language-server clangd-18") {
		for _, v := range variants(n) {
			if listed(v) || has(multicalls, v) {
				t.Errorf("%s: listed as %s", n, v)
			}
		}
	}
}
