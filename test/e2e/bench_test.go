package e2e_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"mcpls/internal/jsonrpc2"
	"mcpls/internal/lsp/protocol"
)

// BenchmarkAgainstRaw asks gopls itself and mcpls the same question by turns,
// and reports the medians and their ratio. The raw client sends nothing but the
// request: no comparison with the disk, no MCP.
func BenchmarkAgainstRaw(b *testing.B) {
	dir := workspace(b, "shop")
	raw, uri := rawGopls(b, dir)
	c := gopls(b, setup{dir: dir})
	at := func(line, character uint32) protocol.TextDocumentPositionParams {
		return protocol.TextDocumentPositionParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: uri},
			Position:     protocol.Position{Line: line, Character: character},
		}
	}
	for _, q := range []struct {
		name, method string
		params       any
		tool         string
		args         args
	}{
		{"hover", "textDocument/hover", at(7, 5), "get_hover", args{"file_path": "shop.go", "line": 8, "text": "Total"}},
		{
			"references", "textDocument/references",
			protocol.ReferenceParams{TextDocumentPositionParams: at(7, 5)},
			"get_references",
			args{"file_path": "shop.go", "line": 8, "text": "Total"},
		},
		{
			"no references", "textDocument/references",
			protocol.ReferenceParams{TextDocumentPositionParams: at(16, 5)},
			"get_references",
			args{"file_path": "shop.go", "line": 17, "text": "Unused"},
		},
	} {
		b.Run(q.name, func(b *testing.B) {
			var direct, bridged []time.Duration
			for b.Loop() {
				begin := time.Now()
				if err := raw.Call(b.Context(), q.method, q.params, nil); err != nil {
					b.Fatal(err)
				}
				middle := time.Now()
				c.ask(q.tool, q.args)
				direct, bridged = append(direct, middle.Sub(begin)), append(bridged, time.Since(middle))
			}
			b.ReportMetric(micros(direct), "raw-µs")
			b.ReportMetric(micros(bridged), "mcpls-µs")
			b.ReportMetric(micros(bridged)/micros(direct), "ratio")
		})
	}
}

func micros(list []time.Duration) float64 {
	slices.Sort(list)
	return float64(list[len(list)/2].Nanoseconds()) / 1000
}

// rawGopls starts gopls with shop.go open, and nothing of mcpls but its framing
// in between.
func rawGopls(b *testing.B, dir string) (*jsonrpc2.Conn, protocol.DocumentURI) {
	cmd := exec.Command(needServer(b, "gopls"))
	cmd.Dir = dir
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	conn := jsonrpc2.NewConn(duplex{stdout, stdin}, mute{})
	b.Cleanup(func() {
		conn.Close()
		cmd.Wait()
	})
	path := filepath.Join(dir, "shop.go")
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	uri := protocol.URIFromPath(path)
	send := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	send(conn.Call(b.Context(), "initialize", protocol.InitializeParams{
		Capabilities:     protocol.ClientCapabilities{},
		WorkspaceFolders: []protocol.WorkspaceFolder{{URI: protocol.URIFromPath(dir), Name: "shop"}},
	}, nil))
	send(conn.Notify(b.Context(), "initialized", struct{}{}))
	send(conn.Notify(b.Context(), "textDocument/didOpen", protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: uri, LanguageID: "go", Version: 1, Text: string(text)},
	}))
	return conn, uri
}

// duplex is the two pipes of a server. Closing it closes both: gopls ends when
// its stdin does.
type duplex struct {
	io.ReadCloser
	io.WriteCloser
}

func (d duplex) Close() error { return errors.Join(d.WriteCloser.Close(), d.ReadCloser.Close()) }

// mute answers every request of the server with null.
type mute struct{}

func (mute) Notify(string, json.RawMessage)               {}
func (mute) Request(string, json.RawMessage) (any, error) { return nil, nil }
