package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"mcpls/internal/config"
	"mcpls/internal/lsptest"
)

// TestMain is the fake server too, and holds that no goroutine is left when the
// tests are over.
func TestMain(m *testing.M) {
	lsptest.Main()
	goleak.VerifyTestMain(m)
}

// TestServeLeavesNothing lets a server answer, crash, be restarted and be asked
// in vain, and ends in the middle of it: the goroutines are TestMain's to find.
func TestServeLeavesNothing(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, outside := t.TempDir(), t.TempDir()
	file := func(name, text string) string {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	file(filepath.Join(dir, "a.txt"), "alpha\n")
	script := file(filepath.Join(outside, "script"), `
on initialize
	reply {"capabilities": {"hoverProvider": true, "referencesProvider": true}}
on textDocument/hover
	reply {"contents": "answered"}
on textDocument/hover
	exit 1
on textDocument/references
	until exit
`)
	path := file(filepath.Join(outside, "mcpls.toml"), fmt.Sprintf(`builtin_servers = false
[workspace]
roots = [%q]
[[workspace.language_extensions]]
extensions = ["txt"]
language_id = "text"
[[lsp_servers]]
language_id = "text"
command = %q
env = { %s = %q }
`, dir, self, lsptest.ScriptEnv, script))
	cfg, err := config.Load(config.Sources{Flag: path, WorkDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(Options{Config: cfg, Lazy: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ours, theirs := mcp.NewInMemoryTransports()
	served := make(chan error, 1)
	go func() { served <- a.Serve(ctx, theirs) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	call := func(ctx context.Context, tool string, args map[string]any) string {
		_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		return fmt.Sprint(err)
	}
	at := map[string]any{"file_path": "a.txt", "line": 1, "text": "alpha"}
	for i, want := range []string{"<nil>", "ended while it was asked", "<nil>"} {
		if got := call(ctx, "get_hover", at); !strings.Contains(got, want) {
			t.Errorf("hover %d: %s, want %s", i, got, want)
		}
	}
	if got := call(ctx, "restart_server", map[string]any{"all": true}); got != "<nil>" {
		t.Errorf("restart: %s", got)
	}
	vain, giveUp := context.WithCancel(ctx)
	giveUp()
	if got := call(vain, "get_references", at); !strings.Contains(got, "cancel") {
		t.Errorf("in vain: %s", got)
	}
	asked := make(chan string, 1)
	go func() { asked <- call(ctx, "get_references", at) }()
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
	<-asked
	session.Close()
}

// FuzzLines holds that whatever a client writes, what is passed on are lines
// that the MCP library takes for messages, and that each other line is answered.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "x", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n\n7\n[]\n\xff\n",
		`{"jsonrpc":"2.0","id":{},"result":1}` + "\n" + `{"jsonrpc":"2.0","id":[1],"method":1}`, strings.Repeat("[", 20_000), `{"id":"a","jsonrpc":2}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var answers bytes.Buffer
		r := &lineReader{lines: bufio.NewReaderSize(bytes.NewReader(input), 16), answer: &answers}
		passed, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(passed) {
			if _, err := jsonrpc.DecodeMessage(line); err != nil || !utf8.Valid(line) {
				t.Errorf("passed on %q: %v", line, err)
			}
		}
		for line := range bytes.Lines(answers.Bytes()) {
			var answer struct {
				ID    any
				Error struct{ Code int }
			}
			if err := json.Unmarshal(line, &answer); err != nil || answer.Error.Code > -32600 {
				t.Errorf("answered %q: %v", line, err)
			}
		}
		want := 0
		for line := range bytes.Lines(input) {
			if len(bytes.Trim(line, whiteSpace)) > 0 {
				want++
			}
		}
		if got := bytes.Count(passed, []byte("\n")) + bytes.Count(answers.Bytes(), []byte("\n")); got != want {
			t.Errorf("%d of %d lines were passed on or answered", got, want)
		}
	})
}

// TestLongLine holds that a line past the bound costs no more than the bound,
// and that the next one is read.
func TestLongLine(t *testing.T) {
	const next = `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"
	var answers bytes.Buffer
	input := io.MultiReader(strings.NewReader(strings.Repeat("x", maxLineBytes+1)+"\n"), strings.NewReader(next))
	passed, err := io.ReadAll(&lineReader{lines: bufio.NewReader(input), answer: &answers})
	if err != nil || string(passed) != next {
		t.Errorf("passed on %q, %v", passed, err)
	}
	if want := `"code":-32700,"message":"the message is longer than 16777216 bytes"`; !strings.Contains(answers.String(), want) {
		t.Errorf("answered %s", answers.String())
	}
}
