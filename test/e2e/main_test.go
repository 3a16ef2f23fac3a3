// Package e2e_test runs the real mcpls as a client would, against real
// language servers. A fake server stands in only for misbehaviour.
package e2e_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
	code := m.Run()
	if listMissing() && code == 0 {
		return 1
	}
	return code
}

// missing are the language servers that a test wanted and that are not there.
var missing = struct {
	sync.Mutex
	names map[string]int // server to tests skipped
}{names: map[string]int{}}

// needServer gives the path of an installed language server. A test whose
// server is not installed is skipped, and TestMain lists it; it fails the run
// when MCPLS_REQUIRE names the server.
func needServer(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(serversDir, name)
	if _, err := os.Stat(path); err != nil {
		missing.Lock()
		missing.names[name]++
		missing.Unlock()
		t.Skipf("%s is not installed: make servers", name)
	}
	return path
}

// listMissing prints what could not be had and reports whether one of them is
// required. A required server that no test asked for is missing too.
func listMissing() (fail bool) {
	required := strings.FieldsFunc(os.Getenv("MCPLS_REQUIRE"), func(r rune) bool { return r == ',' || r == ' ' })
	for _, name := range required {
		if _, err := os.Stat(filepath.Join(serversDir, name)); err != nil {
			fmt.Printf("REQUIRED SERVER MISSING: %s\n", name)
			fail = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(missing.names)) {
		fmt.Printf("not installed: %s (%d tests did not run)\n", name, missing.names[name])
	}
	return fail
}
