package policy

import (
	goflag "flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"mcpls/internal/launch/reason"
)

var update = goflag.Bool("update", false, "write docs/launchers.md anew")

const launchersDoc = "../../../docs/launchers.md"

// TestLaunchersDoc holds docs/launchers.md to the tables.
func TestLaunchersDoc(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Launchers

What the [untrusted-workspace mode](untrusted-mode.md) knows of programs that start
others. Made from the tables of internal/launch/policy by ` + "`make generate`" + `; a test holds it
to them. A program is known by its file name, whatever its case, without a version
(python3.12, zsh-5.9), without the suffixes of distributions (` + code(versionSuffixes) + `),
and by the file that a link leads to. One that is on no list is started as written.

## Refused

`)
	for _, c := range []reason.Code{reason.PackageRunner, reason.TaskRunner, reason.RunsArguments, reason.Wrapper} {
		var names []string
		for _, group := range refusedPrograms {
			if group.code == c {
				names = append(names, group.names)
			}
		}
		fmt.Fprintf(&b, "- `%s`: %s\n", c, code(strings.Join(names, " ")))
	}
	b.WriteString("\nThe scripts of package runners are refused as such, also when an interpreter is given one: " + code(runnerScripts) + ".\n")
	b.WriteString("\n## Subcommands that are refused\n\nWith `launcher.run_subcommand`.\n\n")
	for _, tool := range toolchains {
		fmt.Fprintf(&b, "- %s: %s\n", code(tool.names), code(tool.runs))
	}
	b.WriteString("\n## Version managers\n\nWith `launcher.toolchain_proxy`: these programs, and every program in a directory called `" + shimDirectory + "`.\n\n")
	for _, m := range managers {
		fmt.Fprintf(&b, "- %s: %s\n", m.name, code(strings.Join([]string{m.programs, m.dirs, m.proxies}, " ")))
	}
	b.WriteString("\n## Wrappers that are looked into\n\nWith these options only. The program that they start is held to all of this.\n\n")
	for _, w := range wrappers {
		fmt.Fprintf(&b, "- %s: %s\n", code(w.names), code(w.options.of(flag, optional, value, dir, setenv)))
	}
	b.WriteString("\n## Shells and interpreters\n\nA script has to be given. Options that hold a program, or make standard input one, are\nrefused; one that is not known is read as taking a value and as taking none.\n")
	for _, l := range append(append([]language{}, shells...), interpreters...) {
		fmt.Fprintf(&b, "\n**%s**\n\n", strings.ReplaceAll(l.names, " ", ", "))
		say := func(what, list string) {
			if list = strings.TrimSpace(list); list != "" {
				fmt.Fprintf(&b, "- %s: %s\n", what, code(list))
			}
		}
		o := l.options
		say("refused", o.of(inline, stdin, tasks, split, search, debugger))
		say("code to load, held to the rules of a script", o.of(load, imports))
		say("gives the program", o.of(module, script, source))
		say("changes the directory", o.of(dir, dirRest))
		say("takes a value", o.of(value, several))
		say("takes none", o.of(flag, optional, rest, digits))
		say("operands that are refused", l.repls)
		say("operands that are admitted", l.commands)
	}
	if *update {
		if err := os.WriteFile(launchersDoc, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(launchersDoc); err != nil || string(got) != b.String() {
		t.Errorf("%s is out of date: make generate (%v)", launchersDoc, err)
	}
}

func code(list string) string { return "`" + strings.Join(strings.Fields(list), "` `") + "`" }

// of gives the options that have one of some uses.
func (o options) of(uses ...use) string {
	var list []string
	for _, u := range uses {
		list = append(list, o[u])
	}
	return strings.Join(list, " ")
}
