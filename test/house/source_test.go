// Package house_test checks the three rules of the house on the source of the
// module, so that no reviewer has to:
//
//  1. arrows: a package imports only what the table in arrows_test.go grants;
//  2. permission is a value: only the launcher starts a program, and only the
//     gate makes the value that permits it (permission_test.go);
//  3. nothing raw: text reaches a person, a log or a model only through the
//     one function made for it (raw_test.go).
//
// Rules 2 and 3 read the syntax of every file, whatever system it is built
// for, and not its types. Each checker says what that cannot see.
package house_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the path of the module, and prefix what the import paths of its
// packages begin with.
const (
	module = "mcpls"
	prefix = module + "/"
)

// file is one parsed Go file that is not a test.
type file struct {
	pkg  string // directory, from the module root: internal/quote
	name string // path, from the module root: internal/quote/quote.go
	ast  *ast.File
	fset *token.FileSet
}

// finding is one breach of a rule.
type finding struct {
	file string // path from the module root
	line int
	text string // what is wrong, and what to do instead
}

func (f finding) String() string { return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.text) }

// finding returns a finding at a place in f.
func (f *file) finding(pos token.Pos, format string, args ...any) finding {
	return finding{f.name, f.fset.Position(pos).Line, fmt.Sprintf(format, args...)}
}

// parseFile parses the file of the given path from the module root.
func parseFile(name string, src []byte) (*file, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &file{pkg: path.Dir(name), name: name, ast: tree, fset: fset}, nil
}

// parseProgram parses every Go file below root that can be part of the
// program, for all systems and build tags. It leaves out
//
//   - tests, all of test/ and internal/lsptest, which rule 1 keeps out of the
//     program;
//   - folders that the go command passes over: testdata, and names that begin
//     with a dot or an underscore (were one imported, rule 1 would name it);
//   - other modules inside this one, such as tools/.
func parseProgram(root string) ([]*file, error) {
	var files []*file
	err := filepath.WalkDir(root, func(full string, entry fs.DirEntry, err error) error {
		if err != nil || full == root {
			return err
		}
		name, err := filepath.Rel(root, full)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if entry.IsDir() {
			if outside(root, name) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(full)
		if err != nil {
			return err
		}
		f, err := parseFile(name, src)
		files = append(files, f)
		return err
	})
	return files, err
}

// outside reports whether the folder dir, named from the root, cannot hold
// files of the program.
func outside(root, dir string) bool {
	base := path.Base(dir)
	if dir == "test" || dir == "internal/lsptest" || base == "testdata" || base[0] == '.' || base[0] == '_' {
		return true
	}
	_, err := os.Stat(filepath.Join(root, dir, "go.mod"))
	return err == nil
}

// program parses the program that this test belongs to.
func program(t *testing.T) []*file {
	t.Helper()
	files, err := parseProgram(moduleRoot(t))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// moduleRoot returns the folder of go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(strings.TrimSpace(string(out)))
}

// importPath returns the path that spec imports.
func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value // not reached: the parser checked it
	}
	return p
}

// use is one mention of a name of another package, or an import.
type use struct {
	pkg, name string // import path and name, such as os and Stdout
	node      ast.Node
}

// String returns the use as package and name, or the package alone for an
// import.
func (u use) String() string { return strings.TrimSuffix(u.pkg+"."+u.name, ".") }

// uses returns the mentions of exported names in f, under whatever name their
// package was imported. After a dot import every plain identifier counts as a
// mention, because syntax cannot tell whose it is. A local variable that
// shadows a package is taken for the package; a package whose name differs
// from the end of its path is found only if it was imported with a name.
func (f *file) uses() []use {
	named, dotted := f.imports()
	var found []use
	selected := map[*ast.Ident]bool{}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.SelectorExpr:
			selected[n.Sel] = true
			if x, ok := n.X.(*ast.Ident); ok && named[x.Name] != "" {
				found = append(found, use{named[x.Name], n.Sel.Name, n})
			}
		case *ast.Ident:
			for _, p := range dotted {
				if !selected[n] {
					found = append(found, use{p, n.Name, n})
				}
			}
		}
		return true
	})
	return found
}

// imports returns the imports of f: the path for each local name, and the
// paths of dot imports.
func (f *file) imports() (named map[string]string, dotted []string) {
	named = map[string]string{}
	for _, spec := range f.ast.Imports {
		p := importPath(spec)
		switch {
		case spec.Name == nil:
			named[path.Base(p)] = p
		case spec.Name.Name == ".":
			dotted = append(dotted, p)
		default:
			named[spec.Name.Name] = p
		}
	}
	return named, dotted
}

// literals calls visit for each composite literal in root with the expression
// of its type. A literal inside another one may leave its type out; visit then
// gets the one that the outer literal gives it, without the pointer's star.
func literals(root ast.Node, visit func(lit *ast.CompositeLit, typ ast.Expr)) {
	given := map[*ast.CompositeLit]ast.Expr{}
	ast.Inspect(root, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		typ := lit.Type
		if typ == nil {
			typ = given[lit]
		}
		visit(lit, typ)
		key, elem := elements(typ)
		for _, e := range lit.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				give(given, pair.Key, key)
				e = pair.Value
			}
			give(given, e, elem)
		}
		return true
	})
}

// give notes the type of e, without its star, if e is a literal.
func give(given map[*ast.CompositeLit]ast.Expr, e, typ ast.Expr) {
	if lit, ok := e.(*ast.CompositeLit); ok && typ != nil {
		given[lit] = bare(typ)
	}
}

// elements returns the key and element types of a slice, array or map type,
// nil where there is none.
func elements(typ ast.Expr) (key, elem ast.Expr) {
	switch typ := typ.(type) {
	case *ast.ArrayType:
		return nil, typ.Elt
	case *ast.MapType:
		return typ.Key, typ.Value
	}
	return nil, nil
}

// bare returns e without stars and parentheses around it.
func bare(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.StarExpr:
		return bare(x.X)
	case *ast.ParenExpr:
		return bare(x.X)
	}
	return e
}

// report fails the test for each finding.
func report(t *testing.T, findings []finding) {
	t.Helper()
	for _, f := range findings {
		t.Error(f)
	}
}

// fixture parses sources that a test holds, by their path from the root.
func fixture(t *testing.T, sources map[string]string) []*file {
	t.Helper()
	var files []*file
	for name, src := range sources {
		f, err := parseFile(name, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b *file) int { return cmp.Compare(a.name, b.name) })
	return files
}

// expect fails the test unless the findings are those wanted, in any order.
func expect(t *testing.T, got []finding, want ...string) {
	t.Helper()
	var lines []string
	for _, f := range got {
		lines = append(lines, f.String())
	}
	slices.Sort(lines)
	slices.Sort(want)
	if !slices.Equal(lines, want) {
		t.Errorf("found\n\t%s\nwant\n\t%s", strings.Join(lines, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func TestParseProgram(t *testing.T) {
	root := t.TempDir()
	for name, src := range map[string]string{
		"internal/a/a.go":               "package a",
		"internal/a/a_windows.go":       "package a",
		"internal/a/gen.go":             "//go:build ignore\n\npackage main",
		"internal/a/a_test.go":          "package a",
		"internal/a/testdata/broken.go": "pack",
		"internal/_old/old.go":          "package old",
		".git/x.go":                     "package x",
		"test/fake/main.go":             "package main",
		"tools/go.mod":                  "module tools",
		"tools/tool.go":                 "package tools",
		"internal/test/t.go":            "package test",
	} {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files, err := parseProgram(root)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.name)
	}
	want := []string{"internal/a/a.go", "internal/a/a_windows.go", "internal/a/gen.go", "internal/test/t.go"}
	if !slices.Equal(names, want) {
		t.Errorf("parsed %q, want %q", names, want)
	}
}

func TestProgramIsFound(t *testing.T) {
	for _, f := range program(t) {
		if f.name == "internal/quote/quote.go" {
			return
		}
	}
	t.Error("internal/quote/quote.go is not among the parsed files")
}
