package policy

// wrapper is a program that starts the command behind its options. Options are
// read as getopt does when it stops at the first operand.
type wrapper struct {
	names    string
	options  options
	numeric  bool // -5, --5 and -+5 are options
	words    bool // an option is the whole argument, never a cluster of letters
	operands int  // operands before the command
	assigns  bool // NAME=VALUE operands before the command set its environment
}

// wrappers are the programs that are passed. Source: security policy, "The
// wrappers with a small option grammar". The options are those of GNU, BSD,
// macOS, busybox and toybox together; one that means two things is left out.
var wrappers = []wrapper{
	{
		names:   "env genv",
		assigns: true,
		options: options{
			flag:     "-i -0 -v --ignore-environment --null --debug --list-signal-handling",
			optional: "--block-signal --default-signal --ignore-signal",
			value:    "-u --unset",
			dir:      "-C --chdir",
			split:    "-S --split-string",
			search:   "-P",
		},
	},
	{
		names: "time gtime",
		options: options{
			flag:  "-a -h -l -p -q -v --append --portability --quiet --verbose",
			value: "-f -o --format --output",
		},
	},
	{
		names:   "nice gnice",
		numeric: true,
		options: options{value: "-n --adjustment"},
	},
	{
		names: "nohup gnohup",
	},
	{
		names:    "timeout gtimeout",
		operands: 1, // the duration
		options: options{
			flag:  "-f -p -v --foreground --preserve-status --verbose",
			value: "-k -s --kill-after --signal",
		},
	},
	{
		names:   "setsid",
		options: options{flag: "-c -f -w --ctty --fork --wait"},
	},
	{
		names:   "stdbuf gstdbuf",
		options: options{value: "-i -o -e --input --output --error"},
	},
	{
		names: "caffeinate",
		options: options{
			flag:  "-d -i -m -s -u",
			value: "-t -w",
		},
	},
	{
		names: "arch",
		words: true,
		options: options{
			flag:   "-32 -64 -arm64 -arm64e -i386 -x86_64 -x86_64h -c",
			value:  "-arch -d",
			setenv: "-e",
		},
	},
}

// multicalls are the binaries whose first argument is the program: an applet,
// which is looked up by its name and not on the PATH.
const multicalls = "busybox toybox coreutils"

// The options by which coreutils takes its applet. The second one reads the
// arguments from a script, and is refused.
const (
	appletOption  = "--coreutils-prog="
	shebangOption = "--coreutils-prog-shebang="
)
