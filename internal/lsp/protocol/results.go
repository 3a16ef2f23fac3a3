package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Hover is the answer to textDocument/hover, its contents brought from the
// three shapes of the protocol (MarkupContent, MarkedString, MarkedString[])
// into one Markdown text.
type Hover struct {
	Contents string
	Range    *Range
}

// UnmarshalJSON accepts every shape of contents.
func (h *Hover) UnmarshalJSON(data []byte) error {
	var wire struct {
		Contents json.RawMessage `json:"contents"`
		Range    *Range          `json:"range"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	contents, err := markup(wire.Contents)
	h.Contents, h.Range = contents, wire.Range
	return err
}

func markup(data json.RawMessage) (string, error) {
	switch firstByte(data) {
	case '"':
		var s string
		err := json.Unmarshal(data, &s)
		return s, err
	case '{':
		var m struct{ Language, Value string }
		err := json.Unmarshal(data, &m)
		if m.Language != "" {
			m.Value = "```" + m.Language + "\n" + m.Value + "\n```"
		}
		return m.Value, err
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(data, &items); err != nil {
			return "", err
		}
		parts := make([]string, 0, len(items))
		for _, item := range items {
			if firstByte(item) == '[' {
				return "", fmt.Errorf("hover contents: an array in an array")
			}
			s, err := markup(item)
			if err != nil {
				return "", err
			}
			if s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, "\n\n"), nil
	case 'n', 0:
		return "", nil
	}
	return "", fmt.Errorf("hover contents of an unknown shape")
}

// Locations is the answer to the requests that give a Location, a Location[]
// or a LocationLink[]. A link is reduced to the target's selection range.
type Locations []Location

// UnmarshalJSON accepts the three shapes and null.
func (l *Locations) UnmarshalJSON(data []byte) error {
	*l = nil
	switch firstByte(data) {
	case 'n':
		return nil
	case '{':
		data = append(append([]byte{'['}, data...), ']')
	}
	var items []struct {
		Location
		TargetURI            DocumentURI `json:"targetUri"`
		TargetSelectionRange Range       `json:"targetSelectionRange"`
	}
	if err := json.Unmarshal(data, &items); err != nil {
		return err
	}
	for _, item := range items {
		loc := item.Location
		if item.TargetURI != "" {
			loc = Location{URI: item.TargetURI, Range: item.TargetSelectionRange}
		}
		if loc.URI == "" {
			return fmt.Errorf("a location without a uri")
		}
		*l = append(*l, loc)
	}
	return nil
}

// DocumentSymbol is one symbol of an outline. A server that answers with the
// flat SymbolInformation[] gives symbols without children whose Selection is
// their whole range.
type DocumentSymbol struct {
	Name      string           `json:"name"`
	Detail    string           `json:"detail,omitempty"`
	Kind      SymbolKind       `json:"kind"`
	Container string           `json:"containerName,omitempty"`
	Range     Range            `json:"range"`
	Selection Range            `json:"selectionRange"`
	Children  []DocumentSymbol `json:"children,omitempty"`
}

// DocumentSymbols is the answer to textDocument/documentSymbol.
type DocumentSymbols []DocumentSymbol

// UnmarshalJSON accepts DocumentSymbol[], SymbolInformation[] and null.
func (s *DocumentSymbols) UnmarshalJSON(data []byte) error {
	var items []struct {
		DocumentSymbol
		Location *Location `json:"location"`
	}
	if err := json.Unmarshal(data, &items); err != nil {
		return err
	}
	*s = nil
	for _, item := range items {
		if item.Location != nil {
			item.Range, item.Selection = item.Location.Range, item.Location.Range
		}
		*s = append(*s, item.DocumentSymbol)
	}
	return nil
}

// WorkspaceSymbol is one answer to workspace/symbol. HasRange is false when
// the server gave a location without a range (LSP 3.17, WorkspaceSymbol).
type WorkspaceSymbol struct {
	Name      string
	Kind      SymbolKind
	Container string
	Location  Location
	HasRange  bool
}

// UnmarshalJSON accepts WorkspaceSymbol and SymbolInformation.
func (s *WorkspaceSymbol) UnmarshalJSON(data []byte) error {
	var wire struct {
		Name          string     `json:"name"`
		Kind          SymbolKind `json:"kind"`
		ContainerName string     `json:"containerName"`
		Location      struct {
			URI   DocumentURI `json:"uri"`
			Range *Range      `json:"range"`
		} `json:"location"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	*s = WorkspaceSymbol{
		Name: wire.Name, Kind: wire.Kind, Container: wire.ContainerName,
		Location: Location{URI: wire.Location.URI}, HasRange: wire.Location.Range != nil,
	}
	if s.HasRange {
		s.Location.Range = *wire.Location.Range
	}
	return nil
}

// FileEdits are the text edits of one document.
type FileEdits struct {
	URI   DocumentURI
	Edits []TextEdit
}

// FileOperation is a create, rename or delete of a file that a workspace edit
// asks for.
type FileOperation struct {
	Kind   string      `json:"kind"`
	URI    DocumentURI `json:"uri,omitempty"`
	OldURI DocumentURI `json:"oldUri,omitempty"`
	NewURI DocumentURI `json:"newUri,omitempty"`
}

// WorkspaceEdit is an edit of several documents, from either of the protocol's
// two shapes; documentChanges wins where both are there, as the protocol says.
type WorkspaceEdit struct {
	Files      []FileEdits
	Operations []FileOperation
}

// UnmarshalJSON accepts changes and documentChanges.
func (w *WorkspaceEdit) UnmarshalJSON(data []byte) error {
	var wire struct {
		// The keys are kept as they came: two may spell one document.
		Changes         map[string][]TextEdit `json:"changes"`
		DocumentChanges []json.RawMessage     `json:"documentChanges"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	*w = WorkspaceEdit{}
	if wire.DocumentChanges == nil {
		for _, key := range slices.Sorted(maps.Keys(wire.Changes)) {
			var uri DocumentURI
			if err := uri.UnmarshalText([]byte(key)); err != nil {
				return err
			}
			w.add(uri, wire.Changes[key])
		}
		return nil
	}
	for _, raw := range wire.DocumentChanges {
		if err := w.addChange(raw); err != nil {
			return err
		}
	}
	return nil
}

func (w *WorkspaceEdit) addChange(raw json.RawMessage) error {
	var change struct {
		FileOperation
		TextDocument TextDocumentIdentifier `json:"textDocument"`
		Edits        []TextEdit             `json:"edits"`
	}
	if err := json.Unmarshal(raw, &change); err != nil {
		return err
	}
	switch {
	case change.Kind != "":
		w.Operations = append(w.Operations, change.FileOperation)
	case change.TextDocument.URI == "":
		return fmt.Errorf("a document change without a document")
	default:
		w.add(change.TextDocument.URI, change.Edits)
	}
	return nil
}

// add merges the edits of one document, which a server may send in several
// parts.
func (w *WorkspaceEdit) add(uri DocumentURI, edits []TextEdit) {
	for i := range w.Files {
		if w.Files[i].URI == uri {
			w.Files[i].Edits = append(w.Files[i].Edits, edits...)
			return
		}
	}
	w.Files = append(w.Files, FileEdits{URI: uri, Edits: edits})
}

func firstByte(data []byte) byte {
	data = bytes.TrimLeft(data, " \t\r\n")
	if len(data) == 0 {
		return 0
	}
	return data[0]
}
