package policy

import (
	"strings"

	"mcpls/internal/launch/reason"
)

// posixArgument reads one argument of a POSIX shell: a word with two dashes, a
// cluster of letters behind - or +, or the script.
func (r *reader) posixArgument(arg string) *reason.Refusal {
	switch {
	case arg == "--":
		return r.operand(r.at + 1)
	case arg == "-" || arg == "+" || arg == "" || arg[0] != '-' && arg[0] != '+':
		return r.operand(r.at)
	case strings.HasPrefix(arg, "--"):
		return r.posixLong(arg)
	}
	return r.posixCluster(arg)
}

// posixLong reads a word with two dashes. These shells have a few with a value;
// every other one turns a setting on, by a name that some of them write in any
// case and with dashes and underscores anywhere.
func (r *reader) posixLong(arg string) *reason.Refusal {
	name, text, attached := strings.Cut(arg, "=")
	o := option{strings.TrimSpace(name), text, attached}
	u := r.l.options.abbreviated(strings.ToLower(o.name))
	if u == unknown {
		if refusal := r.setting(o.name, o.name[2:]); refusal != nil {
			return refusal
		}
		if u = flag; r.shortForValue(o.name) {
			u = unknown
		}
	}
	return r.apply(o, u)
}

// shortForValue reports whether a name may be short for an option with a value.
func (r *reader) shortForValue(name string) bool {
	for n := range strings.FieldsSeq(r.l.options[value]) {
		if strings.HasPrefix(n, "--") && strings.HasPrefix(n, name) {
			return true
		}
	}
	return false
}

// posixCluster reads the letters of a cluster. Every letter counts; each value
// letter takes one argument of those that follow. By the rules of some shells -o
// takes the letters behind it instead, and the other ones take nothing.
func (r *reader) posixCluster(arg string) *reason.Refusal {
	values, attached := 0, false
	for _, u := range []use{inline, stdin} {
		for _, letter := range arg[1:] {
			if r.l.options.use("-"+string(letter)) == u {
				return r.refused(option{name: arg[:1] + string(letter)}, u)
			}
		}
	}
	for i, letter := range arg[1:] {
		if r.l.options.use("-"+string(letter)) == value {
			values++
			attached = attached || letter != 'o' || i+2 < len(arg)
		}
	}
	if refusal := r.settings(arg, values); refusal != nil {
		return refusal
	}
	r.next(1 + values)
	if attached || r.l.options.use("-"+arg) == value { // bash reads -init-file too
		r.next(1)
		r.next(2)
	}
	return nil
}

// settings decides on the values of a cluster.
func (r *reader) settings(arg string, values int) *reason.Refusal {
	for i := r.at + 1; i <= r.at+values && i < len(r.c.argv); i++ {
		if refusal := r.setting(arg, r.c.argv[i]); refusal != nil {
			return refusal
		}
	}
	return nil
}

// setting refuses a setting that is -s or -c by its long name, also shortened.
func (r *reader) setting(written, name string) *reason.Refusal {
	plain := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(strings.TrimSpace(name)))
	switch {
	case beginsOne(stdinSettings, plain):
		return r.refused(option{name: written}, stdin)
	case beginsOne(inlineSettings, plain):
		return r.refused(option{name: written}, inline)
	}
	return nil
}

// beginsOne reports whether one of the names begins with at least two letters
// that are all of name.
func beginsOne(names, name string) bool {
	for n := range strings.FieldsSeq(names) {
		if len(name) >= 2 && strings.HasPrefix(n, name) {
			return true
		}
	}
	return false
}
