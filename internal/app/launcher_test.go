package app

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"mcpls/internal/config"
	"mcpls/internal/router"
)

// A program that PATH finds in the working directory's checkout is the
// repository's, although the user's roots are elsewhere.
func TestLauncherKnowsTheBoundary(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, checkout := filepath.Join(base, "root"), filepath.Join(base, "checkout")
	for _, dir := range []string{root, checkout} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program := "mcpls-test-server"
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if err := os.WriteFile(filepath.Join(checkout, program), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	opts := Options{
		Config: &config.Config{
			Roots: []string{root}, Boundary: []string{root, checkout},
			Servers: []config.Declaration{{ID: "x", Origin: config.User, Server: config.Server{Command: program}}},
		},
		Env: []string{"PATH=" + checkout}, Log: slog.New(slog.DiscardHandler),
	}
	refused, ok := errors.AsType[*router.LaunchError](newLauncher(opts).Check(t.Context(), "x"))
	if !ok || refused.Code != "gate.no_surface" {
		t.Errorf("refusal %+v", refused)
	}
	opts.TrustProject = true
	if err := newLauncher(opts).Check(t.Context(), "x"); err != nil {
		t.Error(err)
	}
}
