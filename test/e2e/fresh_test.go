package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// edited is the file that is edited over and over in a workspace. %s is a name
// of always the same length, in both texts; broken uses a name that is defined
// nowhere.
type edited struct {
	file         string
	text, broken string
	line         int // of the name
}

// edits are the files of the servers that are held to freshness.
var edits = map[string]edited{
	"gopls":                      {"edited.go", "package shapes\n\nfunc %s() int { return 1 }\n", "package shapes\n\nfunc broken() int { return %s }\n", 3},
	"pyright":                    {"shop/edited.py", "def %s() -> int:\n    return 1\n", "x = %s\n", 1},
	"typescript-language-server": {"src/edited.ts", "export function %s(): number { return 1; }\n", "export const x = %s;\n", 1},
	"typescript7":                {"src/edited.ts", "export function %s(): number { return 1; }\n", "export const x = %s;\n", 1},
	"clangd":                     {"edited.cpp", "int %s() { return 1; }\n", "int x = %s;\n", 1},
	"rust-analyzer":              {"src/bin/edited.rs", "fn %s() -> i32 {\n    1\n}\n\nfn main() {}\n", "fn main() {\n    let _x: i32 = %s;\n}\n", 1},
}

// ways are the ways in which a text comes to a file: of editors, agents, shells
// and git. Each leaves the file with the text.
var ways = []struct {
	name string
	put  func(t *testing.T, dir, path, text string)
}{
	{"write", func(t *testing.T, _, path, text string) { write(t, path, text) }},
	{"rename over", func(t *testing.T, _, path, text string) {
		write(t, path+".new", text)
		must(t, os.Rename(path+".new", path))
	}},
	{"truncate", func(t *testing.T, _, path, text string) {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		must(t, err)
		must(t, f.Truncate(0))
		_, err = f.WriteString(text)
		must(t, err)
		must(t, f.Close())
	}},
	{"cp -p", func(t *testing.T, _, path, text string) { // with the time of an older file
		write(t, path, text)
		old := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
		must(t, os.Chtimes(path, old, old))
	}},
	{"git checkout", func(t *testing.T, dir, path, text string) {
		write(t, path, text)
		git(t, dir, "add", path)
		write(t, path, strings.Repeat(" ", len(text)))
		git(t, dir, "checkout", "--quiet", "--", path)
	}},
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// rounds is how often a file is edited for each server.
const rounds = 200

// TestEveryEdit edits a file as fast as hover answers, in each way, and asks for
// its errors every tenth time: not one answer may be about an earlier text.
func TestEveryEdit(t *testing.T) {
	for _, l := range matrixServers() {
		e, ok := edits[l.name]
		if !ok {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			needServer(t, l.needs)
			dir := l.workspace(t)
			path := filepath.Join(dir, filepath.FromSlash(e.file))
			git(t, dir, "init", "--quiet")
			write(t, path, fmt.Sprintf(e.text, "mark0000"))
			c := l.start(t, dir)
			for i := range rounds {
				way, name := ways[i%len(ways)], fmt.Sprintf("mark%04d", i)
				if i%10 == 9 {
					way.put(t, dir, path, fmt.Sprintf(e.broken, name))
					got := c.patient("get_diagnostics", args{"file_path": e.file, "wait_seconds": 30})
					if !strings.Contains(got, name) || strings.Count(got, "mark") != strings.Count(got, name) {
						t.Fatalf("edit %d by %s: stale errors %q", i, way.name, got)
					}
					continue
				}
				way.put(t, dir, path, fmt.Sprintf(e.text, name))
				got := c.patient("get_hover", args{"file_path": e.file, "line": e.line, "text": name})
				_, said, _ := strings.Cut(got, "\n") // without the echo
				if !strings.Contains(said, name) || strings.Count(got, "mark") != strings.Count(got, name) {
					t.Fatalf("edit %d by %s: stale answer %q", i, way.name, got)
				}
			}
		})
	}
}

// newFiles are files that are made outside, with a symbol NAME and a use of a
// function at uses.
var newFiles = map[string]struct {
	file, text string
	uses       args
}{
	"gopls":                      {"made.go", "package shapes\n\nfunc NAME() float64 { return Sum(nil, 1) }\n", at("shapes.go", 24, "Sum")},
	"pyright":                    {"shop/made.py", "from shop.prices import total\n\ndef NAME() -> int:\n    return total([])\n", at("shop/prices.py", 10, "total")},
	"basedpyright":               {"shop/made.py", "from shop.prices import total\n\ndef NAME() -> int:\n    return total([])\n", at("shop/prices.py", 10, "total")},
	"typescript-language-server": {"src/made.ts", "import { total } from \"./prices\";\nexport const NAME = () => total([]);\n", at("src/prices.ts", 5, "total")},
	"typescript7":                {"src/made.ts", "import { total } from \"./prices\";\nexport const NAME = () => total([]);\n", at("src/prices.ts", 5, "total")},
	"rust-analyzer":              {"src/made.rs", "use crate::prices::total;\n\npub fn NAME() -> i32 {\n    total(1, 2)\n}\n", at("src/prices.rs", 5, "total")},
}

// TestNewFile makes a file that nobody names, and asks at once for what is in
// it; then it is changed, and taken away.
func TestNewFile(t *testing.T) {
	for _, l := range matrixServers() {
		made, ok := newFiles[l.name]
		if !ok {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			needServer(t, l.needs)
			dir := l.workspace(t)
			c := l.start(t, dir)
			path := filepath.Join(dir, filepath.FromSlash(made.file))
			base := filepath.Base(path)
			if got := c.patient("get_references", made.uses); strings.Contains(got, base) {
				t.Fatalf("before: %q", got)
			}
			if l.name == "rust-analyzer" { // a module must be declared
				lib := filepath.Join(dir, "src", "lib.rs")
				data, err := os.ReadFile(lib)
				must(t, err)
				write(t, lib, string(data)+"pub mod made;\n")
			}
			for _, name := range []string{"freshOne", "freshTwo"} {
				write(t, path, strings.ReplaceAll(made.text, "NAME", name))
				if got := c.patient("workspace_symbol_search", args{"query": name}); !strings.Contains(got, base+":") {
					t.Errorf("%s is not found: %q", name, got)
				}
				if got := c.patient("get_references", made.uses); !strings.Contains(got, base+":") {
					t.Errorf("the use beside %s is not found: %q", name, got)
				}
			}
			if got := c.patient("workspace_symbol_search", args{"query": "freshOne"}); strings.Contains(got, base+":") {
				t.Errorf("the earlier name is found: %q", got)
			}
			must(t, os.Remove(path))
			if got := c.patient("get_references", made.uses); strings.Contains(got, base+":") {
				t.Errorf("deleted: %q", got)
			}
		})
	}
}
