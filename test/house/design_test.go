package house_test

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"testing"
)

// TestDesignNamesExist holds that every function that docs/design.md names as
// package.Name or package.Type.Name exists.
func TestDesignNamesExist(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(moduleRoot(t), "docs", "design.md"))
	if err != nil {
		t.Fatal(err)
	}
	known := declared(program(t))
	names := regexp.MustCompile("`([a-z0-9]+\\.[A-Za-z0-9.]+)`").FindAllStringSubmatch(string(text), -1)
	if len(names) < 20 {
		t.Fatalf("%d names found: the way of a request is not described", len(names))
	}
	for _, name := range names {
		if !known[name[1]] && path.Ext(name[1]) != ".md" {
			t.Errorf("docs/design.md names %s, which does not exist", name[1])
		}
	}
}

// declared gives the functions, methods and types of the program as
// package.Name and package.Type.Name.
func declared(files []*file) map[string]bool {
	known := map[string]bool{}
	for _, f := range files {
		in := f.ast.Name.Name + "."
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				known[in+receiver(d)+d.Name.Name] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok {
						known[in+spec.Name.Name] = true
					}
				}
			}
		}
	}
	return known
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	of := d.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name + "."
	}
	return ""
}
