package policy

import "strings"

// use is what an option means to the program that takes it.
type use int

const (
	unknown  use = iota // in no table
	flag                // takes no value
	optional            // takes a value after = only
	digits              // takes digits that are attached, or text after an attached colon
	rest                // takes what is attached as its value, and nothing else
	value               // takes a value, attached, after = or as the next argument
	load                // takes a value that names code to load
	dir                 // takes the directory to change to
	dirRest             // takes the directory to change to, attached only
	imports             // takes a module and an import list, attached or the next argument
	debugger            // perl -d: the same after an attached colon, else nothing
	inline              // takes the program itself
	stdin               // makes standard input the program
	several             // takes as many arguments as follow
	tasks               // runs what a file of the working directory says
	script              // takes the script
	module              // takes the module that is the program
	source              // is the program: a server that is built in
	split               // takes a string that is split into a command
	search              // takes the PATH for the command
	setenv              // takes one NAME=VALUE
)

// options is a closed table: for each use the names of the options that have it,
// with their dashes, separated by spaces. A name that ends in * stands for all
// that begin so.
type options map[use]string

// use gives the use of an option, and unknown when it is not in the table. A
// name that is spelled out counts before one that ends in *.
func (o options) use(name string) use {
	found := unknown
	for u, names := range o {
		for n := range strings.FieldsSeq(names) {
			if n == name {
				return u
			}
			if begin, wild := strings.CutSuffix(n, "*"); wild && strings.HasPrefix(name, begin) {
				found = u
			}
		}
	}
	return found
}

// refusing are the uses that a shortened name has as well: many programs take
// any beginning of a long option that no other one shares.
var refusing = []use{inline, stdin, several, tasks}

// abbreviated is use for a name with two dashes that may be shortened. A name
// that could be short for an option that is refused counts as that one.
func (o options) abbreviated(name string) use {
	if u := o.use(name); u != unknown || len(name) < len("--x") {
		return u
	}
	for _, u := range refusing {
		for n := range strings.FieldsSeq(o[u]) {
			if strings.HasPrefix(n, name) {
				return u
			}
		}
	}
	return unknown
}

// has reports whether a list of names separated by spaces has the name.
func has(names, name string) bool {
	for n := range strings.FieldsSeq(names) {
		if n == name {
			return true
		}
	}
	return false
}
