package router

import (
	"cmp"
	"context"
	"slices"

	"mcpls/internal/catalog"
	"mcpls/internal/lsp"
	"mcpls/internal/workspace"
)

// State is where a server is in its life.
type State string

// The states of a server.
const (
	StateInactive State = "inactive" // no marker of it in the workspace
	StateRefused  State = "refused"  // the launch wing does not start it
	StateIdle     State = "idle"     // starts at the first question
	StateStarting State = "starting"
	StateLoading  State = "loading" // answers, but not yet about the whole workspace
	StateReady    State = "ready"
	StateFailed   State = "failed" // did not start a moment ago
)

// features says which feature a request belongs to.
var features = map[string]catalog.Feature{
	"textDocument/hover":                catalog.Hover,
	"textDocument/definition":           catalog.Definition,
	"textDocument/typeDefinition":       catalog.TypeDefinition,
	"textDocument/declaration":          catalog.Declaration,
	"textDocument/implementation":       catalog.Implementation,
	"textDocument/references":           catalog.References,
	"textDocument/diagnostic":           catalog.Diagnostics,
	"textDocument/rename":               catalog.Rename,
	"textDocument/prepareRename":        catalog.Rename,
	"textDocument/completion":           catalog.Completions,
	"textDocument/signatureHelp":        catalog.SignatureHelp,
	"textDocument/documentSymbol":       catalog.DocumentSymbols,
	"workspace/symbol":                  catalog.WorkspaceSymbols,
	"textDocument/formatting":           catalog.FormatDocument,
	"textDocument/rangeFormatting":      catalog.FormatRange,
	"textDocument/codeAction":           catalog.CodeActions,
	"codeAction/resolve":                catalog.CodeActions,
	"textDocument/prepareCallHierarchy": catalog.CallHierarchy,
	"callHierarchy/incomingCalls":       catalog.CallHierarchy,
	"callHierarchy/outgoingCalls":       catalog.CallHierarchy,
	"textDocument/prepareTypeHierarchy": catalog.TypeHierarchy,
	"typeHierarchy/supertypes":          catalog.TypeHierarchy,
	"typeHierarchy/subtypes":            catalog.TypeHierarchy,
	"textDocument/documentHighlight":    catalog.DocumentHighlights,
	"textDocument/inlayHint":            catalog.InlayHints,
	"textDocument/selectionRange":       catalog.SelectionRange,
	"textDocument/foldingRange":         catalog.FoldingRange,
}

// Support is what one server can be asked at this moment.
type Support struct {
	Server, Language string
	State            State
	Launch           LaunchStatus
	Refusal          error    // of a refused or failed server
	Handles          []string // the only features that it is asked about; none: all
	Missing          []string // of an inactive server: the markers that are not there
	Methods          []string // LSP requests it offers, once it has started
	Name, Version    string   // as the server gave them
	Progress         string   // of a loading server
	Trouble          string
}

// Support tells of every declared server, or of those that claim a document.
// It starts nothing.
func (r *Router) Support(ctx context.Context, doc *workspace.Document) []Support {
	var list []Support
	for _, s := range r.servers {
		if doc == nil || s.claims(*doc) {
			list = append(list, s.support(ctx))
		}
	}
	return list
}

// Applicable reports whether the workspace has a marker of a declared server.
func (r *Router) Applicable(ctx context.Context, id string) bool {
	i := slices.IndexFunc(r.servers, func(s *server) bool { return s.ID == id })
	return i >= 0 && r.servers[i].applicable(ctx)
}

func (s *server) support(ctx context.Context) Support {
	told := Support{Server: s.ID, Language: s.Language, Launch: s.router.opts.Launcher.Status(s.ID)}
	for _, feature := range s.Handles {
		told.Handles = append(told.Handles, string(feature))
	}
	if run := s.current(); run != nil {
		s.tellRun(&told, run)
		return told
	}
	told.State, told.Refusal = s.standing(ctx)
	switch err := s.failure(); {
	case told.State == StateInactive:
		told.Missing = s.Markers
	case told.State == StateIdle && err != nil:
		told.State, told.Refusal = StateFailed, err
	}
	return told
}

func (s *server) tellRun(told *Support, run *run) {
	told.State = StateStarting
	if session := run.handshaken(); session != nil {
		tellSession(told, session)
		told.Methods = slices.DeleteFunc(told.Methods, func(method string) bool { return !s.handles(features[method]) })
		told.Trouble = cmp.Or(told.Trouble, run.session.Warning(), run.session.Blind(), s.unshown(run, nil))
	}
}

func tellSession(told *Support, session *lsp.Session) {
	told.State, told.Trouble = StateReady, session.Trouble()
	told.Name, told.Version = session.Info().Name, session.Info().Version
	if progress, loading := session.Loading(); loading {
		told.State, told.Progress = StateLoading, words(progress)
	}
	told.Methods = session.Methods()
}

// Diagnoses reports whether the server is asked for diagnostics, which every
// server may publish without offering any request.
func (s Support) Diagnoses() bool {
	return len(s.Handles) == 0 || slices.Contains(s.Handles, string(catalog.Diagnostics))
}
