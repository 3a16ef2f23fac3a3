package protocol

import (
	"encoding/json"
	"fmt"
)

// CompletionContext says why completion is asked for. Kind is 1 (invoked) or 2
// (a trigger character was typed).
type CompletionContext struct {
	Kind    int    `json:"triggerKind"`
	Trigger string `json:"triggerCharacter,omitempty"`
}

// CompletionParams are the params of textDocument/completion.
type CompletionParams struct {
	TextDocumentPositionParams
	Context CompletionContext `json:"context"`
}

// Completions is the answer to textDocument/completion. Incomplete says that
// the server has more.
type Completions struct {
	Items      []CompletionItem
	Incomplete bool
}

// UnmarshalJSON accepts CompletionItem[], CompletionList and null.
func (c *Completions) UnmarshalJSON(data []byte) error {
	*c = Completions{}
	if firstByte(data) == '[' {
		return json.Unmarshal(data, &c.Items)
	}
	var list struct {
		Items      []CompletionItem `json:"items"`
		Incomplete bool             `json:"isIncomplete"`
	}
	err := json.Unmarshal(data, &list)
	*c = Completions{list.Items, list.Incomplete}
	return err
}

// CompletionItem is one way to go on.
type CompletionItem struct {
	Label         string
	Kind          CompletionKind
	Detail        string
	Documentation string
	SortText      string // the order of the server; the label when it gives none
}

// UnmarshalJSON accepts documentation as string or markup.
func (i *CompletionItem) UnmarshalJSON(data []byte) error {
	var wire struct {
		Label   string `json:"label"`
		Details struct {
			Detail      string `json:"detail"`
			Description string `json:"description"`
		} `json:"labelDetails"`
		Kind          CompletionKind  `json:"kind"`
		Detail        string          `json:"detail"`
		Documentation json.RawMessage `json:"documentation"`
		SortText      string          `json:"sortText"`
	}
	err := json.Unmarshal(data, &wire)
	if err != nil {
		return err
	}
	*i = CompletionItem{Label: wire.Label, Kind: wire.Kind, Detail: wire.Detail, SortText: wire.SortText}
	if i.Detail == "" {
		i.Detail = wire.Details.Detail
	}
	if i.Detail == "" {
		i.Detail = wire.Details.Description
	}
	if i.SortText == "" {
		i.SortText = i.Label
	}
	i.Documentation, err = markup(wire.Documentation)
	return err
}

// CompletionKind is the protocol's number for a kind of completion.
type CompletionKind uint32

// completionKinds are the names of kinds 1 to 25 (LSP 3.17, Completion
// Request), in lower case and with underscores.
var completionKinds = [...]string{
	1: "text", "method", "function", "constructor", "field", "variable", "class",
	"interface", "module", "property", "unit", "value", "enum", "keyword",
	"snippet", "color", "file", "reference", "folder", "enum_member", "constant",
	"struct", "event", "operator", "type_parameter",
}

// String gives the kind's name, "" when the server gave none.
func (k CompletionKind) String() string {
	switch {
	case k == 0:
		return ""
	case int(k) < len(completionKinds):
		return completionKinds[k]
	}
	return fmt.Sprintf("kind_%d", uint32(k))
}
