package typescript

import (
	"fmt"
	"regexp"
	"slices"
)

// maxInstalls is how many global installs of pnpm are looked at: with more, it
// counts as open which one a shim runs.
const maxInstalls = 16

// The directories in PNPM_HOME/global are named by the layout. Up to pnpm 10 it
// is one project, global/5/node_modules, and its shims lie in PNPM_HOME. From
// pnpm 11 on global/v11 has a project for each argument of each `pnpm add -g`, and
// beside it a link that the shims use, named by a hash; these lie in
// PNPM_HOME/bin. A server and a typescript that were added together are then in
// two projects, and only packages that were joined by a comma are in one.
var (
	oneProject   = regexp.MustCompile(`^[0-9]+$`)
	manyProjects = regexp.MustCompile(`^v[0-9]+$`)
)

// pnpm is shimmed for the global installs of pnpm.
func (f finder) pnpm(shim, pkg string) (dirs []string, why string) {
	unknown := fmt.Sprintf("%q is in none of the installs that are known", shim)
	home, ok := f.Getenv("PNPM_HOME")
	if !ok || !f.IsAbs(home) {
		return nil, unknown + ", and PNPM_HOME, which leads to those of pnpm, is not set"
	}
	var projects []string
	global := f.Join(home, "global")
	switch dir := f.Dir(shim); {
	case f.same(dir, home):
		projects, ok = f.entries(global, maxInstalls, oneProject)
	case f.same(dir, f.Join(home, "bin")):
		projects, ok = f.inLayouts(global)
	default:
		return nil, unknown
	}
	if !ok {
		return nil, fmt.Sprintf("%q cannot be read or has more than %d installs", global, maxInstalls)
	}
	dirs = f.nodeModules(projects)
	with := f.having(dirs, pkg)
	if len(with) != 1 {
		return nil, fmt.Sprintf("%q has %d installs of %s, and not one", global, len(with), pkg)
	}
	return append(with, slices.DeleteFunc(dirs, func(dir string) bool { return dir == with[0] })...), ""
}

// inLayouts gives the projects in the layouts of pnpm 11 and later.
func (f finder) inLayouts(global string) (projects []string, ok bool) {
	layouts, ok := f.entries(global, maxInstalls, manyProjects)
	for _, layout := range layouts {
		more, complete := f.entries(layout, 2*maxInstalls, nil) // a directory and a link each
		projects, ok = append(projects, more...), ok && complete
	}
	return projects, ok
}

// nodeModules gives the node_modules of projects, each once.
func (f finder) nodeModules(projects []string) (dirs []string) {
	var seen []string
	for _, project := range projects {
		dir := f.Join(project, "node_modules")
		if canonical, ok := f.Canonical(dir); ok && !slices.Contains(seen, canonical) {
			dirs, seen = append(dirs, dir), append(seen, canonical)
		}
	}
	return dirs
}

// entries gives the paths in a directory whose names match, nil for all; false
// when there are more than limit names.
func (f finder) entries(dir string, limit int, names *regexp.Regexp) (paths []string, ok bool) {
	list, ok := f.ReadDir(dir, limit)
	if !ok || len(list) > limit {
		return nil, false
	}
	for _, name := range list {
		if names == nil || names.MatchString(name) {
			paths = append(paths, f.Join(dir, name))
		}
	}
	return paths, true
}
