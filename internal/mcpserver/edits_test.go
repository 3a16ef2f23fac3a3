package mcpserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpls/internal/lsp/protocol"
)

// TestDiffOf holds when a diff is not shown: it would be of another text.
func TestDiffOf(t *testing.T) {
	r, dir := followable(t)
	path := filepath.Join(dir, "a.txt")
	edit := protocol.FileEdits{URI: protocol.URIFromPath(path), Edits: []protocol.TextEdit{
		{Range: protocol.Range{End: protocol.Position{Character: 3}}, NewText: "two"},
	}}
	for _, c := range []struct {
		name, disk, base, want, err string
	}{
		{"as it is", "one\nline\n", "", "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n-one\n+two\n line", ""},
		{"as it was asked about", "one\nline\n", "one\nline\n", "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n-one\n+two\n line", ""},
		{"changed meanwhile", "new\nline\n", "one\nline\n", "", "was changed while the server was asked"},
		{"a lone carriage return", "one\rline\n", "", "", "cannot be trusted"},
		{"a line separator", "one\u2028line\n", "", "", "cannot be trusted"},
		{"line breaks of Windows", "one\r\nline\r\n", "", "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n-one\n+two\n line", ""},
	} {
		if err := os.WriteFile(path, []byte(c.disk), 0o600); err != nil {
			t.Fatal(err)
		}
		var base *protocol.Mapper
		if c.base != "" {
			base = protocol.NewMapper(c.base)
		}
		got, err := (&call{Options: r.opts}).diffOf(edit, base)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

func TestEnclosingNameIsBounded(t *testing.T) {
	var rows []outlineRow
	for range 5000 {
		rows = append(rows, outlineRow{0, protocol.DocumentSymbol{
			Name: strings.Repeat("x", 300), Kind: 12, Range: protocol.Range{End: protocol.Position{Line: 9}},
		}})
	}
	if got := newOutline(rows).around(protocol.Position{Line: 1}); len(got) > maxLineBytes+50 {
		t.Errorf("%d bytes", len(got))
	}
}
