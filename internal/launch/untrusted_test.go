package launch

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"mcpls/internal/launch/reason"
)

// hostile is a drawn machine with a workspace /ws that nobody trusts, and an
// account with the home /home/u.
func hostile(path string, files map[string]string) drawn {
	for _, file := range []string{"/ws/main.go", "/home/u/.profile", "/tmp/x", "/bin/ls"} {
		if _, set := files[file]; !set {
			files[file] = "-"
		}
	}
	files["/bin/ls"] = "x"
	return drawn{env: map[string]string{"PATH": path, "HOME": "/ws"}, files: files, home: "/home/u"}
}

func untrusted(command string, args ...string) Input {
	in := input(command)
	in.Declaration.Args = args
	in.Untrusted = true
	return in
}

// refusalOf makes a plan and gives the code of its refusal, "" of a plan.
func refusalOf(t *testing.T, in Input, facts Facts) (reason.Code, Plan) {
	t.Helper()
	plan, err := Make(in, facts)
	if err == nil {
		return "", plan
	}
	refusal, ok := err.(*reason.Refusal)
	if !ok || refusal.Message == "" {
		t.Fatalf("%#v is no refusal", err)
	}
	return refusal.Code, plan
}

func TestUntrustedExecutable(t *testing.T) {
	for _, test := range []struct {
		name, path, command string
		files               map[string]string
		want                string // program, or the code of the refusal
	}{
		{"on PATH", "/bin", "ls", nil, "/bin/ls"},
		{"absolute", "/bin", "/opt/ls", map[string]string{"/opt/ls": "x"}, "/opt/ls"},
		{"absolute inside", "/bin", "/ws/ls", map[string]string{"/ws/ls": "x"}, "executable.in_workspace"},
		{"relative, from the start directory", "/bin", "./ls", map[string]string{"/ws/ls": "x", "/home/u/ls": "x"}, "/home/u/ls"},
		{"relative, not from the checkout", "/bin", "./ls", map[string]string{"/ws/ls": "x"}, "executable.not_found"},
		{"relative into the workspace", "/bin", "../../ws/ls", map[string]string{"/ws/ls": "x"}, "executable.in_workspace"},
		{"PATH of the workspace first", "/ws/bin:/bin", "ls", map[string]string{"/ws/bin/ls": "x"}, "/bin/ls"},
		{"relative PATH first", ".:bin::/bin", "ls", map[string]string{"/ws/ls": "x", "/ws/bin/ls": "x", "/home/u/ls": "x"}, "/bin/ls"},
		{"only in the workspace", "/ws/bin", "own", map[string]string{"/ws/bin/own": "x"}, "executable.in_workspace"},
		{"a link into the workspace", "/opt", "own", map[string]string{"/opt/own": "-> /ws/own", "/ws/own": "x"}, "executable.in_workspace"},
		{"a link through the workspace", "/opt", "own", map[string]string{"/opt/own": "-> /ws/own", "/ws/own": "-> /bin/ls"}, "executable.in_workspace"},
		{"two links through the workspace", "/opt", "own", map[string]string{"/opt/own": "-> b", "/opt/b": "-> /ws/own", "/ws/own": "-> /bin/ls"}, "executable.in_workspace"},
		{"not there", "/bin", "own", nil, "executable.not_found"},
		{"not executable", "/bin", "own", map[string]string{"/bin/own": "-"}, "executable.not_found"},
		{"a directory", "/bin", "own", map[string]string{"/bin/own/x": "x"}, "executable.not_found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{}
			maps.Copy(files, test.files)
			code, plan := refusalOf(t, untrusted(test.command), hostile(test.path, files))
			if got := string(code) + strings.Join(plan.Argv, " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// A later plan holds on to the program that the first one found.
func TestProgramOfTheFirstStart(t *testing.T) {
	files := map[string]string{"/opt/own": "x", "/ws/own": "x", "/first/own": "x"}
	in := untrusted("own")
	in.Program = "/opt/own"
	if code, plan := refusalOf(t, in, hostile("/first:/opt", files)); code != "" || plan.Argv[0] != "/opt/own" {
		t.Errorf("%s, %q", code, plan.Argv)
	}
	for link, want := range map[string]reason.Code{"-> /ws/own": reason.ExecutableInWorkspace, "-": reason.ExecutableNotFound, "-> /bin/ls": ""} {
		files["/opt/own"] = link
		if code, _ := refusalOf(t, in, hostile("/first:/opt", maps.Clone(files))); code != want {
			t.Errorf("%s: %q, want %q", link, code, want)
		}
	}
}

func TestUntrustedDirectory(t *testing.T) {
	for _, test := range []struct {
		name, home, temp string
		private          []string
		boundary         string
		want             string
	}{
		{"login home", "/home/u", "", nil, "/ws", "/home/u"},
		{"unknown home", "", "/tmp", []string{"/tmp"}, "/ws", "/tmp"},
		{"a temporary directory of everybody", "", "/tmp", nil, "/ws", "cwd.none_safe"},
		{"a home that is the workspace", "/home/u", "/tmp", []string{"/tmp"}, "/home/u", "/tmp"},
		{"a home in the workspace", "/home/u", "/tmp", []string{"/tmp"}, "/home", "/tmp"},
		{"a home above the workspace", "/home/u", "/tmp", nil, "/home/u/src", "/home/u"},
		{"a home that is not there", "/home/v", "/tmp", []string{"/tmp"}, "/ws", "/tmp"},
		{"a home that is a file", "/home/u/.profile", "/tmp", []string{"/tmp"}, "/ws", "/tmp"},
		{"a temporary directory in the workspace", "", "/ws/tmp", []string{"/ws/tmp"}, "/ws", "cwd.none_safe"},
		{"a relative temporary directory", "", "tmp", []string{"tmp"}, "/ws", "cwd.none_safe"},
		{"a temporary directory that is not there", "", "/none", []string{"/none"}, "/ws", "cwd.none_safe"},
	} {
		t.Run(test.name, func(t *testing.T) {
			facts := hostile("/bin", map[string]string{"/home/u/src/x": "-", "/ws/tmp/x": "-", "/ws/h": "-"})
			facts.home, facts.private, facts.env["HOME"] = test.home, test.private, "/home"
			if test.temp != "" {
				facts.env["TMPDIR"] = test.temp
			}
			in := untrusted("ls")
			in.Boundary = []string{test.boundary}
			in.Declaration.Env = map[string]string{"HOME": "/somewhere"}
			code, plan := refusalOf(t, in, facts)
			if got := string(code) + plan.Dir; got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestUntrustedHome(t *testing.T) {
	for _, test := range []struct {
		name, login string
		env, own    map[string]string
		windows     bool
		want        string // HOME and USERPROFILE, or the code of the refusal
	}{
		{"login home", "/home/u", map[string]string{"HOME": "/ws"}, nil, false, "/home/u -"},
		{"one of a CI job too", "/home/u", map[string]string{"HOME": "/github"}, nil, false, "/home/u -"},
		{"unset", "/home/u", nil, nil, false, "/home/u -"},
		{"the other one", "/home/u", map[string]string{"HOME": "", "USERPROFILE": "/ws"}, nil, false, "/home/u /home/u"},
		{"the entry's own", "/home/u", map[string]string{"HOME": "/ws"}, map[string]string{"HOME": "/ws/h"}, false, "/ws/h -"},
		{"unknown, outside", "", map[string]string{"HOME": "/home/u"}, nil, false, "/home/u -"},
		{"unknown, inside", "", map[string]string{"HOME": "/ws"}, nil, false, "env.unsafe_home"},
		{"unknown, below", "", map[string]string{"HOME": "/ws/h"}, nil, false, "env.unsafe_home"},
		{"unknown, a link inside", "", map[string]string{"HOME": "/into"}, nil, false, "env.unsafe_home"},
		{"unknown, empty", "", map[string]string{"HOME": ""}, nil, false, "env.unsafe_home"},
		{"unknown, unset", "", nil, nil, false, "env.unsafe_home"},
		{"unknown, not there", "", map[string]string{"HOME": "/none"}, nil, false, "env.unsafe_home"},
		{"unknown, relative", "", map[string]string{"HOME": "h"}, nil, false, "env.unsafe_home"},
		{"unknown, the entry's own", "", nil, map[string]string{"HOME": "/ws"}, false, "/ws -"},
		{"unknown, the other one inside", "", map[string]string{"HOME": "/home/u", "USERPROFILE": "/ws"}, nil, false, "env.unsafe_home"},
		{"not UTF-8 counts as unknown", "/home/\xff", map[string]string{"HOME": "/ws"}, nil, false, "env.unsafe_home"},
		{"Windows", `C:\Users\u`, map[string]string{"USERPROFILE": `C:\ws`}, nil, true, `- C:\Users\u`},
		{"Windows, HOME too", `C:\Users\u`, map[string]string{"HOME": `C:\ws`}, nil, true, `C:\Users\u C:\Users\u`},
		{"Windows, unknown and unset HOME", "", map[string]string{"USERPROFILE": `C:\Users\u`}, nil, true, `- C:\Users\u`},
		{"Windows, unknown and unset", "", nil, nil, true, "env.unsafe_home"},
		{"Windows, the entry's own", `C:\Users\u`, nil, map[string]string{"UserProfile": `C:\x`}, true, `- C:\x`},
	} {
		t.Run(test.name, func(t *testing.T) {
			facts := hostile("/bin", map[string]string{"/into": "-> /ws/h", "/ws/h/x": "-"})
			in := untrusted("ls")
			if test.windows {
				facts = drawn{windows: true, env: map[string]string{"PATH": `C:\bin`}, files: map[string]string{
					`C:\bin\ls.exe`: "x", `C:\ws\f`: "-", `C:\Users\u\f`: "-", `C:\tmp\f`: "-",
				}}
				in.Dir, in.Boundary = `C:\ws`, []string{`C:\ws`}
			} else {
				delete(facts.env, "HOME")
			}
			maps.Copy(facts.env, test.env)
			facts.home = test.login
			facts.env["TMPDIR"], facts.private = facts.native("/tmp"), []string{facts.native("/tmp")}
			if test.windows {
				facts.env["TMPDIR"], facts.private = `C:\tmp`, []string{`C:\tmp`}
			}
			in.Declaration.Env = test.own
			code, plan := refusalOf(t, in, facts)
			value := func(name string) string {
				if v, ok := plan.Env[name]; ok {
					return v
				}
				return "-"
			}
			got := value("HOME") + " " + value("USERPROFILE")
			if code != "" {
				got = string(code)
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestUntrustedEnvironment holds that the entry's own PATH is cleaned like the
// inherited one, and that nothing else of mcpls's environment is passed on.
func TestUntrustedEnvironment(t *testing.T) {
	facts := hostile("/ws/bin:/bin", map[string]string{"/ws/bin/ls": "x", "/opt/x": "x"})
	for name, value := range everything {
		if _, set := facts.env[name]; !set {
			facts.env[name] = value
		}
	}
	in := untrusted("ls")
	in.Declaration.Env = map[string]string{"PATH": "/ws/bin::bin:/opt:/bin", "NODE_OPTIONS": "own"}
	code, plan := refusalOf(t, in, facts)
	want := map[string]string{
		"PATH": "/opt:/bin", "HOME": "/home/u", "USERPROFILE": "/home/u", "TMPDIR": "/td", "TEMP": "/te", "TMP": "/tm",
		"NODE_OPTIONS": "own", "GOTOOLCHAIN": "local", "RUSTUP_TOOLCHAIN": "none",
	}
	if code != "" || !maps.Equal(plan.Env, want) || in.Declaration.Env["PATH"] == "/opt:/bin" {
		t.Errorf("%s %v\nwant %v", code, plan.Env, want)
	}
	if len(plan.Notes) != 1 || !strings.Contains(plan.Notes[0], "3 of 5") {
		t.Errorf("notes %q", plan.Notes)
	}
	in.Declaration.Env = map[string]string{"GOTOOLCHAIN": "auto", "RUSTUP_TOOLCHAIN": "nightly"}
	if _, plan := refusalOf(t, in, facts); plan.Env["GOTOOLCHAIN"] != "auto" || plan.Env["RUSTUP_TOOLCHAIN"] != "nightly" {
		t.Errorf("the entry's own toolchains: %v", plan.Env)
	}
}

// TestShebang reads first lines as Linux does. What could start something else than
// what is read is an error.
func TestShebang(t *testing.T) {
	for line, want := range map[string]string{
		"#!/bin/sh\nPATH=x": "/bin/sh", "#! /bin/sh -e\n": "/bin/sh [-e]", "#!/bin/sh ./in.sh x\n": "/bin/sh [./in.sh x]", "#!\t/bin/sh\t-e \n": "/bin/sh [-e]",
		"#!/usr/bin/env node\n": "node", "#!/usr/bin/env -S node --flag ./x\n": "node [--flag ./x]", "#!/usr/bin/env -Snode\n": "node",
		"\x7fELF": "", "": "", "#!": "", "#!\n": "", "# /bin/sh": "",
		"#!./in\n": "bad", "#!node\n": "bad", "#!env node\n": "bad", "#!./in\x00x\n": "bad", "#!/bin/in\x0bx\n": "bad", "#!/bin/in\u00a0x\n": "bad", "#!/bin/sh\r\n": "bad",
		"#!/usr/bin/env -S \"./in\"\n": "bad", "#!/usr/bin/env -S ./in\n": "bad", "#!/usr/bin/env -i node\n": "bad", "#!/usr/bin/env": "bad", "#!/usr/bin/env a b\n": "bad",
		"#!/usr/bin/env -S PATH=. node\n": "bad", "#!/usr/bin/env -S -P /ws node\n": "bad", "#!/usr/bin/env -S n\\ode\n": "bad", "#!/usr/bin/env -S ${X}\n": "bad",
		"#!/" + strings.Repeat("x", 300): "bad",
	} {
		p := &planner{facts: hostile("/bin", map[string]string{"/opt/script": "x:" + line})}
		got, ok := p.shebang("/opt/script")
		text := strings.TrimSuffix(fmt.Sprint(got.interpreter, " ", got.args), " []")
		if !ok {
			text = "bad"
		}
		if text != want {
			t.Errorf("%q: %q, want %q", line, text, want)
		}
	}
}

func TestUntrustedInterpreter(t *testing.T) {
	for script, want := range map[string]reason.Code{
		"#!/bin/sh\n":                       "",
		"#!/usr/bin/env node\n":             "",
		"#!/ws/node\n":                      reason.ExecutableInWorkspace,
		"#!/opt/link\n":                     reason.ExecutableInWorkspace,
		"#!/usr/bin/env deno\n":             reason.ExecutableNotFound, // /ws/bin is not on the server's PATH
		"#!./node\n":                        reason.ExecutableNotFound, // from the start directory
		"#!/usr/bin/env -S PATH=/ws node":   reason.ExecutableNotFound,
		"#!/opt/second\n":                   reason.ExecutableInWorkspace, // whose own interpreter does
		"no script, but text with an x bit": "",
	} {
		facts := hostile("/ws/bin:/bin", map[string]string{
			"/bin/own": "x:" + script, "/bin/sh": "x", "/bin/node": "x", "/ws/bin/deno": "x", "/ws/node": "x", "/opt/link": "-> /ws/node",
			"/opt/second": "x:#!/ws/node\n",
		})
		if code, _ := refusalOf(t, untrusted("own"), facts); code != want {
			t.Errorf("%q: %q, want %q", script, code, want)
		}
	}
}

// TestOptionPrograms has a row for each kind of option that names programs, with
// what is refused and what is not.
func TestOptionPrograms(t *testing.T) {
	list := func(words ...any) []any { return words }
	table := func(pairs ...any) map[string]any {
		out := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			out[pairs[i].(string)] = pairs[i+1]
		}
		return out
	}
	for _, test := range []struct {
		name, command    string
		args             []string
		options, setting map[string]any
		refused          string // a part of the message; "" is admitted
	}{
		{name: "nothing", command: "gopls"},
		{name: "a command", command: "rust-analyzer", options: table("check", table("overrideCommand", list("cargo", "clippy")))},
		{name: "a command in the workspace", command: "rust-analyzer", options: table("check", table("overrideCommand", list("/ws/evil", "x"))), refused: `"check.overrideCommand"`},
		{name: "a relative command", command: "rust-analyzer", options: table("check", table("overrideCommand", list("./evil"))), refused: "relative"},
		{name: "below the section of the server", command: "rust-analyzer", setting: table("rust-analyzer", table("cargo", table("buildScripts", table("overrideCommand", list("/ws/evil"))))), refused: "buildScripts"},
		{name: "a program", command: "pyright-langserver", setting: table("python", table("pythonPath", "/ws/.venv/bin/python")), refused: "leads into the workspace"},
		{name: "a program by name", command: "pyright-langserver", setting: table("python", table("pythonPath", "python3"))},
		{name: "a program outside", command: "pyright-langserver", setting: table("python", table("pythonPath", "/opt/python"))},
		{name: "a program with a variable", command: "pyright-langserver", setting: table("python", table("pythonPath", "${workspaceFolder}/python")), refused: "variable"},
		{name: "a program that is not there yet", command: "pyright-langserver", setting: table("python", table("pythonPath", "/ws/later")), refused: "leads into"},
		{name: "a directory", command: "rust-analyzer", options: table("cargo", table("sysroot", "/ws/rust")), refused: "cargo.sysroot"},
		{name: "no directory but a word", command: "rust-analyzer", options: table("cargo", table("sysroot", "discover")), refused: "relative"},
		{name: "flags", command: "gopls", options: table("buildFlags", list("-tags=x", "-toolexec=/ws/evil -v")), refused: "buildFlags"},
		{name: "flags in two words", command: "gopls", options: table("buildFlags", list("-toolexec", "./evil")), refused: "buildFlags"},
		{name: "harmless flags", command: "gopls", options: table("buildFlags", list("-tags=x", "-toolexec=/opt/tool"))},
		{name: "variables", command: "gopls", options: table("env", table("PATH", "/bin:bin")), refused: "PATH"},
		{name: "a variable with flags", command: "gopls", options: table("env", table("GOFLAGS", "-toolexec=./evil")), refused: "env"},
		{name: "a variable that is a program", command: "rust-analyzer", options: table("cargo", table("extraEnv", table("RUSTC_WRAPPER", "/ws/evil"))), refused: "extraEnv"},
		{name: "harmless variables", command: "gopls", options: table("env", table("GOFLAGS", "-tags=x", "PATH", "/bin", "CC", "gcc"))},
		{name: "code", command: "zls", options: table("build_runner_path", "/ws/runner.zig"), refused: "build_runner_path"},
		{name: "a list of tables", command: "typescript-language-server", options: table("plugins", list(table("name", "p", "location", "/ws/plugin"))), refused: "plugins.*.location"},
		{name: "globs", command: "clangd", args: []string{"--query-driver=/usr/bin/*-gcc"}},
		{name: "globs of everything", command: "clangd", args: []string{"--query-driver=/**/gcc"}, refused: "--query-driver"},
		{name: "globs that are relative", command: "clangd", args: []string{"--query-driver=**/gcc"}, refused: "--query-driver"},
		{name: "globs inside, with one dash", command: "clangd", args: []string{"-query-driver=/usr/bin/gcc,/ws/*"}, refused: "--query-driver"},
		{name: "globs in the next word", command: "clangd", args: []string{"--query-driver", "/ws/gcc"}, refused: "--query-driver"},
		{name: "a glob that begins like the workspace", command: "clangd", args: []string{"--query-driver=/w*/gcc"}, refused: "--query-driver"},
		{name: "any server, any option", command: "other", options: table("a", list("x", table("b", "--tool=/ws/evil"))), refused: "executable file"},
		{name: "from a root", command: "other", setting: table("tool", "bin/evil"), refused: `"tool"`},
		{name: "data of the workspace", command: "other", options: table("a", "/ws/main.go", "b", "bin", "c", "/ws/none", "d", 1, "e", true)},
	} {
		t.Run(test.name, func(t *testing.T) {
			facts := hostile("/bin", map[string]string{
				"/bin/" + test.command: "x", "/bin/cargo": "x", "/bin/gcc": "x", "/opt/python": "x", "/opt/tool": "x", "/ws/evil": "x", "/ws/bin/evil": "x",
			})
			in := untrusted(test.command, test.args...)
			in.Declaration.InitializationOptions, in.Declaration.Settings = test.options, test.setting
			_, err := Make(in, facts)
			refusal, _ := err.(*reason.Refusal)
			if (refusal != nil) != (test.refused != "") || refusal != nil && (refusal.Code != reason.SettingsProgram || !strings.Contains(refusal.Message, test.refused)) {
				t.Errorf("%+v, want %q", refusal, test.refused)
			}
			in.Untrusted = false
			if _, err := Make(in, facts); err != nil {
				t.Errorf("in a trusted workspace: %v", err)
			}
		})
	}
}

// TestCompilerIsOff holds that the switch is off whatever the entry says.
func TestCompilerIsOff(t *testing.T) {
	in := untrusted("rust-analyzer")
	in.Declaration.InitializationOptions = map[string]any{"checkOnSave": true}
	_, plan := refusalOf(t, in, hostile("/bin", map[string]string{"/bin/rust-analyzer": "x"}))
	if plan.InitOptions["checkOnSave"] != false || !slices.ContainsFunc(plan.Notes, func(n string) bool { return strings.Contains(n, "checkOnSave") }) {
		t.Errorf("%v, notes %q", plan.InitOptions, plan.Notes)
	}
}

// TestUntrustedOnWindows holds the rules that are different there, on a drawn machine.
func TestUntrustedOnWindows(t *testing.T) {
	for _, test := range []struct {
		name, path, command string
		args                []string
		want                string // argv, or the code of the refusal
	}{
		{"on PATH", `C:\bin`, "ls", nil, `C:\bin\ls.exe`},
		{"no PATHEXT", `C:\npm;C:\bin`, "tool", nil, "executable.not_found"},
		{"a shim by its own name", `C:\npm`, "tool.cmd", nil, `C:\npm\tool.cmd`},
		{"PATH of the workspace first", `C:\ws;C:\WS2;C:\bin`, "ls", nil, `C:\bin\ls.exe`},
		{"relative entries", `.;\ws;C:ws;C:\bin`, "ls", nil, `C:\bin\ls.exe`},
		{"not the directory of the start", `C:\bin`, "own", nil, "executable.not_found"},
		{"absolute inside", `C:\bin`, `C:\ws\ls.exe`, nil, "executable.in_workspace"},
		{"a package runner in any case", `C:\npm`, "NPX.CMD", []string{"x"}, "launcher.package_runner"},
		{"PowerShell", `C:\bin`, "pwsh", []string{"/c", "x"}, "shell.command_string"},
		{"a program as an argument", `C:\bin`, "ls", []string{`C:\ws\ls.exe`}, "argument.executable_in_workspace"},
		{"a document as an argument", `C:\bin`, "ls", []string{`C:\ws\main.go`}, `C:\bin\ls.exe C:\ws\main.go`},
	} {
		t.Run(test.name, func(t *testing.T) {
			facts := drawn{
				windows: true, home: `C:\Users\u`, env: map[string]string{"Path": test.path, "USERPROFILE": `C:\ws`, "NODEFAULTCURRENTDIRECTORYINEXEPATH": "0"},
				files: map[string]string{
					`C:\bin\ls.exe`: "x", `C:\npm\tool.cmd`: "x", `C:\npm\NPX.CMD`: "x", `C:\bin\pwsh.exe`: "x", `C:\ws\ls.exe`: "x", `C:\ws\own.exe`: "x",
					`C:\ws\main.go`: "-", `C:\Users\u\f`: "-",
				},
			}
			in := untrusted(test.command, test.args...)
			in.Dir, in.Boundary = `C:\ws`, []string{`C:\ws`, `C:\WS2`}
			in.Declaration.Env = map[string]string{"nodefaultcurrentdirectoryinexepath": ""}
			code, plan := refusalOf(t, in, facts)
			if got := string(code) + strings.Join(plan.Argv, " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if code == "" && (plan.Dir != `C:\Users\u` || plan.Env["USERPROFILE"] != `C:\Users\u` || plan.Env["NoDefaultCurrentDirectoryInExePath"] != "1") {
				t.Errorf("directory %s, environment %v", plan.Dir, plan.Env)
			}
		})
	}
}

// TestWrappedServerIsKnown holds that what is known of a server holds for the one that
// a wrapper starts, and for every one of the language where a script starts it.
func TestWrappedServerIsKnown(t *testing.T) {
	for _, test := range []struct {
		command, language string
		args              []string
	}{
		{"basedpyright-langserver", "python", []string{"--stdio"}},
		{"env", "python", []string{"A=1", "basedpyright-langserver", "--stdio"}},
		{"nice", "python", []string{"env", "basedpyright-langserver", "--stdio"}},
		{"bash", "python", []string{"/opt/start.sh"}},
		{"/opt/link", "python", nil},
	} {
		facts := hostile("/bin", map[string]string{
			"/bin/basedpyright-langserver": "x", "/bin/env": "x", "/bin/nice": "x", "/bin/bash": "x", "/bin/python3": "x", "/opt/start.sh": "-",
			"/opt/link": "-> /bin/basedpyright-langserver",
		})
		in := untrusted(test.command, test.args...)
		in.Declaration.LanguageID = test.language
		code, plan := refusalOf(t, in, facts)
		python, _ := plan.Settings["python"].(map[string]any)
		if code != "" || python["pythonPath"] != "/bin/python3" {
			t.Errorf("%s %q: %s, settings %v", test.command, test.args, code, plan.Settings)
		}
		in.Declaration.Settings = map[string]any{"python": map[string]any{"pythonPath": "./x"}}
		if code, _ := refusalOf(t, in, facts); code != reason.SettingsProgram {
			t.Errorf("%s %q: a relative interpreter is %q", test.command, test.args, code)
		}
	}
}

// TestUntrustedDotsBehindALink holds that a path which goes up behind a link is judged
// as the program will follow it, in arguments, settings and variables.
func TestUntrustedDotsBehindALink(t *testing.T) {
	for _, arg := range []string{"/opt/link/../tool", "--x=/opt/link/../tool", "/ws/tool"} {
		facts := hostile("/bin", map[string]string{"/opt/link": "-> /ws/sub", "/ws/sub/f": "-", "/ws/tool": "x", "/opt/other": "x"})
		in := untrusted("ls", arg)
		if code, _ := refusalOf(t, in, facts); code != reason.ArgumentExecutable {
			t.Errorf("argument %s: %q", arg, code)
		}
		in = untrusted("ls")
		in.Declaration.Settings = map[string]any{"tool": arg}
		if code, _ := refusalOf(t, in, facts); code != reason.SettingsProgram {
			t.Errorf("setting %s: %q", arg, code)
		}
	}
}
