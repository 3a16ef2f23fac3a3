package mcpserver

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write docs/tools.md anew")

// The document, and what test/e2e makes for it from real servers.
const (
	toolsDoc     = "../../docs/tools.md"
	examplesFile = "../../test/e2e/testdata/examples.txtar"
	matrixFile   = "../../test/e2e/testdata/matrix.txt"
)

// TestToolsDoc holds docs/tools.md against the table of tools, and against the
// answers that the tests of test/e2e hold to real servers.
func TestToolsDoc(t *testing.T) {
	want := toolsDocument(t)
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

func toolsDocument(t *testing.T) string {
	t.Helper()
	archive, err := txtar.ParseFile(examplesFile)
	if err != nil {
		t.Fatal(err)
	}
	examples := map[string]string{}
	for _, f := range archive.Files {
		examples[f.Name] = string(f.Data)
	}
	var b strings.Builder
	b.WriteString(`# Tools

Made by ` + "`make generate`" + ` from the table of tools and from answers of real
servers; tests hold it to both.

Lines and columns count from 1, columns in UTF-16 units. No tool writes a file.
The core tools are those that ` + "`mcp.tools = \"core\"`" + ` leaves. An argument that is
not required may be left out. The examples were asked in one session, one after the
other: what a command of its own says of the state of servers is said of servers
that have just started.

` + matrixTable(t))
	for _, tool := range tools {
		fmt.Fprintf(&b, "\n## %s\n\n%s", tool.name, tool.about)
		if tool.core {
			b.WriteString(" (core)")
		}
		b.WriteString("\n")
		if len(tool.args) > 0 {
			b.WriteString("\n| argument | type | default | meaning |\n|---|---|---|---|\n")
		}
		for _, a := range tool.args {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", a.name, a.kindText(), a.defaultText(), a.about)
		}
		example, ok := examples[tool.name]
		if !ok {
			t.Errorf("%s has no example", tool.name)
		}
		b.WriteString("\n" + indented(example))
	}
	return b.String()
}

// matrixTable gives the matrix of tools and servers as Markdown, a row a tool.
func matrixTable(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(matrixFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	header := strings.Fields(lines[0])
	var b strings.Builder
	b.WriteString(`## Which server answers what

Asked in a workspace of the server's language, with one that is small: "yes" is
an answer, "none" the answer that there is nothing there, "-" a request that
the server does not offer. "error" of bash-language-server is its errors without
ShellCheck: it says that they cannot be told.

`)
	b.WriteString("| " + strings.Join(header, " | ") + " |\n|" + strings.Repeat("---|", len(header)) + "\n")
	for _, line := range lines[1:] {
		b.WriteString("| " + strings.Join(strings.Fields(line), " | ") + " |\n")
	}
	return b.String()
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight("    "+line, " \n") + "\n")
	}
	return b.String()
}

func (a arg) kindText() string {
	switch {
	case a.kind == kindStrings:
		return "list of strings"
	case a.enum != nil:
		return strings.ReplaceAll(fmt.Sprint(a.enum), " ", ", ")
	case a.max != 0:
		return fmt.Sprintf("%s, %s", a.kind, a.bounds())
	}
	return string(a.kind)
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
