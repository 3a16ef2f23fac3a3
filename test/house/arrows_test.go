package house_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// row grants one package its imports inside the module.
type row struct {
	may    []string // folders from the module root
	reason string   // why the package needs them, or why it needs none
}

// allowed is the table of rule 1. A package without a row, an import that is
// not in its row and a row without a package are findings. Every package may
// import those in everywhere besides. Test files and packages below test/ may
// import anything; nothing may import test/ or internal/lsptest, except them.
var allowed = map[string]row{
	"cmd/mcpls": {
		[]string{"internal/cli", "internal/ownenv"},
		"hands the streams and arguments of the process to the commands",
	},
	"internal/cli": {
		[]string{"internal/app", "internal/config", "internal/launch", "internal/launch/reason", "internal/trust", "internal/trust/terminal", "internal/trust/web"},
		"its commands show configuration and launch plans, and run the app",
	},
	"internal/app": {
		[]string{
			"internal/mcpserver", "internal/router", "internal/workspace", "internal/config", "internal/launch", "internal/launch/reason",
			"internal/trust", "internal/trust/web", "internal/process", "internal/catalog", "internal/roots", "internal/lsp/protocol",
		},
		"the one place that joins the request wing and the launch wing",
	},
	"internal/mcpserver": {
		[]string{"internal/router", "internal/workspace", "internal/lsp/protocol"},
		"turns calls of MCP tools into requests and answers into results",
	},
	"internal/router": {
		[]string{"internal/lsp", "internal/workspace", "internal/lsp/protocol", "internal/catalog"},
		"picks the language server that answers a request",
	},
	"internal/lsp": {
		[]string{"internal/jsonrpc2", "internal/lsp/protocol", "internal/catalog"},
		"speaks the protocol over a connection that it is given",
	},
	"internal/lsp/protocol": {nil, "types of the wire, which all may share"},
	"internal/jsonrpc2":     {nil, "framing and calls, for any protocol"},
	"internal/workspace": {
		[]string{"internal/roots", "internal/lsp/protocol"},
		"reads documents under the roots and converts positions",
	},
	"internal/config": {
		[]string{"internal/roots", "internal/catalog"},
		"reads files below the roots and completes them from the catalog",
	},
	"internal/launch": {
		[]string{"internal/launch/reason", "internal/launch/policy", "internal/launch/typescript", "internal/config", "internal/catalog", "internal/roots"},
		"makes a launch plan from configuration, and starts nothing",
	},
	"internal/launch/policy": {
		[]string{"internal/launch/reason"},
		"judges a command by tables and by facts that it is handed, and says why not",
	},
	"internal/launch/reason": {nil, "data"},
	"internal/launch/typescript": {
		[]string{"internal/launch/reason"},
		"finds a program through an interface, and says in the launch's own words why it may not run",
	},
	"internal/trust": {
		[]string{"internal/launch", "internal/launch/reason", "internal/roots"},
		"decides on a launch plan",
	},
	"internal/trust/terminal": {
		[]string{"internal/trust"},
		"asks a person on the terminal",
	},
	"internal/trust/web": {
		[]string{"internal/trust"},
		"shows the cards of a review to a browser, and decides through it",
	},
	"internal/process": {
		[]string{"internal/trust", "internal/launch"},
		"starts a launch plan for which it holds a grant",
	},
	"internal/catalog": {nil, "data"},
	"internal/roots":   {nil, "paths, the ground of all file access"},
	"internal/quote":   {nil, "any package may import it, so it can import none"},
	"internal/ownenv":  {nil, "comes before all that reads the environment, so it imports nothing"},
	"internal/bug":     {nil, "any package may import it, so it imports nothing but quote"},
	"internal/lsptest": {nil, "a language server for tests, which shares no code with what it tests"},
}

// everywhere are the packages that each package may import.
var everywhere = []string{"internal/quote", "internal/bug"}

// The wings that must not meet below internal/app: text from a client travels
// through the request wing, and must not come near the code that decides what
// is started.
var (
	requestWing = []string{"internal/mcpserver", "internal/router", "internal/lsp", "internal/jsonrpc2", "internal/workspace"}
	launchWing  = []string{"internal/config", "internal/launch", "internal/trust", "internal/process"}
)

// node is a package of the module with its imports inside the module, all as
// folders from the module root. Imports of tests are not among them.
type node struct {
	pkg     string
	imports []string // direct
	deps    []string // direct and indirect
}

// inProgram reports whether the rules hold for the package.
func inProgram(pkg string) bool { return pkg != "test" && !strings.HasPrefix(pkg, "test/") }

// checkArrows returns a line for each import that its row does not grant, and
// for each package without a row.
func checkArrows(nodes []node, table map[string]row, everywhere []string) []string {
	var found []string
	for _, n := range nodes {
		if !inProgram(n.pkg) {
			continue
		}
		r, ok := table[n.pkg]
		if !ok {
			found = append(found, fmt.Sprintf("%s: no row in the table allowed: add one with its imports and a reason", n.pkg))
			continue
		}
		for _, to := range n.imports {
			if !slices.Contains(r.may, to) && !slices.Contains(everywhere, to) {
				found = append(found, fmt.Sprintf("%s: imports %s, which its row in the table allowed does not grant: pass a value or declare an interface instead", n.pkg, to))
			}
		}
	}
	return found
}

// checkUnused returns a line for each grant that no import of the nodes uses.
// The nodes are to hold the files for all systems.
func checkUnused(nodes []node, table map[string]row) []string {
	var found []string
	for pkg, r := range table {
		for _, to := range r.may {
			if !slices.ContainsFunc(nodes, func(n node) bool { return n.pkg == pkg && slices.Contains(n.imports, to) }) {
				found = append(found, fmt.Sprintf("%s: does not import %s, which its row in the table allowed grants: delete the grant", pkg, to))
			}
		}
	}
	return found
}

// checkAbsent returns a line for each row without a package.
func checkAbsent(nodes []node, table map[string]row) []string {
	var found []string
	for pkg := range table {
		if !slices.ContainsFunc(nodes, func(n node) bool { return n.pkg == pkg }) {
			found = append(found, fmt.Sprintf("%s: a row in the table allowed and no such package: delete the row", pkg))
		}
	}
	return found
}

// checkWings returns a line for each package of one wing that reaches a
// package of the other one, over however many imports.
func checkWings(nodes []node, from, to []string) []string {
	var found []string
	for _, n := range nodes {
		for _, dep := range n.deps {
			if slices.Contains(from, n.pkg) && slices.Contains(to, dep) {
				found = append(found, fmt.Sprintf("%s: reaches %s: let internal/app join the two", n.pkg, dep))
			}
		}
	}
	return found
}

// tableNodes returns the packages that import all that the table grants them.
func tableNodes(table map[string]row) []node {
	var nodes []node
	for pkg, r := range table {
		n := node{pkg: pkg, imports: r.may}
		for next := slices.Clone(r.may); len(next) > 0; next = next[1:] {
			if !slices.Contains(n.deps, next[0]) {
				n.deps = append(n.deps, next[0])
				next = append(next, table[next[0]].may...)
			}
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// listNodes asks the go command for the packages of the module. It sees the
// files of the present system only.
func listNodes(t *testing.T) []node {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,Deps", "./...")
	cmd.Dir = moduleRoot(t)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	nodes, err := decodeNodes(out)
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return nodes
}

// decodeNodes reads what go list -json writes: one object after the other.
func decodeNodes(out []byte) ([]node, error) {
	var nodes []node
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath    string
			Imports, Deps []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return nodes, nil
		} else if err != nil {
			return nil, err
		}
		if pkg, ok := inModule(p.ImportPath); ok {
			nodes = append(nodes, node{pkg, onlyModule(p.Imports), onlyModule(p.Deps)})
		}
	}
}

// fileNodes returns the packages of the parsed files, for all systems. They
// have no deps.
func fileNodes(files []*file) []node {
	var nodes []node
	for _, f := range files {
		var imports []string
		for _, spec := range f.ast.Imports {
			imports = append(imports, importPath(spec))
		}
		nodes = append(nodes, node{pkg: f.pkg, imports: onlyModule(imports)})
	}
	return nodes
}

// inModule returns the folder of a package of the module from the root.
func inModule(importPath string) (string, bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, prefix)
}

// onlyModule returns the folders of the import paths that are in the module.
func onlyModule(importPaths []string) []string {
	var pkgs []string
	for _, p := range importPaths {
		if pkg, ok := inModule(p); ok {
			pkgs = append(pkgs, pkg)
		}
	}
	return pkgs
}

// reportLines fails the test for each line, once.
func reportLines(t *testing.T, lines []string) {
	t.Helper()
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		t.Error(line)
	}
}

func TestArrows(t *testing.T) {
	nodes := append(listNodes(t), fileNodes(program(t))...)
	reportLines(t, checkArrows(nodes, allowed, everywhere))
}

// The go command tells which packages reach which, on this system. On all
// others the table tells: no import is outside it, so it must not join the
// wings either.
func TestWingsDoNotMeet(t *testing.T) {
	reportLines(t, checkWings(listNodes(t), requestWing, launchWing))
	reportLines(t, checkWings(tableNodes(allowed), requestWing, launchWing))
}

func TestEveryRowHasItsPackage(t *testing.T) {
	reportLines(t, checkAbsent(listNodes(t), allowed))
}

func TestEveryGrantIsUsed(t *testing.T) {
	reportLines(t, checkUnused(fileNodes(program(t)), allowed))
}

func TestEveryRowHasAReason(t *testing.T) {
	for pkg, r := range allowed {
		if r.reason == "" {
			t.Errorf("%s: no reason", pkg)
		}
		for _, to := range r.may {
			if _, ok := allowed[to]; !ok {
				t.Errorf("%s: may import %s, which has no row", pkg, to)
			}
		}
	}
}

// expectLines fails the test unless got is want, in any order.
func expectLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("found\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func TestCheckArrows(t *testing.T) {
	table := map[string]row{
		"internal/a": {[]string{"internal/b"}, "needs b"},
		"internal/b": {nil, "needs nothing"},
	}
	nodes := []node{
		{pkg: "internal/a", imports: []string{"internal/b", "internal/quote"}},
		{pkg: "internal/b", imports: []string{"internal/a"}},
		{pkg: "internal/c", imports: []string{"internal/a"}},
		{pkg: "test/fake", imports: []string{"internal/a"}},
	}
	expectLines(
		t, checkArrows(nodes, table, []string{"internal/quote"}),
		"internal/b: imports internal/a, which its row in the table allowed does not grant: pass a value or declare an interface instead",
		"internal/c: no row in the table allowed: add one with its imports and a reason",
	)
	expectLines(t, checkArrows(nodes[:1], table, []string{"internal/quote"}))
}

func TestCheckArrowsOfTestCode(t *testing.T) {
	nodes := []node{
		{pkg: "internal/router", imports: []string{"internal/lsptest", "test/fake"}},
	}
	expectLines(
		t, checkArrows(nodes, allowed, everywhere),
		"internal/router: imports internal/lsptest, which its row in the table allowed does not grant: pass a value or declare an interface instead",
		"internal/router: imports test/fake, which its row in the table allowed does not grant: pass a value or declare an interface instead",
	)
}

func TestCheckAbsent(t *testing.T) {
	table := map[string]row{"internal/a": {}, "internal/b": {}}
	expectLines(t, checkAbsent([]node{{pkg: "internal/a"}}, table),
		"internal/b: a row in the table allowed and no such package: delete the row")
}

func TestCheckUnused(t *testing.T) {
	table := map[string]row{
		"internal/a": {may: []string{"internal/b", "internal/c"}},
		"internal/b": {may: []string{"internal/c"}},
	}
	nodes := []node{ // of one file each
		{pkg: "internal/a", imports: []string{"internal/b"}},
		{pkg: "internal/a", imports: []string{"internal/c"}},
		{pkg: "internal/b", imports: []string{"internal/a"}},
	}
	expectLines(t, checkUnused(nodes, table),
		"internal/b: does not import internal/c, which its row in the table allowed grants: delete the grant")
}

func TestCheckWings(t *testing.T) {
	table := map[string]row{
		"internal/app":    {may: []string{"internal/router", "internal/launch"}},
		"internal/router": {may: []string{"internal/helper"}},
		"internal/helper": {may: []string{"internal/launch"}},
		"internal/launch": {},
	}
	expectLines(t, checkWings(tableNodes(table), requestWing, launchWing),
		"internal/router: reaches internal/launch: let internal/app join the two")
	table["internal/helper"] = row{}
	expectLines(t, checkWings(tableNodes(table), requestWing, launchWing))
}

func TestDecodeNodes(t *testing.T) {
	nodes, err := decodeNodes([]byte(`
		{"ImportPath": "fmt", "Imports": ["os"]}
		{"ImportPath": "mcpls/internal/a", "Imports": ["os", "mcpls/internal/b"], "Deps": ["mcpls/internal/b", "mcpls/internal/c", "mcplsx"]}
	`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(nodes), "[{internal/a [internal/b] [internal/b internal/c]}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := decodeNodes([]byte(`{"ImportPath": "a"} {`)); err == nil {
		t.Error("no error for half an object")
	}
}

// An import that only another system builds is an arrow as well.
func TestFileNodes(t *testing.T) {
	files := fixture(t, map[string]string{
		"internal/roots/roots_windows.go": "package roots\n\nimport _ \"mcpls/internal/trust\"\n",
	})
	expectLines(t, checkArrows(fileNodes(files), allowed, everywhere),
		"internal/roots: imports internal/trust, which its row in the table allowed does not grant: pass a value or declare an interface instead")
}
