// Package typescript decides which TypeScript a TypeScript server runs.
//
// typescript-language-server starts another program, tsserver.js of a
// typescript package, and by itself may take the one of the workspace, which is
// code of the repository. Find names the one that was installed with the server,
// so that it can be asked for. Native finds TypeScript 7, whose tsc is a
// language server itself and needs no tsserver.
//
// The package executes nothing, and parses neither shims nor scripts: an
// install is known by where its files lie. All that it is given from files is
// untrusted and read with a limit, and whatever is not as expected means that
// nothing is pinned.
package typescript

import (
	"regexp"
	"slices"
	"strings"
)

// Machine is what is asked of the machine that the server starts on, as an
// interface so that tests can draw any file system and the rules of any
// operating system. Its methods read; they run nothing.
type Machine interface {
	// Windows reports whether the rules of Windows hold.
	Windows() bool
	// Getenv gives a variable of mcpls's own environment.
	Getenv(name string) (value string, ok bool)
	// Canonical resolves every link of a path; false when it does not exist.
	Canonical(path string) (string, bool)
	// Join is that of the operating system's paths; it cleans the path.
	Join(dir, name string) string
	// Dir gives the directory above a path, the path itself where there is none.
	Dir(path string) string
	// IsAbs reports whether a path is absolute.
	IsAbs(path string) bool
	// Inside reports whether an absolute path lies in the workspace or leads
	// through it. What does not exist is judged by the directory above it.
	Inside(path string) bool
	// Regular reports whether a path is a regular file, links followed.
	Regular(path string) bool
	// ReadFile reads a regular file of at most limit bytes; false when it is
	// none, or cannot be read, or is longer.
	ReadFile(path string, limit int) ([]byte, bool)
	// ReadDir gives the names in a directory, at most limit and one; false when
	// they cannot be read.
	ReadDir(path string, limit int) ([]string, bool)
	// Resolve finds a program by name on the server's PATH.
	Resolve(program string) (path string, ok bool)
}

// serverName is the package, the program and the shims of the server.
const serverName = "typescript-language-server"

// Is reports whether an argv starts typescript-language-server in any of the
// ways that are known: by itself, as a script of node or bun, or by a launcher
// that names it in its arguments.
func Is(argv []string, m Machine) bool {
	_, ok := finder{m}.parse(argv)
	return ok
}

// finder is the questions of this package to a machine.
type finder struct{ Machine }

// command is an argv that starts the server, as far as it says which one.
type command struct {
	// server is the absolute path of what runs as the server: a link, a shim or
	// its cli.mjs. "" when open is set.
	server string
	// open says why it is open which server runs; "" when it is not.
	open string
}

// interpreters are the programs whose first operand is a script, with any
// version behind their name.
var interpreters = regexp.MustCompile(`^(node|nodejs|bun)[-.0-9]*$`)

// inline begin the options of an interpreter that give it another program than
// its first operand.
var inline = regexp.MustCompile(`^(-e|-p|-pe|--eval|--print)(=|$)`)

// parse reads an argv; false when it does not start the server. The program is
// to be an absolute path.
//
// Options of an interpreter may take the next argument as their value: what
// stands before the script must therefore be all options, or another file may
// be the script.
func (f finder) parse(argv []string) (c command, ok bool) {
	if len(argv) == 0 {
		return command{}, false
	}
	named := 0
	if !f.isServer(argv[0]) {
		if named = slices.IndexFunc(argv[1:], f.mentions) + 1; named == 0 {
			return command{}, false
		}
	}
	switch {
	case f.isManaged(argv[0]):
		c.open = "a version manager starts it, and may choose by files of the workspace"
	case named > 0 && (!interpreters.MatchString(f.stem(argv[0])) || slices.ContainsFunc(argv[1:named], notPlainOption)):
		c.open = "the launcher only names it in its arguments"
	case !f.IsAbs(argv[named]):
		c.open = "its script is not given by an absolute path"
	default:
		c.server = argv[named]
	}
	return c, true
}

func notPlainOption(arg string) bool {
	return len(arg) < 2 || arg[0] != '-' || inline.MatchString(arg)
}

// isServer reports whether a path is the server's program: by its name, or
// because it leads to the server's cli.mjs. A directory is not.
func (f finder) isServer(path string) bool {
	if f.IsAbs(path) {
		if _, directory := f.ReadDir(path, 0); directory {
			return false
		}
		if canonical, ok := f.Canonical(path); ok && f.isCLI(canonical) {
			return true
		}
	}
	return f.stem(path) == serverName || f.isCLI(path)
}

// mentions reports whether an argument names the server: as a path, a package
// (npm:typescript-language-server@5) or in a line for a shell.
func (f finder) mentions(arg string) bool {
	words := strings.FieldsFunc(arg, func(r rune) bool { return strings.ContainsRune(" \t\r\n=,;&|<>(){}\"'`", r) })
	return slices.ContainsFunc(append(words, arg), func(word string) bool {
		return f.isServer(word) || f.isServer(strings.TrimPrefix(word, "npm:"))
	})
}

// isCLI reports whether a path ends as that of the server's script does, in
// whatever directory it is installed. A package may have a version there.
func (f finder) isCLI(path string) bool {
	lib := f.Dir(path)
	return f.base(path) == "cli.mjs" && f.base(lib) == "lib" && f.stem(f.Dir(lib)) == serverName
}

// managers are the programs to which the shims of version managers are links,
// and the managers themselves.
var managers = []string{
	"volta", "volta-shim", "asdf", "mise", "rtx", "proto", "proto-shim", "vfox", "aqua", "aqua-proxy", "nodenv", "nodist",
}

// isManaged reports whether a program is a version manager or one of its shims,
// as written or where it leads.
func (f finder) isManaged(program string) bool {
	paths := []string{program}
	if canonical, ok := f.Canonical(program); ok {
		paths = append(paths, canonical)
	}
	return slices.ContainsFunc(paths, func(path string) bool {
		dir := f.Dir(path)
		above := f.base(f.Dir(dir))
		return slices.Contains(managers, f.stem(path)) || f.base(dir) == "shims" ||
			f.base(dir) == "bin" && (above == ".volta" || above == "volta")
	})
}

// base is the last name of a path, in the spelling in which names are compared.
func (f finder) base(path string) string {
	if f.Windows() {
		path = strings.ReplaceAll(strings.ToLower(path), `\`, "/")
	}
	return path[strings.LastIndex(path, "/")+1:]
}

// stem is the base of a path without the extension of a shim and without the
// version of a package.
func (f finder) stem(path string) string {
	stem, _, _ := strings.Cut(f.base(path), "@")
	for _, extension := range []string{".cmd", ".ps1", ".bat", ".exe"} {
		stem = strings.TrimSuffix(stem, extension)
	}
	return stem
}

// join joins more than one name to a directory.
func (f finder) join(dir string, names ...string) string {
	for _, name := range names {
		dir = f.Join(dir, name)
	}
	return dir
}

// same reports whether two paths are one file.
func (f finder) same(a, b string) bool {
	a, aok := f.Canonical(a)
	b, bok := f.Canonical(b)
	return aok && bok && a == b
}
