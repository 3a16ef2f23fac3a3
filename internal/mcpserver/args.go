package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// argKind is a JSON Schema type.
type argKind string

const (
	kindString  argKind = "string"
	kindInteger argKind = "integer"
	kindBoolean argKind = "boolean"
	kindObject  argKind = "object"
	kindStrings argKind = "array" // of strings
)

// arg is one argument of a tool. It is both the schema that clients see and
// the check that a call passes.
type arg struct {
	name, about string
	plain       bool // the name says it: about is for the documentation only

	kind     argKind
	required bool
	min, max int   // of an integer; both 0 is no bound
	enum     []any // of a string
	fallback any   // when it is left out; nil: not set
}

// values are the checked arguments of one call.
type values map[string]any

func (v values) has(name string) bool    { _, ok := v[name]; return ok }
func (v values) text(name string) string { s, _ := v[name].(string); return s }
func (v values) number(name string) int  { n, _ := v[name].(int); return n }
func (v values) flag(name string) bool   { b, _ := v[name].(bool); return b }
func (v values) list(name string) []string {
	l, _ := v[name].([]string)
	return l
}

func (v values) object(name string) json.RawMessage {
	o, _ := v[name].(json.RawMessage)
	return o
}

// argError is a fault in the arguments of a call.
type argError struct{ message string }

func (e *argError) Error() string { return e.message }

func badArg(format string, args ...any) error {
	return &argError{fmt.Sprintf(format, args...)}
}

// schema is flat on purpose: no unions, no references, no additionalProperties,
// and always a properties object, because clients refuse whole tool lists for
// less. What it cannot say, parseArgs checks.
func schema(args []arg) map[string]any {
	properties := map[string]any{}
	required := []string{}
	for _, a := range args {
		properties[a.name] = a.schema()
		if a.required {
			required = append(required, a.name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

func (a arg) schema() map[string]any {
	s := map[string]any{"type": a.kind}
	if !a.plain {
		s["description"] = a.about
	}
	if a.kind == kindStrings {
		s["items"] = map[string]any{"type": kindString}
	}
	if a.max != 0 {
		s["minimum"] = a.min
	}
	if a.max != 0 {
		s["maximum"] = a.max
	}
	if a.enum != nil {
		s["enum"] = a.enum
	}
	if a.fallback != nil {
		s["default"] = a.fallback
	}
	return s
}

// parseArgs checks the arguments of a call against the tool's declaration. An
// explicit null counts as left out, since some clients send one for every
// optional argument.
func parseArgs(t tool, raw json.RawMessage) (values, error) {
	given := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(raw)) > 0 && json.Unmarshal(raw, &given) != nil {
		return nil, badArg("the arguments of %s must be a JSON object", t.name)
	}
	for name := range given {
		if !slices.ContainsFunc(t.args, func(a arg) bool { return a.name == name }) {
			return nil, badArg("%s has no argument %q: it takes %s", t.name, shorten(name), argNames(t.args))
		}
	}
	parsed := values{}
	for _, a := range t.args {
		value, ok := given[a.name]
		switch {
		case ok && string(value) != "null":
			checked, err := a.parse(value)
			if err != nil {
				return nil, err
			}
			parsed[a.name] = checked
		case a.required:
			return nil, badArg("%s is missing: %s", a.name, a.about)
		case a.fallback != nil:
			parsed[a.name] = a.fallback
		}
	}
	return parsed, nil
}

func argNames(args []arg) string {
	var names []string
	for _, a := range args {
		names = append(names, a.name)
	}
	return strings.Join(names, ", ")
}

func (a arg) parse(raw json.RawMessage) (any, error) {
	switch a.kind {
	case kindString:
		return a.parseString(raw)
	case kindInteger:
		return a.parseInteger(raw)
	case kindObject:
		return a.parseObject(raw)
	case kindStrings:
		return a.parseStrings(raw)
	}
	var b bool
	if json.Unmarshal(raw, &b) != nil {
		return nil, badArg("%s must be true or false, not %s", a.name, shorten(string(raw)))
	}
	return b, nil
}

func (a arg) parseString(raw json.RawMessage) (any, error) {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return nil, badArg("%s must be a string, not %s", a.name, shorten(string(raw)))
	}
	if strings.ContainsRune(s, 0) {
		return nil, badArg("%s holds a NUL byte", a.name)
	}
	if a.enum != nil && !slices.Contains(a.enum, any(s)) {
		return nil, badArg("%s must be one of %v, not %q", a.name, a.enum, shorten(s))
	}
	return s, nil
}

// parseObject keeps an object as it came. Some clients send it as a string.
func (a arg) parseObject(raw json.RawMessage) (any, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || object == nil {
		return nil, badArg("%s must be an object, not %s", a.name, shorten(string(raw)))
	}
	return raw, nil
}

func (a arg) parseStrings(raw json.RawMessage) (any, error) {
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return nil, badArg("%s must be a list of strings, not %s", a.name, shorten(string(raw)))
	}
	return list, nil
}

func (a arg) parseInteger(raw json.RawMessage) (any, error) {
	var f float64
	if json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		return nil, badArg("%s must be an integer, not %s", a.name, shorten(string(raw)))
	}
	n := int(f)
	if (a.min != 0 || a.max != 0) && n < a.min || a.max != 0 && n > a.max {
		return nil, badArg("%s must be %s, not %d", a.name, a.bounds(), n)
	}
	return n, nil
}

func (a arg) bounds() string {
	if a.max == 0 {
		return fmt.Sprintf("at least %d", a.min)
	}
	return fmt.Sprintf("%d to %d", a.min, a.max)
}
