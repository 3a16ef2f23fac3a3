package typescript

import (
	"fmt"
	"strconv"
	"strings"
)

// firstNative is the first version whose tsc is a language server.
const firstNative = 7

// Native gives the argv of the language server of TypeScript 7 or later that is
// installed outside the workspace: beside the server that argv starts, which
// may be nil, else as tsc on PATH. There is none when why, one sentence, is not
// "".
//
// Whether it is wanted is for the caller to say: [Find] may have found a
// tsserver for the server that was asked for.
func Native(argv []string, m Machine) (native []string, why string) {
	f := finder{m}
	tsc, ok := f.nativeBeside(argv)
	if !ok {
		if tsc, why = f.nativeOnPath(); why != "" {
			return nil, why
		}
	}
	if !f.Windows() {
		return []string{tsc, "--lsp", "--stdio"}, ""
	}
	// The shim for cmd.exe is not run, and the file is a script to Node only.
	node, ok := f.Resolve("node.exe")
	switch {
	case !ok || !f.IsAbs(node):
		return nil, "TypeScript 7 is installed, but node.exe was not found on PATH"
	case f.Inside(node):
		return nil, fmt.Sprintf("the first node.exe on PATH, %q, lies inside the workspace or is reached through it", node)
	}
	return []string{node, tsc, "--lsp", "--stdio"}, ""
}

// nativeBeside finds the tsc beside the server that an argv starts.
func (f finder) nativeBeside(argv []string) (tsc string, ok bool) {
	c, ok := f.parse(argv)
	if !ok || c.server == "" || f.Inside(c.server) {
		return "", false
	}
	in, _ := f.install(c.server)
	if in.cli == "" || f.Inside(in.cli) {
		return "", false
	}
	for _, dir := range in.typescripts {
		if tsc, why := f.nativeAt(f.join(dir, "bin", "tsc")); why == "" {
			return tsc, true
		}
	}
	return "", false
}

// nativeOnPath finds the tsc on PATH: a link to it, or a shim of an install that
// is known.
func (f finder) nativeOnPath() (tsc, why string) {
	names := []string{"tsc"}
	if f.Windows() {
		names = []string{"tsc.cmd", "tsc"}
	}
	for _, name := range names {
		found, ok := f.Resolve(name)
		if !ok || !f.IsAbs(found) {
			continue
		}
		if f.Inside(found) {
			return "", fmt.Sprintf("the tsc on PATH, %q, lies inside the workspace or is reached through it", found)
		}
		if canonical, ok := f.Canonical(found); !ok || !f.isTsc(canonical) {
			installs, why := f.shimmed(found, "typescript")
			if why != "" {
				return "", "the tsc on PATH is not usable: " + why
			}
			found = f.join(installs[0], "typescript", "bin", "tsc")
		}
		return f.nativeAt(found)
	}
	return "", "TypeScript 7 is neither beside the server nor is a tsc on PATH"
}

// nativeAt gives the canonical path of a tsc of TypeScript 7 that lies outside
// the workspace.
func (f finder) nativeAt(path string) (tsc, why string) {
	tsc, ok := f.Canonical(path)
	if !ok || !f.Regular(tsc) || !f.isTsc(tsc) {
		return "", fmt.Sprintf("%q is not bin/tsc of a typescript package", path)
	}
	if f.Inside(path) || f.Inside(tsc) {
		return "", fmt.Sprintf("the tsc %q lies inside the workspace or is reached through it", path)
	}
	version, ok := f.version(f.Dir(f.Dir(tsc)))
	if !ok {
		return "", fmt.Sprintf("the typescript package of %q has no package.json with a version", path)
	}
	major, _, _ := strings.Cut(version, ".")
	if n, err := strconv.Atoi(major); err != nil || n < firstNative {
		return "", fmt.Sprintf("%q is of version %q, and only TypeScript 7 and later has a language server", path, version)
	}
	return tsc, ""
}

// isTsc reports whether a path ends in typescript/bin/tsc.
func (f finder) isTsc(path string) bool {
	bin := f.Dir(path)
	return f.base(path) == "tsc" && f.base(bin) == "bin" && f.base(f.Dir(bin)) == "typescript"
}
