package typescript

import (
	"strings"
	"testing"
)

// The reasons why it is open which server runs.
const (
	managed  = "a version manager starts it, and may choose by files of the workspace"
	named    = "the launcher only names it in its arguments"
	relative = "its script is not given by an absolute path"
)

// Each row is an argv with | between its elements.
func TestParse(t *testing.T) {
	m := unix(server("/g"), `
		/bin/node
		/bin/npx
		/bin/custom -> /g/typescript-language-server/lib/cli.mjs
		/bin/typescript-language-server -> /g/typescript-language-server/lib/cli.mjs
		/v/.volta/bin/volta-shim
		/v/.volta/bin/typescript-language-server -> volta-shim
		/v/volta-shim
		/v/bin/typescript-language-server -> ../volta-shim
		/l/typescript-language-server -> /a/shims/typescript-language-server
		/a/shims/typescript-language-server
		/a/shims/node
		/opt/bin/mise
		/opt/links/typescript-language-server -> /opt/bin/mise
		/src/typescript-language-server/README.md`)
	const cli = "/g/typescript-language-server/lib/cli.mjs"
	for _, test := range []struct{ argv, server, open string }{
		{"", "", ""},
		{"/bin/typescript-language-server|--stdio", "/bin/typescript-language-server", ""},
		{"/no/typescript-language-server", "/no/typescript-language-server", ""},
		{"/no/typescript-language-server.cmd|--stdio", "/no/typescript-language-server.cmd", ""},
		{"/no/typescript-language-server.ps1", "/no/typescript-language-server.ps1", ""},
		{"/bin/custom|--stdio", "/bin/custom", ""},
		{cli + "|--stdio", cli, ""},
		{"/bin/node|" + cli + "|--stdio", cli, ""},
		{"/bin/nodejs|" + cli, cli, ""},
		{"/bin/bun|" + cli, cli, ""},
		{"/bin/node22|" + cli, cli, ""},
		{"/bin/node-22.1|" + cli, cli, ""},
		{"/bin/bun1.2|" + cli, cli, ""},
		{"/bin/node.exe|" + cli, cli, ""},
		{"/bin/node|--max-old-space-size=4096|--enable-source-maps|" + cli + "|--stdio", cli, ""},
		{"/bin/node|/bin/typescript-language-server", "/bin/typescript-language-server", ""},
		{"/bin/node|/bin/custom", "/bin/custom", ""},
		// Another file may be the script.
		{"/bin/node|--require|/x.js|" + cli, "", named},
		{"/bin/node|/x.js|" + cli, "", named},
		{"/bin/node|-|" + cli, "", named},
		{"/bin/node|-e|x|" + cli, "", named},
		{"/bin/node|--eval=x|" + cli, "", named},
		{"/bin/node|-p|" + cli, "", named},
		{"/bin/bun|run|" + cli, "", named},
		{"/bin/bun|x|typescript-language-server", "", named},
		{"/bin/node|lib/typescript-language-server/lib/cli.mjs", "", relative},
		{"/bin/node22|./typescript-language-server", "", relative},
		{"/bin/bun|typescript-language-server", "", relative},
		{"typescript-language-server", "", relative},
		// Launchers.
		{"/bin/npx|-y|typescript-language-server@5.3.0|--stdio", "", named},
		{"/bin/bunx|typescript-language-server", "", named},
		{"/bin/pnpm|dlx|typescript-language-server", "", named},
		{"/bin/yarn|dlx|-p|typescript|typescript-language-server", "", named},
		{"/bin/npm|exec|--package=typescript-language-server|--|tls", "", named},
		{"/bin/deno|run|-A|npm:typescript-language-server@5/lib/cli.mjs", "", named},
		{"/bin/deno|run|-A|npm:typescript-language-server", "", named},
		{"/bin/deno|run|" + cli, "", named},
		{"/bin/sh|-c|exec typescript-language-server --stdio", "", named},
		{"/bin/sh|-c|cd /x&&'/bin/custom'", "", named},
		{"/bin/firejail|/bin/typescript-language-server", "", named},
		{"/bin/nodemon|" + cli, "", named},
		// Version managers.
		{"/v/.volta/bin/typescript-language-server", "", managed},
		{"/v/bin/typescript-language-server", "", managed},
		{"/a/shims/typescript-language-server", "", managed},
		{"/l/typescript-language-server", "", managed},
		{"/opt/links/typescript-language-server", "", managed},
		{"/a/shims/node|" + cli, "", managed},
		{"/opt/bin/mise|exec|--|typescript-language-server", "", managed},
		{"/no/asdf|exec|typescript-language-server", "", managed},
		{"/no/volta|run|typescript-language-server", "", managed},
		// No server.
		{"/bin/gopls", "", ""},
		{"/bin/node|/x/server.js", "", ""},
		{"/bin/tsc|--lsp|--stdio", "", ""},
		{"/bin/typescript-language-server-x", "", ""},
		{"/bin/clangd|--log=/tmp/typescript-language-server.log", "", ""},
		{"/bin/clangd|/src/typescript-language-server", "", ""},
		{"/bin/clangd|--dir=/src/typescript-language-server/build", "", ""},
		{"/bin/node|/x/lib/cli.mjs", "", ""},
		{"/bin/node|/x/typescript-language-server/bin/cli.mjs", "", ""},
	} {
		argv := strings.FieldsFunc(test.argv, func(r rune) bool { return r == '|' })
		c, ok := finder{m}.parse(argv)
		if c.server != test.server || c.open != test.open || ok != (test.server+test.open != "") || Is(argv, m) != ok {
			t.Errorf("%s: %+v, %v", test.argv, c, ok)
		}
	}
}

func TestParseOnWindows(t *testing.T) {
	m := windows(server(`C:\g`), `
		C:\Volta\bin\volta-shim.exe
		C:\links\typescript-language-server.exe -> C:\Volta\bin\volta-shim.exe`)
	const cli = `C:\g\typescript-language-server\lib\cli.mjs`
	for _, test := range []struct{ argv, server, open string }{
		{`C:\npm\Typescript-Language-Server.CMD`, `C:\npm\Typescript-Language-Server.CMD`, ""},
		{`C:\nodejs\node.exe|` + cli, cli, ""},
		{`C:\nodejs\Node22.EXE|--no-warnings|` + cli, cli, ""},
		{`C:/nodejs/node.exe|C:/x/typescript-language-server/lib/cli.mjs`, `C:/x/typescript-language-server/lib/cli.mjs`, ""},
		{`C:\nodejs\node.exe|\x\typescript-language-server\lib\cli.mjs`, "", relative},
		{`C:\nodejs\npx.cmd|typescript-language-server`, "", named},
		{`C:\Windows\cmd.exe|/c|C:\npm\typescript-language-server.cmd --stdio`, "", named},
		{`C:\Volta\bin\typescript-language-server.cmd`, "", managed},
		{`C:\links\typescript-language-server.exe`, "", managed},
		{`C:\mise\Shims\typescript-language-server.cmd`, "", managed},
	} {
		c, _ := finder{m}.parse(strings.Split(test.argv, "|"))
		if c.server != test.server || c.open != test.open {
			t.Errorf("%s: %+v", test.argv, c)
		}
	}
}
