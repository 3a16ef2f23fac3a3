package mcpserver

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpls/internal/roots"
	"mcpls/internal/router"
	"mcpls/internal/workspace"
)

// followable gives resources of a workspace without servers, and its root.
func followable(t *testing.T) (*resources, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	set, err := roots.NewSet([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	ws := workspace.New(workspace.Options{Roots: set})
	r := router.New(router.Options{Workspace: ws, Log: log})
	t.Cleanup(r.Close)
	server, err := New(Options{Router: r, Workspace: ws, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	return server.resources, dir
}

func subscribe(t *testing.T, r *resources, uri string) error {
	return r.subscribe(t.Context(), &mcp.SubscribeRequest{Params: &mcp.SubscribeParams{URI: uri}})
}

func TestSubscribeBound(t *testing.T) {
	r, dir := followable(t)
	uri := func(i int) string {
		path := filepath.Join(dir, fmt.Sprintf("%04d.txt", i))
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return resourceScheme + "://" + path
	}
	for i := range maxSubscriptions {
		if err := subscribe(t, r, uri(i)); err != nil {
			t.Fatalf("%d: %v", i, err)
		}
	}
	if err := subscribe(t, r, uri(0)); err != nil {
		t.Errorf("one that is followed already: %v", err)
	}
	if err := subscribe(t, r, uri(maxSubscriptions)); err == nil || !strings.Contains(err.Error(), "unsubscribe from one") {
		t.Errorf("one too many: %v", err)
	}
	if err := r.unsubscribe(t.Context(), &mcp.UnsubscribeRequest{Params: &mcp.UnsubscribeParams{URI: uri(0)}}); err != nil {
		t.Error(err)
	}
	if err := subscribe(t, r, uri(maxSubscriptions)); err != nil {
		t.Errorf("after one was given up: %v", err)
	}
}

func TestResourceURIs(t *testing.T) {
	r, dir := followable(t)
	path := filepath.Join(dir, "größe 1%.txt")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	doc, err := r.opts.Workspace.Find(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.document(resourceURI(doc)); err != nil || got != doc {
		t.Errorf("%s: %+v, %v", resourceURI(doc), got, err)
	}
	for _, uri := range []string{
		"", "file://" + path, "lsp-diagnostics:relative", "lsp-diagnostics:///etc/passwd",
		"lsp-diagnostics://" + dir, "lsp-diagnostics://" + dir + "/none", "lsp-diagnostics:///%zz",
	} {
		if doc, err := r.document(uri); err == nil {
			t.Errorf("%q is %+v", uri, doc)
		}
		if err := subscribe(t, r, uri); err == nil {
			t.Errorf("%q was subscribed to", uri)
		}
	}
}
