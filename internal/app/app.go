// Package app is the only wiring: it builds both wings from the configuration,
// joins them, and owns the order in which they start and stop.
package app

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"mcpls/internal/catalog"
	"mcpls/internal/config"
	"mcpls/internal/launch"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/mcpserver"
	"mcpls/internal/quote"
	"mcpls/internal/roots"
	"mcpls/internal/router"
	"mcpls/internal/trust"
	"mcpls/internal/workspace"
)

// Options are what the command line decides, beside the configuration.
type Options struct {
	Config       *config.Config
	TrustProject bool         // --trust-project-config
	Untrusted    bool         // --workspace-trust untrusted
	Allowed      []string     // --allow-server
	Fingerprints []string     // --trust-fingerprint
	Store        *trust.Store // the decisions of people; nil: there is no place for them
	ReviewFlags  string       // see trust.Options
	JSON         bool         // results as JSON whatever the configuration says
	Lazy         bool         // start a server at its first question only
	Env          []string     // mcpls's own environment, as os.Environ gives it
	Version      string
	Log          *slog.Logger
}

// App is a whole mcpls.
type App struct {
	server   *mcpserver.Server
	router   *router.Router
	launcher *launcher
	roots    []string
	lazy     bool
	consent  *consent
}

// New builds an app. It starts nothing; an error is a fault in the
// configuration.
func New(opts Options) (*App, error) {
	cfg := *opts.Config
	// Some clients start their servers in / or the home directory. Neither is
	// a project, and a language server would try to load all of it.
	if cfg.ImplicitRoot && !roots.IsCheckout(cfg.Roots[0]) {
		return nil, fmt.Errorf("the working directory %s is no project: "+
			"start mcpls in the project's directory, or set workspace.roots in the configuration", cfg.Roots[0])
	}
	set, err := roots.NewSet(cfg.Roots)
	if err != nil {
		return nil, err
	}
	// Before anything is made of the servers, so that what is known of each is
	// known of the program that is there.
	cfg.Servers = launch.Choose(cfg.Servers, workspaceOf(&cfg, opts), launch.Machine{Env: opts.Env})
	if err := allKnown(opts.Allowed, cfg.Servers); err != nil {
		return nil, err
	}
	opts.Config = &cfg
	ws := workspace.New(workspace.Options{
		Roots: set, Extensions: extensions(cfg.Workspace),
		MaxFileSize: cfg.Workspace.MaxFileSize, MaxDepth: cfg.Workspace.HeuristicsMaxDepth,
	})
	launcher := newLauncher(opts)
	r := router.New(router.Options{
		Servers: servers(cfg.Servers, workspaceOf(&cfg, opts), launcher.facts), Launcher: launcher, Workspace: ws,
		Encodings: encodings(cfg.Workspace), MaxDocuments: cfg.Workspace.MaxDocuments,
		MaxStarts:    cfg.Workspace.MaxConcurrentServerStarts,
		ReadyTimeout: time.Duration(cfg.Workspace.IndexingReadyTimeoutSeconds) * time.Second,
		Version:      opts.Version, Log: opts.Log, Untrusted: opts.Untrusted,
	})
	names, core := cfg.MCP.ToolNames()
	ask := &consent{off: !cfg.Trust.Elicitation, ctx: context.Background(), asked: map[string]bool{}, open: map[string]question{}}
	server, err := mcpserver.New(mcpserver.Options{
		Router: r, Workspace: ws, Version: opts.Version, Log: opts.Log,
		Title: cfg.MCP.Title, Description: cfg.MCP.Description, Instructions: cfg.MCP.Instructions, ToolPrefix: cfg.MCP.ToolPrefix,
		Tools: names, CoreTools: core, JSON: opts.JSON || cfg.MCP.Output == "json",
		MaxResultBytes: cfg.MCP.MaxResultBytes, Untrusted: opts.Untrusted, Allowed: opts.Allowed, Consent: ask,
	})
	if err != nil {
		return nil, err
	}
	ask.app = &App{server: server, router: r, launcher: launcher, roots: set.Dirs(), lazy: opts.Lazy, consent: ask}
	return ask.app, nil
}

func workspaceOf(cfg *config.Config, opts Options) launch.Workspace {
	return launch.Workspace{Dir: cfg.Roots[0], Boundary: cfg.Boundary, Untrusted: opts.Untrusted, PinExecutables: cfg.Trust.PinExecutables}
}

// allKnown refuses an id that no server has: a server that is named wrongly would
// be missed without a word. Ids are compared by exact case.
func allKnown(allowed []string, declared []config.Declaration) error {
	for _, id := range allowed {
		if slices.ContainsFunc(declared, func(d config.Declaration) bool { return d.ID == id }) {
			continue
		}
		var ids []string
		for _, d := range declared {
			ids = append(ids, d.ID)
		}
		return fmt.Errorf("--allow-server %s: no server has this id: there are %s", quote.String(id), quote.String(strings.Join(ids, ", ")))
	}
	return nil
}

func (opts Options) gate() *trust.Gate {
	return trust.NewGate(trust.Options{
		TrustProject: opts.TrustProject, Untrusted: opts.Untrusted, Allowed: opts.Allowed, Fingerprints: opts.Fingerprints, Store: opts.Store, ReviewFlags: opts.ReviewFlags,
	})
}

func newLauncher(opts Options) *launcher {
	cfg := opts.Config
	l := &launcher{
		declared:  map[string]config.Declaration{},
		workspace: workspaceOf(cfg, opts),
		log:       opts.Log,
		facts:     launch.Machine{Env: opts.Env},
		own:       opts.Env,
		gate:      opts.gate(),
		first:     map[string]launch.Plan{}, keeps: map[string]trust.Grant{},
	}
	for _, d := range cfg.Servers {
		l.declared[d.ID] = d
		l.order = append(l.order, d.ID)
	}
	return l
}

func servers(declared []config.Declaration, workspace launch.Workspace, facts launch.Facts) []router.Server {
	var list []router.Server
	for _, d := range declared {
		known := launch.Known(d, workspace, facts)
		if workspace.Untrusted {
			known = known.WithoutRoot()
		}
		list = append(list, router.Server{
			ID: d.ID, Language: d.LanguageID, Patterns: d.FilePatterns, Markers: d.Heuristics.ProjectMarkers,
			Handles: d.Handles, Known: known,
			StartTimeout: startTimeout(known, d), RequestTimeout: d.RequestTimeout(),
			IgnoreLoading: d.Indexing == "disabled",
		})
	}
	return list
}

// startTimeout is the declaration's own limit, else the one that is known to
// suit the server.
func startTimeout(known catalog.Server, d config.Declaration) time.Duration {
	if d.TimeoutSeconds == nil && known.StartTimeout > 0 {
		return known.StartTimeout
	}
	return d.StartTimeout()
}

func extensions(w config.Workspace) map[string]string {
	table := map[string]string{}
	for _, e := range w.LanguageExtensions {
		for _, ext := range e.Extensions {
			table[ext] = e.LanguageID
		}
	}
	return table
}

func encodings(w config.Workspace) []protocol.Encoding {
	var list []protocol.Encoding
	for _, e := range w.PositionEncodings {
		list = append(list, protocol.Encoding(e))
	}
	return list
}
