package lsp

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"mcpls/internal/lsp/protocol"
)

// capabilities are what the server offers now: what it said at initialize and
// what it registered since. Guarded by Session.mu.
type capabilities struct {
	static  protocol.ServerCapabilities
	dynamic map[string]protocol.Registration // by id

	watchers map[string][]watcher // by registration id
}

// offer is how a server says that it offers a request: by a capability at
// initialize, or by registering a method later. Where option is not "", it must
// be set in the options of either.
type offer struct {
	capability string
	registers  string // "" is the request itself
	option     string
}

// offers names how each request that mcpls sends is offered (LSP 3.17, the
// section of each request).
var offers = map[string]offer{
	"textDocument/hover":                {capability: "hoverProvider"},
	"textDocument/definition":           {capability: "definitionProvider"},
	"textDocument/declaration":          {capability: "declarationProvider"},
	"textDocument/typeDefinition":       {capability: "typeDefinitionProvider"},
	"textDocument/implementation":       {capability: "implementationProvider"},
	"textDocument/references":           {capability: "referencesProvider"},
	"textDocument/documentHighlight":    {capability: "documentHighlightProvider"},
	"textDocument/documentSymbol":       {capability: "documentSymbolProvider"},
	"workspace/symbol":                  {capability: "workspaceSymbolProvider"},
	"textDocument/diagnostic":           {capability: "diagnosticProvider"},
	"textDocument/rename":               {capability: "renameProvider"},
	"textDocument/prepareRename":        {capability: "renameProvider", registers: "textDocument/rename", option: "prepareProvider"},
	"textDocument/completion":           {capability: "completionProvider"},
	"textDocument/signatureHelp":        {capability: "signatureHelpProvider"},
	"textDocument/selectionRange":       {capability: "selectionRangeProvider"},
	"textDocument/foldingRange":         {capability: "foldingRangeProvider"},
	"textDocument/inlayHint":            {capability: "inlayHintProvider"},
	"textDocument/codeAction":           {capability: "codeActionProvider"},
	"codeAction/resolve":                {capability: "codeActionProvider", registers: "textDocument/codeAction", option: "resolveProvider"},
	"textDocument/formatting":           {capability: "documentFormattingProvider"},
	"textDocument/rangeFormatting":      {capability: "documentRangeFormattingProvider"},
	"textDocument/prepareCallHierarchy": {capability: "callHierarchyProvider"},
	"callHierarchy/incomingCalls":       {capability: "callHierarchyProvider", registers: "textDocument/prepareCallHierarchy"},
	"callHierarchy/outgoingCalls":       {capability: "callHierarchyProvider", registers: "textDocument/prepareCallHierarchy"},
	"textDocument/prepareTypeHierarchy": {capability: "typeHierarchyProvider"},
	"typeHierarchy/supertypes":          {capability: "typeHierarchyProvider", registers: "textDocument/prepareTypeHierarchy"},
	"typeHierarchy/subtypes":            {capability: "typeHierarchyProvider", registers: "textDocument/prepareTypeHierarchy"},
}

// Supports reports whether the server offers a request at this moment.
func (s *Session) Supports(method string) bool {
	how, known := offers[method]
	if !known {
		return false
	}
	has := func(options json.RawMessage) bool { return how.option == "" || protocol.Option(options, how.option) }
	s.mu.Lock()
	defer s.mu.Unlock()
	if provider := s.capabilities.static.Providers[how.capability]; protocol.Provided(provider) && has(provider) {
		return true
	}
	for _, r := range s.capabilities.dynamic {
		if r.Method == cmp.Or(how.registers, method) && has(r.RegisterOptions) {
			return true
		}
	}
	return false
}

// Bounds of what a server may register: a real one has some dozens.
const (
	maxRegistrations  = 1000
	maxRegistrationID = 256 // bytes

	maxRegisterOptions = 64 << 10 // bytes
)

// Methods gives the requests that the server offers at this moment, of those
// that mcpls sends.
func (s *Session) Methods() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(offers)), func(method string) bool { return !s.Supports(method) })
}

func (s *Session) register(list []protocol.Registration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.capabilities.dynamic == nil {
		s.capabilities.dynamic = map[string]protocol.Registration{}
		s.capabilities.watchers = map[string][]watcher{}
	}
	for _, r := range list {
		if len(s.capabilities.dynamic) >= maxRegistrations || len(r.ID) > maxRegistrationID {
			break
		}
		if r.Method == watchMethod {
			s.capabilities.watchers[r.ID] = watchers(r.RegisterOptions)
			r.RegisterOptions = nil // they are kept in that form
		} else if _, known := offers[r.Method]; !known || len(r.RegisterOptions) > maxRegisterOptions {
			continue // nothing that mcpls asks for
		}
		s.capabilities.dynamic[r.ID] = r
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
