package policy

import (
	"net/url"
	"slices"
	"strings"

	"mcpls/internal/launch/reason"
)

// operand decides on the first operand, at an index: a subcommand or the script.
func (r *reader) operand(at int) *reason.Refusal {
	if at >= len(r.c.argv) {
		return r.noProgramUnlessProvided()
	}
	written := r.c.argv[at]
	if has(r.runs, written) {
		return refuse(reason.RunSubcommand, hintInstall, "%s %s runs what the workspace says", r.name, written)
	}
	if has(r.l.repls, written) {
		return r.stdin("%s %s reads its program from standard input", r.name, written)
	}
	if has(r.l.commands, written) {
		return nil
	}
	return r.scriptValue(written, r.c.argv[at+1:])
}

// script decides on the text that names the script.
func (r *reader) script(text string) *reason.Refusal {
	if strings.TrimSpace(text) == "" {
		return r.stdin("%s has an empty script, so it would read its program from standard input", r.name)
	}
	if refusal := r.code(text); refusal != nil {
		return refusal
	}
	if r.moved && !absolute(text, r.c.m.Windows()) {
		return refuse(reason.ScriptDirectory, hintScript, "%s is given a relative script after the directory was changed", r.name)
	}
	return nil
}

// code decides on a text that names code to load, whatever it is for.
func (r *reader) code(text string) *reason.Refusal {
	if r.l.urls {
		var refusal *reason.Refusal
		if text, refusal = r.address(text); refusal != nil {
			return refusal
		}
	}
	if has(packageSchemes, scheme(text)) && r.l.urls {
		return refuse(reason.PackageRunner, hintInstall, "%s is given a package to run", r.name)
	}
	switch text = strings.TrimSpace(text); {
	case text == "-":
		return r.stdin("%s is given - as its script, which is standard input", r.name)
	case underDevices(text):
		return refuse(reason.ScriptUnsafePath, hintScript, "%s is given a script below /dev or /proc", r.name)
	case slices.Contains(strings.FieldsFunc(text, isSlash), ".."):
		return refuse(reason.ScriptUnsafePath, hintScript, "%s is given a script whose path has a .. component", r.name)
	case text != "" && r.special(text):
		return refuse(reason.ScriptUnsafePath, hintScript, "%s is given a script that is a device, a FIFO or a socket", r.name)
	}
	return nil
}

func isSlash(r rune) bool { return r == '/' || r == '\\' }

// special reports whether a path leads to what is no file, from the start
// directory and from those that were changed to.
func (r *reader) special(text string) bool {
	for _, path := range r.c.places(text) {
		if r.c.m.Kind(path) == Special {
			return true
		}
	}
	return r.c.m.Windows() && isConsole(text)
}

// isConsole reports whether a path of Windows is the console. Beyond the policy.
func isConsole(text string) bool {
	name, _, _ := strings.Cut(base(text, true), ".")
	return has("con conin$", strings.ToLower(strings.Trim(name, " :")))
}

// underDevices reports whether the text is a path below /dev or /proc, however
// it is spelled.
func underDevices(text string) bool {
	text = strings.ToLower(strings.ReplaceAll(text, `\`, "/"))
	for shorter := ""; text != shorter; {
		shorter = text
		text = strings.ReplaceAll(strings.ReplaceAll(text, "//", "/"), "/./", "/")
	}
	return strings.HasPrefix(text, "/dev/") || strings.HasPrefix(text, "/proc/")
}

// scheme is the beginning of an address up to its colon.
func scheme(text string) string {
	name, _, ok := strings.Cut(text, ":")
	if !ok {
		return ""
	}
	return name + ":"
}

// address decides on a text that may be a URL, and gives the path of a file: one.
// As those who read URLs do, it passes over tabs and newlines inside and over
// space and controls around.
func (r *reader) address(text string) (string, *reason.Refusal) {
	plain := strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(text)
	plain = strings.TrimFunc(plain, func(c rune) bool { return c <= ' ' })
	switch strings.ToLower(scheme(plain)) {
	case "data:":
		return "", refuse(reason.InlineProgram, hintScript, "%s is given a data: URL, which is the program itself", r.name)
	case "file:":
		path := plain[len("file:"):]
		if decoded, err := url.PathUnescape(path); err == nil {
			path = decoded
		}
		return strings.TrimPrefix(path, "//localhost"), nil
	}
	return text, nil
}

// module decides on the module of python -m and its kin, and on its arguments.
func (r *reader) module(text string, args []string) *reason.Refusal {
	text = strings.TrimSpace(text)
	if text == "" {
		return r.noProgram()
	}
	if refusal := r.code(text); refusal != nil {
		return refusal
	}
	if r.moved {
		return refuse(reason.ScriptDirectory, hintScript, "%s looks a module up in a directory that was changed to", r.name)
	}
	name, _, _ := strings.Cut(text, ".")
	if has(stdinModules, name) {
		return r.stdin("module %s of %s reads a program from its arguments or from standard input", name, r.name)
	}
	return refuseProgram([]string{strings.ToLower(name)}, args)
}

// runner refuses a script that is a package runner or another program of the
// lists, as it or as the file it leads to.
func (r *reader) runner(text string, args []string) *reason.Refusal {
	paths := []string{text}
	if canonical, ok := r.c.m.Canonical(r.c.m.Abs(text)); ok {
		paths = append(paths, canonical)
	}
	for _, p := range paths {
		name := strings.ToLower(base(p, r.c.m.Windows()))
		if isRunnerScript(name) {
			return refuse(reason.PackageRunner, hintInstall, "%s is given the script of a package runner: %s", r.name, name)
		}
		if refusal := refuseProgram(variants(name), args); refusal != nil {
			return refusal
		}
	}
	return nil
}

// isRunnerScript reports whether the base of a path is that of the script of a
// package runner.
func isRunnerScript(name string) bool {
	plain := withoutExtension(name, scriptExtensions)
	return plain != name && holdsAny(runnerScripts, variants(plain))
}

// imports decides on the value of perl -M: a module name, and a list of what to
// import after = or in qw().
func (r *reader) imports(o option, text string) *reason.Refusal {
	after := strings.TrimPrefix(strings.TrimSpace(text), "-")
	after = strings.TrimLeftFunc(after, func(c rune) bool { return c == ':' || isWord(c) })
	if list, ok := strings.CutPrefix(strings.TrimSpace(after), "qw("); ok {
		after = strings.TrimSuffix(list, ")")
	}
	if strings.ContainsAny(after, ";(){}[]<>`'\"\\#\n\r\x00") || after != "" && after[0] != '=' && !onlyWords(after) {
		return r.refused(o, inline)
	}
	return nil
}

func isWord(c rune) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// onlyWords reports whether a list is of names only.
func onlyWords(list string) bool {
	return !strings.ContainsFunc(list, func(c rune) bool { return !isWord(c) && !strings.ContainsRune(" :,-", c) })
}
