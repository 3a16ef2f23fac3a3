package mcpserver

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/router"
)

// genLocated makes locations as locate gives them: relative paths of files that
// URIs name, some outside the workspace.
func genLocated(t *rapid.T) []located {
	var list []located
	for range rapid.IntRange(0, 40).Draw(t, "n") {
		path := rapid.SampledFrom([]string{"a.go", "dir/b.go", "größe 1.go", "c:d.go"}).Draw(t, "path")
		at := protocol.Position{Line: rapid.Uint32Range(0, 50).Draw(t, "line"), Character: rapid.Uint32Range(0, 90).Draw(t, "character")}
		l := located{
			Path: path, Line: rapid.SampledFrom([]string{"", "x := 1", "a:1:1: b"}).Draw(t, "source"),
			Within:   rapid.SampledFrom([]string{"", "function f"}).Draw(t, "within"),
			Location: protocol.Location{URI: protocol.URIFromPath("/home/me/" + path), Range: protocol.Range{Start: at, End: at}},
		}
		if l.Outside = rapid.Bool().Draw(t, "outside"); l.Outside {
			l.Path, l.Line = "/home/me/"+path, ""
		}
		list = append(list, l)
	}
	slices.SortFunc(list, compareLocated)
	return slices.CompactFunc(list, func(a, b located) bool { return a.Location == b.Location })
}

// placeInText is what follows the path of a location in text.
var placeInText = regexp.MustCompile(`^:(\d+:\d+)(?:$|: | \((?:in|outside) )`)

// TestTextLosesNoLocation holds text and JSON of one result to the same
// locations, in the same order, each in text with its source line.
func TestTextLosesNoLocation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := genLocated(t)
		r := &locationsResult{what: "reference", echo: "f (a.go:1:1)", list: list}
		var fromText, fromJSON []string
		for i, line := range strings.Split(r.text(len(list)), "\n")[1:] {
			rest, ok := strings.CutPrefix(line, list[i].Path)
			found := placeInText.FindStringSubmatch(rest)
			if !ok || found == nil || !strings.HasSuffix(line, list[i].Line) {
				t.Fatalf("line %d is %q, want one of %+v", i, line, list[i])
			}
			fromText = append(fromText, fmt.Sprintf("%s %s", list[i].URI, found[1]))
		}
		var shown struct {
			Locations []locationJSON `json:"locations"`
		}
		if err := json.Unmarshal(encode(r.json(len(list))), &shown); err != nil {
			t.Fatal(err)
		}
		for _, l := range shown.Locations {
			fromJSON = append(fromJSON, fmt.Sprintf("%s %d:%d", l.URI, l.Range.Start.Line, l.Range.Start.Character))
		}
		if !slices.Equal(fromText, fromJSON) {
			t.Fatalf("text has %v, JSON %v", fromText, fromJSON)
		}
	})
}

// TestCallsLoseNoLocation holds the same of calls: each site is a line.
func TestCallsLoseNoLocation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &callsResult{head: "f", down: rapid.Bool().Draw(t, "down")}
		sites := 0
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			list := genLocated(t)
			sites += len(list)
			r.rows = append(r.rows, callRow{itemRow{protocol.HierarchyItem{Name: "g", Kind: 12}, located{Path: "a.go"}}, list})
		}
		text := r.text(len(r.rows))
		if got := strings.Count(text, "\n  "); got != sites {
			t.Fatalf("%d sites as text, want %d:\n%s", got, sites, text)
		}
		var shown struct {
			Calls []struct {
				Ranges []rangeJSON `json:"from_ranges"`
			} `json:"calls"`
		}
		if err := json.Unmarshal(encode(r.json(len(r.rows))), &shown); err != nil {
			t.Fatal(err)
		}
		for i, c := range shown.Calls {
			if len(c.Ranges) != len(r.rows[i].sites) {
				t.Fatalf("call %d has %d sites in JSON, want %d", i, len(c.Ranges), len(r.rows[i].sites))
			}
		}
	})
}

func TestItemRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		position := func() protocol.Position {
			n := rapid.SampledFrom([]uint32{0, 1, 7, 1<<32 - 1})
			return protocol.Position{Line: n.Draw(t, "line"), Character: n.Draw(t, "character")}
		}
		item := protocol.HierarchyItem{
			Name: rapid.StringN(1, 5, -1).Draw(t, "name"), Kind: protocol.SymbolKind(rapid.IntRange(0, 30).Draw(t, "kind")),
			URI: protocol.URIFromPath("/home/me/größe.go"), Detail: "d", Data: json.RawMessage(`{"a":[1,"x"]}`),
			Range: protocol.Range{Start: position(), End: position()}, Selection: protocol.Range{Start: position(), End: position()},
		}
		got, err := parseItem(encode(jsonItem(item)))
		if err != nil || fmt.Sprint(got) != fmt.Sprint(item) {
			t.Fatalf("%v became %v, %v", item, got, err)
		}
	})
}

func TestAround(t *testing.T) {
	lines := func(from, to uint32) protocol.Range {
		return protocol.Range{Start: protocol.Position{Line: from}, End: protocol.Position{Line: to, Character: 9}}
	}
	symbol := func(name string, r protocol.Range, children ...protocol.DocumentSymbol) protocol.DocumentSymbol {
		return protocol.DocumentSymbol{Name: name, Kind: 12, Range: r, Children: children}
	}
	tree := []protocol.DocumentSymbol{
		symbol("A", lines(1, 9), symbol("a", lines(2, 4)), symbol("b", lines(5, 8), symbol("c", lines(6, 6)))),
		symbol("D", lines(11, 12)),
	}
	flat := []protocol.DocumentSymbol{
		symbol("b", lines(5, 8)), symbol("c", lines(6, 6)), symbol("A", lines(1, 9)), symbol("a", lines(2, 4)), symbol("D", lines(11, 12)),
	}
	for _, c := range []struct {
		line       uint32
		tree, flat string
	}{
		{0, "", ""},
		{1, "function A", "function A"},
		{3, "function A.a", "function A.a"},
		{6, "function A.b.c", "function A.b.c"},
		{8, "function A.b", "function A.b"},
		{10, "", ""},
		{12, "function D", "function D"},
	} {
		for want, symbols := range map[*string][]protocol.DocumentSymbol{&c.tree: tree, &c.flat: flat} {
			var r outlineResult
			r.add(symbols, 0)
			o := newOutline(r.rows)
			if got := o.around(protocol.Position{Line: c.line, Character: 1}); got != *want {
				t.Errorf("line %d: %q, want %q", c.line, got, *want)
			}
		}
	}
}

func TestRestartStatus(t *testing.T) {
	for _, c := range []struct {
		row    router.Restarted
		status string
	}{
		{router.Restarted{Ran: true}, "restarted"},
		{router.Restarted{}, "started"},
		{router.Restarted{Err: router.ErrStopping}, "failed"},
		{router.Restarted{Wait: 1}, "not restarted"},
	} {
		if status, _ := restartStatus(c.row); status != c.status {
			t.Errorf("%+v is %q", c.row, status)
		}
	}
}
