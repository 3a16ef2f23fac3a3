package policy

import (
	"strings"

	"mcpls/internal/launch/reason"
)

// wrapped passes a wrapper, and decides on the command it starts. A program that
// is no wrapper is the innermost one.
func (c *checker) wrapped(names []string, args int, holder string) *reason.Refusal {
	rows := wrappersOf(names)
	if len(rows) == 0 {
		return nil
	}
	if len(rows) > 1 {
		return refuse(reason.Wrapper, hintWrapper, "%s is another wrapper under the name of one", first(rows[0].names, names))
	}
	if refusal := c.deeper(); refusal != nil {
		return refusal
	}
	p := prefix{c: c, wrapper: rows[0], name: first(rows[0].names, names), at: args}
	if refusal := p.read(); refusal != nil {
		return refusal
	}
	c.unwrapped = append(c.unwrapped, strings.TrimPrefix(holder+" "+p.name, " "))
	c.moved = append(c.moved, p.dirs...)
	return c.start(p)
}

// start resolves the command behind a wrapper and goes on with it.
func (c *checker) start(p prefix) *reason.Refusal {
	given := c.argv[p.at]
	if len(p.dirs) > 0 && strings.ContainsAny(given, c.separators()) && !absolute(given, c.m.Windows()) {
		return refuse(reason.WrapperDirectory, hintInstall, "%s changes the directory and starts a program by a relative path", p.name)
	}
	path, found := c.m.Resolve(given)
	switch {
	case !found:
		return refuse(reason.ExecutableNotFound, hintInstall, "the program that %s starts was not found: %s", p.name, given)
	case c.m.Inside(path):
		return refuse(reason.ExecutableInWorkspace, hintInstall, "the program that %s starts lies inside the workspace: %s", p.name, given)
	case p.wrapper.assigns && strings.Contains(path, "="):
		return refuse(reason.WrapperSearchPath, hintInstall, "%s would read the path of its program as an assignment", p.name)
	}
	c.argv[p.at] = path
	return c.program(p.at, given)
}

func (c *checker) separators() string {
	if c.m.Windows() {
		return `/\`
	}
	return "/"
}

// absolute reports whether no directory changes what a path means.
func absolute(path string, windows bool) bool {
	if !windows {
		return strings.HasPrefix(path, "/")
	}
	path = strings.ReplaceAll(path, `\`, "/")
	return strings.HasPrefix(path, "//") || len(path) > 2 && path[1] == ':' && path[2] == '/'
}

// prefix is what stands before the command of a wrapper.
type prefix struct {
	c       *checker
	wrapper wrapper
	name    string
	at      int      // the next argument; in the end the command
	dirs    []string // that the wrapper changes to
}

// read steps over options, operands and assignments.
func (p *prefix) read() *reason.Refusal {
	for more := true; more && p.at < len(p.c.argv); {
		var refusal *reason.Refusal
		if more, refusal = p.option(); refusal != nil {
			return refusal
		}
	}
	p.at += p.wrapper.operands
	if refusal := p.assignments(); refusal != nil {
		return refusal
	}
	if p.at >= len(p.c.argv) || p.c.argv[p.at] == "" {
		return refuse(reason.WrapperMissingCommand, hintWrapper, "%s has no command to start", p.name)
	}
	return nil
}

// option steps over one argument that is an option, and reports whether another
// one may follow.
func (p *prefix) option() (bool, *reason.Refusal) {
	arg := p.c.argv[p.at]
	switch {
	case arg == "--":
		p.at++
		return false, nil
	case arg == "-" && p.wrapper.assigns: // env: the same as -i
		p.at++
		return false, nil
	case arg == "-" || !strings.HasPrefix(arg, "-"):
		return false, nil
	}
	p.at++
	switch {
	case p.wrapper.numeric && isAdjustment(arg):
		return true, nil
	case p.wrapper.words || strings.HasPrefix(arg, "--"):
		name, text, attached := strings.Cut(arg, "=")
		return true, p.apply(name, text, attached)
	}
	return true, p.cluster(arg[1:])
}

// isAdjustment reports whether an argument is the old form of nice -n: -5, --5.
func isAdjustment(arg string) bool {
	number := strings.TrimPrefix(arg, "-")
	number = strings.TrimPrefix(strings.TrimPrefix(number, "-"), "+")
	return number != "" && strings.Trim(number, "0123456789") == ""
}

// cluster reads the letters behind one dash.
func (p *prefix) cluster(letters string) *reason.Refusal {
	for letters != "" {
		name, text := "-"+firstRune(letters), letters[len(firstRune(letters)):]
		letters = text
		if p.wrapper.options.use(name) == flag {
			continue
		}
		return p.apply(name, text, text != "")
	}
	return nil
}

// apply does what one option does. text is its value when attached is true.
func (p *prefix) apply(name, text string, attached bool) *reason.Refusal {
	switch u := p.wrapper.options.use(name); u {
	case flag, optional:
		if u == flag && attached {
			return refuse(reason.WrapperUnknownOption, hintWrapper, "option %s of %s takes no value", name, p.name)
		}
		return nil
	case split:
		return refuse(reason.WrapperSplitString, hintWrapper, "option %s of %s splits a string into a command", name, p.name)
	case search:
		return refuse(reason.WrapperSearchPath, hintWrapper, "option %s of %s sets the path on which the command is looked up", name, p.name)
	case value, dir, setenv:
		if !attached {
			if p.at >= len(p.c.argv) {
				return refuse(reason.WrapperMissingValue, hintWrapper, "option %s of %s has no value", name, p.name)
			}
			text = p.c.argv[p.at]
			p.at++
		}
		return p.keep(u, text)
	}
	return refuse(reason.WrapperUnknownOption, hintWrapper, "option %s of %s is not known", name, p.name)
}

// keep remembers the value of an option that matters later.
func (p *prefix) keep(u use, text string) *reason.Refusal {
	switch u {
	case dir:
		p.dirs = append(p.dirs, text)
	case setenv:
		return p.assignment(text)
	}
	return nil
}

// assignments steps over NAME=VALUE.
func (p *prefix) assignments() *reason.Refusal {
	for p.wrapper.assigns && p.at < len(p.c.argv) && strings.Contains(p.c.argv[p.at], "=") {
		if refusal := p.assignment(p.c.argv[p.at]); refusal != nil {
			return refusal
		}
		p.at++
	}
	return nil
}

// assignment refuses one of PATH.
func (p *prefix) assignment(text string) *reason.Refusal {
	name, _, _ := strings.Cut(text, "=")
	if name == "PATH" || p.c.m.Windows() && strings.EqualFold(name, "PATH") {
		return refuse(reason.WrapperSearchPath, hintWrapper, "%s sets the PATH on which the command is looked up", p.name)
	}
	return nil
}
