package protocol

import "encoding/json"

// HierarchyItem is a CallHierarchyItem or a TypeHierarchyItem: the protocol
// gives both the same fields. Data is the server's own and goes back to it as
// it came.
type HierarchyItem struct {
	Name      string          `json:"name"`
	Kind      SymbolKind      `json:"kind"`
	Tags      []int           `json:"tags,omitempty"`
	Detail    string          `json:"detail,omitempty"`
	URI       DocumentURI     `json:"uri"`
	Range     Range           `json:"range"`
	Selection Range           `json:"selectionRange"`
	Data      json.RawMessage `json:"data,omitempty"`
}

// ItemParams are the params of the requests about a hierarchy item.
type ItemParams struct {
	Item HierarchyItem `json:"item"`
}

// Call is a CallHierarchyIncomingCall or a CallHierarchyOutgoingCall: the other
// side of the calls, and where they stand. Of an incoming call that is in the
// document of Other, of an outgoing one in that of the item asked about.
type Call struct {
	Other  HierarchyItem
	Ranges []Range
}

// UnmarshalJSON accepts both kinds of call.
func (c *Call) UnmarshalJSON(data []byte) error {
	var wire struct {
		From   *HierarchyItem `json:"from"`
		To     HierarchyItem  `json:"to"`
		Ranges []Range        `json:"fromRanges"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	*c = Call{Other: wire.To, Ranges: wire.Ranges}
	if wire.From != nil {
		c.Other = *wire.From
	}
	return nil
}
