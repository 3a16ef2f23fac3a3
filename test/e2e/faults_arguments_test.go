package e2e_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const twins = capable + `
on workspace/symbol
	reply [{"name": "twin", "kind": 12, "location": {"uri": "file://$ROOT/a.txt", "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}}}, {"name": "twin", "kind": 12, "location": {"uri": "file://$ROOT/a.txt", "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 5}}}}]
on textDocument/hover
	reply {"contents": "answered"}
`

// argumentFaults are calls of one mcpls, so a row's peak has that of the rows
// that ran beside it.
func argumentFaults(t *testing.T, release string) []fault {
	dir := badFiles(t)
	c := startScene(t, release, fakePath, strings.ReplaceAll(twins, "$ROOT", dir), "", setup{dir: dir})
	call := func(tool string, a args) func(*testing.T) (string, int) {
		return func(t *testing.T) (string, int) {
			resetPeak(t, c.cmd.Process.Pid)
			saw := outcome(c.try(tool, a))
			c.checkWell()
			return saw, peakOf(t, c.cmd.Process.Pid)
		}
	}
	hover := func(path string) func(*testing.T) (string, int) {
		return call("get_hover", args{"file_path": path, "line": 1, "character": 1})
	}
	return []fault{
		{name: "unknown tool", play: call("get_hoover", nil), want: `?`},
		{name: "unknown argument", play: call("get_hover", args{"file": "a.txt"}), want: `?`},
		{name: "argument of another type", play: call("get_hover", args{"file_path": "a.txt", "line": "one"}), want: `?`},
		{name: "argument missing", play: call("get_document_symbols", nil), want: `?`},
		{name: "arguments that are a list", play: rawArguments(c, `["a.txt"]`), want: `?`},
		{name: "argument of 10 MB", play: call("get_hover", args{"file_path": strings.Repeat("x", 10<<20), "line": 1}), want: `?`},
		{name: "argument of another type of 10 MB", play: call("get_hover", args{"file_path": "a.txt", "line": strings.Repeat("x", 10<<20)}), want: `?`},
		{name: "number out of bounds", play: call("get_hover", args{"file_path": "a.txt", "line": 1e300}), want: `?`},
		{name: "NUL in a path", play: hover("a\x00.txt"), want: `?`},
		{name: "path outside the roots", play: hover("/etc/passwd"), want: `?`},
		{name: "path that climbs out", play: hover("../../etc/passwd"), want: `?`},
		{name: "link that leads out", play: hover("out.txt"), want: `?`},
		{name: "missing file", play: hover("missing.txt"), want: `?`},
		{name: "empty path", play: hover(""), want: `?`},
		{name: "huge file", play: hover("huge.txt"), want: `?`},
		{name: "binary file", play: hover("binary.txt"), want: `?`},
		{name: "directory", play: hover("dir.txt"), want: `?`},
		{name: "FIFO", play: hover("fifo.txt"), want: `?`},
		{name: "device", play: hover("zero.txt"), want: `?`},
		{name: "file of no known language", play: hover("what.ever"), want: `?`},
		{name: "line past the end", play: call("get_hover", args{"file_path": "a.txt", "line": 99, "character": 1}), want: `?`},
		{name: "column past the end", play: call("get_hover", args{"file_path": "a.txt", "line": 2, "character": 99}), want: `?`},
		{name: "half a surrogate pair", play: call("get_hover", args{"file_path": "a.txt", "line": 1, "character": 8}), want: `?`},
		{name: "text that is not on the line", play: call("get_hover", args{"file_path": "a.txt", "line": 2, "text": "alpha"}), want: `?`},
		{name: "ambiguous name", play: call("get_hover", args{"symbol_name": "twin"}), want: `?`},
		{name: "name that nothing has", play: call("get_hover", args{"symbol_name": "nobody"}), want: `?`},
		{name: "unknown server", play: call("restart_server", args{"servers": []string{"none"}}), want: `?`},
		{name: "item of another's making", play: call("get_incoming_calls", args{"item": args{"uri": "file:///etc/passwd"}}), want: `?`},
	}
}

// badFiles is a workspace of files that cannot be asked about.
func badFiles(t *testing.T) string {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := func(name string) string { return filepath.Join(dir, name) }
	write(t, path("binary.txt"), "\x7fELF\xff\x00")
	write(t, path("what.ever"), "x\n")
	write(t, path("huge.txt"), "")
	for _, err := range []error{
		os.Truncate(path("huge.txt"), 1<<32),
		os.Mkdir(path("dir.txt"), 0o700),
		syscall.Mkfifo(path("fifo.txt"), 0o600),
		os.Symlink("/etc/passwd", path("out.txt")),
		os.Symlink("/dev/zero", path("zero.txt")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// rawArguments calls a tool with arguments as they stand.
func rawArguments(c scene, raw string) func(*testing.T) (string, int) {
	return func(t *testing.T) (string, int) {
		ctx, cancel := context.WithTimeout(t.Context(), deadline)
		defer cancel()
		_, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: "get_hover", Arguments: rawJSON(raw)})
		c.checkWell()
		return outcome("answered", err), peakOf(t, c.cmd.Process.Pid)
	}
}

type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return bytes.Clone([]byte(r)), nil }
