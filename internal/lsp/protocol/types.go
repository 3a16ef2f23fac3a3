package protocol

import (
	"encoding/json"
	"fmt"
)

// Position is a place between two characters: line and character count from 0,
// the character in the units of an [Encoding].
type Position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// Range is half open: End is the position after the last character.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Location is a range in a document.
type Location struct {
	URI   DocumentURI `json:"uri"`
	Range Range       `json:"range"`
}

// TextDocumentIdentifier names a document.
type TextDocumentIdentifier struct {
	URI DocumentURI `json:"uri"`
}

// TextDocumentPositionParams addresses a position in a document.
type TextDocumentPositionParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
	Position     Position               `json:"position"`
}

// DocumentParams are the params of requests that take a document and nothing
// else (documentSymbol).
type DocumentParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
}

// TextDocumentItem is a document as didOpen transfers it.
type TextDocumentItem struct {
	URI        DocumentURI `json:"uri"`
	LanguageID string      `json:"languageId"`
	Version    int32       `json:"version"`
	Text       string      `json:"text"`
}

// DidOpenTextDocumentParams are the params of textDocument/didOpen.
type DidOpenTextDocumentParams struct {
	TextDocument TextDocumentItem `json:"textDocument"`
}

// VersionedTextDocumentIdentifier names one version of a document.
type VersionedTextDocumentIdentifier struct {
	URI     DocumentURI `json:"uri"`
	Version int32       `json:"version"`
}

// TextDocumentContentChangeEvent replaces the whole text: mcpls never sends a
// range.
type TextDocumentContentChangeEvent struct {
	Text string `json:"text"`
}

// DidChangeTextDocumentParams are the params of textDocument/didChange.
type DidChangeTextDocumentParams struct {
	TextDocument   VersionedTextDocumentIdentifier  `json:"textDocument"`
	ContentChanges []TextDocumentContentChangeEvent `json:"contentChanges"`
}

// DidCloseTextDocumentParams are the params of textDocument/didClose.
type DidCloseTextDocumentParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
}

// FileEvent is a change of a file on disk. Type is 1 created, 2 changed, 3
// deleted.
type FileEvent struct {
	URI  DocumentURI `json:"uri"`
	Type int         `json:"type"`
}

// DidChangeWatchedFilesParams are the params of workspace/didChangeWatchedFiles.
type DidChangeWatchedFilesParams struct {
	Changes []FileEvent `json:"changes"`
}

// ReferenceContext says whether references include the declaration.
type ReferenceContext struct {
	IncludeDeclaration bool `json:"includeDeclaration"`
}

// ReferenceParams are the params of textDocument/references.
type ReferenceParams struct {
	TextDocumentPositionParams
	Context ReferenceContext `json:"context"`
}

// RenameParams are the params of textDocument/rename.
type RenameParams struct {
	TextDocumentPositionParams
	NewName string `json:"newName"`
}

// WorkspaceSymbolParams are the params of workspace/symbol.
type WorkspaceSymbolParams struct {
	Query string `json:"query"`
}

// TextEdit replaces a range by new text.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// PublishDiagnosticsParams are the params of textDocument/publishDiagnostics.
// Version is nil when the server does not say which version it looked at.
type PublishDiagnosticsParams struct {
	URI         DocumentURI  `json:"uri"`
	Version     *int32       `json:"version,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// DiagnosticSeverity is 1 (error) to 4 (hint); 0 when the server left it out.
type DiagnosticSeverity int

// The severities of the protocol.
const (
	SeverityError DiagnosticSeverity = iota + 1
	SeverityWarning
	SeverityInformation
	SeverityHint
)

// String gives the severity's name in lower case; one that the server left out
// reads as an error, as clients are told to interpret it.
func (s DiagnosticSeverity) String() string {
	switch s {
	case SeverityWarning:
		return "warning"
	case SeverityInformation:
		return "information"
	case SeverityHint:
		return "hint"
	}
	return "error"
}

// Diagnostic is one finding of a server. Code is a number or a string on the
// wire and is kept as it came.
type Diagnostic struct {
	Range    Range              `json:"range"`
	Severity DiagnosticSeverity `json:"severity,omitempty"`
	Code     json.RawMessage    `json:"code,omitempty"`
	Source   string             `json:"source,omitempty"`
	Message  string             `json:"message"`
	Related  []RelatedInfo      `json:"relatedInformation,omitempty"`
	// Data is the server's own: with it a code action finds the diagnostic.
	Data json.RawMessage `json:"data,omitempty"`
}

// CodeString gives the code as text, "" when there is none.
func (d Diagnostic) CodeString() string {
	var s string
	if json.Unmarshal(d.Code, &s) == nil {
		return s
	}
	return string(d.Code)
}

// RelatedInfo is a DiagnosticRelatedInformation.
type RelatedInfo struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// DocumentDiagnosticReport is the full answer to textDocument/diagnostic.
type DocumentDiagnosticReport struct {
	Items []Diagnostic
}

// UnmarshalJSON refuses a report that does not list its items: it must not read
// as "no errors". mcpls sends no previousResultId, so an unchanged report is
// none. (gopls leaves kind empty.)
func (r *DocumentDiagnosticReport) UnmarshalJSON(data []byte) error {
	var wire struct {
		Kind  string        `json:"kind"`
		Items *[]Diagnostic `json:"items"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	if wire.Items == nil || wire.Kind != "full" && wire.Kind != "" {
		return fmt.Errorf("a diagnostic report of kind %q without items", wire.Kind)
	}
	r.Items = *wire.Items
	return nil
}
