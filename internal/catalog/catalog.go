// Package catalog is what mcpls knows of each language server, as data: how it
// is started, what it works on, what it signals while it loads, and how to
// install it. A new server is a new row; no code elsewhere names a server.
package catalog

import (
	"path/filepath"
	"slices"
	"strings"
)

// Server is one row. A server that a user configures is matched to its row by
// the file name of its command, so that what is known of it holds for it too.
type Server struct {
	ID       string   // the language id, and the server's id unless it is named
	Command  []string // program and arguments, the program by bare name
	Patterns []string // globs of the files it answers for
	Markers  []string // file names that say a workspace is one of its own
	Install  string   // the command that installs it

	// OnlyWith is an argument without which the program is something else.
	OnlyWith string

	// Loading says how to tell that the server has loaded the workspace. The
	// zero value is a server of which nothing is known: it counts as loading
	// while it reports any work-done progress, and is never waited for else.
	Loading Loading

	// TroubleTitle is the title of a progress that stays open while the
	// workspace cannot be loaded; its message is shown beside answers.
	TroubleTitle string

	// FoldersAtMarkers says that the server loads what lies in its workspace
	// folders and nothing deeper: where a root has no marker itself, the
	// outermost directories beneath it that have one are the folders.
	FoldersAtMarkers bool

	// Joins is the marker that makes one of the modules beneath it, so that the
	// server loads them with it; "" is none.
	Joins string

	// MaxSymbols is how many symbols the server gives to one search at most; 0
	// is no bound that is known.
	MaxSymbols int

	// PushesToo says that the server pushes diagnostics of every version as well
	// as offering them to be pulled, and pushes what a pull does not tell.
	PushesToo bool

	// TouchNewDirs says that the server learns of the first file in a directory
	// only when it is asked about it, not when it is told that it is there.
	TouchNewDirs bool

	// InitOptions are sent as initializationOptions, under the user's own.
	InitOptions map[string]any
}

// Loading is how a server signals that it loads the workspace.
type Loading struct {
	// Title is the title of the work-done progress of one load. A server with
	// a title is not ready before a load has ended for each workspace folder.
	Title string
}

// servers are the rows. A fact that is not plain says beside it how it was found.
var servers = []Server{
	{
		ID:       "go",
		Command:  []string{"gopls"},
		Patterns: []string{"**/*.go", "**/go.mod", "**/go.work"},
		Markers:  []string{"go.mod", "go.work"},
		Install:  "go install golang.org/x/tools/gopls@v0.23.0",
		Loading:  Loading{Title: "Setting up workspace"},
		// gopls keeps this progress open until the load succeeds.
		TroubleTitle:     "Error loading workspace",
		FoldersAtMarkers: true,
		Joins:            "go.work",
		MaxSymbols:       100,
		// That a file belongs to no package is only pushed.
		PushesToo: true,
		// Told of a new package, gopls v0.23 finds no reference in it until a
		// request about one of its files has loaded it.
		TouchNewDirs: true,
		// A pulled report is of the version just sent and needs no wait for
		// the second that gopls delays a push.
		InitOptions: map[string]any{"pullDiagnostics": true},
	},
}

// Servers gives the built-in servers in the order in which they are declared.
// The caller must not change what the rows point to.
func Servers() []Server { return append([]Server(nil), servers...) }

// ByCommand gives the row of the server that a command starts, judged by the
// file name of its program, without a Windows program extension, and by the
// argument that some programs need to be a server.
func ByCommand(command string, args []string) (Server, bool) {
	base := filepath.Base(filepath.ToSlash(strings.ReplaceAll(command, `\`, "/")))
	for _, ext := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		base = strings.TrimSuffix(base, ext)
	}
	for _, s := range servers {
		if s.Command[0] == base && (s.OnlyWith == "" || slices.Contains(args, s.OnlyWith)) {
			return s, true
		}
	}
	return Server{}, false
}
