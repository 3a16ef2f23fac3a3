package app

import (
	"os"
	"path/filepath"
	"testing"

	"mcpls/internal/catalog"
	"mcpls/internal/config"
	"mcpls/internal/router"
)

// touch makes a file and the directories above it.
func touch(t *testing.T, path ...string) string {
	t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestAdvice holds what each check goes by.
func TestAdvice(t *testing.T) {
	home := t.TempDir()
	mends := func(root, command, program string, p router.Probe, why string) []string {
		a := &App{roots: []string{root}}
		var found []string
		for _, advice := range a.advice(config.Declaration{Server: config.Server{Command: command}}, Diagnosis{Program: program, Why: why}, p, home) {
			found = append(found, advice.Mend)
		}
		return found
	}
	expect := func(name string, got []string, want int) {
		t.Helper()
		if len(got) != want {
			t.Errorf("%s: %q, want %d", name, got, want)
		}
	}
	asked := router.Probe{File: "a.cpp"}
	root := t.TempDir()
	expect("C without commands", mends(root, "/usr/bin/clangd", "", asked, ""), 1)
	expect("C without a file", mends(root, "clangd", "", router.Probe{}, ""), 0)
	expect("another server", mends(root, "gopls", "", asked, ""), 0)
	for _, name := range []string{"compile_commands.json", "build/compile_commands.json", "compile_flags.txt", ".clangd"} {
		root := t.TempDir()
		touch(t, root, filepath.FromSlash(name))
		expect("C with "+name, mends(root, "clangd", "", asked, ""), 0)
	}

	toolchain := t.TempDir()
	program := touch(t, toolchain, "bin", "rust-analyzer")
	expect("Rust in no toolchain", mends(root, program, program, asked, ""), 0)
	touch(t, toolchain, "lib", "rustlib", "components")
	link := filepath.Join(t.TempDir(), "rust-analyzer")
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
	expect("Rust without sources", mends(root, program, program, asked, ""), 1)
	expect("Rust without sources, by a link", mends(root, "rust-analyzer", link, asked, ""), 1)
	touch(t, toolchain, "lib", "rustlib", "src", "rust", "library", "x")
	expect("Rust with sources", mends(root, "rust-analyzer", link, asked, ""), 0)
	elsewhere := touch(t, t.TempDir(), "bin", "rust-analyzer")
	expect("Rust elsewhere", mends(root, elsewhere, elsewhere, asked, ""), 0)
	touch(t, home, ".rustup", "toolchains", "stable", "lib", "rustlib", "components")
	expect("Rust elsewhere, no toolchain with sources", mends(root, elsewhere, elsewhere, asked, ""), 1)
	touch(t, home, ".rustup", "toolchains", "nightly", "lib", "rustlib", "src", "rust", "library", "x")
	expect("Rust elsewhere, one toolchain with sources", mends(root, elsewhere, elsewhere, asked, ""), 0)
	expect("Rust that complains", mends(root, "rust-analyzer", link, router.Probe{Stderr: "x\ntry installing `rust-src`\n"}, ""), 1)
	expect("rustup's proxy", mends(root, "rust-analyzer", "", router.Probe{}, "error: Unknown binary 'rust-analyzer' in"), 1)
}

// TestChecks holds that each check can find something and says how to mend it.
func TestChecks(t *testing.T) {
	for _, c := range catalog.Checks {
		if c.Program == "" || c.Problem == "" || c.Mend == "" || len(c.Says)+len(c.Root)+len(c.Beside) == 0 || (c.Where == "") != (c.Beside == "") {
			t.Errorf("%+v", c)
		}
	}
}
