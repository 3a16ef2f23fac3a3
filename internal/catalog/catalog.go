// Package catalog is what mcpls knows of each language server, as data: how it
// is started, what it works on, what it signals while it loads, and how to
// install it. A new server is a new row; no code elsewhere names a server.
package catalog

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Server is one row. A server that a user configures is matched to its row by
// the file name of its command, so that what is known of it holds for it too.
type Server struct {
	// ID is the language id, and the server's id unless it is named. Rows with
	// one ID are candidates, the preferred one first.
	ID       string
	Command  []string // program and arguments, the program by bare name
	Patterns []string // globs of the files it answers for
	Markers  []string // file names, or globs of them, that say a workspace is one of its own
	Install  string   // the command that installs it

	// OnlyWith is an argument without which the program is something else.
	OnlyWith string

	// StartTimeout is how long the handshake may take, where the default is too
	// short; 0 is the default.
	StartTimeout time.Duration

	// RootURI says that the server looks for its files beneath rootUri and knows
	// no workspace folders. No other gets a rootUri, and in an untrusted workspace
	// none does: some look for programs there. See WithoutRoot.
	RootURI bool

	// Rootless says that it needs one and gets none: it knows the files that are
	// open.
	Rootless bool

	// RootlessLoading and RootlessSettings are Loading and Settings of it then.
	RootlessLoading  Loading
	RootlessSettings map[string]any

	// Loading says how to tell that the server has loaded the workspace. The
	// zero value is a server of which nothing is known: it counts as loading
	// while it reports any work-done progress, and is never waited for else.
	Loading Loading

	// Projects are the files that mark a project, of a server that knows nothing
	// of a project before one of its files is open. Nil: it needs no file.
	Projects []string

	// Database are the files, relative to the directory of a source file or one
	// above it, one of which the server needs to know of files that are not
	// open. Nil: it needs none.
	Database []string

	// OpenMentions says that a file that belongs to no project of the workspace, as
	// tests often do, is searched only while it is open: those that have the name
	// in question are opened.
	OpenMentions bool

	// DeclarationForUse says that references without the declaration leave out the
	// one that is asked at, which may be a use, and list the declaration.
	DeclarationForUse bool

	// OpenChanged says that the server looks at a file that has changed late or
	// never, unless it is open: those that have are opened.
	OpenChanged bool

	// IndexedAtPublish says that the server knows an open file in its answers
	// about others when it has published the file's errors, and not before.
	IndexedAtPublish bool

	// TroubleTitle is the title of a progress that stays open while the
	// workspace cannot be loaded; its message is shown beside answers.
	TroubleTitle string

	// TroubleLog finds, in a window/logMessage, that the server has not looked
	// at all of the workspace; BlindLog that it finds no errors in any file. An
	// empty answer is then no fact.
	TroubleLog, BlindLog *regexp.Regexp

	// FoldersAtMarkers says that the server loads what lies in its workspace
	// folders and nothing deeper: where a root has no marker itself, the
	// outermost directories beneath it that have one are the folders.
	FoldersAtMarkers bool

	// MarkersNest says that what has a marker deeper in a folder may be loaded with
	// it: the crates of a Cargo workspace. Whether it is, mcpls does not know.
	MarkersNest bool

	// Joins is the marker that makes one of the modules beneath it, so that the
	// server loads them with it; "" is none.
	Joins string

	// MaxSymbols is how many symbols the server gives to one search at most; 0
	// is no bound that is known.
	MaxSymbols int

	// PushesToo says that the server pushes diagnostics of every version as well
	// as offering them to be pulled, and pushes what a pull does not tell.
	PushesToo bool

	// CheckTitle is the title of the progress of a compiler that the server runs
	// when it has loaded and when a file is saved, and whose errors it pushes;
	// "" is none. CheckSwitch is the option that turns it off when it is false.
	CheckTitle, CheckSwitch string
	// CheckFailed finds, in experimental/serverStatus, that the compiler cannot run.
	CheckFailed *regexp.Regexp

	// ForceRebuild says that didChange takes forceRebuild: without it a text that
	// is as it was is not looked at again, though a header may have changed.
	ForceRebuild bool

	// Tsserver says that the server passes requests on to tsserver, which tells
	// the errors of the version just sent. What it pushes names no version, and
	// nothing is pushed when a file was clean and is clean again.
	Tsserver bool

	// OrNative says that TypeScript 7, which is a server itself, may take the place
	// of the server.
	OrNative bool

	// Native says that the server is TypeScript 7 itself, whose program is also that
	// of older versions, which are none.
	Native bool

	// Script ends the path of the server's script, of a server that an interpreter
	// may be given.
	Script string

	// TouchNewDirs says that the server learns of the first file in a directory
	// only when it is asked about it, not when it is told that it is there.
	TouchNewDirs bool

	// Encoding is what the server counts columns in whatever it is offered, or
	// although it names nothing; "": what it names, and else UTF-16.
	Encoding string

	// Lazy says that the server is started at the first question about one of its
	// files only, and not because there are some: they lie in every workspace.
	Lazy bool

	// InitOptions are sent as initializationOptions, and Settings are what the
	// server is configured with, both under the user's own.
	InitOptions, Settings map[string]any

	// Sections are the parts of the settings that the server asks for.
	Sections []string
}

// WithoutRoot is what is known of the server when it gets no rootUri. One that looks
// for files beneath it loads none: those that have the name in question are opened.
func (s Server) WithoutRoot() Server {
	if s.RootURI {
		s.RootURI, s.Rootless, s.OpenMentions = false, true, true
		s.Loading, s.Settings = s.RootlessLoading, s.RootlessSettings
	}
	return s
}

// Loading is how a server signals that it loads the workspace.
type Loading struct {
	// Title is the title of the work-done progress of one load. A server with
	// a title is not ready before a load has ended.
	Title string
	// Log finds the window/logMessage that says that a load has ended, of a
	// server that reports no progress of it.
	Log *regexp.Regexp
	// PerFolder says that there is a load for each workspace folder.
	PerFolder bool
	// AfterOpen says that the load begins when the first file is opened.
	AfterOpen bool
	// Partial are the features, beside those that are about the workspace, of
	// which an answer may lack something while the server loads.
	Partial []Feature
	// InOrder says that the server answers a question only when it has loaded
	// what the answer needs: its progress tells nothing, and it is not waited
	// for.
	InOrder bool
}

// Unknown reports whether nothing is known of how the server loads.
func (l Loading) Unknown() bool { return !l.Signals() && !l.InOrder }

// Signals reports whether a load is known by what the server says.
func (l Loading) Signals() bool { return l.Title != "" || l.Log != nil }

// Servers gives the built-in servers in the order in which they are preferred
// for a language. The caller must not change what the rows point to.
func Servers() []Server { return slices.Clone(servers) }

// ByCommand gives the row of the server that a command starts, judged by the
// file name of its program, without a Windows program extension, and by the
// argument that some programs need to be a server. A version behind the name does
// not count, and a script of node or bun, or a module of python, counts as what it
// is.
func ByCommand(command string, args []string) (Server, bool) {
	base := stem(command)
	script, module := "", ""
	switch unversioned(base) {
	case "node", "nodejs", "bun":
		if i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") }); i >= 0 {
			script = "/" + strings.ReplaceAll(args[i], `\`, "/")
		}
	case "python", "pypy":
		if i := slices.Index(args, "-m"); i >= 0 && i+1 < len(args) {
			module = args[i+1]
		}
	}
	for _, s := range servers {
		named := slices.Contains([]string{base, unversioned(base), module}, s.Command[0]) || s.Script != "" && strings.HasSuffix(script, "/"+s.Script)
		if named && (s.OnlyWith == "" || slices.Contains(args, s.OnlyWith)) {
			return s, true
		}
	}
	return Server{}, false
}

// stem is the file name of a program without the extension that programs have on
// Windows.
func stem(command string) string {
	base := filepath.Base(filepath.ToSlash(strings.ReplaceAll(command, `\`, "/")))
	for _, ext := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		base = strings.TrimSuffix(base, ext)
	}
	return base
}

// unversioned is a name without the version behind it (clangd-18, python3.12).
func unversioned(name string) string {
	return strings.TrimRight(strings.TrimRight(name, "0123456789."), "-")
}
