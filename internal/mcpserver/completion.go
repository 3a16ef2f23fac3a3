package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"mcpls/internal/lsp/protocol"
)

var completionsTool = tool{
	name: "get_completions", title: "Completions", method: "textDocument/completion",
	about: "How the text could go on at a place: behind text, or at character.",
	args: slices.Concat(placeArgs, []arg{{
		name: "trigger", kind: kindString, plain: true, about: "the character that was typed last, such as a dot",
	}}),
	run: (*call).completions,
}

var signatureHelpTool = tool{
	name: "get_signature_help", title: "Signature help", method: "textDocument/signatureHelp",
	about: "The parameters of the call around a place; text is the name of what is called.",
	args:  placeArgs,
	run:   (*call).signatureHelp,
}

func (c *call) completions(ctx context.Context) (result, error) {
	at, err := c.cursor()
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.Completions(ctx, at.Place, c.args.text("trigger"), c.report)
	if err != nil {
		return nil, err
	}
	list := answer.Value.Items
	slices.SortStableFunc(list, func(a, b protocol.CompletionItem) int { return cmp.Compare(a.SortText, b.SortText) })
	return &completionsResult{
		flags: at.flags(flagsOf(answer)), at: at, echo: at.echo(c), list: list, incomplete: answer.Value.Incomplete,
	}, nil
}

// maxCompletions is where completions are cut as text: the server's best come
// first, and nobody reads a thousand.
const maxCompletions = 100

// completionsResult are ways to go on, the likeliest first.
type completionsResult struct {
	flags      flags
	at         place
	echo       string
	list       []protocol.CompletionItem
	incomplete bool
}

func (r *completionsResult) items() int { return len(r.list) }

func (r *completionsResult) text(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", r.echo, plural(len(r.list), "completion"))
	if r.incomplete {
		b.WriteString(" (the server has more)")
	}
	shown := min(n, maxCompletions)
	for _, item := range r.list[:shown] {
		fmt.Fprintf(&b, "\n%s", oneLine(item.Label))
		for _, more := range []string{item.Kind.String(), item.Detail} {
			if more != "" {
				b.WriteString("  " + oneLine(more))
			}
		}
	}
	if shown < n {
		fmt.Fprintf(&b, "\n[the first %d]", shown)
	}
	return b.String() + r.flags.lines()
}

type completionJSON struct {
	Label         string `json:"label"`
	Kind          string `json:"kind,omitempty"`
	Detail        string `json:"detail,omitempty"`
	Documentation string `json:"documentation,omitempty"`
}

func (r *completionsResult) json(n int) any {
	list := make([]completionJSON, 0, n)
	for _, item := range r.list[:n] {
		list = append(list, completionJSON{item.Label, item.Kind.String(), item.Detail, item.Documentation})
	}
	return struct {
		Items      []completionJSON `json:"items"`
		Incomplete bool             `json:"incomplete,omitempty"`
		Resolved   resolvedJSON     `json:"resolved"`
		flags
		cut
	}{list, r.incomplete, r.at.json(), r.flags, cutAt(n, len(r.list))}
}

func (c *call) signatureHelp(ctx context.Context) (result, error) {
	at, err := c.cursor()
	if err != nil {
		return nil, err
	}
	answer, err := c.Router.SignatureHelp(ctx, at.Place, c.report)
	if err != nil {
		return nil, err
	}
	r := &signaturesResult{flags: at.flags(flagsOf(answer)), at: at, echo: at.echo(c)}
	if answer.Value != nil {
		r.help = *answer.Value
	}
	return r, nil
}

// signaturesResult is how something is called.
type signaturesResult struct {
	flags flags
	at    place
	echo  string
	help  protocol.SignatureHelp
}

func (r *signaturesResult) items() int { return len(r.help.Signatures) }

func (r *signaturesResult) text(n int) string {
	var b strings.Builder
	if len(r.help.Signatures) == 0 {
		return r.echo + ": no call stands around this place" + r.flags.lines()
	}
	fmt.Fprintf(&b, "%s: %s", r.echo, plural(len(r.help.Signatures), "signature"))
	for i, s := range r.help.Signatures[:n] {
		b.WriteString("\n" + oneLine(s.Label))
		if p, ok := r.active(i); ok {
			b.WriteString("  at parameter " + oneLine(p.Label))
		}
		for _, line := range textLines(s.Documentation) {
			if line != "" {
				b.WriteString("\n    " + line)
			}
		}
	}
	return b.String() + r.flags.lines()
}

// active gives the parameter that stands at the place, of the signature that
// the server takes to be meant.
func (r *signaturesResult) active(i int) (protocol.Parameter, bool) {
	s := r.help.Signatures[i]
	number := s.ActiveParameter
	if number == nil {
		number = r.help.ActiveParameter
	}
	if i != r.help.ActiveSignature || number == nil || *number < 0 || *number >= len(s.Parameters) {
		return protocol.Parameter{}, false
	}
	return s.Parameters[*number], true
}

type signatureJSON struct {
	Label         string          `json:"label"`
	Documentation string          `json:"documentation,omitempty"`
	Parameters    []parameterJSON `json:"parameters"`
}

type parameterJSON struct {
	Label         string `json:"label"`
	Documentation string `json:"documentation,omitempty"`
}

func (r *signaturesResult) json(n int) any {
	list := make([]signatureJSON, 0, n)
	for _, s := range r.help.Signatures[:n] {
		parameters := make([]parameterJSON, 0, len(s.Parameters))
		for _, p := range s.Parameters {
			parameters = append(parameters, parameterJSON(p))
		}
		list = append(list, signatureJSON{s.Label, s.Documentation, parameters})
	}
	return struct {
		Signatures      []signatureJSON `json:"signatures"`
		ActiveSignature int             `json:"active_signature"`
		ActiveParameter *int            `json:"active_parameter,omitempty"`
		Resolved        resolvedJSON    `json:"resolved"`
		flags
		cut
	}{list, r.help.ActiveSignature, r.help.ActiveParameter, r.at.json(), r.flags, cutAt(n, len(r.help.Signatures))}
}
