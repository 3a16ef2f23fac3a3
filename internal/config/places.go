package config

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// places are where the keys of a file and their values begin, as offsets. A
// path is the parts of a key in lower case, as the decoder takes any case, with
// the number of each element of a list and of each of an array's tables.
type places map[string]place

type place struct{ key, value int }

// maxPlaceParts bounds a path: no key of a configuration has more parts, and a
// repository's key may have very many.
const maxPlaceParts = 6

func pathOf(parts []string) string { return strings.ToLower(strings.Join(parts, "\x00")) }

// locate gives the places of a file that the decoder accepts.
func locate(data []byte) places {
	at, tables := places{}, map[string]int{}
	var parser unstable.Parser
	parser.Reset(data)
	var table []string
	for parser.NextExpression() {
		switch node := parser.Expression(); node.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = at.header(node, tables)
		case unstable.KeyValue:
			at.keyValue(data, node, table)
		}
	}
	return at
}

// header gives the path of a table: beneath each array of tables it is in the
// last one. Tables counts those of each array.
func (at places) header(node *unstable.Node, tables map[string]int) []string {
	var path []string
	for names := node.Key(); names.Next() && len(path) < maxPlaceParts; {
		name := names.Node()
		path = append(path, string(name.Data))
		at.add(path, int(name.Raw.Offset), int(name.Raw.Offset))
		if n := tables[pathOf(path)]; names.IsLast() && node.Kind == unstable.ArrayTable {
			tables[pathOf(path)] = n + 1
			path = append(path, fmt.Sprint(n))
		} else if n > 0 {
			path = append(path, fmt.Sprint(n-1))
		}
		at.add(path, int(name.Raw.Offset), int(name.Raw.Offset))
	}
	return path
}

func (at places) keyValue(data []byte, node *unstable.Node, table []string) {
	path := slices.Clone(table)
	var first, end int
	for names := node.Key(); names.Next() && len(path) < maxPlaceParts; {
		raw := names.Node().Raw
		path, first, end = append(path, string(names.Node().Data)), int(raw.Offset), int(raw.Offset+raw.Length)
		at.add(path, first, first)
	}
	end += len(data[end:]) - len(bytes.TrimLeft(data[end:], " \t="))
	at[pathOf(path)] = place{first, end}
	at.value(data, node.Value(), path, end)
}

// value adds what a value holds. A list within a list has the place of the
// outer one, since the parser does not tell its own.
func (at places) value(data []byte, node *unstable.Node, path []string, begin int) {
	if len(path) >= maxPlaceParts {
		return
	}
	n := 0
	for below := node.Children(); below.Next(); {
		child := below.Node()
		switch {
		case node.Kind == unstable.InlineTable:
			at.keyValue(data, child, path)
		case child.Kind == unstable.Array:
			at.add(append(path, fmt.Sprint(n)), begin, begin)
		default:
			element := append(slices.Clone(path), fmt.Sprint(n))
			at.add(element, int(child.Raw.Offset), int(child.Raw.Offset))
			at.value(data, child, element, int(child.Raw.Offset))
		}
		n++
	}
}

// add keeps the first place of a path: that of a table is its first header.
func (at places) add(path []string, key, value int) {
	if _, known := at[pathOf(path)]; !known {
		at[pathOf(path)] = place{key, value}
	}
}

// offset is where a fault is in the file: where its path is not in it, that of
// what is around it; -1 when it is nowhere.
func (at places) offset(f fault) int {
	for path := f.path; len(path) > 0; path = path[:len(path)-1] {
		p, ok := at[pathOf(path)]
		switch {
		case ok && f.atKey:
			return p.key
		case ok:
			return p.value
		}
	}
	return -1
}
