package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"mcpls/internal/lsptest"
)

// nobody is who runs mcpls where the test runs as root, to whom modes mean
// nothing. He owns nothing.
const nobody = 65534

func asNobody() *syscall.SysProcAttr {
	if os.Geteuid() != 0 {
		return nil // modes hold
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// public makes a directory that everybody can reach, with the programs of the
// test in it.
func public(t *testing.T) string {
	t.Helper()
	base, err := os.MkdirTemp("", "mcpls-permissions")
	if err != nil {
		t.Fatal(err)
	}
	if base, err = filepath.EvalSymlinks(base); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	for _, err := range []error{
		os.Chmod(base, 0o755), os.Mkdir(filepath.Join(base, "ws"), 0o755), os.Mkdir(filepath.Join(base, "home"), 0o777),
		os.Chmod(filepath.Join(base, "home"), 0o777),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, from := range map[string]string{"mcpls": mcplsPath, "fake": fakePath} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		mode(t, filepath.Join(base, name), string(data), 0o755)
	}
	return base
}

// mode writes a file and sets its mode, whatever the umask is.
func mode(t *testing.T, path, text string, perm os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, perm); err != nil {
		t.Fatal(err)
	}
}

// TestPermissions asks about what mcpls may not read. It cannot pass as
// somebody who may.
func TestPermissions(t *testing.T) {
	base := public(t)
	path := func(name string) string { return filepath.Join(base, name) }
	mode(t, path("ws/a.txt"), "alpha\n", 0o644)
	mode(t, path("ws/later.txt"), "alpha\n", 0o644)
	mode(t, path("ws/locked.txt"), "alpha\n", 0)
	if err := os.Mkdir(path("ws/dir"), 0o755); err != nil {
		t.Fatal(err)
	}
	mode(t, path("ws/dir/in.txt"), "alpha\n", 0o644)
	if err := os.Chmod(path("ws/dir"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(path("ws/dir"), 0o755) }) // so that it can be removed
	mode(t, path("script"), capable+"on textDocument/hover\n\treply {\"contents\": \"answered\"}\non textDocument/references\n\treply []\n", 0o644)
	mode(t, path("mcpls.toml"), fmt.Sprintf(`builtin_servers = false
[workspace]
roots = [%q]
[[workspace.language_extensions]]
extensions = ["txt"]
language_id = "text"
[[lsp_servers]]
language_id = "text"
command = %q
env = { GORACE = "atexit_sleep_ms=0", %s = %q }
`, path("ws"), path("fake"), lsptest.ScriptEnv, path("script")), 0o644)
	c := start(t, setup{
		dir: path("ws"), home: path("home"), program: path("mcpls"), attr: asNobody(),
		args: []string{"--config", path("mcpls.toml")},
	})
	hover := func(name string) string {
		return outcome(c.try("get_hover", args{"file_path": name, "line": 1, "text": "alpha"}))
	}
	refused := func(name string) {
		t.Helper()
		if got, want := hover(name), fmt.Sprintf("-32602 file_path %q: permission denied", name); !strings.HasPrefix(got, want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	const well = "alpha (%s:1:1)\nanswered"
	if got := hover("later.txt"); got != fmt.Sprintf(well, "later.txt") {
		t.Errorf("a readable file: %s", got)
	}
	refused(path("ws/locked.txt"))
	refused(path("ws/dir/in.txt"))
	if err := os.Chmod(path("ws/later.txt"), 0); err != nil { // it is open by now
		t.Fatal(err)
	}
	refused(path("ws/later.txt"))
	// A question that walks the workspace goes past what it may not read.
	if got := outcome(c.try("get_references", args{"file_path": "a.txt", "line": 1, "text": "alpha"})); !strings.Contains(got, "no references") {
		t.Errorf("references: %s", got)
	}
}

// TestPermissionsAtStart starts mcpls with a configuration that it may not
// use.
func TestPermissionsAtStart(t *testing.T) {
	base := public(t)
	path := func(name string) string { return filepath.Join(base, name) }
	if err := os.Mkdir(path("locked"), 0); err != nil {
		t.Fatal(err)
	}
	mode(t, path("unreadable.toml"), "", 0)
	mode(t, path("root.toml"), fmt.Sprintf("[workspace]\nroots = [%q]\n", path("locked")), 0o644)
	mode(t, path("program"), "#!/bin/sh\n", 0)
	mode(t, path("server.toml"), fmt.Sprintf("[workspace]\nroots = [%q]\n[[lsp_servers]]\nlanguage_id = \"x\"\ncommand = %q\n", path("ws"), path("program")), 0o644)
	for config, want := range map[string]string{
		"unreadable.toml": "unreadable.toml: cannot be read: permission denied\n",
		"root.toml":       fmt.Sprintf("workspace root %q: permission denied\n", path("locked")),
		"server.toml":     fmt.Sprintf("the program %q is not installed", path("program")),
	} {
		cmd := exec.Command(path("mcpls"), "doctor", "--config", path(config))
		cmd.Dir, cmd.SysProcAttr = path("ws"), asNobody()
		cmd.Env = []string{"HOME=" + path("home"), "PATH=/nowhere", noRaceSleep}
		out, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, %s\nwant %s", config, err, out, want)
		}
	}
}
