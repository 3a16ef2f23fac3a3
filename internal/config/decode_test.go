package config

import (
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"mcpls/internal/catalog"
)

// everyKey sets every key there is, none to its default.
const everyKey = `
builtin_servers = false

[mcp]
title = "t"
description = "d"
instructions = "i"
tool_prefix = "p_"
tools = ["get_hover", "get_definition"]
output = "json"
max_result_bytes = 1000

[workspace]
roots = ["a", "/b"]
position_encodings = ["utf-32"]
heuristics_max_depth = 1
max_documents = 2
max_file_size = 3
max_concurrent_server_starts = 4
indexing_ready_timeout_seconds = 5

[[workspace.language_extensions]]
extensions = ["x", "y"]
language_id = "z"

[trust]
elicitation = true
pin_executables = true

[[lsp_servers]]
language_id = "go"
name = "n"
handles = ["hover", "diagnostics"]
command = "/b/typescript-language-server"
args = ["-a"]
env = {K = "v"}
file_patterns = ["**/*.go"]
timeout_seconds = 6
request_timeout_seconds = 7
indexing = "disabled"
selection = "auto"
initialization_options = {o = 1}
settings = {s = true}
heuristics.project_markers = ["m"]
`

func TestDecodeEveryKey(t *testing.T) {
	no, start, request := false, 6, 7
	want := File{
		BuiltinServers: &no,
		MCP: MCP{
			Title: "t", Description: "d", Instructions: "i", ToolPrefix: "p_",
			Tools: []any{"get_hover", "get_definition"}, Output: "json", MaxResultBytes: 1000,
		},
		Workspace: Workspace{
			Roots: []string{"a", "/b"}, PositionEncodings: []string{"utf-32"}, HeuristicsMaxDepth: 1,
			MaxDocuments: 2, MaxFileSize: 3, MaxConcurrentServerStarts: 4, IndexingReadyTimeoutSeconds: 5,
			LanguageExtensions: []LanguageExtension{{Extensions: []string{"x", "y"}, LanguageID: "z"}},
		},
		Trust: Trust{Elicitation: true, PinExecutables: true},
		Servers: []Server{{
			LanguageID: "go", Name: "n", Handles: []catalog.Feature{"hover", "diagnostics"}, Command: "/b/typescript-language-server", Args: []string{"-a"}, Env: map[string]string{"K": "v"},
			FilePatterns: []string{"**/*.go"}, TimeoutSeconds: &start, RequestTimeoutSeconds: &request,
			InitializationOptions: map[string]any{"o": int64(1)}, Settings: map[string]any{"s": true},
			Indexing: "disabled", Selection: "auto", Heuristics: Heuristics{ProjectMarkers: []string{"m"}},
		}},
	}
	got, err := decode("f", []byte(everyKey))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("decode gave %v\n%+v\nwant\n%+v", err, got, want)
	}
	// A key that is added to a struct and not to everyKey is found here.
	for _, key := range unset(reflect.ValueOf(got), "") {
		t.Errorf("the test's file does not set %s", key)
	}
}

// unset gives the dotted keys below a struct value that are not set.
func unset(v reflect.Value, prefix string) []string {
	var found []string
	for i := range v.NumField() {
		key, field := prefix+v.Type().Field(i).Tag.Get("toml"), v.Field(i)
		if field.IsZero() {
			found = append(found, key)
		}
		if field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.Struct && field.Len() > 0 {
			field = field.Index(0)
		}
		if field.Kind() == reflect.Struct {
			found = append(found, unset(field, key+".")...)
		}
	}
	return found
}

func TestDecodeEmptyGivesDefaults(t *testing.T) {
	got, err := decode("f", nil)
	want := File{
		Trust: Trust{Elicitation: true},
		MCP:   MCP{Tools: "all", Output: "text", MaxResultBytes: 40_000},
		Workspace: Workspace{
			PositionEncodings: []string{"utf-8", "utf-16"}, HeuristicsMaxDepth: 10, MaxDocuments: 100,
			MaxFileSize: 10 * 1024 * 1024, MaxConcurrentServerStarts: 8, IndexingReadyTimeoutSeconds: 30,
		},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("decode gave %v, %+v; want %+v", err, got, want)
	}
}

func TestDefaultTextIsTheDefaults(t *testing.T) {
	if got, err := decode("f", []byte(Default())); err != nil || !reflect.DeepEqual(got, defaults()) {
		t.Fatalf("as printed: %v, %+v", err, got)
	}
	text := uncommented(Default())
	for _, section := range []any{File{}, MCP{}, Workspace{}, LanguageExtension{}, Server{}, Heuristics{}} {
		for i := range reflect.TypeOf(section).NumField() {
			key := reflect.TypeOf(section).Field(i).Tag.Get("toml")
			if !regexp.MustCompile(`(?m)^\[*[a-z_.]*\b` + key + `\b`).MatchString(text) {
				t.Errorf("%T: the text has no key %s", section, key)
			}
		}
	}
	got, err := decode("f", []byte(text))
	if err != nil {
		t.Fatalf("uncommented: %v\n%s", err, text)
	}
	if got.BuiltinServers == nil || !*got.BuiltinServers {
		t.Error("builtin_servers is not true")
	}
	if len(got.Workspace.Roots) != 0 || len(got.Workspace.LanguageExtensions) != 1 || len(got.Servers) != 1 {
		t.Fatalf("roots or examples: %+v", got)
	}
	example := Declaration{Server: got.Servers[0]}
	if d := (Declaration{}); example.StartTimeout() != d.StartTimeout() || example.RequestTimeout() != d.RequestTimeout() {
		t.Errorf("time limits of the example: %v, %v", example.StartTimeout(), example.RequestTimeout())
	}
	got.BuiltinServers, got.Workspace.Roots, got.Workspace.LanguageExtensions, got.Servers = nil, nil, nil, nil
	if !reflect.DeepEqual(got, defaults()) {
		t.Errorf("uncommented:\n%+v\nwant\n%+v", got, defaults())
	}
}

// uncommented gives a text whose keys and tables count that are commented out.
func uncommented(text string) string {
	return regexp.MustCompile(`(?m)^# (\[\[|[a-z_.]+ = )`).ReplaceAllString(text, "$1")
}

func TestDecodeErrors(t *testing.T) {
	const server = "[[lsp_servers]]\nlanguage_id = 'x'\ncommand = 'x'\n"
	for _, test := range []struct{ name, text, want string }{
		{"unknown at the top", "builtin_server = true", `f:1:1: unknown key "builtin_server": did you mean "builtin_servers"?`},
		{"unknown in a table", "\n[mcp]\n  titel = ''", `f:3:3: unknown key "mcp.titel": did you mean "title"?`},
		{"unknown in a dotted key", "workspace.max_documnts = 1", `unknown key "workspace.max_documnts": did you mean "max_documents"?`},
		{"unknown in an array table", server + "comand = 'y'", `f:4:1: unknown key "lsp_servers.comand": did you mean "command"?`},
		{"unknown two levels down", server + "[lsp_servers.heuristics]\nproject_marker = []", `f:5:1: unknown key "lsp_servers.heuristics.project_marker": did you mean "project_markers"?`},
		{"unknown in a nested array table", "[[workspace.language_extensions]]\nextension = []", `f:2:1: unknown key "workspace.language_extensions.extension": did you mean "extensions"?`},
		{"unknown table", "[sandbox]\nx = 1", `f:1:2: key "sandbox" is not supported by this version; remove it`},
		{"trust", "trust.x = 1", `f:1:7: unknown key "trust.x"`},
		{"mcp_servers", "[[mcp_servers]]\nname = 'x'", `f:1:3: key "mcp_servers" is not supported by this version; remove it`},
		{"unknown in an inline table", "mcp = { title = '', outputt = 'x' }", `f:1:21: unknown key "mcp.outputt": did you mean "output"?`},
		{"unknown and quoted", "[mcp]\n'titel' = 'x'", `f:2:1: unknown key "mcp.titel": did you mean "title"?`},
		{"unknown in a list of tables", "lsp_servers = [\n {language_id = 'x', comand = 'x'}]", `f:2:22: unknown key "lsp_servers.comand": did you mean "command"?`},
		{"unknown and like nothing", "[mcp]\nzzzzzz = 1", `f:2:1: unknown key "mcp.zzzzzz"`},
		{"two unknown", "a1 = 1\nb1 = 1", "f:1:1: unknown key \"a1\"\nf:2:1: unknown key \"b1\""},
		{"selection of another server", server + "selection = 'auto'", `f:4:13: lsp_servers.selection: only an entry with the command typescript-language-server can have it`},
		{"selection of nothing", server + "selection = 'never'", `f:4:13: lsp_servers.selection: "never" is none of auto`},
		{"number for string", "[mcp]\ntitle = 5", `f:2:9: mcp.title: an integer stands here; it must be a string`},
		{"string for number", "[workspace]\nmax_documents = '5'", `f:2:17: workspace.max_documents: a string stands here; it must be an integer`},
		{"float for number", "[workspace]\nmax_documents = 1.5", `f:2:17: workspace.max_documents: a float stands here; it must be an integer`},
		{"number for list element", "[workspace]\nroots = [1]", `f:2:10: workspace.roots: an integer stands here; it must be a list of strings`},
		{"number for a variable", server + "env = {A = 1}", `f:4:12: lsp_servers.env: an integer stands here; it must be a table of strings`},
		{"value for table", "mcp = 1", `f:1:7: mcp: an integer stands here; it must be a table`},
		{"string for list", "workspace.roots = 'x'", `f:1:19: workspace.roots: a string stands here; it must be a list of strings`},
		{"string for truth", "builtin_servers = 'no'", `f:1:19: builtin_servers: a string stands here; it must be true or false`},
		{"string for time", server + "timeout_seconds = '5'", `f:4:19: lsp_servers.timeout_seconds: a string stands here; it must be an integer`},
		{"string for settings", server + "settings = 's'", `f:4:12: lsp_servers.settings: a string stands here; it must be a table`},
		{"string for servers", "lsp_servers = 's'", `f:1:15: lsp_servers: a string stands here; it must be a list of tables`},
		{"list for string", "[mcp]\ntitle = []", `f:2:9: mcp.title: an array stands here; it must be a string`},
		{"table for string", "[mcp.title]\na = 1", `mcp.title: a table stands here; it must be a string`},
		{"tables for string", "[[mcp.title]]", `mcp.title: an array table stands here; it must be a string`},
		{"list for env", server + "[[lsp_servers.env]]", `lsp_servers.env`},
		{"number too large", "[mcp]\nmax_result_bytes = 9999999999999999999999", `f:2:20: decimal number is too large`},
		{"no TOML", "a =", `f:1:`},
		{"key twice", "[mcp]\ntitle = 'a'\ntitle = 'b'", `f:3:1: key title is already defined`},
		{"nested without end", "[mcp]\ntools = " + strings.Repeat("[", 500_000), `f:2:`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := decode("f", []byte(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error\n%v\nwant\n%s", err, test.want)
			}
			for _, word := range []string{"struct", "config.", "[]string", "Go ", "interface", "map["} {
				if strings.Contains(err.Error(), word) {
					t.Errorf("%q speaks of Go: %q", err, word)
				}
			}
			if strings.Contains(test.want, "unknown key") && err.Error() != test.want &&
				!strings.HasSuffix(test.want, "?") {
				t.Errorf("error %q has more than %q", err, test.want)
			}
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Errorf("error is a %T", err)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	for _, test := range []struct{ word, want string }{
		{"title", "title"},
		{"titel", "title"},
		{"tite", "title"},
		{"tittle", "title"},
		{"outpt", "output"},
		{"xxxxx", ""},
		{"ti", ""},
		{"", ""},
	} {
		if got := nearest(test.word, []string{"title", "output"}); got != test.want {
			t.Errorf("nearest(%q) = %q, want %q", test.word, got, test.want)
		}
	}
}

func TestErrorWithoutPlace(t *testing.T) {
	if got := (&Error{File: "f", Message: "m"}).Error(); got != "f: m" {
		t.Errorf("got %q", got)
	}
}

func TestToolNames(t *testing.T) {
	for _, test := range []struct {
		tools any
		names []string
		core  bool
	}{
		{"all", nil, false}, {"core", nil, true}, {[]any{"a", "b"}, []string{"a", "b"}, false},
	} {
		names, core := MCP{Tools: test.tools}.ToolNames()
		if !reflect.DeepEqual(names, test.names) || core != test.core {
			t.Errorf("%v: %v, %v", test.tools, names, core)
		}
	}
}

func TestTimeouts(t *testing.T) {
	one, two := 1, 2
	for _, test := range []struct {
		server         Server
		start, request time.Duration
	}{
		{Server{}, 30 * time.Second, 30 * time.Second},
		{Server{TimeoutSeconds: &one, RequestTimeoutSeconds: &two}, time.Second, 2 * time.Second},
	} {
		d := Declaration{Server: test.server}
		if d.StartTimeout() != test.start || d.RequestTimeout() != test.request {
			t.Errorf("%v, %v; want %v, %v", d.StartTimeout(), d.RequestTimeout(), test.start, test.request)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"", everyKey, Default(), "builtin_server = 1", "[mcp]\ntitle = 5", "mcp = {output = 'x'}", "lsp_servers = [{}]",
		"[[lsp_servers]]\nlanguage_id='x'\ncommand='x'\nsettings = {'a.b' = 1, a = {c = 2}, a2 = 1979-05-27}",
		"[[lsp_servers]]\nhandles = []\n[lsp_servers.env]\n'=' = ''", "''.'' = 1", "\xef\xbb\xbfa=1\r\n", "[mcp]\ntools = [[]]", "[[",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := decode("f", data)
		if err == nil {
			file.MCP.ToolNames() // relies on the check
			return
		}
		if _, ok := errors.AsType[*Error](err); !ok {
			t.Errorf("error is a %T: %v", err, err)
		}
	})
}
