package protocol

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// span gives a range on one line; span1 and span2 are two in JSON.
func span(line, from, to uint32) Range {
	return Range{Start: Position{line, from}, End: Position{line, to}}
}

const (
	span1 = `{"start":{"line":1,"character":2},"end":{"line":1,"character":5}}`
	span2 = `{"start":{"line":2,"character":0},"end":{"line":2,"character":9}}`
)

var range1, range2 = span(1, 2, 5), span(2, 0, 9)

func decode[T any](t *testing.T, data string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(data), &v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}

func refuses[T any](t *testing.T, inputs ...string) {
	t.Helper()
	for _, data := range inputs {
		var v T
		if err := json.Unmarshal([]byte(data), &v); err == nil {
			t.Errorf("%s: no error but %+v", data, v)
		}
	}
}

func TestHover(t *testing.T) {
	tests := []struct{ name, contents, want string }{
		{"markup", `{"kind":"markdown","value":"*a*"}`, "*a*"},
		{"plain text", `{"kind":"plaintext","value":"a"}`, "a"},
		{"string", ` "a"`, "a"},
		{"language and value", `{"language":"go","value":"func f()"}`, "```go\nfunc f()\n```"},
		{"array", `["a", {"language":"go","value":"b"}, "", "c"]`, "a\n\n```go\nb\n```\n\nc"},
		{"empty array", `[]`, ""},
		{"empty string", `""`, ""},
		{"null", `null`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := decode[Hover](t, `{"contents":`+test.contents+`,"range":`+span1+`}`)
			if got.Contents != test.want || got.Range == nil || *got.Range != range1 {
				t.Errorf("got %q at %v", got.Contents, got.Range)
			}
		})
	}
	for _, data := range []string{`{}`, `null`, `{"contents":"","range":null}`} {
		if got := decode[Hover](t, data); got != (Hover{}) {
			t.Errorf("%s: got %+v", data, got)
		}
	}
	refuses[Hover](t, `1`, `[]`, `{"contents":1}`, `{"contents":true}`, `{"contents":[["a"]]}`, `{"contents":[1]}`,
		`{"contents":{"value":1}}`, `{"contents":"a","range":[]}`)
}

func TestLocations(t *testing.T) {
	const one = `{"uri":"file:///a","range":` + span1 + `}`
	const link = `{"targetUri":"file:///%61","targetRange":` + span1 + `,"targetSelectionRange":` + span2 + `,"originSelectionRange":` + span1 + `}`
	a1, a2 := Location{"file:///a", range1}, Location{"file:///a", range2}
	tests := []struct {
		name, json string
		want       Locations
	}{
		{"single", one, Locations{a1}},
		{"single after blanks", " \n" + one, Locations{a1}},
		{"array", `[` + one + `,` + one + `]`, Locations{a1, a1}},
		{"link", link, Locations{a2}},
		{"links", `[` + link + `]`, Locations{a2}},
		{"both", `[` + one + `,` + link + `]`, Locations{a1, a2}},
		{"null", `null`, nil},
		{"empty", `[]`, nil},
		{"other scheme", `{"uri":"jdt://a","range":` + span1 + `}`, Locations{{"jdt://a", range1}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := decode[Locations](t, test.json); !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
	refuses[Locations](t, `{}`, `[{}]`, `[null]`, `{"range":`+span1+`}`, `{"uri":""}`, `{"uri":null}`, `{"uri":1}`,
		`1`, `"file:///a"`, `[`+one+`,{"range":`+span1+`}]`, `[[`+one+`]]`, `{"uri":"file:///a","range":{"start":{"line":-1}}}`)
}

func TestDocumentSymbols(t *testing.T) {
	tests := []struct {
		name, json string
		want       DocumentSymbols
	}{
		{
			"outline",
			`[{"name":"A","detail":"d","kind":5,"range":` + span2 + `,"selectionRange":` + span1 + `,"children":[{"name":"b","kind":6,"range":` + span1 + `,"selectionRange":` + span1 + `}]}]`,
			DocumentSymbols{{
				Name: "A", Detail: "d", Kind: 5, Range: range2, Selection: range1,
				Children: []DocumentSymbol{{Name: "b", Kind: 6, Range: range1, Selection: range1}},
			}},
		},
		{
			"flat",
			`[{"name":"b","kind":6,"containerName":"A","location":{"uri":"file:///a","range":` + span1 + `}}]`,
			DocumentSymbols{{Name: "b", Kind: 6, Container: "A", Range: range1, Selection: range1}},
		},
		{"null", `null`, nil},
		{"empty", `[]`, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := decode[DocumentSymbols](t, test.json); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
	refuses[DocumentSymbols](t, `{}`, `1`, `[1]`, `[{"kind":"class"}]`, `[{"kind":-1}]`, `[{"location":[]}]`, `[{"children":{}}]`)
}

func TestWorkspaceSymbol(t *testing.T) {
	const head = `{"name":"f","kind":12,"containerName":"p","location":{"uri":"file:///a"`
	want := WorkspaceSymbol{Name: "f", Kind: 12, Container: "p", Location: Location{URI: "file:///a"}}
	if got := decode[WorkspaceSymbol](t, head+`}}`); got != want {
		t.Errorf("without a range: got %+v, want %+v", got, want)
	}
	want.HasRange, want.Location.Range = true, range1
	if got := decode[WorkspaceSymbol](t, head+`,"range":`+span1+`}}`); got != want {
		t.Errorf("with a range: got %+v, want %+v", got, want)
	}
	refuses[WorkspaceSymbol](t, `1`, `[]`, `{"location":[]}`, `{"location":{"range":1}}`, `{"name":1}`)
}

func TestWorkspaceEdit(t *testing.T) {
	edit := func(text string) string { return `{"range":` + span1 + `,"newText":"` + text + `"}` }
	part := func(uri, text string) string {
		return `{"textDocument":{"uri":"` + uri + `","version":null},"edits":[` + edit(text) + `]}`
	}
	edits := func(texts ...string) []TextEdit {
		var list []TextEdit
		for _, text := range texts {
			list = append(list, TextEdit{range1, text})
		}
		return list
	}
	const rename = `{"kind":"rename","oldUri":"file:///a","newUri":"file:///%63"}`
	const create = `{"kind":"create","uri":"file:///d","options":{"overwrite":true}}`
	tests := []struct {
		name, json string
		want       WorkspaceEdit
	}{
		{
			"changes", `{"changes":{"file:///b":[` + edit("y") + `],"file:///%61":[` + edit("x") + `]}}`,
			WorkspaceEdit{Files: []FileEdits{{"file:///a", edits("x")}, {"file:///b", edits("y")}}},
		},
		{
			"changes that spell one file twice", `{"changes":{"file:///a":[` + edit("y") + `],"file:///%61":[` + edit("x") + `]}}`,
			WorkspaceEdit{Files: []FileEdits{{"file:///a", edits("x", "y")}}},
		},
		{
			"operations between edits", `{"documentChanges":[` + part("file:///a", "x") + `,` + rename + `,` + part("file:///c", "y") + `,` + create + `]}`,
			WorkspaceEdit{
				Files:      []FileEdits{{"file:///a", edits("x")}, {"file:///c", edits("y")}},
				Operations: []FileOperation{{Kind: "rename", OldURI: "file:///a", NewURI: "file:///c"}, {Kind: "create", URI: "file:///d"}},
			},
		},
		{
			"several parts of one document", `{"documentChanges":[` + part("file:///a", "x") + `,` + part("file:///b", "y") + `,` + part("file:///%61", "z") + `]}`,
			WorkspaceEdit{Files: []FileEdits{{"file:///a", edits("x", "z")}, {"file:///b", edits("y")}}},
		},
		{
			"both", `{"changes":{"file:///a":[` + edit("x") + `]},"documentChanges":[` + part("file:///b", "y") + `]}`,
			WorkspaceEdit{Files: []FileEdits{{"file:///b", edits("y")}}},
		},
		{"both, the second empty", `{"changes":{"file:///a":[` + edit("x") + `]},"documentChanges":[]}`, WorkspaceEdit{}},
		{
			"both, the second null", `{"changes":{"file:///a":[` + edit("x") + `]},"documentChanges":null}`,
			WorkspaceEdit{Files: []FileEdits{{"file:///a", edits("x")}}},
		},
		{"empty", `{}`, WorkspaceEdit{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := decode[WorkspaceEdit](t, test.json); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
	refuses[WorkspaceEdit](t, `1`, `[]`, `{"changes":[]}`, `{"changes":{"file:///a":{}}}`, `{"documentChanges":{}}`,
		`{"documentChanges":[{}]}`, `{"documentChanges":[null]}`, `{"documentChanges":[1]}`, `{"documentChanges":[{"edits":[]}]}`,
		`{"documentChanges":[{"textDocument":{"uri":"file:///a"},"edits":{}}]}`, `{"documentChanges":[{"kind":1}]}`)
}

// A server's list of files has the same order each time: a plan that is asked
// for twice reads the same.
func TestWorkspaceEditIsOrdered(t *testing.T) {
	var data []string
	for _, name := range strings.Split("hgfedcba", "") {
		data = append(data, `"file:///`+name+`":[]`)
	}
	got := decode[WorkspaceEdit](t, `{"changes":{`+strings.Join(data, ",")+`}}`)
	byURI := func(a, b FileEdits) int { return cmp.Compare(a.URI, b.URI) }
	if len(got.Files) != 8 || !slices.IsSortedFunc(got.Files, byURI) {
		t.Errorf("got %v", got.Files)
	}
}

func FuzzResults(f *testing.F) {
	for _, seed := range []string{
		`null`, `{}`, `[[]]`, `{"contents":["a",{"language":"go","value":"b"}]}`, `[{"uri":"file:///a","range":` + span1 + `}]`,
		`{"targetUri":"file:///a","targetSelectionRange":` + span2 + `}`, `[{"name":"a","kind":5,"children":[{}],"location":{}}]`,
		`{"changes":{"file:///a":[{"newText":"b"}],"file:///%61":null}}`,
		`{"documentChanges":[{"kind":"delete","uri":"file:///a"},{"textDocument":{"uri":"file:///a"},"edits":[]}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var hover Hover
		_ = json.Unmarshal(data, &hover)
		var symbols DocumentSymbols
		_ = json.Unmarshal(data, &symbols)
		var found []WorkspaceSymbol
		_ = json.Unmarshal(data, &found)
		var locations Locations
		if json.Unmarshal(data, &locations) == nil {
			for _, l := range locations {
				if l.URI == "" {
					t.Errorf("%s: a location without a uri", data)
				}
			}
		}
		var edit WorkspaceEdit
		if json.Unmarshal(data, &edit) == nil {
			seen := map[DocumentURI]bool{}
			for _, file := range edit.Files {
				if seen[file.URI] {
					t.Errorf("%s: %s is there twice", data, file.URI)
				}
				seen[file.URI] = true
			}
		}
	})
}
