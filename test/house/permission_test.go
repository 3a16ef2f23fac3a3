package house_test

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// starter is the package that may start a program and step around the type
// system to do so.
const starter = "internal/process"

// startImports are the imports that only the starter may have. Each can start a
// program or can forge a value that permits it.
var startImports = []string{"os/exec", "golang.org/x/sys/execabs", "unsafe", "plugin", "C"}

// startNames are the names that only the starter may mention, by import path. A
// name may be a pattern of path.Match.
var startNames = map[string][]string{
	"os":                       {"StartProcess"},
	"syscall":                  {"ForkExec", "Exec", "StartProcess", "CreateProcess*"},
	"golang.org/x/sys/unix":    {"Exec"},
	"golang.org/x/sys/windows": {"CreateProcess*", "ShellExecute*"},
}

// checkStart returns the places outside the starter that can start a program,
// and the go:linkname comments, which can reach any function.
//
// It cannot see a system call made by number (syscall.RawSyscall), assembly,
// or a package of another module that starts programs in its turn.
func checkStart(files []*file) []finding {
	const instead = "only internal/process starts programs: hand it a launch plan with its grant"
	var found []finding
	for _, f := range files {
		if f.pkg == starter {
			continue
		}
		for _, spec := range f.ast.Imports {
			if p := importPath(spec); slices.Contains(startImports, p) {
				found = append(found, f.finding(spec.Pos(), "import of %s: %s", p, instead))
			}
		}
		for _, u := range f.uses() {
			if matchesAny(startNames[u.pkg], u.name) {
				found = append(found, f.finding(u.node.Pos(), "%s: %s", u, instead))
			}
		}
		found = append(found, linknames(f, instead)...)
	}
	return found
}

// linknames returns a finding for each go:linkname comment in f.
func linknames(f *file, instead string) []finding {
	var found []finding
	for _, group := range f.ast.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:linkname") {
				found = append(found, f.finding(c.Pos(), "go:linkname: %s", instead))
			}
		}
	}
	return found
}

// matchesAny reports whether name matches one of the patterns.
func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, err := path.Match(pattern, name)
		return err == nil && ok
	})
}

// trustPkg is the package of the type Grant.
const trustPkg = "internal/trust"

// checkGrant returns the places where a trust.Grant can come from, other than
// the method Check of Gate in internal/trust, and what would let such a place
// hide: an exported field, a second name for the type. When there is a package
// trust, it also wants the type and a grant made in Check, so that a renaming
// does not leave the rule without work.
//
// A Grant is made by a composite literal with elements, by a conversion, or by
// an assignment to a field; for the latter every field that has the name of a
// field of Grant counts, whatever its type. The check cannot see the use of
// reflection, a copy of a grant to a place where it is not meant to be, or a
// type parameter that stands for Grant.
func checkGrant(files []*file) []finding {
	const instead = "only (*Gate).Check in internal/trust makes a grant: ask it"
	var trust []*file
	for _, f := range files {
		if f.pkg == trustPkg {
			trust = append(trust, f)
		}
	}
	fields, found := grantFields(trust)
	checked := false
	for _, f := range files {
		for _, decl := range f.ast.Decls {
			made := append(grantsMade(f, decl), fieldsAssigned(f, decl, fields)...)
			if isGateCheck(f, decl) {
				checked = checked || len(made) > 0
				continue
			}
			for _, pos := range made {
				found = append(found, f.finding(pos, "makes or changes a trust.Grant: %s", instead))
			}
			for _, pos := range grantNames(f, decl) {
				found = append(found, f.finding(pos, "another name for trust.Grant: use the type itself"))
			}
		}
	}
	if len(trust) > 0 && !checked {
		found = append(found, trust[0].finding(trust[0].ast.Package, "no (*Gate).Check makes a Grant: if they have other names now, change this rule"))
	}
	return found
}

// isGateCheck reports whether decl is the method that may make a Grant.
func isGateCheck(f *file, decl ast.Decl) bool {
	fn, ok := decl.(*ast.FuncDecl)
	if !ok || f.pkg != trustPkg || fn.Recv == nil || fn.Name.Name != "Check" {
		return false
	}
	recv, ok := bare(fn.Recv.List[0].Type).(*ast.Ident)
	return ok && recv.Name == "Gate"
}

// isGrant reports whether e names the type Grant of internal/trust in f.
func isGrant(f *file, e ast.Expr) bool {
	named, dotted := f.imports()
	switch e := bare(e).(type) {
	case *ast.Ident:
		return e.Name == "Grant" && (f.pkg == trustPkg || slices.Contains(dotted, prefix+trustPkg))
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		return ok && e.Sel.Name == "Grant" && named[x.Name] == prefix+trustPkg
	}
	return false
}

// grantsMade returns where decl makes a Grant that may not be zero.
func grantsMade(f *file, decl ast.Decl) []token.Pos {
	var made []token.Pos
	literals(decl, func(lit *ast.CompositeLit, typ ast.Expr) {
		if typ != nil && isGrant(f, typ) && len(lit.Elts) > 0 {
			made = append(made, lit.Pos())
		}
	})
	ast.Inspect(decl, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && isGrant(f, call.Fun) {
			made = append(made, call.Pos())
		}
		return true
	})
	return made
}

// grantNames returns where decl declares another name for Grant.
func grantNames(f *file, decl ast.Decl) []token.Pos {
	var names []token.Pos
	ast.Inspect(decl, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && isGrant(f, spec.Type) {
			names = append(names, spec.Pos())
		}
		return true
	})
	return names
}

// grantFields returns the names of the fields of the struct Grant, and a
// finding for each that is exported.
func grantFields(trust []*file) (fields []string, found []finding) {
	for _, f := range trust {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != "Grant" {
				return true
			}
			str, ok := spec.Type.(*ast.StructType)
			if !ok {
				found = append(found, f.finding(spec.Pos(), "Grant is no struct: make it one whose fields are not exported"))
				return true
			}
			for _, name := range fieldNames(str) {
				fields = append(fields, name.Name)
				if name.IsExported() {
					found = append(found, f.finding(name.Pos(), "field %s of Grant is exported: any package could set it", name.Name))
				}
			}
			return true
		})
	}
	return fields, found
}

// fieldNames returns the names of the fields of str. An embedded field has the
// name of its type.
func fieldNames(str *ast.StructType) []*ast.Ident {
	var names []*ast.Ident
	for _, field := range str.Fields.List {
		names = append(names, field.Names...)
		if len(field.Names) > 0 {
			continue
		}
		switch typ := bare(field.Type).(type) {
		case *ast.Ident:
			names = append(names, typ)
		case *ast.SelectorExpr:
			names = append(names, typ.Sel)
		}
	}
	return names
}

// fieldsAssigned returns where decl, in package trust, assigns to one of the
// fields or takes its address. Elsewhere the compiler forbids it.
func fieldsAssigned(f *file, decl ast.Decl, fields []string) []token.Pos {
	if f.pkg != trustPkg {
		return nil
	}
	var targets []ast.Expr
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			targets = append(targets, n.Lhs...)
		case *ast.IncDecStmt:
			targets = append(targets, n.X)
		case *ast.RangeStmt:
			targets = append(targets, n.Key, n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				targets = append(targets, n.X)
			}
		}
		return true
	})
	var assigned []token.Pos
	for _, target := range targets {
		if target != nil && throughField(target, fields) {
			assigned = append(assigned, target.Pos())
		}
	}
	return assigned
}

// throughField reports whether the place that e names is one of the fields, or
// lies behind one: g.dir, g.env["A"] and (*g.plan).args do for dir, env, plan.
func throughField(e ast.Expr, fields []string) bool {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return slices.Contains(fields, e.Sel.Name) || throughField(e.X, fields)
	case *ast.IndexExpr:
		return throughField(e.X, fields)
	case *ast.StarExpr:
		return throughField(e.X, fields)
	case *ast.ParenExpr:
		return throughField(e.X, fields)
	}
	return false
}

func TestOnlyProcessStartsPrograms(t *testing.T) { report(t, checkStart(program(t))) }

func TestOnlyTheGateMakesGrants(t *testing.T) { report(t, checkGrant(program(t))) }

func TestCheckStart(t *testing.T) {
	const instead = ": only internal/process starts programs: hand it a launch plan with its grant"
	expect(
		t, checkStart(fixture(t, map[string]string{
			"internal/a/a_windows.go": `package a

import (
	"os"
	"os/exec"
	. "syscall"
	_ "unsafe"
	"plugin"
	"C"

	win "golang.org/x/sys/windows"
	"golang.org/x/sys/unix"
)

//go:linkname forkExec syscall.forkExec
func f() {
	os.StartProcess("a", nil, nil)
	run := ForkExec
	win.CreateProcessAsUser()
	unix.Exec("a", nil, nil)
	os.Exit(1)
	x.StartProcess()
}
`,
			"internal/process/p.go": "package process\n\nimport \"os/exec\"\n\nvar c = exec.Command\n",
			"internal/process/q.go": "package process\n\nimport \"unsafe\"\n\n//go:linkname a b\n",
			"internal/b/b.go":       "package b\n\nimport (\n\t\"os\"\n\t\"syscall\"\n)\n\nvar a, b = os.Getpid, syscall.SIGTERM\n",
		})),
		"internal/a/a_windows.go:5: import of os/exec"+instead,
		"internal/a/a_windows.go:7: import of unsafe"+instead,
		"internal/a/a_windows.go:8: import of plugin"+instead,
		"internal/a/a_windows.go:9: import of C"+instead,
		"internal/a/a_windows.go:15: go:linkname"+instead,
		"internal/a/a_windows.go:17: os.StartProcess"+instead,
		"internal/a/a_windows.go:18: syscall.ForkExec"+instead,
		"internal/a/a_windows.go:19: golang.org/x/sys/windows.CreateProcessAsUser"+instead,
		"internal/a/a_windows.go:20: golang.org/x/sys/unix.Exec"+instead,
	)
}

// gateSource is a package trust that keeps the rule.
const gateSource = `package trust

type Grant struct {
	plan *plan
	env  map[string]string
}

type Gate struct{ store store }

func (g *Gate) Check() (Grant, error) {
	if g == nil {
		return Grant{}, errNo
	}
	grant := Grant{plan: g.store.plan}
	grant.env = nil
	return grant, nil
}

func (g Grant) Plan() *plan { return g.plan }
`

func TestCheckGrantClean(t *testing.T) {
	expect(t, checkGrant(fixture(t, map[string]string{
		"internal/trust/gate.go": gateSource,
		"internal/process/p.go": `package process

import (
	"example.com/lock"
	"mcpls/internal/trust"
)

type Grant struct{ a int }

var (
	none trust.Grant
	zero = trust.Grant{}
	list = []trust.Grant{none}
	mine = Grant{a: 1}
	lent = lock.Grant{A: 1}
)

func start(g trust.Grant) { none = g }
`,
	})))
	expect(t, checkGrant(fixture(t, map[string]string{"internal/a/a.go": "package a\n"})))
}

func TestCheckGrant(t *testing.T) {
	const makes = ": makes or changes a trust.Grant: only (*Gate).Check in internal/trust makes a grant: ask it"
	const renames = ": another name for trust.Grant: use the type itself"
	expect(
		t, checkGrant(fixture(t, map[string]string{
			"internal/trust/gate.go": gateSource,
			"internal/trust/more.go": `package trust

type other = Grant

var forever = &Grant{plan: nil}

func Check() Grant { return Grant{nil, nil} }

func (p *Policy) Check(g Grant) {
	g.plan = nil
	g.env["A"] = "b"
	(*g.plan).n++
	for g.plan = range nil {
	}
	use(&g.env)
	use(Grant(x), g.plan, g.env["A"])
	g = Grant{}
}

func (g *Gate) Renew() Grant { return Grant{plan: nil} }
`,
			"internal/process/p.go": `package process

import t "mcpls/internal/trust"

type mine t.Grant

var a = []*t.Grant{{x: 1}}
var b = map[string]t.Grant{"a": {x: 1}, "b": {}}
var c = (*t.Grant)(nil)
var d = []*[]t.Grant{{{x: 1}}}

type Gate struct{}

func (g *Gate) Check() t.Grant { return t.Grant{x: 1} }
`,
			"internal/app/a.go": `package app

import . "mcpls/internal/trust"

var g = Grant{x: 1}
`,
		})),
		"internal/trust/more.go:3"+renames,
		"internal/trust/more.go:5"+makes,
		"internal/trust/more.go:7"+makes,
		"internal/trust/more.go:10"+makes,
		"internal/trust/more.go:11"+makes,
		"internal/trust/more.go:12"+makes,
		"internal/trust/more.go:13"+makes,
		"internal/trust/more.go:15"+makes,
		"internal/trust/more.go:16"+makes,
		"internal/trust/more.go:20"+makes,
		"internal/process/p.go:5"+renames,
		"internal/process/p.go:7"+makes,
		"internal/process/p.go:8"+makes,
		"internal/process/p.go:9"+makes,
		"internal/process/p.go:10"+makes,
		"internal/process/p.go:14"+makes,
		"internal/app/a.go:5"+makes,
	)
}

func TestCheckGrantFields(t *testing.T) {
	const field = " of Grant is exported: any package could set it"
	expect(
		t, checkGrant(fixture(t, map[string]string{
			"internal/trust/gate.go": `package trust

type Grant struct {
	Plan *plan
	a, B int
	*Policy
	launch.Plan
	inner
}

func (g Gate) Check() Grant { return Grant{a: 1} }
`,
		})),
		"internal/trust/gate.go:4: field Plan"+field,
		"internal/trust/gate.go:5: field B"+field,
		"internal/trust/gate.go:6: field Policy"+field,
		"internal/trust/gate.go:7: field Plan"+field,
	)
}

func TestCheckGrantWithoutWork(t *testing.T) {
	expect(t, checkGrant(fixture(t, map[string]string{
		"internal/trust/gate.go": "package trust\n\ntype Permit struct{ a int }\n\nfunc (g *Gate) Check() Permit { return Permit{a: 1} }\n",
	})),
		"internal/trust/gate.go:1: no (*Gate).Check makes a Grant: if they have other names now, change this rule")
	expect(t, checkGrant(fixture(t, map[string]string{
		"internal/trust/gate.go": "package trust\n\ntype Grant int\n\nfunc (g *Gate) Check() Grant { return Grant(1) }\n",
	})),
		"internal/trust/gate.go:3: Grant is no struct: make it one whose fields are not exported")
}
