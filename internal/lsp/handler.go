package lsp

import (
	"encoding/json"
	"fmt"

	"mcpls/internal/jsonrpc2"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/quote"
)

// handler is the session as the server sees it. Its methods run on the
// connection's reading goroutine and never block.
type handler Session

// Notify takes a notification. One that is not known is dropped, as the
// protocol asks for those that begin with $/ and allows for the others.
func (h *handler) Notify(method string, params json.RawMessage) {
	take, ok := notifications[method]
	if !ok {
		return
	}
	s := (*Session)(h)
	if err := take(s, params); err != nil {
		h.opts.Log.Debug("malformed notification from the server", "method", method, "error", s.brief(err.Error()))
	}
}

// Request answers a request of the server. Every one gets an answer at once;
// one that is not known gets MethodNotFound.
func (h *handler) Request(method string, params json.RawMessage) (any, error) {
	answer, ok := answers[method]
	if !ok {
		return nil, &jsonrpc2.Error{
			Code: jsonrpc2.CodeMethodNotFound, Message: fmt.Sprintf("mcpls does not offer %s", quote.String(method)),
		}
	}
	return answer((*Session)(h), params)
}

var notifications = map[string]func(*Session, json.RawMessage) error{
	"textDocument/publishDiagnostics": decoded((*Session).publish),
	"$/progress":                      decoded((*Session).progress),
	"experimental/serverStatus":       decoded((*Session).serverStatus),
	"window/logMessage":               decoded((*Session).heard),
	"window/showMessage":              decoded((*Session).showMessage),
	"$/typescriptVersion":             decoded((*Session).typescriptVersion),
}

var answers = map[string]func(*Session, json.RawMessage) (any, error){
	"workspace/configuration":        configuration,
	"workspace/workspaceFolders":     func(s *Session, _ json.RawMessage) (any, error) { return folders(s.opts.Folders), nil },
	"client/registerCapability":      acknowledge(func(s *Session, p protocol.RegistrationParams) { s.register(p.Registrations) }),
	"client/unregisterCapability":    acknowledge(func(s *Session, p protocol.UnregistrationParams) { s.unregister(p.Unregisterations) }),
	"window/workDoneProgress/create": nothing,
	// null: no button was pressed.
	"window/showMessageRequest": acknowledge((*Session).showMessage),
	"window/showDocument":       refuseDocument,
	// mcpls writes nothing that nobody asked for.
	"workspace/applyEdit":              refuseEdit,
	"workspace/codeLens/refresh":       nothing,
	"workspace/semanticTokens/refresh": nothing,
	"workspace/inlayHint/refresh":      nothing,
	"workspace/inlineValue/refresh":    nothing,
	"workspace/foldingRange/refresh":   nothing,
	"workspace/diagnostic/refresh":     nothing,
}

func decoded[P any](take func(*Session, P)) func(*Session, json.RawMessage) error {
	return func(s *Session, raw json.RawMessage) error {
		var params P
		if err := json.Unmarshal(raw, &params); err != nil {
			return err
		}
		take(s, params)
		return nil
	}
}

func acknowledge[P any](take func(*Session, P)) func(*Session, json.RawMessage) (any, error) {
	return func(s *Session, raw json.RawMessage) (any, error) {
		if err := decoded(take)(s, raw); err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
		return nil, nil
	}
}

func nothing(*Session, json.RawMessage) (any, error) { return nil, nil }

func refuseDocument(s *Session, _ json.RawMessage) (any, error) {
	s.refused("to open a document or page that the server wanted to show")
	return map[string]bool{"success": false}, nil
}

func refuseEdit(s *Session, _ json.RawMessage) (any, error) {
	s.refused("an edit that the server wanted to apply")
	return map[string]any{"applied": false, "failureReason": "mcpls applies no edits"}, nil
}

// maxConfigurationItems bounds one workspace/configuration: each item is
// answered with a section of the settings.
const maxConfigurationItems = 1000

// configuration answers with one value an item, null for a section that the
// settings do not have (LSP 3.17, Configuration Request).
func configuration(s *Session, raw json.RawMessage) (any, error) {
	var params protocol.ConfigurationParams
	if err := json.Unmarshal(raw, &params); err != nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	if len(params.Items) > maxConfigurationItems {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "too many items"}
	}
	values := make([]any, len(params.Items))
	for i, item := range params.Items {
		values[i] = section(s.opts.Settings, item.Section)
	}
	return values, nil
}
