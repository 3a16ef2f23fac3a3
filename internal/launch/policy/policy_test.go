package policy_test

import (
	"slices"
	"strings"
	"testing"

	"mcpls/internal/launch/policy"
	"mcpls/internal/launch/reason"
)

// The result is the command with each wrapped program in its absolute form.
func TestResult(t *testing.T) {
	tests := []struct {
		argv      string
		want      string
		unwrapped []string
		program   int
	}{
		{"gopls serve", "/usr/bin/gopls serve", nil, 0},
		{"env gopls serve", "/usr/bin/env /usr/bin/gopls serve", []string{"env"}, 1},
		{"env A=1 nice -n 5 gopls", "/usr/bin/env A=1 /usr/bin/nice -n 5 /usr/bin/gopls", []string{"env", "nice"}, 5},
		{"busybox env ./bin/tool x", "/usr/bin/busybox env /home/u/bin/tool x", []string{"busybox env"}, 2},
		{"nice busybox timeout 5 gopls", "/usr/bin/nice /usr/bin/busybox timeout 5 /usr/bin/gopls", []string{"nice", "busybox timeout"}, 4},
		{"coreutils --coreutils-prog=nice gopls", "/usr/bin/coreutils --coreutils-prog=nice /usr/bin/gopls", []string{"coreutils nice"}, 2},
		{"busybox sh x.sh", "/usr/bin/busybox sh x.sh", nil, 0},
		{"env busybox sh x.sh", "/usr/bin/env /usr/bin/busybox sh x.sh", []string{"env"}, 1},
		{"/home/u/bin/nice gopls", "/home/u/bin/nice /usr/bin/gopls", []string{"nice"}, 1},
		{"/home/u/bin/mylsp gopls", "/home/u/bin/mylsp /usr/bin/gopls", []string{"env"}, 1},
		{"gtimeout 5 node x.js --stdio", "/usr/bin/gtimeout 5 /usr/bin/node x.js --stdio", []string{"gtimeout"}, 2},
	}
	for _, tt := range tests {
		argv := strings.Fields(tt.argv)
		_, result, refusal := verdict(argv, drawn{})
		if refusal != nil {
			t.Errorf("%s: %v", tt.argv, refusal)
			continue
		}
		if got := strings.Join(result.Argv, " "); got != tt.want || !slices.Equal(result.Unwrapped, tt.unwrapped) || result.Program != tt.program {
			t.Errorf("%s: got %s, unwrapped %q, program %d", tt.argv, got, result.Unwrapped, result.Program)
		}
	}
}

// Check changes only its own copy.
func TestCheckKeepsItsArguments(t *testing.T) {
	argv := []string{"/usr/bin/env", "gopls"}
	if _, refusal := policy.Check("env", argv, drawn{}); refusal != nil || argv[1] != "gopls" {
		t.Errorf("%q, %v", argv, refusal)
	}
}

func TestCheckOfNothing(t *testing.T) {
	if _, refusal := policy.Check("", nil, drawn{}); refusal == nil {
		t.Error("a command of no words is admitted")
	}
}

// The name that was written, that of the path and that of the file it leads to
// all count.
func TestEachNameCounts(t *testing.T) {
	tests := []struct {
		declared, path string
		want           reason.Code
	}{
		{"npx", "/opt/lsp/x.js", reason.PackageRunner},
		{"server", "/opt/lsp/npx.cmd", reason.PackageRunner},
		{"server", "/home/u/bin/myrun", reason.PackageRunner},
		{"server", "/home/u/bin/xargs", reason.RunsArguments},
		{"env", "/usr/bin/nice", reason.Wrapper},
		{"nice", "/home/u/bin/applet", reason.WrapperUnknownOption},
		{"python", "/usr/bin/cargo", reason.InlineProgram},
		{"bash", "/usr/bin/gopls", reason.ShellCommandString},
	}
	for _, tt := range tests {
		_, refusal := policy.Check(tt.declared, []string{tt.path, "-c", "x"}, drawn{})
		if refusal == nil || refusal.Code != tt.want {
			t.Errorf("%s at %s: got %v, want %s", tt.declared, tt.path, refusal, tt.want)
		}
	}
}

// equals is a machine whose programs lie in a directory with = in its name.
type equals struct{ drawn }

func (equals) Resolve(string) (string, bool) { return "/opt/lsp/a=b/gopls", true }

func TestEnvReadsAPathAsAnAssignment(t *testing.T) {
	_, refusal := policy.Check("env", []string{"/usr/bin/env", "gopls"}, equals{})
	if refusal == nil || refusal.Code != reason.WrapperSearchPath {
		t.Errorf("env: %v", refusal)
	}
	if _, refusal = policy.Check("nice", []string{"/usr/bin/nice", "gopls"}, equals{}); refusal != nil {
		t.Errorf("nice: %v", refusal)
	}
}

// A refusal names the option and never its value, on one line of plain text.
func TestRefusalsHoldNoValue(t *testing.T) {
	const secret = "hunter2"
	for _, command := range []string{
		"env --unlisted=hunter2 gopls", "env -Shunter2", "env --split-string=hunter2", "env -P hunter2 gopls", "env PATH=hunter2 gopls",
		"env --ignore-environment=hunter2 gopls", "arch -e PATH=hunter2 gopls", "timeout --unlisted=hunter2 5 gopls",
		"bash -c hunter2", "bash --command=hunter2", "zsh -o shinstdin hunter2", "fish -Chunter2", "fish --unlisted=hunter2", "elvish -c=hunter2",
		"nu --execute=hunter2", "xonsh --rc=hunter2", "pwsh -unlisted:hunter2", "powershell -unlisted:hunter2 x", "powershell -File:hunter2",
		"powershell hunter2", "node --eval=hunter2", "node -ehunter2", "node --unlisted=hunter2", "node --import=data:hunter2 x", "perl -MX;hunter2 x",
		"php -rhunter2", "php --run=hunter2", "julia --eval=hunter2", "python -chunter2", "python --unlisted=hunter2", "python /dev/hunter2",
		"node ../hunter2", "ruby -C /x hunter2", "deno npm:hunter2", "coreutils --coreutils-prog-shebang=hunter2", "busybox --x=hunter2",
		"bun --filter=hunter2 x", "make hunter2", "sudo hunter2",
	} {
		_, _, refusal := verdict(strings.Fields(command), drawn{})
		if refusal == nil {
			t.Errorf("%s: admitted", command)
			continue
		}
		m := refusal.Message
		if strings.Contains(m+refusal.Hint, secret) || strings.HasSuffix(m, ".") || m != strings.TrimSpace(m) || refusal.Hint == "" {
			t.Errorf("%s: %q, hint %q", command, m, refusal.Hint)
		}
	}
}

func TestProxy(t *testing.T) {
	for path, want := range map[string]string{
		"/home/u/.cargo/bin/rust-analyzer":   "rustup",
		"/home/u/.cargo/bin/rustup":          "rustup",
		"/home/u/.cargo/bin/taplo":           "",
		"/home/u/.cargo/bin/rustfmt":         "", // a link to another program
		"/usr/bin/rust-analyzer":             "",
		"/home/u/.asdf/shims/gopls":          "asdf",
		"/home/u/bin/shimmed":                "asdf",
		"/home/u/bin/gopls":                  "mise",
		"/opt/pyenv/shims/python":            "pyenv",
		"/home/u/.volta/bin/vtsls":           "volta",
		"/home/u/x/aquaproj-aqua/bin/gopls":  "aqua",
		"/home/u/.elan/bin/lake":             "elan",
		"/usr/bin/swiftly":                   "swiftly",
		"/usr/bin/proto":                     "proto",
		"/usr/bin/proto-shim":                "proto",
		"/home/u/shims/deep/gopls":           "",
		"/home/u/myshims/gopls":              "",
		"/home/u/x.volta/bin/vtsls":          "",
		"/shims/gopls":                       "shims",
		"/home/u/.local/share/mise/shims/go": "mise",
		"":                                   "",
		"/":                                  "",
	} {
		got, ok := policy.Proxy(path, drawn{})
		if got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %t, want %q", path, got, ok, want)
		}
	}
}

// A name that is no name any more is cut.
func TestRefusalsAreShort(t *testing.T) {
	_, _, refusal := verdict([]string{"node", "--" + strings.Repeat("é", 500)}, drawn{})
	if refusal == nil || len(refusal.Message) > 600 {
		t.Errorf("%v", refusal)
	}
}

// A toolchain is one also where another name of it is an interpreter's.
func TestToolchainUnderTwoNames(t *testing.T) {
	_, refusal := policy.Check("cargo", []string{"/usr/bin/ruby", "+nightly", "run"}, drawn{})
	if refusal == nil || refusal.Code != reason.RunSubcommand {
		t.Errorf("%v", refusal)
	}
}

// A link to a binary of many programs is the program of its own name, whatever a
// configuration calls it.
func TestLinkIsItsOwnApplet(t *testing.T) {
	_, refusal := policy.Check("bash", []string{"/home/u/bin/applet", "sh", "-c", "x"}, drawn{})
	if refusal == nil || refusal.Code != reason.ShellCommandString {
		t.Errorf("%v", refusal)
	}
}
