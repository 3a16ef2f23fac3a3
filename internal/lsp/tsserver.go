package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"mcpls/internal/lsp/protocol"
)

// pullTsserver asks tsserver, through the language server before it, for the
// errors of a document. It answers in order: about the text just sent.
func (s *Session) pullTsserver(ctx context.Context, held Held) ([]protocol.Diagnostic, error) {
	var all []protocol.Diagnostic
	for _, command := range []string{"syntacticDiagnosticsSync", "semanticDiagnosticsSync"} {
		var answer struct {
			Success bool           `json:"success"`
			Message string         `json:"message"`
			Body    []tsDiagnostic `json:"body"`
		}
		err := s.conn.Call(ctx, "workspace/executeCommand", map[string]any{
			"command":   "typescript.tsserverRequest",
			"arguments": []any{command, map[string]any{"file": held.URI.Path()}},
		}, &answer)
		if err != nil {
			return nil, s.translate(err)
		}
		if !answer.Success {
			return nil, fmt.Errorf("%s: %s", command, s.brief(answer.Message))
		}
		for _, d := range answer.Body {
			all = append(all, d.protocol())
		}
	}
	return s.redact(all), nil
}

// tsDiagnostic is a Diagnostic of tsserver's own protocol: lines and offsets
// count from 1, offsets in UTF-16.
type tsDiagnostic struct {
	Start              tsPlace         `json:"start"`
	End                tsPlace         `json:"end"`
	Text               string          `json:"text"`
	Code               json.RawMessage `json:"code"`
	Category           string          `json:"category"`
	RelatedInformation []struct {
		Message string `json:"message"`
		Span    *struct {
			File  string  `json:"file"`
			Start tsPlace `json:"start"`
			End   tsPlace `json:"end"`
		} `json:"span"`
	} `json:"relatedInformation"`
}

type tsPlace struct {
	Line   int `json:"line"`
	Offset int `json:"offset"`
}

func (p tsPlace) protocol() protocol.Position {
	return protocol.Position{Line: uint32(max(p.Line-1, 0)), Character: uint32(max(p.Offset-1, 0))}
}

func (d tsDiagnostic) protocol() protocol.Diagnostic {
	out := protocol.Diagnostic{
		Range:    protocol.Range{Start: d.Start.protocol(), End: d.End.protocol()},
		Severity: tsSeverity(d.Category), Code: d.Code, Source: "typescript", Message: d.Text,
	}
	for _, info := range d.RelatedInformation {
		if info.Span == nil {
			continue
		}
		out.Related = append(out.Related, protocol.RelatedInfo{
			Location: protocol.Location{
				URI:   protocol.URIFromPath(info.Span.File),
				Range: protocol.Range{Start: info.Span.Start.protocol(), End: info.Span.End.protocol()},
			},
			Message: info.Message,
		})
	}
	return out
}

func tsSeverity(category string) protocol.DiagnosticSeverity {
	switch category {
	case "error":
		return protocol.SeverityError
	case "warning":
		return protocol.SeverityWarning
	}
	return protocol.SeverityHint
}

// typescriptVersionParams are those of typescript-language-server's
// $/typescriptVersion.
type typescriptVersionParams struct {
	Version string `json:"version"`
	Source  string `json:"source"`
}

// typescriptVersion holds the tsserver that runs to the one that was asked for: one
// that is not valid falls through to another, which may be the workspace's.
func (s *Session) typescriptVersion(p typescriptVersionParams) {
	path, _ := section(s.opts.InitOptions, "tsserver.path").(string)
	if path == "" || p.Source == "user-setting" {
		return
	}
	s.opts.Log.Warn("the server runs another TypeScript than the tsserver that it was told to",
		"tsserver", path, "version", s.brief(p.Version), "source", s.brief(p.Source))
}
