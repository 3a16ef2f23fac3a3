package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// applyPlan applies a rename plan in JSON as a client would, and gives the
// files that it changed.
func applyPlan(t *testing.T, raw string) []string {
	t.Helper()
	var plan struct {
		Changes []struct {
			URI   string
			Edits []struct {
				Range   struct{ Start, End struct{ Line, Character int } }
				NewText string `json:"new_text"`
			}
		}
	}
	if err := json.Unmarshal([]byte(raw), &plan); err != nil {
		t.Fatal(err)
	}
	var changed []string
	for _, file := range plan.Changes {
		path := strings.TrimPrefix(file.URI, "file://")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(data), "\n")
		for _, e := range slices.Backward(file.Edits) { // from the end, so that columns stay
			line := utf16.Encode([]rune(lines[e.Range.Start.Line-1]))
			lines[e.Range.Start.Line-1] = string(utf16.Decode(line[:e.Range.Start.Character-1])) +
				e.NewText + string(utf16.Decode(line[e.Range.End.Character-1:]))
		}
		write(t, path, strings.Join(lines, "\n"))
		changed = append(changed, path)
	}
	return changed
}

// renameFiles is how many files use the name that TestRenameEverywhere changes.
const renameFiles = 30

// renaming is a workspace in which one name is used in many files, behind text
// whose columns differ in UTF-8, UTF-16 and characters.
type renaming struct {
	server  string // its name in languages, or that of goLanguage
	files   func(n int) (path, text string)
	others  map[string]string
	decl    args
	compile func(t *testing.T, dir string) *exec.Cmd
}

var renamings = []renaming{
	{
		server: "gopls",
		files: func(n int) (path, text string) {
			return fmt.Sprintf("p%d/use%02d.go", n%3, n), fmt.Sprintf(
				"package p%d\r\n\r\nimport \"example.org/many\"\r\n\r\nfunc use%02d() (string, many.Größe) {\r\n\treturn \"🛒ü🛒\", many.Größe(%d) + /* 🛒 */ many.Größe(2)\r\n}\r\n", n%3, n, n,
			)
		},
		others: map[string]string{
			"go.mod":  "module example.org/many\n\ngo 1.26\n",
			"many.go": "package many\n\n// Größe is a size.\ntype Größe int\n",
		},
		decl: at("many.go", 4, "Größe"),
		compile: func(_ *testing.T, dir string) *exec.Cmd {
			cmd := exec.Command("go", "build", "./...")
			cmd.Dir = dir
			return cmd
		},
	},
	{server: "typescript-language-server", files: scriptUse, others: scriptOthers, decl: at("src/many.ts", 1, "größe"), compile: compileScript},
	{server: "typescript7", files: scriptUse, others: scriptOthers, decl: at("src/many.ts", 1, "größe"), compile: compileScript},
}

func scriptUse(n int) (path, text string) {
	return fmt.Sprintf("src/use%02d.ts", n), fmt.Sprintf(
		"import { größe } from \"./many\";\n\nexport const use%02d = [\"🛒ü🛒\", größe(%d), /* 🛒 */ größe(2)];\n", n, n,
	)
}

var scriptOthers = map[string]string{
	"tsconfig.json": `{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] }, "include": ["src"] }`,
	"src/many.ts":   "export function größe(n: number): number {\n  return n;\n}\n",
}

func compileScript(t *testing.T, dir string) *exec.Cmd {
	return exec.Command(needServer(t, "tsc"), "-p", dir)
}

// TestRenameEverywhere applies a plan that changes many files, and compiles the
// result.
func TestRenameEverywhere(t *testing.T) {
	for _, r := range renamings {
		t.Run(r.server, func(t *testing.T) {
			dir := t.TempDir()
			texts := map[string]string{}
			for name, text := range r.others {
				texts[name] = text
			}
			for n := range renameFiles {
				name, text := r.files(n)
				texts[name] = text
			}
			old := 0
			for name, text := range texts {
				path := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				write(t, path, text)
				old += strings.Count(strings.ToLower(text), "größe")
			}
			i := slices.IndexFunc(everyLanguage(), func(l language) bool { return l.name == r.server })
			s := everyLanguage()[i].setup(t, dir, "[mcp]\noutput = \"json\"\n")
			plan := start(t, s).patient("rename_symbol", renamed(r.decl, "Maß"))
			if changed := applyPlan(t, plan); len(changed) != renameFiles+1 {
				t.Errorf("%d files are changed: %v", len(changed), changed)
			}
			renamedTo := 0
			for name, before := range texts {
				after, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
				if err != nil {
					t.Fatal(err)
				}
				renamedTo += strings.Count(string(after), "Maß")
				if got := strings.ToLower(strings.ReplaceAll(string(after), "Maß", "größe")); got != strings.ToLower(before) {
					t.Errorf("%s: %q became %q", name, before, after)
				}
			}
			if renamedTo != old {
				t.Errorf("renamed %d times, it stood %d times", renamedTo, old)
			}
			if out, err := r.compile(t, dir).CombinedOutput(); err != nil {
				t.Errorf("after the rename: %v\n%s", err, out)
			}
		})
	}
}
