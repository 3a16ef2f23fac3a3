package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcpls/internal/catalog"
)

// fault is what is wrong with a value, at a path as places has it.
type fault struct {
	path []string
	say  string
	// atKey puts it at the key in the file, and not at the value: what is
	// wrong is the name.
	atKey bool

	offset int // in the file; set by tell
}

// check holds a decoded file against the table of keys, and expands dotted keys
// of settings. Plain is the file as the decoder gives it without types. Servers
// that clash are an error in a file of the user's only: of a project file the
// first of them is taken.
func check(name string, data []byte, plain map[string]any, f *File, clashes bool) error {
	found := checkTable(plain, "", nil)
	for i := 0; i < len(f.Servers) && len(found) == 0 && clashes; i++ {
		if key, say := f.Servers[i].clashes(f.Servers[:i]); key != "" {
			found = append(found, fault{path: []string{"lsp_servers", fmt.Sprint(i), key}, say: say})
		}
	}
	for i, server := range f.Servers {
		if known, _ := catalog.ByCommand(server.Command, server.Args); server.Selection != "" && !known.OrNative && len(found) == 0 {
			found = append(found, fault{
				path: []string{"lsp_servers", fmt.Sprint(i), "selection"},
				say:  "only an entry with the command typescript-language-server can have it",
			})
		}
	}
	if len(found) > 0 {
		for i, f := range found {
			found[i].say = f.key() + ": " + f.say
		}
		return tell(name, data, found)
	}
	for i := range f.Servers {
		f.Servers[i].Settings = expand(f.Servers[i].Settings)
	}
	return nil
}

// key is the key of the table that a fault is about.
func (f fault) key() string {
	words := withoutNumbers(f.path)
	for len(words) > 1 && !slices.ContainsFunc(keys, func(k key) bool { return k.path == strings.Join(words, ".") }) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, ".")
}

// withoutNumbers is the key of a path: without the numbers of elements.
func withoutNumbers(path []string) []string {
	var words []string
	for i, part := range path {
		if i == 0 || i == len(path)-1 || part == "" || strings.Trim(part, "0123456789") != "" {
			words = append(words, part)
		}
	}
	return words
}

// tell makes an error of each of the first faults in a file, and says how many
// more there are.
func tell(name string, data []byte, found []fault) error {
	at := locate(data)
	for i, f := range found {
		found[i].offset = at.offset(f)
	}
	slices.SortStableFunc(found, func(a, b fault) int { return a.offset - b.offset })
	var list []error
	for _, f := range found[:min(len(found), maxErrors)] {
		e := &Error{File: name, Message: f.say}
		if before := data[:max(f.offset, 0)]; f.offset >= 0 {
			e.Line = bytes.Count(before, []byte("\n")) + 1
			e.Column = f.offset - bytes.LastIndexByte(before, '\n')
		}
		list = append(list, e)
	}
	if n := len(found) - maxErrors; n > 0 {
		list = append(list, &Error{File: name, Message: fmt.Sprintf("and %d more", n)})
	}
	return errors.Join(list...)
}

// checkTable checks the keys below a prefix of their paths, as "mcp.".
func checkTable(table map[string]any, prefix string, path []string) []fault {
	var found []fault
	seen := ""
	for _, k := range keys {
		below, ok := strings.CutPrefix(k.path, prefix)
		if !ok {
			continue
		}
		name, _, deeper := strings.Cut(below, ".")
		if name == seen {
			continue // a table that has been looked into
		}
		value, set := get(table, name)
		here := append(slices.Clone(path), name)
		switch {
		case deeper && set:
			seen = name
			found = append(found, checkTables(value, prefix+name+".", here)...)
		case !deeper:
			found = append(found, k.check(value, set, here)...)
		}
	}
	return found
}

func checkTables(value any, prefix string, path []string) []fault {
	list, many := value.([]any)
	if !many {
		table, _ := value.(map[string]any)
		return checkTable(table, prefix, path)
	}
	var found []fault
	for i, element := range list {
		table, _ := element.(map[string]any)
		found = append(found, checkTable(table, prefix, append(slices.Clone(path), fmt.Sprint(i)))...)
	}
	return found
}

// get looks a key up as the decoder does, whatever its case.
func get(table map[string]any, name string) (value any, set bool) {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if strings.EqualFold(key, name) {
			return table[key], true
		}
	}
	return nil, false
}

// check gives what is wrong with a value of a key.
func (k key) check(value any, set bool, path []string) []fault {
	switch {
	case k.required && (!set || value == ""):
		return []fault{{path: path, say: "is required"}}
	case !set:
		return nil
	}
	var found []fault
	say := func(text string, below ...string) {
		if text != "" {
			found = append(found, fault{path: append(slices.Clone(path), below...), say: text, atKey: len(below) > 0})
		}
	}
	switch value := value.(type) {
	case int64:
		say(k.badInteger(value))
	case string:
		say(k.badString(value))
	case []any:
		if k.filled && len(value) == 0 {
			say("must not be empty")
		}
		for i, element := range value {
			if s, ok := element.(string); ok && !k.orList {
				say(k.badString(s), fmt.Sprint(i))
			}
		}
	}
	if k.whole == nil || len(found) > 0 {
		return found
	}
	at, text := k.whole(value)
	say(text, at...)
	return found
}

func (k key) badInteger(n int64) string {
	if k.bounded && (n < k.min || k.max != 0 && n > k.max) {
		return "must be " + k.bounds()
	}
	return ""
}

// bounds are those of an integer, in words.
func (k key) bounds() string {
	if k.max == 0 {
		return fmt.Sprintf("at least %d", k.min)
	}
	return fmt.Sprintf("%d to %d", k.min, k.max)
}

func (k key) badString(s string) string {
	switch {
	case k.bytes > 0 && len(s) > k.bytes:
		return fmt.Sprintf("longer than %d bytes", k.bytes)
	case len(k.oneOf) > 0 && !slices.Contains(k.words(), s):
		if near := nearest(strings.ToLower(s), k.oneOf); near != "" {
			return fmt.Sprintf("%q is not allowed: did you mean %q?", s, near)
		}
		return fmt.Sprintf("%q is none of %s", s, strings.Join(k.oneOf, ", "))
	case k.text != nil:
		return k.text(s)
	}
	return ""
}

// expand turns dotted keys into nested tables: "a.b" = 1 is a = {b = 1}. A key
// that stands in both forms keeps the values of both; where they give one key
// two values, that of the dotted form counts.
func expand(settings map[string]any) map[string]any {
	if settings == nil {
		return nil
	}
	out := map[string]any{}
	// In order, so that a dotted key always comes after its plain form.
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		value := settings[key]
		if table, ok := value.(map[string]any); ok {
			value = expand(table)
		}
		put(out, strings.Split(key, "."), value)
	}
	return out
}

func put(into map[string]any, path []string, value any) {
	key := path[len(path)-1]
	for _, part := range path[:len(path)-1] {
		next, ok := into[part].(map[string]any)
		if !ok {
			next = map[string]any{}
			into[part] = next
		}
		into = next
	}
	old, both := into[key].(map[string]any)
	table, isTable := value.(map[string]any)
	if !both || !isTable {
		into[key] = value
		return
	}
	for k, v := range table {
		put(old, []string{k}, v)
	}
}
