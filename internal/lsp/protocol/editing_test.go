package protocol

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func number(n int) *int { return &n }

func TestSignature(t *testing.T) {
	got := decode[SignatureHelp](t, `{"signatures": [
		{"label": "f(🛒 a, b)", "documentation": {"kind": "markdown", "value": "doc"}, "activeParameter": 1,
		 "parameters": [{"label": [2, 6]}, {"label": "b", "documentation": "second"}]},
		{"label": "g()"}
	], "activeSignature": 1, "activeParameter": 0}`)
	want := SignatureHelp{
		ActiveSignature: 1, ActiveParameter: number(0),
		Signatures: []Signature{
			{Label: "f(🛒 a, b)", Documentation: "doc", ActiveParameter: number(1), Parameters: []Parameter{{"🛒 a", ""}, {"b", "second"}}},
			{Label: "g()"},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	refuses[Signature](t, `{"label": "f", "parameters": [{"label": [0, 2]}]}`, `{"label": "f", "parameters": [{"label": [1, 0]}]}`,
		`{"label": "f", "parameters": [{"label": [-1, 0]}]}`, `{"label": "f", "parameters": [{"label": {}}]}`)
}

func TestRenamable(t *testing.T) {
	for data, want := range map[string]Renamable{
		span1: {Range: range1, HasRange: true},
		`{"range": ` + span1 + `, "placeholder": "x"}`: {range1, true, "x"},
		`{"defaultBehavior": true}`:                    {},
	} {
		if got := decode[Renamable](t, data); got != want {
			t.Errorf("%s: %+v", data, got)
		}
	}
	if got := decode[*Renamable](t, `null`); got != nil {
		t.Errorf("null: %+v", got)
	}
	refuses[Renamable](t, `{}`, `[]`)
}

func TestSelectionRanges(t *testing.T) {
	got := decode[[]SelectionRanges](t, `[{"range": `+span1+`, "parent": {"range": `+span2+`, "parent": null}}]`)
	if want := (SelectionRanges{range1, range2}); len(got) != 1 || !slices.Equal(got[0], want) {
		t.Errorf("got %v", got)
	}
}

func TestInlayHint(t *testing.T) {
	want := InlayHint{Position: Position{1, 2}, Label: ": int", Kind: 1, Tooltip: "tip", PaddingLeft: true}
	for _, label := range []string{`": int"`, `[{"value": ": "}, {"value": "int", "tooltip": "x"}]`} {
		data := `{"position": {"line": 1, "character": 2}, "label": ` + label + `, "kind": 1, "tooltip": "tip", "paddingLeft": true}`
		if got := decode[InlayHint](t, data); got != want {
			t.Errorf("%s: %+v", label, got)
		}
	}
	refuses[InlayHint](t, `{"label": {}}`, `{"label": 1}`)
}

func TestCompletions(t *testing.T) {
	items := `[{"label": "b", "kind": 3, "sortText": "1"}, {"label": "a", "labelDetails": {"description": "int"}, "documentation": "doc"}]`
	want := []CompletionItem{
		{Label: "b", Kind: 3, SortText: "1"},
		{Label: "a", Detail: "int", Documentation: "doc", SortText: "a"},
	}
	for data, incomplete := range map[string]bool{items: false, `{"isIncomplete": true, "items": ` + items + `}`: true} {
		got := decode[Completions](t, data)
		if !slices.Equal(got.Items, want) || got.Incomplete != incomplete {
			t.Errorf("%s: %+v", data, got)
		}
	}
	if got := decode[Completions](t, `null`); len(got.Items) != 0 {
		t.Errorf("null: %+v", got)
	}
	for kind, name := range map[CompletionKind]string{0: "", 3: "function", 25: "type_parameter", 26: "kind_26"} {
		if kind.String() != name {
			t.Errorf("kind %d is %q", kind, kind)
		}
	}
}

func TestCodeAction(t *testing.T) {
	got := decode[[]CodeAction](t, `[
		{"title": "fix", "kind": "quickfix", "isPreferred": true, "edit": {"changes": {"file:///a": [{"range": `+span1+`, "newText": "x"}]}}, "data": 7},
		{"title": "run", "command": "do.it", "arguments": [1]},
		{"title": "both", "disabled": {"reason": "busy"}, "command": {"title": "t", "command": "c"}}
	]`)
	if a := got[0]; a.Kind != "quickfix" || !a.Preferred || a.Edit.Files[0].Edits[0].NewText != "x" || a.Command != nil || !strings.Contains(string(a.Raw), `"data": 7`) {
		t.Errorf("an action: %+v", a)
	}
	if a := got[1]; a.Command == nil || a.Command.Command != "do.it" || string(a.Command.Arguments) != "[1]" || a.Edit != nil {
		t.Errorf("a command: %+v", a)
	}
	if a := got[2]; a.Command == nil || a.Command.Command != "c" || a.Disabled != "busy" {
		t.Errorf("an action with a command: %+v", a)
	}
	refuses[CodeAction](t, `{"command": {"command": 1}}`)
}

func TestCall(t *testing.T) {
	item := `{"name": "f", "kind": 12, "uri": "file:///a", "range": ` + span2 + `, "selectionRange": ` + span1 + `, "data": {"k": [1]}}`
	for _, side := range []string{"from", "to"} {
		got := decode[Call](t, `{"`+side+`": `+item+`, "fromRanges": [`+span1+`]}`)
		if got.Other.Name != "f" || got.Other.Range != range2 || string(got.Other.Data) != `{"k": [1]}` || !slices.Equal(got.Ranges, []Range{range1}) {
			t.Errorf("%s: %+v", side, got)
		}
	}
}

func TestOption(t *testing.T) {
	for data, want := range map[string]bool{
		`{"prepareProvider": true}`: true, `{"prepareProvider": false}`: false, `{}`: false, `true`: false, ``: false,
	} {
		if got := Option([]byte(data), "prepareProvider"); got != want {
			t.Errorf("%s: %v", data, got)
		}
	}
}

// TestApply compares with a reference that works on the bytes of each edit from
// the last to the first.
func TestApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		m := NewMapper(text)
		cuts := rapid.SliceOfN(rapid.IntRange(0, len(text)), 0, 8).Draw(t, "cuts")
		for i := range cuts { // to where a position can be
			cuts[i], _ = m.Offset(m.Position(cuts[i], UTF16), UTF16)
		}
		slices.Sort(cuts)
		var edits []TextEdit
		want := text
		for i := len(cuts) - 2; i >= 0; i -= 2 {
			edit := TextEdit{Range{m.Position(cuts[i], UTF16), m.Position(cuts[i+1], UTF16)}, rapid.SampledFrom([]string{"", "x", "🛒\n"}).Draw(t, "new")}
			if len(edits) > 0 && cuts[i+1] > cuts[i+2] || i+2 < len(cuts) && cuts[i] == cuts[i+2] {
				continue // two at one place have an order of their own
			}
			edits = append(edits, edit)
			want = want[:cuts[i]] + edit.NewText + want[cuts[i+1]:]
		}
		got, err := m.Apply(edits)
		if err != nil || got != want {
			t.Fatalf("%q with %v: %q, %v, want %q", text, edits, got, err, want)
		}
	})
}

func TestApplyOrderAndOverlap(t *testing.T) {
	m := NewMapper("abc\n")
	at := func(from, to uint32, text string) TextEdit { return TextEdit{span(0, from, to), text} }
	got, err := m.Apply([]TextEdit{at(1, 1, "x"), at(1, 1, "y"), at(0, 1, "A")})
	if got != "Axybc\n" || err != nil {
		t.Errorf("insertions at one place: %q, %v", got, err)
	}
	// The whole text, as formatters give it: the end lies on a line past the last.
	got, err = m.Apply([]TextEdit{{Range{Position{}, Position{9, 0}}, "new"}})
	if got != "new" || err != nil {
		t.Errorf("the whole text: %q, %v", got, err)
	}
	for name, edits := range map[string][]TextEdit{
		"overlap":      {at(0, 2, ""), at(1, 3, "")},
		"past the end": {{Range{Position{5, 0}, Position{5, 0}}, "x"}},
	} {
		if got, err := m.Apply(edits); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}
