package e2e_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// examples are one call of each tool; docs/tools.md shows them with the real
// answer. They are asked in testdata/shapes, those of cpp in testdata/cpp.
var examples = []struct {
	tool string
	args string // as on the command line of mcpls call
	cpp  bool
}{
	{tool: "get_hover", args: "symbol_name=Kreis.Area"},
	{tool: "get_definition", args: "file_path=shapes.go line=34 text=Sum"},
	{tool: "get_references", args: "symbol_name=Sum context=enclosing_symbol"},
	{tool: "get_document_symbols", args: "file_path=shapes.go"},
	{tool: "workspace_symbol_search", args: "query=Quad kind_filter=struct"},
	{tool: "get_diagnostics", args: "file_path=messy.go"},
	{tool: "go_to_implementation", args: "symbol_name=Shape"},
	{tool: "get_incoming_calls", args: "symbol_name=Sum"},
	{tool: "rename_symbol", args: "symbol_name=Sum new_name=Total"},
	{tool: "get_code_actions", args: "file_path=messy.go start_line=3 end_line=3 kind_filter=source.organizeImports"},
	{tool: "go_to_declaration", args: "file_path=cart.cpp line=3 text=sum", cpp: true},
	{tool: "go_to_type_definition", args: "file_path=shapes.go line=27 text=s"},
	{tool: "get_document_highlights", args: "file_path=shapes.go line=25 text=total"},
	{tool: "get_outgoing_calls", args: "symbol_name=Both"},
	{tool: "prepare_call_hierarchy", args: "symbol_name=Both"},
	{tool: "get_supertypes", args: "symbol_name=Kreis"},
	{tool: "get_subtypes", args: "symbol_name=Shape"},
	{tool: "prepare_type_hierarchy", args: "symbol_name=Shape"},
	{tool: "prepare_rename", args: "file_path=shapes.go line=34 text=größe"},
	{tool: "get_completions", args: "file_path=shapes.go line=27 text=s.A"},
	{tool: "get_signature_help", args: "file_path=shapes.go line=35 text=Sum"},
	{tool: "get_selection_ranges", args: "file_path=shapes.go line=25 text=total"},
	{tool: "get_folding_ranges", args: "file_path=shapes.go"},
	{tool: "get_inlay_hints", args: "file_path=shapes.go start_line=33 end_line=36"},
	{tool: "format_document", args: "file_path=messy.go"},
	{tool: "format_range", args: "file_path=long.cpp start_line=2 end_line=2", cpp: true},
	{tool: "get_cached_diagnostics", args: "file_path=messy.go"},
	{tool: "get_server_logs", args: "min_level=error"},
	{tool: "get_server_messages", args: "limit=5"},
	{tool: "get_tool_support", args: ""},
	{tool: "restart_server", args: "servers=go"},
}

const examplesFile = "testdata/examples.txtar"

// TestExamples holds the answers that the documentation shows.
func TestExamples(t *testing.T) {
	goClient := shapes(t)
	cpp := languages[slices.IndexFunc(languages, func(l language) bool { return l.name == "clangd" })]
	dir := cpp.workspace(t)
	write(t, dir+"/long.cpp", "int one( ) { return 1; }\nint two( ) { return 2; }\n")
	cppClient := cpp.start(t, dir)
	if len(examples) != len(goClient.tools()) {
		t.Errorf("%d examples of %d tools", len(examples), len(goClient.tools()))
	}
	var archive txtar.Archive
	for _, e := range examples {
		c := goClient
		if e.cpp {
			c = cppClient
		}
		answer := c.patient(e.tool, commandLine(e.args))
		answer = strings.NewReplacer(c.cmd.Dir, "/home/me/shapes").Replace(answer)
		archive.Files = append(archive.Files, txtar.File{
			Name: e.tool, Data: fmt.Appendf(nil, "$ %s\n%s\n", strings.TrimSpace("mcpls call "+e.tool+" "+e.args), answer),
		})
	}
	got := txtar.Format(&archive)
	if *update {
		write(t, examplesFile, string(got))
	}
	want, err := os.ReadFile(examplesFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is out of date:\n%s", examplesFile, got)
	}
}

// commandLine gives the arguments of a line as mcpls call would.
func commandLine(line string) args {
	a := args{}
	for _, pair := range strings.Fields(line) {
		key, value, _ := strings.Cut(pair, "=")
		a[key] = value
		var n int
		if _, err := fmt.Sscan(value, &n); err == nil {
			a[key] = n
		} else if key == "servers" {
			a[key] = []string{value}
		}
	}
	return a
}
