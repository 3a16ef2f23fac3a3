package trust

import (
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
		c.add("What changed", said(standing.Changes)...)
	}
	c.add("Workspace", value(plan.Root))
	c.add("Declared in", value(plan.DeclaredIn))
	c.add("Server id", value(plan.ID))
	c.add("Command", value(plan.Declared.Command))
	c.add("Program", programLine(plan))
	c.add("Unwrapped", values(plan.Unwrapped)...)
	c.add("Arguments", arguments(plan.Argv[min(1, len(plan.Argv)):])...)
	c.add("Environment", variables(plan.Declared.Env)...)
	c.add("Working directory", value(plan.Dir))
	c.add("Options", options(nil, plan.Declared.InitOptions)...)
	c.add("Settings", options(nil, plan.Declared.Settings)...)
	c.add("Bound to", bound(plan.Files)...)
	c.add("Not bound to", Line{Text: "what these load in turn, and modules and directories that are named"})
	c.add("Notes", said(plan.Notes)...)
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

// value is a text of the repository as a line: in quotation marks, so that none
// could be taken for what mcpls says.
func value(text string, marks ...string) Line {
	return Line{Text: quoted(text), Marks: append(marks, warnings(text)...)}
}

// quoted gives a text of the repository in printable ASCII between quotation marks.
// Two texts never give the same.
func quoted(text string) string {
	return `"` + strings.ReplaceAll(quote.String(text), `"`, `\"`) + `"`
}

// warnings are the marks of the texts of one line.
func warnings(texts ...string) []string {
	var marks []string
	if slices.ContainsFunc(texts, func(text string) bool { return quote.String(text) != text }) {
		marks = append(marks, markEscaped)
	}
	if slices.ContainsFunc(texts, quote.Confusable) {
		marks = append(marks, markAlike)
	}
	return marks
}

// written gives a value of a table: texts in quotation marks, all else as TOML has
// it.
func written(v any) string {
	var parts []string
	switch v := v.(type) {
	case string:
		return quoted(v)
	case []any:
		for _, element := range v {
			parts = append(parts, written(element))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, quoted(name)+" = "+written(v[name]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return ours(fmt.Sprint(v))
}

// texts are all texts of a value of a table.
func texts(v any) []string {
	var list []string
	switch v := v.(type) {
	case string:
		list = []string{v}
	case []any:
		for _, element := range v {
			list = append(list, texts(element)...)
		}
	case map[string]any:
		for name, below := range v {
			list = append(append(list, name), texts(below)...)
		}
	}
	return list
}

// said are sentences of mcpls, in which what the repository wrote is quoted.
func said(sentences []string) []Line {
	var lines []Line
	for _, sentence := range sentences {
		lines = append(lines, Line{Text: ours(sentence)})
	}
	return lines
}

// ours gives a text of mcpls as it is, and escaped if it is not plain after all.
func ours(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return quote.String(text)
	}
	return text
}

func values(list []string) []Line {
	var lines []Line
	for _, text := range list {
		lines = append(lines, value(text))
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
		line := Line{Text: quoted(name) + " = " + quoted(env[name]), Marks: warnings(name, env[name])}
		if loadsCode(name) {
			line.Marks = append(line.Marks, markLoads)
		}
		lines = append(lines, line)
	}
	return lines
}

// The names of variables that make programs load code or start others, in upper
// case, and what such names begin with.
var (
	loadingNames = []string{
		"PATH", "PATHEXT", "HOME", "USERPROFILE", "SHELL", "COMSPEC", "ENV", "BASH_ENV", "ZDOTDIR", "IFS", "PROMPT_COMMAND",
		"EDITOR", "VISUAL", "PAGER", "BROWSER", "LESSOPEN", "SSH_ASKPASS",
		"NODE_OPTIONS", "NODE_PATH", "ELECTRON_RUN_AS_NODE", "RUBYOPT", "RUBYLIB",
		"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_HOME", "CLASSPATH", "MAVEN_OPTS", "GRADLE_OPTS",
		"GOFLAGS", "GOROOT", "GOPATH", "GOBIN", "GOENV", "GOTOOLCHAIN", "GOPROXY", "RUSTFLAGS", "CLANGD_FLAGS", "CC", "CXX", "MAKEFLAGS",
		"GCONV_PATH", "GLIBC_TUNABLES", "OPENSSL_CONF", "PHPRC", "PHP_INI_SCAN_DIR", "VIRTUAL_ENV", "TSSERVER_PATH",
	}
	loadingPrefixes = []string{
		"LD_", "DYLD_", "PYTHON", "PERL5", "RUSTC", "RUSTUP_", "CARGO_", "GIT_", "LUA_", "NPM_CONFIG_", "DENO_", "BUN_",
		"DOTNET_", "CORECLR_", "COR_", "XDG_", "BASH_FUNC_",
	}
)

// loadsCode reports whether a variable is to be marked. Case does not count: on
// Windows it never does, and npm reads npm_config_ too.
func loadsCode(name string) bool {
	name = strings.ToUpper(name)
	return slices.Contains(loadingNames, name) ||
		slices.ContainsFunc(loadingPrefixes, func(begin string) bool { return strings.HasPrefix(name, begin) })
}

// options are the parts of a table, one a line, by their keys.
func options(above []string, table map[string]any) []Line {
	var lines []Line
	for _, name := range slices.Sorted(maps.Keys(table)) {
		keys := append(slices.Clone(above), name)
		if below, ok := table[name].(map[string]any); ok && len(below) > 0 {
			lines = append(lines, options(keys, below)...)
			continue
		}
		var path []string
		for _, key := range keys {
			path = append(path, quoted(key))
		}
		lines = append(lines, Line{
			Text:  strings.Join(path, " > ") + " = " + written(table[name]),
			Marks: warnings(append(keys, texts(table[name])...)...),
		})
	}
	return lines
}

func bound(files []launch.File) []Line {
	var lines []Line
	for _, f := range files {
		line := value(f.Path)
		line.Text = f.Role + " " + line.Text // the role is ours
		if f.Digest != "" {
			line.Marks = append(line.Marks, "by its content, sha256:"+f.Digest)
		} else {
			line.Marks = append(line.Marks, "by its place, owner and mode")
		}
		lines = append(lines, line)
	}
	return lines
}

// textWidth is that of Text: every terminal and every form has room for it.
const textWidth = 78

// Text draws the card for a form or a file, in lines of plain ASCII.
func (c Card) Text() string { return c.Wrapped(textWidth) }

// Wrapped draws the card in lines of plain ASCII that are not wider than a screen,
// as far as that is one. Were it the screen that breaks a long line, the rest of a
// value would begin a line of its own, and could look like anything. Nothing is
// left out.
func (c Card) Wrapped(width int) string {
	var b strings.Builder
	put := func(indent, text string) {
		room := max(width-len(indent), minRoom)
		fmt.Fprintf(&b, "%s%s\n", indent, text[:min(room, len(text))])
		for rest := text[min(room, len(text)):]; rest != ""; {
			n := min(max(width-len(goesOn), minRoom), len(rest))
			fmt.Fprintf(&b, "%s%s\n", goesOn, rest[:n])
			rest = rest[n:]
		}
	}
	put("", c.Title)
	for _, s := range c.Sections {
		fmt.Fprintf(&b, "\n%s\n", s.Label)
		for _, line := range s.Lines {
			put("    ", line.Text)
			for _, mark := range line.Marks {
				put("      ^ ", mark)
			}
		}
	}
	b.WriteString("\nFingerprint\n")
	put("    ", c.Fingerprint)
	return b.String()
}

const (
	goesOn  = "    | " // begins a line that continues the one above
	minRoom = 16
)
