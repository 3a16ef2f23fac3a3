package mcpserver

import (
	"regexp"
	"slices"
	"strings"
)

// instructionLines tell an agent when to use what. A name in braces is a tool:
// it gets the prefix, and a line without a tool that is offered is left out.
var instructionLines = []string{
	`mcpls answers questions about code from the language servers of this project. It sees each file as it is on disk now, also right after an edit. Use it instead of text search whenever a symbol is meant and not a word:`,
	`- {get_definition}, {get_hover}: where a symbol comes from, its type and documentation. {go_to_implementation}: what implements it.`,
	`- {get_references}: every use, before changing or deleting something; {get_incoming_calls}: who calls it. {rename_symbol} gives the edits of a rename and writes nothing.`,
	`- {workspace_symbol_search}, {get_document_symbols}: find a symbol by name; the outline of a file.`,
	`- {get_diagnostics}: the errors of a file after an edit, without a build. {get_code_actions}: fixes for them, as diffs.`,
	`Name a symbol by symbol_name (pkg.Type.Method; the file may be left out), or by file_path and line with text (the identifier on that line) or character. Lines and columns count from 1, columns in UTF-16.`,
	`context "enclosing_symbol" adds the function around each location.`,
	`An empty answer is a fact: the server had loaded the workspace. "still loading" or "still starting" is no answer: ask again after the time it names.`,
	`{get_tool_support} tells which servers there are, what each answers and why one does not run; {restart_server} helps one that hangs.`,
}

// modeLine tells that untrusted-workspace mode is on.
func (opts Options) modeLine() string {
	allowed := "no server"
	if len(opts.Allowed) > 0 {
		allowed = "only " + oneLine(strings.Join(opts.Allowed, ", "))
	}
	return "Untrusted-workspace mode is on: nobody trusts this checkout, and " + allowed + " may run here, as a person has said on the command line. " +
		"A call that needs another server says so: it is for the person to allow it."
}

var toolName = regexp.MustCompile(`\{([a-z_]+)\}`)

func instructions(offered []tool, prefix string) string {
	var lines []string
	for _, line := range instructionLines {
		named := toolName.FindAllStringSubmatch(line, -1)
		isOffered := func(m []string) bool {
			return slices.ContainsFunc(offered, func(t tool) bool { return t.name == m[1] })
		}
		if len(named) == 0 || slices.ContainsFunc(named, isOffered) {
			lines = append(lines, toolName.ReplaceAllString(line, prefix+"$1"))
		}
	}
	return strings.Join(lines, "\n")
}
