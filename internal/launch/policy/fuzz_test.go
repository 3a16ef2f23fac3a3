package policy_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mcpls/internal/launch/policy"
)

// words are what a fuzzed command is made of: each byte picks one.
var words = strings.Split(`env|nice|timeout|5|busybox|coreutils|bash|sh|zsh|ksh|csh|fish|elvish|nu|pwsh|python3|node|perl|ruby|php|lua|julia|`+
	`-c|-s|-e|-E|-p|-r|-R|-B|-F|-f|-i|-m|-x|-o|-O|-T|-l|-n|-N|-C|-d|-t|-u|-M|-I|-W|-X|-L|-z|-0|-|--|+c|+s|+o|+x|-es|-xc|-oe|-os|-ne|-le|-pe|`+
	`pipefail|shinstdin|/opt/lsp/x.sh|x.js|/dev/stdin|/proc/self/fd/0|../x|code|v|--eval|--ev|--print|--import|--loader|data:,x|--require|`+
	`--rcfile|--init-file|-init-file|-rcfile|--norc|--posix|--emulate|--login|--shinstdin|--command|--comm|--init-command|--debug|--no-config|`+
	`-lsp|-lsp=false|-norc|-rc|-log|--lsp|--ide-ast|--config|--execute|--commands|-File|-Command|-nop|-ex|-wd|-enc|/c|/file|–c|-unlisted|--unlisted|`+
	`--file|--run|--define|--encoding|--disable|--load|--threads|--project=x|-W0|-W0e|-0777|-MPOSIX|-MPOSIX;x|-d:X;x|-I|-il|-Bc|-Wx|-Xdev|--no-addons|`+
	`--inspect|--title|-oautocd|-opipefail|-|--|=|--x=-|--x=v|PATH=x|A=b|-S|-i|--chdir=/opt|-q|-O2|-g|-V|-v|-w|-a|-D|-DX|-K|-b|-P|-fx|-r=x|-e=x| -c| - |sh|`+
	`--coreutils-prog=env|--coreutils-prog=sh|/ws/run.sh|--a=/ws/run.sh|/ws/data.json`, "|")

// separator is between the arguments of a fuzzed text.
const separator = "\x1f"

// FuzzCheck holds that whatever is admitted takes its program from a file, by
// the oracle, and that the result is the command that was checked.
func FuzzCheck(f *testing.F) {
	for _, r := range readRows(f, "testdata/commands.txt") {
		f.Add(strings.Join(r.argv, separator), []byte(nil), false)
	}
	for _, r := range readRows(f, "testdata/windows.txt") {
		f.Add(strings.Join(r.argv, separator), []byte(nil), true)
	}
	f.Add("bash", []byte{22, 24, 30}, false)
	f.Fuzz(func(t *testing.T, text string, picks []byte, windows bool) {
		argv := strings.Split(text, separator)
		for _, p := range picks {
			argv = append(argv, words[int(p)%len(words)])
		}
		if argv[0] == "" || strings.HasSuffix(argv[0], "/") {
			return
		}
		holdCheck(t, argv, drawn{windows})
	})
}

// holdCheck checks one command.
func holdCheck(t *testing.T, argv []string, m drawn) {
	t.Helper()
	got, result, refusal := verdict(argv, m)
	if refusal != nil {
		if refusal.Message == "" || strings.ContainsAny(refusal.Message, "\n\r\x1b") {
			t.Errorf("%q: %s: message %q", argv, got, refusal.Message)
		}
		return
	}
	if len(result.Argv) != len(argv) || result.Program >= len(argv) || !slices.Equal(result.Argv[result.Program+1:], argv[result.Program+1:]) {
		t.Fatalf("%q: another command: %q", argv, result.Argv)
	}
	for i, arg := range result.Argv[1:] {
		if path := m.Abs(arg); m.Inside(path) && m.Kind(path) == policy.Executable {
			t.Errorf("%q: argument %d is an executable file of the workspace", argv, i+1)
		}
	}
	if from, file, ok := originOf(result.Argv[result.Program:]); ok && (from == fromText || from == fromStdin) && !m.windows {
		t.Errorf("%q: %q takes its program from %s %q", argv, result.Argv[result.Program], from, file)
	}
}

// TestPickedCommands holds the same for many commands of a few words each, which
// a fuzzer that follows coverage does not come to soon.
func TestPickedCommands(t *testing.T) {
	const commands = 20_000
	r := rand.New(rand.NewPCG(1, 2))
	admitted := 0
	for range commands {
		argv := []string{words[6+r.IntN(16)]}
		for range 1 + r.IntN(5) {
			argv = append(argv, words[r.IntN(len(words))])
		}
		holdCheck(t, argv, drawn{})
		if got, _, _ := verdict(argv, drawn{}); got == "start" {
			admitted++
		}
	}
	t.Logf("%d commands, %d admitted", commands, admitted)
}
