package lsp

import (
	"context"

	"mcpls/internal/lsp/protocol"
)

// Hierarchy is one of the two hierarchies of the protocol.
type Hierarchy struct{ prepare, up, down string }

// The two hierarchies: who calls what, and which type is beneath which.
var (
	CallHierarchy = Hierarchy{
		"textDocument/prepareCallHierarchy", "callHierarchy/incomingCalls", "callHierarchy/outgoingCalls",
	}
	TypeHierarchy = Hierarchy{
		"textDocument/prepareTypeHierarchy", "typeHierarchy/supertypes", "typeHierarchy/subtypes",
	}
)

// Prepare asks which items of a hierarchy stand at a position.
func (s *Session) Prepare(ctx context.Context, h Hierarchy, at protocol.TextDocumentPositionParams) ([]protocol.HierarchyItem, error) {
	return call[[]protocol.HierarchyItem](ctx, s, h.prepare, at)
}

// Calls asks who calls an item, or with down what it calls.
func (s *Session) Calls(ctx context.Context, item protocol.HierarchyItem, down bool) ([]protocol.Call, error) {
	return call[[]protocol.Call](ctx, s, CallHierarchy.towards(down), protocol.ItemParams{Item: item})
}

// Types asks for the types right above an item, or with down right below it.
func (s *Session) Types(ctx context.Context, item protocol.HierarchyItem, down bool) ([]protocol.HierarchyItem, error) {
	return call[[]protocol.HierarchyItem](ctx, s, TypeHierarchy.towards(down), protocol.ItemParams{Item: item})
}

func (h Hierarchy) towards(down bool) string {
	if down {
		return h.down
	}
	return h.up
}
