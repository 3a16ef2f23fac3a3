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

var diagnosticsTool = tool{
	name: "get_diagnostics", title: "Errors and warnings of a file", core: true,
	about: "The errors and warnings of a file as it is on disk now. It says when the server has not spoken about this version yet: that is not \"no errors\".",
	args: []arg{fileArg, {
		name: "wait_seconds", kind: kindInteger, max: 60, fallback: 5,
		about: "how long to wait for the server to look at this version; 0: not at all",
	}},
	run: (*call).diagnostics,
}

func (c *call) diagnostics(ctx context.Context) (result, error) {
	doc, err := c.Workspace.Find(c.args.text("file_path"))
	if err != nil {
		return nil, err
	}
	wait := time.Duration(c.args.number("wait_seconds")) * time.Second
	answer, err := c.Router.Diagnostics(ctx, doc, wait, c.report)
	if err != nil {
		return nil, err
	}
	r := &diagnosticsResult{flags: flagsOf(answer), file: c.show(doc), found: answer.Value}
	r.flags.Unsearched = nil // the errors of one file need no search
	slices.SortStableFunc(r.found.Items, func(a, b protocol.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
			cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
	for _, d := range r.found.Items {
		row := diagnosticRow{Diagnostic: d, source: c.locateOne(protocol.Location{URI: doc.URI(), Range: d.Range}).Line}
		for _, info := range d.Related {
			row.related = append(row.related, relatedRow{info.Message, c.locateOne(info.Location)})
		}
		r.rows = append(r.rows, row)
	}
	return r, nil
}

// diagnosticsResult is what is known of one version of a file.
type diagnosticsResult struct {
	flags flags
	file  string
	found router.Diagnostics
	rows  []diagnosticRow
}

type diagnosticRow struct {
	protocol.Diagnostic
	source  string
	related []relatedRow
}

type relatedRow struct {
	message string
	at      located
}

func (r *diagnosticsResult) items() int { return len(r.rows) }

func (r *diagnosticsResult) text(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", r.file)
	switch {
	case !r.found.Settled:
		fmt.Fprintf(&b, "not known yet: %s has not spoken about the text that is on disk now; ask again, or with a larger wait_seconds", r.flags.Server)
		if len(r.rows) > 0 {
			b.WriteString("\nof an earlier text it said:")
		}
	case len(r.rows) == 0:
		b.WriteString("no errors or warnings")
		if !r.found.Exact {
			b.WriteString(" (the server does not say for which version of the file)")
		}
	default:
		b.WriteString(r.counts())
	}
	for _, row := range r.rows[:n] {
		b.WriteString("\n" + row.text(r.file))
	}
	return b.String() + r.flags.lines()
}

// counts gives "2 errors, 1 warning".
func (r *diagnosticsResult) counts() string {
	var parts []string
	for severity := protocol.SeverityError; severity <= protocol.SeverityHint; severity++ {
		n := 0
		for _, row := range r.rows {
			if row.Severity.String() == severity.String() {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, plural(n, severity.String()))
		}
	}
	return strings.Join(parts, ", ")
}

// text gives one diagnostic: place, severity, message, source and code, then
// the source line and what it is related to, indented.
func (row diagnosticRow) text(file string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: %s: %s", file, row.Range.Start.Line+1, row.Range.Start.Character+1, row.Severity, message(row.Message))
	if from := strings.TrimSpace(row.Source + " " + row.CodeString()); from != "" {
		fmt.Fprintf(&b, " [%s]", from)
	}
	if row.source != "" {
		b.WriteString("\n    " + row.source)
	}
	for _, info := range row.related {
		fmt.Fprintf(&b, "\n  %s (%s)", info.at, message(info.message))
	}
	return b.String()
}

// message gives a server's message with its further lines indented, so that
// none begins a line of its own, and its no-break spaces as spaces.
func message(text string) string {
	return strings.NewReplacer("\r\n", "\n    ", "\n", "\n    ", "\u00a0", " ").Replace(strings.TrimSpace(text))
}

type diagnosticJSON struct {
	Range    rangeJSON     `json:"range"`
	Severity string        `json:"severity"`
	Message  string        `json:"message"`
	Code     string        `json:"code,omitempty"`
	Source   string        `json:"source,omitempty"`
	Related  []relatedJSON `json:"related_information,omitempty"`
}

type relatedJSON struct {
	Location locationJSON `json:"location"`
	Message  string       `json:"message"`
}

func (r *diagnosticsResult) json(n int) any {
	list := make([]diagnosticJSON, 0, n)
	for _, row := range r.rows[:n] {
		d := diagnosticJSON{
			Range: jsonRange(row.Range), Severity: row.Severity.String(),
			Message: row.Message, Code: row.CodeString(), Source: row.Source,
		}
		for _, info := range row.related {
			d.Related = append(d.Related, relatedJSON{jsonLocation(info.at.Location), info.message})
		}
		list = append(list, d)
	}
	availability := "published"
	if !r.found.Settled {
		availability = "pending"
	}
	return struct {
		Diagnostics  []diagnosticJSON `json:"diagnostics"`
		Availability string           `json:"availability"`
		Origin       string           `json:"origin"`
		flags
		cut
	}{list, availability, r.found.Origin, r.flags, cutAt(n, len(r.rows))}
}
