package router

import (
	"context"

	"mcpls/internal/lsp"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/workspace"
)

// converter changes positions between UTF-16 and one server's encoding. asked
// and exact turn false when a position of the question or of the answer could
// not be converted exactly: it lay past the end or inside a character, or the
// text of its file cannot be read.
type converter struct {
	ctx       context.Context // when it ends nothing more is converted
	encoding  protocol.Encoding
	workspace *workspace.Workspace
	texts     map[protocol.DocumentURI]*protocol.Mapper
	asked     bool
	exact     bool
}

func newConverter(ctx context.Context, encoding protocol.Encoding, ws *workspace.Workspace) *converter {
	return &converter{ctx: ctx, encoding: encoding, workspace: ws, texts: map[protocol.DocumentURI]*protocol.Mapper{}, asked: true, exact: true}
}

// target converts the place that is asked about.
func (c *converter) target(held lsp.Held, at protocol.Position) target {
	c.texts[held.URI] = held.Text
	to := target{held: held, convert: c}
	to.at = protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: held.URI}, Position: to.into(at),
	}
	return to
}

// into gives a position in the document in the server's encoding. It always
// looks at the text, in UTF-16 too: a position past the end of its line is not
// exact.
func (t target) into(p protocol.Position) protocol.Position {
	converted, exact := t.held.Text.Convert(p, protocol.UTF16, t.convert.encoding)
	t.convert.asked = t.convert.asked && exact
	return converted
}

func (t target) intoRange(r protocol.Range) protocol.Range {
	return protocol.Range{Start: t.into(r.Start), End: t.into(r.End)}
}

func (c *converter) location(l *protocol.Location) { c.span(l.URI, &l.Range) }

// span converts a range that the server named. In UTF-16 there is nothing to
// do.
func (c *converter) span(uri protocol.DocumentURI, r *protocol.Range) {
	if c.encoding == protocol.UTF16 || c.ctx.Err() != nil {
		return
	}
	text := c.text(uri)
	if text == nil {
		c.exact = false
		return
	}
	c.position(text, &r.Start)
	c.position(text, &r.End)
}

func (c *converter) position(text *protocol.Mapper, p *protocol.Position) {
	converted, exact := text.Convert(*p, c.encoding, protocol.UTF16)
	*p, c.exact = converted, c.exact && exact
}

// text gives the text of a file beneath a root; nil for any other, which is
// not ours to read.
func (c *converter) text(uri protocol.DocumentURI) *protocol.Mapper {
	if text, ok := c.texts[uri]; ok {
		return text
	}
	// An unreadable file leaves its positions unconverted, which is told.
	text, _ := c.workspace.Load(uri.Path())
	c.texts[uri] = text
	return text
}
