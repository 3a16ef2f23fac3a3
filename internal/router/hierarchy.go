package router

import (
	"context"

	"mcpls/internal/catalog"
	"mcpls/internal/lsp"
	"mcpls/internal/lsp/protocol"
)

// Item asks about one item of a hierarchy: the one that stands at a place, or
// one that the server gave before.
type Item struct {
	Place
	Given *protocol.HierarchyItem // in UTF-16, in the document of Place; nil: whatever stands there
}

// Call is one item that calls, or is called, and where.
type Call struct {
	protocol.Call
	In protocol.DocumentURI // the document of the ranges
}

// Related is what an item of a hierarchy is related to. Items is how many items
// were asked about: of none that stand at the place there is nothing to say.
type Related[T any] struct {
	Items int
	List  []T
}

// PrepareCalls asks which callable items stand at a place.
func (r *Router) PrepareCalls(ctx context.Context, at Place, report Report) (Answer[[]protocol.HierarchyItem], error) {
	return askAt(ctx, r, at, report, prepare(catalog.CallHierarchy, lsp.CallHierarchy))
}

// PrepareTypes asks which types stand at a place.
func (r *Router) PrepareTypes(ctx context.Context, at Place, report Report) (Answer[[]protocol.HierarchyItem], error) {
	return askAt(ctx, r, at, report, prepare(catalog.TypeHierarchy, lsp.TypeHierarchy))
}

func prepare(feature catalog.Feature, h lsp.Hierarchy) question[[]protocol.HierarchyItem] {
	return question[[]protocol.HierarchyItem]{
		feature: feature,
		empty:   none[protocol.HierarchyItem, []protocol.HierarchyItem],
		convert: convertItems,
		ask: func(ctx context.Context, s *lsp.Session, to target) ([]protocol.HierarchyItem, error) {
			return s.Prepare(ctx, h, to.at)
		},
	}
}

// Calls asks who calls an item, or with down what it calls.
func (r *Router) Calls(ctx context.Context, of Item, down bool, report Report) (Answer[Related[Call]], error) {
	return askAt(ctx, r, of.Place, report, question[Related[Call]]{
		feature: catalog.CallHierarchy,
		whole:   true,
		empty:   func(found Related[Call]) bool { return len(found.List) == 0 },
		convert: func(c *converter, calls *Related[Call]) {
			for i := range calls.List {
				call := &calls.List[i]
				c.item(&call.Other)
				for j := range call.Ranges {
					c.span(call.In, &call.Ranges[j])
				}
			}
		},
		ask: func(ctx context.Context, s *lsp.Session, to target) (Related[Call], error) {
			return eachItem(ctx, s, to, of, lsp.CallHierarchy, func(item protocol.HierarchyItem) ([]Call, error) {
				calls, err := s.Calls(ctx, item, down)
				list := make([]Call, 0, len(calls))
				for _, call := range calls {
					in := call.Other.URI
					if down {
						in = item.URI
					}
					list = append(list, Call{call, in})
				}
				return list, err
			})
		},
	})
}

// Types asks for the types right above an item, or with down right below it.
func (r *Router) Types(ctx context.Context, of Item, down bool, report Report) (Answer[Related[protocol.HierarchyItem]], error) {
	return askAt(ctx, r, of.Place, report, question[Related[protocol.HierarchyItem]]{
		feature: catalog.TypeHierarchy,
		whole:   true,
		empty:   func(found Related[protocol.HierarchyItem]) bool { return len(found.List) == 0 },
		convert: func(c *converter, found *Related[protocol.HierarchyItem]) { convertItems(c, &found.List) },
		ask: func(ctx context.Context, s *lsp.Session, to target) (Related[protocol.HierarchyItem], error) {
			return eachItem(ctx, s, to, of, lsp.TypeHierarchy, func(item protocol.HierarchyItem) ([]protocol.HierarchyItem, error) {
				return s.Types(ctx, item, down)
			})
		},
	})
}

// eachItem asks about the given item, or about all that stand at the place, and
// joins the answers.
func eachItem[T any](
	ctx context.Context, s *lsp.Session, to target, of Item, h lsp.Hierarchy, ask func(protocol.HierarchyItem) ([]T, error),
) (Related[T], error) {
	var all Related[T]
	items, err := itemsOf(ctx, s, to, of, h)
	if err != nil {
		return all, err
	}
	for _, item := range items {
		found, err := ask(item)
		if err != nil {
			return all, err
		}
		all.Items, all.List = all.Items+1, append(all.List, found...)
	}
	return all, nil
}

func itemsOf(ctx context.Context, s *lsp.Session, to target, of Item, h lsp.Hierarchy) ([]protocol.HierarchyItem, error) {
	if of.Given == nil {
		return s.Prepare(ctx, h, to.at)
	}
	item := *of.Given
	item.Range, item.Selection = to.intoRange(item.Range), to.intoRange(item.Selection)
	return []protocol.HierarchyItem{item}, nil
}

func convertItems(c *converter, list *[]protocol.HierarchyItem) {
	for i := range *list {
		c.item(&(*list)[i])
	}
}

func (c *converter) item(item *protocol.HierarchyItem) {
	c.span(item.URI, &item.Range)
	c.span(item.URI, &item.Selection)
}
