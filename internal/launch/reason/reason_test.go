package reason_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
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
