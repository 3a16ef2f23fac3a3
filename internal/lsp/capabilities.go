package lsp

import (
	"encoding/json"
	"maps"
	"slices"

	"mcpls/internal/lsp/protocol"
)

// capabilities are what the server offers now: what it said at initialize and
// what it registered since. Guarded by Session.mu.
type capabilities struct {
	static  protocol.ServerCapabilities
	dynamic map[string]string // registration id to method

	watchers map[string][]watcher // by registration id
}

// providers names, for each request that mcpls sends, the static capability
// that offers it.
var providers = map[string]func(*protocol.ServerCapabilities) json.RawMessage{
	"textDocument/hover":          func(c *protocol.ServerCapabilities) json.RawMessage { return c.HoverProvider },
	"textDocument/definition":     func(c *protocol.ServerCapabilities) json.RawMessage { return c.DefinitionProvider },
	"textDocument/references":     func(c *protocol.ServerCapabilities) json.RawMessage { return c.ReferencesProvider },
	"textDocument/documentSymbol": func(c *protocol.ServerCapabilities) json.RawMessage { return c.DocumentSymbolProvider },
	"workspace/symbol":            func(c *protocol.ServerCapabilities) json.RawMessage { return c.WorkspaceSymbolProvider },
	"textDocument/rename":         func(c *protocol.ServerCapabilities) json.RawMessage { return c.RenameProvider },
	"textDocument/diagnostic":     func(c *protocol.ServerCapabilities) json.RawMessage { return c.DiagnosticProvider },
}

// Supports reports whether the server offers a request at this moment.
func (s *Session) Supports(method string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if provider := providers[method]; provider != nil && protocol.Provided(provider(&s.capabilities.static)) {
		return true
	}
	for _, registered := range s.capabilities.dynamic {
		if registered == method {
			return true
		}
	}
	return false
}

// Bounds of what a server may register: a real one has some dozens.
const (
	maxRegistrations  = 1000
	maxRegistrationID = 256 // bytes
)

// Methods gives the requests that the server offers at this moment, of those
// that mcpls sends.
func (s *Session) Methods() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(providers)), func(method string) bool { return !s.Supports(method) })
}

func (s *Session) register(list []protocol.Registration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.capabilities.dynamic == nil {
		s.capabilities.dynamic = map[string]string{}
		s.capabilities.watchers = map[string][]watcher{}
	}
	for _, r := range list {
		if len(s.capabilities.dynamic) >= maxRegistrations || len(r.ID) > maxRegistrationID {
			break
		}
		if _, known := providers[r.Method]; !known && r.Method != watchMethod {
			continue // nothing that mcpls asks for
		}
		s.capabilities.dynamic[r.ID] = r.Method
		if r.Method == watchMethod {
			s.capabilities.watchers[r.ID] = watchers(r.RegisterOptions)
		}
	}
	s.diagnostics.notify()
}

func (s *Session) unregister(list []protocol.Registration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range list {
		delete(s.capabilities.dynamic, r.ID)
		delete(s.capabilities.watchers, r.ID)
	}
}
