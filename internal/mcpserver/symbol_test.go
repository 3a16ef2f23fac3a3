package mcpserver

import (
	"strings"
	"testing"

	"mcpls/internal/lsp/protocol"
)

func TestNameParts(t *testing.T) {
	for name, want := range map[string]string{
		"f":                       "f",
		"a.b":                     "a b",
		"a::b::c":                 "a b c",
		"(*Gate).Check":           "Gate Check",
		"(Grant).Valid":           "Grant Valid",
		"path/to/pkg.T":           "path to pkg T",
		"f(int, T::x) const":      "f",
		"List[K]":                 "List",
		"Größe":                   "Größe",
		"~T":                      "~T",
		"":                        "",
		"::":                      "",
		"impl Display for Config": "impl Display for Config",
	} {
		if got := strings.Join(nameParts(name), " "); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestLastPart(t *testing.T) {
	for name, want := range map[string]int{
		"f": 0, "a.b": 2, "a::b": 3, "f(f)": 0, "x.f(x.f)": 2, "f.f": 2, "(*T).m": 5, "List[List]": 0, "()": 0, "++": 0, "": 0,
	} {
		offset, last := lastPart(name)
		if offset != want || !strings.HasPrefix(name[offset:], last) {
			t.Errorf("%q: %q at %d, want it at %d", name, last, offset, want)
		}
	}
}

func TestWantedMatches(t *testing.T) {
	method := candidate{name: "Check", path: []string{"mcpls", "trust", "Gate"}, kind: 6}
	for _, c := range []struct {
		want wanted
		is   bool
	}{
		{wanted{name: "Check"}, true},
		{wanted{name: "check"}, false},
		{wanted{name: "Check", path: []string{"Gate"}}, true},
		{wanted{name: "Check", path: []string{"trust", "Gate"}}, true},
		{wanted{name: "Check", path: []string{"trust"}}, false},
		{wanted{name: "Check", path: []string{"a", "mcpls", "trust", "Gate"}}, false},
		{wanted{name: "Check", in: "trust"}, true},
		{wanted{name: "Check", in: "router"}, false},
		{wanted{name: "Check", kind: 6}, true},
		{wanted{name: "Check", kind: protocol.SymbolKind(12)}, false},
	} {
		if got := c.want.matches(method); got != c.is {
			t.Errorf("%+v: %v", c.want, got)
		}
	}
}
