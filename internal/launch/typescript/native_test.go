package typescript

import (
	"strings"
	"testing"
)

func TestNative(t *testing.T) {
	const bin = "/lib/node_modules/typescript/bin/tsc"
	seven, five := tsc("/lib/node_modules"), typescript("/lib/node_modules")
	link := "\n/bin/tsc -> " + bin
	tls := "\n" + server("/lib/node_modules") + "\n/bin/tls -> /lib/node_modules/typescript-language-server/lib/cli.mjs"
	for _, test := range []struct {
		name, files, argv, tsc string
		want                   string
		why                    string
	}{
		{"on PATH", seven + link, "", "/bin/tsc", bin, ""},
		{"on PATH, server without typescript", seven + link, "/x/typescript-language-server", "/bin/tsc", bin, ""},
		{"no tsc", seven, "", "", "", "nor is a tsc on PATH"},
		{"beside the server", seven + tls, "/bin/tls", "", bin, ""},
		{"beside the server of a package runner", seven + tls, "/bin/npx typescript-language-server", "", "", "nor is a tsc"},
		{
			"beside the server first", tsc("/a/node_modules") + "\n" + server("/a/node_modules") + "\n" + seven + link,
			"/a/node_modules/typescript-language-server/lib/cli.mjs", "/bin/tsc", "/a/node_modules/typescript/bin/tsc", "",
		},
		{
			"PATH when beside is an older one", typescript("/a/node_modules") + "\n" + server("/a/node_modules") + "\n" + seven + link,
			"/a/node_modules/typescript-language-server/lib/cli.mjs", "/bin/tsc", bin, "",
		},
		{"an older one", five + link, "", "/bin/tsc", "", `is of version "5.9.3"`},
		{"a version of two digits", inDir("/lib/node_modules/typescript", `package.json = {"version": "10.0.0-dev"}`, "bin/tsc") + link, "", "/bin/tsc", bin, ""},
		{"a version that is none", inDir("/lib/node_modules/typescript", `package.json = {"version": "latest"}`, "bin/tsc") + link, "", "/bin/tsc", "", `"latest"`},
		{"no manifest", bin + link, "", "/bin/tsc", "", "no package.json"},
		{"another tsc", "/bin/tsc", "", "/bin/tsc", "", "in none of the installs"},
		{"link to another tsc", seven + "\n/opt/tsc/bin/tsc\n/bin/tsc -> /opt/tsc/bin/tsc", "", "/bin/tsc", "", "is a link"},
		{"by a relative path", seven + link, "", "bin/tsc", "", "nor is a tsc on PATH"},
		{"shim beside node_modules", tsc("/h/node_modules") + "\n/h/tsc", "", "/h/tsc", "/h/node_modules/typescript/bin/tsc", ""},
		{"shim of pnpm", tsc("/p/global/v11/a/node_modules") + "\n/p/bin/tsc", "", "/p/bin/tsc", "/p/global/v11/a/node_modules/typescript/bin/tsc", ""},
		{"shim of a version manager", seven + "\n/h/shims/tsc", "", "/h/shims/tsc", "", "in none of the installs"},
		{"tsc is a directory", inDir("/lib/node_modules/typescript", `package.json = {"version": "7.0.2"}`, "bin/tsc/f") + link, "", "/bin/tsc", "", "is not bin/tsc"},
		{"inside the workspace", tsc("/ws/node_modules"), "", "/ws/node_modules/typescript/bin/tsc", "", "inside the workspace"},
		{"link into the workspace", tsc("/ws/node_modules") + "\n/bin/tsc -> /ws/node_modules/typescript/bin/tsc", "", "/bin/tsc", "", "inside the workspace"},
		{"link of the workspace", seven + "\n/ws/tsc -> " + bin, "", "/ws/tsc", "", "inside the workspace"},
		{"through the workspace and out of it", seven + "\n/ws/n/typescript -> /lib/node_modules/typescript\n/h/node_modules -> /ws/n\n/h/tsc", "", "/h/tsc", "", "inside the workspace"},
		{"server in the workspace", tsc("/ws/node_modules") + "\n" + server("/ws/node_modules"), "/ws/node_modules/typescript-language-server/lib/cli.mjs", "", "", "nor is a tsc"},
		{"bin/tsc of another package", inDir("/x/y", `package.json = {"version": "7.0.2"}`, "bin/tsc") + tls + "\n/lib/node_modules/typescript/bin/tsc -> /x/y/bin/tsc", "/bin/tls", "", "", "nor is a tsc"},
		{"shim of pnpm through the workspace", strings.Join([]string{tsc("/p/global/5/node_modules"), server("/p/global/5/node_modules"), "/p/typescript-language-server", "/ws/p -> /p"}, "\n"), "/ws/p/typescript-language-server", "", "", "nor is a tsc"},
		{"project of pnpm through the workspace", seven + tls + "\n/p/bin/typescript-language-server\n/p/global/v11/a -> /ws/a\n/ws/a/node_modules -> /lib/node_modules", "/p/bin/typescript-language-server", "", "", "nor is a tsc"},
		{"server by a link of the workspace", seven + tls + "\n/ws/tls -> /bin/tls", "/ws/tls", "", "", "nor is a tsc"},
		{"typescript beside it in the workspace", tsc("/ws") + tls + "\n/lib/node_modules/typescript -> /ws/typescript", "/bin/tls", "", "", "nor is a tsc"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := unix(test.files)
			m.env = map[string]string{"PNPM_HOME": "/p"}
			if test.tsc != "" {
				m.programs = map[string]string{"tsc": test.tsc}
			}
			got, why := Native(strings.Fields(test.argv), m)
			want := ""
			if test.want != "" {
				want = test.want + " --lsp --stdio"
			}
			if strings.Join(got, " ") != want || (why == "") != (want != "") || !strings.Contains(why, test.why) {
				t.Errorf("%q, %s; want %q", got, why, want)
			}
		})
	}
}

func TestNativeOnWindows(t *testing.T) {
	files := strings.Join([]string{
		tsc(`C:\npm\node_modules`), server(`C:\npm\node_modules`), `C:\npm\tsc.cmd`, `C:\npm\tsc`, `C:\npm\typescript-language-server.cmd`,
		`C:\nodejs\node.exe`, `C:\ws\node.exe`, `C:\bin\node.exe -> C:\ws\node.exe`,
	}, "\n")
	const want = `C:\nodejs\node.exe C:\npm\node_modules\typescript\bin\tsc --lsp --stdio`
	for _, test := range []struct {
		name, argv string
		programs   map[string]string
		want, why  string
	}{
		{"tsc.cmd", "", map[string]string{"tsc.cmd": `C:\npm\tsc.cmd`, "node.exe": `C:\nodejs\node.exe`}, want, ""},
		{"tsc for sh", "", map[string]string{"tsc": `C:\npm\tsc`, "node.exe": `C:\nodejs\node.exe`}, want, ""},
		{"beside the server", `C:\npm\typescript-language-server.cmd`, map[string]string{"node.exe": `C:\nodejs\node.exe`}, want, ""},
		{"no node", "", map[string]string{"tsc.cmd": `C:\npm\tsc.cmd`, "node": `C:\nodejs\node`}, "", "node.exe was not found"},
		{"node in the workspace", "", map[string]string{"tsc.cmd": `C:\npm\tsc.cmd`, "node.exe": `C:\ws\node.exe`}, "", "first node.exe on PATH"},
		{"node leads into the workspace", "", map[string]string{"tsc.cmd": `C:\npm\tsc.cmd`, "node.exe": `C:\bin\node.exe`}, "", "first node.exe on PATH"},
		{"a relative node", "", map[string]string{"tsc.cmd": `C:\npm\tsc.cmd`, "node.exe": `node.exe`}, "", "node.exe was not found"},
		{"shim in the workspace", "", map[string]string{"tsc.cmd": `C:\ws\tsc.cmd`, "tsc": `C:\npm\tsc`, "node.exe": `C:\nodejs\node.exe`}, "", "inside the workspace"},
	} {
		m := windows(files)
		m.programs = test.programs
		got, why := Native(strings.Fields(test.argv), m)
		if strings.Join(got, " ") != test.want || !strings.Contains(why, test.why) || (why == "") != (test.want != "") {
			t.Errorf("%s: %q, %s", test.name, got, why)
		}
	}
}
