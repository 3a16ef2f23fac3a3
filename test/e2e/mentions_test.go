package e2e_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFilesOfNoProject holds that a use in a file that the project's own
// configuration leaves out, as it does with tests, is found and renamed.
func TestFilesOfNoProject(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		at         args
		config     string // more of pyproject.toml
	}{
		"typescript-language-server": {"test/total.test.ts", "import { unused } from \"../src/prices\";\nunused();\n", at("src/prices.ts", 15, "unused"), ""},
		"typescript7":                {"test/total.test.ts", "import { unused } from \"../src/prices\";\nunused();\n", at("src/prices.ts", 15, "unused"), ""},
		"pyright":                    {"tests/test_total.py", "from shop.prices import unused\nunused()\n", at("shop/prices.py", 23, "unused"), "[tool.pyright]\ninclude = [\"shop\"]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			l := languages[slices.IndexFunc(languages, func(l language) bool { return l.name == name })]
			needServer(t, l.needs)
			dir := l.workspace(t)
			path := filepath.Join(dir, filepath.FromSlash(c.file))
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			write(t, path, c.text)
			if c.config != "" {
				project := filepath.Join(dir, "pyproject.toml")
				data, err := os.ReadFile(project)
				must(t, err)
				write(t, project, string(data)+c.config)
			}
			// A file of less than two seconds is opened because it may have changed:
			// what is waited for is its age.
			<-time.After(3 * time.Second)
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
