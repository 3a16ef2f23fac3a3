package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpls/internal/quote"
)

// result is the answer of a tool, which can show itself in two ways from the
// same value. Both take how many of its items to show, so that a list that is
// too long can be cut; a result without a list has no items.
type result interface {
	items() int
	text(n int) string
	json(n int) any
}

// indivisible is a result of which a part is worse than nothing: a plan that is
// carried out by half. It has a shorter form instead of being cut.
type indivisible interface {
	result
	compact() result
}

// tooLongError is an indivisible result that does not fit in its shorter form.
type tooLongError struct{ bytes, limit int }

func (e *tooLongError) Error() string {
	return fmt.Sprintf("the answer is one whole of %d bytes and mcp.max_result_bytes is %d: raise it, a part would be of no use", e.bytes, e.limit)
}

// render makes the MCP result. Text is sent alone and JSON as structured
// content with the same JSON as text, because clients show a model both.
func render(r result, asJSON bool, limit int) (*mcp.CallToolResult, error) {
	show := func(n int) []byte { return quoted(r.text(n) + cutNote(n, r.items())) }
	if asJSON {
		show = func(n int) []byte { return quote.JSON(encode(r.json(n))) }
	}
	body := fit(r.items(), limit, show)
	if plan, ok := r.(indivisible); ok && len(body) > limit {
		r = plan.compact()
		if body = show(r.items()); len(body) > limit {
			return nil, &tooLongError{len(body), limit}
		}
	}
	found := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(body)}}}
	if asJSON {
		found.StructuredContent = json.RawMessage(body)
	}
	return found, nil
}

// fit shows as many of n items as stay within limit bytes.
func fit(n, limit int, show func(int) []byte) []byte {
	most := min(n, limit) // an item takes a byte at least
	if most == n {
		if whole := show(n); len(whole) <= limit {
			return whole
		}
	}
	// The first count that is too long, by bisection; the one before it fits.
	tooMany := sort.Search(most, func(k int) bool { return len(show(k)) > limit })
	return show(max(0, tooMany-1))
}

func cutNote(shown, all int) string {
	if shown >= all {
		return ""
	}
	return fmt.Sprintf("\n[%d of %d shown: the rest was cut at mcp.max_result_bytes; ask more narrowly]", shown, all)
}

func quoted(text string) []byte { return []byte(quote.Text(text)) }

// encode marshals a result. Its values are strings, numbers and JSON that came
// from JSON: they always marshal.
func encode(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n")
}

// cut are the fields of a list that was cut.
type cut struct {
	Truncated bool `json:"truncated,omitempty"`
	Total     int  `json:"total,omitempty"`
}

func cutAt(shown, all int) cut {
	if shown >= all {
		return cut{}
	}
	return cut{Truncated: true, Total: all}
}
