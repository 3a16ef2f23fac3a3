package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"mcpls/internal/catalog"
)

// key is what there is to know of one key beside its type, which its struct
// has. The check of a file, the JSON schema, docs/configuration.md and the
// default file are all made of it.
type key struct {
	path    string // the tables and the key, as in lsp_servers.env
	about   string // what it means, in sentences; the bounds are added to them
	without string // what it is unless it is set, as TOML; "" is nothing
	example string // a value, as TOML

	required bool     // it must be set, and not to ""
	bounded  bool     // min counts, and max unless it is 0
	min, max int64    // of an integer
	bytes    int      // of a string, at most; 0 is no bound
	filled   bool     // a list has an element, and no string in it is ""
	oneOf    []string // the strings that are allowed, or a list's elements
	orList   bool     // a list of names is allowed in place of one of them
	pattern  string   // of a string, as a regular expression, for editors only

	// text and whole check what cannot be said as data: a string, or each of a
	// list's; and the whole value, with the key or element in it that is at
	// fault. They say what is wrong, "" when nothing is.
	text  func(string) string
	whole func(any) (at []string, say string)
	rules string // the same in words
}

// words are the strings that are allowed: the default too, where it is "".
func (k key) words() []string {
	if k.without == `""` {
		return append([]string{""}, k.oneOf...)
	}
	return k.oneOf
}

// The bounds of a glob. Braces and ** multiply the ways to match, and every
// question holds the path of its file against every glob.
const (
	maxPatternBytes = 256
	maxBraces       = 3
	maxCommas       = 32
	maxDoubleStars  = 4
)

// maxSettingsDepth bounds the parts of a key of settings: each is a table.
const maxSettingsDepth = 32

const toolCharacters = "only A-Z, a-z, 0-9, _ and - are allowed in a tool name"

// The bounds in words.
var (
	patternBounds = fmt.Sprintf("at most %d bytes, %d {, %d commas and %d ** are allowed", maxPatternBytes, maxBraces, maxCommas, maxDoubleStars)
	partBounds    = fmt.Sprintf("a key has at most %d parts", maxSettingsDepth)
)

// keys are all keys but the tables, in the order in which they are shown.
var keys = []key{
	{
		path: "builtin_servers", without: "true", example: "false",
		about: "Whether the servers that mcpls brings along are declared. false leaves those of this file.",
	},
	{
		path: "mcp.title", without: `""`, example: `"Code of the shop"`, bytes: 128,
		about: "The title that clients show.",
	},
	{
		path: "mcp.description", without: `""`, example: `"Language servers of the shop"`, bytes: 1024,
		about: "The description that clients show.",
	},
	{
		path: "mcp.instructions", without: `""`, example: `"Ask for references before you rename."`, bytes: 4096,
		about: "What the model is told of the tools, in place of the built-in text.",
	},
	{
		path: "mcp.tool_prefix", without: `""`, example: `"shop_"`, bytes: 32, pattern: "^[A-Za-z0-9_-]*$",
		about: "Put before the name of every tool.", text: toolName, rules: toolCharacters,
	},
	{
		path: "mcp.tools", without: `"all"`, example: `["get_hover", "get_references"]`, oneOf: []string{"all", "core"}, orList: true,
		about: `Which tools are offered: "all", "core" for the ten that an agent uses most, or a list of names.`, whole: toolList,
	},
	{
		path: "mcp.output", without: `"text"`, example: `"json"`, oneOf: []string{"text", "json"},
		about: `How results are written: "text" for models, "json" for programs.`,
	},
	{
		path: "mcp.max_result_bytes", without: "40000", example: "20000", bounded: true, min: 1000,
		about: "A result with a longer list is cut, and says how long the list is.",
	},
	{
		path: "workspace.roots", without: "[]", example: `["/home/me/src/shop"]`, text: notEmpty,
		about: "The directories that are analysed; none is the working directory. " +
			"They are relative to this file when it was named on the command line or in MCPLS_CONFIG, else to the working directory.",
	},
	{
		path: "workspace.position_encodings", without: `["utf-8", "utf-16"]`, example: `["utf-16"]`, filled: true,
		oneOf: []string{"utf-8", "utf-16", "utf-32"},
		about: "How positions are counted that servers are offered, the preferred one first.",
	},
	{
		path: "workspace.heuristics_max_depth", without: "10", example: "3", bounded: true, max: 64,
		about: "How many directories deep a server's project markers are looked for.",
	},
	{
		path: "workspace.max_documents", without: "100", example: "20", bounded: true,
		about: "How many documents are open on a server at once; 0 is no limit.",
	},
	{
		path: "workspace.max_file_size", without: "10485760", example: "1048576", bounded: true, min: 1, max: 1 << 30,
		about: "The largest file that is given to a server, in bytes.",
	},
	{
		path: "workspace.max_concurrent_server_starts", without: "8", example: "2", bounded: true, min: 1,
		about: "How many servers start at once.",
	},
	{
		path: "workspace.indexing_ready_timeout_seconds", without: "30", example: "50", bounded: true, min: 4, max: 59,
		about: "How long a question waits for a server that loads the workspace.",
	},
	{
		path: "workspace.language_extensions.extensions", example: `["tmpl"]`, required: true, filled: true, text: notEmpty,
		about: "File extensions of the language, with or without a dot. They add to the built-in ones, and go before them.",
	},
	{
		path: "workspace.language_extensions.language_id", example: `"gotmpl"`, required: true,
		about: "The language id of files with these extensions, as the LSP specification spells it.",
	},
	{
		path: "trust.elicitation", without: "true", example: "false",
		about: "Whether the client is asked to ask its user about a server that the repository names.",
	},
	{
		path: "trust.pin_executables", without: "false", example: "true",
		about: "Whether a yes to such a server is bound to the content of programs outside the workspace too, so that an upgrade of them asks again.",
	},
	{
		path: "lsp_servers.language_id", example: `"go"`, required: true,
		about: "The language that the server answers for.",
	},
	{
		path: "lsp_servers.command", example: `"gopls"`, required: true, text: noNUL,
		about: "The program: a name that is looked up on PATH, or a path.",
	},
	{
		path: "lsp_servers.name", example: `"gopls"`,
		about: "The id of the server; without it, the language id. No two servers have the same.",
	},
	{
		path: "lsp_servers.args", without: "[]", example: `["-rpc.trace"]`, text: noNUL,
		about: "The arguments of the program.",
	},
	{
		path: "lsp_servers.env", without: "{}", example: `{GOFLAGS = "-tags=integration"}`, whole: variables,
		about: "Variables that are added to the server's environment, which is otherwise PATH, HOME and the temporary directory.",
		rules: "a name is not empty and has no =; neither name nor value has a NUL byte",
	},
	{
		path: "lsp_servers.file_patterns", without: "[]", example: `["**/*.go", "go.mod"]`, text: glob,
		about: "Globs of files, and names of files, that the server answers for beside those of its language.",
		rules: "of each " + patternBounds,
	},
	{
		path: "lsp_servers.handles", example: `["diagnostics"]`, filled: true, oneOf: features(), whole: unique,
		about: "The only questions that the server is asked. Without it the server is the catch-all of its language, " +
			"and answers what no other one handles.",
	},
	{
		path: "lsp_servers.timeout_seconds", without: "30", example: "120", bounded: true, min: 1, max: 900,
		about: "How long the server may take to start. Of some that need longer mcpls knows it.",
	},
	{
		path: "lsp_servers.request_timeout_seconds", without: "30", example: "60", bounded: true, min: 1, max: 900,
		about: "How long the server may take to answer a question.",
	},
	{
		path: "lsp_servers.indexing", without: `"auto"`, example: `"disabled"`, oneOf: []string{"auto", "disabled"},
		about: `"disabled": never wait for the server to load the workspace.`,
	},
	{
		path: "lsp_servers.selection", without: `""`, example: `"auto"`, oneOf: []string{"auto"},
		about: `"auto": TypeScript 7 itself takes the place of the server where it is installed outside the workspace, ` +
			"and no tsserver is installed beside the server. Of typescript-language-server only; the built-in entry has it.",
	},
	{
		path: "lsp_servers.initialization_options", without: "{}", example: `{usePlaceholders = true}`, whole: shallow,
		about: "Sent to the server when it starts, over what mcpls knows to serve it well.", rules: partBounds,
	},
	{
		path: "lsp_servers.settings", without: "{}", example: `{"gopls.staticcheck" = true}`, whole: shallow,
		about: "The server's configuration. Dotted keys are expanded to tables.", rules: partBounds,
	},
	{
		path: "lsp_servers.heuristics.project_markers", without: "[]", example: `["go.mod", "go.work"]`, text: notEmpty,
		about: "Names of files; the server is started only where the workspace has one of them. None: everywhere.",
	},
}

func features() []string {
	var names []string
	for _, f := range catalog.Features {
		names = append(names, string(f))
	}
	return names
}

func notEmpty(s string) string {
	if s == "" {
		return "an empty string stands here"
	}
	return ""
}

func noNUL(s string) string {
	if strings.ContainsRune(s, 0) {
		return "holds a NUL byte"
	}
	return ""
}

func toolName(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
	}) {
		return toolCharacters
	}
	return ""
}

// toolList checks what the oneOf of the tools does not: a list.
func toolList(v any) (at []string, say string) {
	const want = `must be "all", "core" or a list of tool names`
	list, ok := v.([]any)
	if _, word := v.(string); word {
		return nil, ""
	}
	if !ok || len(list) == 0 {
		return nil, want
	}
	for i, e := range list {
		if s, ok := e.(string); !ok || s == "" {
			return []string{fmt.Sprint(i)}, want
		}
	}
	return nil, ""
}

func glob(p string) string {
	switch {
	case p == "" || !doublestar.ValidatePattern(p):
		return "no valid glob"
	case costlyPattern(p):
		return "too long or too branched: " + patternBounds
	}
	return ""
}

func costlyPattern(p string) bool {
	return len(p) > maxPatternBytes || strings.Count(p, "{") > maxBraces ||
		strings.Count(p, ",") > maxCommas || strings.Count(p, "**") > maxDoubleStars
}

func unique(v any) (at []string, say string) {
	list, _ := v.([]any)
	for i, e := range list {
		if slices.Contains(list[:i], e) {
			return []string{fmt.Sprint(i)}, fmt.Sprintf("%q is named twice", e)
		}
	}
	return nil, ""
}

func variables(v any) (at []string, say string) {
	table, _ := v.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(table)) {
		value, _ := table[name].(string)
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(value, 0) {
			return []string{name}, "a name is empty or holds = or NUL, or its value holds NUL"
		}
	}
	return nil, ""
}

func shallow(v any) (at []string, say string) {
	if deeper(v, maxSettingsDepth) {
		return nil, partBounds
	}
	return nil, ""
}

// deeper reports whether a key in a value has more than limit parts, dotted or
// nested: each part becomes a table.
func deeper(value any, limit int) bool {
	switch value := value.(type) {
	case map[string]any:
		for key, below := range value {
			if left := limit - 1 - strings.Count(key, "."); left < 0 || deeper(below, left) {
				return true
			}
		}
	case []any:
		return limit <= 0 || slices.ContainsFunc(value, func(e any) bool { return deeper(e, limit-1) })
	}
	return false
}
