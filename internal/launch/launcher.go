package launch

import (
	"fmt"
	"slices"
	"strings"

	"mcpls/internal/launch/policy"
	"mcpls/internal/launch/reason"
)

// machine is the planner as the packages below see it: facts, from the directory
// and with the environment of the plan.
type machine struct{ p *planner }

func (p *planner) machine() machine { return machine{p} }

func (m machine) Windows() bool                               { return m.p.facts.Windows() }
func (m machine) Getenv(name string) (string, bool)           { return m.p.facts.Getenv(name) }
func (m machine) Canonical(path string) (string, bool)        { return m.p.facts.Canonical(path) }
func (m machine) Join(dir, name string) string                { return m.p.facts.Join(dir, name) }
func (m machine) Dir(path string) string                      { return m.p.facts.Dir(path) }
func (m machine) IsAbs(path string) bool                      { return m.p.facts.IsAbs(path) }
func (m machine) Kind(path string) policy.Kind                { return m.p.facts.Kind(path) }
func (m machine) Inside(path string) bool                     { return m.p.inside(path) }
func (m machine) ReadFile(path string, n int) ([]byte, bool)  { return m.p.facts.ReadFile(path, n) }
func (m machine) ReadDir(path string, n int) ([]string, bool) { return m.p.facts.ReadDir(path, n) }

func (m machine) Regular(path string) bool {
	kind := m.Kind(path)
	return kind == policy.File || kind == policy.Executable
}

// Resolve finds a program on the server's own PATH, which leads nowhere into an
// untrusted workspace.
func (m machine) Resolve(program string) (string, bool) {
	return resolve(program, m.p.plan, "", m.p.facts)
}

func (m machine) Abs(path string) string {
	switch {
	case m.IsAbs(path):
		return path
	case strings.Contains(path, ".."):
		return m.p.plan.Dir + "/" + path // as it is written: what lies before dots may be a link
	}
	return m.Join(m.p.plan.Dir, path)
}

// launcher refuses a command that lets the workspace choose what runs.
func (p *planner) launcher() *reason.Refusal {
	if manager, proxy := policy.Proxy(p.plan.Argv[0], p.machine()); proxy && manager == "rustup" {
		program, found := p.realRust(p.plan.Argv[0])
		if found {
			p.note("%q is rustup's launcher, which asks the workspace which toolchain to run: the program of the default toolchain runs", p.plan.Argv[0])
			p.plan.Argv[0] = program
		}
	}
	result, refusal := policy.Check(p.Declaration.Command, p.plan.Argv, p.machine())
	if refusal != nil {
		return refusal
	}
	p.plan.Argv, p.plan.Unwrapped, p.inner = result.Argv, result.Unwrapped, result.Program
	return p.interpreters(p.plan.Argv[:result.Program+1])
}

// Bounds of a script's first line, as those of Linux are, and of scripts whose
// interpreter is a script.
const (
	maxShebang      = 256
	maxInterpreters = 5
)

// interpreters refuses programs that are scripts whose interpreter lies in the
// workspace, or is a launcher that asks the workspace.
func (p *planner) interpreters(programs []string) *reason.Refusal {
	for _, program := range programs {
		for depth := 0; p.facts.IsAbs(program); depth++ {
			interpreter, refusal := p.interpreter(program)
			if refusal != nil {
				return refusal
			}
			if interpreter == "" || depth == maxInterpreters {
				break
			}
			program = interpreter
		}
	}
	return nil
}

// interpreter gives the interpreter of a script, "" of what is none.
func (p *planner) interpreter(script string) (string, *reason.Refusal) {
	line, ok := p.shebang(script)
	name := line.interpreter
	switch {
	case !ok:
		return "", badInterpreter(reason.ExecutableNotFound, script, name, "has a first line that cannot be followed")
	case name == "":
		return "", nil
	}
	program, found := resolve(name, p.plan, "", p.facts)
	if !found {
		return "", badInterpreter(reason.ExecutableNotFound, script, name, "needs an interpreter that is not on the server's PATH")
	}
	if p.Untrusted && inWorkspace(program, p.Boundary, p.facts) {
		return "", badInterpreter(reason.ExecutableInWorkspace, script, name, "needs an interpreter that lies inside the workspace")
	}
	if manager, proxy := policy.Proxy(program, p.machine()); proxy && p.Untrusted {
		return "", badInterpreter(reason.ToolchainProxy, script, name, "needs an interpreter that is a launcher of "+manager)
	}
	return program, nil
}

func badInterpreter(code reason.Code, script, name, say string) *reason.Refusal {
	return &reason.Refusal{
		Code: code, Message: fmt.Sprintf("the script %q %s: %q", script, say, name),
		Hint: "install the interpreter outside the workspace, in a directory of PATH that is no version manager's",
	}
}

// shebang is the first line of a script.
type shebang struct {
	interpreter string   // "": it is no script
	env         string   // the env that looks it up on PATH; "" when none does
	args        []string // what the interpreter is given before the script
}

// shebang reads the first line of a script as Linux does: the interpreter up to a
// blank, and the rest as one argument. env is looked through if it starts a program
// by name and nothing else. It is false of a line that could start something else
// than what is read here: a relative interpreter, which the working directory
// decides about, options of env, and bytes that end a word for one reader only.
func (p *planner) shebang(script string) (line shebang, ok bool) {
	head := p.facts.Head(script, maxShebang)
	text, is := strings.CutPrefix(string(head), "#!")
	if !is || p.facts.Windows() {
		return shebang{}, true
	}
	text, _, whole := strings.Cut(text, "\n")
	text = strings.Trim(text, " \t")
	if text == "" {
		return shebang{}, true // the kernel does not start it
	}
	name, rest, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
	odd := strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r > '~' })
	if !whole && len(head) == maxShebang || odd || !p.facts.IsAbs(name) {
		return shebang{interpreter: text}, false
	}
	rest = strings.TrimLeft(rest, " ")
	switch {
	case baseName(name) == "env":
		return envProgram(name, rest)
	case rest == "":
		return shebang{interpreter: name}, true
	}
	return shebang{interpreter: name, args: []string{rest}}, true
}

// envProgram reads the one argument of env: a name, or behind -S one with arguments
// that are plain.
func envProgram(env, argument string) (shebang, bool) {
	words := []string{argument}
	if split, is := strings.CutPrefix(argument, "-S"); is {
		words = strings.Fields(split)
	}
	odd := func(word string) bool { return strings.ContainsAny(word, "\"'\\$# ") }
	if len(words) == 0 || words[0] == "" || words[0][0] == '-' || strings.ContainsAny(words[0], "=/") || slices.ContainsFunc(words, odd) {
		return shebang{interpreter: argument}, false
	}
	return shebang{interpreter: words[0], env: env, args: words[1:]}, true
}
