package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// gopls starts mcpls on a copy of testdata/shop with gopls on PATH.
func gopls(t testing.TB, s setup) *client {
	t.Helper()
	s.path = filepath.Dir(needServer(t, "gopls"))
	if s.dir == "" {
		s.dir = workspace(t, "shop")
	}
	return start(t, s)
}

// answers are questions about testdata/shop with the whole text of the answer,
// written by hand.
var answers = []struct {
	tool string
	args args
	want string
}{
	{"get_hover", args{"file_path": "cart/cart.go", "line": 16, "text": "Total"}, `Total (cart/cart.go:16:14)
` + "```go" + `
func shop.Total(prices []shop.Price) shop.Price
` + "```" + `

---

Total adds up prices.

---

[` + "`shop.Total` on pkg.go.dev](https://pkg.go.dev/example.org/shop#Total)"},
	{"get_hover", args{"symbol_name": "Cart.Size"}, `Size (cart/cart.go:26:15)
` + "```go" + `
func (c Cart) Size() Größe
` + "```" + `

---

Size counts the things.

---

[` + "`(cart.Cart).Size` on pkg.go.dev](https://pkg.go.dev/example.org/shop/cart#Cart.Size)"},
	{"get_references", args{"symbol_name": "Größe", "file_path": "cart/cart.go"}, `Größe (cart/cart.go:7:6): 2 references
cart/cart.go:26:22: func (c Cart) Size() Größe { return Größe(len(c.Prices)) }
cart/cart.go:26:37: func (c Cart) Size() Größe { return Größe(len(c.Prices)) }`},
	// As models write a name, and with a column that is a little off.
	{"get_definition", args{"file_path": "cart/cart.go", "line": 21, "text": "`shop.Total()`", "character": 48}, `Total (cart/cart.go:21:50): 1 definition
shop.go:8:6: func Total(prices []Price) Price {`},
	// The line of the comment above: the answer says where else the name is.
	{"get_definition", args{"file_path": "shop.go", "line": 7, "text": "Total"}, `Total (shop.go:7:4): no definitions
[Total also stands on line 8]`},
	{"get_definition", args{"file_path": "cart/cart.go", "line": 16, "text": "Total"}, `Total (cart/cart.go:16:14): 1 definition
shop.go:8:6: func Total(prices []Price) Price {`},
	// Columns count in UTF-16: each cart is two units.
	{"get_references", args{"file_path": "shop.go", "line": 8, "text": "Total"}, `Total (shop.go:8:6): 3 references
cart/cart.go:16:14: return shop.Total(c.Prices)
cart/cart.go:21:27: icon, sum = "🛒🛒", shop.Total(c.Prices) + shop.Total(nil)
cart/cart.go:21:50: icon, sum = "🛒🛒", shop.Total(c.Prices) + shop.Total(nil)`},
	{"get_references", args{"file_path": "cart/cart.go", "line": 21, "text": "Total", "occurrence": 2, "include_declaration": true}, `Total (cart/cart.go:21:50): 4 references in 2 files
cart/cart.go:16:14: return shop.Total(c.Prices)
cart/cart.go:21:27: icon, sum = "🛒🛒", shop.Total(c.Prices) + shop.Total(nil)
cart/cart.go:21:50: icon, sum = "🛒🛒", shop.Total(c.Prices) + shop.Total(nil)
shop.go:8:6: func Total(prices []Price) Price {`},
	{"get_references", args{"file_path": "cart/cart.go", "line": 7, "character": 8}, `Größe (cart/cart.go:7:6): 2 references
cart/cart.go:26:22: func (c Cart) Size() Größe { return Größe(len(c.Prices)) }
cart/cart.go:26:37: func (c Cart) Size() Größe { return Größe(len(c.Prices)) }`},
	// Nobody calls it: an authoritative empty.
	{"get_references", args{"file_path": "shop.go", "line": 17, "text": "Unused"}, `Unused (shop.go:17:6): no references`},
	{"get_document_symbols", args{"file_path": "cart/cart.go"}, `cart/cart.go: 6 symbols, each with its lines
class Größe int  7
struct Cart struct{...}  10-12
  field Prices []shop.Price  11
method (Cart).Sum func() shop.Price  15-17
method (Cart).Label func() (icon string, sum shop.Price)  20-23
method (Cart).Size func() Größe  26`},
	{"workspace_symbol_search", args{"query": "Größe"}, `1 symbol for "Größe"
class Größe (in example.org/shop/cart)  cart/cart.go:7:6: type Größe int`},
	{"workspace_symbol_search", args{"query": "NoSuchThing"}, `no symbol matches "NoSuchThing"`},
	{"get_diagnostics", args{"file_path": "shop.go"}, `shop.go: no errors or warnings`},
	{"rename_symbol", args{"file_path": "shop.go", "line": 8, "text": "Total", "new_name": "Sum"}, `rename Total (shop.go:8:6) to Sum: 5 edits in 2 files; each replaces the columns given, end exclusive
cart/cart.go:16:14-19: return shop.Total(c.Prices)
cart/cart.go:21:27-32: icon, sum = "🛒🛒", shop.Total(c.Prices) + shop.Total(nil)
cart/cart.go:21:50-55: icon, sum = "🛒🛒", shop.Total(c.Prices) + shop.Total(nil)
shop.go:7:4-9: // Total adds up prices.
shop.go:8:6-11: func Total(prices []Price) Price {`},
}

func TestAnswers(t *testing.T) {
	c := gopls(t, setup{})
	for _, q := range answers {
		if got := c.ask(q.tool, q.args); got != q.want {
			t.Errorf("%s %v:\ngot  %q\nwant %q", q.tool, q.args, got, q.want)
		}
	}
}

// TestColdStarts asks each question as the first of a mcpls that has just
// started, with empty caches: the answer is right or an honest "not yet" whose
// retry is right.
func TestColdStarts(t *testing.T) {
	const starts = 20
	retries := 0
	for i := range starts {
		q := answers[i%len(answers)]
		t.Run(fmt.Sprintf("%02d %s", i, q.tool), func(t *testing.T) {
			c := gopls(t, setup{})
			got, err := c.try(q.tool, q.args)
			for err != nil && retryable(err) {
				retries++
				got, err = c.try(q.tool, q.args)
			}
			if err != nil || got != q.want {
				t.Errorf("%s %v:\ngot  %q, %v\nwant %q", q.tool, q.args, got, err, q.want)
			}
		})
	}
	t.Logf("%d cold starts, %d retries", starts, retries)
}

// TestEdits changes a file in every way that an agent or a tool does, and asks
// at once: no answer may be about an earlier text.
func TestEdits(t *testing.T) {
	dir := workspace(t, "shop")
	c := gopls(t, setup{dir: dir})
	path := filepath.Join(dir, "shop.go")
	original, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	edits := []func(text string) error{
		func(text string) error { return os.WriteFile(path, []byte(text), 0o600) },
		func(text string) error { // rename over
			if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		},
		func(text string) error { // the old time put back, as cp -p does
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				return err
			}
			return os.Chtimes(path, info.ModTime(), info.ModTime())
		},
	}
	for i := range 30 {
		// The same length each time, so that the size tells nothing.
		name := fmt.Sprintf("Edit%02d", i)
		text := strings.Replace(string(original), "func Unused() {}", "func "+name+"() {}", 1)
		if err := edits[i%len(edits)](text); err != nil {
			t.Fatal(err)
		}
		got := c.ask("get_hover", args{"file_path": "shop.go", "line": 17, "character": 6})
		if !strings.Contains(got, "func "+name+"()") {
			t.Fatalf("edit %d: stale answer %q", i, got)
		}
	}
}

// TestDiagnosticsFollowEdits breaks and mends a file and asks each time: no
// error is missed, and none outlives its cause, in the file or in another one.
func TestDiagnosticsFollowEdits(t *testing.T) {
	dir := workspace(t, "shop")
	c := gopls(t, setup{dir: dir})
	path := filepath.Join(dir, "shop.go")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	bad := strings.Replace(string(good), "return sum\n", "return summ\n", 1)
	renamed := strings.Replace(string(good), "func Total(", "func Totals(", 1)
	const (
		clean = "shop.go: no errors or warnings"
		wrong = "shop.go: 1 error\nshop.go:13:9: error: undefined: summ [compiler UndeclaredName]\n    return summ"
	)
	for range 5 {
		write(t, path, bad)
		if got := c.ask("get_diagnostics", args{"file_path": "shop.go"}); got != wrong {
			t.Fatalf("broken: %q", got)
		}
		write(t, path, string(good))
		if got := c.ask("get_diagnostics", args{"file_path": "shop.go"}); got != clean {
			t.Fatalf("mended: %q", got)
		}
	}
	// An error in one file whose cause is an edit of another, which is open.
	if got := c.ask("get_diagnostics", args{"file_path": "cart/cart.go"}); got != "cart/cart.go: no errors or warnings" {
		t.Fatalf("cart before: %q", got)
	}
	write(t, path, renamed)
	if got := c.ask("get_diagnostics", args{"file_path": "cart/cart.go"}); !strings.HasPrefix(got, "cart/cart.go: 3 errors\n") {
		t.Fatalf("cart after: %q", got)
	}
}

// TestFilesNobodyOpened changes files that were never asked about, in the ways
// of an agent, a shell and git, and asks about the workspace at once.
func TestFilesNobodyOpened(t *testing.T) {
	dir := workspace(t, "shop")
	c := gopls(t, setup{dir: dir})
	users := func() string {
		answer := c.ask("get_references", args{"file_path": "shop.go", "line": 17, "text": "Unused"})
		return strings.Join(regexp.MustCompile(`(?m)^[a-z/]+\.go:\d+`).FindAllString(answer, -1), " ")
	}
	uses := func(n int) string {
		return "package extra\n\nimport \"example.org/shop\"\n\nfunc f() {\n" + strings.Repeat("\tshop.Unused()\n", n) + "}\n"
	}
	extra := filepath.Join(dir, "extra")
	step := func(name, want string, do func() error) {
		t.Helper()
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if got := users(); got != want {
			t.Errorf("%s: used at %q, want %q", name, got, want)
		}
	}
	step("at first", "", func() error { return nil })
	step("a new package", "extra/a.go:6", func() error {
		return errors.Join(os.Mkdir(extra, 0o700), os.WriteFile(filepath.Join(extra, "a.go"), []byte(uses(1)), 0o600))
	})
	step("changed", "extra/a.go:6 extra/a.go:7", func() error {
		return os.WriteFile(filepath.Join(extra, "a.go"), []byte(uses(2)), 0o600)
	})
	step("renamed", "extra/b.go:6 extra/b.go:7", func() error {
		return os.Rename(filepath.Join(extra, "a.go"), filepath.Join(extra, "b.go"))
	})
	step("deleted", "", func() error { return os.RemoveAll(extra) })
	step("the open file gone and back", "", func() error {
		path := filepath.Join(dir, "shop.go")
		text, err := os.ReadFile(path)
		return errors.Join(err, os.Remove(path), os.WriteFile(path, text, 0o600))
	})
}

// TestRenameCompiles applies a rename plan as a client would, and compiles the
// result.
func TestRenameCompiles(t *testing.T) {
	dir := workspace(t, "shop")
	c := gopls(t, setup{dir: dir, args: []string{"--config", jsonConfig(t)}})
	applyPlan(t, c.ask("rename_symbol", args{"file_path": "shop.go", "line": 8, "text": "Total", "new_name": "Summe"}))
	build := exec.Command("go", "build", "./...")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("after the rename: %v\n%s", err, out)
	}
	cart, err := os.ReadFile(filepath.Join(dir, "cart", "cart.go"))
	if err != nil || strings.Count(string(cart), "shop.Summe(") != 3 {
		t.Errorf("cart.go after the rename: %v\n%s", err, cart)
	}
}

// jsonConfig is a configuration that asks for results as JSON.
func jsonConfig(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "mcpls.toml")
	write(t, path, "[mcp]\noutput = \"json\"\n[workspace]\n")
	return path
}

// TestTextNamesEveryLocation holds text and JSON to the same set of places.
func TestTextNamesEveryLocation(t *testing.T) {
	dir := workspace(t, "shop")
	asText, asJSON := gopls(t, setup{dir: dir}), gopls(t, setup{dir: dir, args: []string{"--config", jsonConfig(t)}})
	for _, name := range []args{
		{"file_path": "shop.go", "line": 8, "text": "Total", "include_declaration": true},
		{"file_path": "shop.go", "line": 5, "text": "Price", "include_declaration": true},
		{"file_path": "cart/cart.go", "line": 11, "text": "Prices"},
	} {
		var found struct {
			Locations []struct {
				URI   string
				Range struct{ Start struct{ Line, Character int } }
			}
		}
		if err := json.Unmarshal([]byte(asJSON.ask("get_references", name)), &found); err != nil {
			t.Fatal(err)
		}
		text := asText.ask("get_references", name)
		if len(found.Locations) == 0 || len(found.Locations) != strings.Count(text, "\n") {
			t.Errorf("%v: %d locations in JSON, text is %q", name, len(found.Locations), text)
		}
		for _, l := range found.Locations {
			rel, err := filepath.Rel(dir, strings.TrimPrefix(l.URI, "file://"))
			if err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf("\n%s:%d:%d: ", rel, l.Range.Start.Line, l.Range.Start.Character)
			if !strings.Contains(text, want) {
				t.Errorf("text of %v lacks %q", name, want)
			}
		}
	}
}

// TestFileOfNoPackage holds that a file that gopls does not check, because the
// build leaves it out, is never said to be without errors.
func TestFileOfNoPackage(t *testing.T) {
	dir := workspace(t, "shop")
	write(t, filepath.Join(dir, "odd_windows.go"), "package shop\n\nvar odd int = \"text\"\n")
	write(t, filepath.Join(dir, "tool.go"), "//go:build ignore\n\npackage main\n\nvar odd int = \"text\"\n")
	c := gopls(t, setup{dir: dir})
	for _, file := range []string{"odd_windows.go", "tool.go"} {
		if got := c.ask("get_diagnostics", args{"file_path": file}); strings.Contains(got, "no errors") {
			t.Errorf("%s: %q", file, got)
		}
	}
	// And a clean file is said to be clean.
	if got := c.ask("get_diagnostics", args{"file_path": "shop.go"}); got != "shop.go: no errors or warnings" {
		t.Errorf("shop.go: %q", got)
	}
}

// TestModulesBeneathTheRoot holds that modules are found where the root is none.
func TestModulesBeneathTheRoot(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"one", "two"} {
		sub := filepath.Join(dir, "deep", name)
		if err := os.MkdirAll(sub, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(sub, "go.mod"), "module example.org/"+name+"\n")
		write(t, filepath.Join(sub, "x.go"), "package "+name+"\n\nfunc In"+name+"() {}\n")
	}
	c := gopls(t, setup{dir: dir})
	for _, name := range []string{"one", "two"} {
		got := c.ask("workspace_symbol_search", args{"query": "In" + name})
		if !strings.Contains(got, "deep/"+name+"/x.go:3:6: func In"+name) || strings.Contains(got, "not searched") {
			t.Errorf("%s: %q", name, got)
		}
	}
	// gopls looks for references in one module only.
	if got, want := c.ask("get_references", args{"symbol_name": "Inone"}),
		"Inone (deep/one/x.go:3:6): no references\n[perhaps not searched: the modules in deep/two]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNestedModule holds that it is told when a module is not searched, and not
// when go.work joins it.
func TestNestedModule(t *testing.T) {
	dir := workspace(t, "shop")
	if err := os.Mkdir(filepath.Join(dir, "app"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "app", "go.mod"), "module example.org/app\n\ngo 1.26\n\nrequire example.org/shop v0.0.0\n\nreplace example.org/shop => ../\n")
	write(t, filepath.Join(dir, "app", "app.go"), "package app\n\nimport \"example.org/shop\"\n\nfunc f() { shop.Unused() }\n")
	unused := args{"file_path": "shop.go", "line": 17, "text": "Unused"}
	c := gopls(t, setup{dir: dir})
	if got, want := c.ask("get_references", unused),
		"Unused (shop.go:17:6): no references\n[perhaps not searched: the modules in app]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	failed := c.fails("get_hover", args{"symbol_name": "Nowhere"}, -32602)
	if want := "no symbol Nowhere in the workspace\n[perhaps not searched: the modules in app]"; failed.Message != want {
		t.Errorf("%q, want %q", failed.Message, want)
	}
	// One that comes later is named, and one that is gone is not.
	if err := os.Rename(filepath.Join(dir, "app"), filepath.Join(dir, "late")); err != nil {
		t.Fatal(err)
	}
	if got, want := c.ask("get_references", unused),
		"Unused (shop.go:17:6): no references\n[perhaps not searched: the modules in late]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if err := os.Rename(filepath.Join(dir, "late"), filepath.Join(dir, "app")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.work"), "go 1.26\n\nuse (\n\t.\n\t./app\n)\n")
	if got, want := gopls(t, setup{dir: dir}).ask("get_references", unused),
		"Unused (shop.go:17:6): 1 reference\napp/app.go:5:17: func f() { shop.Unused() }"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCappedSearch holds that nothing left by a filter is told apart from
// nothing found, where gopls gives only its first hundred.
func TestCappedSearch(t *testing.T) {
	dir := workspace(t, "shop")
	var many strings.Builder
	many.WriteString("package shop\n\n")
	for i := range 150 {
		fmt.Fprintf(&many, "func Many%03d() {}\n", i)
	}
	write(t, filepath.Join(dir, "many.go"), many.String())
	c := gopls(t, setup{dir: dir})
	got := c.ask("workspace_symbol_search", args{"query": "Many", "kind_filter": "struct"})
	if want := "none of the first 100 symbols for \"Many\" is of kind struct\n[go gives at most 100: there may be more, which a longer name would find]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestBrokenWorkspace holds that nothing found in a workspace that gopls could
// not load is an error and no fact.
func TestBrokenWorkspace(t *testing.T) {
	dir := workspace(t, "shop")
	write(t, filepath.Join(dir, "go.mod"), "modul example.org/shop\n")
	c := gopls(t, setup{dir: dir})
	for tool, a := range map[string]args{
		"workspace_symbol_search": {"query": "Total"},
		"get_references":          {"file_path": "shop.go", "line": 17, "text": "Unused"},
		"get_diagnostics":         {"file_path": "shop.go", "wait_seconds": 1},
	} {
		got, err := c.try(tool, a)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, "not known yet") && !strings.Contains(got, "could not load the workspace") && !strings.Contains(got, "no package metadata") {
			t.Errorf("%s: %q, %v", tool, got, err)
		}
	}
}

// TestBadAddresses shows what a wrong address is answered with.
func TestBadAddresses(t *testing.T) {
	dir := workspace(t, "shop")
	write(t, filepath.Join(dir, "notes.xyz"), "text\n")
	write(t, filepath.Join(dir, "a\n[forged].xyz"), "text\n")
	write(t, filepath.Join(dir, "same.go"), "package shop\n\nfunc Same() {}\n\nfunc (p Price) Same() {}\n")
	c := gopls(t, setup{dir: dir})
	for _, q := range []struct {
		args args
		want string
	}{
		{args{"line": 1, "character": 1}, "give file_path and line"},
		{args{"file_path": "shop.go"}, "give file_path and line"},
		{args{"file_path": "shop.go", "line": 8, "symbol_name": "Total"}, "give either symbol_name or line, not both"},
		{args{"file_path": "shop.go", "line": 8, "text": "Total", "container": "x"}, "container go with symbol_name"},
		{args{"symbol_name": "::"}, "symbol_name is empty"},
		{args{"symbol_name": "Total", "symbol_kind": "thing"}, "unknown symbol kind"},
		{args{"symbol_name": "Totale"}, "no symbol Totale in the workspace"},
		{args{"symbol_name": "total"}, "there is function example.org.shop.Total"},
		{args{"symbol_name": "Cart.Total"}, "no symbol Cart.Total in the workspace"},
		{args{"symbol_name": "Total", "symbol_kind": "struct"}, "no symbol Total"},
		{args{"symbol_name": "Total", "file_path": "cart/cart.go"}, "cart/cart.go defines no Total"},
		{args{"symbol_name": "Same"}, "2 symbols are named Same"},
		{args{"file_path": "shop.go", "line": "1", "character": 1}, `line must be an integer, not "1"`},
		{args{"file_path": "shop.go", "line": 0, "character": 1}, "line must be at least 1, not 0"},
		{args{"file_path": "shop.go", "line": 8, "character": 1, "column": 3}, `has no argument "column": it takes file_path, line, character`},
		{args{"file_path": "shop.go", "line": 8}, "give text (the identifier on the line) or character"},
		{args{"file_path": "shop.go", "line": 999, "character": 1}, "line 999 is past the end of shop.go, which has 18 lines"},
		{args{"file_path": "shop.go", "line": 9, "text": "Total"}, "it stands on line 8, 7"},
		{args{"file_path": "shop.go", "line": 8, "text": "total"}, "in another case it stands on line 8, 7"},
		{args{"file_path": "shop.go", "line": 8, "text": "Tot"}, "the file does not have it at all"},
		{args{"file_path": "shop.go", "line": 8, "text": " "}, "text is empty"},
		{args{"file_path": "shop.go", "line": 9, "text": "Nowhere"}, "the file does not have it at all"},
		{args{"file_path": "missing.go", "line": 1, "character": 1}, "no such file"},
		{args{"file_path": "/etc/passwd", "line": 1, "character": 1}, "outside the workspace roots"},
		{args{"file_path": "cart", "line": 1, "character": 1}, "a directory; give a file in it"},
		{args{"file_path": "notes.xyz", "line": 1, "character": 1}, "no language server for notes.xyz"},
		{args{"file_path": "a\n[forged].xyz", "line": 1, "character": 1}, `no language server for a\n[forged].xyz`},
		{args{"file_path": "a\n[forged].xyz", "line": 9, "character": 1}, `past the end of a\n[forged].xyz`},
	} {
		if failed := c.fails("get_hover", q.args, -32602); !strings.Contains(failed.Message, q.want) {
			t.Errorf("%v: message %q lacks %q", q.args, failed.Message, q.want)
		}
	}
}
