package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
)

// Highlight is a DocumentHighlight.
type Highlight struct {
	Range Range         `json:"range"`
	Kind  HighlightKind `json:"kind"`
}

// HighlightKind is 1 (text), 2 (read) or 3 (write); 0 when the server left it
// out, which means text.
type HighlightKind int

// String gives the kind's name in lower case.
func (k HighlightKind) String() string {
	switch k {
	case 2:
		return "read"
	case 3:
		return "write"
	}
	return "text"
}

// SignatureHelp is the answer to textDocument/signatureHelp. The numbers of the
// active signature and parameter may be out of range, as servers give them.
type SignatureHelp struct {
	Signatures      []Signature `json:"signatures"`
	ActiveSignature int         `json:"activeSignature"`
	ActiveParameter *int        `json:"activeParameter"`
}

// Signature is one way to call what is called.
type Signature struct {
	Label           string
	Documentation   string
	Parameters      []Parameter
	ActiveParameter *int // wins over that of the SignatureHelp
}

// Parameter is one parameter, its label brought into the form of a text.
type Parameter struct {
	Label         string
	Documentation string
}

// UnmarshalJSON accepts documentation as string or markup, and a parameter's
// label as text or as offsets into that of the signature, in UTF-16.
func (s *Signature) UnmarshalJSON(data []byte) error {
	var wire struct {
		Label         string          `json:"label"`
		Documentation json.RawMessage `json:"documentation"`
		Parameters    []struct {
			Label         json.RawMessage `json:"label"`
			Documentation json.RawMessage `json:"documentation"`
		} `json:"parameters"`
		ActiveParameter *int `json:"activeParameter"`
	}
	err := json.Unmarshal(data, &wire)
	if err != nil {
		return err
	}
	*s = Signature{Label: wire.Label, ActiveParameter: wire.ActiveParameter}
	if s.Documentation, err = markup(wire.Documentation); err != nil {
		return err
	}
	units := utf16.Encode([]rune(s.Label))
	for _, p := range wire.Parameters {
		documentation, err := markup(p.Documentation)
		if err != nil {
			return err
		}
		label, err := parameterLabel(p.Label, units)
		if err != nil {
			return err
		}
		s.Parameters = append(s.Parameters, Parameter{label, documentation})
	}
	return nil
}

func parameterLabel(raw json.RawMessage, signature []uint16) (string, error) {
	var text string
	if firstByte(raw) == '"' {
		err := json.Unmarshal(raw, &text)
		return text, err
	}
	var span [2]int
	if err := json.Unmarshal(raw, &span); err != nil {
		return "", err
	}
	if span[0] < 0 || span[1] < span[0] || span[1] > len(signature) {
		return "", fmt.Errorf("a parameter label outside its signature")
	}
	return string(utf16.Decode(signature[span[0]:span[1]])), nil
}

// Renamable is the answer to textDocument/prepareRename; nil when there is
// nothing to rename. HasRange is false when the server only says that its
// default is to rename the identifier there.
type Renamable struct {
	Range       Range
	HasRange    bool
	Placeholder string
}

// UnmarshalJSON accepts the three shapes of the protocol.
func (r *Renamable) UnmarshalJSON(data []byte) error {
	var wire struct {
		Range           *Range    `json:"range"`
		Placeholder     string    `json:"placeholder"`
		DefaultBehavior *bool     `json:"defaultBehavior"`
		Start           *Position `json:"start"`
		End             Position  `json:"end"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	switch {
	case wire.Range != nil:
		*r = Renamable{*wire.Range, true, wire.Placeholder}
	case wire.Start != nil:
		*r = Renamable{Range{*wire.Start, wire.End}, true, ""}
	case wire.DefaultBehavior != nil:
		*r = Renamable{}
	default:
		return fmt.Errorf("an answer to prepareRename of an unknown shape")
	}
	return nil
}

// SelectionRanges is the answer to textDocument/selectionRange for one
// position: each range holds the one before it.
type SelectionRanges []Range

// UnmarshalJSON flattens the chain of parents.
func (s *SelectionRanges) UnmarshalJSON(data []byte) error {
	type link struct {
		Range  Range `json:"range"`
		Parent *link `json:"parent"`
	}
	var first link
	if err := json.Unmarshal(data, &first); err != nil {
		return err
	}
	*s = nil
	for l := &first; l != nil; l = l.Parent {
		*s = append(*s, l.Range)
	}
	return nil
}

// FoldingRange is a range of lines, both ends within it. Kind is comment,
// imports, region, the server's own, or "".
type FoldingRange struct {
	StartLine uint32 `json:"startLine"`
	EndLine   uint32 `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

// InlayHint is a label that an editor shows inside a line. Kind is 1 (type), 2
// (parameter) or 0.
type InlayHint struct {
	Position     Position
	Label        string
	Kind         int
	Tooltip      string
	PaddingLeft  bool
	PaddingRight bool
}

// UnmarshalJSON accepts a label in one text or in parts.
func (h *InlayHint) UnmarshalJSON(data []byte) error {
	var wire struct {
		Position     Position        `json:"position"`
		Label        json.RawMessage `json:"label"`
		Kind         int             `json:"kind"`
		Tooltip      json.RawMessage `json:"tooltip"`
		PaddingLeft  bool            `json:"paddingLeft"`
		PaddingRight bool            `json:"paddingRight"`
	}
	err := json.Unmarshal(data, &wire)
	if err != nil {
		return err
	}
	*h = InlayHint{Position: wire.Position, Kind: wire.Kind, PaddingLeft: wire.PaddingLeft, PaddingRight: wire.PaddingRight}
	if h.Label, err = labelText(wire.Label); err != nil {
		return err
	}
	h.Tooltip, err = markup(wire.Tooltip)
	return err
}

func labelText(raw json.RawMessage) (string, error) {
	var text string
	if firstByte(raw) == '"' {
		err := json.Unmarshal(raw, &text)
		return text, err
	}
	var parts []struct {
		Value string `json:"value"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(part.Value)
	}
	return b.String(), nil
}

// FormattingOptions are what a formatter is asked for; most servers have a
// style of their own and ignore them.
type FormattingOptions struct {
	TabSize      int  `json:"tabSize"`
	InsertSpaces bool `json:"insertSpaces"`
}

// FormattingParams are the params of textDocument/formatting, and with Range
// those of textDocument/rangeFormatting.
type FormattingParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
	Range        *Range                 `json:"range,omitempty"`
	Options      FormattingOptions      `json:"options"`
}

// RangeParams are the params of requests about a range of a document.
type RangeParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
	Range        Range                  `json:"range"`
}

// PositionsParams are the params of textDocument/selectionRange.
type PositionsParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
	Positions    []Position             `json:"positions"`
}
