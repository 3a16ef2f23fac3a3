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
	reply [{"name": "twin", "kind": 12, "location": {"uri": "file://$ROOT/twin.txt", "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 4}}}}, {"name": "twin", "kind": 12, "location": {"uri": "file://$ROOT/twin.txt", "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 4}}}}]
on textDocument/hover
	reply {"contents": "answered"}
`

// argumentFaults are calls of one mcpls, so a row's peak has that of the rows
// that ran beside it.
func argumentFaults(t *testing.T, release string) []fault {
	dir := badFiles(t)
	c := startScene(t, release, fakePath, strings.ReplaceAll(twins, "$ROOT", dir), "", setup{dir: dir})
	// in is about a file of the workspace, some by its whole path.
	in := func(about string) string { return "-32602 " + strings.ReplaceAll(about, "$ROOT", dir) }
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
		{name: "unknown tool", play: call("get_hoover", nil), want: `-32602 there is no tool "get_hoover": the tools are get_hover, get_definition, get_references`},
		{name: "unknown argument", play: call("get_hover", args{"file": "a.txt"}), want: `-32602 get_hover has no argument "file": it takes file_path, line, character, text,`},
		{name: "argument of another type", play: call("get_hover", args{"file_path": "a.txt", "line": "one"}), want: `-32602 line must be an integer, not "one"`},
		{name: "argument missing", play: call("get_document_symbols", nil), want: `-32602 file_path is missing: absolute, or relative to the root`},
		{name: "arguments that are a list", play: rawArguments(c, `["a.txt"]`), want: `-32602 the arguments of get_hover must be a JSON object`},
		{name: "argument of 10 MB", play: call("get_hover", args{"file_path": strings.Repeat("x", 10<<20), "line": 1}), want: in(`file_path "` + strings.Repeat("x", 4<<10) + `…": no such file`)},
		{name: "argument of another type of 10 MB", play: call("get_hover", args{"file_path": "a.txt", "line": strings.Repeat("x", 10<<20)}), want: in(`line must be an integer, not "` + strings.Repeat("x", 199) + "…")},
		{name: "number out of bounds", play: call("get_hover", args{"file_path": "a.txt", "line": 1e300}), want: `-32602 line must be an integer, not 1e+300`},
		{name: "NUL in a path", play: hover("a\x00.txt"), want: `-32602 file_path holds a NUL byte`},
		{name: "path outside the roots", play: hover("/etc/passwd"), want: in(`file_path "/etc/passwd": outside the workspace roots; the roots are $ROOT`)},
		{name: "path that climbs out", play: hover("../../etc/passwd"), want: in(`file_path "../../etc/passwd": no such file; give an absolute path, or one relative to $ROOT`)},
		{name: "link that leads out", play: hover("out.txt"), want: in(`file_path "out.txt": outside the workspace roots; the roots are $ROOT`)},
		{name: "missing file", play: hover("missing.txt"), want: in(`file_path "missing.txt": no such file; give an absolute path, or one relative to $ROOT`)},
		{name: "empty path", play: hover(""), want: in(`file_path "": empty; give an absolute path, or one relative to $ROOT`)},
		{name: "huge file", play: hover("huge.txt"), want: in(`file_path "$ROOT/huge.txt": larger than workspace.max_file_size (10485760 bytes); raise it to ask about such files`)},
		{name: "binary file", play: hover("binary.txt"), want: in(`file_path "$ROOT/binary.txt": not UTF-8 text`)},
		{name: "directory", play: hover("dir.txt"), want: `-32602 file_path "dir.txt": a directory; give a file in it`},
		{name: "FIFO", play: hover("fifo.txt"), want: in(`file_path "$ROOT/fifo.txt": not a regular file`)},
		{name: "device", play: hover("zero.txt"), want: in(`file_path "zero.txt": outside the workspace roots`)},
		{name: "file of no known language", play: hover("what.ever"), want: `-32602 no language server for what.ever: it is of unknown language, and servers are declared for text, good; add an [[lsp_servers]] entry to mcpls.toml`},
		{name: "line past the end", play: call("get_hover", args{"file_path": "a.txt", "line": 99, "character": 1}), want: `-32602 line 99 is past the end of a.txt, which has 3 lines`},
		{name: "column past the end", play: call("get_hover", args{"file_path": "a.txt", "line": 2, "character": 99}), want: "gamma (a.txt:2:1)\nanswered\n[the column was past the end of the line or inside a character and was moved]"},
		{name: "half a surrogate pair", play: call("get_hover", args{"file_path": "a.txt", "line": 1, "character": 8}), want: "a.txt:1:7\nanswered\n[the column was past the end of the line or inside a character and was moved]"},
		{name: "text that is not on the line", play: call("get_hover", args{"file_path": "a.txt", "line": 2, "text": "alpha"}), want: "-32602 \"alpha\" does not stand on line 2 of a.txt; that line is: gamma\nit stands on line 1"},
		{name: "ambiguous name", play: call("get_hover", args{"symbol_name": "twin"}), want: `-32602 2 symbols are named twin: say which by file_path, container, symbol_kind, or a qualified name`},
		{name: "name that nothing has", play: call("get_hover", args{"symbol_name": "nobody"}), want: `-32602 no symbol nobody in the workspace`},
		{name: "unknown server", play: call("restart_server", args{"servers": []string{"none"}}), want: `-32602 no server "none" is declared; there is text, good`},
		{name: "item of another's making", play: call("get_incoming_calls", args{"item": args{"uri": "file:///etc/passwd"}}), want: `-32602 item is none that the prepare tool gave: it has no name or no uri`},
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
	write(t, path("twin.txt"), "twin\ntwin\n")
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
