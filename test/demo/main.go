// Demo runs one MCP session with mcpls on this repository and prints each
// question with the answer as an agent would see it. `make demo` builds what it
// needs and runs it.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	mcpls := flag.String("mcpls", "bin/mcpls", "the program")
	gopls := flag.String("gopls", ".servers/bin/gopls", "the language server")
	flag.Parse()
	if err := run(*mcpls, *gopls); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// question is one call. The line is found by the source text on it, as an
// agent knows it from the file that it has just read.
type question struct {
	why  string
	tool string
	file string
	line string // part of the line; "" when the tool takes no place
	args map[string]any
}

var questions = []question{
	{
		why: "What is the gate's Check?", tool: "get_hover",
		file: "internal/trust/gate.go", line: "func (g *Gate) Check(", args: map[string]any{"text": "Check"},
	},
	{
		why: "process.go takes a grant: where is it defined?", tool: "get_definition",
		file: "internal/process/process.go", line: "func Start(grant trust.Grant,", args: map[string]any{"text": "Grant"},
	},
	{
		why: "Who makes or takes a grant?", tool: "get_references",
		file: "internal/trust/gate.go", line: "type Grant struct", args: map[string]any{"text": "Grant"},
	},
	{
		why: "Is anything wrong in the file that I just edited?", tool: "get_diagnostics",
		file: "internal/process/process.go",
	},
	{
		why: "What would it take to rename ErrNoGrant?", tool: "rename_symbol",
		file: "internal/process/process.go", line: "var ErrNoGrant", args: map[string]any{"text": "ErrNoGrant", "new_name": "ErrNotGranted"},
	},
}

func run(mcpls, gopls string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	mcpls, err := filepath.Abs(mcpls)
	if err != nil {
		return err
	}
	config, err := writeConfig(gopls)
	if err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(config))
	cmd := exec.Command(mcpls, "--config", config, "--log-level", "warn")
	cmd.Stderr = os.Stderr
	session, err := mcp.NewClient(&mcp.Implementation{Name: "demo", Version: "1"}, nil).
		Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	for _, q := range questions {
		if err := ask(ctx, session, q); err != nil {
			return err
		}
	}
	return printSetup(mcpls)
}

// writeConfig declares the gopls of this checkout by its path. It lies inside
// the workspace, where a bare name would not be trusted.
func writeConfig(gopls string) (string, error) {
	gopls, err := filepath.Abs(gopls)
	if err != nil {
		return "", err
	}
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "mcpls-demo")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "mcpls.toml")
	text := fmt.Sprintf("[workspace]\nroots = [%q]\n[[lsp_servers]]\nlanguage_id = \"go\"\ncommand = %q\n", root, gopls)
	return path, os.WriteFile(path, []byte(text), 0o600)
}

func ask(ctx context.Context, session *mcp.ClientSession, q question) error {
	args := map[string]any{"file_path": q.file}
	for name, value := range q.args {
		args[name] = value
	}
	if q.line != "" {
		line, err := lineOf(q.file, q.line)
		if err != nil {
			return err
		}
		args["line"] = line
	}
	shown, err := json.Marshal(args)
	if err != nil {
		return err
	}
	fmt.Printf("\n# %s\n> %s %s\n", q.why, q.tool, shown)
	found, err := session.CallTool(ctx, &mcp.CallToolParams{Name: q.tool, Arguments: args})
	if err != nil {
		return err
	}
	for _, content := range found.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			fmt.Println(text.Text)
		}
	}
	return nil
}

func lineOf(file, part string) (int, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	for n, line := range strings.Split(string(data), "\n") {
		if strings.Contains(line, part) {
			return n + 1, nil
		}
	}
	return 0, fmt.Errorf("%s has no line with %q", file, part)
}

// printSetup prints what to give an MCP client so that it starts this mcpls.
func printSetup(mcpls string) error {
	entry, err := json.MarshalIndent(map[string]any{
		"mcpServers": map[string]any{"mcpls": map[string]any{"command": mcpls}},
	}, "", "  ")
	if err != nil {
		return err
	}
	fmt.Printf(`
# To use it on your own code
Install gopls (go install golang.org/x/tools/gopls@v0.23.0), and give your MCP
client this, in its configuration of the user and not of a repository:

%s

or, for Claude Code:

claude mcp add --scope user mcpls -- %s
`, entry, mcpls)
	return nil
}
