package typescript

import (
	"fmt"
	"strings"
	"testing"

	"mcpls/internal/launch/reason"
)

func TestInstalls(t *testing.T) {
	const shim = "/h/bin/typescript-language-server"
	beside := strings.Join([]string{server("/h/bin/node_modules"), typescript("/h/bin/node_modules"), shim}, "\n")
	link := "/bin/typescript-language-server -> /lib/node_modules/typescript-language-server/lib/cli.mjs"
	for _, test := range []struct {
		name, files string
		argv        string
		want        string
	}{
		{
			"npm -g", server("/lib/node_modules") + "\n" + typescript("/lib/node_modules") + "\n" + link,
			"/bin/typescript-language-server --stdio", "/lib/node_modules/typescript/lib/tsserver.js",
		},
		{
			"Homebrew, with typescript of another keg",
			server("/brew/Cellar/tls/5/libexec/lib/node_modules") + "\n" + typescript("/brew/Cellar/ts/5/lib/node_modules") + `
			/brew/opt/ts -> ../Cellar/ts/5
			/brew/Cellar/tls/5/libexec/lib/node_modules/typescript -> /brew/opt/ts/lib/node_modules/typescript
			/brew/Cellar/tls/5/bin/typescript-language-server -> ../libexec/lib/node_modules/typescript-language-server/lib/cli.mjs
			/brew/bin/typescript-language-server -> ../Cellar/tls/5/bin/typescript-language-server`,
			"/brew/bin/typescript-language-server", "/brew/Cellar/ts/5/lib/node_modules/typescript/lib/tsserver.js",
		},
		{
			"the server's own before its sibling",
			server("/n/node_modules") + "\n" + typescript("/n/node_modules") + "\n" + typescript("/n/node_modules/typescript-language-server/node_modules"),
			"/n/node_modules/typescript-language-server/lib/cli.mjs",
			"/n/node_modules/typescript-language-server/node_modules/typescript/lib/tsserver.js",
		},
		{
			"the sibling behind one of its own that has no tsserver",
			server("/n/node_modules") + "\n" + typescript("/n/node_modules") + "\n" + tsc("/n/node_modules/typescript-language-server/node_modules"),
			"/n/node_modules/typescript-language-server/lib/cli.mjs", "/n/node_modules/typescript/lib/tsserver.js",
		},
		{
			"a checkout of the server has no sibling", server("/src") + "\n" + typescript("/src"),
			"/src/typescript-language-server/lib/cli.mjs", "",
		},
		{"npm's shim", beside, shim, "/h/bin/node_modules/typescript/lib/tsserver.js"},
		{"npm's .cmd", beside + ".cmd", shim + ".cmd", "/h/bin/node_modules/typescript/lib/tsserver.js"},
		{"npm's .ps1", beside + ".ps1", shim + ".ps1", "/h/bin/node_modules/typescript/lib/tsserver.js"},
		{"no shim", beside, shim + ".cmd", ""},
		{"link to a shim", beside + "\n/bin/typescript-language-server -> " + shim, "/bin/typescript-language-server", ""},
		{"link beside a node_modules", beside + "x\n" + shim + " -> /h/bin/typescript-language-serverx", shim, ""},
		{"shim in a directory behind a link", beside + "\n/l -> /h", "/l/bin/typescript-language-server", "/h/bin/node_modules/typescript/lib/tsserver.js"},
		{"script of the user", "/usr/bin/typescript-language-server = #!/bin/sh", "/usr/bin/typescript-language-server", ""},
		{
			"shim in .bin", server("/n/node_modules") + "\n" + typescript("/n/node_modules") + "\n/n/node_modules/.bin/typescript-language-server",
			"/n/node_modules/.bin/typescript-language-server", "/n/node_modules/typescript/lib/tsserver.js",
		},
		{
			"local install of pnpm", server("/n/node_modules/.pnpm/tls@5/node_modules") + "\n" + typescript("/n/node_modules/.pnpm/typescript@5/node_modules") + `
			/n/node_modules/typescript -> .pnpm/typescript@5/node_modules/typescript
			/n/node_modules/typescript-language-server -> .pnpm/tls@5/node_modules/typescript-language-server
			/n/node_modules/.bin/typescript-language-server`,
			"/n/node_modules/.bin/typescript-language-server", "/n/node_modules/.pnpm/typescript@5/node_modules/typescript/lib/tsserver.js",
		},
		{
			"the sibling in the virtual store", server("/n/.pnpm/tls@5/node_modules") + "\n" + typescript("/n/.pnpm/typescript@5/node_modules") + `
			/n/.pnpm/tls@5/node_modules/typescript -> ../../typescript@5/node_modules/typescript
			/bin/typescript-language-server -> /n/.pnpm/tls@5/node_modules/typescript-language-server/lib/cli.mjs`,
			"/bin/typescript-language-server", "/n/.pnpm/typescript@5/node_modules/typescript/lib/tsserver.js",
		},
		{
			"script of node", server("/n/node_modules") + "\n" + typescript("/n/node_modules") + "\n/bin/node22",
			"/bin/node22 --no-warnings /n/node_modules/typescript-language-server/lib/cli.mjs --stdio", "/n/node_modules/typescript/lib/tsserver.js",
		},
		{
			"script of node through a link that .. leaves", server("/n/node_modules") + "\n" + typescript("/n/node_modules") + "\n" + typescript("/n/x/node_modules") + `
			/n/x/l -> ../node_modules/typescript-language-server
			/n/node_modules/other/f`,
			"/bin/node /n/x/l/../typescript-language-server/lib/cli.mjs", "/n/node_modules/typescript/lib/tsserver.js",
		},
		{
			"the same into another node_modules by its text", server("/n/node_modules") + "\n" + typescript("/x/node_modules") + `
			/x/node_modules/l -> /n/node_modules/typescript-language-server`,
			"/bin/node /x/node_modules/l/../typescript-language-server/lib/cli.mjs", "",
		},
		{
			"where the file lies before where the path says", server("/s/node_modules") + "\n" + typescript("/s/node_modules") + "\n" + typescript("/n/node_modules") + `
			/n/node_modules/typescript-language-server -> /s/node_modules/typescript-language-server`,
			"/bin/node /n/node_modules/typescript-language-server/lib/cli.mjs", "/s/node_modules/typescript/lib/tsserver.js",
		},
		{"script that is not there", "/bin/node", "/bin/node /n/node_modules/typescript-language-server/lib/cli.mjs", ""},
		{
			"script that is a FIFO", typescript("/n/node_modules") + "\n/n/node_modules/typescript-language-server/lib/cli.mjs = fifo",
			"/bin/node /n/node_modules/typescript-language-server/lib/cli.mjs", "",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			expectPin(t, Find(strings.Fields(test.argv), nil, unix(test.files)), test.want, false)
		})
	}
}

// expectPin fails the test unless a pin is of the path, "" for none.
func expectPin(t *testing.T, pin Pin, want string, inside bool) {
	t.Helper()
	if pin.Path != want || pin.Inside != inside || pin.Unpinnable || pin.Launcher != "" ||
		(pin.Warning == "") != (want != "") || (pin.Version == "5.9.3") != (want != "") {
		t.Errorf("pin %+v, want %q", pin, want)
	}
}

func TestInstallsOnWindows(t *testing.T) {
	const npm, pnpm = `C:\u\npm`, `C:\u\pnpm`
	files := strings.Join([]string{
		server(npm + `\node_modules`), typescript(npm + `\node_modules`), npm + `\typescript-language-server`, npm + `\typescript-language-server.cmd`,
		server(pnpm + `\global\5\node_modules`), typescript(pnpm + `\global\5\node_modules`), pnpm + `\typescript-language-server.CMD`,
		server(pnpm + `\global\v11\b\node_modules`), typescript(pnpm + `\global\v11\b\node_modules`), pnpm + `\bin\typescript-language-server.cmd`,
		`C:\ws\node_modules\.bin\typescript-language-server.cmd`, server(`C:\ws\node_modules`), typescript(`C:\ws\node_modules`),
	}, "\n")
	m := windows(files)
	m.env = map[string]string{"PNPM_HOME": pnpm}
	for argv, want := range map[string]string{
		npm + `\typescript-language-server`:                                                     npm + `\node_modules\typescript\lib\tsserver.js`,
		npm + `\typescript-language-server.cmd`:                                                 npm + `\node_modules\typescript\lib\tsserver.js`,
		npm + `\typescript-language-server.ps1`:                                                 "",
		pnpm + `\typescript-language-server.CMD`:                                                pnpm + `\global\5\node_modules\typescript\lib\tsserver.js`,
		pnpm + `\bin\typescript-language-server.cmd`:                                            pnpm + `\global\v11\b\node_modules\typescript\lib\tsserver.js`,
		`C:\n\node.exe ` + npm + `\node_modules\typescript-language-server\lib\cli.mjs`:         npm + `\node_modules\typescript\lib\tsserver.js`,
		`C:\n\node.exe C:/u/npm/node_modules/typescript-language-server/lib/cli.mjs`:            npm + `\node_modules\typescript\lib\tsserver.js`,
		`C:\ws\node_modules\.bin\typescript-language-server.cmd`:                                `C:\ws\node_modules\typescript\lib\tsserver.js`,
		`C:\n\node.exe --no-warnings C:\ws\node_modules\typescript-language-server\lib\cli.mjs`: `C:\ws\node_modules\typescript\lib\tsserver.js`,
	} {
		expectPin(t, Find(strings.Fields(argv), nil, m), want, strings.HasPrefix(want, `C:\ws`))
	}
}

func TestPnpm(t *testing.T) {
	const old, bin = "/p/typescript-language-server", "/p/bin/typescript-language-server"
	many := func(dir string, n int) (lines string) {
		for i := range n {
			lines += fmt.Sprintf("\n%s/%d/node_modules/x", dir, 10+i)
		}
		return lines
	}
	flat := strings.Join([]string{server("/p/global/5/node_modules"), typescript("/p/global/5/node_modules"), old}, "\n")
	hashed := func(project, hash string) string { return "\n/p/global/v11/" + hash + " -> " + project }
	split := server("/p/global/v11/1-a/node_modules") + hashed("1-a", "aa") + "\n" +
		typescript("/p/global/v11/1-b/node_modules") + hashed("1-b", "bb") + "\n" + bin
	joined := strings.Join([]string{server("/p/global/v11/1-a/node_modules"), typescript("/p/global/v11/1-a/node_modules"), bin}, "\n") + hashed("1-a", "aa")
	const inFlat = "/p/global/5/node_modules/typescript/lib/tsserver.js"
	const inA, inB = "/p/global/v11/1-a/node_modules/typescript/lib/tsserver.js", "/p/global/v11/1-b/node_modules/typescript/lib/tsserver.js"
	for _, test := range []struct {
		name, home, files, argv string
		want                    string
		warning                 string
	}{
		{"up to 10", "/p", flat, old, inFlat, ""},
		{"home through a link", "/l", flat + "\n/l -> /p", old, inFlat, ""},
		{"without PNPM_HOME", "", flat, old, "", "PNPM_HOME"},
		{"a relative PNPM_HOME", "p", flat, old, "", "PNPM_HOME"},
		{"another PNPM_HOME", "/q", flat + "\n/q/x", old, "", "in none of the installs"},
		{"two layouts", "/p", flat + "\n" + server("/p/global/4/node_modules"), old, "", "has 2 installs"},
		{"what is no layout", "/p", flat + "\n" + server("/p/global/x/node_modules"), old, inFlat, ""},
		{"no layout", "/p", old + "\n/p/global/x/f", old, "", "has 0 installs"},
		{"no global", "/p", old, old, "", "cannot be read"},
		{"16 entries", "/p", flat + many("/p/global", 15), old, inFlat, ""},
		{"17 entries", "/p", flat + many("/p/global", 16), old, "", "more than 16 installs"},
		{"only typescript elsewhere in the layouts", "/p", server("/p/global/5/node_modules") + "\n" + typescript("/p/global/4/node_modules") + "\n" + old, old, "/p/global/4/node_modules/typescript/lib/tsserver.js", ""},
		{"from 11, joined", "/p", joined, bin, inA, ""},
		{"from 11, split", "/p", split, bin, inB, ""},
		{"from 11, with that of 10 left", "/p", split + "\n" + flat, bin, inB, ""},
		{"10, with that of 11 left", "/p", split + "\n" + flat, old, inFlat, ""},
		{"two servers", "/p", joined + "\n" + server("/p/global/v11/1-c/node_modules"), bin, "", "has 2 installs"},
		{"two layouts of 11", "/p", joined + "\n" + server("/p/global/v12/1-c/node_modules"), bin, "", "has 2 installs"},
		{"two typescripts elsewhere", "/p", split + "\n" + typescript("/p/global/v11/1-c/node_modules"), bin, "", "2 of the package typescript"},
		{"two typescripts elsewhere, one with the server", "/p", joined + "\n" + split + "\n" + typescript("/p/global/v11/1-c/node_modules"), bin, inA, ""},
		{"no typescript", "/p", server("/p/global/v11/1-a/node_modules") + "\n" + bin, bin, "", "no typescript package is beside"},
		{"32 entries", "/p", split + many("/p/global/v11", 28), bin, inB, ""},
		{"33 entries", "/p", split + many("/p/global/v11", 29), bin, "", "more than 16 installs"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := unix(test.files)
			m.env = map[string]string{"PNPM_HOME": test.home}
			pin := Find([]string{test.argv}, nil, m)
			expectPin(t, pin, test.want, false)
			if !strings.Contains(pin.Warning, test.warning) {
				t.Errorf("warning %q", pin.Warning)
			}
		})
	}
}

// TestPackages holds what a typescript package must have.
func TestPackages(t *testing.T) {
	const tsserver = "/n/node_modules/typescript/lib/tsserver.js"
	for _, test := range []struct{ name, manifest, file, want string }{
		{"valid", `= {"version": "5.9.3"}`, "", tsserver},
		{"1 MiB", `= {"version": "5.9.3"}` + strings.Repeat(" ", 1<<20-20), "", tsserver},
		{"more than 1 MiB", `= {"version": "5.9.3"}` + strings.Repeat(" ", 1<<20), "", ""},
		{"no manifest", "", "", ""},
		{"FIFO", "= fifo", "", ""},
		{"directory", "/f", "", ""},
		{"empty", "= ", "", ""},
		{"no JSON", "= version 5", "", ""},
		{"text behind it", `= {"version": "5.9.3"} x`, "", ""},
		{"null", "= null", "", ""},
		{"list", `= ["version"]`, "", ""},
		{"no version", `= {"name": "typescript"}`, "", ""},
		{"no version by case", `= {"Version": "5.9.3"}`, "", ""},
		{"empty version", `= {"version": ""}`, "", ""},
		{"null version", `= {"version": null}`, "", ""},
		{"number", `= {"version": 5.9}`, "", ""},
		{"long version", `= {"version": "` + strings.Repeat("5", 129) + `"}`, "", ""},
		{"link to a manifest", "-> /m/package.json", "", tsserver},
		{"no tsserver", `= {"version": "5.9.3"}`, "none", ""},
		{"tsserver is a directory", `= {"version": "5.9.3"}`, "/f", ""},
		{"tsserver is a FIFO", `= {"version": "5.9.3"}`, "= fifo", ""},
		{"tsserver leads to nothing", `= {"version": "5.9.3"}`, "-> /no", ""},
		{"tsserver leads to another name", `= {"version": "5.9.3"}`, "-> /m/lib/other.js", ""},
		{"tsserver leads to another package", `= {"version": "1"}`, "-> /m/lib/tsserver.js", "/m/lib/tsserver.js"},
		{"and that has no manifest", `= {"version": "5.9.3"}`, "-> /k/lib/tsserver.js", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := unix(server("/n/node_modules"), `
				/m/package.json = {"version": "5.9.3"}
				/m/lib/tsserver.js
				/m/lib/other.js
				/k/lib/tsserver.js`)
			draw := func(file, how string) {
				if sub, ok := strings.CutPrefix(how, "/"); ok {
					m.files[file+"/"+sub] = ""
				} else if how != "none" {
					m.files[file] = strings.TrimPrefix(how, "= ")
				}
			}
			draw(tsserver, test.file)
			if test.manifest != "" {
				draw("/n/node_modules/typescript/package.json", test.manifest)
			}
			expectPin(t, Find([]string{"/n/node_modules/typescript-language-server/lib/cli.mjs"}, nil, m), test.want, false)
		})
	}
}

func TestTypeScript7IsNoPin(t *testing.T) {
	pin := Find([]string{"/n/node_modules/typescript-language-server/lib/cli.mjs"}, nil, unix(server("/n/node_modules"), tsc("/n/node_modules")))
	expectPin(t, pin, "", false)
	const want = `no tsserver is pinned for typescript-language-server: the typescript package "/n/node_modules/typescript" (version "7.0.2") ` +
		"has no JavaScript tsserver; to pin one, set initialization_options.tsserver.path"
	if pin.Warning != want {
		t.Errorf("warning %s", pin.Warning)
	}
}

// TestInside holds that a pin is inside the workspace when any step to it is.
func TestInside(t *testing.T) {
	ts := "/lib/node_modules/typescript/lib/tsserver.js"
	outside := server("/lib/node_modules") + "\n" + typescript("/lib/node_modules") + "\n"
	for _, test := range []struct{ name, files, argv, want string }{
		{"installed in it", server("/ws/node_modules") + "\n" + typescript("/ws/node_modules"), "/bin/node /ws/node_modules/typescript-language-server/lib/cli.mjs", "/ws/node_modules/typescript/lib/tsserver.js"},
		{"typescript is a link into it", server("/lib/node_modules") + "\n" + typescript("/ws/node_modules") + "\n/lib/node_modules/typescript -> /ws/node_modules/typescript", "/lib/node_modules/typescript-language-server/lib/cli.mjs", "/ws/node_modules/typescript/lib/tsserver.js"},
		{"lib is a link into it", server("/lib/node_modules") + "\n" + typescript("/ws") + "\n/lib/node_modules/typescript/lib -> /ws/typescript/lib", "/lib/node_modules/typescript-language-server/lib/cli.mjs", "/ws/typescript/lib/tsserver.js"},
		{"the server is a link of it", outside + "/ws/typescript-language-server -> /lib/node_modules/typescript-language-server/lib/cli.mjs", "/ws/typescript-language-server", ts},
		{"the script is a link of it", outside + "/ws/s.mjs -> /lib/node_modules/typescript-language-server/lib/cli.mjs", "/bin/node /ws/s.mjs", ts},
		{"it has only a link to typescript", server("/ws/node_modules") + "\n" + typescript("/lib/node_modules") + "\n/ws/node_modules/typescript -> /lib/node_modules/typescript", "/ws/node_modules/typescript-language-server/lib/cli.mjs", ts},
		{"pnpm's link leads through it", outside + "/p/bin/typescript-language-server\n/p/global/v11/a -> /ws/a\n/ws/a/node_modules -> /lib/node_modules", "/p/bin/typescript-language-server", ts},
		{"pnpm's shims are reached through it", server("/p/global/5/node_modules") + "\n" + typescript("/p/global/5/node_modules") + "\n/p/typescript-language-server\n/ws/p -> /p", "/ws/p/typescript-language-server", "/p/global/5/node_modules/typescript/lib/tsserver.js"},
		{"typescript leads through it", server("/lib/node_modules") + "\n" + typescript("/l") + "\n/lib/node_modules/typescript -> /ws/t\n/ws/t/lib -> /l/typescript/lib", "/lib/node_modules/typescript-language-server/lib/cli.mjs", "/l/typescript/lib/tsserver.js"},
		{"the server is in it and has no typescript", server("/ws/node_modules"), "/bin/node /ws/node_modules/typescript-language-server/lib/cli.mjs", ""},
		{"typescript is in it and cannot be pinned", server("/lib/node_modules") + "\n/ws/t/package.json\n/ws/t/lib/tsserver.js\n/lib/node_modules/typescript -> /ws/t", "/lib/node_modules/typescript-language-server/lib/cli.mjs", ""},
		{"none of it and no typescript", server("/lib/node_modules"), "/lib/node_modules/typescript-language-server/lib/cli.mjs", ""},
		{"none of it", outside, "/lib/node_modules/typescript-language-server/lib/cli.mjs", ts},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := unix(test.files)
			m.env = map[string]string{"PNPM_HOME": "/p"}
			inside := !strings.HasPrefix(test.name, "none of it")
			pin := Find(strings.Fields(test.argv), nil, m)
			expectPin(t, pin, test.want, inside)
			if r := pin.Refusal(); (r != nil) != inside || r != nil && (r.Code != reason.TsserverInWorkspace || !strings.Contains(r.Message, test.want) || r.Hint == "") {
				t.Errorf("refusal %+v", r)
			}
			if pin := Find(strings.Fields(test.argv), map[string]any{}, m); pin.Path != "" || pin.Inside != inside {
				t.Errorf("with options %+v", pin)
			}
		})
	}
}

func TestUserOptions(t *testing.T) {
	m := unix(
		server("/lib/node_modules"), typescript("/lib/node_modules"), typescript("/ws/node_modules"), `
		/bin/tls -> /lib/node_modules/typescript-language-server/lib/cli.mjs
		/l -> /ws/node_modules
		/nothing/at/all
		/ws/out -> /lib/node_modules
		/t/package.json
		/t/lib -> /ws/node_modules/typescript/lib
		/t/deep/er/f
		/t/tsserver.js`,
	)
	m.programs = map[string]string{"tsserver": "/lib/node_modules/typescript/bin/tsc", "wsserver": "/ws/bin/tsserver", "here": "bin/here", "a/b": "/bin/tls"}
	for _, test := range []struct {
		name, path string
		inside     bool
	}{
		{"outside", "/lib/node_modules/typescript/lib/tsserver.js", false},
		{"package outside", "/lib/node_modules/typescript", false},
		{"missing outside", "/no/tsserver.js", false},
		{"inside", "/ws/node_modules/typescript", true},
		{"missing inside", "/ws/no", true},
		{"through a link", "/l/typescript/lib/tsserver.js", true},
		{"package whose lib leads into it", "/t", true},
		{"directory below that package", "/t/deep/er", true},
		{"file below that package", "/t/deep/er/f", true},
		{"tsserver.js is itself", "/t/tsserver.js", false},
		{"of no package", "/nothing/at/all", false},
		{"through it and out", "/ws/out/typescript", true},
		{"program on PATH", "tsserver", false},
		{"program on PATH inside", "wsserver", true},
		{"program of the working directory", "here", true},
		{"no program", "nothing", true},
		{"relative", "./node_modules/typescript", true},
		{"relative with a separator", "a/b", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			options := map[string]any{"tsserver": map[string]any{"path": test.path}}
			pin := Find([]string{"/bin/tls"}, options, m)
			if (pin != Pin{Path: test.path, Inside: test.inside}) || (pin.Refusal() != nil) != test.inside {
				t.Errorf("%+v", pin)
			}
			pin = Find([]string{"/bin/npx", serverName}, options, m)
			if (pin != Pin{Path: test.path, Inside: test.inside, Unpinnable: true, Launcher: named}) {
				t.Errorf("by a launcher: %+v", pin)
			}
			if r := pin.Refusal(); r == nil || r.Code != reason.TsserverUnpinnable {
				t.Errorf("by a launcher: refusal %+v", r)
			}
		})
	}
	for name, options := range map[string]map[string]any{
		"empty":          {},
		"others":         {"tsserver": map[string]any{"useSyntaxServer": "never"}},
		"empty path":     {"tsserver": map[string]any{"path": ""}},
		"path no text":   {"tsserver": map[string]any{"path": 1}},
		"no table":       {"tsserver": "/lib/node_modules/typescript"},
		"fallback":       {"tsserver": map[string]any{"fallbackPath": "/lib/node_modules/typescript"}},
		"their fallback": {"tsserver": map[string]any{"fallbackPath": "/ws/node_modules/typescript"}},
	} {
		pin := Find([]string{"/bin/tls"}, options, m)
		if pin.Path != "" || pin.Version != "" || !strings.Contains(pin.Warning, "initialization_options is set without tsserver.path") || pin.Inside != (name == "their fallback") {
			t.Errorf("%s: %+v", name, pin)
		}
	}
	expectPin(t, Find([]string{"/bin/tls"}, nil, m), "/lib/node_modules/typescript/lib/tsserver.js", false)
}

func TestLaunchers(t *testing.T) {
	for argv, launcher := range map[string]string{
		"/bin/npx typescript-language-server":                          named,
		"/bin/node typescript-language-server/lib/cli.mjs":             relative,
		"/h/.asdf/shims/typescript-language-server":                    managed,
		"/bin/node --require /x /g/typescript-language-server/cli.mjs": "",
	} {
		pin := Find(strings.Fields(argv), nil, unix())
		want := Pin{}
		if launcher != "" {
			want = Pin{Unpinnable: true, Launcher: launcher, Warning: "no tsserver is pinned for typescript-language-server: " + launcher + "; to pin one, set initialization_options.tsserver.path"}
		}
		if pin != want {
			t.Errorf("%s: %+v", argv, pin)
		}
		r := pin.Refusal()
		if (r != nil) != pin.Unpinnable || r != nil && (r.Code != reason.TsserverUnpinnable || !strings.HasSuffix(r.Message, launcher) || r.Hint == "") {
			t.Errorf("%s: refusal %+v", argv, r)
		}
		options := map[string]any{"x": 1}
		if got := Find(strings.Fields(argv), options, unix()); got != want {
			t.Errorf("%s: with options %+v", argv, got)
		}
	}
}
