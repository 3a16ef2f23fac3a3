package cli

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"mcpls/internal/quote"
)

var update = flag.Bool("update", false, "write docs/commands.md anew")

const commandsDoc = "../../docs/commands.md"

// TestCommandsDoc holds docs/commands.md against the help of every command.
func TestCommandsDoc(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Commands\n\nMade from the help of each command by `make generate`; a test holds it to the code.\n")
	var out bytes.Buffer
	c := &command{out: quote.NewPrinter(&out), err: quote.NewPrinter(&out)}
	root := c.root()
	root.InitDefaultCompletionCmd("mcpls")
	document(t, &b, root)
	if *update {
		if err := os.WriteFile(commandsDoc, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(commandsDoc)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != b.String() {
		t.Errorf("%s is out of date: make generate", commandsDoc)
	}
}

func document(t *testing.T, b *strings.Builder, cmd *cobra.Command) {
	var out bytes.Buffer
	cmd.SetOut(&out)
	if err := cmd.Help(); err != nil {
		t.Fatal(err)
	}
	b.WriteString("\n## " + cmd.CommandPath() + "\n\n```\n" + strings.TrimSpace(out.String()) + "\n```\n")
	for _, sub := range cmd.Commands() {
		if sub.Name() != "completion" && sub.Name() != "help" {
			document(t, b, sub)
		}
	}
}
