package config

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestRules gives each key the values at its bounds. A value that is refused
// must be refused at its own place, with its key and the rule.
func TestRules(t *testing.T) {
	quoted := func(n int) string { return "'" + strings.Repeat("x", n) + "'" }
	const language = "\nlanguage_id = 'x'"
	for _, test := range []struct {
		head, key string
		good      []string
		bad       []string
		say       string
	}{
		{"[mcp]", "title", []string{"''", quoted(128)}, []string{quoted(129)}, "longer than 128 bytes"},
		{"[mcp]", "description", []string{quoted(1024)}, []string{quoted(1025)}, "longer than 1024 bytes"},
		{"[mcp]", "instructions", []string{quoted(4096)}, []string{quoted(4097)}, "longer than 4096 bytes"},
		{"[mcp]", "tool_prefix", []string{quoted(32), "'aZ09_-'"}, []string{quoted(33)}, "longer than 32 bytes"},
		{"[mcp]", "tool_prefix", nil, []string{"'a.b'", "'ä'", "' '"}, "only A-Z, a-z, 0-9, _ and - are allowed"},
		{
			"[mcp]", "tools",
			[]string{"'all'", "'core'", "['get_hover']"},
			[]string{"'some'", "''", "[]", "[1]", "['']", "[['a']]", "true", "{a = 1}"},
			`must be "all", "core" or a list`,
		},
		{"[mcp]", "output", []string{"'text'", "'json'"}, []string{"'xml'", "''", "'JSON'"}, `must be "text" or "json"`},
		{"[mcp]", "max_result_bytes", []string{"1000"}, []string{"999", "-1"}, "must be at least 1000"},
		{"[workspace]", "roots", []string{"[]", "['.']"}, []string{"['']", "['a', '']"}, "an empty string is no directory"},
		{"[workspace]", "position_encodings", []string{"['utf-8', 'utf-16', 'utf-32']"}, []string{"[]", "['utf-7']", "['utf-8', '']"}, "must be some of"},
		{"[workspace]", "heuristics_max_depth", []string{"0", "64"}, []string{"-1", "65"}, "must be 0 to 64"},
		{"[workspace]", "max_documents", []string{"0"}, []string{"-1"}, "must not be negative"},
		{"[workspace]", "max_file_size", []string{"1", "1073741824"}, []string{"0", "1073741825"}, "must be 1 byte to 1 GiB"},
		{"[workspace]", "max_concurrent_server_starts", []string{"1"}, []string{"0"}, "must be at least 1"},
		{"[workspace]", "indexing_ready_timeout_seconds", []string{"4", "59"}, []string{"3", "60"}, "must be above 3 and below 60"},
		{
			"[workspace]", "language_extensions",
			[]string{"[]", "[{extensions = ['a'], language_id = 'b'}]"},
			[]string{"[{extensions = ['a']}]", "[{language_id = 'b'}]", "[{extensions = [''], language_id = 'b'}]"},
			"each needs extensions and a language_id",
		},
		{"[[lsp_servers]]\ncommand = 'x'", "language_id", []string{"'x'"}, []string{"''"}, "is required"},
		{"[[lsp_servers]]" + language, "command", []string{"'x'"}, []string{"''"}, "is required"},
		{"[[lsp_servers]]" + language, "command", nil, []string{`"a\u0000"`}, "holds a NUL byte"},
		{"[[lsp_servers]]\ncommand = 'x'" + language, "args", []string{"[]", "['']"}, []string{`["a", "\u0000"]`}, "one holds a NUL byte"},
		{
			"[[lsp_servers]]\ncommand = 'x'" + language, "env",
			[]string{"{}", "{A = ''}", "{A = '='}"},
			[]string{"{'' = 'a'}", "{'A=' = 'a'}", `{"A\u0000" = "a"}`, `{A = "\u0000"}`},
			"a name is empty or holds = or NUL, or a value holds NUL",
		},
		{"[[lsp_servers]]\ncommand = 'x'" + language, "file_patterns", []string{"['**/*.go', '*.{a,b}', 'go.mod']"}, []string{"['']", "['[']", "['{a']"}, "one is no valid glob"},
		{
			"[[lsp_servers]]\ncommand = 'x'" + language, "file_patterns",
			[]string{"['" + strings.Repeat("x", 256) + "']", "['" + strings.Repeat("{a}", 3) + "']", "['" + strings.Repeat(",", 32) + "']", "['" + strings.Repeat("**/", 4) + "']"},
			[]string{"['a', '" + strings.Repeat("x", 257) + "']", "['" + strings.Repeat("{a}", 4) + "']", "['" + strings.Repeat(",", 33) + "']", "['" + strings.Repeat("**/", 5) + "']"},
			"one is too long or too branched: at most 256 bytes, 3 {, 32 commas and 4 ** are allowed",
		},
		{
			"[[lsp_servers]]\ncommand = 'x'" + language, "settings",
			[]string{"{" + strings.Repeat("a.", 31) + "a = 1}", "{'" + strings.Repeat("a.", 31) + "a' = 1}", strings.Repeat("{a = ", 32) + "1" + strings.Repeat("}", 32), "{a = [{b = 1}]}"},
			[]string{"{" + strings.Repeat("a.", 32) + "a = 1}", "{'" + strings.Repeat("a.", 32) + "a' = 1}", strings.Repeat("{a = ", 33) + "1" + strings.Repeat("}", 33), "{a = {'b." + strings.Repeat("a.", 30) + "a' = 1}}"},
			"a key has more than 32 parts",
		},
		{"[[lsp_servers]]\ncommand = 'x'" + language, "indexing", []string{"''", "'auto'", "'disabled'"}, []string{"'off'"}, `must be "auto" or "disabled"`},
		{"[[lsp_servers]]\ncommand = 'x'" + language, "timeout_seconds", []string{"1", "900"}, []string{"0", "901", "-1"}, "must be 1 to 900"},
		{"[[lsp_servers]]\ncommand = 'x'" + language, "request_timeout_seconds", []string{"1", "900"}, []string{"0", "901"}, "must be 1 to 900"},
	} {
		line := strings.Count(test.head, "\n") + 2
		for _, value := range test.good {
			if _, err := decode("f", fmt.Appendf(nil, "%s\n%s = %s\n", test.head, test.key, value)); err != nil {
				t.Errorf("%s = %.40s is refused: %v", test.key, value, err)
			}
		}
		for _, value := range test.bad {
			_, err := decode("f", fmt.Appendf(nil, "%s\n%s = %s\n", test.head, test.key, value))
			want := fmt.Sprintf("f:%d:1: %s: %s", line, test.key, test.say)
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s = %.40s: error %v, want %s", test.key, value, err, want)
			}
		}
	}
}

func TestAllFaultsAreReported(t *testing.T) {
	_, err := decode("f", []byte("[mcp]\noutput = 'x'\nmax_result_bytes = 1\n[[lsp_servers]]\ntimeout_seconds = 0\n"))
	for _, want := range []string{"f:2:1: output", "f:3:1: max_result_bytes", "f:4:1: language_id", "f:4:1: command", "f:5:1: timeout_seconds"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
}

func TestPlace(t *testing.T) {
	const text = `mcp.output = 1
[workspace]
	max_documents = -1
[[lsp_servers]]
commander = 1
  command = ''
[lsp_servers.env]
A = ''
  [[lsp_servers]]
command=''
[lsp_servers.heuristics]
[[workspace.language_extensions]]
[mcp]
title = ''
`
	for _, test := range []struct {
		table        int
		key          string
		line, column int
	}{
		{0, "output", 1, 1},
		{0, "max_documents", 3, 2},
		{1, "command", 6, 3},
		{1, "env", 7, 1},
		{1, "args", 4, 1}, // missing: its table
		{2, "command", 10, 1},
		{2, "env", 9, 3},
		{2, "heuristics", 11, 1},
		{2, "title", 9, 3}, // of another table
		{0, "language_extensions", 12, 1},
		{0, "title", 14, 1}, // in a table after the servers
		{0, "command", 0, 0},
		{3, "command", 0, 0},
	} {
		if line, column := place([]byte(text), test.table, test.key); line != test.line || column != test.column {
			t.Errorf("place(%d, %s) = %d:%d, want %d:%d", test.table, test.key, line, column, test.line, test.column)
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
