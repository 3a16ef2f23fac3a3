package protocol

import "encoding/json"

// CodeActionParams are the params of textDocument/codeAction.
type CodeActionParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
	Range        Range                  `json:"range"`
	Context      CodeActionContext      `json:"context"`
}

// CodeActionContext holds the diagnostics that actions may mend, and the kinds
// of action that are wanted; none is every kind.
type CodeActionContext struct {
	Diagnostics []Diagnostic `json:"diagnostics"`
	Only        []string     `json:"only,omitempty"`
}

// Command is a command of the server's.
type Command struct {
	Title     string          `json:"title"`
	Command   string          `json:"command"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// CodeAction is a CodeAction, or a Command that stands in the place of one. Raw
// is how it came: it goes back so to be resolved.
type CodeAction struct {
	Title       string
	Kind        string
	Preferred   bool
	Disabled    string // why it cannot be done now; "" when it can
	Diagnostics []Diagnostic
	Edit        *WorkspaceEdit
	Command     *Command
	Unresolved  string // why its edit could not be had; "" when it was not tried
	Raw         json.RawMessage
}

// UnmarshalJSON accepts both shapes: a Command has its name where a CodeAction
// has an object.
func (a *CodeAction) UnmarshalJSON(data []byte) error {
	var wire struct {
		Title       string `json:"title"`
		Kind        string `json:"kind"`
		Preferred   bool   `json:"isPreferred"`
		Disabled    struct{ Reason string }
		Diagnostics []Diagnostic    `json:"diagnostics"`
		Edit        *WorkspaceEdit  `json:"edit"`
		Command     json.RawMessage `json:"command"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	*a = CodeAction{
		Title: wire.Title, Kind: wire.Kind, Preferred: wire.Preferred, Disabled: wire.Disabled.Reason,
		Diagnostics: wire.Diagnostics, Edit: wire.Edit, Raw: append(json.RawMessage(nil), data...),
	}
	switch firstByte(wire.Command) {
	case '"':
		a.Command = &Command{}
		return json.Unmarshal(data, a.Command)
	case '{':
		a.Command = &Command{}
		return json.Unmarshal(wire.Command, a.Command)
	}
	return nil
}
