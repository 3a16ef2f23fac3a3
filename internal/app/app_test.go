package app

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcpls/internal/catalog"
	"mcpls/internal/config"
	"mcpls/internal/router"
)

// TestCandidate holds that a built-in server is the first of its programs that
// is there, in the launch and in what the router knows of it.
func TestCandidate(t *testing.T) {
	root, bin := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "gopls"), []byte("#!/bin/sh\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	builtin := func(command string) config.Declaration {
		return config.Declaration{ID: "go", Origin: config.Builtin, Server: config.Server{LanguageID: "go", Command: command}}
	}
	declared := builtin("no-such-program")
	declared.Others = []config.Declaration{builtin("nor-this-one"), builtin("gopls"), builtin("sh")}
	cfg := &config.Config{
		Roots: []string{root}, Boundary: []string{root}, Servers: []config.Declaration{declared},
		MCP: config.MCP{Tools: "all", Output: "text"}, Workspace: config.Workspace{MaxConcurrentServerStarts: 1},
	}
	a, err := New(Options{Config: cfg, Env: []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer a.router.Close()
	p, _ := a.router.Probe(t.Context(), "go")
	failed, ok := errors.AsType[*router.StartError](p.Err)
	row, _ := catalog.ByCommand("gopls", nil)
	if !ok || failed.Program != "gopls" || failed.Install != row.Install || !strings.Contains(failed.Exit, "3") {
		t.Errorf("the start failed with %+v", p.Err)
	}
	if cfg.Servers[0].Command != "no-such-program" {
		t.Errorf("the configuration was changed: %+v", cfg.Servers[0])
	}
}

// TestStartTimeout holds that a limit of the entry's own goes before what is
// known of the server.
func TestStartTimeout(t *testing.T) {
	slow, own := catalog.Server{StartTimeout: 5 * time.Minute}, 7
	for _, test := range []struct {
		known catalog.Server
		own   *int
		want  time.Duration
	}{
		{catalog.Server{}, nil, 30 * time.Second},
		{slow, nil, 5 * time.Minute},
		{slow, &own, 7 * time.Second},
	} {
		if got := startTimeout(test.known, config.Declaration{Server: config.Server{TimeoutSeconds: test.own}}); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}
