package policy_test

import "strings"

// The models of the interpreters: see originOf.

func pythonModel(args []string) (origin, string) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		a := args[0]
		args = args[1:]
		if a == "--" {
			break
		}
		if strings.HasPrefix(a, "--") {
			if a == "--check-hash-based-pycs" && len(args) > 0 {
				args = args[1:]
				continue
			}
			return fromOther, ""
		}
		for i, c := range a[1:] {
			switch c {
			case 'c':
				return fromText, ""
			case 'm':
				return fromOther, ""
			case 'h', 'V', '?':
				return fromOther, ""
			case 'X', 'W':
				if i+2 == len(a) && len(args) > 0 {
					args = args[1:]
				}
			default:
				continue
			}
			break
		}
	}
	return scriptOrDash(args)
}

func nodeModel(args []string) (origin, string) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		name, val, attached := strings.Cut(args[0], "=")
		if strings.HasPrefix(name, "--") {
			name = strings.ReplaceAll(name, "_", "-")
		}
		args = args[1:]
		if name == "--" {
			break
		}
		switch name {
		case "-e", "-p", "-pe", "--eval", "--print":
			return fromText, ""
		case "-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--title", "--env-file":
			if !attached && len(args) > 0 {
				val, args = args[0], args[1:]
			}
			plain := strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(val)
			if strings.Contains(name, "import") || strings.Contains(name, "loader") {
				if strings.HasPrefix(strings.ToLower(strings.TrimLeft(plain, " ")), "data:") {
					return fromText, ""
				}
			}
		case "-v", "--version", "-h", "--help", "--run":
			return fromOther, ""
		}
	}
	return scriptOrDash(args)
}

func perlModel(args []string) (origin, string) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		a := args[0]
		args = args[1:]
		if a == "--" {
			break
		}
	cluster:
		for i := 1; i < len(a); i++ {
			switch a[i] {
			case 'e', 'E':
				return fromText, ""
			case '0', 'l':
				for i+1 < len(a) && a[i+1] >= '0' && a[i+1] <= '7' {
					i++
				}
			case 'I':
				if i+1 == len(a) && len(args) > 0 {
					args = args[1:]
				}
				break cluster
			case 'M', 'm':
				if strings.ContainsAny(a[i:], ";\n") {
					return fromText, ""
				}
				break cluster
			case 'd':
				if i+1 < len(a) && a[i+1] == ':' {
					if strings.ContainsRune(a[i:], ';') {
						return fromText, ""
					}
					break cluster
				}
			case 'i', 'x', 'F', 'C', 'D':
				break cluster
			case 'V', 'v', 'h', '-':
				return fromOther, ""
			}
		}
	}
	return scriptOrDash(args)
}

func rubyModel(args []string) (origin, string) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		a := args[0]
		args = args[1:]
		if a == "--" {
			break
		}
		if strings.HasPrefix(a, "--") {
			switch a {
			case "--encoding", "--external-encoding", "--internal-encoding", "--disable", "--enable":
				if len(args) > 0 {
					args = args[1:]
				}
			case "--version", "--help", "--copyright":
				return fromOther, ""
			}
			continue
		}
	cluster:
		for i := 1; i < len(a); i++ {
			switch a[i] {
			case 'e':
				return fromText, ""
			case 'C', 'X', 'E', 'I', 'r':
				if i+1 == len(a) && len(args) > 0 {
					args = args[1:]
				}
				break cluster
			case 'F', 'i', 'K', 'x', 'T':
				break cluster
			case 'W':
				if i+1 < len(a) && a[i+1] == ':' {
					break cluster
				}
			case 'h', 'v':
				return fromOther, ""
			}
		}
	}
	return scriptOrDash(args)
}

func phpModel(args []string) (origin, string) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		a := args[0]
		args = args[1:]
		if a == "--" {
			return fromStdin, ""
		}
		if name, val, attached := strings.Cut(a, "="); strings.HasPrefix(a, "--") {
			switch name {
			case "--run", "--process-begin", "--process-code", "--process-end", "--process-file":
				return fromText, ""
			case "--file":
				if attached {
					return fromFile, val
				}
				return firstFile(args)
			case "--define", "--php-ini", "--docroot", "--zend-extension", "--server":
				if !attached && len(args) > 0 {
					args = args[1:]
				}
			}
			continue
		}
	cluster:
		for i := 1; i < len(a); i++ {
			switch a[i] {
			case 'r', 'R', 'B', 'E', 'F':
				return fromText, ""
			case 'a':
				return fromStdin, ""
			case 'f':
				if i+1 < len(a) {
					return fromFile, strings.TrimPrefix(a[i+1:], "=")
				}
				return firstFile(args)
			case 'c', 'd', 't', 'z', 'S':
				if i+1 == len(a) && len(args) > 0 {
					args = args[1:]
				}
				break cluster
			case 'h', 'v', 'i', 'm':
				return fromOther, ""
			}
		}
	}
	return scriptOrDash(args)
}

func luaModel(args []string) (origin, string) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		a := args[0]
		args = args[1:]
		switch {
		case a == "--":
			return scriptOrDash(args)
		case strings.HasPrefix(a, "-e"):
			return fromText, ""
		case a == "-l" && len(args) > 0:
			args = args[1:]
		case a == "-i", a == "-E", a == "-W", strings.HasPrefix(a, "-l"):
		default:
			return fromOther, ""
		}
	}
	return scriptOrDash(args)
}

// scriptOrDash is firstFile where - is standard input.
func scriptOrDash(args []string) (origin, string) {
	if len(args) > 0 && args[0] == "-" {
		return fromStdin, ""
	}
	return firstFile(args)
}

func juliaModel(args []string) (origin, string) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		name, _, attached := strings.Cut(args[0], "=")
		args = args[1:]
		switch {
		case name == "--":
			return scriptOrDash(args)
		case len(name) > 3 && (strings.HasPrefix("--eval", name) || strings.HasPrefix("--print", name)):
			return fromText, ""
		case strings.HasPrefix(name, "--"):
			if !attached && (name == "--load" || name == "--threads" || name == "--procs" || name == "--sysimage" || name == "--home" || name == "--machine-file") && len(args) > 0 {
				args = args[1:]
			}
		case name[1] == 'm':
			return fromOther, ""
		case strings.ContainsAny(name[1:2], "eE"):
			return fromText, ""
		case strings.ContainsAny(name[1:2], "CHJLpt"):
			if len(name) == 2 && len(args) > 0 {
				args = args[1:]
			}
		}
	}
	return scriptOrDash(args)
}
