package config

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// fileWith is a file that sets one key, with what its table needs besides, and
// the line on which the key stands.
func fileWith(k key, value string) (text string, line int) {
	head := k.header() + "\n"
	for _, other := range keys {
		if other.required && other.header() == k.header() && other.path != k.path {
			example := other.example
			if k.path == "lsp_servers.selection" && other.path == "lsp_servers.command" {
				example = `"typescript-language-server"` // no other has it
			}
			head += other.within() + " = " + example + "\n"
		}
	}
	return head + k.within() + " = " + value + "\n", strings.Count(head, "\n") + 1
}

// TestRules gives each key the values at its bounds. A value that is refused
// must be refused at its own place, or at the one that ^ marks in it.
func TestRules(t *testing.T) {
	quoted := func(n int) string { return "'" + strings.Repeat("x", n) + "'" }
	tested := map[string]bool{}
	for _, test := range []struct {
		path string
		good []string
		bad  []string
		say  string
	}{
		{"builtin_servers", []string{"true", "false"}, nil, ""},
		{"mcp.title", []string{"''", quoted(128)}, []string{quoted(129)}, "longer than 128 bytes"},
		{"mcp.description", []string{quoted(1024)}, []string{quoted(1025)}, "longer than 1024 bytes"},
		{"mcp.instructions", []string{quoted(4096)}, []string{quoted(4097)}, "longer than 4096 bytes"},
		{"mcp.tool_prefix", []string{quoted(32), "'aZ09_-'"}, []string{quoted(33)}, "longer than 32 bytes"},
		{"mcp.tool_prefix", nil, []string{"'a.b'", "'ä'", "' '"}, "only A-Z, a-z, 0-9, _ and - are allowed"},
		{"mcp.tools", []string{"'all'", "'core'", "['get_hover']"}, []string{"[]", "['a', ^1]", "['a', ^'']", "^[['a']]", "true", "{a = 1}"}, `must be "all", "core" or a list`},
		{"mcp.tools", nil, []string{"'cor'"}, `"cor" is not allowed: did you mean "core"?`},
		{"mcp.output", []string{"'text'", "'json'"}, []string{"'xml'"}, `"xml" is none of text, json`},
		{"mcp.output", nil, []string{"'JSON'"}, `"JSON" is not allowed: did you mean "json"?`},
		{"mcp.output", nil, []string{"''"}, `"" is none of text, json`},
		{"mcp.max_result_bytes", []string{"1000"}, []string{"999", "-1"}, "must be at least 1000"},
		{"workspace.roots", []string{"[]", "['.']"}, []string{"[^'']", "['a', ^'']"}, "an empty string stands here"},
		{"workspace.position_encodings", []string{"['utf-8', 'utf-16', 'utf-32']"}, []string{"[]"}, "must not be empty"},
		{"workspace.position_encodings", nil, []string{"['utf-8', ^'utf-7']"}, `"utf-7" is not allowed: did you mean "utf-8"?`},
		{"workspace.heuristics_max_depth", []string{"0", "64"}, []string{"-1", "65"}, "must be 0 to 64"},
		{"workspace.max_documents", []string{"0"}, []string{"-1"}, "must be at least 0"},
		{"workspace.max_file_size", []string{"1", "1073741824"}, []string{"0", "1073741825"}, "must be 1 to 1073741824"},
		{"workspace.max_concurrent_server_starts", []string{"1"}, []string{"0"}, "must be at least 1"},
		{"workspace.indexing_ready_timeout_seconds", []string{"4", "59"}, []string{"3", "60"}, "must be 4 to 59"},
		{"workspace.language_extensions.extensions", []string{"['a', '.b']"}, []string{"[]"}, "must not be empty"},
		{"workspace.language_extensions.extensions", nil, []string{"['a', ^'']"}, "an empty string stands here"},
		{"workspace.language_extensions.language_id", []string{"'x'"}, []string{"''"}, "is required"},
		{"lsp_servers.language_id", []string{"'x'"}, []string{"''"}, "is required"},
		{"lsp_servers.command", []string{"'x'"}, []string{"''"}, "is required"},
		{"lsp_servers.command", nil, []string{`"a\u0000"`}, "holds a NUL byte"},
		{"lsp_servers.name", []string{"''", "'x y'"}, nil, ""},
		{"lsp_servers.args", []string{"[]", "['']"}, []string{`["a", ^"\u0000"]`}, "holds a NUL byte"},
		{
			"lsp_servers.env",
			[]string{"{}", "{A = ''}", "{A = '='}"},
			[]string{"{^'' = 'a'}", "{B = 'b', ^'A=' = 'a'}", `{^"A\u0000" = "a"}`, `{^A = "\u0000"}`},
			"a name is empty or holds = or NUL, or its value holds NUL",
		},
		{"lsp_servers.file_patterns", []string{"['**/*.go', '*.{a,b}', 'go.mod']"}, []string{"[^'']", "['x', ^'[']", "[^'{a']"}, "no valid glob"},
		{
			"lsp_servers.file_patterns",
			[]string{"['" + strings.Repeat("x", 256) + "']", "['" + strings.Repeat("{a}", 3) + "']", "['" + strings.Repeat(",", 32) + "']", "['" + strings.Repeat("**/", 4) + "']"},
			[]string{"['a', ^'" + strings.Repeat("x", 257) + "']", "[^'" + strings.Repeat("{a}", 4) + "']", "[^'" + strings.Repeat(",", 33) + "']", "[^'" + strings.Repeat("**/", 5) + "']"},
			"too long or too branched: at most 256 bytes, 3 {, 32 commas and 4 ** are allowed",
		},
		{"lsp_servers.handles", []string{"['hover', 'folding_range']"}, []string{"[]"}, "must not be empty"},
		{"lsp_servers.handles", nil, []string{"['hover', ^'hovr']", "[ \n^'hovr' ]"}, `"hovr" is not allowed: did you mean "hover"?`},
		{"lsp_servers.handles", nil, []string{"['hover', 'rename', ^'hover']"}, `"hover" is named twice`},
		{"lsp_servers.handles", nil, []string{"[^'everything']"}, `"everything" is none of hover, definition, `},
		{
			"lsp_servers.settings",
			[]string{"{" + strings.Repeat("a.", 31) + "a = 1}", "{'" + strings.Repeat("a.", 31) + "a' = 1}", strings.Repeat("{a = ", 32) + "1" + strings.Repeat("}", 32), "{a = [{b = 1}]}"},
			[]string{
				"{" + strings.Repeat("a.", 32) + "a = 1}", "{'" + strings.Repeat("a.", 32) + "a' = 1}",
				strings.Repeat("{a = ", 33) + "1" + strings.Repeat("}", 33), "{a = {'b." + strings.Repeat("a.", 30) + "a' = 1}}",
			},
			"a key has at most 32 parts",
		},
		{"lsp_servers.initialization_options", []string{"{a = 1}"}, []string{"{" + strings.Repeat("a.", 32) + "a = 1}"}, "a key has at most 32 parts"},
		{"trust.elicitation", []string{"true", "false"}, nil, ""},
		{"trust.pin_executables", []string{"true", "false"}, nil, ""},
		{"lsp_servers.selection", []string{"''", "'auto'"}, []string{"'never'"}, "is none of auto"},
		{"lsp_servers.indexing", []string{"'auto'", "'disabled'"}, []string{"'off'", "''"}, "is none of auto, disabled"},
		{"lsp_servers.timeout_seconds", []string{"1", "900"}, []string{"0", "901", "-1"}, "must be 1 to 900"},
		{"lsp_servers.request_timeout_seconds", []string{"1", "900"}, []string{"0", "901"}, "must be 1 to 900"},
		{"lsp_servers.heuristics.project_markers", []string{"[]", "['go.mod']"}, []string{"['a', ^'']"}, "an empty string stands here"},
	} {
		k, ok := keyAt(test.path)
		if !ok {
			t.Fatalf("no key %s", test.path)
		}
		tested[test.path] = true
		for _, value := range test.good {
			text, _ := fileWith(k, value)
			if _, err := decode("f", []byte(text)); err != nil {
				t.Errorf("%s = %.40s is refused: %v", test.path, value, err)
			}
		}
		for _, value := range test.bad {
			expectFault(t, k, value, test.say)
		}
	}
	for _, k := range keys {
		if !tested[k.path] {
			t.Errorf("no value of %s is tested", k.path)
		}
	}
}

// expectFault holds that a value is refused at its beginning, or where ^ is.
func expectFault(t *testing.T, k key, value, say string) {
	t.Helper()
	before, after, marked := strings.Cut(value, "^")
	if !marked {
		before, after = "", value
	}
	text, line := fileWith(k, before+after)
	column := len(k.within()+" = "+before) + 1
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		line, column = line+1, len(before)-i
	}
	_, err := decode("f", []byte(text))
	want := fmt.Sprintf("f:%d:%d: %s: ", line, column, k.path)
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), say) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s = %.60s: error %v, want %s%s", k.path, value, err, want, say)
	}
}

// TestTypes gives each key a value of another type.
func TestTypes(t *testing.T) {
	for _, k := range keys {
		wrong := "1"
		if k.bounded {
			wrong = "'1'"
		}
		expectFault(t, k, wrong, "")
	}
}

func TestAllFaultsAreReported(t *testing.T) {
	_, err := decode("f", []byte("[mcp]\noutput = 'x'\nmax_result_bytes = 1\n[[lsp_servers]]\ntimeout_seconds = 0\n"))
	for _, want := range []string{
		"f:2:10: mcp.output", "f:3:20: mcp.max_result_bytes",
		"f:4:3: lsp_servers.language_id", "f:4:3: lsp_servers.command", "f:5:19: lsp_servers.timeout_seconds",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
}

// TestPlaces holds that faults are told at their place however the file spells
// its tables and keys.
func TestPlaces(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"mcp.output = 'x'", "1:14 mcp.output"},
		{"mcp = { title = '', output = 'x' }", "1:30 mcp.output"},
		{"mcp = {\n  title = '',\n  output = 'x',\n}", "3:12 mcp.output"},
		{"'mcp'.\"output\" = 'x'", "1:18 mcp.output"},
		{"[ mcp ]\n\t\"output\"\t=\t'x'", "2:13 mcp.output"},
		{"MCP.Output = 'x'", "1:14 mcp.output"},
		{"# output = 'y'\n[mcp]\ntitle = \"\"\"\noutput = 'x'\n\"\"\"\noutput = 'z'", "6:10 mcp.output"},
		{"[workspace]\r\nmax_documents = -1\r\n", "2:17 workspace.max_documents"},
		{"lsp_servers = [{language_id = 'a', command = 'a'}, {language_id = 'b'}]", "1:52 lsp_servers.command"},
		{"lsp_servers = [\n  {language_id = 'a', command = 'a', args = ['x', \"\\u0000\"]},\n]", "2:51 lsp_servers.args"},
		{"[[lsp_servers]]\nlanguage_id = 'a'\ncommand = 'a'\n[[lsp_servers]]\nlanguage_id = 'b'\ncommand = 'b'\n[lsp_servers.env]\nA = ''\n'B=' = ''", "9:1 lsp_servers.env"},
		{"[[lsp_servers]]\nlanguage_id = 'a'\n[lsp_servers.heuristics]\nproject_markers = []\n[mcp]\ntitle = ''", "1:3 lsp_servers.command"},
		{"[[lsp_servers]]\nlanguage_id = 'a'\ncommand = 'a'\n[lsp_servers.heuristics]\nproject_markers = ['']", "5:20 lsp_servers.heuristics.project_markers"},
		{"[[workspace.language_extensions]]\nextensions = ['a']\nlanguage_id = 'a'\n[[workspace.language_extensions]]\nextensions = ['b', '']\nlanguage_id = 'b'", "5:20 workspace.language_extensions.extensions"},
		{"[workspace]\nlanguage_extensions = [{extensions = ['a'], language_id = 'a'}, {extensions = ['b']}]", "2:65 workspace.language_extensions.language_id"},
		{"[[workspace.language_extensions]]\nextensions = ['a']\nlanguage_id = 'a'\n[workspace]", ""},
	} {
		_, err := decode("f", []byte(test.text))
		got := ""
		if failed, ok := errors.AsType[*Error](err); ok {
			path, _, _ := strings.Cut(failed.Message, ":")
			got = fmt.Sprintf("%d:%d %s", failed.Line, failed.Column, path)
		}
		if got != test.want {
			t.Errorf("%q: %s, want %s (%v)", test.text, got, test.want, err)
		}
	}
}

func TestSettingsExpand(t *testing.T) {
	type table = map[string]any
	for _, test := range []struct {
		name     string
		in, want table
	}{
		{"nil", nil, nil},
		{"plain", table{"a": 1}, table{"a": 1}},
		{"dotted", table{"a.b.c": 1, "a.b.d": 2}, table{"a": table{"b": table{"c": 1, "d": 2}}}},
		{"dotted within a table", table{"a": table{"b.c": 1}}, table{"a": table{"b": table{"c": 1}}}},
		{"a table under a dotted key", table{"a.b": table{"c.d": 1}}, table{"a": table{"b": table{"c": table{"d": 1}}}}},
		{"both forms", table{"a.b": 1, "a": table{"c": 2}}, table{"a": table{"b": 1, "c": 2}}},
		{"both forms, deeper", table{"a.b": table{"x": 1}, "a": table{"b": table{"y": 2}}}, table{"a": table{"b": table{"x": 1, "y": 2}}}},
		{"one key in both forms: the dotted one counts", table{"a.b": 1, "a": table{"b": 2}}, table{"a": table{"b": 1}}},
		{"a value and a table: the dotted one counts", table{"a": 1, "a.b": 2}, table{"a": table{"b": 2}}},
		{"empty parts", table{"": 1, ".": 2}, table{"": table{"": 2}}},
	} {
		for range 20 { // the order of a map must not show
			if got := expand(test.in); !reflect.DeepEqual(got, test.want) {
				t.Errorf("%s: %v, want %v", test.name, got, test.want)
				break
			}
		}
	}
}

// A key with very many dots must not keep mcpls from starting.
func TestSettingsExpandIsFast(t *testing.T) {
	done := make(chan bool)
	go func() {
		expand(map[string]any{strings.Repeat("a.", maxFileBytes/2): 1})
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("expand of one long key takes longer than 20 s")
	}
}
