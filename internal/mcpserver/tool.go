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
	renameTool,
	toolSupportTool,
}

// describe gives the tool as clients list it. Every tool reads only: even a
// rename is a plan that somebody else applies.
func (t tool) describe(name string) *mcp.Tool {
	no := false
	return &mcp.Tool{
		Name: name, Description: t.about, InputSchema: schema(t.args),
		Annotations: &mcp.ToolAnnotations{
			Title: t.title, ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no,
		},
	}
}
