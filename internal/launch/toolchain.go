package launch

import (
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"mcpls/internal/launch/policy"
)

// maxRustupSettings is far more than rustup's settings have.
const maxRustupSettings = 1 << 20

// rustToolchain gives the directory of the programs of the toolchain that rustup
// takes where nothing else is said: RUSTUP_TOOLCHAIN of the entry, else the user's
// default. What a rust-toolchain file of the workspace says does not count.
// (rustup, Overrides: the variable comes before the files.)
func (p *planner) rustToolchain() (bin string, found bool) {
	home := p.rustupHome()
	name := p.plan.Env["RUSTUP_TOOLCHAIN"]
	if name == "" {
		data, ok := p.facts.ReadFile(p.facts.Join(home, "settings.toml"), maxRustupSettings)
		var settings struct {
			Default string `toml:"default_toolchain"`
		}
		if !ok || toml.Unmarshal(data, &settings) != nil {
			return "", false
		}
		name = settings.Default
	}
	dir := name
	if !p.facts.IsAbs(name) {
		if name == "" || name == ".." || p.facts.IsPath(name) {
			return "", false
		}
		dir = p.facts.Join(p.facts.Join(home, "toolchains"), name)
	}
	bin = p.facts.Join(dir, "bin")
	return bin, p.facts.Kind(bin) == policy.Directory && !p.inside(bin)
}

// rustupHome is where rustup keeps its toolchains: a variable of mcpls's own
// environment may name it too, as long as it does not lead into the workspace.
func (p *planner) rustupHome() string {
	if home := p.plan.Env["RUSTUP_HOME"]; home != "" {
		return home
	}
	if home, set := p.facts.Getenv("RUSTUP_HOME"); set && p.facts.IsAbs(home) && !p.inside(home) {
		return home
	}
	home := p.plan.Env["HOME"]
	if p.facts.Windows() {
		home = p.plan.Env["USERPROFILE"]
	}
	return p.facts.Join(home, ".rustup")
}

// pinToolchains keeps toolchains from asking the checkout which version of them
// runs, unless the entry says which.
//
// Go would take the version of a go.mod's toolchain line (Go Toolchains,
// GOTOOLCHAIN); rustup that of a rust-toolchain file, which may be a directory of
// the checkout. rust-analyzer looks for rustup's launchers beside PATH too.
func (p *planner) pinToolchains() {
	rust := "none" // no such toolchain: better a failure than the checkout's
	if bin, found := p.rustToolchain(); found {
		rust = p.facts.Dir(bin)
	}
	for name, value := range map[string]string{"GOTOOLCHAIN": "local", "RUSTUP_TOOLCHAIN": rust} {
		if _, set := p.plan.Env[name]; !set {
			p.plan.Env[name] = value
		}
	}
}

// leaveProxies takes out of PATH the directories of version managers, whose
// programs ask files of the workspace which version to run. That of rustup stays
// behind the toolchain's own programs: it may hold others.
func (p *planner) leaveProxies() {
	var kept, dropped []string
	for _, dir := range p.facts.SplitList(p.plan.Env["PATH"]) {
		manager, proxy := policy.Proxy(p.facts.Join(dir, "program"), p.machine())
		if !proxy && p.facts.Executable(p.facts.Join(dir, p.exe("rustup"))) {
			bin, found := p.rustToolchain()
			if manager, proxy = "rustup", !found; found && !slices.Contains(kept, bin) {
				kept = append(kept, bin)
			}
		}
		if !proxy && !slices.Contains(kept, dir) {
			kept = append(kept, dir)
		} else if proxy && !slices.Contains(dropped, manager) {
			dropped = append(dropped, manager)
		}
	}
	if len(kept) == 0 {
		kept = systemPath(p.facts)
	}
	p.plan.Env["PATH"] = joinList(kept, p.facts)
	if len(dropped) > 0 {
		p.note("PATH is without the launchers of %s, which ask files of the workspace which version to run; "+
			"to use a version, set env.PATH in the entry to a PATH with its own directory of programs", strings.Join(dropped, ", "))
	}
}

// realRust gives the program that rustup's launcher of the same name would start.
func (p *planner) realRust(launcher string) (string, bool) {
	bin, found := p.rustToolchain()
	if !found {
		return "", false
	}
	program := p.facts.Join(bin, baseName(launcher))
	return program, p.facts.Executable(program) && !p.inside(program)
}

func (p *planner) exe(name string) string {
	if p.facts.Windows() {
		return name + ".exe"
	}
	return name
}

func baseName(file string) string { return path.Base(strings.ReplaceAll(file, `\`, "/")) }
