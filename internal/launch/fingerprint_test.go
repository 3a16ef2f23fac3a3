package launch

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcpls/internal/config"
)

// asked is a plan that a repository asks for.
func asked() Plan {
	return Plan{
		ID: "go@project", Kind: LSP, Origin: Project, DeclaredIn: "/ws/mcpls.toml", Root: "/ws",
		Argv: []string{"/usr/bin/node", "./tools/server.mjs"}, Dir: "/ws", Env: map[string]string{"PATH": "/usr/bin", "A": "1"},
		Declared: Declared{
			Command: "node", Args: []string{"./tools/server.mjs", "--stdio"}, Env: map[string]string{"A": "1", "B": ""},
			InitOptions: map[string]any{"n": int64(1), "f": 1.5, "b": true, "l": []any{"x", int64(2)}, "t": map[string]any{"k": "v"}},
			Settings:    map[string]any{"a.b": "c"},
		},
		Files: []File{
			{Role: "program", Path: "/usr/bin/node", Owner: "0", Mode: "-rwxr-xr-x"},
			{Role: "argument", Path: "/ws/tools/server.mjs", Digest: strings.Repeat("ab", 32)},
		},
	}
}

// TestFingerprintKnown fixes the encoding: a change of it asks everybody again, and
// a shorter or weaker one would be seen here.
func TestFingerprintKnown(t *testing.T) {
	for name, test := range map[string]struct {
		plan Plan
		want string
	}{
		"all":     {asked(), "sha256:cb98f05c76c3e0d2bbedeaf3593f1b1af8d762741811921c7d4bff275c1ded73"},
		"zero":    {Plan{}, "sha256:5a0b28a888337b49a58222218d3da097313414ec963daf9ce0c3d0d97ac9673c"},
		"command": {Plan{ID: "x@project", Kind: LSP, DeclaredIn: "/ws/mcpls.toml", Root: "/ws", Dir: "/ws", Declared: Declared{Command: "sh"}}, "sha256:bb5304628042eefbbe7421081a83e1149604c1457e820d17788e1ba0de625060"},
	} {
		if got := test.plan.Fingerprint(); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// TestFingerprintOfAnotherClone holds that paths below the root do not count as
// such, and that all others do.
func TestFingerprintOfAnotherClone(t *testing.T) {
	move := func(p Plan, to string) Plan {
		p.DeclaredIn, p.Root, p.Dir = to+"/mcpls.toml", to, to
		p.Files = slices.Clone(p.Files)
		p.Files[1].Path = to + "/tools/server.mjs"
		return p
	}
	if a, b := move(asked(), "/ws").Fingerprint(), move(asked(), "/elsewhere/clone").Fingerprint(); a != b {
		t.Errorf("two clones have %s and %s", a, b)
	}
	changed := asked()
	changed.Files[0].Path = "/opt/node"
	if changed.Fingerprint() == asked().Fingerprint() {
		t.Error("another program has the same fingerprint")
	}
	outside := asked()
	outside.Dir = "/wsx"
	if outside.Fingerprint() == asked().Fingerprint() {
		t.Error("a directory whose name begins like the root counts as below it")
	}
	slash, backslash := asked(), asked()
	slash.Dir, backslash.Dir = "/ws/sub", `/ws\sub`
	if slash.Fingerprint() == backslash.Fingerprint() {
		t.Error("a backslash in a name counts as a slash")
	}
}

// changes are one change of each field that counts, and none of those that do not.
var changes = map[string]func(p *Plan){
	"kind":               func(p *Plan) { p.Kind = "mcp" },
	"file":               func(p *Plan) { p.DeclaredIn = "/ws/sub/mcpls.toml" },
	"id":                 func(p *Plan) { p.ID = "go2@project" },
	"command":            func(p *Plan) { p.Declared.Command = "node " },
	"argument":           func(p *Plan) { p.Declared.Args[1] = "--Stdio" },
	"order of arguments": func(p *Plan) { slices.Reverse(p.Declared.Args) },
	"empty argument":     func(p *Plan) { p.Declared.Args = append(p.Declared.Args, "") },
	"joined arguments":   func(p *Plan) { p.Declared.Args = []string{strings.Join(p.Declared.Args, " ")} },
	"value":              func(p *Plan) { p.Declared.Env["A"] = "2" },
	"name":               func(p *Plan) { p.Declared.Env["C"] = p.Declared.Env["A"]; delete(p.Declared.Env, "A") },
	"empty variable":     func(p *Plan) { delete(p.Declared.Env, "B") },
	"directory":          func(p *Plan) { p.Dir = "/ws/sub" },
	"option":             func(p *Plan) { p.Declared.InitOptions["n"] = int64(2) },
	"type of an option":  func(p *Plan) { p.Declared.InitOptions["n"] = "1" },
	"list in an option":  func(p *Plan) { p.Declared.InitOptions["l"] = []any{int64(2), "x"} },
	"deeper in options":  func(p *Plan) { p.Declared.InitOptions["t"].(map[string]any)["k"] = "w" },
	"options are not settings": func(p *Plan) {
		p.Declared.InitOptions, p.Declared.Settings = p.Declared.Settings, p.Declared.InitOptions
	},
	"setting":        func(p *Plan) { p.Declared.Settings["a.b"] = "d" },
	"program":        func(p *Plan) { p.Files[0].Path = "/usr/local/bin/node" },
	"owner":          func(p *Plan) { p.Files[0].Owner = "1000" },
	"mode":           func(p *Plan) { p.Files[0].Mode = "-rwxrwxrwx" },
	"content":        func(p *Plan) { p.Files[1].Digest = strings.Repeat("ac", 32) },
	"role":           func(p *Plan) { p.Files[1].Role = "interpreter" },
	"file fewer":     func(p *Plan) { p.Files = p.Files[:1] },
	"order of files": func(p *Plan) { slices.Reverse(p.Files) },
}

func TestFingerprintChanges(t *testing.T) {
	seen := map[string]string{asked().Fingerprint(): "nothing"}
	for name, change := range changes {
		p := asked().Clone()
		change(&p)
		got := p.Fingerprint()
		if before, same := seen[got]; same {
			t.Errorf("a change of %s has the fingerprint of %s", name, before)
		}
		seen[got] = name
	}
	for name, change := range map[string]func(p *Plan){
		"environment of mcpls": func(p *Plan) { p.Env["PATH"] = "/bin" },
		"notes":                func(p *Plan) { p.Notes = []string{"n"} },
		"found":                func(p *Plan) { p.Found = "x" },
	} {
		p := asked().Clone()
		if change(&p); p.Fingerprint() != asked().Fingerprint() {
			t.Errorf("%s counts", name)
		}
	}
}

// anyDeclared draws what an entry may say.
func anyDeclared(t *rapid.T) Declared {
	word := rapid.StringMatching(`[ab=,"]{0,3}`)
	value := rapid.OneOf(rapid.Map(word, func(s string) any { return s }), rapid.Map(rapid.Int64Range(0, 3), func(n int64) any { return n }),
		rapid.Map(rapid.SliceOfN(word, 0, 2), func(l []string) any { return list(l) }))
	return Declared{
		Command: word.Draw(t, "command"), Args: rapid.SliceOfN(word, 0, 3).Draw(t, "args"), Env: rapid.MapOfN(word, word, 0, 3).Draw(t, "env"),
		InitOptions: rapid.MapOfN(word, value, 0, 2).Draw(t, "options"), Settings: rapid.MapOfN(word, value, 0, 2).Draw(t, "settings"),
	}
}

// TestFingerprintIsInjective holds that two declarations have one fingerprint only
// if they are equal: {"a": "b=c"} is not {"a=b": "c"}.
func TestFingerprintIsInjective(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := asked(), asked()
		a.Declared, b.Declared = anyDeclared(t), anyDeclared(t)
		if same := a.Fingerprint() == b.Fingerprint(); same != equalDeclared(a.Declared, b.Declared) {
			t.Fatalf("the same fingerprint: %v\n%+v\n%+v", same, a.Declared, b.Declared)
		}
	})
}

// equalDeclared compares without the encoding. Nothing and an empty list or table
// are one.
func equalDeclared(a, b Declared) bool {
	equal := func(a, b any) bool {
		x, list := a.([]any)
		y, list2 := b.([]any)
		return list && list2 && slices.Equal(x, y) || !list && !list2 && a == b
	}
	return a.Command == b.Command && slices.Equal(a.Args, b.Args) && maps.Equal(a.Env, b.Env) &&
		maps.EqualFunc(a.InitOptions, b.InitOptions, equal) && maps.EqualFunc(a.Settings, b.Settings, equal)
}

// TestPins holds what a project's plan is bound to, and what is refused since another
// file could be started in its place.
func TestPins(t *testing.T) {
	files := map[string]string{
		"/usr/bin/env": "x", "/usr/bin/node": "x", "/usr/bin/python3": "x", "/bin/sh": "x", "/ws/run": "x:#!/usr/bin/env node\n", "/ws/tools/a.mjs": "code", "/ws/data": "data",
		"/ws/link": "-> /etc/x", "/etc/x": "x", "/out/file": "text", "/ws/dir/f": "-", "/ws/prog": "x", "/ws/in.sh": "text", "/ws/to": "-> /ws/tools/deep", "/ws/tools/deep/f": "-",
		"/ws/bare": "x:#!node\n", "/ws/relative": "x:#!./in\n", "/ws/nul": "x:#!./in\x00x\n", "/ws/quoted": "x:#!/usr/bin/env -S \"./in\"\n",
		"/ws/given": "x:#!/bin/sh ./in.sh\n", "/ws/none": "x:#!/usr/bin/none\n",
	}
	for _, test := range []struct {
		command string
		args    []string
		path    string // env.PATH of the entry
		want    string // the files, or the code of the refusal
	}{
		{"node", []string{"./tools/a.mjs", "--data=data", "dir", "none-such", "/out/file"}, "", "program /usr/bin/node, argument /ws/tools/a.mjs, argument /ws/data"},
		{"./run", nil, "", "program /ws/run, interpreter /usr/bin/node"},
		{"node", []string{"link"}, "", "program /usr/bin/node, argument /ws/link"},
		{"node", []string{"data", "data", "./data"}, "", "program /usr/bin/node, argument /ws/data"},
		{"./given", nil, "", "program /ws/given, argument /ws/in.sh, interpreter /bin/sh"},
		{"env", []string{"A=1", "node", "data"}, "", "program /usr/bin/env, program /usr/bin/node, argument /ws/data"},
		{"./bare", nil, "", "executable.not_found"},
		{"./relative", nil, "", "executable.not_found"},
		{"./nul", nil, "", "executable.not_found"},
		{"./quoted", nil, "", "executable.not_found"},
		{"./none", nil, "", "executable.not_found"},
		{"node", []string{"tools/../data"}, "", "script.unsafe_path"},
		{"node", []string{"to/../a.mjs"}, "", "script.unsafe_path"}, // tools/a.mjs, and not a.mjs
		{"/out/../ws/prog", nil, "", "argument.unreadable_in_workspace"},
		{"node", []string{"data"}, ".:/usr/bin", "config.malformed_entry"},
		{"node", []string{"data"}, "/usr/bin:", "config.malformed_entry"},
		{"node", []string{strings.Repeat("a", 300)}, "", "program /usr/bin/node"},
	} {
		in := input(test.command)
		in.Declaration.Origin, in.Declaration.Args, in.Declaration.File = config.Project, test.args, "/ws/mcpls.toml"
		if test.path != "" {
			in.Declaration.Env = map[string]string{"PATH": test.path}
		}
		code, plan := refusalOf(t, in, linux("/usr/bin", maps.Clone(files)))
		var got []string
		for _, f := range plan.Files {
			got = append(got, f.Role+" "+f.Path)
			if inside := strings.HasPrefix(f.Path, "/ws"); inside != (f.Digest != "") || inside == (f.Mode != "") {
				t.Errorf("%+v", f)
			}
		}
		if text := string(code) + strings.Join(got, ", "); text != test.want {
			t.Errorf("%s %q: %s\nwant %s", test.command, test.args, text, test.want)
		}
		in.Declaration.Origin = config.User
		if plan, _ := Make(in, linux("/usr/bin", maps.Clone(files))); plan.Files != nil {
			t.Errorf("the user's own is bound to %v", plan.Files)
		}
	}
	in := input("sh")
	in.Declaration.Origin, in.Declaration.Args, in.Declaration.File = config.Project, []string{"-c", "./x"}, "/ws/mcpls.toml"
	if _, plan := refusalOf(t, in, linux("/bin", maps.Clone(files))); !strings.Contains(strings.Join(plan.Notes, "\n"), "cannot be told") {
		t.Errorf("notes %q", plan.Notes)
	}
}
