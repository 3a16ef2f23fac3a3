package web

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpls/internal/launch"
	"mcpls/internal/trust"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestDrawn holds what the page is given of a card.
func TestDrawn(t *testing.T) {
	plan := launch.Plan{
		ID: "go@project", Kind: launch.LSP, Origin: launch.Project, DeclaredIn: "/ws/mcpls.toml", Root: "/ws", RootIdentity: "1:2:3", Dir: "/ws",
		Argv:     []string{"/usr/bin/node", "./tools/server.mjs", "\u202e\x1b[2J<b>"},
		Declared: launch.Declared{Command: "node", Env: map[string]string{"NODE_OPTIONS": "--require ./x"}},
		Files: []launch.File{
			{Role: "program", Path: "/usr/bin/node", Owner: "0", Mode: "-rwxr-xr-x"},
			{Role: "argument", Path: "/ws/tools/server.mjs", Digest: strings.Repeat("ab", 32)},
		},
	}
	standing := trust.Standing{State: trust.Changed, Changes: []string{`argument 1 was "./a" and is "./tools/server.mjs"`}}
	drawn := (&session{}).draw(trust.Case{Plan: plan, Standing: standing, Card: trust.NewCard(plan, standing), Code: "abc234"}, 1)
	got, err := json.MarshalIndent(drawn, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "card.json")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, append(got, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(got)+"\n" != string(want) {
		t.Errorf("%v: the page is given\n%s", err, got)
	}
	if strings.Contains(string(got), "abc234") {
		t.Error("the page has the code before the end of the card was seen")
	}
}
