package typescript

import (
	"encoding/json"
	"fmt"
)

// install is a server that was found on disk.
type install struct {
	// cli is the path at which its cli.mjs was found.
	cli string
	// typescripts are the directories in which its typescript package may lie,
	// the likeliest first.
	typescripts []string
}

// install finds where a server lies and its typescript may lie. It says why it
// finds no place.
func (f finder) install(server string) (in install, why string) {
	if canonical, ok := f.Canonical(server); ok && f.isCLI(canonical) {
		return install{server, f.around(server)}, ""
	}
	dirs, why := f.shimmed(server, serverName)
	if why != "" {
		return install{}, why
	}
	in.cli = f.join(dirs[0], serverName, "lib", "cli.mjs")
	in.typescripts = f.around(in.cli)
	others := f.having(dirs[1:], "typescript")
	switch {
	case len(in.typescripts) > 0 && len(others) == 1:
		in.typescripts = append(in.typescripts, f.Join(others[0], "typescript"))
	case len(others) > 1:
		why = fmt.Sprintf("pnpm has installed %d of the package typescript, and not one", len(others))
	}
	return in, why
}

// around gives the directories of a typescript package that belongs to a
// cli.mjs: the one in the server's package and its sibling, both where the file
// really lies, which is where Node looks, and where the path says. The latter is
// another place when node_modules has links to a store, as pnpm makes them.
func (f finder) around(cli string) (dirs []string) {
	canonical, ok := f.Canonical(cli)
	if !ok || !f.isCLI(canonical) || !f.Regular(canonical) {
		return nil
	}
	for _, file := range []string{canonical, cli} {
		// To Dir a .. is text, and to the file system it is not.
		if !f.isCLI(file) || f.Join(file, ".") != file {
			continue
		}
		pkg := f.Dir(f.Dir(file))
		dirs = append(dirs, f.join(pkg, "node_modules", "typescript"))
		if above := f.Dir(pkg); f.base(above) == "node_modules" {
			dirs = append(dirs, f.Join(above, "typescript"))
		}
	}
	return dirs
}

// shimmed gives the node_modules that holds the package which a shim runs: the
// one beside the shim or, of a shim in node_modules/.bin, above it, else that of
// a global install of pnpm, with the others of that pnpm behind it. A shim is
// known by its place alone. It must be no link: some look for their package
// beside the link, others where it leads.
func (f finder) shimmed(shim, pkg string) (dirs []string, why string) {
	if !f.isNoLink(shim) {
		return nil, fmt.Sprintf("%q is a link to a script that is not the server, or does not exist", shim)
	}
	dir := f.Dir(shim)
	beside := f.Join(dir, "node_modules")
	if f.base(dir) == ".bin" && f.base(f.Dir(dir)) == "node_modules" {
		beside = f.Dir(dir)
	}
	if len(f.having([]string{beside}, pkg)) == 1 {
		return []string{beside}, ""
	}
	return f.pnpm(shim, pkg)
}

// isNoLink reports whether a path exists and its last name is not that of a
// link.
func (f finder) isNoLink(path string) bool {
	canonical, ok := f.Canonical(path)
	return ok && f.same(f.Dir(path), f.Dir(canonical)) && f.base(canonical) == f.base(path)
}

// having gives the node_modules of a list that have a package.
func (f finder) having(dirs []string, pkg string) (having []string) {
	for _, dir := range dirs {
		if f.Regular(f.join(dir, pkg, "package.json")) {
			having = append(having, dir)
		}
	}
	return having
}

// The bounds on what a package says of itself.
const (
	maxPackageJSON = 1 << 20 // bytes; that of typescript has 4 KiB
	maxVersion     = 128     // bytes; 5.10.0-dev.20260101 has 19
)

// version reads the version of a package; false when it has no package.json
// with one.
func (f finder) version(dir string) (version string, ok bool) {
	data, ok := f.ReadFile(f.Join(dir, "package.json"), maxPackageJSON)
	if !ok {
		return "", false
	}
	// Not a struct: its keys would be compared without case, and those of Node
	// are not.
	var manifest map[string]json.RawMessage
	if json.Unmarshal(data, &manifest) != nil || json.Unmarshal(manifest["version"], &version) != nil {
		return "", false
	}
	return version, version != "" && len(version) <= maxVersion
}
