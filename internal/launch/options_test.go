package launch

import (
	"reflect"
	"testing"
)

// TestOver holds that a user's own option changes that one and no other.
func TestOver(t *testing.T) {
	known := map[string]any{"a": 1, "t": map[string]any{"x": 1, "y": 2}, "u": map[string]any{"z": 3}}
	own := map[string]any{"b": 2, "t": map[string]any{"x": 9}, "u": "text"}
	want := map[string]any{"a": 1, "b": 2, "t": map[string]any{"x": 9, "y": 2}, "u": "text"}
	if got := over(known, own); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	if known["t"].(map[string]any)["x"] != 1 {
		t.Error("what is known was changed")
	}
	if got := over(nil, nil); got != nil {
		t.Errorf("nothing over nothing: %v", got)
	}
}
