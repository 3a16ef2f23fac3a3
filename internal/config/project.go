package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// The bounds of one entry of a project file. That it has at most 64 KiB in all
// follows from the bound of the file.
const (
	maxEntryArgs      = 256
	maxEntryArgBytes  = 8 << 10
	maxEntryVariables = 128
	maxFaultyIDBytes  = 64

	// maxEntryDepth is that of settings below their own key. It is held before an
	// entry is written out, which costs by the square of the depth.
	maxEntryDepth = maxSettingsDepth + 1
)

// projectEntries is the server entries of a project file: those that are well-formed,
// and the others as declarations with a fault, which have no id yet.
type projectEntries struct {
	servers []Server
	faulty  []faulty
}

// faulty is an entry of which nothing is taken.
type faulty struct {
	number int    // from 1
	name   string // what it calls itself; "" when that is no name
	say    string
}

// decodeProject reads the server entries of a project file, each by itself. The
// error is a file that is no TOML, or that has too many entries.
func decodeProject(name string, data []byte) (projectEntries, error) {
	var plain map[string]any
	if err := toml.Unmarshal(data, &plain); err != nil {
		return projectEntries{}, decodeError(name, err)
	}
	var found []string
	for key := range plain {
		if strings.EqualFold(key, "lsp_servers") {
			found = append(found, key)
		}
	}
	var file projectEntries
	switch {
	case len(found) == 0:
		return file, nil
	case len(found) > 1 || found[0] != "lsp_servers":
		slices.Sort(found)
		return file, &Error{File: name, Message: fmt.Sprintf("the key is lsp_servers, once, and not %q", found)}
	}
	entries, ok := plain["lsp_servers"].([]any)
	if !ok {
		return file, &Error{File: name, Message: "lsp_servers: must be a list of tables"}
	}
	if len(entries) > maxProjectServers {
		return file, &Error{File: name, Message: fmt.Sprintf("more than %d servers", maxProjectServers)}
	}
	if globs := countGlobs(entries); globs > maxProjectGlobs {
		return file, &Error{File: name, Message: fmt.Sprintf("more than %d file_patterns", maxProjectGlobs)}
	}
	for i, entry := range entries {
		server, say := decodeEntry(entry)
		if say == "" {
			file.servers = append(file.servers, server)
			continue
		}
		file.faulty = append(file.faulty, faulty{i + 1, entryName(entry), say})
	}
	return file, nil
}

func countGlobs(entries []any) int {
	n := 0
	for _, entry := range entries {
		table, _ := entry.(map[string]any)
		list, _ := table["file_patterns"].([]any)
		n += len(list)
	}
	return n
}

// decodeEntry reads one entry, and says what is wrong with it.
func decodeEntry(entry any) (Server, string) {
	table, ok := entry.(map[string]any)
	if !ok {
		return Server{}, "it is no table"
	}
	if say := badEntry(table); say != "" {
		return Server{}, say
	}
	// The decoder reads text only: the entry is written as a file of its own.
	alone := map[string]any{"lsp_servers": []any{table}}
	text, err := toml.Marshal(alone)
	if err != nil {
		return Server{}, "it cannot be read by itself: " + err.Error()
	}
	file, again, err := parse("", text)
	if err == nil && !reflect.DeepEqual(again, alone) {
		err = errors.New("it cannot be read by itself")
	}
	if err == nil {
		err = check("", text, again, &file, false)
	}
	if err != nil {
		return Server{}, faultOf(err)
	}
	return file.Servers[0], ""
}

// faultOf gives the first fault of a file, without its place: that is one of the
// text that decodeEntry wrote.
func faultOf(err error) string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		err = joined.Unwrap()[0]
	}
	if fault, ok := errors.AsType[*Error](err); ok {
		return oneLine(fault.Message)
	}
	return oneLine(err.Error())
}

// badEntry says what is wrong with an entry of a project file beyond what would be
// wrong in every file.
func badEntry(table map[string]any) string {
	if key := inexact(table, reflect.TypeFor[Server]()); key != "" {
		return fmt.Sprintf("unknown key %q: keys are written in lower case, and once", key)
	}
	args, _ := table["args"].([]any)
	env, _ := table["env"].(map[string]any)
	switch {
	case len(args) > maxEntryArgs:
		return fmt.Sprintf("lsp_servers.args: more than %d arguments", maxEntryArgs)
	case len(env) > maxEntryVariables:
		return fmt.Sprintf("lsp_servers.env: more than %d variables", maxEntryVariables)
	case deeper(table, maxEntryDepth):
		return fmt.Sprintf("it is nested too deep: %s", partBounds)
	case unsendable(table):
		return "nan and inf have no form in which a server could be told of them"
	}
	for i, arg := range args {
		if s, _ := arg.(string); len(s) > maxEntryArgBytes {
			return fmt.Sprintf("lsp_servers.args: argument %d is longer than %d bytes", i+1, maxEntryArgBytes)
		}
	}
	return ""
}

// inexact gives a key that is one of a table in other case only: the decoder would
// take it for that.
func inexact(table map[string]any, t reflect.Type) string {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		field, known := fieldOf(t, key)
		if !known {
			continue // it is an unknown key, which parse tells better
		}
		exact := false
		for i := range t.NumField() {
			exact = exact || t.Field(i).Tag.Get("toml") == key
		}
		if !exact {
			return key
		}
		if below, ok := table[key].(map[string]any); ok && field.Kind() == reflect.Struct {
			if key := inexact(below, field); key != "" {
				return key
			}
		}
	}
	return ""
}

// unsendable reports whether a value has a number that JSON has not.
func unsendable(value any) bool {
	switch value := value.(type) {
	case float64:
		return math.IsNaN(value) || math.IsInf(value, 0)
	case []any:
		return slices.ContainsFunc(value, unsendable)
	case map[string]any:
		for _, below := range value {
			if unsendable(below) {
				return true
			}
		}
	}
	return false
}

// entryName is what a malformed entry is called by: its name or its language, if it
// is a plain word.
func entryName(entry any) string {
	table, _ := entry.(map[string]any)
	for _, key := range []string{"name", "language_id"} {
		name, _ := table[key].(string)
		plain := !strings.ContainsFunc(name, func(r rune) bool {
			return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._+#-", r))
		})
		if name != "" && plain && len(name) <= maxFaultyIDBytes {
			return name
		}
	}
	return ""
}

// declareFaulty declares the malformed entries of the project files, so that they
// are listed. They come after all that is well-formed: they take no id from it.
func (l *loader) declareFaulty() {
	for _, f := range l.faulty {
		id := f.name + ProjectSuffix
		if f.name == "" || l.taken(id) {
			id = fmt.Sprintf("entry-%d%s", f.number, ProjectSuffix)
		}
		for n := 2; l.taken(id); n++ {
			id = fmt.Sprintf("entry-%d-%d%s", f.number, n, ProjectSuffix)
		}
		l.cfg.Servers = append(l.cfg.Servers, Declaration{ID: id, Origin: Project, File: f.file, Fault: shorten(f.say)})
	}
}

// faultyIn is a malformed entry with its file.
type faultyIn struct {
	faulty
	file string
}
