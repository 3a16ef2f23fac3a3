// Package e2e_test runs the real mcpls as a client would, against real
// language servers. A fake server stands in only for misbehaviour.
package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpls/internal/lsptest"
)

// The files that every test of this package uses; TestMain sets them.
var (
	mcplsPath  string // the program under test
	fakePath   string // this test binary, which is its own fake server
	serversDir string // where `make servers` installs language servers
)

func TestMain(m *testing.M) {
	measure()
	tee()
	lsptest.Main()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mcpls-e2e")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	root, err := filepath.Abs("../..")
	if err != nil {
		panic(err)
	}
	mcplsPath, serversDir = filepath.Join(dir, "mcpls"), filepath.Join(root, ".servers", "bin")
	build := exec.Command("go", slices.Concat([]string{"build"}, raceFlag, []string{"-o", mcplsPath, "mcpls/cmd/mcpls"})...)
	if out, err := build.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("building mcpls: %v\n%s", err, out))
	}
	if fakePath, err = os.Executable(); err != nil {
		panic(err)
	}
	return m.Run()
}

// needServer gives the path of an installed language server. A test whose
// server is not installed is skipped, and `make test` lists it; it fails when
// MCPLS_REQUIRE names the server.
func needServer(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(serversDir, name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if slices.Contains(strings.Split(os.Getenv("MCPLS_REQUIRE"), ","), name) {
		t.Fatalf("%s is required and not installed: make servers", name)
	}
	t.Skipf("%s is not installed: make servers", name)
	return ""
}
