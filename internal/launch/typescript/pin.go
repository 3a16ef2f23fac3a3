package typescript

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mcpls/internal/launch/reason"
)

// Pin is which tsserver a start of typescript-language-server asks for.
type Pin struct {
	// Path is what to send as initializationOptions.tsserver.path: the canonical
	// path of a tsserver.js, or what the user set, as written. "" when none.
	//
	// It is the file and neither its directory nor its package: of an absolute
	// path that is a file of this name and no link, the server runs exactly this
	// one, while for all others it goes up to a package.json and runs
	// lib/tsserver.js below it, which is a file that nobody has checked.
	Path string
	// Version is that of the typescript package; "" for a path that the user set.
	Version string
	// Inside says that the tsserver which would run lies inside the workspace,
	// or that the server or a package was found through it. It may be true
	// without a path: the server then looks for a typescript by itself.
	Inside bool
	// Warning says in one sentence why there is no pin; "" when there is one.
	Warning string
	// Unpinnable says that the command leaves open which server runs, and so
	// which tsserver, also when the user set a path. Launcher says why.
	Unpinnable bool
	Launcher   string
}

// Find finds the pin of a command. argv begins with the innermost program that
// is known to run, by absolute path; options are the initialization_options of
// the user, nil when there are none. A command that does not start
// typescript-language-server has no pin and no warning.
//
// What it gives is true at this moment: it is to be asked before each start.
func Find(argv []string, options map[string]any, m Machine) Pin {
	f := finder{m}
	c, ok := f.parse(argv)
	if !ok {
		return Pin{}
	}
	pin := Pin{Unpinnable: c.open != "", Launcher: c.open}
	switch path, fallback := tsserverOptions(options); {
	case path != "":
		pin.Path, pin.Inside = path, f.leadsInside(path)
	case pin.Unpinnable:
		pin.Warning = warning(c.open)
	case options != nil:
		in, _ := f.install(c.server)
		pin.Warning = warning("initialization_options is set without tsserver.path")
		pin.Inside = f.bundledInside(c.server, in) || fallback != "" && f.leadsInside(fallback)
	default:
		pin = f.find(c.server)
	}
	return pin
}

// Refusal is why the server may not start in an untrusted workspace; nil when
// it may. A server without a pin may: without a root it does not look for a
// tsserver in the workspace.
func (p Pin) Refusal() *reason.Refusal {
	switch {
	case p.Unpinnable:
		return &reason.Refusal{
			Code:    reason.TsserverUnpinnable,
			Message: fmt.Sprintf("it is open which %s runs: %s", serverName, p.Launcher),
			Hint:    "install it outside the workspace, and give its absolute path as command",
		}
	case p.Inside:
		r := &reason.Refusal{
			Code:    reason.TsserverInWorkspace,
			Message: "the tsserver that would run lies inside the workspace or is reached through it",
			Hint:    "install " + serverName + " and typescript outside the workspace, or set initialization_options.tsserver.path to a tsserver.js outside",
		}
		if p.Path != "" {
			r.Message = fmt.Sprintf("the tsserver %q lies inside the workspace or is reached through it", p.Path)
		}
		return r
	}
	return nil
}

func warning(why string) string {
	return fmt.Sprintf("no tsserver is pinned for %s: %s; to pin one, set initialization_options.tsserver.path", serverName, why)
}

// tsserverOptions gives the two paths that the user can set; what is no text
// counts as not set. The server takes the second one when it is told no valid
// first one and no root.
func tsserverOptions(options map[string]any) (path, fallback string) {
	tsserver, _ := options["tsserver"].(map[string]any)
	path, _ = tsserver["path"].(string)
	fallback, _ = tsserver["fallbackPath"].(string)
	return path, fallback
}

// find finds the tsserver beside a server.
func (f finder) find(server string) Pin {
	in, why := f.install(server)
	for _, dir := range in.typescripts {
		path, version, problem := f.tsserver(dir)
		if path == "" {
			why = cmp.Or(why, problem)
			continue
		}
		return Pin{Path: path, Version: version, Inside: f.anyInside(server, in.cli, f.tsserverJS(dir), path)}
	}
	why = cmp.Or(why, fmt.Sprintf("no typescript package is beside %q", server))
	return Pin{Warning: warning(why), Inside: f.bundledInside(server, in)}
}

// bundledInside reports whether a server that is told no tsserver may take one
// from the workspace: a package that is not fit to be pinned may be good enough
// for it.
func (f finder) bundledInside(server string, in install) bool {
	return f.anyInside(server, in.cli) || slices.ContainsFunc(in.typescripts, func(dir string) bool {
		return f.Inside(f.tsserverJS(dir))
	})
}

// anyInside reports whether one of the paths, "" for none, lies in the workspace
// or leads through it.
func (f finder) anyInside(paths ...string) bool {
	return slices.ContainsFunc(paths, func(path string) bool { return path != "" && f.Inside(path) })
}

// tsserverJS is where a typescript package has its tsserver.
func (f finder) tsserverJS(pkg string) string { return f.join(pkg, "lib", "tsserver.js") }

// tsserver gives the canonical path of the tsserver of a typescript package, and
// its version, which is read where the server reads it: two directories above
// the file. The problem is "" when there is no package.
func (f finder) tsserver(pkg string) (path, version, problem string) {
	if _, ok := f.Canonical(pkg); !ok {
		return "", "", ""
	}
	path, ok := f.Canonical(f.tsserverJS(pkg))
	if !ok || !f.Regular(path) || f.base(path) != "tsserver.js" {
		version, _ := f.version(pkg)
		return "", "", fmt.Sprintf("the typescript package %q (version %q) has no JavaScript tsserver", pkg, version)
	}
	version, ok = f.version(f.Dir(f.Dir(path)))
	if !ok {
		return "", "", fmt.Sprintf("the typescript package %q has no package.json with a version", pkg)
	}
	return path, version, ""
}

// leadsInside reports whether the tsserver that the server runs for a path of
// the user lies in the workspace or is reached through it. The server looks a
// bare name up on PATH. Every other relative path counts as inside: it is taken
// from the working directory.
func (f finder) leadsInside(path string) bool {
	if !f.IsAbs(path) {
		resolved, ok := f.Resolve(path)
		if strings.ContainsAny(path, `/\:`) || !ok || !f.IsAbs(resolved) {
			return true
		}
		path = resolved
	}
	return f.Inside(path) || f.Inside(f.meant(path))
}

// meant gives the file that the server runs for a path: one named tsserver.js
// itself, else lib/tsserver.js below the nearest package.json.
func (f finder) meant(path string) string {
	canonical, ok := f.Canonical(path)
	if !ok {
		return path
	}
	dir := canonical
	if f.Regular(canonical) {
		if f.base(canonical) == "tsserver.js" {
			return canonical
		}
		dir = f.Dir(canonical)
	}
	for ; ; dir = f.Dir(dir) {
		if _, ok := f.Canonical(f.Join(dir, "package.json")); ok {
			return f.tsserverJS(dir)
		}
		if dir == f.Dir(dir) {
			return canonical
		}
	}
}
