package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// section is the keys of one table, in the order of keys.
type section struct {
	header string // as it stands in a file; "" for the top
	keys   []key
}

// arrays are the tables that a file may have several of.
var arrays = []string{"lsp_servers", "workspace.language_extensions"}

// sections are all keys by their table. A table within a server is written as
// dotted keys of it.
func sections() []section {
	var list []section
	for _, k := range keys {
		header := k.header()
		if len(list) == 0 || list[len(list)-1].header != header {
			list = append(list, section{header: header})
		}
		last := &list[len(list)-1]
		last.keys = append(last.keys, k)
	}
	return list
}

func (k key) header() string {
	table, _, _ := strings.Cut(k.path, ".")
	for _, array := range arrays {
		if strings.HasPrefix(k.path, array+".") {
			return "[[" + array + "]]"
		}
	}
	if table == k.path {
		return ""
	}
	return "[" + table + "]"
}

// within is the key as it is written beneath the header.
func (k key) within() string { return strings.TrimPrefix(k.path, strings.Trim(k.header(), "[]")+".") }

// limits are the bounds of a key in words, "" when it has none.
func (k key) limits() string {
	var list []string
	if k.required {
		list = append(list, "required")
	}
	if k.bounded {
		list = append(list, k.bounds())
	}
	if k.bytes > 0 {
		list = append(list, fmt.Sprintf("at most %d bytes", k.bytes))
	}
	if k.filled {
		list = append(list, "not empty")
	}
	if len(k.oneOf) > 0 && !k.orList {
		list = append(list, "of "+strings.Join(k.oneOf, ", "))
	}
	if k.rules != "" {
		list = append(list, k.rules)
	}
	return strings.Join(list, "; ")
}

// Default is the configuration file that `mcpls config default` prints: every
// key with its default, and an example of what has none, all commented out.
func Default() string {
	var b strings.Builder
	b.WriteString("# mcpls.toml: every key with its default. All of it: docs/configuration.md\n")
	for _, s := range sections() {
		b.WriteString("\n")
		if strings.HasPrefix(s.header, "[[") {
			b.WriteString("# ")
		}
		if s.header != "" {
			b.WriteString(s.header + "\n")
		}
		for i, k := range s.keys {
			if i > 0 {
				b.WriteString("\n")
			}
			text := k.about
			if limits := k.limits(); limits != "" {
				text += " (" + limits + ")"
			}
			b.WriteString(comment(text) + "# " + k.within() + " = " + k.shown() + "\n")
		}
	}
	return b.String()
}

// shown is the default, else the example.
func (k key) shown() string {
	if k.without != "" {
		return k.without
	}
	return k.example
}

// comment breaks a text into lines that begin with ##, so that they are no keys
// that have been commented out.
func comment(text string) string {
	var b strings.Builder
	line := "##"
	for word := range strings.FieldsSeq(text) {
		if len(line)+len(word) > 78 {
			b.WriteString(line + "\n")
			line = "##"
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}

// SchemaURL is the dialect of the schema: the one that editors for TOML know.
const schemaURL = "http://json-schema.org/draft-07/schema#"

// Schema is the JSON schema of a configuration file, for editors.
func Schema() string {
	root := tableSchema(reflect.TypeFor[File](), "")
	root["$schema"], root["title"] = schemaURL, "mcpls.toml"
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // of maps, strings and numbers
	}
	return string(text) + "\n"
}

// tableSchema is the schema of a struct whose keys begin with prefix.
func tableSchema(t reflect.Type, prefix string) map[string]any {
	properties, required := map[string]any{}, []string{}
	for i := range t.NumField() {
		name := t.Field(i).Tag.Get("toml")
		properties[name] = fieldSchema(t.Field(i).Type, prefix+name)
		if k, ok := keyAt(prefix + name); ok && k.required {
			required = append(required, name)
		}
	}
	schema := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

func fieldSchema(t reflect.Type, path string) map[string]any {
	if inner(t).Kind() == reflect.Struct {
		table := tableSchema(inner(t), path+".")
		if t.Kind() == reflect.Slice {
			return map[string]any{"type": "array", "items": table}
		}
		return table
	}
	k, _ := keyAt(path)
	schema := k.valueSchema(t)
	schema["description"] = k.about
	if k.without != "" {
		var value struct{ V any }
		if err := toml.Unmarshal([]byte("V = "+k.without), &value); err != nil {
			panic(err) // a test decodes every one
		}
		schema["default"] = value.V
	}
	return schema
}

func keyAt(path string) (key, bool) {
	i := slices.IndexFunc(keys, func(k key) bool { return k.path == path })
	if i < 0 {
		return key{}, false
	}
	return keys[i], true
}

// valueSchema is what a value of the type may be.
func (k key) valueSchema(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return k.valueSchema(t.Elem())
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return k.integerSchema()
	case reflect.Slice:
		list := map[string]any{"type": "array", "items": k.stringSchema()}
		if k.filled {
			list["minItems"] = 1
		}
		return list
	case reflect.Map:
		table := map[string]any{"type": "object"}
		if t.Elem().Kind() == reflect.String {
			table["additionalProperties"] = map[string]any{"type": "string"}
		}
		return table
	case reflect.Interface: // a word or a list
		list := map[string]any{"type": "array", "items": map[string]any{"type": "string", "minLength": 1}, "minItems": 1}
		return map[string]any{"anyOf": []any{k.stringSchema(), list}}
	}
	return k.stringSchema()
}

func (k key) integerSchema() map[string]any {
	schema := map[string]any{"type": "integer"}
	if k.bounded {
		schema["minimum"] = k.min
	}
	if k.max > 0 {
		schema["maximum"] = k.max
	}
	return schema
}

// stringSchema has the bounds of a string. Bytes are counted as characters,
// which a schema cannot do otherwise: what it allows may be too long.
func (k key) stringSchema() map[string]any {
	schema := map[string]any{"type": "string"}
	if k.bytes > 0 {
		schema["maxLength"] = k.bytes
	}
	if k.required || k.text != nil && k.text("") != "" {
		schema["minLength"] = 1
	}
	if len(k.oneOf) > 0 {
		schema["enum"] = k.words()
	}
	if k.pattern != "" {
		schema["pattern"] = k.pattern
	}
	return schema
}
