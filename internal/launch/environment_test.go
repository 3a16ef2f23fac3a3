package launch

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestPathOfTheServer(t *testing.T) {
	files := map[string]string{
		"/bin/sh": "x", "/opt/bin/node": "x", "/ws/bin/node": "x", "/ws2/node": "x", "/co/bin/node": "x", "/wsx/node": "x",
		"/into": "-> /ws/bin", "/up": "-> /ws", "/ws/out": "-> /opt", "/broken": "-> /ws/later", "/link": "-> /opt",
	}
	const system = "/usr/local/bin:/usr/bin:/bin"
	for _, test := range []struct {
		name, path, want string
		dropped          string
	}{
		{"clean", "/opt/bin:/bin", "/opt/bin:/bin", ""},
		{"order", "/bin:/opt/bin", "/bin:/opt/bin", ""},
		{"like a root by name", "/wsx:/bin", "/wsx:/bin", ""},
		{"link between places outside", "/link/bin", "/link/bin", ""},
		{"root", "/ws:/bin", "/bin", "1"},
		{"in a root", "/ws/bin:/bin", "/bin", "1"},
		{"in the second root", "/bin:/ws2", "/bin", "1"},
		{"in the boundary", "/co/bin:/bin", "/bin", "1"},
		{"above a root", "/:/bin", "/:/bin", ""},
		{"linked directory", "/into:/bin", "/bin", "1"},
		{"through a link", "/up/bin:/bin", "/bin", "1"},
		{"out again", "/ws/out/bin:/bin", "/bin", "1"},
		{"dots", "/opt/../ws/bin:/bin", "/bin", "1"},
		{"dots behind a link", "/ws/out/../bin:/opt/bin", "/opt/bin", "1"},
		{"dots outside", "/opt/bin/../bin/:/bin", "/opt/bin:/bin", ""},
		{"relative", "bin:./bin:..:/bin", "/bin", "3"},
		{"empty", ":/bin:", "/bin", "2"},
		{"missing", "/no:/bin", "/bin", ""},
		{"missing in a root", "/ws/later:/bin", "/bin", "1"},
		{"link to nothing", "/broken:/bin", "/bin", "1"},
		{"nothing is left", "/ws/bin:bin", system, "2"},
		{"empty PATH", "", system, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := input("/bin/sh")
			plan, err := Make(in, linux(test.path, maps.Clone(files)))
			if err != nil || plan.Env["PATH"] != test.want {
				t.Fatalf("%v: PATH %q, want %q", err, plan.Env["PATH"], test.want)
			}
			if notes := strings.Join(plan.Notes, "\n"); (notes != "") != (test.dropped != "") || !strings.Contains(notes, test.dropped) ||
				notes != "" && (!strings.Contains(notes, "env.PATH") || len(plan.Notes) != 1) {
				t.Errorf("notes %q", notes)
			}
			in.Declaration.Env = map[string]string{"PATH": test.path}
			if plan, err := Make(in, linux("/nothing", maps.Clone(files))); err != nil || plan.Env["PATH"] != test.path || plan.Notes != nil {
				t.Errorf("%v: the entry's own PATH became %q, notes %q", err, plan.Env["PATH"], plan.Notes)
			}
		})
	}
}

// What the entry sets is the only PATH that its command is looked up on.
func TestOwnPathIsTheOnlyOne(t *testing.T) {
	in := input("ls")
	in.Declaration.Env = map[string]string{"PATH": "/a"}
	if plan, err := Make(in, linux("/b:/ws", map[string]string{"/b/ls": "x", "/ws/ls": "x", "/usr/bin/ls": "x"})); err == nil {
		t.Errorf("found %q", plan.Argv)
	}
	in.Declaration.Env["PATH"] = "/ws:/a"
	plan, err := Make(in, linux("", map[string]string{"/ws/ls": "x", "/a/ls": "x"}))
	if err != nil || plan.Argv[0] != "/ws/ls" || !plan.PathIntoWorkspace {
		t.Errorf("%v, %+v", err, plan)
	}
}

func TestHomeOfTheServer(t *testing.T) {
	files := map[string]string{
		"/bin/sh": "x", "/home/u/f": "-", "/ws/h/f": "-", "/co/h/f": "-", "/into": "-> /ws/h", "/ws/out": "-> /home", "/login/f": "-",
	}
	for _, test := range []struct{ name, home, want string }{
		{"outside", "/home/u", "/home/u"},
		{"outside and missing", "/home/v", "/home/v"},
		{"dots outside", "/home/v/../u/", "/home/u"}, // what was checked is what is used
		{"in a root", "/ws/h", "/login"},
		{"root", "/ws", "/login"},
		{"in the boundary", "/co/h", "/login"},
		{"missing in a root", "/ws/later/h", "/login"},
		{"link into a root", "/into", "/login"},
		{"through a root", "/ws/out/u", "/login"},
		{"dots", "/home/../ws/h", "/login"},
		{"dots behind a link", "/home/../ws/out/../h", "/login"},
		{"relative", "h", "/login"},
		{"empty", "", "/login"},
	} {
		for _, name := range []string{"HOME", "USERPROFILE"} {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				in, facts := input("/bin/sh"), linux("/bin", maps.Clone(files))
				facts.env[name], facts.home = test.home, "/login"
				check := func(want string, notes int) {
					t.Helper()
					plan, err := Make(in, facts)
					if got, ok := plan.Env[name]; err != nil || got != want || ok != (want != "") || len(plan.Notes) != notes {
						t.Errorf("%v: %q, want %q; notes %q", err, got, want, plan.Notes)
					}
				}
				replaced := map[bool]int{true: 1}[test.want == "/login"]
				check(test.want, replaced)
				facts.home = ""
				check(strings.TrimPrefix(test.want, "/login"), replaced)
				if test.home != "" {
					in.Declaration.Env = map[string]string{name: test.home}
					check(test.home, 0)
				}
			})
		}
	}
	// A login home that is itself the workspace stays, without a word.
	facts := linux("/bin", maps.Clone(files))
	facts.env["HOME"], facts.home = "/ws/h", "/ws/h"
	if plan, err := Make(input("/bin/sh"), facts); err != nil || plan.Env["HOME"] != "/ws/h" || plan.Notes != nil {
		t.Errorf("%v: %q, notes %q", err, plan.Env["HOME"], plan.Notes)
	}
}

func TestPathOnWindows(t *testing.T) {
	files := map[string]string{`C:\bin\ls.exe`: "x", `C:\a;b\f`: "x", `C:\ws\bin\node.exe`: "x", `C:\Windows\System32\cmd.exe`: "x"}
	for _, test := range []struct {
		path, root string
		want       string
	}{
		{`C:\ws\bin;C:\bin`, "", `C:\bin`},
		{`\bin;C:bin;C:\bin`, "", `C:\bin`},
		{`C:\ws\bin`, `C:\Windows`, `C:\Windows\System32`},
		{`C:\ws\bin`, "", ""},
		{`C:\ws\bin`, "Windows", ""},
	} {
		facts := drawn{windows: true, files: files, env: map[string]string{"Path": test.path, "SYSTEMROOT": test.root}}
		env, _ := environmentOf(nil, []string{`C:\ws`}, facts)
		if got, ok := env["PATH"]; got != test.want || ok != (test.want != "") {
			t.Errorf("%s: %q, want %q", test.path, got, test.want)
		}
		if env, _ := environmentOf(map[string]string{"Path": test.path}, []string{`C:\ws`}, facts); env["PATH"] != test.path {
			t.Errorf("the entry's own: %q, want %q", env["PATH"], test.path)
		}
	}
	if got := joinList([]string{`C:\a;b`, `C:\bin`}, drawn{windows: true}); got != `"C:\a;b";C:\bin` {
		t.Errorf("joined %s", got)
	}
	if !slices.Equal(systemPath(drawn{}), []string{"/usr/local/bin", "/usr/bin", "/bin"}) {
		t.Error("the system's PATH")
	}
}

func environmentOf(own map[string]string, boundary []string, facts Facts) (env map[string]string, notes []string) {
	p := &planner{facts: facts}
	p.Declaration.Env, p.Boundary = own, boundary
	p.environment()
	return p.plan.Env, p.plan.Notes
}
