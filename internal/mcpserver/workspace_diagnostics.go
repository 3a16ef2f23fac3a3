package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/router"
)

// workspaceDiagnostics asks about the whole workspace: counts a file, the worst
// one first.
func (c *call) workspaceDiagnostics(ctx context.Context, wait time.Duration) (result, error) {
	if c.args.text("context") == contextEnclosing {
		return nil, badArg("context goes with file_path")
	}
	found, unasked, blocked, err := c.Router.WorkspaceDiagnostics(ctx, wait, c.report)
	if err != nil {
		return nil, err
	}
	r := &workspaceErrorsResult{asked: len(found), unasked: unasked}
	for _, b := range blocked {
		reason, _, _ := strings.Cut(b.Err.Error(), "\n")
		r.blocked = append(r.blocked, fmt.Sprintf("%s, of %s", shorten(reason), plural(b.Files, "file")))
	}
	for _, f := range found {
		r.take(c, f)
	}
	slices.SortStableFunc(r.rows, compareFileErrors)
	slices.Sort(r.unknown)
	return r, nil
}

// workspaceErrorsResult is what is known of the files of a workspace: a row for
// each that has something.
type workspaceErrorsResult struct {
	asked, unasked int
	rows           []fileErrors
	unknown        []string // files of which it is not known, each with the reason
	troubles       []string // what servers complain of
	uncompiled     bool     // see router.Answer
	blocked        []string // servers that may not start, and of how many files
}

// fileErrors counts the diagnostics of one file by severity.
type fileErrors struct {
	path   string // as it is shown
	uri    protocol.DocumentURI
	counts [protocol.SeverityHint + 1]int
	first  protocol.Diagnostic // the gravest, the first of them
}

func (r *workspaceErrorsResult) take(c *call, f router.FileDiagnostics) {
	shown := c.show(f.Document)
	switch {
	case f.Err != nil:
		reason, _, _ := strings.Cut(f.Err.Error(), "\n")
		r.unknown = append(r.unknown, shown+": "+shorten(reason))
		return
	case !f.Answer.Value.Settled:
		r.unknown = append(r.unknown, shown+": "+f.Answer.Server+" has not spoken about it yet")
		return
	}
	if trouble := f.Answer.Trouble; trouble != "" && !slices.Contains(r.troubles, trouble) {
		r.troubles = append(r.troubles, trouble)
	}
	r.uncompiled = r.uncompiled || f.Answer.Uncompiled
	items := f.Answer.Value.Items
	if len(items) == 0 {
		return
	}
	row := fileErrors{path: shown, uri: f.Document.URI()}
	row.first = slices.MinFunc(items, func(a, b protocol.Diagnostic) int {
		return cmp.Or(cmp.Compare(severity(a), severity(b)), comparePositions(a.Range.Start, b.Range.Start))
	})
	for _, d := range items {
		row.counts[severity(d)]++
	}
	r.rows = append(r.rows, row)
}

// severity gives the severity as it is told: one that was left out is an error.
func severity(d protocol.Diagnostic) protocol.DiagnosticSeverity {
	if d.Severity < protocol.SeverityError || d.Severity > protocol.SeverityHint {
		return protocol.SeverityError
	}
	return d.Severity
}

func compareFileErrors(a, b fileErrors) int {
	for s := protocol.SeverityError; s <= protocol.SeverityHint; s++ {
		if c := cmp.Compare(b.counts[s], a.counts[s]); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.path, b.path)
}

// maxUnknownNamed bounds the files that are named of those of which nothing is
// known.
const maxUnknownNamed = 10

func (r *workspaceErrorsResult) items() int { return len(r.rows) }

func (r *workspaceErrorsResult) text(n int) string {
	var b strings.Builder
	var all fileErrors
	for _, row := range r.rows {
		for s, count := range row.counts {
			all.counts[s] += count
		}
	}
	known := r.asked - len(r.unknown)
	fmt.Fprintf(&b, "%s in %d of %s", cmp.Or(all.countText(), "no errors or warnings"), len(r.rows), plural(known, "file"))
	for _, row := range r.rows[:n] {
		at := jsonPosition(row.first.Range.Start)
		fmt.Fprintf(&b, "\n%s: %s; %d:%d %s: %s", row.path, row.countText(), at.Line, at.Character, severity(row.first), firstLine(row.first.Message))
	}
	if len(r.unknown) > 0 {
		fmt.Fprintf(&b, "\n[not known of %s:", plural(len(r.unknown), "file"))
		for _, line := range r.unknown[:min(len(r.unknown), maxUnknownNamed)] {
			b.WriteString("\n  " + line)
		}
		b.WriteString("]")
	}
	if r.unasked > 0 {
		fmt.Fprintf(&b, "\n[%s not asked about: the ones that changed last come first; give file_path for another]", plural(r.unasked, "file"))
	}
	for _, blocked := range r.blocked {
		b.WriteString("\n[not asked: " + oneLine(blocked) + "; get_tool_support says how to go on]")
	}
	for _, trouble := range r.troubles {
		b.WriteString("\n[a server says: " + oneLine(trouble) + "]")
	}
	if r.uncompiled {
		b.WriteString("\n[" + uncompiled + "]")
	}
	return b.String()
}

// firstLine gives a message in one line.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return oneLine(line)
}

// countText gives "2 errors, 1 warning"; "" when there is nothing.
func (f fileErrors) countText() string {
	var parts []string
	for s := protocol.SeverityError; s <= protocol.SeverityHint; s++ {
		if f.counts[s] > 0 {
			parts = append(parts, plural(f.counts[s], s.String()))
		}
	}
	return strings.Join(parts, ", ")
}

type fileErrorsJSON struct {
	URI         protocol.DocumentURI `json:"uri"`
	Errors      int                  `json:"errors"`
	Warnings    int                  `json:"warnings"`
	Information int                  `json:"information"`
	Hints       int                  `json:"hints"`
}

func (r *workspaceErrorsResult) json(n int) any {
	list := make([]fileErrorsJSON, 0, n)
	for _, row := range r.rows[:n] {
		list = append(list, fileErrorsJSON{
			row.uri, row.counts[protocol.SeverityError], row.counts[protocol.SeverityWarning],
			row.counts[protocol.SeverityInformation], row.counts[protocol.SeverityHint],
		})
	}
	return struct {
		Files      []fileErrorsJSON `json:"files"`
		Asked      int              `json:"files_asked_about"`
		Unasked    int              `json:"files_not_asked_about,omitempty"`
		Unknown    []string         `json:"not_known,omitempty"`
		Troubles   []string         `json:"server_trouble,omitempty"`
		Blocked    []string         `json:"not_asked,omitempty"`
		Uncompiled bool             `json:"compiler_not_run,omitempty"`
		cut
	}{list, r.asked, r.unasked, r.unknown, r.troubles, r.blocked, r.uncompiled, cutAt(n, len(r.rows))}
}
