package mcpserver

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"mcpls/internal/lsp/protocol"
)

// A text edit is a place and a text; as text it is shown as what becomes of the
// lines, a unified diff, since a model reads lines.

type textEditJSON struct {
	Range   rangeJSON `json:"range"`
	NewText string    `json:"new_text"`
}

type fileEditsJSON struct {
	URI   protocol.DocumentURI `json:"uri"`
	Edits []textEditJSON       `json:"edits"`
}

func editsJSON(edits []protocol.TextEdit) []textEditJSON {
	list := make([]textEditJSON, 0, len(edits))
	for _, e := range edits {
		list = append(list, textEditJSON{jsonRange(e.Range), e.NewText})
	}
	return list
}

// diffOf gives the unified diff of a file and its edits. The error says why
// they cannot be applied to the text as it is now.
func (c *call) diffOf(uri protocol.DocumentURI, edits []protocol.TextEdit) (string, error) {
	file := c.file(uri)
	if file.text == nil {
		return "", fmt.Errorf("%s: the file lies outside the workspace or cannot be read", file.shown)
	}
	after, err := file.text.Apply(edits)
	if err != nil {
		return "", fmt.Errorf("%s: %w", file.shown, err)
	}
	// Line breaks that differ would show as every line twice.
	unix := strings.NewReplacer("\r\n", "\n")
	whole := diff.Diff(file.shown, []byte(unix.Replace(file.text.Text)), file.shown, []byte(unix.Replace(after)))
	_, shown, _ := strings.Cut(string(whole), "\n") // the line that names the command
	return strings.TrimSuffix(shown, "\n"), nil
}
