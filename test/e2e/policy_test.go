package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// stranger is a user of whom the account database knows nothing: their home is not
// known, and a server starts in their temporary directory.
const stranger = 54321

// policyRow is one command with what is to become of it.
type policyRow struct {
	want string // start, or the code of the refusal
	argv []string
}

// policyRows reads the rows that package policy is tested with, with the machine
// that they are about moved below a directory.
func policyRows(t *testing.T, base string) []policyRow {
	t.Helper()
	data, err := os.ReadFile("../../internal/launch/policy/testdata/commands.txt")
	must(t, err)
	var rows []policyRow
	for text := range strings.Lines(string(data)) {
		want, list, ok := strings.Cut(strings.TrimSpace(text), "\t")
		if !ok || strings.HasPrefix(want, "#") {
			continue
		}
		row := policyRow{want: want}
		must(t, json.Unmarshal([]byte(list), &row.argv))
		for i, arg := range row.argv {
			row.argv[i] = moved(arg, base)
		}
		rows = append(rows, row)
	}
	return rows
}

// machineDirs are those of the machine of the rows.
var machineDirs = regexp.MustCompile(`(^|[^a-zA-Z0-9._-]|-x)(/usr/bin|/ws|/home/u|/opt/lsp|/opt/npm)(/|$|[^a-zA-Z0-9._-])`)

func moved(arg, base string) string {
	return machineDirs.ReplaceAllString(arg, "${1}"+base+"${2}${3}")
}

// policyMachine makes the machine of the rows, as the head of their file tells it.
func policyMachine(t *testing.T, base string, rows []policyRow) {
	t.Helper()
	file := func(perm os.FileMode, names ...string) {
		for _, name := range names {
			path := filepath.Join(base, name)
			must(t, os.MkdirAll(filepath.Dir(path), 0o755))
			if _, err := os.Lstat(path); err != nil {
				mode(t, path, "text\n", perm)
			}
		}
	}
	link := func(target, name string) {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(base, name)), 0o755))
		must(t, os.Symlink(filepath.Join(base, target), filepath.Join(base, name)))
	}
	for _, dir := range []string{"ws/dir", "opt/lsp/dir", "usr/bin"} {
		must(t, os.MkdirAll(filepath.Join(base, dir), 0o755))
	}
	file(0o755, "ws/run.sh", "ws/bin/tool", "home/u/bin/tool", "opt/lsp/gopls", "opt/lsp/a=b/gopls")
	file(0o644, "ws/data.json")
	file(0, "ws/locked")
	for name, target := range map[string]string{
		"mylsp": "usr/bin/env", "mysh": "usr/bin/bash", "mypy": "usr/bin/python3.12", "myrun": "opt/npm/bin/npx-cli.js", "nice": "usr/bin/busybox",
		"ash": "usr/bin/busybox", "applet": "usr/bin/busybox", "xargs": "usr/bin/toybox", "uu-env": "usr/bin/coreutils", "inner": "ws/run.sh",
		"gopls": "home/u/.local/share/mise/bin/mise", "shimmed": "home/u/.asdf/shims/gopls",
	} {
		link(target, "home/u/bin/"+name)
	}
	link("ws/run.sh", "home/u/link.sh")
	link("opt/lsp/gopls", "home/u/.cargo/bin/rustfmt")
	file(0o755, "home/u/.cargo/bin/rustup", "home/u/.cargo/bin/cargo", "home/u/.cargo/bin/rust-analyzer", "home/u/.cargo/bin/taplo",
		"home/u/.asdf/shims/gopls", "home/u/.volta/bin/vtsls", "home/u/aquaproj-aqua/bin/gopls", "home/u/.elan/bin/elan", "home/u/.elan/bin/lake",
		"home/u/.local/share/mise/bin/mise", "opt/npm/bin/npx-cli.js", "usr/bin/busybox", "usr/bin/toybox", "usr/bin/coreutils", "usr/bin/env", "usr/bin/bash", "usr/bin/python3.12")
	bare := regexp.MustCompile(`^[^/\\-][^/\\]*$`)
	plain := regexp.MustCompile(`^` + regexp.QuoteMeta(base) + `/opt/lsp/[^/]+\.[a-z0-9]+$`)
	for _, row := range rows {
		// What is started has to be executable, which the rows do not need.
		if program, below := strings.CutPrefix(row.argv[0], base+"/"); below && !strings.HasPrefix(program, "ws/") {
			file(0o755, program)
		}
		for _, arg := range row.argv {
			switch {
			case bare.MatchString(arg) && arg != "absent" && len(arg) < 200:
				file(0o755, "usr/bin/"+arg)
			case plain.MatchString(arg):
				file(0o644, strings.TrimPrefix(arg, base))
			}
		}
	}
	must(t, filepath.WalkDir(filepath.Join(base, "home"), func(path string, _ os.DirEntry, err error) error {
		must(t, err)
		return os.Lchown(path, stranger, stranger)
	}))
	must(t, os.Chmod(filepath.Join(base, "home/u"), 0o700))
}

// TestPlanAgreesWithThePolicy runs mcpls plan over a configuration with an entry for
// each row of the policy, on a machine of real files.
func TestPlanAgreesWithThePolicy(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can run mcpls as a user of whom the account database knows nothing")
	}
	base := public(t)
	rows := policyRows(t, base)
	policyMachine(t, base, rows)
	var config strings.Builder
	fmt.Fprintf(&config, "builtin_servers = false\n[workspace]\nroots = [%q]\n", base+"/ws")
	args := []string{"plan", "--json", "--config", filepath.Join(base, "mcpls.toml"), "--workspace-trust", "untrusted"}
	for i, row := range rows {
		list, err := json.Marshal(row.argv[1:])
		must(t, err)
		command, err := json.Marshal(row.argv[0])
		must(t, err)
		fmt.Fprintf(&config, "[[lsp_servers]]\nlanguage_id = \"l%d\"\ncommand = %s\nargs = %s\n", i, command, list)
		args = append(args, "--allow-server", fmt.Sprintf("l%d", i))
	}
	mode(t, filepath.Join(base, "mcpls.toml"), config.String(), 0o644)
	cmd := exec.Command(filepath.Join(base, "mcpls"), args...)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + base + "/usr/bin", "HOME=" + base + "/home/u", "TMPDIR=" + base + "/home/u", noRaceSleep}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stranger, Gid: stranger}}
	var errOut strings.Builder
	cmd.Stderr = &errOut
	out, _ := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code != 3 {
		t.Fatalf("exit code %d\n%.2000s", code, errOut.String())
	}
	var told struct{ Servers []planned }
	must(t, json.Unmarshal(out, &told))
	if len(told.Servers) != len(rows) {
		t.Fatalf("%d servers for %d rows", len(told.Servers), len(rows))
	}
	wrong := 0
	for i, row := range rows {
		s := told.Servers[i]
		got := s.Verdict
		if got != "start" {
			got = s.Reason
		}
		if got != row.want {
			wrong++
			t.Errorf("%q: %s (%s), want %s", row.argv, got, s.Message, row.want)
		}
		if got == "start" && s.Cwd != base+"/home/u" {
			t.Errorf("%q starts in %s", row.argv, s.Cwd)
		}
	}
	t.Logf("%d entries, %d do not agree", len(rows), wrong)
}
