package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMalformedEntries holds that each is declared with what is wrong, without
// anything of it but a plain name, and that the entries beside it go on.
func TestMalformedEntries(t *testing.T) {
	const head = "[[lsp_servers]]\nlanguage_id = 'evil'\n"
	for _, test := range []struct{ name, entry, id, want string }{
		{"no command", head, "evil@project", "lsp_servers.command: is required"},
		{"its name", head + "name = 'mine'", "mine@project", "command: is required"},
		{"args is a text", head + "command = 'x'\nargs = 'evil'", "evil@project", "lsp_servers.args: a string stands here; it must be a list of strings"},
		{"env is a text", head + "command = 'x'\nenv = 'evil'", "evil@project", "it must be a table of strings"},
		{"a number among args", head + "command = 'x'\nargs = ['a', 1]", "evil@project", "lsp_servers.args"},
		{"a number in env", head + "command = 'x'\nenv = {A = 1}", "evil@project", "lsp_servers.env"},
		{"unknown key", head + "command = 'x'\nshell = true", "evil@project", `unknown key "lsp_servers.shell"`},
		{"unknown key below", head + "command = 'x'\nheuristics = {marker = []}", "evil@project", "unknown key"},
		{"COMMAND beside command", head + "command = 'x'\nCOMMAND = 'sh'", "evil@project", `unknown key "COMMAND"`},
		{"COMMAND alone", head + "COMMAND = 'sh'", "evil@project", `unknown key "COMMAND"`},
		{"other case below", head + "command = 'x'\nheuristics = {Project_markers = []}", "evil@project", `unknown key "Project_markers"`},
		{"= in a name", head + "command = 'x'\nenv = {'a=b' = 'c'}", "evil@project", "a name is empty or holds = or NUL"},
		{"NUL in a name", head + "command = 'x'\nenv = {\"a\\u0000\" = 'c'}", "evil@project", "a name is empty or holds = or NUL"},
		{"NUL in a value", head + "command = 'x'\nenv = {a = \"\\u0000\"}", "evil@project", "its value holds NUL"},
		{"NUL in an argument", head + "command = 'x'\nargs = [\"\\u0000\"]", "evil@project", "holds a NUL byte"},
		{"257 args", head + "command = 'x'\nargs = [" + strings.Repeat("'',", 257) + "]", "evil@project", "more than 256 arguments"},
		{"10,000 args", head + "command = 'x'\nargs = [" + strings.Repeat("'',", 10_000) + "]", "evil@project", "more than 256 arguments"},
		{"a long argument", head + "command = 'x'\nargs = ['" + strings.Repeat("x", 8<<10+1) + "']", "evil@project", "argument 1 is longer than 8192 bytes"},
		{"129 variables", head + "command = 'x'\n[lsp_servers.env]\n" + numbered(129), "evil@project", "more than 128 variables"},
		{"nan", head + "command = 'x'\nsettings = {a = [{b = nan}]}", "evil@project", "nan and inf"},
		{"inf", head + "command = 'x'\ninitialization_options.a = -inf", "evil@project", "nan and inf"},
		{"a hostile name", "[[lsp_servers]]\nname = \"a\\n\\u001b[2J\"\nlanguage_id = \"\\u202e\"", "entry-2@project", "is required"},
		{"no text as name", "[[lsp_servers]]\nname = 1\nlanguage_id = []", "entry-2@project", "must be a string"},
		{"a long name", "[[lsp_servers]]\nname = '" + strings.Repeat("x", 65) + "'", "entry-2@project", "is required"},
		{"the name of one that is well", head + "name = 'good'", "entry-2@project", "is required"},
	} {
		w := newWorld(t)
		w.write(entry("good")+test.entry+"\n"+entry("also"), w.workspace, FileName)
		cfg := w.load(w.sources())
		if got := ids(cfg); !slices.Contains(got, "good@project:project") && !slices.Contains(got, "good@project") {
			t.Errorf("%s: the entry before it is gone: %q", test.name, got)
		}
		i := slices.IndexFunc(cfg.Servers, func(d Declaration) bool { return d.Fault != "" })
		if i < 0 || cfg.Servers[i].ID != test.id || !strings.Contains(cfg.Servers[i].Fault, test.want) {
			t.Errorf("%s: %+v", test.name, cfg.Servers[max(i, 0)])
			continue
		}
		d := cfg.Servers[i]
		if d.Command != "" || d.LanguageID != "" || d.Args != nil || d.Env != nil || d.FilePatterns != nil || d.Origin != Project || strings.ContainsAny(d.Fault, "\n\x1b") {
			t.Errorf("%s: something of it was taken: %+v", test.name, d)
		}
		if !slices.ContainsFunc(cfg.Servers, func(d Declaration) bool { return d.ID == "also@project" && d.Command == "also-ls" }) {
			t.Errorf("%s: the entry behind it is gone", test.name)
		}
		if len(cfg.Warnings) != 1 {
			t.Errorf("%s: warnings %q", test.name, cfg.Warnings)
		}
	}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "V%d = ''\n", i)
	}
	return b.String()
}

// What is at a bound is well.
func TestEntryAtItsBounds(t *testing.T) {
	for name, more := range map[string]string{
		"256 args":        "args = [" + strings.Repeat("'',", 256) + "]",
		"a long argument": "args = ['" + strings.Repeat("x", 8<<10) + "']",
		"128 variables":   "[lsp_servers.env]\n" + numbered(128),
		"deep settings":   "settings." + strings.Repeat("a.", maxSettingsDepth-1) + "a = 1",
		"kinds of values": "settings = {a = 2020-01-01, b = 07:32:00, c = 1979-05-27T07:32:00, d = 1979-05-27T00:32:00.5-07:00, e = 0.1, f = -9223372036854775808, g = [1, {a = [[]]}, {}, 'x'], h = true, i = {}, 'a b' = \"\\u0001\\r\\n'\"}",
	} {
		file, err := decodeProject("f", []byte(entry("x")+more+"\n"))
		if err != nil || len(file.servers) != 1 {
			t.Errorf("%s: %v, %+v", name, err, file.faulty)
		}
	}
}

// Two malformed entries of one name, in two files too, have two ids.
func TestMalformedEntriesHaveIDsOfTheirOwn(t *testing.T) {
	l := &loader{cfg: &Config{}}
	for range 3 {
		l.faulty = append(l.faulty, faultyIn{faulty{1, "x", "bad"}, "f"}, faultyIn{faulty{1, "", "bad"}, "g"})
	}
	l.declareFaulty()
	if got, want := ids(l.cfg), []string{"x", "entry-1", "entry-1-2", "entry-1-3", "entry-1-4", "entry-1-5"}; len(got) != len(want) || !strings.HasPrefix(got[5], want[5]) {
		t.Errorf("%q", got)
	}
}

// An entry by itself is what it is in its file.
func TestEntryByItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z "'\\\\.#=\[\]{}\t]{0,8}`)
		value := rapid.Map(text, func(s string) string { return fmt.Sprintf("%+q", s) })
		var b strings.Builder
		b.WriteString(entry("x"))
		fmt.Fprintf(&b, "args = [%s]\n", strings.Join(rapid.SliceOfN(value, 0, 3).Draw(t, "args"), ", "))
		b.WriteString("[lsp_servers.settings]\n")
		for name := range rapid.MapOfN(rapid.StringMatching(`[a-z]{1,5}( [.'][a-z])?`), text, 0, 3).Draw(t, "names") {
			fmt.Fprintf(&b, "%+q = [%s, {a = 1}]\n", name, value.Draw(t, "value"))
		}
		want, err := decode("f", []byte(b.String()))
		if err != nil {
			t.Skip("no TOML")
		}
		got, err := decodeProject("f", []byte(b.String()))
		if err != nil || len(got.servers) != 1 || fmt.Sprintf("%#v", got.servers[0].Settings) != fmt.Sprintf("%#v", want.Servers[0].Settings) ||
			!slices.Equal(got.servers[0].Args, want.Servers[0].Args) {
			t.Fatalf("%v: %+v\n%+v", err, got, want.Servers)
		}
	})
}

// Whatever else a project file says, known or not, is ignored with one warning, and
// its entries go on.
func TestOtherKeysOfAProjectFile(t *testing.T) {
	for _, more := range []string{
		"x = 1\n", "[trust]\nallow = ['evil']\n", "trust = 1\n", "mcp = 'x'\n", "workspace.roots = 1\n", "builtin_servers = 'no'\n", "[[mcp_servers]]\nname = 'x'\n",
	} {
		w := newWorld(t)
		w.write(more+entry("evil"), w.workspace, FileName)
		cfg := w.load(w.sources())
		expectServers(t, cfg, "evil@project:project")
		if len(cfg.Warnings) != 1 || !strings.Contains(cfg.Warnings[0], "only its server entries are read") {
			t.Errorf("%q: warnings %q", more, cfg.Warnings)
		}
	}
	for text, want := range map[string]string{
		"lsp_servers = 1\n":                   "must be a list of tables",
		"[LSP_SERVERS]\ncommand = 'x'\n":      "the key is lsp_servers, once",
		entry("a") + "[[Lsp_servers]]\na=1\n": "the key is lsp_servers, once",
	} {
		w := newWorld(t)
		w.write(text, w.workspace, FileName)
		cfg := w.load(w.sources())
		expectServers(t, cfg)
		expectWarning(t, cfg, "project file ignored", want)
	}
}
