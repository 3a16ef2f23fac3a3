package catalog

// Feature is a kind of question that a server can be declared for: a value of
// the handles key of an [[lsp_servers]] entry.
type Feature string

// The features, as the configuration spells them. A question that is no
// feature of its own goes with the nearest: prepare_rename with rename, a file's
// cached diagnostics with diagnostics.
const (
	Hover              Feature = "hover"
	Definition         Feature = "definition"
	TypeDefinition     Feature = "type_definition"
	Declaration        Feature = "declaration"
	Implementation     Feature = "implementation"
	References         Feature = "references"
	Diagnostics        Feature = "diagnostics"
	Rename             Feature = "rename"
	Completions        Feature = "completions"
	SignatureHelp      Feature = "signature_help"
	DocumentSymbols    Feature = "document_symbols"
	WorkspaceSymbols   Feature = "workspace_symbols"
	FormatDocument     Feature = "format_document"
	FormatRange        Feature = "format_range"
	CodeActions        Feature = "code_actions"
	CallHierarchy      Feature = "call_hierarchy"
	TypeHierarchy      Feature = "type_hierarchy"
	DocumentHighlights Feature = "document_highlights"
	InlayHints         Feature = "inlay_hints"
	SelectionRange     Feature = "selection_range"
	FoldingRange       Feature = "folding_range"
)

// Features are all features.
var Features = []Feature{
	Hover, Definition, TypeDefinition, Declaration, Implementation, References, Diagnostics, Rename,
	Completions, SignatureHelp, DocumentSymbols, WorkspaceSymbols, FormatDocument, FormatRange,
	CodeActions, CallHierarchy, TypeHierarchy, DocumentHighlights, InlayHints, SelectionRange, FoldingRange,
}
