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
	"mcpls/internal/workspace"
)

var diagnosticsTool = tool{
	name: "get_diagnostics", title: "Errors and warnings", core: true,
	about: "The errors and warnings of a file as it is on disk now; without file_path those of the workspace, counted by file.",
	args: []arg{optionalFileArg, contextArg, {
		name: "wait_seconds", kind: kindInteger, max: 60, fallback: 5, plain: true,
		about: "how long to wait for the server to look at this version; 0: not at all",
	}},
	run: (*call).diagnostics,
}

var cachedDiagnosticsTool = tool{
	name: "get_cached_diagnostics", title: "Last published errors",
	about: "What the server last published about a file, without asking it.",
	args:  []arg{fileArg},
	run:   (*call).cachedDiagnostics,
}

func (c *call) diagnostics(ctx context.Context) (result, error) {
	wait := time.Duration(c.args.number("wait_seconds")) * time.Second
	if !c.args.has("file_path") {
		return c.workspaceDiagnostics(ctx, wait)
	}
	doc, err := c.Workspace.Find(c.args.text("file_path"))
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.Diagnostics(ctx, doc, wait, c.report)
	if err != nil {
		return nil, err
	}
	return c.diagnosed(ctx, doc, answer, availabilityOf(answer.Value)), nil
}

func (c *call) cachedDiagnostics(ctx context.Context) (result, error) {
	doc, err := c.Workspace.Find(c.args.text("file_path"))
	if err != nil {
		return nil, err
	}
	answer, availability, err := c.Router.CachedDiagnostics(ctx, doc)
	if err != nil {
		return nil, err
	}
	r := c.diagnosed(ctx, doc, answer, availability)
	r.cached = true
	return r, nil
}

// availabilityOf is what is known of a file that a server was asked about.
func availabilityOf(d router.Diagnostics) router.Availability {
	if d.Settled {
		return router.Published
	}
	return router.Pending
}

func (c *call) diagnosed(
	ctx context.Context, doc workspace.Document, answer router.Answer[router.Diagnostics], availability router.Availability,
) *diagnosticsResult {
	r := &diagnosticsResult{flags: flagsOf(answer), file: c.show(doc), found: answer.Value, availability: availability}
	r.flags.Unsearched = nil // the errors of one file need no search
	slices.SortStableFunc(r.found.Items, func(a, b protocol.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
			cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
	places := make([]located, 0, len(r.found.Items))
	for _, d := range r.found.Items {
		places = append(places, c.locateOne(protocol.Location{URI: doc.URI(), Range: d.Range}))
	}
	c.enclose(ctx, places, &r.flags)
	for i, d := range r.found.Items {
		row := diagnosticRow{Diagnostic: d, at: places[i]}
		for _, info := range d.Related {
			row.related = append(row.related, relatedRow{info.Message, c.locateOne(info.Location)})
		}
		r.rows = append(r.rows, row)
	}
	return r
}

// diagnosticsResult is what is known of one version of a file.
type diagnosticsResult struct {
	flags        flags
	file         string
	found        router.Diagnostics
	availability router.Availability
	cached       bool // as it was published, not as the file is now
	rows         []diagnosticRow
}

type diagnosticRow struct {
	protocol.Diagnostic
	at      located
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
	b.WriteString(r.state())
	for _, row := range r.rows[:n] {
		b.WriteString("\n" + row.text(r.file))
	}
	return b.String() + r.flags.lines()
}

// state says what is known, in one line.
func (r *diagnosticsResult) state() string {
	switch {
	case r.availability == router.Evicted:
		return "not known: published too long ago; get_diagnostics asks for it"
	case r.cached && r.availability == router.Pending:
		return "not known: " + r.flags.Server + " has published nothing about it; get_diagnostics asks for it"
	case r.cached:
		return "as last published, not asked for now: " + cmp.Or(r.counts(), "no errors or warnings")
	case !r.found.Settled:
		text := "not known yet: " + r.flags.Server +
			" has not spoken about the text that is on disk now; ask again, or with a larger wait_seconds"
		if len(r.rows) > 0 {
			text += "\nof an earlier text it said:"
		}
		return text
	case len(r.rows) == 0 && !r.found.Exact:
		return "no errors or warnings (the server does not say for which version of the file)"
	}
	return cmp.Or(r.counts(), "no errors or warnings")
}

// counts gives "2 errors, 1 warning".
func (r *diagnosticsResult) counts() string {
	var all fileErrors
	for _, row := range r.rows {
		all.counts[severity(row.Diagnostic)]++
	}
	return all.countText()
}

// text gives one diagnostic: place, severity, message, source and code, then
// the source line and what it is related to, indented.
func (row diagnosticRow) text(file string) string {
	var b strings.Builder
	at := jsonPosition(row.Range.Start)
	fmt.Fprintf(&b, "%s:%d:%d: ", file, at.Line, at.Character)
	if row.at.Within != "" {
		fmt.Fprintf(&b, "in %s: ", row.at.Within)
	}
	fmt.Fprintf(&b, "%s: %s", row.Severity, message(row.Message))
	if from := oneLine(strings.TrimSpace(row.Source + " " + row.CodeString())); from != "" {
		fmt.Fprintf(&b, " [%s]", from)
	}
	if row.at.Line != "" {
		b.WriteString("\n    " + row.at.Line)
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
	Within   string        `json:"enclosing_symbol,omitempty"`
	Related  []relatedJSON `json:"related_information,omitempty"`
}

type relatedJSON struct {
	Location locationJSON `json:"location"`
	Message  string       `json:"message"`
}

func (row diagnosticRow) json() diagnosticJSON {
	d := diagnosticJSON{
		Range: jsonRange(row.Range), Severity: row.Severity.String(),
		Message: row.Message, Code: row.CodeString(), Source: row.Source, Within: row.at.Within,
	}
	for _, info := range row.related {
		d.Related = append(d.Related, relatedJSON{info.at.json(), info.message})
	}
	return d
}

func (r *diagnosticsResult) json(n int) any {
	list := make([]diagnosticJSON, 0, n)
	for _, row := range r.rows[:n] {
		list = append(list, row.json())
	}
	return struct {
		Diagnostics  []diagnosticJSON    `json:"diagnostics"`
		Availability router.Availability `json:"availability"`
		Origin       string              `json:"origin"`
		flags
		cut
	}{list, r.availability, r.found.Origin, r.flags, cutAt(n, len(r.rows))}
}
