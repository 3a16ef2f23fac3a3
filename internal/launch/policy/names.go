package policy

import (
	"slices"
	"strings"
)

// base is the last element of a path.
func base(path string, windows bool) string {
	separators := "/"
	if windows {
		separators = `/\`
	}
	path = strings.TrimRight(path, separators)
	return path[strings.LastIndexAny(path, separators)+1:]
}

// stem is the name of a file without its last extension.
func stem(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}

// withoutExtension is the name of a file without one of the extensions.
func withoutExtension(name, extensions string) string {
	for e := range strings.FieldsSeq(extensions) {
		if n := len(name) - len(e); n > 0 && strings.EqualFold(name[n:], e) {
			return name[:n]
		}
	}
	return name
}

// variants are all names in the tables that a name can be meant as: itself, and
// what is left when a version or a suffix is removed, again and again. All are
// in lower case: file systems that do not tell apart the cases are common, and
// Rscript is written so.
func variants(name string) []string {
	found := []string{strings.ToLower(name)}
	for i := 0; i < len(found); i++ {
		shorter := []string{withoutVersion(found[i])}
		for suffix := range strings.FieldsSeq(versionSuffixes) {
			shorter = append(shorter, strings.TrimSuffix(found[i], suffix))
		}
		for _, s := range shorter {
			if s != "" && !slices.Contains(found, s) {
				found = append(found, s)
			}
		}
	}
	return found
}

// withoutVersion removes the version from the end of a name: ksh93, zsh-5.9.
func withoutVersion(name string) string {
	cut := strings.TrimRight(name, "0123456789.")
	if !strings.ContainsAny(name[len(cut):], "0123456789") {
		return name
	}
	return strings.TrimRight(cut, "-_")
}

// identity is what a program is known by.
type identity struct {
	link  []string // names of how it was written and of its path
	own   []string // names of its path alone
	file  []string // names of the file that the path leads to
	bases []string // the names of the files as they are, in lower case
}

// identify finds the names of a program that was written as given and lies at
// path.
func identify(given, path string, m Machine) identity {
	var id identity
	for _, p := range []string{given, path} {
		b := base(p, m.Windows())
		id.bases = append(id.bases, strings.ToLower(b))
		id.own = append(variants(stem(b)), variants(withoutExtension(b, programExtensions))...)
		id.link = append(id.link, id.own...)
	}
	if canonical, ok := m.Canonical(path); ok {
		b := base(canonical, m.Windows())
		id.bases = append(id.bases, strings.ToLower(b))
		id.file = variants(withoutExtension(b, programExtensions))
	}
	return id
}

// names are the names under which the program is looked up. A link to a binary
// of many programs is the program of the link's own name, and the binary itself
// only when no table knows that name.
func (id identity) names() []string {
	if holdsAny(multicalls, id.file) && !holdsAny(multicalls, id.link) {
		own := append(slices.Clone(id.own), applets(id.own)...)
		if slices.ContainsFunc(own, listed) {
			return unique(append(own, id.link...))
		}
	}
	return unique(append(slices.Clone(id.link), id.file...))
}

// applets are the names that uutils finds at the end of a link's name: uu-env.
func applets(names []string) []string {
	var found []string
	for _, n := range names {
		if i := strings.LastIndexFunc(n, notAlphanumeric); i >= 0 && n[i+1:] != "" {
			found = append(found, n[i+1:])
		}
	}
	return found
}

func notAlphanumeric(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9')
}

// holdsAny reports whether a list has one of the names.
func holdsAny(list string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return has(list, n) })
}

// unique removes what is there twice, and keeps the order.
func unique(names []string) []string {
	var found []string
	for _, n := range names {
		if !slices.Contains(found, n) {
			found = append(found, n)
		}
	}
	return found
}

// listed reports whether a name is on any list.
func listed(name string) bool {
	names := []string{name}
	return refusedBy(names) != nil || len(toolchainsOf(names)) > 0 || len(languagesOf(names)) > 0 ||
		len(wrappersOf(names)) > 0
}

// refusedBy is the group that refuses a program of one of the names, or nil.
func refusedBy(names []string) *refused {
	for i := range refusedPrograms {
		if holdsAny(refusedPrograms[i].names, names) {
			return &refusedPrograms[i]
		}
	}
	return nil
}

func toolchainsOf(names []string) []toolchain {
	return matching(toolchains, names, func(t toolchain) string { return t.names })
}

func languagesOf(names []string) []language {
	list := func(l language) string { return l.names }
	return append(matching(shells, names, list), matching(interpreters, names, list)...)
}

func wrappersOf(names []string) []wrapper {
	return matching(wrappers, names, func(w wrapper) string { return w.names })
}

// matching are the rows of a table that have one of the names.
func matching[T any](table []T, names []string, list func(T) string) []T {
	var found []T
	for _, row := range table {
		if holdsAny(list(row), names) {
			found = append(found, row)
		}
	}
	return found
}
