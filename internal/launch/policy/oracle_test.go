package policy_test

import (
	"path"
	"regexp"
	"strings"
)

// The oracle reads a command as the real programs do, each by a small model of
// its own option parser, and tells where the program comes from. It shares no
// code and no table with the engine, and knows nothing of what is refused.

// origin is where a shell or interpreter takes its program from.
type origin string

const (
	fromText  origin = "an argument"
	fromStdin origin = "standard input"
	fromFile  origin = "a file"
	fromOther origin = "nothing that the model knows" // an error, a version, a module
)

// models are the option parsers, by the name of the program.
var models = map[string]func(args []string) (origin, string){
	"bash": bashModel, "sh": dashModel, "dash": dashModel, "ash": dashModel, "ksh": dashModel, "mksh": dashModel,
	"zsh": zshModel, "csh": cshModel, "tcsh": cshModel, "fish": fishModel, "elvish": elvishModel, "nu": nuModel,
	"pwsh": pwshModel, "python": pythonModel, "pypy": pythonModel, "node": nodeModel, "nodejs": nodeModel,
	"perl": perlModel, "ruby": rubyModel, "php": phpModel, "lua": luaModel, "julia": juliaModel,
}

var versioned = regexp.MustCompile(`^([a-z]+?)w?(-?[0-9][0-9.]*t?)?$`)

// originOf tells where the program that begins an argv takes its program from. ok
// is false when it is none of those with a model.
func originOf(argv []string) (from origin, file string, ok bool) {
	name := strings.ToLower(path.Base(argv[0]))
	args := argv[1:]
	if (name == "busybox" || name == "toybox" || name == "coreutils") && len(args) > 0 {
		name = path.Base(strings.TrimPrefix(args[0], "--coreutils-prog="))
		args = args[1:]
	}
	model, ok := models[name]
	if m := versioned.FindStringSubmatch(name); !ok && m != nil {
		model, ok = models[m[1]]
	}
	if !ok {
		return "", "", false
	}
	from, file = model(args)
	if from == fromFile && isStdinFile(file) {
		from = fromStdin
	}
	return from, file, true
}

func isStdinFile(file string) bool {
	clean := strings.ToLower(path.Clean(file))
	return file == "" || strings.HasPrefix(clean, "/dev/") || strings.HasPrefix(clean, "/proc/")
}

// firstFile is the end of most models: the first operand is the script.
func firstFile(args []string) (origin, string) {
	if len(args) == 0 {
		return fromStdin, ""
	}
	return fromFile, args[0]
}

func bashModel(args []string) (origin, string) {
	for len(args) > 0 { // the long options come first, with one dash or two
		name := strings.TrimPrefix(strings.TrimPrefix(args[0], "-"), "-")
		if !strings.HasPrefix(args[0], "-") {
			break
		}
		switch name {
		case "rcfile", "init-file":
			if len(args) < 2 {
				return fromOther, ""
			}
			args = args[2:]
			continue
		case "login", "norc", "noprofile", "posix", "restricted", "verbose", "noediting", "debugger":
			args = args[1:]
			continue
		case "version", "help":
			return fromOther, ""
		}
		if name != "" && strings.HasPrefix(args[0], "--") {
			return fromOther, "" // bash knows no other one, and ends
		}
		break
	}
	text, in := false, false
	for len(args) > 0 && len(args[0]) > 0 && strings.ContainsAny(args[0][:1], "-+") {
		cluster := args[0]
		args = args[1:]
		if cluster == "-" || cluster == "--" {
			break
		}
		for _, c := range cluster[1:] {
			switch c {
			case '-':
				return fromOther, ""
			case 'c':
				text = true
			case 's':
				in = true
			case 'o', 'O':
				if len(args) > 0 {
					args = args[1:]
				}
			}
		}
	}
	switch {
	case text:
		return fromText, ""
	case in:
		return fromStdin, ""
	}
	return firstFile(args)
}

// dashModel is getopt with -o NAME, the name attached or not.
func dashModel(args []string) (origin, string) {
	return getoptModel(args, "o", "c", "s", true)
}

func zshModel(args []string) (origin, string) {
	if len(args) > 1 && args[0] == "--emulate" {
		args = args[2:]
	}
	for len(args) > 0 && strings.HasPrefix(args[0], "--") && args[0] != "--" {
		switch strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(args[0]), "-", ""), "_", "") {
		case "shinstdin":
			return fromStdin, ""
		case "norcs", "login", "posixbuiltins", "verbose", "privileged":
			args = args[1:]
		default:
			return fromOther, ""
		}
	}
	if len(args) > 1 && args[0] == "-o" && strings.EqualFold(strings.ReplaceAll(args[1], "_", ""), "shinstdin") {
		return fromStdin, ""
	}
	return getoptModel(args, "o", "c", "s", true)
}

func cshModel(args []string) (origin, string) {
	return getoptModel(args, "", "c", "st", false)
}

func fishModel(args []string) (origin, string) {
	for len(args) > 0 && strings.HasPrefix(args[0], "--") && args[0] != "--" {
		name, _, attached := strings.Cut(args[0], "=")
		isText := len(name) > len("--co") && strings.HasPrefix("--command", name) || len(name) > len("--in") && strings.HasPrefix("--init-command", name)
		if isText {
			return fromText, ""
		}
		args = args[1:]
		takes := strings.HasPrefix("--debug-output", name) || strings.HasPrefix("--profile-startup", name) || strings.HasPrefix("--features", name)
		if takes && !attached && len(args) > 0 {
			args = args[1:]
		}
	}
	return getoptModel(args, "dDfop", "cC", "", false)
}

// getoptModel reads clusters: letters with a value, letters whose value is the
// program, and letters that make standard input the program.
func getoptModel(args []string, values, text, in string, plus bool) (origin, string) {
	stdin := false
	for len(args) > 0 && len(args[0]) > 1 && (args[0][0] == '-' || plus && args[0][0] == '+') {
		cluster := args[0]
		args = args[1:]
		if cluster == "--" {
			break
		}
		if strings.HasPrefix(cluster, "--") {
			return fromOther, ""
		}
		for i, c := range cluster[1:] {
			if strings.ContainsRune(text, c) {
				return fromText, ""
			}
			stdin = stdin || strings.ContainsRune(in, c)
			if strings.ContainsRune(values, c) {
				if i+2 == len(cluster) && len(args) > 0 {
					args = args[1:]
				}
				break
			}
		}
	}
	if len(args) > 0 && args[0] == "-" || stdin {
		return fromStdin, ""
	}
	return firstFile(args)
}

func elvishModel(args []string) (origin, string) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		name, val, attached := strings.Cut(strings.TrimPrefix(args[0][1:], "-"), "=")
		off := attached && (val == "0" || strings.EqualFold(val, "false") || strings.EqualFold(val, "f"))
		args = args[1:]
		switch name {
		case "":
			return firstFile(args)
		case "c":
			if !off {
				return fromText, ""
			}
		case "lsp":
			if !off {
				return fromOther, ""
			}
		case "rc", "log", "db", "sock", "deprecation-level":
			if !attached && len(args) > 0 {
				args = args[1:]
			}
		case "i", "l", "norc", "compileonly", "json":
		default:
			return fromOther, ""
		}
	}
	return firstFile(args)
}

func nuModel(args []string) (origin, string) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		name, _, attached := strings.Cut(args[0], "=")
		args = args[1:]
		switch {
		case name == "--commands" || name == "--execute":
			return fromText, ""
		case name == "--lsp" || strings.HasPrefix(name, "--ide-"):
			return fromOther, ""
		case name == "--config" || name == "--env-config" || name == "--table-mode" || name == "--threads" || name == "--log-level":
			if !attached && len(args) > 0 {
				args = args[1:]
			}
		case name == "-m" || name == "-t" || name == "-I":
			if len(args) > 0 {
				args = args[1:]
			}
		case strings.HasPrefix(name, "--"):
		case strings.Trim(name, "-cehilnv") == "" && strings.ContainsAny(name, "ce"):
			return fromText, ""
		}
	}
	return firstFile(args)
}

// pwshModel matches the parameters as PowerShell 7 does: from the shortest form.
func pwshModel(args []string) (origin, string) {
	match := func(key, full, shortest string) bool {
		return len(key) >= len(shortest) && strings.HasPrefix(full, key)
	}
	for len(args) > 0 {
		arg := strings.TrimSpace(args[0])
		args = args[1:]
		runes := []rune(arg)
		if len(runes) == 0 || !strings.ContainsRune("-\u2013\u2014\u2015/", runes[0]) {
			return fromFile, arg
		}
		key := string(runes[1:])
		if len(runes) > 1 && runes[0] == runes[1] && runes[0] != '/' {
			key = string(runes[2:])
		}
		key = strings.ToLower(key)
		switch {
		case key == "" || match(key, "servermode", "s") || match(key, "sshservermode", "sshs"):
			return fromStdin, ""
		case match(key, "command", "c"), match(key, "encodedcommand", "e"), key == "ec", match(key, "commandwithargs", "commandw"), key == "cwa":
			return fromText, ""
		case match(key, "file", "f"):
			if len(args) > 0 && args[0] == "-" {
				return fromStdin, ""
			}
			return firstFile(args)
		case match(key, "version", "v"), match(key, "help", "h"), key == "?":
			return fromOther, ""
		case match(key, "executionpolicy", "ex"), key == "ep", match(key, "inputformat", "inp"), key == "if", match(key, "outputformat", "o"),
			key == "of", match(key, "workingdirectory", "wo"), key == "wd", match(key, "windowstyle", "w"), match(key, "settingsfile", "settings"),
			match(key, "configurationname", "config"), match(key, "custompipename", "cus"):
			if len(args) == 0 {
				return fromOther, ""
			}
			args = args[1:]
		case match(key, "noprofile", "nop"), match(key, "nologo", "nol"), match(key, "noexit", "noe"), match(key, "noninteractive", "noni"),
			match(key, "interactive", "i"), match(key, "login", "l"), match(key, "mta", "mta"), match(key, "sta", "sta"):
		default: // the name of a file
			return fromFile, arg
		}
	}
	return fromStdin, ""
}
