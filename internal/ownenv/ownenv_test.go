package ownenv_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	_ "github.com/modelcontextprotocol/go-sdk/mcp" // reads its variable when it is initialized

	_ "mcpls/internal/ownenv"
)

const child = "MCPLS_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(child) != "" {
		os.Stdout.WriteString(strings.Join(os.Environ(), "\n"))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestDropped starts this program with the variables, with a value that the MCP
// library panics at: nothing must have seen them.
func TestDropped(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), child+"=1", "GODEBUG=execerrdot=0", "MCPGODEBUG=broken", "KEPT=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Contains(string(out), "GODEBUG") || !strings.Contains(string(out), "KEPT=1") {
		t.Errorf("environment\n%s", out)
	}
}
