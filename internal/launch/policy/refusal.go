package policy

import (
	"fmt"
	"unicode/utf8"

	"mcpls/internal/launch/reason"
	"mcpls/internal/quote"
)

// The hints. Each says what a person can do.
const (
	hintInstall = "install the server outside the workspace and give its absolute path as command"
	hintScript  = "give the absolute path of the server's script, and before it only options that docs/launchers.md lists"
	hintWrapper = "leave the wrapper out, or use only the options that docs/launchers.md lists"
	hintExecBit = "remove the execute bit of the file, or leave the argument out"
	hintRead    = "make the file readable, or leave the argument out"
	hintProxy   = "give the absolute path of the real program as command; the manager can print it (rustup which, mise which)"
)

// refuse makes a refusal. The arguments are quoted, since they are not trusted.
func refuse(code reason.Code, hint, format string, args ...string) *reason.Refusal {
	safe := make([]any, len(args))
	for i, a := range args {
		safe[i] = quote.String(shorten(a))
	}
	return &reason.Refusal{Code: code, Message: fmt.Sprintf(format, safe...), Hint: hint}
}

// maxName is how many bytes of a name a message shows.
const maxName = 80

// shorten cuts a name that is no name any more.
func shorten(s string) string {
	if len(s) <= maxName {
		return s
	}
	cut := maxName
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}
