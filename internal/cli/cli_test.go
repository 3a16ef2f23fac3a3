package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"mcpls/internal/config"
)

func TestExitCodes(t *testing.T) {
	isolate(t)
	write(t, "bad.toml", "[mcp]\ntitel = 'x'\n")
	write(t, "tools.toml", "mcp.tools = ['nothing']\n")
	for _, test := range []struct {
		name string
		env  []string
		args []string
		code int
		err  string // the start of stderr; "": it is empty
	}{
		{"serve, and the client goes away", nil, nil, 0, ""},
		{"help", nil, []string{"--help"}, 0, ""},
		{"version", nil, []string{"version"}, 0, ""},
		{"config", nil, []string{"config"}, 0, ""},
		{"unknown flag", nil, []string{"--nothing"}, 2, "error: unknown flag: --nothing\nhint: see mcpls --help\n"},
		{"unknown flag of a command", nil, []string{"version", "--json"}, 2, "error: unknown flag: --json\nhint: "},
		{"flag without its value", nil, []string{"--config"}, 2, "error: flag needs an argument: --config\nhint: "},
		{"flag with a wrong value", nil, []string{"--log-json=x"}, 2, "error: invalid argument \"x\" for \"--log-json\" flag"},
		{"unknown command", nil, []string{"nothing"}, 2, "error: unknown command \"nothing\" for \"mcpls\"\nhint: see mcpls --help\n"},
		{"unknown command of config", nil, []string{"config", "nothing"}, 2, "error: unknown command \"nothing\" for \"mcpls config\"\nhint: "},
		{"unknown shell", nil, []string{"completion", "nothing"}, 2, "error: unknown command \"nothing\" for \"mcpls completion\"\nhint: "},
		{"too many arguments", nil, []string{"version", "x"}, 2, "error: unknown command \"x\" for \"mcpls version\"\nhint: "},
		{"too many files", nil, []string{"config", "check", "a", "b"}, 2, "error: accepts at most 1 arg(s), received 2\nhint: "},
		{"too many words after a shell", nil, []string{"completion", "bash", "x"}, 2, "error: unknown command \"x\""},
		{"log level", nil, []string{"-l", "loud", "version"}, 2, "error: log level \"loud\" is none of trace, debug, info, warn, error\nhint: "},
		{"log level of the environment", []string{"MCPLS_LOG=loud"}, []string{"version"}, 2, "error: log level \"loud\" is none of"},
		{"empty log level", []string{"MCPLS_LOG="}, []string{"version"}, 2, "error: log level \"\" is none of"},
		{"a flag is before its variable", []string{"MCPLS_LOG=loud"}, []string{"-l", "WARN", "version"}, 0, ""},
		{"trust", []string{"MCPLS_TRUST_PROJECT_CONFIG=maybe"}, []string{"version"}, 2, "error: MCPLS_TRUST_PROJECT_CONFIG: \"maybe\" is neither of 1/0, true/false, yes/no, y/n, on/off\nhint: "},
		{"empty trust", []string{"MCPLS_TRUST_PROJECT_CONFIG="}, []string{"version"}, 2, "error: MCPLS_TRUST_PROJECT_CONFIG: \"\" is neither of"},
		{"JSON log", []string{"MCPLS_LOG_JSON=2"}, []string{"version"}, 2, "error: MCPLS_LOG_JSON: \"2\" is neither of"},
		{"workspace trust", nil, []string{"--workspace-trust", "maybe", "version"}, 2, "error: --workspace-trust \"maybe\" is neither trusted nor untrusted\nhint: "},
		{"an empty one", nil, []string{"--workspace-trust=", "version"}, 2, "error: --workspace-trust \"\" is neither"},
		{"in other case", nil, []string{"--workspace-trust=Untrusted", "version"}, 2, "error: --workspace-trust \"Untrusted\" is neither"},
		{"an allowed server of a trusted workspace", nil, []string{"--allow-server", "go"}, 2, "error: --allow-server is for --workspace-trust untrusted"},
		{"untrusted and a trusted project", nil, []string{"--workspace-trust", "untrusted", "--trust-project-config"}, 2, "error: --workspace-trust untrusted and --trust-project-config exclude each other"},
		{"of the environment", []string{"MCPLS_TRUST_PROJECT_CONFIG=1"}, []string{"--workspace-trust", "untrusted"}, 2, "error: --workspace-trust untrusted and MCPLS_TRUST_PROJECT_CONFIG exclude each other"},
		{"not of the environment", []string{"MCPLS_TRUST_PROJECT_CONFIG=0"}, []string{"--workspace-trust", "untrusted", "version"}, 0, ""},
		{"no variable turns it off", []string{"MCPLS_WORKSPACE_TRUST=trusted", "MCPLS_ALLOW_SERVER=go"}, []string{"--workspace-trust", "untrusted", "--allow-server", "nothing"}, 1, "error: --allow-server nothing: no server has this id: there are "},
		{"ids by exact case", nil, []string{"plan", "--workspace-trust", "untrusted", "--allow-server", "GO"}, 1, "error: --allow-server GO: no server"},
		{"secrets are not for a pipe", nil, []string{"plan", "--show-secrets"}, 2, "error: --show-secrets is for a terminal"},
		{"unusable configuration, serving", nil, []string{"-c", "bad.toml"}, 1, "error: "},
		{"unusable configuration, calling", nil, []string{"call", "-c", "bad.toml"}, 1, "error: "},
		{"tool list with a wrong name", nil, []string{"-c", "tools.toml"}, 1, "error: mcp.tools names \"nothing\", which is no tool"},
		{"unknown tool", nil, []string{"call", "nothing"}, 2, "error: there is no tool \"nothing\": mcpls call lists them\nhint: "},
		{"no key=value", nil, []string{"call", "get_hover", "main.go"}, 2, "error: \"main.go\" is no key=value\nhint: "},
		{"unknown argument of a tool", nil, []string{"call", "get_hover", "file_path=a", "line=1", "x=1"}, 1, "error: get_hover has no argument \"x\": it takes file_path, "},
		{"wrong type", nil, []string{"call", "get_hover", "file_path=a", "line=one"}, 1, "error: line must be an integer, not \"one\"\n"},
		{"missing file", nil, []string{"call", "get_hover", "file_path=no.go", "line=1", "text=x"}, 1, "error: file_path \"no.go\": no such file; "},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, out, errOut := run(t, test.env, test.args...)
			if code != test.code || !strings.HasPrefix(errOut, test.err) || test.err == "" && errOut != "" {
				t.Errorf("code %d, stderr\n%s\nwant %d,\n%s", code, errOut, test.code, test.err)
			}
			if code != 0 && out != "" {
				t.Errorf("stdout of a failure: %q", out)
			}
			if strings.Contains(errOut, "calling") {
				t.Errorf("stderr shows how the client puts it: %s", errOut)
			}
		})
	}
}

func TestFailedOutputIsAnError(t *testing.T) {
	isolate(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	w.Close()
	var e output
	if code := Main(t.Context(), []string{"version"}, nil, Stdio{Out: w, Err: &e}); code != 1 || !strings.HasPrefix(e.String(), "error: ") {
		t.Errorf("code %d, stderr %q", code, e.String())
	}
}

func TestHelpListsTheExitCodes(t *testing.T) {
	isolate(t)
	for _, args := range [][]string{{"--help"}, {"-h"}, {"help"}, {"call", "--help"}} {
		_, out, _ := run(t, nil, args...)
		for _, want := range []string{"Exit codes:", "\n  0  ", "\n  1  ", "\n  2  "} {
			if !strings.Contains(out, want) {
				t.Errorf("%q: no %q in\n%s", args, want, out)
			}
		}
	}
}

func TestVersion(t *testing.T) {
	isolate(t)
	if code, out, _ := run(t, nil, "version"); code != 0 || !strings.HasPrefix(out, "mcpls "+Version+" ") || strings.Count(out, "\n") != 1 {
		t.Errorf("code %d, %q", code, out)
	}
}

// spellings are all that a boolean variable may be; each in any case.
var spellings = map[string]bool{
	"1": true, "true": true, "yes": true, "y": true, "on": true, "TRUE": true, "Yes": true, "oN": true,
	"0": false, "false": false, "no": false, "n": false, "off": false, "FALSE": false, "No": false, "oFf": false,
}

func TestParseBool(t *testing.T) {
	for text, want := range spellings {
		if got, err := parseBool(text); got != want || err != nil {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", " ", "2", "t", "f", "true ", "enable", "-1", "tru"} {
		if got, err := parseBool(text); err == nil || got {
			t.Errorf("%q: %v, no error", text, got)
		}
	}
}

// Whether the project's server may start is the sign of trust.
func TestTrustProjectConfig(t *testing.T) {
	isolate(t)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	write(t, config.FileName, fmt.Sprintf("[[lsp_servers]]\nlanguage_id = 'x'\ncommand = '%s'\n", program))
	trusted := func(env []string, args ...string) bool {
		t.Helper()
		code, out, errOut := run(t, env, append([]string{"call", "get_tool_support"}, args...)...)
		if code != 0 || !strings.Contains(out, "x@project") {
			t.Fatalf("code %d\n%s%s", code, out, errOut)
		}
		return !strings.Contains(out, "does not start what a repository names until a person has seen it")
	}
	if trusted(nil) {
		t.Error("trusted without being told to")
	}
	if !trusted(nil, "--trust-project-config") {
		t.Error("the flag does not trust")
	}
	for text, want := range spellings {
		env := []string{"MCPLS_TRUST_PROJECT_CONFIG=" + text}
		if trusted(env) != want {
			t.Errorf("%q: trusted is not %v", text, want)
		}
		if trusted(env, "--trust-project-config=false") || !trusted(env, "--trust-project-config") {
			t.Errorf("%q counts before the flag", text)
		}
	}
}

func TestLogLevels(t *testing.T) {
	isolate(t)
	write(t, config.FileName, "") // its warning is in the log
	for _, test := range []struct {
		env  []string
		args []string
		want bool
		json bool
	}{
		{nil, nil, true, false},
		{nil, []string{"-l", "error"}, false, false},
		{nil, []string{"-l", "TRACE"}, true, false},
		{[]string{"MCPLS_LOG=error"}, nil, false, false},
		{[]string{"MCPLS_LOG=error"}, []string{"-l", "warn"}, true, false},
		{[]string{"MCPLS_LOG_JSON=1"}, nil, true, true},
		{[]string{"MCPLS_LOG_JSON=1"}, []string{"--log-json=false"}, true, false},
		{nil, []string{"--log-json"}, true, true},
	} {
		_, _, errOut := run(t, test.env, append([]string{"call"}, test.args...)...)
		if strings.Contains(errOut, "is a project file") != test.want || strings.HasPrefix(errOut, "{") != test.json {
			t.Errorf("%q %q: %q", test.env, test.args, errOut)
		}
	}
}

func TestConfigDefault(t *testing.T) {
	isolate(t)
	if code, out, _ := run(t, nil, "config", "default"); code != 0 || out != config.Default() {
		t.Errorf("code %d\n%s", code, out)
	}
}

func TestConfigPath(t *testing.T) {
	dir := isolate(t)
	userDir, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	user := filepath.Join(userDir, "mcpls", config.FileName)
	check := func(want string, env []string, args ...string) {
		t.Helper()
		if code, out, errOut := run(t, env, append([]string{"config", "path"}, args...)...); code != 0 || out != want+"\n" {
			t.Errorf("code %d, %q, want %q; %s", code, out, want, errOut)
		}
	}
	check(user+" (not there: defaults)", nil)
	if err := os.MkdirAll(filepath.Dir(user), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, user, "")
	check(user, nil)
	check(filepath.Join(dir, "a.toml"), nil, "-c", "a.toml")
	check(filepath.Join(dir, "b.toml"), []string{"MCPLS_CONFIG=b.toml"})
	check(filepath.Join(dir, "a.toml"), []string{"MCPLS_CONFIG=b.toml"}, "--config=a.toml")
	// Without a home there is no directory of the user's.
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, "")
	}
	check("no configuration file: there is no configuration directory for this user", nil)
}

func TestCallListsTheTools(t *testing.T) {
	isolate(t)
	write(t, "conf.toml", "mcp.tool_prefix = 'my_'\nmcp.tools = ['get_hover']\n")
	for _, test := range []struct {
		args []string
		want []string
		n    int
	}{
		{[]string{"call"}, []string{"get_hover ", "get_references ", "rename_symbol "}, 0},
		{[]string{"-c", "conf.toml", "call"}, []string{"my_get_hover "}, 1},
	} {
		code, out, errOut := run(t, nil, test.args...)
		for _, want := range test.want {
			if code != 0 || errOut != "" || !strings.Contains("\n"+out, "\n"+want) {
				t.Errorf("%q: code %d, no %q in\n%s%s", test.args, code, want, out, errOut)
			}
		}
		if test.n != 0 && strings.Count(out, "\n") != test.n {
			t.Errorf("%q: not %d tools:\n%s", test.args, test.n, out)
		}
	}
}

func TestTyped(t *testing.T) {
	for _, test := range []struct {
		kind, text string
		want       any
	}{
		{"integer", "12", 12},
		{"integer", "-1", -1},
		{"integer", "x", "x"},
		{"integer", "", ""},
		{"integer", "1.5", "1.5"},
		{"boolean", "true", true},
		{"boolean", "0", false},
		{"boolean", "maybe", "maybe"},
		{"string", "12", "12"},
		{"", "true", "true"},
		{"array", "a,b", []string{"a", "b"}},
		{"object", `{"a": 1}`, `{"a": 1}`},
	} {
		if got := typed(test.kind, test.text); !reflect.DeepEqual(got, test.want) {
			t.Errorf("typed(%s, %q) = %v (%T)", test.kind, test.text, got, got)
		}
	}
}

func TestServeAnswersAClient(t *testing.T) {
	isolate(t)
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	var e output
	code := make(chan int)
	go func() {
		code <- Main(t.Context(), nil, nil, Stdio{In: in, Out: out, Err: &e})
	}()
	io.WriteString(toServer, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n")
	answer, err := bufio.NewReader(fromServer).ReadString('\n')
	if err != nil || !strings.Contains(answer, `"serverInfo":{"name":"mcpls"`) {
		t.Errorf("answer %q, %v", answer, err)
	}
	toServer.Close()
	if got := <-code; got != 0 || e.String() != "" {
		t.Errorf("code %d, stderr %q", got, e.String())
	}
}

// The Printer must not change what a shell reads.
func TestCompletion(t *testing.T) {
	isolate(t)
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		code, out, errOut := run(t, nil, "completion", shell)
		if code != 0 || errOut != "" || !strings.Contains(out, "mcpls") {
			t.Errorf("%s: code %d, %d bytes, %s", shell, code, len(out), errOut)
		}
		var raw bytes.Buffer
		root := (&command{}).root()
		err := errors.ErrUnsupported
		switch shell {
		case "bash":
			err = root.GenBashCompletionV2(&raw, true)
		case "zsh":
			err = root.GenZshCompletion(&raw)
		case "fish":
			err = root.GenFishCompletion(&raw, true)
		case "powershell":
			err = root.GenPowerShellCompletionWithDesc(&raw)
		}
		if err != nil || out != raw.String() {
			t.Errorf("%s: the script is not what cobra makes, %v", shell, err)
		}
	}
}
