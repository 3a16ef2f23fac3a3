package policy

import (
	"strings"

	"mcpls/internal/launch/reason"
)

// reader reads the arguments of a shell or interpreter up to its script.
//
// What an option that is in no table takes is not known, so the arguments behind
// it are read both ways: the next one is its value, and is not. Each index of
// argv is reached or not, and all that is reached is checked. The command is
// refused when any reading of it is.
type reader struct {
	c       *checker
	l       language
	name    string // of the program, for messages
	runs    string // subcommands that are refused
	at      int
	reached []reach
	unknown string // the first option that is in no table
	moved   bool   // an option, or a wrapper before it, changes the directory
	loaded  string // an option that loads code by a path that is not absolute
}

// reach is how an index was come by.
type reach struct {
	bare     bool // no program was given before
	provided bool // an option before was the program
}

func newReader(c *checker, l language, names []string, args int) *reader {
	r := &reader{
		c: c, l: l, at: args,
		name:    first(l.names, names),
		reached: make([]reach, len(c.argv)+1),
		moved:   len(c.moved) > 0,
	}
	for _, t := range toolchainsOf(names) {
		r.runs += " " + t.runs
	}
	r.reached[args].bare = true
	return r
}

// read checks every argument that is reached, and that each reading ends in a
// script or another program.
func (r *reader) read() *reason.Refusal {
	end := len(r.c.argv)
	for ; r.at < end; r.at++ {
		if r.reached[r.at] == (reach{}) {
			continue
		}
		if refusal := r.argument(); refusal != nil {
			return refusal
		}
	}
	switch {
	case r.reached[end].bare:
		return r.noProgram()
	case r.moved && r.loaded != "":
		return refuse(reason.ScriptDirectory, hintScript, "option %s of %s loads code from a directory that was changed to", r.loaded, r.name)
	}
	return nil
}

// argument reads the argument at the present index. The space around an option
// is not part of it.
func (r *reader) argument() *reason.Refusal {
	arg := strings.TrimSpace(r.c.argv[r.at])
	if r.l.shell && arg == "+c" {
		return r.refused(option{name: arg}, inline)
	}
	switch r.l.family {
	case posix:
		return r.posixArgument(arg)
	case pwsh:
		return r.pwshArgument(arg)
	case powershell51:
		return r.powershell51Argument(arg)
	}
	switch {
	case arg == "--":
		return r.dashes()
	case arg == "-" || !strings.HasPrefix(arg, "-"):
		return r.operand(r.at)
	case r.l.family == words:
		return r.word(strings.TrimPrefix(arg[1:], "-"))
	case strings.HasPrefix(arg, "--"):
		return r.long(arg)
	case r.l.versions && strings.ContainsAny(arg[1:2], "0123456789"):
		r.next(1)
		return nil
	}
	return r.cluster(arg[1:])
}

// next says that the argument so many places on is read as well.
func (r *reader) next(places int) {
	to := min(r.at+places, len(r.c.argv))
	r.reached[to].bare = r.reached[to].bare || r.reached[r.at].bare
	r.reached[to].provided = r.reached[to].provided || r.reached[r.at].provided
}

// dashes reads --.
func (r *reader) dashes() *reason.Refusal {
	switch r.l.dashes {
	case noneFollows:
		return r.noProgramUnlessProvided()
	case nothing:
		r.next(1)
		return nil
	}
	return r.operand(r.at + 1)
}

func (r *reader) noProgramUnlessProvided() *reason.Refusal {
	if r.reached[r.at].bare {
		return r.noProgram()
	}
	return nil
}

// long reads an option with two dashes.
func (r *reader) long(arg string) *reason.Refusal {
	name, text, attached := strings.Cut(arg, "=")
	name = strings.TrimSpace(name)
	if r.l.underscores {
		name = strings.ReplaceAll(name, "_", "-")
	}
	return r.apply(option{name, text, attached}, r.l.options.abbreviated(name))
}

// word reads an option of a program that takes one or two dashes before it.
func (r *reader) word(arg string) *reason.Refusal {
	name, text, attached := strings.Cut(arg, "=")
	name = strings.TrimSpace(name)
	return r.apply(option{"-" + name, text, attached}, r.l.options.use(name))
}

// cluster reads the letters behind one dash. A letter that is in no table may
// have the others as its value, or stand among them.
func (r *reader) cluster(letters string) *reason.Refusal {
	for i := 0; i < len(letters); {
		letter := firstRune(letters[i:])
		i += len(letter)
		o := option{name: "-" + letter, text: letters[i:], attached: i < len(letters)}
		u := r.l.options.use(o.name)
		done, refusal := r.letter(o, u)
		if refusal != nil || done {
			return refusal
		}
		if u == digits {
			i = len(letters) - len(strings.TrimLeft(letters[i:], "0123456789"))
		}
	}
	r.next(1)
	return nil
}

func firstRune(s string) string {
	for i := range s {
		if i > 0 {
			return s[:i]
		}
	}
	return s
}

// letter reads one letter of a cluster, and reports whether it was the last one.
func (r *reader) letter(o option, u use) (bool, *reason.Refusal) {
	switch u {
	case flag:
		return false, nil
	case digits:
		after := strings.TrimLeft(o.text, "0123456789")
		if strings.HasPrefix(after, ":") || strings.HasPrefix(after, "=") {
			r.next(1)
			return true, nil
		}
		return false, nil
	case debugger:
		return r.debugger(o)
	case unknown:
		return false, r.apply(o, u)
	}
	o.text = strings.TrimPrefix(o.text, "=")
	return true, r.apply(o, u)
}

// debugger reads perl -d: a module after a colon, or nothing.
func (r *reader) debugger(o option) (bool, *reason.Refusal) {
	text := strings.TrimPrefix(o.text, "t")
	if !strings.HasPrefix(text, ":") && !strings.HasPrefix(text, "=") {
		return false, nil
	}
	return true, r.apply(option{o.name, text[1:], true}, imports)
}

// option is one option as it was written: text is its value when it is attached.
type option struct {
	name     string
	text     string
	attached bool
}

// apply does what an option of the given use does.
func (r *reader) apply(o option, u use) *reason.Refusal {
	switch u {
	case flag, optional, digits, rest:
		r.next(1)
		return nil
	case inline, stdin, several, tasks:
		return r.refused(o, u)
	case source:
		return r.source(o)
	case dirRest:
		r.moved = r.moved || o.text != ""
		r.next(1)
		return nil
	case unknown:
		return r.unlisted(o)
	}
	return r.valued(o, u)
}

// refused is the refusal of an option that the tables refuse.
func (r *reader) refused(o option, u use) *reason.Refusal {
	switch u {
	case stdin:
		return r.stdin("option %s of %s makes standard input the program", o.name, r.name)
	case several:
		return refuse(reason.ShellUnknownOption, hintScript, "option %s of %s takes several arguments, so the script cannot be told", o.name, r.name)
	case tasks:
		return refuse(reason.RunSubcommand, hintInstall, "option %s of %s runs what the workspace says", o.name, r.name)
	}
	if r.l.shell {
		return refuse(reason.ShellCommandString, hintScript, "option %s gives %s a command string", o.name, r.name)
	}
	return refuse(reason.InlineProgram, hintScript, "option %s gives %s its program as an argument", o.name, r.name)
}

// source reads an option that is the program. elvish takes a value that can turn
// it off again.
func (r *reader) source(o option) *reason.Refusal {
	if o.attached && !has("1 t T TRUE true True", o.text) && r.l.family == words {
		r.next(1)
		return nil
	}
	to := min(r.at+1, len(r.c.argv))
	r.reached[to].provided = true
	return nil
}

// unlisted reads an option that is in no table: as taking a value, and as taking
// none.
func (r *reader) unlisted(o option) *reason.Refusal {
	if r.unknown == "" {
		r.unknown = o.name
	}
	r.next(1)
	if o.attached {
		return r.code(strings.TrimPrefix(o.text, "="))
	}
	r.next(2)
	return nil
}

// valued reads an option with a value.
func (r *reader) valued(o option, u use) *reason.Refusal {
	text, places, ok := r.valueOf(o)
	if !ok {
		return r.noProgramUnlessProvided()
	}
	after := r.c.argv[r.at+places:]
	switch u {
	case script:
		return r.scriptValue(text, after)
	case module:
		return r.module(text, after)
	}
	r.next(places)
	if strings.HasPrefix(strings.TrimSpace(text), "-") {
		r.next(1) // it may be an option after all
	}
	switch u {
	case imports:
		return r.imports(o, text)
	case dir:
		r.moved = true
		r.c.moved = append(r.c.moved, strings.TrimSpace(text))
		return nil
	case load:
		if !absolute(text, r.c.m.Windows()) {
			r.loaded = o.name
		}
	}
	return r.code(text)
}

// valueOf gives the value of an option, and how many arguments the two are.
func (r *reader) valueOf(o option) (text string, places int, ok bool) {
	switch {
	case o.attached:
		return o.text, 1, true
	case r.at+1 < len(r.c.argv):
		return r.c.argv[r.at+1], 2, true
	}
	return "", 0, false
}

// scriptValue decides on a script that an option names.
func (r *reader) scriptValue(text string, args []string) *reason.Refusal {
	if refusal := r.script(text); refusal != nil {
		return refusal
	}
	return r.runner(text, args)
}

// noProgram is the refusal when nothing is left that could be the program.
func (r *reader) noProgram() *reason.Refusal {
	if r.unknown == "" {
		return r.stdin("%s has no script, so it would read its program from standard input", r.name)
	}
	code := reason.InterpreterUnknownOption
	if r.l.shell {
		code = reason.ShellUnknownOption
	}
	return refuse(code, hintScript, "option %s of %s is not known, and no script is left when it takes a value", r.unknown, r.name)
}

// stdin is a refusal because the program would come from standard input.
func (r *reader) stdin(format string, args ...string) *reason.Refusal {
	code := reason.InterpreterStdinProgram
	if r.l.shell {
		code = reason.ShellStdinProgram
	}
	return refuse(code, hintScript, format, args...)
}
