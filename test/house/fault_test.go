package house_test

import (
	"go/ast"
	"strings"
	"testing"
)

// checkGoroutines holds that every goroutine of the program defers bug.Exit
// first: a panic in another one would end mcpls without its servers. It knows a
// goroutine by a go statement and by a call of a method Go, and looks for a
// named function in the package where it is started. Goroutines of libraries it
// cannot see.
func checkGoroutines(files []*file) []finding {
	var found []finding
	for _, f := range files {
		if f.pkg == "internal/bug" {
			continue // what ends the program cannot wait for itself
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			started := startedBy(n)
			if started != nil && !guarded(started, f.pkg, files) {
				found = append(found, f.finding(n.Pos(), "a goroutine that does not begin with defer bug.Exit()"))
			}
			return true
		})
	}
	return found
}

// startedBy gives the function that a node runs in a goroutine; nil when it
// runs none.
func startedBy(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.GoStmt:
		return n.Call.Fun
	case *ast.CallExpr:
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Go" && len(n.Args) == 1 {
			return n.Args[0]
		}
	}
	return nil
}

func guarded(function ast.Expr, pkg string, files []*file) bool {
	switch function := function.(type) {
	case *ast.FuncLit:
		return beginsWithExit(function.Body)
	case *ast.SelectorExpr:
		return namedGuarded(function.Sel.Name, pkg, files)
	case *ast.Ident:
		return namedGuarded(function.Name, pkg, files)
	}
	return false
}

func namedGuarded(name, pkg string, files []*file) bool {
	known := false
	for _, f := range files {
		for _, decl := range f.ast.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && f.pkg == pkg && d.Name.Name == name {
				if known = true; !beginsWithExit(d.Body) {
					return false
				}
			}
		}
	}
	return known
}

func beginsWithExit(body *ast.BlockStmt) bool {
	if body == nil || len(body.List) == 0 {
		return false
	}
	first, ok := body.List[0].(*ast.DeferStmt)
	if !ok {
		return false
	}
	sel, ok := first.Call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Exit" {
		return false
	}
	of, ok := sel.X.(*ast.Ident)
	return ok && of.Name == "bug"
}

func TestGoroutinesEndInOrder(t *testing.T) { report(t, checkGoroutines(program(t))) }

func TestCheckGoroutines(t *testing.T) {
	files := fixture(t, map[string]string{"internal/a/a.go": `package a

func start(g group) {
	go func() { defer bug.Exit(); work() }()
	g.Go(func() { defer bug.Exit(); work() })
	go loop()
	go func() { work() }()
	g.Go(work)
	go elsewhere.Loop()
	go func() { defer work(); defer bug.Exit() }()
}

func loop() { defer bug.Exit() }

func work() {}
`})
	var lines []string
	for _, found := range checkGoroutines(files) {
		place, _, _ := strings.Cut(found.String(), ": ")
		lines = append(lines, place)
	}
	expectLines(t, lines, "internal/a/a.go:7", "internal/a/a.go:8", "internal/a/a.go:9", "internal/a/a.go:10")
}
