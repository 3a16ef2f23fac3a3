package policy_test

import (
	"path"
	"slices"
	"strings"

	"mcpls/internal/launch/policy"
)

// drawn is the machine of the rows: see the head of testdata/commands.txt.
type drawn struct{ windows bool }

// drawnFiles are the files, by their path; drawnLinks lead from one to another.
var (
	drawnFiles = map[string]policy.Kind{
		"/ws/run.sh":                         policy.Executable,
		"/ws/bin/tool":                       policy.Executable,
		"/ws/data.json":                      policy.File,
		"/ws/locked":                         policy.Unreadable,
		"/ws/tool.exe":                       policy.Executable,
		"/ws":                                policy.Directory,
		"/ws/dir":                            policy.Directory,
		"/opt/lsp/npm/bin/npx-cli.js":        policy.File,
		"/opt/lsp/gopls":                     policy.Executable,
		"/opt/lsp/a=b/gopls":                 policy.Executable,
		"/opt/lsp/dir":                       policy.Directory,
		"/opt/lsp/fifo":                      policy.Special,
		"/home/u/bin/tool":                   policy.Executable,
		"/home/u/.cargo/bin/rustup":          policy.Executable,
		"/home/u/.cargo/bin/cargo":           policy.Executable,
		"/home/u/.cargo/bin/rust-analyzer":   policy.Executable,
		"/home/u/.cargo/bin/taplo":           policy.Executable,
		"/home/u/.asdf/shims/gopls":          policy.Executable,
		"/home/u/.volta/bin/vtsls":           policy.Executable,
		"/home/u/aquaproj-aqua/bin/gopls":    policy.Executable,
		"/home/u/.elan/bin/elan":             policy.Executable,
		"/home/u/.elan/bin/lake":             policy.Executable,
		"/home/u/.local/share/mise/bin/mise": policy.Executable,
	}
	drawnLinks = map[string]string{
		"/home/u/bin/mylsp":          "/usr/bin/env",
		"/home/u/bin/mysh":           "/usr/bin/bash",
		"/home/u/bin/mypy":           "/usr/bin/python3.12",
		"/home/u/bin/myrun":          "/opt/lsp/npm/bin/npx-cli.js",
		"/home/u/bin/nice":           "/usr/bin/busybox",
		"/home/u/bin/ash":            "/usr/bin/busybox",
		"/home/u/bin/xargs":          "/usr/bin/toybox",
		"/home/u/bin/applet":         "/usr/bin/busybox",
		"/home/u/bin/uu-env":         "/usr/bin/coreutils",
		"/home/u/bin/inner":          "/ws/run.sh",
		"/home/u/bin/gopls":          "/home/u/.local/share/mise/bin/mise",
		"/home/u/bin/shimmed":        "/home/u/.asdf/shims/gopls",
		"/home/u/link.sh":            "/ws/run.sh",
		"/home/u/.cargo/bin/rustfmt": "/opt/lsp/gopls",
		"/home/u/console":            "/opt/lsp/fifo",
	}
)

func (d drawn) Windows() bool { return d.windows }

func (d drawn) Resolve(program string) (string, bool) {
	p := d.slashed(program)
	if !strings.Contains(p, "/") {
		p = "/usr/bin/" + p
	}
	p = d.Abs(p)
	return p, d.Kind(p) == policy.Executable
}

func (d drawn) Canonical(p string) (string, bool) {
	p = d.Abs(p)
	if to, ok := drawnLinks[p]; ok {
		p = to
	}
	return p, d.Kind(p) != policy.Missing
}

func (d drawn) Inside(p string) bool {
	for _, q := range []string{d.Abs(p), drawnLinks[d.Abs(p)]} {
		if q == "/ws" || strings.HasPrefix(q, "/ws/") {
			return true
		}
	}
	return false
}

func (d drawn) Abs(p string) string {
	p = d.slashed(p)
	if !strings.HasPrefix(p, "/") {
		p = "/home/u/" + p
	}
	return path.Clean(p)
}

func (d drawn) slashed(p string) string {
	if !d.windows {
		return p
	}
	p = strings.ReplaceAll(strings.ToLower(p), `\`, "/")
	return strings.TrimPrefix(p, "c:")
}

func (d drawn) Kind(p string) policy.Kind {
	p = d.Abs(p)
	if to, ok := drawnLinks[p]; ok {
		p = to
	}
	if kind, ok := drawnFiles[p]; ok {
		return kind
	}
	dir, name := path.Split(p)
	switch {
	case dir == "/usr/bin/" && !strings.HasPrefix(name, "-") && !slices.Contains([]string{"absent", "rustup", "elan", "rustup.exe", "elan.exe"}, name):
		return policy.Executable
	case dir == "/opt/lsp/" && path.Ext(name) != "":
		return policy.File
	}
	return policy.Missing
}
