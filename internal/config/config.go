// Package config reads what a user declares: servers, workspace settings, what
// the tools look like. It is strict: a key that is not known, or a value that
// is not allowed, is an error with file, line and column, and never a guess.
//
// Who may say what depends on the origin of a file, see [Origin]. Nothing here
// starts or checks a program.
package config

import (
	"time"

	"mcpls/internal/catalog"
)

// Origin is who wrote a declaration, and so what it may do.
type Origin string

const (
	// Builtin is a row of the catalog.
	Builtin Origin = "builtin"
	// User is the user's own configuration file.
	User Origin = "user"
	// Named is a file that was named on the command line or in MCPLS_CONFIG:
	// naming a path is consent.
	Named Origin = "named"
	// Project is a file inside the workspace: whoever wrote the repository
	// wrote it. Only its server entries are read, and each passes the gate.
	Project Origin = "project"
)

// File is one configuration file as written. The tags are its keys.
type File struct {
	BuiltinServers *bool     `toml:"builtin_servers"`
	MCP            MCP       `toml:"mcp"`
	Workspace      Workspace `toml:"workspace"`
	Trust          Trust     `toml:"trust"`
	Servers        []Server  `toml:"lsp_servers"`
}

// Trust is how servers are decided about that a repository names. Only the user's
// file says it.
type Trust struct {
	Elicitation    bool `toml:"elicitation"`
	PinExecutables bool `toml:"pin_executables"`
}

// MCP is how mcpls shows itself to clients.
type MCP struct {
	Title          string `toml:"title"`
	Description    string `toml:"description"`
	Instructions   string `toml:"instructions"`
	ToolPrefix     string `toml:"tool_prefix"`
	Tools          any    `toml:"tools"` // see ToolNames
	Output         string `toml:"output"`
	MaxResultBytes int    `toml:"max_result_bytes"`
}

// ToolNames reads the tools key: "all" is no names, "core" is itself, else the
// names that were listed.
func (m MCP) ToolNames() (names []string, core bool) {
	list, _ := m.Tools.([]any)
	for _, name := range list {
		names = append(names, name.(string)) // check has seen to it
	}
	return names, m.Tools == "core"
}

// Workspace is what is analysed, and the limits of doing it.
type Workspace struct {
	Roots                       []string            `toml:"roots"`
	PositionEncodings           []string            `toml:"position_encodings"`
	HeuristicsMaxDepth          int                 `toml:"heuristics_max_depth"`
	MaxDocuments                int                 `toml:"max_documents"`
	MaxFileSize                 int64               `toml:"max_file_size"`
	MaxConcurrentServerStarts   int                 `toml:"max_concurrent_server_starts"`
	IndexingReadyTimeoutSeconds int                 `toml:"indexing_ready_timeout_seconds"`
	LanguageExtensions          []LanguageExtension `toml:"language_extensions"`
}

// LanguageExtension maps file extensions to a language id, on top of the
// built-in ones.
type LanguageExtension struct {
	Extensions []string `toml:"extensions"`
	LanguageID string   `toml:"language_id"`
}

// Server is one [[lsp_servers]] entry.
type Server struct {
	LanguageID            string            `toml:"language_id"`
	Name                  string            `toml:"name"`
	Handles               []catalog.Feature `toml:"handles"`
	Command               string            `toml:"command"`
	Args                  []string          `toml:"args"`
	Env                   map[string]string `toml:"env"`
	FilePatterns          []string          `toml:"file_patterns"`
	TimeoutSeconds        *int              `toml:"timeout_seconds"`
	RequestTimeoutSeconds *int              `toml:"request_timeout_seconds"`
	InitializationOptions map[string]any    `toml:"initialization_options"`
	Settings              map[string]any    `toml:"settings"`
	Indexing              string            `toml:"indexing"`
	Selection             string            `toml:"selection"`
	Heuristics            Heuristics        `toml:"heuristics"`
}

// Heuristics say where a server applies.
type Heuristics struct {
	ProjectMarkers []string `toml:"project_markers"`
}

// Declaration is one declared server with who declared it.
type Declaration struct {
	Server
	ID     string // name, else language id
	Origin Origin
	File   string // the declaring file; "" for a built-in one

	// Fault is what is wrong with a malformed entry of a project file, of which
	// nothing but its id is taken; "" of a well-formed one.
	Fault string

	// Note is what is to be said beside the plan: why the declaration is as it is.
	Note string

	// Others are what a built-in declaration is where its program is not
	// found, the preferred one first.
	Others []Declaration
}

// defaultSeconds is what a server's two time limits are unless it sets them.
const defaultSeconds = 30

// StartTimeout bounds a start, from spawn to the end of the handshake.
func (d Declaration) StartTimeout() time.Duration { return seconds(d.TimeoutSeconds) }

// RequestTimeout bounds one request.
func (d Declaration) RequestTimeout() time.Duration { return seconds(d.RequestTimeoutSeconds) }

func seconds(n *int) time.Duration {
	if n == nil {
		return defaultSeconds * time.Second
	}
	return time.Duration(*n) * time.Second
}

// Config is everything that was declared, defaults filled in and checked.
type Config struct {
	MCP       MCP
	Workspace Workspace
	Trust     Trust
	Roots     []string // canonical

	// Boundary is the directories whose content somebody else may have
	// written, canonical: the roots, and the working directory where it may be
	// a checkout.
	Boundary []string

	// ImplicitRoot says that no roots were configured: the one root is the
	// working directory.
	ImplicitRoot bool
	Servers      []Declaration // in the order in which they are preferred
	Files        []Source      // that were read
	Warnings     []string      // for the log: what was ignored, and why
}

// Source is a file that was read.
type Source struct {
	Path   string
	Origin Origin
}

// defaults is a file with every default value; decoding goes on top of it.
func defaults() File {
	return File{
		Trust: Trust{Elicitation: true},
		MCP:   MCP{Tools: "all", Output: "text", MaxResultBytes: 40_000},
		Workspace: Workspace{
			PositionEncodings:           []string{"utf-8", "utf-16"},
			HeuristicsMaxDepth:          10,
			MaxDocuments:                100,
			MaxFileSize:                 10 << 20,
			MaxConcurrentServerStarts:   8,
			IndexingReadyTimeoutSeconds: 30,
		},
	}
}
