package e2e_test

import (
	"cmp"
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var update = flag.Bool("update", false, "write the files that are made from answers anew")

// The outcomes in the matrix of tools and servers.
const (
	answered   = "yes"
	foundNone  = "none" // an answer, that there is nothing
	notOffered = "-"
)

// places are where the tools of the matrix are asked in one workspace: a use of
// a function, a type, an interface or base class if the workspace has one, and
// a file with an error.
type places struct {
	use, class, base args
	broken           string
}

// matrixServers are the servers of the matrix and where they are asked.
func matrixServers() []language {
	goServer := language{name: "gopls", needs: "gopls", id: "go", dir: "shapes"}
	return append([]language{goServer}, languages...)
}

var matrixPlaces = map[string]places{
	"shapes":     {at("shapes.go", 35, "Sum"), at("shapes.go", 12, "Kreis"), at("shapes.go", 7, "Shape"), "messy.go"},
	"python":     {at("shop/cart.py", 9, "total"), at("shop/prices.py", 6, "Größe"), at("shop/prices.py", 6, "Größe"), "shop/broken.py"},
	"typescript": {at("src/cart.ts", 7, "total"), at("src/cart.ts", 3, "Cart"), at("src/cart.ts", 3, "Cart"), "src/broken.ts"},
	"cpp":        {at("cart.cpp", 3, "total"), at("cart.h", 5, "Cart"), at("cart.h", 5, "Cart"), "broken.cpp"},
	"rust":       {at("src/cart.rs", 9, "total"), at("src/cart.rs", 3, "Cart"), at("src/prices.rs", 12, "Weigh"), "src/bin/broken.rs"},
	"shell":      {at("cart.sh", 5, "total"), at("cart.sh", 4, "label"), at("cart.sh", 4, "label"), "broken.sh"},
}

// matrixArgs gives the arguments with which a tool is asked; nil for a tool that
// asks no server.
func (p places) matrixArgs(tool string) args {
	file := args{"file_path": p.use["file_path"]}
	switch tool {
	case "get_server_logs", "get_server_messages", "get_tool_support", "restart_server", "get_cached_diagnostics":
		return nil
	case "get_document_symbols", "get_diagnostics", "get_folding_ranges", "get_inlay_hints", "format_document", "format_range":
		return file
	case "get_code_actions":
		return args{"file_path": p.broken}
	case "workspace_symbol_search":
		return args{"query": p.class["text"]}
	case "go_to_implementation", "get_subtypes":
		return p.base
	case "prepare_type_hierarchy", "get_supertypes", "go_to_type_definition":
		return p.class
	case "rename_symbol":
		renamed := maps.Clone(p.use)
		renamed["new_name"] = "renamed"
		return renamed
	}
	return p.use
}

// TestMatrix holds which tool works with which server to the matrix of the
// documentation. A server that is not installed is not held to it.
func TestMatrix(t *testing.T) {
	matrix := readMatrix(t)
	for _, l := range matrixServers() {
		t.Run(l.name, func(t *testing.T) {
			needServer(t, l.needs)
			s := l.setup(t, l.workspace(t), "")
			s.args = append(s.args, "--log-level", "error")
			s.env = map[string]string{}
			c := start(t, s)
			for _, tool := range c.tools() {
				a := matrixPlaces[l.dir].matrixArgs(tool)
				if a == nil {
					continue
				}
				got := c.outcome(tool, a)
				if *update {
					matrix.set(tool, l.name, got)
				} else if want := matrix.cells[tool][l.name]; got != want {
					t.Errorf("%s: %s, the matrix says %s", tool, got, want)
				}
			}
		})
	}
	if *update {
		matrix.write(t)
	}
}

func (c *client) tools() []string {
	c.t.Helper()
	list, err := c.session.ListTools(c.t.Context(), &mcp.ListToolsParams{})
	if err != nil {
		c.t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// nothingFound are the beginnings of what is said of an empty answer, behind
// the address.
var nothingFound = []string{"no ", "0 ", "nothing", "cannot", "not known"}

// outcome asks a tool until it has an answer and says what kind of one it is.
func (c *client) outcome(tool string, a args) string {
	c.t.Helper()
	var failed *jsonrpc.Error
	text, err := c.try(tool, a)
	for err != nil && retryable(err) {
		text, err = c.try(tool, a)
	}
	switch {
	case errors.As(err, &failed) && failed.Code == -32056:
		return notOffered
	case errors.As(err, &failed) && strings.Contains(string(failed.Data), "no_item"):
		return foundNone
	case err != nil:
		c.t.Logf("%s: %v", tool, err)
		return "error"
	}
	_, rest, _ := strings.Cut(text, ": ")
	isNothing := func(begin string) bool { return strings.HasPrefix(rest, begin) }
	clean := strings.HasPrefix(rest, "no errors or warnings")
	if strings.HasPrefix(text, "no symbol") || !clean && slices.ContainsFunc(nothingFound, isNothing) {
		return foundNone
	}
	return answered
}

// matrix is the table of testdata/matrix.txt: a row for each tool, a column for
// each server.
type matrix struct {
	servers []string
	cells   map[string]map[string]string
}

const matrixFile = "testdata/matrix.txt"

func readMatrix(t *testing.T) *matrix {
	t.Helper()
	m := &matrix{cells: map[string]map[string]string{}}
	for _, l := range matrixServers() {
		m.servers = append(m.servers, l.name)
	}
	data, err := os.ReadFile(matrixFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	header := strings.Fields(lines[0])
	for _, line := range lines[1:] {
		fields := strings.Fields(line)
		for i, cell := range fields[1:] {
			m.set(fields[0], header[i+1], cell)
		}
	}
	return m
}

func (m *matrix) set(tool, server, cell string) {
	if m.cells[tool] == nil {
		m.cells[tool] = map[string]string{}
	}
	m.cells[tool][server] = cell
}

func (m *matrix) write(t *testing.T) {
	t.Helper()
	var b strings.Builder
	b.WriteString("tool " + strings.Join(m.servers, " ") + "\n")
	for _, tool := range slices.Sorted(maps.Keys(m.cells)) {
		b.WriteString(tool)
		for _, server := range m.servers {
			b.WriteString(" " + cmp.Or(m.cells[tool][server], "?"))
		}
		b.WriteString("\n")
	}
	write(t, filepath.FromSlash(matrixFile), b.String())
}
