package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFixOfAnotherFile holds that a fix that edits another file is made for that
// file as it is on disk, though nobody has opened it.
func TestFixOfAnotherFile(t *testing.T) {
	dir := workspace(t, "shapes")
	write(t, filepath.Join(dir, "kind.go"), "package shapes\n\ntype Kind struct{}\n")
	write(t, filepath.Join(dir, "use.go"), "package shapes\n\nvar _ Shape = Kind{}\n")
	c := gopls(t, setup{dir: dir})
	fix := args{"file_path": "use.go", "start_line": 3, "start_character": 15, "end_line": 3, "end_character": 15, "kind_filter": "quickfix"}
	// The zero is shown with a line of its own on both sides.
	for _, head := range []string{"package shapes\n\n", "package shapes\n\n// one\n// two\n// three\n\n"} {
		write(t, filepath.Join(dir, "kind.go"), head+"type Kind struct{}\n")
		got := c.patient("get_code_actions", fix)
		if !strings.Contains(got, "--- kind.go\n") || !strings.Contains(got, "\n type Kind struct{}\n+\n") {
			t.Errorf("after %q:\n%s", head, got)
		}
	}
}

// TestItemOfAnotherText holds that an item that was prepared before an edit is
// not answered with another function's calls.
func TestItemOfAnotherText(t *testing.T) {
	dir := workspace(t, "shapes")
	write(t, filepath.Join(dir, "two.go"), "package shapes\n\nfunc aaa() {}\nfunc bbb() {}\nfunc c() { aaa() }\n")
	c := gopls(t, setup{dir: dir})
	_, item, _ := strings.Cut(c.ask("prepare_call_hierarchy", args{"symbol_name": "bbb"}), "\n  item: ")
	if got := c.ask("get_incoming_calls", args{"item": item}); !strings.HasPrefix(got, "bbb (two.go:4:6): 0 callers") {
		t.Errorf("before: %q", got)
	}
	write(t, filepath.Join(dir, "two.go"), "package shapes\n\nfunc bbb() {}\nfunc aaa() {}\nfunc c() { aaa() }\n")
	failed := c.fails("get_incoming_calls", args{"item": item}, -32602)
	if !strings.Contains(failed.Message, "bbb does not stand at two.go:4 any more") {
		t.Error(failed.Message)
	}
}

// TestCheckThatCannotRun holds that a file is not said to be clean while the
// compiler cannot look at it.
func TestCheckThatCannotRun(t *testing.T) {
	for _, l := range languages {
		if l.name != "rust-analyzer" {
			continue
		}
		needServer(t, l.needs)
		dir := l.workspace(t)
		manifest := filepath.Join(dir, "Cargo.toml")
		data, err := os.ReadFile(manifest)
		must(t, err)
		write(t, manifest, string(data)+"\n[dependencies]\nnope = { path = \"nope\" }\n")
		c := l.start(t, dir)
		got, err := c.try("get_diagnostics", args{"file_path": "src/bin/broken.rs", "wait_seconds": 30})
		for err != nil && retryable(err) {
			got, err = c.try("get_diagnostics", args{"file_path": "src/bin/broken.rs", "wait_seconds": 30})
		}
		if strings.Contains(got, "no errors") || err != nil && !strings.Contains(err.Error(), "cargo check") {
			t.Errorf("got %q, %v", got, err)
		}
	}
}

// TestOddLineBreaks holds that no edit is shown of a file whose lines the server
// may count otherwise.
func TestOddLineBreaks(t *testing.T) {
	dir := workspace(t, "shapes")
	write(t, filepath.Join(dir, "odd.go"), "package shapes\n\n// a lone \r return\nfunc  odd( ) { odd() }\n")
	c := gopls(t, setup{dir: dir})
	for tool, a := range map[string]args{
		"format_document": {"file_path": "odd.go"},
		"rename_symbol":   {"file_path": "odd.go", "line": 4, "character": 7, "new_name": "even"},
	} {
		got, err := c.try(tool, a)
		if err == nil || tool == "format_document" && !strings.Contains(err.Error(), "edits by line and column cannot be trusted") {
			t.Errorf("%s: %q, %v", tool, got, err)
		}
	}
}
