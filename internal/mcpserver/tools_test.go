package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"mcpls/internal/lsp/protocol"
)

// listed gives the tool list as a client gets it.
func listed(t *testing.T, opts Options) []*mcp.Tool {
	t.Helper()
	opts.Log = slog.New(slog.DiscardHandler)
	server, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), theirs, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return list.Tools
}

// TestSchemas holds the tool list to what the strictest clients accept.
func TestSchemas(t *testing.T) {
	name := regexp.MustCompile(`^[A-Za-z0-9_-]{1,60}$`)
	for _, tool := range listed(t, Options{ToolPrefix: "code-"}) {
		if !name.MatchString(tool.Name) || !strings.HasPrefix(tool.Name, "code-") {
			t.Errorf("name %q", tool.Name)
		}
		raw, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"anyOf", "oneOf", "allOf", "$ref", "$defs", "additionalProperties", `"type":[`} {
			if bytes.Contains(raw, []byte(word)) {
				t.Errorf("%s: the schema has %s", tool.Name, word)
			}
		}
		schema := tool.InputSchema.(map[string]any)
		if _, ok := schema["properties"].(map[string]any); !ok || schema["type"] != "object" {
			t.Errorf("%s: schema %s", tool.Name, raw)
		}
		a, acts := tool.Annotations, tool.Name == "code-restart_server"
		if a.ReadOnlyHint == acts || a.IdempotentHint != acts || (a.DestructiveHint != nil) != acts || *a.OpenWorldHint || a.Title == "" {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
	}
}

// TestListSize holds what every client pays in its model's context.
func TestListSize(t *testing.T) {
	for _, c := range []struct {
		opts         Options
		tools, bytes int
	}{
		{Options{}, 31, 16_000},
		{Options{CoreTools: true}, 10, 6_000},
	} {
		list := listed(t, c.opts)
		raw, err := json.Marshal(mcp.ListToolsResult{Tools: list})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d tools: %d bytes", len(list), len(raw))
		if len(list) != c.tools || len(raw) > c.bytes {
			t.Errorf("%d tools in %d bytes, want %d in at most %d", len(list), len(raw), c.tools, c.bytes)
		}
	}
}

func TestSelectedTools(t *testing.T) {
	names := func(opts Options) string {
		var list []string
		for _, tool := range listed(t, opts) {
			list = append(list, tool.Name)
		}
		return strings.Join(list, " ")
	}
	if got := names(Options{Tools: []string{"get_hover", "get_references"}}); got != "get_hover get_references" {
		t.Errorf("a list gives %q", got)
	}
	if got := names(Options{CoreTools: true}); strings.Contains(got, "get_tool_support") || !strings.Contains(got, "get_hover") {
		t.Errorf("core gives %q", got)
	}
	if _, err := New(Options{Tools: []string{"get_hoover"}}); err == nil || !strings.Contains(err.Error(), "get_hover") {
		t.Errorf("an unknown tool: %v", err)
	}
	if _, err := New(Options{ToolPrefix: strings.Repeat("x", 50)}); err == nil {
		t.Error("a name of more than 60 bytes was accepted")
	}
}

func TestInstructions(t *testing.T) {
	for _, line := range instructionLines {
		for _, m := range toolName.FindAllStringSubmatch(line, -1) {
			if !slices.ContainsFunc(tools, func(t tool) bool { return t.name == m[1] }) {
				t.Errorf("%s is no tool: %s", m[1], line)
			}
		}
	}
	all := instructions(tools, "p_")
	if n := strings.Count(all, "\n") + 1; n > 10 || strings.ContainsAny(all, "{}") || !strings.Contains(all, "p_get_references:") {
		t.Errorf("%d lines:\n%s", n, all)
	}
	if few := instructions([]tool{hoverTool}, ""); !strings.Contains(few, "get_hover") || strings.Contains(few, "get_references") {
		t.Errorf("with hover alone:\n%s", few)
	}
}

func TestParseArgs(t *testing.T) {
	probe := tool{name: "probe", args: []arg{
		{name: "file", kind: kindString, required: true},
		{name: "n", kind: kindInteger, min: 1, max: 9, fallback: 3},
		{name: "on", kind: kindBoolean, fallback: false},
		{name: "pick", kind: kindString, enum: []any{"a", "b"}},
	}}
	for _, c := range []struct{ raw, want, err string }{
		{`{"file": "x"}`, `{"file":"x","n":3,"on":false}`, ""},
		{`{"file": "x", "n": 9.0, "on": true, "pick": "b"}`, `{"file":"x","n":9,"on":true,"pick":"b"}`, ""},
		{`{"file": "x", "n": null}`, `{"file":"x","n":3,"on":false}`, ""},
		{``, "", "file is missing"},
		{`[]`, "", "must be a JSON object"},
		{`null`, "", "file is missing"},
		{`{"file": 1}`, "", "file must be a string, not 1"},
		{`{"file": "x\u0000"}`, "", "file holds a NUL byte"},
		{`{"file": "x", "n": 0}`, "", "n must be 1 to 9, not 0"},
		{`{"file": "x", "n": 10}`, "", "n must be 1 to 9, not 10"},
		{`{"file": "x", "n": 1.5}`, "", "n must be an integer, not 1.5"},
		{`{"file": "x", "n": 1e99}`, "", "n must be an integer, not 1e99"},
		{`{"file": "x", "on": 1}`, "", "on must be true or false, not 1"},
		{`{"file": "x", "pick": "c"}`, "", `pick must be one of [a b], not "c"`},
		{`{"file": "x", "File": "x"}`, "", `probe has no argument "File": it takes file, n, on, pick`},
	} {
		got, err := parseArgs(probe, json.RawMessage(c.raw))
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want %q", c.raw, err, c.err)
			}
			continue
		}
		shown, _ := json.Marshal(got)
		if err != nil || string(shown) != c.want {
			t.Errorf("%s: %s, %v, want %s", c.raw, shown, err, c.want)
		}
	}
}

func FuzzParseArgs(f *testing.F) {
	for _, seed := range []string{`{}`, `{"file_path":"a","line":1}`, `[`, `{"line":-1}`, `{"line":1e400}`, "\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, tool := range tools {
			values, err := parseArgs(tool, raw)
			if err != nil {
				continue
			}
			for _, a := range tool.args {
				if a.required && !values.has(a.name) {
					t.Errorf("%s accepted %q without %s", tool.name, raw, a.name)
				}
			}
		}
	})
}

func TestIdentifierAt(t *testing.T) {
	for _, c := range []struct {
		line string // with | at the offset
		want string
	}{
		{"x := fo|o(bar)", "foo"},
		{"x := |foo(bar)", "foo"},
		{"x := foo|(bar)", "foo"},
		{"|\t\tfoo(bar)", "foo"},
		{"foo( |  bar)", "bar"},
		{"a + |+ b", ""},
		{"größe|.n", "größe"},
		{"$x|", "$x"},
		{"|", ""},
		{"   |", ""},
		{"e\u0301te|", "e\u0301te"},
	} {
		offset := strings.Index(c.line, "|")
		line := strings.Replace(c.line, "|", "", 1)
		start, end := identifierAt(line, offset)
		if got := line[start:end]; got != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}

func TestIndices(t *testing.T) {
	for _, c := range []struct {
		line, text string
		want       []int
	}{
		{"width(id, id)", "id", []int{6, 10}}, // not the one inside width
		{"width", "id", nil},
		{"a.b.c", "b.c", []int{2}},
		{"ééa a", "a", []int{6}},
		{"a++ + b", "++", []int{1}},
		{"x", "", nil},
	} {
		if got := indices(c.line, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %v, want %v", c.text, c.line, got, c.want)
		}
	}
}

func TestLinesWith(t *testing.T) {
	text := protocol.NewMapper("a\nb\na a\nA\nab\na\n")
	for _, c := range []struct {
		want string
		near int
		fold bool
		list string
	}{
		{"a", 5, false, "6, 3, 1"},
		{"a", 3, false, "1, 6"},
		{"a", 4, true, "4, 3, 6, 1"},
		{"x", 1, true, ""},
	} {
		if got := listLines(linesWith(text, c.want, c.near, c.fold)); got != c.list {
			t.Errorf("%q near %d: %q, want %q", c.want, c.near, got, c.list)
		}
	}
	if got := listLines([]int{1, 2, 3, 4, 5, 6, 7}); got != "1, 2, 3, 4, 5 and 2 more" {
		t.Errorf("a long list: %q", got)
	}
}

// rows makes a result with a list of n locations.
func rows(n int) *locationsResult {
	r := &locationsResult{what: "reference", echo: "x (a.go:1:1)"}
	for i := range n {
		r.list = append(r.list, located{
			Path: fmt.Sprintf("dir/file%d.go", i%7), Line: strings.Repeat("y", i%50),
			Location: protocol.Location{Range: protocol.Range{Start: protocol.Position{Line: uint32(i)}}},
		})
	}
	return r
}

// TestCut holds that a result stays within its limit, says how much there is,
// and is as long as the limit allows.
func TestCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, limit := rapid.IntRange(0, 400).Draw(t, "n"), rapid.IntRange(1000, 20_000).Draw(t, "limit")
		asJSON := rapid.Bool().Draw(t, "json")
		found, err := render(rows(n), asJSON, limit)
		if err != nil {
			t.Fatal(err)
		}
		body := found.Content[0].(*mcp.TextContent).Text
		if len(body) > limit {
			t.Fatalf("%d bytes, the limit is %d", len(body), limit)
		}
		whole, err := render(rows(n), asJSON, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		all := whole.Content[0].(*mcp.TextContent).Text
		cutNote := strings.Contains(body, "shown: the rest was cut") || strings.Contains(body, `"truncated":true`)
		if cutNote != (len(all) > limit) {
			t.Fatalf("%d of %d bytes shown, and cut is told: %v", len(body), len(all), cutNote)
		}
		if cutNote && !strings.Contains(body, fmt.Sprint(n)) {
			t.Fatalf("the whole count %d is not told", n)
		}
		if cutNote && len(body) < limit-300 { // no row is that long
			t.Fatalf("%d bytes shown, the limit is %d: more would fit", len(body), limit)
		}
	})
}

// TestRawText holds that what a server says reaches a client escaped.
func TestRawText(t *testing.T) {
	r := &hoverResult{echo: "x", lines: []string{"a\x1b[2Jb", "c\u202ed"}}
	for _, asJSON := range []bool{false, true} {
		found, err := render(r, asJSON, 40_000)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(found)
		if err != nil {
			t.Fatal(err)
		}
		body := found.Content[0].(*mcp.TextContent).Text
		if strings.ContainsAny(body, "\x1b\u202e") || asJSON && !json.Valid([]byte(body)) {
			t.Errorf("raw text in %s", raw)
		}
		if asJSON == (found.StructuredContent == nil) {
			t.Errorf("json %v: structured content %v", asJSON, found.StructuredContent)
		}
	}
}
