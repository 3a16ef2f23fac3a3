package policy

import (
	"slices"
	"strings"
)

// Proxy reports whether the program at an absolute path is one of a version
// manager: the manager itself, which runs other programs by its subcommands, or
// a proxy, which files of the workspace choose the program of. manager is its
// name, or that of the directory when it is not known.
func Proxy(path string, m Machine) (manager string, ok bool) {
	file, exists := m.Canonical(path)
	if !exists {
		file = path
	}
	for _, p := range []string{path, file} {
		if name, ok := proxyAt(p, file, m); ok {
			return name, true
		}
	}
	return "", false
}

// proxyAt is Proxy for one spelling of the path, which leads to a file.
func proxyAt(path, file string, m Machine) (string, bool) {
	parts := elements(path, m)
	if len(parts) == 0 {
		return "", false
	}
	name := withoutExtension(parts[len(parts)-1], programExtensions)
	for _, row := range managers {
		if has(row.programs, name) || inDirectory(parts, row.dirs) || besideManager(file, row, m) {
			return row.name, true
		}
	}
	if len(parts) >= 2 && parts[len(parts)-2] == shimDirectory {
		return shimOwner(parts[:len(parts)-2]), true
	}
	return "", false
}

// elements are the parts of a path in lower case.
func elements(path string, m Machine) []string {
	if m.Windows() {
		path = strings.ReplaceAll(path, `\`, "/")
	}
	parts := strings.Split(strings.ToLower(path), "/")
	return slices.DeleteFunc(parts, func(p string) bool { return p == "" || p == "." })
}

// inDirectory reports whether the directory of a file ends as one of dirs.
func inDirectory(parts []string, dirs string) bool {
	parent := "/" + strings.Join(parts[:len(parts)-1], "/")
	for d := range strings.FieldsSeq(dirs) {
		if strings.HasSuffix(parent, "/"+d) {
			return true
		}
	}
	return false
}

// besideManager reports whether the file, which is no link, has the name of a
// proxy and the manager lies beside it. The two are often hard links of one file,
// so there is nothing else to tell them by.
func besideManager(file string, row manager, m Machine) bool {
	name := base(file, m.Windows())
	if !has(row.proxies, strings.ToLower(withoutExtension(name, programExtensions))) {
		return false
	}
	dir := file[:len(file)-len(name)]
	for _, extension := range []string{"", ".exe"} {
		if kind := m.Kind(dir + row.name + extension); kind != Missing && kind != Directory {
			return true
		}
	}
	return false
}

// shimOwner is the manager that a directory of shims belongs to.
func shimOwner(parents []string) string {
	if len(parents) == 0 {
		return shimDirectory
	}
	return strings.TrimPrefix(parents[len(parents)-1], ".")
}
