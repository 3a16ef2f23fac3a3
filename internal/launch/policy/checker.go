package policy

import (
	"strings"

	"mcpls/internal/launch/reason"
)

// checker is one run of Check.
type checker struct {
	m         Machine
	argv      []string
	unwrapped []string
	innermost int
	depth     int
	moved     []string // directories that were changed to
}

// program decides on the program at an index of argv, which was written as
// given and is an absolute path by now, and on what it starts.
func (c *checker) program(at int, given string) *reason.Refusal {
	c.innermost = at
	path := c.argv[at]
	if manager, ok := Proxy(path, c.m); ok {
		return refuse(reason.ToolchainProxy, hintProxy, "%s belongs to the version manager %s, which lets the workspace choose the program",
			base(path, c.m.Windows()), manager)
	}
	id := identify(given, path, c.m)
	for _, b := range id.bases {
		if isRunnerScript(b) {
			return refuse(reason.PackageRunner, hintInstall, "%s is the script of a package runner", b)
		}
	}
	return c.command(id.names(), at+1, "")
}

// command decides on a program of the given names whose arguments begin at an
// index. holder is the binary that it is an applet of, or "".
func (c *checker) command(names []string, args int, holder string) *reason.Refusal {
	if refusal := refuseProgram(names, c.argv[args:]); refusal != nil {
		return refusal
	}
	for _, l := range languagesOf(names) {
		if refusal := newReader(c, l, names, args).read(); refusal != nil {
			return refusal
		}
	}
	if holdsAny(multicalls, names) {
		return c.applet(names, args)
	}
	return c.wrapped(names, args, holder)
}

// refuseProgram decides on a program by its name and its subcommand. That of a
// program that is an interpreter too is left to its reader, which knows what
// each option takes.
func refuseProgram(names, args []string) *reason.Refusal {
	if group := refusedBy(names); group != nil {
		return refuse(group.code, hintInstall, "%s "+group.about, first(group.names, names))
	}
	for _, t := range toolchainsOf(names) {
		name := first(t.names, names)
		if sub, ok := subcommand(args, t.runs); ok && len(languagesOf([]string{name})) == 0 {
			return refuse(reason.RunSubcommand, hintInstall, "%s %s runs what the workspace says", name, sub)
		}
	}
	return nil
}

// first is the first of the names that a list has.
func first(list string, names []string) string {
	for _, n := range names {
		if has(list, n) {
			return n
		}
	}
	return ""
}

// subcommand finds one of the subcommands where the arguments could have it: as
// the first operand, or behind what may be the value of an option before it.
func subcommand(args []string, runs string) (string, bool) {
	maybeValue := false
	for _, a := range args {
		if strings.HasPrefix(a, "-") || strings.HasPrefix(a, "+") {
			maybeValue = a != "--" && !strings.Contains(a, "=") && a[0] == '-'
			continue
		}
		if has(runs, a) {
			return a, true
		}
		if !maybeValue {
			return "", false
		}
		maybeValue = false
	}
	return "", false
}

// applet passes a binary of many programs on to the one that it is asked for.
func (c *checker) applet(names []string, args int) *reason.Refusal {
	holder := first(multicalls, names)
	if args >= len(c.argv) {
		return refuse(reason.WrapperMissingCommand, hintWrapper, "%s has no program to run", holder)
	}
	name, isOption := strings.CutPrefix(c.argv[args], appletOption)
	if strings.HasPrefix(name, "-") || isOption && holder != "coreutils" {
		return refuse(reason.WrapperUnknownOption, hintWrapper, "option %s of %s is not known", optionName(c.argv[args]), holder)
	}
	name = base(name, c.m.Windows())
	if name == "" {
		return refuse(reason.WrapperMissingCommand, hintWrapper, "%s has no program to run", holder)
	}
	inner := variants(name)
	if holdsAny(multicalls, inner) {
		if refusal := c.deeper(); refusal != nil {
			return refusal
		}
	}
	return c.command(inner, args+1, holder)
}

// deeper counts one more level of nesting.
func (c *checker) deeper() *reason.Refusal {
	if c.depth++; c.depth > maxDepth {
		return refuse(reason.WrapperDepth, hintWrapper, "wrappers are nested more than 8 deep")
	}
	return nil
}

// optionName is an option without its value.
func optionName(option string) string {
	name, _, _ := strings.Cut(option, "=")
	name, _, _ = strings.Cut(name, ":")
	return strings.TrimSpace(name)
}
