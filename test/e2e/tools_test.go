package e2e_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// shapeAnswers are questions about testdata/shapes with the whole text of the
// answer, written by hand: one and more for each tool that answers does not
// have.
var shapeAnswers = []struct {
	tool string
	args args
	want string
}{
	{"go_to_implementation", args{"symbol_name": "Shape"}, `Shape (shapes.go:7:6): 2 implementations
shapes.go:12:6: type Kreis struct{ R float64 }
shapes.go:18:6: type Quadrat struct{ A float64 }`},
	{"go_to_implementation", args{"file_path": "shapes.go", "line": 27, "text": "s.Area", "context": "enclosing_symbol"}, `Area (shapes.go:27:14): 2 implementations
shapes.go:15:16 (in method (Kreis).Area): func (k Kreis) Area() float64 { return math.Pi * k.R * k.R }
shapes.go:21:18 (in method (Quadrat).Area): func (q Quadrat) Area() float64 { return q.A * q.A }`},
	{"go_to_type_definition", args{"file_path": "shapes.go", "line": 27, "text": "s"}, `s (shapes.go:27:12): 1 type definition
shapes.go:7:6: type Shape interface {`},
	{"get_references", args{"symbol_name": "Sum", "context": "enclosing_symbol"}, `Sum (shapes.go:24:6): 2 references
shapes.go:34:11 (in function Both): größe := Sum([]Shape{a, b}, 1)
shapes.go:35:17 (in function Both): return größe + Sum(nil, 2)`},
	{"get_document_highlights", args{"file_path": "shapes.go", "line": 25, "text": "total"}, `total (shapes.go:25:2): 3 uses in its file
25:2-7 write: total := 0.0
27:3-8 write: total += s.Area() * scale
29:9-14 read: return total`},
	{"get_incoming_calls", args{"symbol_name": "Sum"}, `Sum (shapes.go:24:6): 1 caller
function Both  shapes.go:33:6: func Both(a, b Shape) float64 {
  shapes.go:34:11: größe := Sum([]Shape{a, b}, 1)
  shapes.go:35:17: return größe + Sum(nil, 2)`},
	{"get_outgoing_calls", args{"file_path": "shapes.go", "line": 24, "text": "Sum"}, `Sum (shapes.go:24:6): 1 callee
function Area  shapes.go:8:2: Area() float64
  shapes.go:27:14: total += s.Area() * scale`},
	{"get_supertypes", args{"symbol_name": "Kreis"}, `Kreis (shapes.go:12:6): 1 supertype
interface Shape  shapes.go:7:6: type Shape interface {`},
	{"get_subtypes", args{"symbol_name": "Shape"}, `Shape (shapes.go:7:6): 2 subtypes
class Kreis  shapes.go:12:6: type Kreis struct{ R float64 }
class Quadrat  shapes.go:18:6: type Quadrat struct{ A float64 }`},
	{"prepare_rename", args{"file_path": "shapes.go", "line": 34, "text": "größe"}, `größe (shapes.go:34:2): can be renamed: größe at 34:2-7`},
	// The column is behind the bracket: the first parameter is to be typed.
	{"get_signature_help", args{"file_path": "shapes.go", "line": 35, "text": "Sum"}, `shapes.go:35:21: 1 signature
Sum(shapes []Shape, scale float64) float64  at parameter shapes []Shape
    Sum adds up areas.`},
	{"get_signature_help", args{"file_path": "shapes.go", "line": 35, "text": "nil,"}, `shapes.go:35:25: 1 signature
Sum(shapes []Shape, scale float64) float64  at parameter scale float64
    Sum adds up areas.`},
	{"get_completions", args{"file_path": "shapes.go", "line": 27, "text": "s.A"}, `shapes.go:27:15: 1 completion (the server has more)
Area  method  func() float64`},
	{"get_selection_ranges", args{"file_path": "shapes.go", "line": 25, "text": "total"}, `total (shapes.go:25:2): 5 ranges in its file
25:2-7: total := 0.0
25:2-14: total := 0.0
24:49-30:2: func Sum(shapes []Shape, scale float64) float64 {
24:1-30:2: func Sum(shapes []Shape, scale float64) float64 {
2:1-36:2: package shapes`},
	{"get_folding_ranges", args{"file_path": "messy.go"}, `messy.go: 1 block
5-6: func  messy( ) int {`},
	{"format_document", args{"file_path": "shapes.go"}, `shapes.go: is formatted`},
	{"format_document", args{"file_path": "messy.go"}, `--- messy.go
+++ messy.go
@@ -2,6 +2,6 @@
 
 import "os"
 
-func  messy( ) int {
-  return 1
+func messy() int {
+	return 1
 }`},
	{"get_code_actions", args{"file_path": "messy.go", "start_line": 3, "end_line": 3, "kind_filter": "source.organizeImports"}, `messy.go:3:1-12: 1 action
* Organize Imports [source.organizeImports]
--- messy.go
+++ messy.go
@@ -1,7 +1,5 @@
 package shapes
 
-import "os"
-
 func  messy( ) int {
   return 1
 }`},
	// A generated file, one with the line breaks of Windows, another package.
	{"get_references", args{"symbol_name": "Both", "context": "enclosing_symbol"}, `Both (shapes.go:33:6): 4 references in 3 files
crlf.go:4:30 (in function crlf): func crlf() float64 { return Both(nil, nil) }
generated.go:4:23 (in variable table): var table = []float64{Both(nil, nil), Both(nil, nil)}
generated.go:4:39 (in variable table): var table = []float64{Both(nil, nil), Both(nil, nil)}
part/part.go:7:37 (in function Teil): func Teil() float64 { return shapes.Both(nil, nil) }`},
	// Through a link inside the root: the answer names the file itself.
	{"get_definition", args{"file_path": "also/part.go", "line": 7, "text": "Both"}, `Both (part/part.go:7:37): 1 definition
shapes.go:33:6: func Both(a, b Shape) float64 {`},
	{"get_diagnostics", nil, `1 error in 1 of 6 files
messy.go: 1 error; 3:8 error: "os" imported and not used`},
	{"get_diagnostics", args{"file_path": "messy.go", "context": "enclosing_symbol"}, `messy.go: 1 error
messy.go:3:8: error: "os" imported and not used [compiler UnusedImport]
    import "os"`},
}

func shapes(t *testing.T) *client {
	t.Helper()
	dir := workspace(t, "shapes")
	link("part", "also")(t, dir)
	return gopls(t, setup{dir: dir})
}

func TestToolAnswers(t *testing.T) {
	c := shapes(t)
	for _, q := range shapeAnswers {
		if got := c.ask(q.tool, q.args); got != q.want {
			t.Errorf("%s %v:\ngot\n%s\nwant\n%s", q.tool, q.args, got, q.want)
		}
	}
	// Pushed by now, since it was pulled.
	got := c.ask("get_cached_diagnostics", args{"file_path": "messy.go"})
	if !strings.Contains(got, `"os" imported and not used`) {
		t.Errorf("cached: %s", got)
	}
}

// TestItem gives an item back as the prepare tool gave it, as an object and as
// the text that some clients make of one.
func TestItem(t *testing.T) {
	c := shapes(t)
	const want = `Both (shapes.go:33:6): 1 callee
function Sum  shapes.go:24:6: func Sum(shapes []Shape, scale float64) float64 {
  shapes.go:34:11: größe := Sum([]Shape{a, b}, 1)
  shapes.go:35:17: return größe + Sum(nil, 2)`
	_, item, ok := strings.Cut(c.ask("prepare_call_hierarchy", args{"symbol_name": "Both"}), "\n  item: ")
	if !ok {
		t.Fatal("no item")
	}
	for _, given := range []any{json.RawMessage(item), item} {
		if got := c.ask("get_outgoing_calls", args{"item": given}); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	const types = `Shape (shapes.go:7:6): 2 subtypes
class Kreis  shapes.go:12:6: type Kreis struct{ R float64 }
class Quadrat  shapes.go:18:6: type Quadrat struct{ A float64 }`
	_, item, _ = strings.Cut(c.ask("prepare_type_hierarchy", args{"symbol_name": "Shape"}), "\n  item: ")
	if got := c.ask("get_subtypes", args{"item": json.RawMessage(item)}); got != types {
		t.Errorf("got\n%s\nwant\n%s", got, types)
	}
	for wrong, says := range map[string]string{
		`{"name": "x"}`: "no uri",
		`{"name": "x", "uri": "file:///etc/passwd", "range": {"start": {"line": 1, "character": 1}, "end": {"line": 1, "character": 1}}, "selectionRange": {"start": {"line": 1, "character": 1}, "end": {"line": 1, "character": 1}}}`: "outside the workspace",
		`{"name": "x", "uri": "file:///a"}`: "count from 1",
		`[]`:                                "must be an object",
	} {
		failed := c.fails("get_outgoing_calls", args{"item": json.RawMessage(wrong)}, -32602)
		if !strings.Contains(failed.Message, says) {
			t.Errorf("%s: %s", wrong, failed.Message)
		}
	}
}

// TestToolSupport holds what is told of a server that runs, and of those that
// are of no use here.
func TestToolSupport(t *testing.T) {
	c := shapes(t)
	c.ask("get_hover", args{"symbol_name": "Sum"})
	told := c.ask("get_tool_support", nil)
	for _, line := range []string{
		"\ngo (go, builtin, `gopls`): ready, gopls v0.23.0\n",
		"\n  answers every tool but go_to_declaration, format_range\n",
		"\ninactive, the workspace has no marker of theirs (with file_path it is told which): rust, python, typescript, ",
	} {
		if !strings.Contains(told, line) {
			t.Errorf("%q is not in %s", line, told)
		}
	}
	failed := c.fails("go_to_declaration", args{"file_path": "shapes.go", "line": 24, "text": "Sum"}, -32056)
	if !strings.Contains(failed.Message, "textDocument/declaration") {
		t.Error(failed.Message)
	}
}
