package protocol

import (
	"fmt"
	"strings"
)

// SymbolKind is the protocol's number for a kind of symbol.
type SymbolKind uint32

// symbolKinds are the names of kinds 1 to 26 (LSP 3.17, Document Symbols), in
// lower case and with underscores.
var symbolKinds = [...]string{
	1: "file", "module", "namespace", "package", "class", "method", "property",
	"field", "constructor", "enum", "interface", "function", "variable",
	"constant", "string", "number", "boolean", "array", "object", "key", "null",
	"enum_member", "struct", "event", "operator", "type_parameter",
}

// String gives the kind's name; a number the protocol does not know reads as
// kind_N.
func (k SymbolKind) String() string {
	if k >= 1 && int(k) < len(symbolKinds) {
		return symbolKinds[k]
	}
	return fmt.Sprintf("kind_%d", uint32(k))
}

// ParseSymbolKind accepts a kind's name in any case, with or without its
// underscore; the error lists the valid names.
func ParseSymbolKind(name string) (SymbolKind, error) {
	fold := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	for k, known := range symbolKinds {
		if known != "" && fold(known) == fold(name) {
			return SymbolKind(k), nil
		}
	}
	return 0, fmt.Errorf("unknown symbol kind %q: one of %s", name, strings.Join(symbolKinds[1:], ", "))
}
