package e2e_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpls/internal/jsonrpc2"
	"mcpls/internal/lsp/protocol"
)

// rawServers are the servers whose errors are measured, and how a client gets
// them from each: by asking, or by waiting for a publish.
var rawServers = map[string]struct {
	pulls   bool
	options string
}{
	"gopls":       {true, `{"pullDiagnostics": true}`},
	"pyright":     {true, `null`},
	"typescript7": {true, `null`},
	"clangd":      {false, `null`},
}

// BenchmarkDiagnosticsAfterEdit edits a file and waits for its errors, with a
// raw client and with mcpls by turns. The raw client is told of the new text;
// mcpls finds it on disk.
func BenchmarkDiagnosticsAfterEdit(b *testing.B) {
	for _, l := range matrixServers() {
		how, ok := rawServers[l.name]
		if !ok {
			continue
		}
		b.Run(l.name, func(b *testing.B) {
			e := edits[l.name]
			dir := l.workspace(b)
			path := filepath.Join(dir, filepath.FromSlash(e.file))
			write(b, path, fmt.Sprintf(e.broken, "mark0000"))
			raw := startPlain(b, l, dir, path, how.options, how.pulls)
			c := l.start(b, dir)
			ask := args{"file_path": e.file, "wait_seconds": 30}
			c.patient("get_diagnostics", ask)
			var direct, bridged []time.Duration
			for i := 0; b.Loop(); i++ {
				name := fmt.Sprintf("mark%04d", i%10000)
				text := fmt.Sprintf(e.broken, name)
				begin := time.Now()
				raw.errors(b, text, name)
				middle := time.Now()
				write(b, path, text)
				if got := c.ask("get_diagnostics", ask); !strings.Contains(got, name) {
					b.Fatal(got)
				}
				direct, bridged = append(direct, middle.Sub(begin)), append(bridged, time.Since(middle))
			}
			b.ReportMetric(micros(direct)/1000, "raw-ms")
			b.ReportMetric(micros(bridged)/1000, "mcpls-ms")
			b.ReportMetric((micros(bridged)-micros(direct))/1000, "more-ms")
		})
	}
}

// plainClient is a server with one open document, and nothing of mcpls but its
// framing in between.
type plainClient struct {
	conn    *jsonrpc2.Conn
	uri     protocol.DocumentURI
	version int32
	pulls   bool
	heard   *publishes
}

// publishes keeps what was published last.
type publishes struct {
	mu      sync.Mutex
	params  string
	arrived chan struct{}
}

func (p *publishes) Notify(method string, params json.RawMessage) {
	if method != "textDocument/publishDiagnostics" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.params = string(params)
	select {
	case p.arrived <- struct{}{}:
	default:
	}
}

// Request answers with as many nulls as are asked for.
func (p *publishes) Request(method string, params json.RawMessage) (any, error) {
	var asked protocol.ConfigurationParams
	if method != "workspace/configuration" || json.Unmarshal(params, &asked) != nil {
		return nil, nil
	}
	return make([]any, len(asked.Items)), nil
}

func startPlain(b *testing.B, l language, dir, path, options string, pulls bool) *plainClient {
	b.Helper()
	cmd := exec.Command(needServer(b, l.needs), l.args...)
	cmd.Dir = dir
	stdin, err := cmd.StdinPipe()
	must(b, err)
	stdout, err := cmd.StdoutPipe()
	must(b, err)
	must(b, cmd.Start())
	heard := &publishes{arrived: make(chan struct{}, 1)}
	conn := jsonrpc2.NewConn(duplex{stdout, stdin}, heard)
	b.Cleanup(func() {
		conn.Close()
		cmd.Wait()
	})
	must(b, conn.Call(b.Context(), "initialize", protocol.InitializeParams{
		Capabilities:          protocol.Capabilities([]protocol.Encoding{protocol.UTF16}),
		InitializationOptions: json.RawMessage(options),
		WorkspaceFolders:      []protocol.WorkspaceFolder{{URI: protocol.URIFromPath(dir), Name: "w"}},
	}, nil))
	must(b, conn.Notify(b.Context(), "initialized", struct{}{}))
	must(b, conn.Notify(b.Context(), "workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{}}))
	uri := protocol.URIFromPath(path)
	must(b, conn.Notify(b.Context(), "textDocument/didOpen", protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: uri, LanguageID: l.id, Version: 1},
	}))
	return &plainClient{conn: conn, uri: uri, version: 1, pulls: pulls, heard: heard}
}

// errors sends a text and waits for an error with a name in it.
func (r *plainClient) errors(b *testing.B, text, name string) {
	b.Helper()
	r.version++
	must(b, r.conn.Notify(b.Context(), "textDocument/didChange", protocol.DidChangeTextDocumentParams{
		TextDocument:   protocol.VersionedTextDocumentIdentifier{URI: r.uri, Version: r.version},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{{Text: text}},
	}))
	for {
		if r.pulls {
			var answer json.RawMessage
			err := r.conn.Call(b.Context(), "textDocument/diagnostic", protocol.DocumentParams{
				TextDocument: protocol.TextDocumentIdentifier{URI: r.uri},
			}, &answer)
			if err == nil && strings.Contains(string(answer), name) {
				return
			}
			continue
		}
		<-r.heard.arrived
		r.heard.mu.Lock()
		params := r.heard.params
		r.heard.mu.Unlock()
		if strings.Contains(params, name) {
			return
		}
	}
}
