package config

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"mcpls/internal/roots"
)

// Error is a fault in a configuration file. Line and Column count from 1; they
// are 0 when the fault has no place of its own.
type Error struct {
	File         string
	Line, Column int
	Message      string
}

// Error is one line, whatever the file and its name hold: a value must not
// look like another error.
func (e *Error) Error() string {
	if e.Line == 0 {
		return oneLine(e.File + ": " + e.Message)
	}
	return oneLine(fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message))
}

// oneLine escapes what ends a line. Everything else is escaped where it is
// shown.
func oneLine(s string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(s)
}

const (
	// maxFileBytes bounds a configuration file; a larger one is no
	// configuration.
	maxFileBytes = 1 << 20

	// The bounds of a project file. A repository's author chooses what is in
	// it, and each server costs at every start and every question.
	maxProjectBytes   = 64 << 10
	maxProjectServers = 32
	maxProjectGlobs   = 64

	// maxErrors bounds the errors that are told of one file.
	maxErrors = 10
)

// decode reads TOML on top of the defaults and checks it. The error is an
// *Error, or several joined.
func decode(name string, data []byte) (File, error) {
	file, plain, err := parse(name, data)
	if err != nil {
		return File{}, err
	}
	return file, check(name, data, plain, &file, true)
}

// parse decodes a file, and gives it without types too.
func parse(name string, data []byte) (file File, plain map[string]any, err error) {
	if err := toml.Unmarshal(data, &plain); err != nil {
		return File{}, nil, decodeError(name, err)
	}
	if unknown := unknownKeys(plain, reflect.TypeFor[File](), nil); len(unknown) > 0 {
		return File{}, nil, tell(name, data, unknown)
	}
	file = defaults()
	if err := toml.Unmarshal(data, &file); err != nil {
		return File{}, nil, decodeError(name, err)
	}
	return file, plain, nil
}

func decodeError(name string, err error) error {
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		row, column := wrong.Position()
		return &Error{File: name, Line: row, Column: column, Message: decodeMessage(wrong)}
	}
	return &Error{File: name, Message: err.Error()}
}

// mismatch is how the decoder begins when a value has the wrong type. It goes
// on in terms of Go.
var mismatch = regexp.MustCompile(`^toml: cannot (?:decode TOML (.+?) into|store an? (.+?) in) `)

// decodeMessage says what is wrong in the terms of the file.
func decodeMessage(err *toml.DecodeError) string {
	found := mismatch.FindStringSubmatch(err.Error())
	if found == nil || len(err.Key()) == 0 {
		return strings.TrimPrefix(err.Error(), "toml: ")
	}
	stands := found[1] + found[2]
	article := "a"
	if strings.ContainsRune("aeiou", rune(stands[0])) {
		article = "an"
	}
	return fmt.Sprintf("%s: %s %s stands here; it must be %s", strings.Join(err.Key(), "."), article, stands, wanted(err.Key()))
}

// wanted says what the value of a key must be.
func wanted(path []string) string {
	t := reflect.TypeFor[File]()
	for _, key := range path {
		found, ok := fieldOf(t, key)
		if !ok {
			break
		}
		t = found
	}
	return words(t)
}

func words(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return words(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.Slice:
		return "a list of " + strings.TrimPrefix(words(t.Elem()), "a ") + "s"
	case reflect.Map:
		if t.Elem().Kind() == reflect.String {
			return "a table of strings"
		}
		return "a table"
	case reflect.Struct:
		return "a table"
	}
	return "a string"
}

// later are keys of the Rust mcpls that this one does not have yet: an error
// that says so is more use than "unknown key".
var later = []string{"mcp_servers", "sandbox"}

// unknownKeys finds the keys that a table must not have. It does not look into
// what may hold any key.
func unknownKeys(table map[string]any, t reflect.Type, above []string) []fault {
	var found []fault
	for _, key := range slices.Sorted(maps.Keys(table)) {
		path := append(slices.Clone(above), key)
		field, ok := fieldOf(t, key)
		switch {
		case !ok:
			found = append(found, unknownKey(path))
		case inner(field).Kind() == reflect.Struct:
			found = append(found, unknownBelow(table[key], inner(field), path)...)
		}
	}
	return found
}

// unknownBelow looks into a table, or into each of a list.
func unknownBelow(value any, t reflect.Type, path []string) []fault {
	list, many := value.([]any)
	if !many {
		table, _ := value.(map[string]any)
		return unknownKeys(table, t, path)
	}
	var found []fault
	for i, element := range list {
		table, _ := element.(map[string]any)
		found = append(found, unknownKeys(table, t, append(slices.Clone(path), fmt.Sprint(i)))...)
	}
	return found
}

// unknownKey says what is wrong with a key that is not known.
func unknownKey(path []string) fault {
	words := withoutNumbers(path)
	dotted := strings.Join(words, ".")
	f := fault{path: path, atKey: true, say: fmt.Sprintf("unknown key %q", dotted)}
	if slices.Contains(later, strings.ToLower(dotted)) {
		f.say = fmt.Sprintf("key %q is not supported by this version; remove it", dotted)
	} else if near := nearest(words[len(words)-1], siblings(words)); near != "" {
		f.say += fmt.Sprintf(": did you mean %q?", near)
	}
	return f
}

// siblings are the keys that are known where the last key of path stands.
func siblings(path []string) []string {
	t := reflect.TypeFor[File]()
	for _, key := range path[:len(path)-1] {
		field, ok := fieldOf(t, key)
		if !ok || inner(field).Kind() != reflect.Struct {
			return nil
		}
		t = inner(field)
	}
	var keys []string
	for i := range t.NumField() {
		keys = append(keys, t.Field(i).Tag.Get("toml"))
	}
	return keys
}

// fieldOf gives the type behind a key of a table, or of a list of tables. The
// decoder does not ask for the case of a key.
func fieldOf(t reflect.Type, key string) (reflect.Type, bool) {
	t = inner(t)
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	for i := range t.NumField() {
		if strings.EqualFold(t.Field(i).Tag.Get("toml"), key) {
			return t.Field(i).Type, true
		}
	}
	return nil, false
}

// inner gives what a list is of, else the type itself.
func inner(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Slice {
		return t.Elem()
	}
	return t
}

// nearest gives the candidate with the fewest edits from word, "" when even
// that one needs more than a third of its letters changed.
func nearest(word string, candidates []string) string {
	best, limit := "", len(word)/3+1
	for _, c := range candidates {
		if d := distance(word, c); d <= limit {
			best, limit = c, d-1
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// readFile reads a regular file of at most limit bytes.
func readFile(path string, limit int) ([]byte, error) {
	f, err := roots.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readLimited(f, limit)
}

// readLimited reads at most limit bytes; more is an error. It does not ask for
// the size: files of /proc have none and never end.
func readLimited(f io.Reader, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if len(data) > limit {
		return nil, fmt.Errorf("larger than %d bytes", limit)
	}
	return data, err
}
