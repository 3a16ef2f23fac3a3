package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// secrets are what must not be seen, by where they are planted. Each ends in a
// word of its own, so that one which is shown tells where it is from.
var secrets = map[string]string{
	"mcpls's environment":     "s3cr3t-ambient",
	"the entry's environment": "s3cr3t-entry",
	"--token=VALUE":           "s3cr3t-glued",
	"--password VALUE":        "s3cr3t-apart",
	"an option":               "s3cr3t-option",
	"a nested setting":        "s3cr3t-nested",
	"a list":                  "s3cr3t-listed",
	"a header":                "s3cr3t-bearer",
	"a number":                "7130517305",
}

// secretEntry plants all but the first in a server's entry.
const secretEntry = `args = ["--token=s3cr3t-glued", "--password", "s3cr3t-apart", "--verbose"]
initialization_options = { apiKey = "s3cr3t-option", pin = { password = 7130517305 } }
settings = { a.b.secret = "s3cr3t-nested", tokens = ["s3cr3t-listed"], http.headers.Authorization = "Bearer s3cr3t-bearer" }
`

const leak = "s3cr3t-ambient $ENV{ENTRY_TOKEN} s3cr3t-glued s3cr3t-apart s3cr3t-option s3cr3t-nested s3cr3t-listed s3cr3t-bearer 7130517305"

// leaky says everything that it knows, wherever a server may say something in
// prose. LEAK stands for it.
const leaky = `
on initialize
	stderr at the start LEAK
	reply {"serverInfo": {"name": "server LEAK", "version": "1 LEAK"}, "capabilities": {"hoverProvider": true, "referencesProvider": true, "completionProvider": {}, "signatureHelpProvider": {}, "codeActionProvider": true, "definitionProvider": true}}
on initialized
	notify window/logMessage {"type": 1, "message": "log LEAK"}
	notify window/showMessage {"type": 1, "message": "show LEAK"}
	request window/showMessageRequest {"type": 1, "message": "ask LEAK"}
	notify $/progress {"token": 1, "value": {"kind": "begin", "title": "title LEAK", "message": "LEAK"}}
	notify window/logMessage {"type": "LEAK", "message": 1}
	notify window/logMessage {"type": 1, "message": ["LEAK"]}
on textDocument/didOpen
	notify textDocument/publishDiagnostics {"uri": "$URI", "diagnostics": [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}, "severity": 1, "code": "code LEAK", "source": "source LEAK", "message": "message LEAK", "relatedInformation": [{"location": {"uri": "$URI", "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}}, "message": "related LEAK"}]}]}
on textDocument/references
	notify $/progress {"token": 1, "value": {"kind": "report", "message": "report LEAK"}}
	notify $/progress {"token": 1, "value": {"kind": "end"}}
	reply []
on textDocument/hover
	reply {"contents": "hover LEAK"}
on textDocument/hover
	fail -32803 error LEAK
on textDocument/hover
	reply ["LEAK"]
on textDocument/hover
	reply {"contents": {"LEAK": 1}, "range": "LEAK"}
on textDocument/hover
	stderr last words LEAK
	raw "header LEAK\r\n\r\n"
on textDocument/completion
	reply [{"label": "x", "detail": "detail LEAK", "documentation": "doc LEAK"}]
on textDocument/signatureHelp
	reply {"signatures": [{"label": "f(x)", "documentation": "doc LEAK", "parameters": [{"label": "x", "documentation": "doc LEAK"}]}]}
on textDocument/codeAction
	reply [{"title": "action LEAK", "disabled": {"reason": "disabled LEAK"}}]
on textDocument/definition
	stderr $PAD{3900} LEAK $PAD{4000} 71305
	frame "LEAK $PAD{4000} LEAK"
on textDocument/definition
	stderr last words LEAK
	frame "{\"jsonrpc\":\"2.0\",\"id\":99,\"error\":{\"code\":1,\"message\":\"nothing LEAK\"}}"
`

// TestSecrets plants secrets in every place that a server gets them from, has
// the server say them in every way, and searches all that leaves mcpls.
func TestSecrets(t *testing.T) {
	script := strings.ReplaceAll(leaky, "LEAK", leak)
	said := &syncBuffer{}
	f := startFakeEnv(t, fakePath, script, `ENTRY_TOKEN = "s3cr3t-entry"`, secretEntry, setup{
		args: []string{"-l", "debug"}, env: map[string]string{"GITHUB_TOKEN": "s3cr3t-ambient"},
		onSay: func(text string) { fmt.Fprintln(said, "progress: "+text) },
	})
	ask := func(tool string, a args) {
		fmt.Fprintf(said, "%s: %s\n", tool, outcome(f.try(tool, a)))
	}
	whole := args{"file_path": "a.txt", "start_line": 1, "end_line": 1}
	ask("get_references", atAlpha)
	ask("get_diagnostics", args{"file_path": "a.txt"})
	ask("get_cached_diagnostics", args{"file_path": "a.txt"})
	ask("get_tool_support", nil)
	for range 5 {
		ask("get_hover", atAlpha)
	}
	ask("get_completions", atAlpha)
	ask("get_signature_help", atAlpha)
	ask("get_code_actions", whole)
	ask("get_definition", atAlpha)
	ask("get_definition", atAlpha)
	ask("restart_server", args{"servers": []string{"text"}})
	ask("get_server_logs", nil)
	ask("get_server_messages", nil)
	ask("get_tool_support", args{"file_path": "a.txt"})
	f.close()
	checkSecrets(t, "tools", said.String(), 30)
	checkSecrets(t, "log", f.log.String(), 10)
}

// TestSecretsOnTheCommandLine does the same to the commands, with servers that
// serve and that do not start.
func TestSecretsOnTheCommandLine(t *testing.T) {
	for name, script := range map[string]string{
		"serves":         leaky,
		"does not start": "on initialize\n\tstderr LEAK\n\tfail -32803 refused LEAK\n",
		"dies":           "on initialize\n\tstderr last words LEAK\n\traw \"header LEAK\\r\\n\\r\\n\"\n\texit 3\n",
	} {
		dir, outside := t.TempDir(), t.TempDir()
		write(t, filepath.Join(dir, "a.txt"), "alpha\n")
		scriptFile, config := filepath.Join(outside, "script"), filepath.Join(outside, "mcpls.toml")
		write(t, scriptFile, strings.ReplaceAll(script, "LEAK", leak))
		write(t, config, fakeConfig(dir, fakePath, scriptFile, filepath.Join(outside, "record"), `ENTRY_TOKEN = "s3cr3t-entry"`, secretEntry))
		for _, command := range [][]string{
			{"doctor"},
			{"doctor", "--json"},
			{"config", "check"},
			{"call", "get_hover", "file_path=a.txt", "line=1", "text=alpha"},
			{"call", "get_hover", "file_path=a.txt", "line=1", "text=alpha", "--json"},
			{"call", "get_tool_support"},
		} {
			cmd := exec.Command(mcplsPath, append(command, "--config", config, "-l", "debug")...)
			cmd.Dir = dir
			cmd.Env = []string{"HOME=" + outside, "GITHUB_TOKEN=s3cr3t-ambient", noRaceSleep, "PATH=" + os.Getenv("PATH")}
			out, _ := cmd.CombinedOutput() // some of them fail, and say so
			least := 1
			if command[0] == "config" {
				least = 0 // it shows no argument
			}
			checkSecrets(t, name+": "+strings.Join(command, " "), string(out), least)
		}
	}
}

// checkSecrets holds that none is shown in a text, and that something was said:
// at least so many times a secret was hidden.
func checkSecrets(t *testing.T, where, text string, least int) {
	t.Helper()
	shown := false
	for planted, secret := range secrets {
		if strings.Contains(text, secret) {
			shown = true
			t.Errorf("%s: that of %s is shown", where, planted)
		}
	}
	if hidden := strings.Count(text, "[redacted]"); hidden < least || shown {
		t.Errorf("%s: %d secrets hidden, want at least %d, in\n%s", where, hidden, least, text)
	}
}
