package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// lateUse is a file that comes, changes and goes while the server runs, and
// that nobody asks about: it uses the name unused after some empty lines.
type lateUse struct {
	file, head, use string
	decl            args // of unused
}

var lateUses = map[string]lateUse{
	"python":     {"shop/late.py", "from shop.prices import unused\n", "unused()\n", at("shop/prices.py", 23, "unused")},
	"typescript": {"src/late.ts", "import { unused } from \"./prices\";\n", "unused();\n", at("src/prices.ts", 15, "unused")},
	"cpp":        {"fresh.cpp", "#include \"prices.h\"\n", "void late() { unused(); }\n", at("prices.h", 12, "unused")},
	"rust":       {"src/bin/fresh.rs", "use shop::prices::unused;\n", "fn main() { unused() }\n", at("src/prices.rs", 28, "unused")},
	"shell":      {"late.sh", "source ./prices.sh\n", "unused\n", at("prices.sh", 15, "unused")},
	"shop":       {"late/late.go", "package late; import \"example.org/shop\"\n", "func f() { shop.Unused() }\n", at("shop.go", 17, "Unused")},
}

// TestLateFiles holds that an answer about the workspace is about the files as
// they are now, whatever happened to those that nobody asked about.
func TestLateFiles(t *testing.T) {
	for _, l := range everyLanguage() {
		t.Run(l.name, func(t *testing.T) {
			needServer(t, l.needs)
			dir := l.workspace(t)
			late := lateUses[l.dir]
			path := filepath.Join(dir, filepath.FromSlash(late.file))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			c := l.start(t, dir)
			used := regexp.MustCompile(regexp.QuoteMeta(late.file) + `:(\d+):`)
			step := func(what string, lines int) {
				t.Helper()
				got := c.patient("get_references", all(late.decl))
				seen := ""
				for _, found := range used.FindAllStringSubmatch(got, -1) {
					seen = found[1] // the last is the use
				}
				want := ""
				if lines >= 0 {
					want = fmt.Sprint(lines + 2)
				}
				if seen != want {
					t.Errorf("%s: used on line %q of %s, want %q:\n%s", what, seen, late.file, want, got)
				}
			}
			step("before it came", -1)
			for i, lines := range []int{0, 3, 1} {
				write(t, path, late.head+strings.Repeat("\n", lines)+late.use)
				step(fmt.Sprint("text ", i), lines)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			step("when it had gone", -1)
			write(t, path, late.head+late.use)
			step("when it came back", 0)
		})
	}
}

// TestNoDatabase holds that clangd without compile_commands.json, which knows
// only what is open, never says that there is nothing.
func TestNoDatabase(t *testing.T) {
	i := slices.IndexFunc(languages, func(l language) bool { return l.name == "clangd" })
	l := languages[i]
	needServer(t, l.needs)
	l.prepare = link("prices.h", "alias.h")
	c := l.start(t, l.workspace(t))
	const why = "there is no compile_commands.json or build/compile_commands.json: only files that are open are known"
	if got := c.patient("get_references", at("prices.h", 10, "total")); !strings.Contains(got, why) {
		t.Errorf("%q", got)
	}
	if got := c.patient("workspace_symbol_search", args{"query": "label"}); !strings.Contains(got, why) {
		t.Errorf("%q", got)
	}
	if got := c.patient("get_tool_support", args{}); !strings.Contains(got, why) {
		t.Errorf("%q", got)
	}
	// The errors of a file are known without.
	if got := c.patient("get_diagnostics", args{"file_path": "prices.cpp"}); got != "prices.cpp: no errors or warnings" {
		t.Errorf("%q", got)
	}
}
