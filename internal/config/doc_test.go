package config

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/pelletier/go-toml/v2"

	"mcpls/internal/catalog"
)

var update = flag.Bool("update", false, "write docs/configuration.md and docs/mcpls.schema.json anew")

const (
	configurationDoc = "../../docs/configuration.md"
	schemaFile       = "../../docs/mcpls.schema.json"
	// madeBelow parts what is written by hand from what is made of the keys.
	madeBelow = "<!-- Made from internal/config by `make generate`; a test holds it to the code. -->\n"
)

// TestConfigurationDoc holds the reference of the keys against their table.
func TestConfigurationDoc(t *testing.T) {
	text, err := os.ReadFile(configurationDoc)
	if err != nil {
		t.Fatal(err)
	}
	byHand, _, found := strings.Cut(string(text), madeBelow)
	if !found {
		t.Fatalf("%s has no line %s", configurationDoc, madeBelow)
	}
	expectFile(t, configurationDoc, byHand+madeBelow+reference())
}

func TestSchemaFile(t *testing.T) { expectFile(t, schemaFile, Schema()) }

func expectFile(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s is out of date: make generate (%v)", path, err)
	}
}

// reference is the built-in servers, and every key with its type, default,
// bounds, meaning and example.
func reference() string {
	var b strings.Builder
	b.WriteString("\n## Built-in servers\n\n| id | program, else the next | where the workspace has |\n|---|---|---|\n")
	for _, d := range builtins(catalog.Servers()) {
		programs := "`" + d.Command + "`"
		for _, other := range d.Others {
			programs += ", `" + other.Command + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` |\n", d.ID, programs, strings.Join(d.Heuristics.ProjectMarkers, "`, `"))
	}
	b.WriteString("\n## Every key\n")
	for _, s := range sections() {
		header := "At the top"
		if s.header != "" {
			header = "`" + s.header + "`"
		}
		fmt.Fprintf(&b, "\n### %s\n", header)
		for _, k := range s.keys {
			fmt.Fprintf(&b, "\n**`%s`**: %s\n\n- %s\n- Example: `%s = %s`\n", k.within(), k.about, k.facts(), k.within(), k.example)
		}
	}
	return b.String()
}

func (k key) facts() string {
	text := strings.ToUpper(k.kind()[:1]) + k.kind()[1:]
	if k.without != "" {
		text += ", default `" + k.without + "`"
	}
	if limits := k.limits(); limits != "" {
		text += "; " + limits
	}
	return text
}

// kind is the type in words.
func (k key) kind() string {
	if k.orList {
		return "a string or a list of strings"
	}
	return wanted(strings.Split(k.path, "."))
}

// TestKeys holds that the table has every key of the structs and no other, and
// that what it gives as default and example is one.
func TestKeys(t *testing.T) {
	inTable := map[string]bool{}
	for _, k := range keys {
		inTable[k.path] = true
		for _, value := range []string{k.without, k.example} {
			if text, _ := fileWith(k, value); value != "" {
				if _, err := decode("f", []byte(text)); err != nil {
					t.Errorf("%s = %s: %v", k.path, value, err)
				}
			}
		}
		if k.about == "" || k.example == "" || k.without == k.example {
			t.Errorf("%s: about %q, example %q, default %q", k.path, k.about, k.example, k.without)
		}
	}
	inStructs := 0
	for _, path := range paths(reflect.TypeFor[File](), "") {
		inStructs++
		if !inTable[path] {
			t.Errorf("the table of keys has no %s", path)
		}
	}
	if inStructs != len(keys) {
		t.Errorf("%d keys in the table, %d in the structs", len(keys), inStructs)
	}
}

// paths are the keys of a struct that are no tables.
func paths(t reflect.Type, prefix string) []string {
	if t.Kind() != reflect.Struct {
		return []string{strings.TrimSuffix(prefix, ".")}
	}
	var list []string
	for i := range t.NumField() {
		list = append(list, paths(inner2(t.Field(i).Type), prefix+t.Field(i).Tag.Get("toml")+".")...)
	}
	return list
}

// inner2 gives the struct that a list is of, else the type itself.
func inner2(t reflect.Type) reflect.Type {
	if inner(t).Kind() == reflect.Struct {
		return inner(t)
	}
	return t
}

// TestSchema holds that the schema allows what is well, and refuses what the
// check refuses as far as a schema can.
func TestSchema(t *testing.T) {
	var schema jsonschema.Schema
	if err := json.Unmarshal([]byte(Schema()), &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	valid := func(text string) error {
		var plain map[string]any
		if err := toml.Unmarshal([]byte(text), &plain); err != nil {
			t.Fatal(err)
		}
		asJSON, err := json.Marshal(plain)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(asJSON, &value); err != nil {
			t.Fatal(err)
		}
		return resolved.Validate(value)
	}
	for _, text := range []string{"", everyKey, Default(), uncommented(Default())} {
		if err := valid(text); err != nil {
			t.Errorf("%.40q is refused: %v", text, err)
		}
	}
	const server = "[[lsp_servers]]\nlanguage_id = 'x'\ncommand = 'x'\n"
	for _, text := range []string{
		"x = 1", "mcp.titel = ''", "[[lsp_servers]]\ncommand = 'x'", server + "comand = 'x'", "mcp.title = 1", "mcp.output = 'xml'",
		"mcp.tools = 'some'", "mcp.tools = []", "mcp.tool_prefix = 'a.b'", "mcp.max_result_bytes = 999", "mcp.title = '" + strings.Repeat("x", 129) + "'",
		"workspace.roots = ['']", "workspace.position_encodings = []", "workspace.position_encodings = ['utf-7']",
		"workspace.heuristics_max_depth = 65", "workspace.max_documents = -1", "workspace.language_extensions = [{extensions = ['a']}]",
		server + "handles = []", server + "handles = ['hovr']", server + "env = {A = 1}", server + "timeout_seconds = 901",
		server + "indexing = 'off'", server + "heuristics.project_marker = []", server + "heuristics.project_markers = [1]",
	} {
		if err := valid(text); err == nil {
			t.Errorf("%q is allowed", text)
		}
		if _, err := decode("f", []byte(text)); err == nil {
			t.Errorf("the check allows %q", text)
		}
	}
}
