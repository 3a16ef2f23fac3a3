package quote

import (
	"fmt"
	"io"
	"log/slog"
)

// Handler returns the only log handler of the program. It writes one line for
// each record of at least the given level to w, as JSON objects when asJSON is
// set and as key=value pairs otherwise.
//
// The message and every value pass [String], so a line holds printable ASCII
// only. Numbers, booleans, times and durations keep their own form. Every
// other value, also an error, a slice or a struct, is formatted with %+v and
// is a string in both formats. Keys and group names are those of the program
// and pass only the escaping of log/slog: put no untrusted text in a key.
func Handler(w io.Writer, level slog.Leveler, asJSON bool) slog.Handler {
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: safeAttr}
	if asJSON {
		return slog.NewJSONHandler(w, options)
	}
	return slog.NewTextHandler(w, options)
}

// safeAttr makes the value of a safe to write. log/slog calls it for the
// message and for every attribute that is not a group, after it asked a
// LogValuer for its value.
func safeAttr(_ []string, a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(String(a.Value.String()))
	case slog.KindAny:
		a.Value = slog.StringValue(String(fmt.Sprintf("%+v", a.Value.Any())))
	}
	return a
}
