package protocol

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// Numbers by hand from LSP 3.17: the table in the code could have slipped.
func TestSymbolKindNumbers(t *testing.T) {
	for name, want := range map[string]SymbolKind{
		"file": 1, "class": 5, "method": 6, "constructor": 9, "enum": 10, "interface": 11, "function": 12, "variable": 13,
		"constant": 14, "key": 20, "null": 21, "enum_member": 22, "struct": 23, "type_parameter": 26,
	} {
		if got, err := ParseSymbolKind(name); got != want || err != nil || want.String() != name {
			t.Errorf("%s: got %d, %v, and %d is %s", name, got, err, want, want)
		}
	}
	for kind, want := range map[SymbolKind]string{0: "kind_0", 27: "kind_27", 1<<32 - 1: "kind_4294967295"} {
		if got := kind.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestParseSymbolKind(t *testing.T) {
	for k := SymbolKind(1); k <= 26; k++ {
		name := k.String()
		bare := strings.ReplaceAll(name, "_", "")
		for _, spelling := range []string{name, strings.ToUpper(name), bare, strings.ToUpper(bare[:1]) + bare[1:]} {
			if got, err := ParseSymbolKind(spelling); got != k || err != nil {
				t.Errorf("%s: got %s, %v, want %s", spelling, got, err, k)
			}
		}
	}
	for _, name := range []string{"", "_", "klass", "class ", "kind_5"} {
		got, err := ParseSymbolKind(name)
		if err == nil || got != 0 {
			t.Errorf("%q: got %s, %v, want an error", name, got, err)
			continue
		}
		for k := SymbolKind(1); k <= 26; k++ {
			if !strings.Contains(err.Error(), k.String()) {
				t.Errorf("%q: %v does not name %s", name, err, k)
			}
		}
	}
}

func TestCapabilitiesOfferEncodingsAndKinds(t *testing.T) {
	data, err := json.Marshal(Capabilities([]Encoding{UTF8, UTF16}))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		General   struct{ PositionEncodings []Encoding }
		Workspace struct {
			Symbol struct{ SymbolKind struct{ ValueSet []int } }
		}
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if want := []Encoding{UTF8, UTF16}; !reflect.DeepEqual(got.General.PositionEncodings, want) {
		t.Errorf("encodings: got %v, want %v", got.General.PositionEncodings, want)
	}
	set := got.Workspace.Symbol.SymbolKind.ValueSet
	if len(set) != 26 || set[0] != 1 || set[25] != 26 {
		t.Errorf("kinds: got %v, want 1 to 26", set)
	}
}

func TestProvided(t *testing.T) {
	for raw, want := range map[string]bool{"": false, "null": false, "false": false, "true": true, "{}": true, `{"workDoneProgress":false}`: true} {
		if got := Provided(json.RawMessage(raw)); got != want {
			t.Errorf("%q: got %v", raw, got)
		}
	}
}

func TestCodeString(t *testing.T) {
	for raw, want := range map[string]string{"": "", "null": "", `"E0308"`: "E0308", "2304": "2304", `""`: ""} {
		if got := (Diagnostic{Code: json.RawMessage(raw)}).CodeString(); got != want {
			t.Errorf("%q: got %q, want %q", raw, got, want)
		}
	}
}
