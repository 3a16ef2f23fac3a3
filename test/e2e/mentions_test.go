package e2e_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFilesOfNoProject holds that a use in a file that the project's own
// configuration leaves out, as it does with tests, is found and renamed. The
// workspaces are asked where they lie: files of a copy would be so young that
// they are opened because they may have changed.
func TestFilesOfNoProject(t *testing.T) {
	for name, c := range map[string]struct {
		dir, file string
		at        args
	}{
		"typescript-language-server": {"typescript", "test/total.test.ts", at("src/prices.ts", 1, "unused")},
		"typescript7":                {"typescript", "test/total.test.ts", at("src/prices.ts", 1, "unused")},
		"pyright":                    {"python", "tests/test_total.py", at("shop/prices.py", 1, "unused")},
	} {
		t.Run(name, func(t *testing.T) {
			l := languages[slices.IndexFunc(languages, func(l language) bool { return l.name == name })]
			needServer(t, l.needs)
			dir, err := filepath.Abs(filepath.Join("testdata", "apart", c.dir))
			must(t, err)
			client := l.start(t, dir)
			if got := client.patient("get_references", c.at); !strings.Contains(got, c.file+":2:1: unused()") {
				t.Errorf("references: %q", got)
			}
			// In the plan, or named as a use that is not.
			rename := args{"file_path": c.at["file_path"], "line": c.at["line"], "text": c.at["text"], "new_name": "used"}
			if got := client.patient("rename_symbol", rename); !strings.Contains(got, c.file+":2:1") {
				t.Errorf("rename: %q", got)
			}
		})
	}
}

// TestReferencesFromAUse holds that the use that is asked at is listed, and the
// declaration is not.
func TestReferencesFromAUse(t *testing.T) {
	for _, l := range languages {
		if l.name != "pyright" && l.name != "basedpyright" {
			continue
		}
		needServer(t, l.needs)
		c := l.start(t, l.workspace(t))
		got := c.patient("get_references", at("shop/cart.py", 9, "total"))
		if !strings.Contains(got, "shop/cart.py:9:16: return total(self.prices)") || strings.Contains(got, "def total") {
			t.Errorf("%s: %q", l.name, got)
		}
		if from := c.patient("get_references", at("shop/prices.py", 10, "total")); body(from) != body(got) {
			t.Errorf("%s: from the definition %q, from a use %q", l.name, from, got)
		}
	}
}

// body is an answer without the line that echoes the address.
func body(answer string) string {
	_, rest, _ := strings.Cut(answer, "\n")
	return rest
}
