package config

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"mcpls/internal/catalog"
)

// rule is one constraint on one key.
type rule struct {
	key string
	bad bool
	say string
}

// broken is a rule that a table of a file breaks: the nth server, or outside
// of them when the table is 0.
type broken struct {
	table int
	rule
}

// check holds a decoded file against the rules that types do not express, and
// expands dotted keys of settings. Servers that clash are an error in a file of
// the user's only: of a project file the first of them is taken.
func check(name string, data []byte, f *File, clashes bool) error {
	found := filter(0, slices.Concat(mcpRules(f.MCP), workspaceRules(f.Workspace)))
	for i := range f.Servers {
		found = append(found, filter(i+1, serverRules(f.Servers[i]))...)
	}
	for i := range f.Servers {
		if key, say := f.Servers[i].clashes(f.Servers[:i]); key != "" && clashes && len(found) == 0 {
			found = append(found, broken{i + 1, rule{key, true, say}})
		}
	}
	if len(found) > 0 {
		return few(name, len(found), func(i int) error {
			line, column := place(data, found[i].table, found[i].key)
			return &Error{File: name, Line: line, Column: column, Message: found[i].key + ": " + found[i].say}
		})
	}
	for i := range f.Servers {
		f.Servers[i].Settings = expand(f.Servers[i].Settings)
	}
	return nil
}

func filter(table int, rules []rule) []broken {
	var found []broken
	for _, r := range rules {
		if r.bad {
			found = append(found, broken{table, r})
		}
	}
	return found
}

func mcpRules(m MCP) []rule {
	long := func(key, value string, limit int) rule {
		return rule{key, len(value) > limit, fmt.Sprintf("longer than %d bytes", limit)}
	}
	return []rule{
		long("title", m.Title, 128),
		long("description", m.Description, 1024),
		long("instructions", m.Instructions, 4096),
		long("tool_prefix", m.ToolPrefix, 32),
		{"tool_prefix", !isToolName(m.ToolPrefix), "only A-Z, a-z, 0-9, _ and - are allowed in a tool name"},
		{"tools", !isToolList(m.Tools), `must be "all", "core" or a list of tool names`},
		{"output", m.Output != "text" && m.Output != "json", `must be "text" or "json"`},
		{"max_result_bytes", m.MaxResultBytes < 1000, "must be at least 1000"},
	}
}

func workspaceRules(w Workspace) []rule {
	return []rule{
		{"roots", slices.Contains(w.Roots, ""), "an empty string is no directory"},
		{"position_encodings", !areEncodings(w.PositionEncodings), `must be some of "utf-8", "utf-16", "utf-32"`},
		{"heuristics_max_depth", w.HeuristicsMaxDepth < 0 || w.HeuristicsMaxDepth > 64, "must be 0 to 64"},
		{"max_documents", w.MaxDocuments < 0, "must not be negative"},
		{"max_file_size", w.MaxFileSize < 1 || w.MaxFileSize > 1<<30, "must be 1 byte to 1 GiB"},
		{"max_concurrent_server_starts", w.MaxConcurrentServerStarts < 1, "must be at least 1"},
		{
			"indexing_ready_timeout_seconds",
			w.IndexingReadyTimeoutSeconds <= 3 || w.IndexingReadyTimeoutSeconds >= 60, "must be above 3 and below 60",
		},
		{"language_extensions", slices.ContainsFunc(w.LanguageExtensions, func(e LanguageExtension) bool {
			return e.LanguageID == "" || len(e.Extensions) == 0 || slices.Contains(e.Extensions, "")
		}), "each needs extensions and a language_id"},
	}
}

func serverRules(s Server) []rule {
	seconds := func(key string, n *int) rule {
		return rule{key, n != nil && (*n < 1 || *n > 900), "must be 1 to 900"}
	}
	return []rule{
		{"language_id", s.LanguageID == "", "is required"},
		{"handles", s.Handles != nil && len(s.Handles) == 0, "must name a feature: without the key the server answers everything"},
		{"handles", slices.ContainsFunc(s.Handles, func(f catalog.Feature) bool { return !slices.Contains(catalog.Features, f) }), "one is no feature"},
		{"command", s.Command == "", "is required"},
		{"command", strings.ContainsRune(s.Command, 0), "holds a NUL byte"},
		{"args", slices.ContainsFunc(s.Args, func(a string) bool { return strings.ContainsRune(a, 0) }), "one holds a NUL byte"},
		{"env", !areVariables(s.Env), "a name is empty or holds = or NUL, or a value holds NUL"},
		{"file_patterns", slices.ContainsFunc(s.FilePatterns, badPattern), "one is no valid glob"},
		{"file_patterns", slices.ContainsFunc(s.FilePatterns, costlyPattern), "one is too long or too branched: " + patternBounds},
		{"settings", deeper(s.Settings, maxSettingsDepth), tooDeep},
		{"initialization_options", deeper(s.InitializationOptions, maxSettingsDepth), tooDeep},
		{"indexing", s.Indexing != "" && s.Indexing != "auto" && s.Indexing != "disabled", `must be "auto" or "disabled"`},
		seconds("timeout_seconds", s.TimeoutSeconds),
		seconds("request_timeout_seconds", s.RequestTimeoutSeconds),
	}
}

func badPattern(p string) bool { return p == "" || !doublestar.ValidatePattern(p) }

// The bounds of a glob. Braces and ** multiply the ways to match, and every
// question holds the path of its file against every glob.
const (
	maxPatternBytes  = 256
	maxBraces        = 3
	maxCommas        = 32
	maxDoubleStars   = 4
	patternBounds    = "at most 256 bytes, 3 {, 32 commas and 4 ** are allowed"
	maxSettingsDepth = 32
)

func costlyPattern(p string) bool {
	return len(p) > maxPatternBytes || strings.Count(p, "{") > maxBraces ||
		strings.Count(p, ",") > maxCommas || strings.Count(p, "**") > maxDoubleStars
}

const tooDeep = "a key has more than 32 parts"

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

func isToolName(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
	})
}

func isToolList(v any) bool {
	if list, ok := v.([]any); ok {
		return len(list) > 0 && !slices.ContainsFunc(list, func(e any) bool {
			s, ok := e.(string)
			return !ok || s == ""
		})
	}
	return v == "all" || v == "core"
}

func areEncodings(list []string) bool {
	known := []string{"utf-8", "utf-16", "utf-32"}
	return len(list) > 0 && !slices.ContainsFunc(list, func(e string) bool { return !slices.Contains(known, e) })
}

func areVariables(env map[string]string) bool {
	for name, value := range env {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(value, 0) {
			return false
		}
	}
	return true
}

// expand turns dotted keys into nested tables: "a.b" = 1 is a = {b = 1}. A key
// that stands in both forms keeps the values of both; where they give one key
// two values, that of the dotted form counts.
func expand(settings map[string]any) map[string]any {
	if settings == nil {
		return nil
	}
	out := map[string]any{}
	// In order, so that a dotted key always comes after its plain form.
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		value := settings[key]
		if table, ok := value.(map[string]any); ok {
			value = expand(table)
		}
		put(out, strings.Split(key, "."), value)
	}
	return out
}

func put(into map[string]any, path []string, value any) {
	key := path[len(path)-1]
	for _, part := range path[:len(path)-1] {
		next, ok := into[part].(map[string]any)
		if !ok {
			next = map[string]any{}
			into[part] = next
		}
		into = next
	}
	old, both := into[key].(map[string]any)
	table, isTable := value.(map[string]any)
	if !both || !isTable {
		into[key] = value
		return
	}
	for k, v := range table {
		put(old, []string{k}, v)
	}
}

// place finds the line and column of a key for an error: the first line that
// sets it, in the nth [[lsp_servers]] table, or outside of them when n is 0. A
// key that is missing has the place of its table.
func place(data []byte, n int, key string) (line, column int) {
	tables, table := 0, 0
	for i, text := range bytes.Split(data, []byte("\n")) {
		trimmed := bytes.TrimLeft(text, " \t")
		switch {
		case bytes.HasPrefix(trimmed, []byte("[[lsp_servers]]")):
			tables++
			table = tables
			if table == n {
				line, column = i+1, len(text)-len(trimmed)+1
			}
		case bytes.HasPrefix(trimmed, []byte("[")) && !bytes.HasPrefix(trimmed, []byte("[lsp_servers.")):
			table = 0
		}
		if table == n && setsKey(trimmed, key) {
			return i + 1, len(text) - len(trimmed) + 1
		}
	}
	return line, column
}

func setsKey(line []byte, key string) bool {
	for _, prefix := range []string{"", "mcp.", "workspace.", "[[workspace.", "[lsp_servers."} {
		rest, ok := bytes.CutPrefix(line, []byte(prefix+key))
		if ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t=.]"), rest[0]) >= 0) {
			return true
		}
	}
	return false
}
