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

// diffOf gives the unified diff of a file and its edits. base is the text that
// they were made for; nil is the text on disk. The error says why the edits
// cannot be shown: then nobody can apply them either.
func (c *call) diffOf(edits protocol.FileEdits, base *protocol.Mapper) (string, error) {
	file := c.file(edits.URI)
	if base == nil {
		base = file.text
	}
	switch {
	case base == nil:
		return "", fmt.Errorf("%s lies outside the workspace or cannot be read", file.shown)
	case file.text != nil && file.text.Text != base.Text:
		return "", fmt.Errorf("%s was changed while the server was asked", file.shown)
	case base.Ambiguous():
		return "", fmt.Errorf("%s: %s", file.shown, ambiguousLines)
	}
	after, err := base.Apply(edits.Edits)
	if err != nil {
		return "", fmt.Errorf("%s: %w", file.shown, err)
	}
	// Line breaks that differ would show as every line twice.
	unix := strings.NewReplacer("\r\n", "\n")
	whole := diff.Diff(file.shown, []byte(unix.Replace(base.Text)), file.shown, []byte(unix.Replace(after)))
	_, shown, _ := strings.Cut(string(whole), "\n") // the line that names the command
	return strings.TrimSuffix(shown, "\n"), nil
}

const ambiguousLines = "a lone \\r, U+2028 or U+2029 is in it, of which servers do not agree that it ends a line: " +
	"edits by line and column cannot be trusted"

// diffsOf shows the edits of several files one after the other: all of them or
// none, since a part is worse than nothing. own is the document that was asked
// about, and its text then.
func (c *call) diffsOf(edit *protocol.WorkspaceEdit, own protocol.DocumentURI, text *protocol.Mapper) ([]string, error) {
	created := map[protocol.DocumentURI]bool{}
	for _, op := range edit.Operations {
		created[op.URI] = op.Kind == "create"
	}
	var parts []string
	for _, file := range edit.Files {
		var base *protocol.Mapper
		switch {
		case file.URI == own:
			base = text
		case created[file.URI] && c.file(file.URI).text == nil && !c.file(file.URI).outside:
			base = protocol.NewMapper("")
		}
		shown, err := c.diffOf(file, base)
		if err != nil {
			return nil, err
		}
		parts = append(parts, shown)
	}
	for _, op := range edit.Operations {
		parts = append(parts, operationText(op))
	}
	return parts, nil
}
