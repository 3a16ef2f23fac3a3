package policy

// family is how the options of a language are read.
type family int

const (
	getopt       family = iota // clusters of letters, and words with two dashes
	posix                      // as getopt, each letter of a cluster and its value apart
	words                      // one or two dashes before a word
	pwsh                       // PowerShell
	powershell51               // Windows PowerShell 5.1
)

// dashes is what -- does.
type dashes int

const (
	scriptFollows dashes = iota // ends the options: the script is next
	noneFollows                 // ends the options, and no script can follow
	nothing                     // is one more option
)

// language is a shell or an interpreter: what takes its program from a script.
type language struct {
	names   string
	shell   bool
	family  family
	options options
	// repls are operands that are no script and make standard input the program,
	// and commands ones that are none and are admitted.
	repls, commands string
	underscores     bool // _ in a long option is read as -
	urls            bool // code may be named by a data: or file: URL
	versions        bool // -3 and -3.12 are options
	dashes          dashes
}

// shells are the shells. The options of a shell that make
// its program a string are those of the security policy, "A command string
// cannot be analyzed either"; the names are of the same place. Options that are
// in no table are read as taking a value and as taking none.
var shells = []language{
	{
		names:  "sh bash zsh dash ash hush ksh mksh lksh oksh yash posh",
		shell:  true,
		family: posix,
		options: options{
			inline: "-c --command --commands --cmdline",
			stdin:  "-s --shinstdin --stdin",
			// The value letters of the policy.
			value: "-o -O -T -R --rcfile --init-file --profile --emulate",
		},
	},
	{
		names: "csh tcsh",
		shell: true,
		options: options{
			inline: "-c --command --commands",
			stdin:  "-s -t", // -t reads one line
			flag:   "-d -e -f -F -i -l -m -n -q -v -V -x -X",
			rest:   "-D",
		},
	},
	{
		names: "fish",
		shell: true,
		options: options{
			inline: "-c -C --command --commands --init-command",
			flag: "-i -l -n -N -P -v -h --interactive --login --no-execute --no-config --private " +
				"--print-rusage-self --print-debug-categories --version --help",
			value: "-d -D -f -o -p --debug --debug-stack-frames --features --debug-output --profile --profile-startup",
		},
	},
	{
		names:  "elvish",
		shell:  true,
		family: words,
		options: options{
			inline: "c command commands",
			source: "lsp",
			flag:   "i l norc compileonly json buildinfo version help",
			load:   "rc",
			value:  "log db sock deprecation-level",
		},
	},
	{
		names:  "nu",
		shell:  true,
		dashes: nothing,
		options: options{
			inline: "-c -e --command --commands --execute",
			source: "--lsp --ide-*",
			flag: "-i -l -n -v -h --interactive --login --no-config-file --no-history --no-newline --no-std-lib " +
				"--stdin --version --help",
			load: "--config --env-config --plugin-config",
			value: "-m -t -I --table-mode --error-style --threads --include-path --log-level --log-target " +
				"--plugins --experimental-options",
		},
	},
	{
		names: "xonsh",
		shell: true,
		options: options{
			inline:  "-c --command --commands",
			several: "--rc",
			flag: "-i -l -h -V --interactive --login --no-rc --no-env --no-script-cache --cache-everything " +
				"--timings --save-origin-env --help --version",
			value: "-D --shell-type",
		},
	},
	{
		names:  "pwsh",
		shell:  true,
		family: pwsh,
		options: options{
			inline: "command commandwithargs cwa encodedcommand ec encodedarguments ea",
			script: "file",
			stdin:  "servermode sshservermode namedpipeservermode socketservermode",
			dir:    "workingdirectory wd wo",
			flag: "help ? interactive login mta sta noexit nologo noninteractive noprofile " +
				"noprofileloadtime version",
			value: "configurationfile configurationname custompipename executionpolicy ep inputformat if " +
				"outputformat of settingsfile windowstyle psconsolefile",
		},
	},
	{
		// The known parameters of 5.1, in the form shortest:rest. Source:
		// security policy, "for it only the known parameters of 5.1".
		names:  "powershell",
		shell:  true,
		family: powershell51,
		options: options{
			script: "f:ile",
			inline: "c:ommand e:ncodedcommand ec: encodeda:rguments ea:",
			stdin:  "s:ervermode",
			flag:   "h:elp ?: noe:xit nol:ogo noni:nteractive nop:rofile sta: mta: imp:ortsystemmodules",
			value: "v:ersion w:indowstyle psc:onsolefile config:urationname ex:ecutionpolicy ep: " +
				"inp:utformat if: o:utputformat of:",
		},
	},
}

// standardInput are the names by which set -o and its kin know -s and -c, in
// lower case and without the dashes and underscores that zsh and yash pass over.
const (
	stdinSettings  = "shinstdin stdin"
	inlineSettings = "cmdline"
)
