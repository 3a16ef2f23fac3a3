package config

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Error is a fault in a configuration file. Line and Column count from 1; they
// are 0 when the fault has no place of its own.
type Error struct {
	File         string
	Line, Column int
	Message      string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// maxFileBytes bounds a configuration file; a larger one is no configuration.
const maxFileBytes = 1 << 20

// decode reads TOML on top of the defaults and checks it. The error is an
// *Error, or several joined.
func decode(name string, data []byte) (File, error) {
	file := defaults()
	decoder := toml.NewDecoder(strings.NewReader(string(data))).DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return File{}, decodeError(name, err)
	}
	return file, check(name, data, &file)
}

func decodeError(name string, err error) error {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		var list []error
		for i := range unknown.Errors {
			list = append(list, unknownKey(name, &unknown.Errors[i]))
		}
		return errors.Join(list...)
	}
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		row, column := wrong.Position()
		return &Error{File: name, Line: row, Column: column, Message: strings.TrimPrefix(wrong.Error(), "toml: ")}
	}
	return &Error{File: name, Message: err.Error()}
}

// later are keys of the Rust mcpls that this one does not have yet: an error
// that says so is more use than "unknown key".
var later = []string{"handles", "selection"}

func unknownKey(name string, err *toml.DecodeError) error {
	row, column := err.Position()
	path := err.Key()
	key := path[len(path)-1]
	e := &Error{File: name, Line: row, Column: column}
	switch near := nearest(key, siblings(path)); {
	case slices.Contains(later, key):
		e.Message = fmt.Sprintf("key %q is not supported by this version; remove it", strings.Join(path, "."))
	case near != "":
		e.Message = fmt.Sprintf("unknown key %q: did you mean %q?", strings.Join(path, "."), near)
	default:
		e.Message = fmt.Sprintf("unknown key %q", strings.Join(path, "."))
	}
	return e
}

// siblings are the keys that are known where the last key of path stands.
func siblings(path []string) []string {
	t := reflect.TypeFor[File]()
	for _, key := range path[:len(path)-1] {
		field, ok := fieldOf(t, key)
		if !ok {
			return nil
		}
		t = field
	}
	var keys []string
	for i := range t.NumField() {
		keys = append(keys, t.Field(i).Tag.Get("toml"))
	}
	return keys
}

// fieldOf gives the struct type behind a key, through a slice.
func fieldOf(t reflect.Type, key string) (reflect.Type, bool) {
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("toml") != key {
			continue
		}
		found := t.Field(i).Type
		if found.Kind() == reflect.Slice {
			found = found.Elem()
		}
		return found, found.Kind() == reflect.Struct
	}
	return nil, false
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

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	if info.Size() > maxFileBytes {
		return nil, fmt.Errorf("larger than %d bytes", maxFileBytes)
	}
	return os.ReadFile(path)
}
