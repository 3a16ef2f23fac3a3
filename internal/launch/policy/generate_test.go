package policy

import (
	"slices"
	"strings"
	"testing"

	"mcpls/internal/launch/reason"
)

// plain is a machine on which every bare name is a program in /usr/bin, what is
// in /opt is a file, and nothing lies in a workspace.
type plain struct{}

func (plain) Windows() bool                        { return false }
func (plain) Canonical(path string) (string, bool) { return path, true }
func (plain) Inside(string) bool                   { return false }
func (plain) Abs(path string) string               { return "/home/u/" + path }

func (plain) Resolve(program string) (string, bool) {
	if strings.HasPrefix(program, "/") {
		return program, true
	}
	return "/usr/bin/" + program, true
}

func (plain) Kind(path string) Kind {
	if !strings.HasPrefix(path, "/opt/") || strings.Contains(path, "/rustup") || strings.Contains(path, "/elan") {
		return Missing
	}
	return File
}

// start is what is expected of a command that is admitted.
const start reason.Code = ""

// counted holds commands that are made from the tables against what is expected.
type counted struct {
	*testing.T
	n, failed int
}

func (c *counted) expect(want []reason.Code, argv ...string) {
	c.n++
	resolved := slices.Clone(argv)
	resolved[0], _ = plain{}.Resolve(argv[0])
	got := start
	_, refusal := Check(argv[0], resolved, plain{})
	if refusal != nil {
		got = refusal.Code
	}
	if slices.Contains(want, got) {
		return
	}
	if c.failed++; c.failed <= 20 {
		c.Errorf("%q: got %q, want %q", argv, got, want)
	}
}

func (c *counted) done() { c.Logf("%d commands", c.n) }

func codes(c ...reason.Code) []reason.Code { return c }

// spellings are the forms of a name that count as it. A version needs a dash when
// the name itself ends in a digit.
func spellings(name string) []string {
	forms := []string{name, "/opt/bin/" + name, name + ".exe", name + ".cmd", strings.ToUpper(name), name + "-5.9"}
	if strings.HasSuffix(name, "0") {
		return forms
	}
	forms = append(forms, name+"9", name+"3.12")
	for suffix := range strings.FieldsSeq(versionSuffixes) {
		forms = append(forms, name+suffix, name+"3.13"+suffix, "/opt/bin/"+name+suffix)
	}
	return forms
}

// Every program that is refused is so in every spelling, behind every wrapper
// and as every applet.
func TestGeneratedPrograms(t *testing.T) {
	c := &counted{T: t}
	defer c.done()
	for _, group := range refusedPrograms {
		for name := range strings.FieldsSeq(group.names) {
			for _, s := range spellings(name) {
				c.expect(codes(group.code), s, "x")
			}
			for _, command := range wrapped(name, "x") {
				c.expect(codes(group.code), command...)
			}
		}
	}
	for _, tool := range toolchains {
		for name := range strings.FieldsSeq(tool.names) {
			c.toolchain(name, tool.runs)
		}
	}
}

func (c *counted) toolchain(name, runs string) {
	for sub := range strings.FieldsSeq(runs) {
		want := codes(reason.RunSubcommand)
		for _, s := range spellings(name) {
			c.expect(want, s, sub)
		}
		c.expect(want, name, "--unlisted", sub)
		c.expect(want, name, "--unlisted", "value", sub)
		c.expect(want, name, "--unlisted=value", sub)
		for _, command := range wrapped(name, sub) {
			c.expect(want, command...)
		}
		c.expect(codes(start), name, "lsp", sub)
		c.expect(codes(start), name, "/opt/x", sub)
	}
}

// wrapped puts a command behind every wrapper, and makes an applet of it.
func wrapped(command ...string) [][]string {
	var all [][]string
	for _, w := range wrappers {
		for name := range strings.FieldsSeq(w.names) {
			all = append(all, append(before(name, w), command...))
		}
	}
	for holder := range strings.FieldsSeq(multicalls) {
		all = append(all, append([]string{holder}, command...), append([]string{"env", holder}, command...))
	}
	return append(all, append([]string{"coreutils", appletOption + command[0]}, command[1:]...))
}

// before is a wrapper with the operands that it needs.
func before(name string, w wrapper) []string {
	argv := []string{name}
	for range w.operands {
		argv = append(argv, "5")
	}
	return argv
}

// Every option of every wrapper is read in each of its forms.
func TestGeneratedWrappers(t *testing.T) {
	c := &counted{T: t}
	defer c.done()
	for _, w := range wrappers {
		for name := range strings.FieldsSeq(w.names) {
			for _, holder := range [][]string{{name}, {"busybox", name}, {"toybox", name}, {"coreutils", name}, {"coreutils", appletOption + name}} {
				c.wrapper(w, holder)
			}
		}
	}
}

func (c *counted) wrapper(w wrapper, argv []string) {
	end := append(before("", w)[1:], "gopls")
	with := func(args ...string) []string { return slices.Concat(argv, args, end) }
	c.expect(codes(start), with()...)
	c.expect(codes(start), with("--")...)
	c.expect(codes(reason.WrapperUnknownOption), with("--unlisted")...)
	c.expect(codes(reason.WrapperUnknownOption), with("-Y")...)
	c.expect(codes(reason.WrapperMissingCommand), argv...)
	for o := range strings.FieldsSeq(w.options[flag]) {
		c.expect(codes(start), with(o)...)
		c.expect(codes(reason.WrapperMissingCommand), append(slices.Clone(argv), o)...)
		if len(o) == 2 && !w.words {
			c.expect(codes(reason.WrapperUnknownOption), with(o+"Y")...)
		}
	}
	for _, u := range []use{value, dir, setenv} {
		for o := range strings.FieldsSeq(w.options[u]) {
			c.expect(codes(start), with(o, "v")...)
			c.expect(codes(start), with(o+glue(o, w), "--")...)
			c.expect(codes(reason.WrapperMissingValue), append(slices.Clone(argv), o)...)
		}
	}
	for o := range strings.FieldsSeq(w.options[split]) {
		c.expect(codes(reason.WrapperSplitString), with(o, "v")...)
		c.expect(codes(reason.WrapperSplitString), with(o+glue(o, w))...)
	}
}

// glue is an attached value as an option takes it.
func glue(option string, w wrapper) string {
	if w.words || strings.HasPrefix(option, "--") {
		return "=v"
	}
	return "v"
}

// Eight wrappers pass and nine do not, in every order of two of them.
func TestGeneratedNesting(t *testing.T) {
	c := &counted{T: t}
	defer c.done()
	for _, a := range wrappers {
		for _, b := range wrappers {
			var argv []string
			for i := range maxDepth {
				w := []wrapper{a, b}[i%2]
				argv = append(argv, before(strings.Fields(w.names)[0], w)...)
			}
			c.expect(codes(start), append(slices.Clone(argv), "gopls")...)
			c.expect(codes(reason.WrapperDepth), append(argv, "env", "gopls")...)
		}
	}
}

// refusals are the codes of a language for its own string, for standard input
// and for an option that is not known.
func refusals(l language) (text, stdin, unknown reason.Code) {
	if l.shell {
		return reason.ShellCommandString, reason.ShellStdinProgram, reason.ShellUnknownOption
	}
	return reason.InlineProgram, reason.InterpreterStdinProgram, reason.InterpreterUnknownOption
}

// Every option of every language is read in each of its forms.
func TestGeneratedLanguages(t *testing.T) {
	c := &counted{T: t}
	defer c.done()
	for _, l := range slices.Concat(shells, interpreters) {
		for name := range strings.FieldsSeq(l.names) {
			c.language(l, name)
			for _, s := range spellings(name) {
				c.program(l, s)
			}
			for _, command := range wrapped(name) {
				c.program(l, command...)
			}
		}
	}
}

// program expects of a language what all of them have in common.
func (c *counted) program(l language, argv ...string) {
	text, in, _ := refusals(l)
	with := func(args ...string) []string { return slices.Concat(argv, args) }
	c.expect(codes(in), argv...)
	c.expect(codes(in), with("-")...)
	if has(l.options[inline], "-c") {
		c.expect(codes(text), with("-c", "code")...)
	}
	if l.family == powershell51 {
		c.expect(codes(text), with("/opt/x")...)
		return
	}
	c.expect(codes(start), with("/opt/x", "-c", "-e", "-")...)
	c.expect(codes(reason.ScriptUnsafePath), with("/dev/stdin")...)
}

func (c *counted) language(l language, argv ...string) {
	if l.family == powershell51 {
		return
	}
	with := func(args ...string) []string { return slices.Concat(argv, args) }
	for _, device := range []string{"/dev/stdin", "/DEV//./Stdin", `\proc\self\fd\0`, "../x", "/opt/../x"} {
		c.expect(codes(reason.ScriptUnsafePath), with(device)...)
		c.expect(codes(reason.ScriptUnsafePath), with(" "+device+"\t")...)
	}
	if l.family == getopt {
		c.getoptLanguage(l, argv)
	}
	if l.family == posix {
		c.posixLanguage(argv)
	}
}

func (c *counted) getoptLanguage(l language, argv []string) {
	text, in, unlisted := refusals(l)
	with := func(args ...string) []string { return slices.Concat(argv, args) }
	for o := range strings.FieldsSeq(strings.ReplaceAll(l.options[inline], "*", "x")) {
		c.expect(codes(text), with(o, "code")...)
		c.expect(codes(text), with(o+"=code", "/opt/x")...)
		c.expect(codes(text), with(" "+o+" ", "code", "/opt/x")...)
		c.expect(codes(text), with("--unlisted", o, "code", "/opt/x")...)
		if len(o) == 2 {
			c.expect(codes(text), with(o+"code")...)
			c.expect(codes(text), with("-Y"+o[1:]+"code", "/opt/x")...)
			for f := range strings.FieldsSeq(l.options[flag]) {
				if len(f) == 2 {
					c.expect(codes(text), with(f+o[1:], "code", "/opt/x")...)
				}
			}
		}
	}
	for f := range strings.FieldsSeq(strings.ReplaceAll(l.options[flag], "*", "x")) {
		c.expect(codes(start), with(f, "/opt/x")...)
		c.expect(codes(in), with(f)...)
	}
	for o := range strings.FieldsSeq(l.options[value]) {
		c.expect(codes(start), with(o, "v", "/opt/x")...)
		c.expect(codes(in), with(o, "/opt/x")...)
	}
	for o := range strings.FieldsSeq(l.options[load]) {
		c.expect(codes(start), with(o, "/opt/y", "/opt/x")...)
		c.expect(codes(reason.ScriptUnsafePath), with(o, "/dev/stdin", "/opt/x")...)
	}
	c.expect(codes(unlisted), with("--unlisted", "/opt/x")...)
	c.expect(codes(start), with("--unlisted", "v", "/opt/x")...)
	c.expect(codes(start), with("--unlisted=v", "/opt/x")...)
	c.expect(codes(in), with("--unlisted", "-", "/opt/x")...)
	c.expect(codes(reason.ScriptUnsafePath), with("--unlisted", "/dev/stdin", "/opt/x")...)
	c.expect(codes(reason.ScriptUnsafePath), with("--unlisted=/dev/stdin", "/opt/x")...)
}

// letters are those of a cluster that mean nothing here.
const letters = "abdefghijklmnpqrtuvwxyzABCDEFGHIJKLMNPQSUVWXYZ"

func (c *counted) posixLanguage(argv []string) {
	with := func(args ...string) []string { return slices.Concat(argv, args) }
	for _, sign := range []string{"-", "+", " -"} {
		for i := range letters {
			l := letters[i : i+1]
			c.expect(codes(start), with(sign+l, "/opt/x")...)
			c.expect(codes(reason.ShellStdinProgram), with(sign+l)...)
			for _, s := range []string{l + "s", "s" + l, l + "s" + l, "so" + l} {
				c.expect(codes(reason.ShellStdinProgram), with(sign+s, "/opt/x", "/opt/y")...)
			}
			for _, s := range []string{l + "c", "c" + l, "o" + l + "c", l + "sc"} {
				c.expect(codes(reason.ShellCommandString), with(sign+s, "code", "/opt/x")...)
			}
			c.expect(codes(start), with(sign+l+"o", "pipefail", "/opt/x")...)
			c.expect(codes(reason.ShellStdinProgram), with(sign+l+"o", "pipefail")...)
		}
		for _, v := range []string{"o", "O", "T", "R"} {
			c.expect(codes(start), with(sign+v, "v", "/opt/x")...)
			c.expect(codes(reason.ShellStdinProgram), with(sign+v, "/opt/x")...)
			c.expect(codes(start), with(sign+v+v, "v", "v", "/opt/x")...)
		}
	}
}

// Every beginning of a parameter of PowerShell that is refused, and of a long
// flag of fish.
func TestGeneratedPrefixes(t *testing.T) {
	c := &counted{T: t}
	defer c.done()
	for dash := range strings.SplitSeq("- \u2013 \u2014 \u2015 / --", " ") {
		for name := range strings.FieldsSeq("command commandwithargs cwa encodedcommand ec") {
			for i := 1; i <= len(name); i++ {
				for _, key := range []string{name[:i], strings.ToUpper(name[:i])} {
					c.expect(codes(reason.ShellCommandString), "pwsh", dash+key, "x")
					c.expect(codes(reason.ShellCommandString), "pwsh", "-nop", " "+dash+key, "x", "-File", "/opt/x")
				}
			}
		}
		for i := 1; i <= len("file"); i++ {
			c.expect(codes(start), "pwsh", dash+"file"[:i], "/opt/x", "-c", "x")
			if dash != "--" {
				c.expect(codes(start), "powershell", dash+"file"[:i], "/opt/x", "-c", "x")
				c.expect(codes(start), "powershell", dash+"nop", dash+"file"[:i], "/opt/x")
				c.expect(codes(reason.ShellCommandString), "powershell", dash+"file"[:i]+":/opt/x")
			}
		}
	}
	for flag := range strings.FieldsSeq("--command --commands --init-command") {
		for i := len("--c"); i <= len(flag); i++ {
			c.expect(codes(reason.ShellCommandString), "fish", flag[:i], "x", "/opt/x")
			c.expect(codes(reason.ShellCommandString), "fish", flag[:i]+"=x", "/opt/x")
		}
	}
}
