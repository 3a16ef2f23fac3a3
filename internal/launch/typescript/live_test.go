package typescript

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"mcpls/internal/roots"
)

// disk is the machine that the test runs on.
type disk struct {
	roots.Disk
	workspace string
	env       map[string]string
}

func (disk) Windows() bool                { return runtime.GOOS == "windows" }
func (disk) Join(dir, name string) string { return filepath.Join(dir, name) }
func (disk) IsAbs(path string) bool       { return filepath.IsAbs(path) }
func (d disk) Inside(path string) bool    { return roots.LeadsInto([]string{d.workspace}, path, d.Disk) }

func (d disk) Getenv(name string) (string, bool) {
	value, ok := d.env[name]
	return value, ok
}

func (disk) Regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func (d disk) ReadFile(path string, limit int) ([]byte, bool) {
	if !d.Regular(path) {
		return nil, false
	}
	data, err := os.ReadFile(path)
	return data, err == nil && len(data) <= limit
}

func (disk) ReadDir(path string, limit int) ([]string, bool) {
	dir, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	defer dir.Close()
	names, err := dir.Readdirnames(limit + 1)
	return names, err == nil || err == io.EOF
}

func (d disk) Resolve(program string) (string, bool) {
	for _, dir := range filepath.SplitList(d.env["PATH"]) {
		if path, err := exec.LookPath(filepath.Join(dir, program)); err == nil {
			return path, true
		}
	}
	return "", false
}

// TestLayouts finds the tsserver of real installs: of those in the directory
// MCPLS_TS_LAYOUTS that are named as the rows are. A row without its install
// fails.
func TestLayouts(t *testing.T) {
	dir := os.Getenv("MCPLS_TS_LAYOUTS")
	if dir == "" {
		t.Skip("MCPLS_TS_LAYOUTS names no directory with real installs of typescript-language-server")
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	const (
		pinned, inside, open, none, native = "pinned", "inside", "open", "none", "native"
	)
	shim := "typescript-language-server"
	for _, test := range []struct {
		layout  string // directory
		pnpm    string // PNPM_HOME
		argv    string // @ is the directory of the layout
		outcome string
	}{
		{"npm", "", "@/bin/" + shim, pinned},
		{"npm", "", "/usr/bin/node @/lib/node_modules/typescript-language-server/lib/cli.mjs", pinned},
		{"npm", "", "/usr/bin/node @/bin/typescript-language-server", pinned},
		{"npm", "", "/usr/bin/node lib/node_modules/typescript-language-server/lib/cli.mjs", open},
		{"npm", "", "/usr/bin/npx typescript-language-server", open},
		{"npm7", "", "@/bin/" + shim, native},
		{"npm-shims", "", "@/" + shim, pinned},
		{"npm-shims", "", "@/" + shim + ".cmd", pinned},
		{"npm-shims", "", "@/" + shim + ".ps1", pinned},
		{"pnpm10", "@", "@/" + shim, pinned},
		{"pnpm10", "", "@/" + shim, none},
		{"pnpm11", "@", "@/bin/" + shim, pinned},
		{"pnpm12", "@", "@/bin/" + shim, pinned},
		{"pnpm12-joined", "@", "@/bin/" + shim, pinned},
		{"workspace", "", "@/node_modules/.bin/" + shim, inside},
		{"workspace-pnpm", "", "@/node_modules/.bin/" + shim, inside},
		{"shims", "", "@/" + shim, open},
		{"volta", "", "@/.volta/bin/" + shim, open},
	} {
		t.Run(test.layout+" "+test.argv, func(t *testing.T) {
			layout := filepath.Join(dir, test.layout)
			if _, err := os.Stat(layout); err != nil {
				t.Fatal(err)
			}
			at := func(s string) string { return strings.ReplaceAll(filepath.FromSlash(s), "@", layout) }
			m := disk{workspace: filepath.Join(dir, "none"), env: map[string]string{"PNPM_HOME": at(test.pnpm)}}
			if test.outcome == inside {
				m.workspace = layout
			}
			argv := strings.Fields(at(test.argv))
			if !Is(argv, m) {
				t.Error("it is not the server")
			}
			pin := Find(argv, nil, m)
			found := strings.HasSuffix(pin.Path, filepath.FromSlash("/typescript/lib/tsserver.js")) && pin.Version == "5.9.3" && pin.Warning == ""
			if found != (test.outcome == pinned || test.outcome == inside) || pin.Inside != (test.outcome == inside) || pin.Unpinnable != (test.outcome == open) {
				t.Errorf("%+v", pin)
			}
			tsc, why := Native(argv, m)
			if (why == "") != (test.outcome == native) || why == "" && !slices.Equal(tsc[1:], []string{"--lsp", "--stdio"}) {
				t.Errorf("native %q, %s", tsc, why)
			}
			t.Log(pin, tsc, why)
		})
	}
}
