package launch

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mcpls/internal/catalog"
	"mcpls/internal/config"
	"mcpls/internal/launch/reason"
)

// linux is a drawn machine with the workspace /ws and PATH as given.
func linux(path string, files map[string]string) drawn {
	files["/ws/main.go"] = "-"
	return drawn{env: map[string]string{"PATH": path}, files: files}
}

func input(command string) Input {
	return Input{
		Workspace: Workspace{Dir: "/ws", Boundary: []string{"/ws", "/ws2", "/co"}},
		Declaration: config.Declaration{
			ID: "srv", Origin: config.User, File: "/home/u/mcpls.toml",
			Server: config.Server{Command: command, Args: []string{"--stdio", "a b"}},
		},
	}
}

func TestMake(t *testing.T) {
	in := input("ls")
	in.Declaration.Env = map[string]string{"X": "1"}
	got, err := Make(in, linux("/bin", map[string]string{"/bin/ls": "x"}))
	want := Plan{
		ID: "srv", Kind: LSP, Origin: User, DeclaredIn: "/home/u/mcpls.toml",
		Argv: []string{"/bin/ls", "--stdio", "a b"}, Found: "/bin/ls", Dir: "/ws", Env: map[string]string{"PATH": "/bin", "X": "1"},
		Declared: Declared{Command: "ls", Args: []string{"--stdio", "a b"}, Env: map[string]string{"X": "1"}}, Root: "/ws",
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%+v\nwant\n%+v", err, got, want)
	}
}

func TestResolve(t *testing.T) {
	files := func() map[string]string {
		return map[string]string{
			"/a/ls": "x", "/b/ls": "x", "/b/only": "x", "/a/data": "-", "/b/data": "x", "/a/dir/f": "-", "/b/dir": "x",
			"/a/gone": "-> /no", "/b/gone": "x", "/a/link": "-> /b/only",
			"/ls": "x", "/ws/ls": "x", "/ws/bin/ls": "x", "/ws/rel/ls": "x",
		}
	}
	for _, test := range []struct{ name, path, command, want string }{
		{"first of PATH", "/a:/b", "ls", "/a/ls"},
		{"order of PATH", "/b:/a", "ls", "/b/ls"},
		{"later entry", "/a:/b", "only", "/b/only"},
		{"not executable is passed over", "/a:/b", "data", "/b/data"},
		{"directory is passed over", "/a:/b", "dir", "/b/dir"},
		{"broken link is passed over", "/a:/b", "gone", "/b/gone"},
		{"link keeps its own name", "/a", "link", "/a/link"},
		{"relative entries are passed over", ".:bin:./bin:../a:/b", "ls", "/b/ls"},
		{"empty entries are passed over", ":/b", "ls", "/b/ls"},
		{"empty entry in the middle", "/no::/b", "ls", "/b/ls"},
		{"only relative entries", ".:bin:", "ls", ""},
		{"no PATH", "", "ls", ""},
		{"not on PATH", "/a:/b", "nothing", ""},
		{"absolute", "/a", "/b/only", "/b/only"},
		{"absolute and missing", "/a", "/b/nothing", ""},
		{"absolute and not executable", "/b", "/a/data", ""},
		{"relative to the directory", "/a", "./ls", "/ws/ls"},
		{"relative, without a dot", "/a", "bin/ls", "/ws/bin/ls"},
		{"relative and missing there", "/a", "b/only", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan, err := Make(input(test.command), linux(test.path, files()))
			if test.want == "" {
				if r, ok := errors.AsType[*reason.Refusal](err); !ok || r.Code != reason.ExecutableNotFound {
					t.Errorf("error %v of %q, want a refusal", err, plan.Argv)
				}
				return
			}
			if err != nil || plan.Argv[0] != test.want {
				t.Errorf("error %v, program %q, want %q", err, plan.Argv, test.want)
			}
		})
	}
}

func TestOwnPathIsUsedForLookup(t *testing.T) {
	in := input("ls")
	in.Declaration.Env = map[string]string{"PATH": "/b"}
	facts := linux("/a", map[string]string{"/a/ls": "x", "/b/ls": "x"})
	if plan, err := Make(in, facts); err != nil || plan.Argv[0] != "/b/ls" || plan.Env["PATH"] != "/b" {
		t.Errorf("%v, %+v", err, plan)
	}
}

func TestRefusal(t *testing.T) {
	gopls, _ := catalog.ByCommand("gopls", nil)
	for _, test := range []struct{ command, hint string }{
		{"nothing", "install it, or give its absolute path as command"},
		{"gopls", "install it with `" + gopls.Install + "`, or give its absolute path as command"},
	} {
		plan, err := Make(input(test.command), linux("/a", map[string]string{}))
		want := &reason.Refusal{Code: "executable.not_found", Message: `the program "` + test.command + `" is not installed: it was not found`, Hint: test.hint}
		if !reflect.DeepEqual(err, error(want)) || !reflect.DeepEqual(plan, Plan{}) {
			t.Errorf("%#v with %+v, want %#v", err, plan, want)
		}
	}
}

func TestProgramInsideWorkspace(t *testing.T) {
	for _, test := range []struct {
		name, path, command string
		files               map[string]string
		intoWorkspace       bool // as Project
		note                string
	}{
		{"outside", "/bin", "ls", map[string]string{"/bin/ls": "x"}, false, ""},
		{"outside, like a root by name", "/wsx", "ls", map[string]string{"/wsx/ls": "x"}, false, ""},
		{"absolute path", "/bin", "/ws/ls", map[string]string{"/ws/ls": "x"}, false, "lies inside the workspace"},
		{"absolute path in the second root", "/bin", "/ws2/ls", map[string]string{"/ws2/ls": "x"}, false, "lies inside the workspace"},
		{"relative path", "/bin", "./ls", map[string]string{"/ws/ls": "x"}, false, "lies inside the workspace"},
		{"bare name before a real one", "/ws/bin:/bin", "ls", map[string]string{"/ws/bin/ls": "x", "/bin/ls": "x"}, false, "1 of "},
		{"bare name before one that only the system's PATH has", "/ws/bin", "ls", map[string]string{"/ws/bin/ls": "x", "/usr/bin/ls": "x"}, false, "1 of "},
		{"bare name and no real one", "/ws/bin:/bin", "ls", map[string]string{"/ws/bin/ls": "x", "/bin/cat": "x"}, true, `PATH leads "ls" to "/ws/bin/ls", inside the workspace`},
		{"bare name in the boundary", "/co/bin", "ls", map[string]string{"/co/bin/ls": "x"}, true, `"/co/bin/ls", inside the workspace`},
		{"absolute path in the boundary", "/bin", "/co/ls", map[string]string{"/co/ls": "x"}, false, "lies inside the workspace"},
		{"bare name in the second root", "/ws2", "ls", map[string]string{"/ws2/ls": "x"}, true, `"/ws2/ls", inside the workspace`},
		{"link outside that leads inside", "/bin", "ls", map[string]string{"/bin/ls": "-> /ws/ls", "/ws/ls": "x"}, true, `"/bin/ls", inside the workspace`},
		{"linked directory that leads inside", "/bin", "ls", map[string]string{"/bin": "-> /ws/bin", "/ws/bin/ls": "x"}, true, `"/bin/ls", inside the workspace`},
		{"link inside that leads outside", "/ws/bin", "ls", map[string]string{"/ws/bin/ls": "-> /opt/ls", "/opt/ls": "x"}, true, `"/ws/bin/ls", inside the workspace`},
		{"linked directory inside that leads outside", "/ws/bin", "ls", map[string]string{"/ws/bin": "-> /opt", "/opt/ls": "x"}, true, `"/ws/bin/ls", inside the workspace`},
		{"in and out again", "/alias/bin", "ls", map[string]string{"/alias": "-> /ws", "/ws/bin/ls": "-> /opt/ls", "/opt/ls": "x"}, true, `"/alias/bin/ls", inside the workspace`},
		{"in and out again by directories", "/alias/bin", "ls", map[string]string{"/alias": "-> /ws", "/ws/bin": "-> /opt", "/opt/ls": "x"}, true, `"/alias/bin/ls", inside the workspace`},
		{"link between places outside", "/bin", "ls", map[string]string{"/bin/ls": "-> /opt/ls", "/opt/ls": "x"}, false, ""},
	} {
		for _, origin := range []Origin{Builtin, User, Named, Project} {
			t.Run(test.name+"/"+string(origin), func(t *testing.T) {
				in := input(test.command)
				in.Declaration.Origin = origin
				plan, err := Make(in, linux(test.path, test.files))
				if err != nil {
					t.Fatal(err)
				}
				// A plan of the project is gated as one anyway.
				into, wantNote := test.intoWorkspace && origin != Project, test.note != "" && origin != Project
				if origin == Project {
					plan.Notes = slices.DeleteFunc(plan.Notes, func(n string) bool { return strings.Contains(n, "entries of PATH") })
				}
				wantOrigin := origin
				if into {
					wantOrigin = Project
				}
				if plan.Origin != wantOrigin || plan.PathIntoWorkspace != into {
					t.Errorf("origin %q, into the workspace %v", plan.Origin, plan.PathIntoWorkspace)
				}
				if notes := strings.Join(plan.Notes, "\n"); (notes != "") != wantNote || wantNote && !strings.Contains(notes, test.note) {
					t.Errorf("notes %q, want %q", notes, test.note)
				}
			})
		}
	}
}

// A caller that forgets the boundary does not open the directory.
func TestNoBoundary(t *testing.T) {
	in := input("ls")
	in.Boundary = nil
	plan, err := Make(in, linux("/ws/bin", map[string]string{"/ws/bin/ls": "x"}))
	if err != nil || plan.Origin != Project || !plan.PathIntoWorkspace {
		t.Errorf("%v, %+v", err, plan)
	}
}

// everything is mcpls's own environment: what is passed on, and what must not
// be.
var everything = map[string]string{
	"PATH": "/bin", "HOME": "/h", "USERPROFILE": "/up", "TMPDIR": "/td", "TEMP": "/te", "TMP": "/tm",

	"NODE_OPTIONS": "no", "NODE_PATH": "no", "LD_PRELOAD": "no", "LD_LIBRARY_PATH": "no", "DYLD_INSERT_LIBRARIES": "no",
	"PYTHONPATH": "no", "PYTHONSTARTUP": "no", "RUBYOPT": "no", "PERL5LIB": "no", "JAVA_TOOL_OPTIONS": "no",
	"BASH_ENV": "no", "ENV": "no", "GOFLAGS": "no", "GOROOT": "no", "RUSTC_WRAPPER": "no", "GIT_SSH_COMMAND": "no",
	"XDG_CONFIG_HOME": "no", "XDG_DATA_HOME": "no", "SHELL": "no", "USER": "no", "LANG": "no", "PWD": "no",
	"AWS_SECRET_ACCESS_KEY": "no", "GITHUB_TOKEN": "no", "SSH_AUTH_SOCK": "no", "MCPLS_CONFIG": "no",
	"path": "no", "Home": "no", "PATH2": "no",

	"SystemRoot": "w", "SystemDrive": "w", "windir": "w", "ComSpec": "w", "PATHEXT": "w", "APPDATA": "w", "LOCALAPPDATA": "w",
	"ProgramData": "w", "ProgramFiles": "w", "ProgramFiles(x86)": "w", "ProgramW6432": "w", "CommonProgramFiles": "w",
	"CommonProgramFiles(x86)": "w", "CommonProgramW6432": "w", "HOMEDRIVE": "w", "HOMEPATH": "w",
	"NUMBER_OF_PROCESSORS": "w", "PROCESSOR_ARCHITECTURE": "w", "OS": "w", "USERNAME": "w",
	"NoDefaultCurrentDirectoryInExePath": "no",
}

func TestEnvironment(t *testing.T) {
	unix := map[string]string{"PATH": "/bin", "HOME": "/h", "USERPROFILE": "/up", "TMPDIR": "/td", "TEMP": "/te", "TMP": "/tm"}
	windows := maps.Clone(unix)
	for name, value := range everything {
		if value == "w" {
			windows[name] = value
		}
	}
	windows["NoDefaultCurrentDirectoryInExePath"] = "1"
	with := func(base map[string]string, pairs ...string) map[string]string {
		env := maps.Clone(base)
		for i := 0; i < len(pairs); i += 2 {
			env[pairs[i]] = pairs[i+1]
		}
		return env
	}
	for _, name := range []string{"PATH", "HOME", "USERPROFILE"} { // in the form of the system
		windows[name] = `C:` + strings.ReplaceAll(unix[name], "/", `\`)
	}
	homes := map[string]string{"/bin/x": "x", `C:\bin\x`: "x"}
	const system = "/usr/local/bin:/usr/bin:/bin"
	noCase := maps.Clone(everything)
	for _, name := range []string{"PATH", "HOME", "USERPROFILE"} {
		noCase[name] = windows[name]
	}
	for _, name := range []string{"path", "Home"} { // Windows has no two such
		delete(noCase, name)
	}
	for _, test := range []struct {
		name    string
		windows bool
		mine    map[string]string
		own     map[string]string
		want    map[string]string
	}{
		{"allowlist", false, everything, nil, unix},
		{"nothing", false, nil, nil, map[string]string{"PATH": system}},
		{"no directory of PATH exists", false, map[string]string{"PATH": "/no:/none"}, nil, map[string]string{"PATH": system}},
		{"PATH of the entry, as written", false, everything, map[string]string{"PATH": ":.:/no/"}, with(unix, "PATH", ":.:/no/")},
		{"unset stays unset, empty stays empty", false, map[string]string{"TMP": ""}, nil, map[string]string{"TMP": "", "PATH": system}},
		{"own env wins", false, everything, map[string]string{"HOME": "/own", "NODE_OPTIONS": "own", "TMP": ""}, with(unix, "HOME", "/own", "NODE_OPTIONS", "own", "TMP", "")},
		{"case counts on Unix", false, everything, map[string]string{"Path": "own"}, with(unix, "Path", "own")},
		{"own value is literal", false, nil, map[string]string{"A": "${HOME} $HOME %HOME%"}, map[string]string{"A": "${HOME} $HOME %HOME%", "PATH": system}},
		{"Windows", true, noCase, nil, windows},
		{"Windows with nothing", true, nil, nil, map[string]string{"NoDefaultCurrentDirectoryInExePath": "1"}},
		{"not to be undone", true, noCase, map[string]string{"NoDefaultCurrentDirectoryInExePath": ""}, windows},
		{"not in other case either", true, noCase, map[string]string{"NODEFAULTCURRENTDIRECTORYINEXEPATH": ""}, windows},
		{"case does not count on Windows", true, noCase, map[string]string{"Path": `C:\own`}, with(windows, "PATH", `C:\own`)},
		{"nor where mcpls has none", true, nil, map[string]string{"Path": "own", "x": "1", "X": "0"}, map[string]string{"PATH": "own", "X": "1", "NoDefaultCurrentDirectoryInExePath": "1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, notes := environmentOf(test.own, nil, drawn{windows: test.windows, env: test.mine, files: homes})
			if !maps.Equal(got, test.want) || notes != nil {
				t.Errorf("got\n%q %q\nwant\n%q", got, notes, test.want)
			}
		})
	}
}

func TestWindows(t *testing.T) {
	files := map[string]string{
		`C:\bin\ls.exe`: "x", `C:\two\ls`: "x", `C:\two\ls.exe`: "x", `C:\cmd\ls.cmd`: "x", `C:\ws\ls.exe`: "x", `C:\ws\sub\ls.exe`: "x",
	}
	for _, test := range []struct{ name, path, command, want string }{
		{"with .exe", `C:\bin`, "ls", `C:\bin\ls.exe`},
		{"as written first", `C:\two`, "ls", `C:\two\ls`},
		{"no PATHEXT", `C:\cmd;C:\bin`, "ls", `C:\bin\ls.exe`},
		{"relative and empty entries", `;.;sub;\bin;C:bin;C:\bin`, "ls", `C:\bin\ls.exe`},
		{"not the working directory", `C:\none`, "ls", ""},
		{"absolute", "", `C:\bin\ls.exe`, `C:\bin\ls.exe`},
		{"absolute with slashes", "", `C:/bin/ls.exe`, `C:/bin/ls.exe`},
		{"relative", "", `sub\ls.exe`, `C:\ws\sub\ls.exe`},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := input(test.command)
			in.Dir, in.Boundary = `C:\ws`, []string{`C:\ws`}
			// PATH in the case that Windows itself uses.
			plan, err := Make(in, drawn{windows: true, files: files, env: map[string]string{"Path": test.path, "PATHEXT": ".CMD;.EXE"}})
			if (err == nil) != (test.want != "") || err == nil && plan.Argv[0] != test.want {
				t.Errorf("error %v, program %q, want %q", err, plan.Argv, test.want)
			}
		})
	}
	in := input("ls")
	in.Dir, in.Boundary = `C:\ws`, []string{`C:\ws`}
	in.Declaration.Env = map[string]string{"path": `C:\two`}
	plan, err := Make(in, drawn{windows: true, files: files, env: map[string]string{"Path": `C:\bin`}})
	if err != nil || plan.Argv[0] != `C:\two\ls` {
		t.Errorf("the entry's own path in another case: %v, %q", err, plan.Argv)
	}
}

func TestMakeIsPure(t *testing.T) {
	make2 := func() (Input, drawn) {
		in := input("ls")
		in.Declaration.Env = map[string]string{"A": "1"}
		// Room behind the arguments, for an append to write into.
		in.Declaration.Args = append(make([]string, 0, 8), "a")
		return in, linux("/ws/bin", map[string]string{"/ws/bin/ls": "x"})
	}
	in, facts := make2()
	first, err := Make(in, facts)
	second, err2 := Make(in, facts)
	if err != nil || err2 != nil || !reflect.DeepEqual(first, second) {
		t.Errorf("two plans of one input: %v, %v\n%+v\n%+v", err, err2, first, second)
	}
	first.Argv[1], first.Env["A"], first.Env["B"] = "changed", "changed", "changed"
	if same, facts2 := make2(); !reflect.DeepEqual(in, same) || !reflect.DeepEqual(facts, facts2) {
		t.Errorf("the input was changed: %+v", in)
	}
	if third, _ := Make(in, facts); !reflect.DeepEqual(third, second) {
		t.Errorf("a change of one plan shows in another: %+v", third)
	}
}

func full() Plan {
	return Plan{
		ID: "i", Kind: LSP, Origin: User, DeclaredIn: "f", PathIntoWorkspace: true,
		Argv: []string{"/p", "a"}, Dir: "/d", Env: map[string]string{"A": "1"}, Unwrapped: []string{"u"}, Notes: []string{"n"},
		InitOptions: map[string]any{"t": map[string]any{"l": []any{"e"}}}, Settings: map[string]any{"s": "v"},
		Declared: Declared{
			Command: "c", Args: []string{"a"}, Env: map[string]string{"A": "1"},
			InitOptions: map[string]any{"o": "v"}, Settings: map[string]any{"s": "v"},
		},
		Root: "/", Files: []File{{Role: "program", Path: "/p", Owner: "0", Mode: "m"}},
	}
}

func TestClone(t *testing.T) {
	p := full()
	c := p.Clone()
	if !reflect.DeepEqual(c, p) {
		t.Fatalf("clone %+v of %+v", c, p)
	}
	c.Argv[0], c.Env["A"], c.Unwrapped[0], c.Notes[0], c.Settings["s"] = "x", "x", "x", "x", "x"
	c.Declared.Args[0], c.Declared.Env["A"], c.Declared.InitOptions["o"], c.Declared.Settings["s"], c.Files[0].Path = "x", "x", "x", "x", "x"
	c.InitOptions["t"].(map[string]any)["l"].([]any)[0] = "x"
	if !reflect.DeepEqual(p, full()) {
		t.Errorf("a change of the clone changed the plan: %+v", p)
	}
	// A field that is added and shares something must be cloned too.
	shared := []string{"Argv", "Env", "Unwrapped", "InitOptions", "Settings", "Declared", "Files", "Notes"}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Plan]()) {
		switch field.Type.Kind() {
		case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface, reflect.Struct:
			if !slices.Contains(shared, field.Name) {
				t.Errorf("this test does not know the field %s", field.Name)
			}
		}
	}
}
