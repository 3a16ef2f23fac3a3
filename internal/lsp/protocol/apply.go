package protocol

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Apply gives the text with edits applied, all of which are about the text as
// it is and count in UTF-16 (LSP 3.17, TextEdit[]). Edits that overlap, or lie
// past the end of the text by more than a line, are an error.
func (m *Mapper) Apply(edits []TextEdit) (string, error) {
	type span struct {
		start, end int
		text       string
	}
	spans := make([]span, 0, len(edits))
	for _, e := range edits {
		if int(e.Range.Start.Line) > m.LineCount() {
			return "", fmt.Errorf("an edit on line %d, of a text with %d lines", e.Range.Start.Line+1, m.LineCount())
		}
		start, _ := m.Offset(e.Range.Start, UTF16)
		end, _ := m.Offset(e.Range.End, UTF16)
		spans = append(spans, span{start, max(start, end), e.NewText})
	}
	// Insertions at one place keep their order.
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s.start < at {
			return "", fmt.Errorf("two edits overlap at byte %d", s.start)
		}
		b.WriteString(m.Text[at:s.start])
		b.WriteString(s.text)
		at = s.end
	}
	b.WriteString(m.Text[at:])
	return b.String(), nil
}
