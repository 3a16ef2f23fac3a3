package launch

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// domain separates this encoding from all others, and from later ones: a grant
// under another one is asked for again.
const domain = "mcpls launch fingerprint 1"

// Fingerprint is what a grant is bound to: a digest of what was declared and what
// would run, as "sha256:" and 64 hexadecimal digits.
//
// It is over one canonical encoding: a list of named fields, each with its kind
// and its length in front, so that no two plans share one. A field that is empty is
// left out, and so can be added later without a change of the others. The order of
// arguments counts, that of variables does not; what the environment of mcpls adds
// is no part of it. Paths below the root of the declaring file are relative to it:
// the fingerprint is the same in every clone.
func (p Plan) Fingerprint() string {
	e := encoder{sha256.New()}
	e.text(domain)
	e.field("kind", string(p.Kind))
	e.field("declared in", p.relative(p.DeclaredIn))
	e.field("id", p.ID)
	e.field("command", p.Declared.Command)
	e.field("arguments", list(p.Declared.Args))
	e.field("variables", table(p.Declared.Env))
	e.field("directory", p.relative(p.Dir))
	e.field("initialization options", p.Declared.InitOptions)
	e.field("settings", p.Declared.Settings)
	for _, f := range p.Files {
		e.field("file", []any{f.Role, p.relative(f.Path), f.Owner, f.Mode, f.Digest})
	}
	return "sha256:" + hex.EncodeToString(e.hash.Sum(nil))
}

// relative gives a path below the root of the declaring file as one of every
// clone.
func (p Plan) relative(path string) string {
	if rel, below := p.below(path); below {
		return "./" + rel
	}
	return path
}

// below gives the part of a path below the root, with slashes.
func (p Plan) below(path string) (string, bool) {
	if path == p.Root && path != "" {
		return "", true
	}
	rest, ok := strings.CutPrefix(path, p.Root)
	switch {
	case !ok || p.Root == "":
		return "", false
	case strings.HasPrefix(p.Root, "/"): // a backslash is a letter like any other
		return strings.CutPrefix(rest, "/")
	}
	return strings.ReplaceAll(rest[1:], `\`, "/"), strings.ContainsAny(rest[:1], `/\`)
}

func list(texts []string) []any {
	out := make([]any, len(texts))
	for i, text := range texts {
		out[i] = text
	}
	return out
}

func table(texts map[string]string) map[string]any {
	out := map[string]any{}
	for name, text := range texts {
		out[name] = text
	}
	return out
}

// encoder writes values so that each is told from every other: its kind, then its
// length or count, then its parts.
type encoder struct{ hash hash.Hash }

// field writes a named value, unless it is empty.
func (e encoder) field(name string, value any) {
	switch value := value.(type) {
	case string:
		if value == "" {
			return
		}
	case []any:
		if len(value) == 0 {
			return
		}
	case map[string]any:
		if len(value) == 0 {
			return
		}
	}
	e.text(name)
	e.value(value)
}

func (e encoder) value(value any) {
	switch value := value.(type) {
	case string:
		e.text(value)
	case bool:
		e.head('b', map[bool]uint64{true: 1}[value])
	case int:
		e.head('i', uint64(value))
	case int64:
		e.head('i', uint64(value))
	case float64:
		e.head('f', math.Float64bits(value))
	case time.Time:
		e.bytes('d', value.Format(time.RFC3339Nano))
	case []any:
		e.head('l', uint64(len(value)))
		for _, element := range value {
			e.value(element)
		}
	case map[string]any:
		e.head('t', uint64(len(value)))
		for _, name := range slices.Sorted(maps.Keys(value)) {
			e.text(name)
			e.value(value[name])
		}
	default: // dates and times without a zone, and what a decoder may come to give
		e.bytes('x', fmt.Sprintf("%T %v", value, value))
	}
}

func (e encoder) text(text string) { e.bytes('s', text) }

func (e encoder) bytes(kind byte, text string) {
	e.head(kind, uint64(len(text)))
	e.hash.Write([]byte(text))
}

func (e encoder) head(kind byte, n uint64) {
	e.hash.Write(binary.BigEndian.AppendUint64([]byte{kind}, n))
}
