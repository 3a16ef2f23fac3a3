package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool is one tool: what clients are told, and what runs.
type tool struct {
	name, title, about string

	method string // the LSP request behind it; "" when it needs none

	core bool // one of those that an agent uses most
	acts bool // it changes something: what the servers do
	args []arg
	run  func(*call, context.Context) (result, error) // a method of call
}

// tools are all tools, in the order in which they are listed.
var tools = []tool{
	hoverTool,
	definitionTool,
	referencesTool,
	documentSymbolsTool,
	workspaceSymbolTool,
	diagnosticsTool,
	implementationTool,
	incomingCallsTool,
	renameTool,
	codeActionsTool,
	declarationTool,
	typeDefinitionTool,
	highlightsTool,
	outgoingCallsTool,
	prepareCallsTool,
	supertypesTool,
	subtypesTool,
	prepareTypesTool,
	prepareRenameTool,
	completionsTool,
	signatureHelpTool,
	selectionRangesTool,
	foldingRangesTool,
	inlayHintsTool,
	formatDocumentTool,
	formatRangeTool,
	cachedDiagnosticsTool,
	logsTool,
	messagesTool,
	toolSupportTool,
	restartTool,
}

// describe gives the tool as clients list it. Almost every tool reads only:
// even a rename is a plan that somebody else applies. Hints that mean something
// only of the others (MCP, ToolAnnotations) are left out there: every byte of
// the list is paid in a model's context.
func (t tool) describe(name string) *mcp.Tool {
	no := false
	annotations := &mcp.ToolAnnotations{Title: t.title, ReadOnlyHint: !t.acts, OpenWorldHint: &no}
	if t.acts {
		annotations.DestructiveHint, annotations.IdempotentHint = &no, true
	}
	return &mcp.Tool{Name: name, Description: t.about, InputSchema: schema(t.args), Annotations: annotations}
}
