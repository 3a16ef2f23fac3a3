package trust

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcpls/internal/launch"
	"mcpls/internal/quote"
)

// Card is what a person is shown before they say yes: what exactly would run, with
// nothing left out. It is one value that every surface draws in its own way.
//
// All its texts are plain ASCII on one line each: what the repository wrote passed
// quote.String, so that no value looks like a label or begins a line.
type Card struct {
	Title       string // NEW or CHANGED, and what it is about
	Sections    []Section
	Fingerprint string
}

// Section is one label with its lines.
type Section struct {
	Label string
	Lines []Line
}

// Line is one value and what is to be known about it.
type Line struct {
	Text  string
	Marks []string
}

// Marks of a line.
const (
	markEscaped = "holds characters that are escaped here"
	markAlike   = "holds letters that look like others"
	markLoads   = "makes programs load code or run others"
	markInside  = "inside the workspace"
)

// NewCard makes the card of a plan and of how it stands.
func NewCard(plan launch.Plan, standing Standing) Card {
	c := Card{Title: "NEW: a server that this repository declares", Fingerprint: plan.Fingerprint()}
	if len(standing.Changes) > 0 {
		c.Title = "CHANGED: a server that this repository declares"
		c.add("What changed", marked(standing.Changes)...)
	}
	c.add("Workspace", value(plan.Root))
	c.add("Declared in", value(plan.DeclaredIn))
	c.add("Server id", value(plan.ID))
	c.add("Command", value(plan.Declared.Command))
	c.add("Program", programLine(plan))
	c.add("Unwrapped", marked(plan.Unwrapped)...)
	c.add("Arguments", arguments(plan.Argv[min(1, len(plan.Argv)):])...)
	c.add("Environment", variables(plan.Declared.Env)...)
	c.add("Working directory", value(plan.Dir))
	c.add("Options", options("", plan.Declared.InitOptions)...)
	c.add("Settings", options("", plan.Declared.Settings)...)
	c.add("Bound to", bound(plan.Files)...)
	c.add("Notes", marked(plan.Notes)...)
	c.add("Sandbox", Line{Text: "none: it can read and write what you can, and reach the network"})
	return c
}

// add adds a section; one without a line says that there is none.
func (c *Card) add(label string, lines ...Line) {
	if len(lines) == 0 {
		lines = []Line{{Text: "(none)"}}
	}
	c.Sections = append(c.Sections, Section{label, lines})
}

// value is a text of the repository as a line. An empty one stands in quotation
// marks, as does one that could be taken for what mcpls says.
func value(text string, marks ...string) Line {
	shown := quote.String(text)
	if shown != text {
		marks = append(marks, markEscaped)
	}
	if quote.Confusable(text) {
		marks = append(marks, markAlike)
	}
	return Line{Text: `"` + strings.ReplaceAll(shown, `"`, `\"`) + `"`, Marks: marks}
}

func marked(texts []string) []Line {
	var lines []Line
	for _, text := range texts {
		lines = append(lines, Line{Text: quote.String(text)})
	}
	return lines
}

func programLine(plan launch.Plan) Line {
	if len(plan.Argv) == 0 {
		return Line{Text: "(none)"}
	}
	line := value(plan.Argv[0])
	for _, f := range plan.Files {
		switch {
		case f.Role != "program":
		case f.Digest != "":
			line.Marks = append(line.Marks, markInside)
		default:
			line.Marks = append(line.Marks, fmt.Sprintf("outside the workspace, owner %s, %s", f.Owner, f.Mode))
		}
	}
	return line
}

func arguments(args []string) []Line {
	var lines []Line
	for i, arg := range args {
		line := value(arg)
		line.Text = fmt.Sprintf("%d: %s", i+1, line.Text)
		lines = append(lines, line)
	}
	return lines
}

func variables(env map[string]string) []Line {
	var lines []Line
	for _, name := range slices.Sorted(maps.Keys(env)) {
		line := value(env[name])
		line.Text = value(name).Text + " = " + line.Text
		if loadsCode(name) {
			line.Marks = append(line.Marks, markLoads)
		}
		if quote.Confusable(name) {
			line.Marks = append(line.Marks, markAlike)
		}
		lines = append(lines, line)
	}
	return lines
}

// loading are the beginnings of the names of variables that make programs load code
// or start others.
var loading = []string{
	"NODE_OPTIONS", "NODE_PATH", "LD_", "DYLD_", "PYTHON", "RUBYOPT", "RUBYLIB", "PERL5", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS",
	"GOFLAGS", "GOROOT", "GOTOOLCHAIN", "RUSTC", "RUSTFLAGS", "RUSTUP_", "CARGO_", "CLANGD_FLAGS", "GIT_", "BASH_ENV", "ENV", "SHELL", "PATH", "CC", "CXX",
	"LUA_", "PROMPT_COMMAND", "NPM_CONFIG_", "npm_config_", "ELECTRON_RUN_AS_NODE", "DENO_", "BUN_", "DOTNET_", "COMSPEC", "PATHEXT", "HOME", "XDG_",
}

func loadsCode(name string) bool {
	return slices.ContainsFunc(loading, func(begin string) bool {
		return strings.HasPrefix(strings.ToUpper(name), strings.ToUpper(begin)) && (strings.HasSuffix(begin, "_") || !isShort(begin) || strings.EqualFold(name, begin))
	})
}

// isShort tells names that are the beginning of many others from those whose
// family is meant.
func isShort(begin string) bool { return len(begin) <= 5 }

// options are the parts of a table, one a line, by their keys.
func options(above string, table map[string]any) []Line {
	var lines []Line
	for _, name := range slices.Sorted(maps.Keys(table)) {
		key := value(name).Text
		if above != "" {
			key = above + " > " + key
		}
		if below, ok := table[name].(map[string]any); ok && len(below) > 0 {
			lines = append(lines, options(key, below)...)
			continue
		}
		lines = append(lines, option(key, table[name]))
	}
	return lines
}

func option(key string, v any) Line {
	if text, ok := v.(string); ok {
		line := value(text)
		line.Text = key + " = " + line.Text
		return line
	}
	text, err := json.Marshal(v)
	if err != nil {
		text = []byte(err.Error()) // it came from TOML: every value marshals
	}
	line := Line{Text: key + " = " + quote.String(string(text))}
	if quote.Confusable(string(text)) {
		line.Marks = []string{markAlike}
	}
	return line
}

func bound(files []launch.File) []Line {
	var lines []Line
	for _, f := range files {
		line := value(f.Path)
		line.Text = f.Role + " " + line.Text
		if f.Digest != "" {
			line.Marks = append(line.Marks, "by its content, sha256:"+f.Digest)
		} else {
			line.Marks = append(line.Marks, "by its place, owner and mode")
		}
		lines = append(lines, line)
	}
	return lines
}

// Text draws the card for a terminal or a form, in lines of plain ASCII.
func (c Card) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", c.Title)
	for _, s := range c.Sections {
		fmt.Fprintf(&b, "\n%s\n", s.Label)
		for _, line := range s.Lines {
			fmt.Fprintf(&b, "    %s\n", line.Text)
			for _, mark := range line.Marks {
				fmt.Fprintf(&b, "      ^ %s\n", mark)
			}
		}
	}
	fmt.Fprintf(&b, "\nFingerprint\n    %s\n", c.Fingerprint)
	return b.String()
}
