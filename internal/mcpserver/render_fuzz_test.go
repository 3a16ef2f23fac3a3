package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpls/internal/lsp"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/quote"
	"mcpls/internal/router"
)

// FuzzRender renders what a server may say in each family of results: as text it
// is safe to show and holds to its limit, and as JSON it is JSON.
func FuzzRender(f *testing.F) {
	f.Add("a.go", "x := 1", "f", uint32(0), 3, 40_000)
	f.Add("a\n[forged]", "\x1b[2J\u202e", "\xff\x00", uint32(1<<32-1), 40, 200)
	f.Add("größe 1.go", strings.Repeat("é", 3000), "", uint32(7), 1, 1)
	f.Fuzz(func(t *testing.T, path, line, name string, at uint32, n, limit int) {
		if n < 0 || n > 50 || limit < 1 || limit > 1<<20 {
			return
		}
		p := protocol.Position{Line: at, Character: at / 2}
		where := located{Path: oneLine(path), Line: line, Within: name, Location: protocol.Location{
			URI: protocol.URIFromPath("/home/me/" + strings.ReplaceAll(path, "\x00", "")), Range: protocol.Range{Start: p, End: p},
		}}
		locations := &locationsResult{what: "reference", echo: oneLine(name)}
		said := &saidResult{what: "message"}
		outline := &outlineResult{shown: oneLine(path)}
		hover := &hoverResult{echo: oneLine(name), lines: textLines(line)}
		for range n {
			locations.list = append(locations.list, where)
			said.list = append(said.list, router.Said{Server: name, Entry: lsp.Entry{Text: line}})
			outline.add([]protocol.DocumentSymbol{{Name: name, Detail: line, Kind: 12, Children: []protocol.DocumentSymbol{{Name: line}}}}, 0)
		}
		for _, r := range []result{locations, said, outline, hover} {
			for _, asJSON := range []bool{false, true} {
				shown, err := render(r, asJSON, limit)
				if err != nil {
					t.Fatalf("%T: %v", r, err)
				}
				checkShown(t, r, shown, asJSON, limit)
			}
		}
	})
}

func checkShown(t *testing.T, r result, shown *mcp.CallToolResult, asJSON bool, limit int) {
	t.Helper()
	text := shown.Content[0].(*mcp.TextContent).Text
	if safe := quote.Text(text); safe != text || !utf8.ValidString(text) {
		t.Errorf("%T shows %q raw", r, text)
	}
	if asJSON && !json.Valid([]byte(text)) {
		t.Errorf("%T is no JSON: %q", r, text)
	}
	// What is not a list is not cut: its head has what the client asked.
	if none, _ := render(r, asJSON, 1); len(text) > max(limit, len(none.Content[0].(*mcp.TextContent).Text)) {
		t.Errorf("%T has %d bytes, limit %d", r, len(text), limit)
	}
}
