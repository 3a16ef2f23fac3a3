package policy

import (
	"strings"

	"mcpls/internal/launch/reason"
)

// dashRunes are what PowerShell reads as a dash: the hyphen, the en dash, the em
// dash and the horizontal bar.
const dashRunes = "-\u2013\u2014\u2015"

// parameter takes the dash or slash from a parameter, and tells whether there
// was one. twice allows the dash to be doubled.
func parameter(arg string, twice bool) (key string, ok bool) {
	head := firstRune(arg)
	if head == "" || !strings.Contains(dashRunes+"/", head) {
		return "", false
	}
	key = arg[len(head):]
	if twice && head != "/" {
		key = strings.TrimPrefix(key, head)
	}
	return strings.ToLower(key), true
}

// pwshArgument reads one argument of PowerShell 6 and later. A parameter may be
// shortened to any beginning of its name; the first argument that is none is the
// script.
func (r *reader) pwshArgument(arg string) *reason.Refusal {
	key, ok := parameter(arg, true)
	switch {
	case !ok:
		return r.operand(r.at)
	case key == "":
		return r.stdin("%s is given - as its script, which is standard input", r.name)
	}
	uses := r.meanings(key)
	switch {
	case len(uses) == 0 && strings.HasPrefix(arg, "/"):
		return r.operand(r.at)
	case len(uses) == 0:
		name, _, attached := cutValue(key)
		return r.apply(option{"-" + name, "", attached}, unknown)
	}
	for _, u := range uses {
		if refusal := r.apply(option{name: "-" + key}, u); refusal != nil {
			return refusal
		}
	}
	return nil
}

// cutValue cuts a value off a parameter.
func cutValue(key string) (name, text string, attached bool) {
	i := strings.IndexAny(key, ":=")
	if i < 0 {
		return key, "", false
	}
	return key[:i], key[i+1:], true
}

// meanings are the uses of all parameters that a key may be short for, of the
// one alone that it is. Those that are refused come first.
func (r *reader) meanings(key string) []use {
	if u := r.l.options.use(key); u != unknown {
		return []use{u}
	}
	var uses []use
	for _, u := range []use{inline, stdin, script, dir, value, flag} {
		for n := range strings.FieldsSeq(r.l.options[u]) {
			if strings.HasPrefix(n, key) {
				uses = append(uses, u)
				break
			}
		}
	}
	return uses
}

// powershell51Argument reads one argument of Windows PowerShell 5.1. It begins
// its command string at the first argument that is no parameter of its own, so
// all others are refused.
func (r *reader) powershell51Argument(arg string) *reason.Refusal {
	key, ok := parameter(arg, false)
	if !ok || strings.TrimSpace(arg) == "" {
		return refuse(reason.ShellCommandString, hintScript, "%s reads an argument that is no parameter as a command string", r.name)
	}
	if key == "" {
		return r.stdin("%s is given - as its script, which is standard input", r.name)
	}
	u := r.l.parameter51(key)
	name, _, _ := cutValue(key)
	if u == unknown {
		return refuse(reason.ShellCommandString, hintScript, "%s begins a command string at the parameter -%s, which it does not know", r.name, name)
	}
	return r.apply(option{name: "-" + name}, u)
}

// parameter51 is the use of a parameter in the form shortest:rest.
func (l language) parameter51(key string) use {
	for u, names := range l.options {
		for n := range strings.FieldsSeq(names) {
			shortest, rest, _ := strings.Cut(n, ":")
			if strings.HasPrefix(key, shortest) && strings.HasPrefix(shortest+rest, key) {
				return u
			}
		}
	}
	return unknown
}
