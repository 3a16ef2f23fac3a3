package mcpserver

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestFault holds that a panic in a tool is an error of its call, told once in
// the log, and that the next call is answered.
func TestFault(t *testing.T) {
	var b bytes.Buffer
	opts := Options{Log: slog.New(slog.NewTextHandler(&b, nil)), MaxResultBytes: 1000}
	faulty := true
	handle := opts.handler(tool{name: "probe", run: func(*call, context.Context) (result, error) {
		var none *hoverResult
		if faulty {
			return none, nil // and render fails
		}
		return &hoverResult{echo: "x", lines: []string{"fine"}}, nil
	}})
	ask := func() (*mcp.CallToolResult, error) {
		return handle(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "probe"}})
	}
	for range 2 {
		if answer, err := ask(); err == nil || answer != nil || !strings.Contains(err.Error(), "a fault in mcpls (mcpls/internal/mcpserver.") {
			t.Errorf("%v, %v", answer, err)
		}
	}
	if got := strings.Count(b.String(), "a fault in mcpls"); got != 1 {
		t.Errorf("%d reports:\n%s", got, b.String())
	}
	faulty = false
	if _, err := ask(); err != nil {
		t.Errorf("after the fault: %v", err)
	}
}
