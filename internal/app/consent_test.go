package app

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpls/internal/launch"
	"mcpls/internal/trust"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestFormMessage holds what a client shows: the whole card, and the code behind it.
func TestFormMessage(t *testing.T) {
	plan := launch.Plan{
		ID: "go@project", Kind: launch.LSP, Origin: launch.Project, DeclaredIn: "/ws/mcpls.toml", Root: "/ws", RootIdentity: "1:2:3", Dir: "/ws",
		Argv:     []string{"/usr/bin/node", "./tools/server.mjs", "\u202e\x1b[2J"},
		Declared: launch.Declared{Command: "node", Env: map[string]string{"NODE_OPTIONS": "--require ./x"}},
		Files: []launch.File{
			{Role: "program", Path: "/usr/bin/node", Owner: "0", Mode: "-rwxr-xr-x"},
			{Role: "argument", Path: "/ws/tools/server.mjs", Digest: strings.Repeat("ab", 32)},
		},
	}
	standing := trust.Standing{State: trust.Changed, Changes: []string{`argument 1 was "./a" and is "./tools/server.mjs"`}}
	got := formMessage(trust.Case{Plan: plan, Standing: standing, Card: trust.NewCard(plan, standing), Code: "abc234"})
	golden := filepath.Join("testdata", "form.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got != string(want) {
		t.Errorf("%v: the form says\n%s", err, got)
	}
	if i := strings.Index(got, "abc234"); i < strings.Index(got, "Fingerprint") {
		t.Error("the code does not stand behind the card")
	}
}
