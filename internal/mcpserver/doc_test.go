package mcpserver

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/tools.md anew")

const toolsDoc = "../../docs/tools.md"

// TestToolsDoc holds docs/tools.md against the table of tools.
func TestToolsDoc(t *testing.T) {
	want := toolsDocument()
	if *update {
		if err := os.WriteFile(toolsDoc, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(toolsDoc)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is out of date: make generate", toolsDoc)
	}
}

func toolsDocument() string {
	var b strings.Builder
	b.WriteString(`# Tools

Made from the table of tools by ` + "`make generate`" + `; a test holds it to the code.

Lines and columns count from 1, columns in UTF-16 units. No tool writes a file.
The core tools are those that ` + "`mcp.tools = \"core\"`" + ` leaves.
`)
	for _, tool := range tools {
		fmt.Fprintf(&b, "\n## %s\n\n%s", tool.name, tool.about)
		if tool.core {
			b.WriteString(" (core)")
		}
		b.WriteString("\n\n| argument | type | default | meaning |\n|---|---|---|---|\n")
		for _, a := range tool.args {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", a.name, a.kind, a.defaultText(), a.about)
		}
	}
	return b.String()
}

func (a arg) defaultText() string {
	switch {
	case a.required:
		return "required"
	case a.fallback == nil:
		return ""
	}
	return fmt.Sprint(a.fallback)
}
