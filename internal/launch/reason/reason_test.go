package reason_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"mcpls/internal/launch/reason"
)

// TestAll holds that each constant has one row, and no row is of anything else.
func TestAll(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "reason.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	declared := map[reason.Code]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
			code, _ := strconv.Unquote(lit.Value)
			declared[reason.Code(code)] = true
		}
		return true
	})
	for _, row := range reason.All {
		if !declared[row.Code] || row.About == "" {
			t.Errorf("a row of %q: twice, without a constant or without a word", row.Code)
		}
		delete(declared, row.Code)
	}
	for code := range declared {
		t.Errorf("%q has no row", code)
	}
}

var update = flag.Bool("update", false, "write docs/reasons.md anew")

const reasonsDoc = "../../../docs/reasons.md"

// TestReasonsDoc holds docs/reasons.md to the table.
func TestReasonsDoc(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Reasons\n\nWhy a declared server does not start, or would not: the `reason` of `mcpls plan --json` and of an\nerror of a tool call. Made from internal/launch/reason by `make generate`; a test holds it to\nthe code.\n\n| code | meaning |\n|---|---|\n")
	for _, row := range reason.All {
		fmt.Fprintf(&b, "| `%s` | %s |\n", row.Code, row.About)
	}
	if *update {
		if err := os.WriteFile(reasonsDoc, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(reasonsDoc); err != nil || string(got) != b.String() {
		t.Errorf("%s is out of date: make generate (%v)", reasonsDoc, err)
	}
}
