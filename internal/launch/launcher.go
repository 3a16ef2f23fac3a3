package launch

import (
	"fmt"
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
func (m machine) Inside(path string) bool                     { return m.p.inside(m.Join(path, ".")) }
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
	if m.IsAbs(path) {
		return path
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
	name, path := shebang(p.facts.Head(script, maxShebang))
	switch {
	case name == "":
		return "", nil
	case path != "":
		return "", badInterpreter(reason.WrapperSearchPath, script, name, "sets the PATH on which its interpreter is looked up")
	}
	program, found := resolve(name, p.plan, "", p.facts)
	if !found {
		return "", badInterpreter(reason.ExecutableNotFound, script, name, "needs an interpreter that is not on the server's PATH")
	}
	if inWorkspace(program, p.Boundary, p.facts) {
		return "", badInterpreter(reason.ExecutableInWorkspace, script, name, "needs an interpreter that lies inside the workspace")
	}
	if manager, proxy := policy.Proxy(program, p.machine()); proxy {
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

// shebang reads the first line of a script: its interpreter, through env too. path
// is a variable by which env would look it up elsewhere.
func shebang(head []byte) (interpreter, path string) {
	line, script := strings.CutPrefix(string(head), "#!")
	if !script {
		return "", ""
	}
	line, _, _ = strings.Cut(line, "\n")
	words := strings.Fields(line)
	if len(words) == 0 || baseName(words[0]) != "env" {
		return strings.Join(words[:min(1, len(words))], ""), ""
	}
	for _, word := range words[1:] {
		word = strings.TrimPrefix(strings.TrimPrefix(word, "--split-string="), "-S")
		switch {
		case strings.HasPrefix(word, "PATH=") || word == "-P":
			return words[0], word
		case word == "" || strings.HasPrefix(word, "-") || strings.Contains(word, "="):
		default:
			return word, ""
		}
	}
	return words[0], ""
}
