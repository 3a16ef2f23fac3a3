package router

import (
	"context"
	"strings"
	"unicode"

	"mcpls/internal/catalog"
	"mcpls/internal/lsp/protocol"
)

// Bounds of looking for a name in files.
const (
	maxScanned  = 5000 // files
	maxMentions = 60   // files that are opened
)

// reasonMentions is said of an answer that may lack something.
const reasonMentions = "more files have the name than can be opened: uses in files that belong to no project may be missing"

// reasonRootless is said of an answer about every file of a server that knows only
// those that are open.
const reasonRootless = "the server gets no root in an untrusted workspace: files that are not open were not searched"

// showMentions opens the files that have the name at a place in them, for a
// server that searches a file of no project only while it is open. It says why
// some may not be searched; "" when all are.
func (s *server) showMentions(ctx context.Context, run *run, place *Place, feature catalog.Feature) (string, error) {
	if s.Known.Rootless && place == nil {
		return reasonRootless, nil
	}
	if !s.Known.OpenMentions || place == nil || feature == catalog.Diagnostics || feature == catalog.CodeActions {
		return "", nil
	}
	files := s.router.opts.Workspace
	text, err := files.Load(place.Document.Path)
	if err != nil {
		return "", err
	}
	name := wordAt(text, place.Position)
	if name == "" {
		return "", nil
	}
	shown, scanned := 0, 0
	for _, path := range run.disk.tree().Paths() {
		doc, ok := files.Contains(path)
		if !ok || !s.claims(doc) {
			continue
		}
		if scanned++; scanned > maxScanned {
			return reasonMentions, nil
		}
		// One that cannot be read cannot be opened either.
		if text, err := files.Load(doc.Path); err != nil || !strings.Contains(text.Text, name) {
			continue
		}
		if shown++; shown > maxMentions {
			return reasonMentions, nil
		}
		if err := s.show(ctx, run, path); err != nil {
			return "", err
		}
	}
	return "", nil
}

// wordAt gives the identifier at a position, "" when there is none.
func wordAt(text *protocol.Mapper, p protocol.Position) string {
	isWord := func(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	offset, _ := text.Offset(p, protocol.UTF16)
	before := strings.TrimRightFunc(text.Text[:offset], isWord)
	after := strings.TrimLeftFunc(text.Text[offset:], isWord)
	return text.Text[len(before) : len(text.Text)-len(after)]
}
