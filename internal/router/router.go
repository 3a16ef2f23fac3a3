// Package router decides which language server answers a question, starts it
// when it is first needed, and carries the question down to the server and the
// answer back up.
//
// Every question of every tool takes the one way through askServer (ask.go):
// session, wait, sync, convert, request, convert back. Positions above the
// router count in UTF-16; only the router and the session know the server's
// encoding.
package router

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"mcpls/internal/bug"
	"mcpls/internal/catalog"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/quote"
	"mcpls/internal/workspace"
)

// Server is what the router needs to know of one declared server.
type Server struct {
	ID       string
	Language string            // language id that it answers for
	Patterns []string          // globs of files that it answers for beside the language
	Markers  []string          // it is started only where one of these exists; none: everywhere
	Handles  []catalog.Feature // the only questions that it is asked; none: all, as the language's catch-all
	Known    catalog.Server

	StartTimeout   time.Duration // from spawn to the end of the handshake
	RequestTimeout time.Duration
	IgnoreLoading  bool // never wait for it to load the workspace
}

// Launcher is the door to the launch wing: whatever starts a server is behind
// it. Ids are those of the declared servers.
type Launcher interface {
	// Check reports, starting nothing, why the server may not be started now.
	// The error is a *LaunchError; nil means that Start would start it.
	Check(ctx context.Context, id string) error
	// Start starts the server. A refusal is a *LaunchError.
	Start(ctx context.Context, id string) (Process, error)
	// Status says who asked for the server and what it runs, for people.
	Status(id string) LaunchStatus
}

// LaunchStatus is what is told of a server beside its state.
type LaunchStatus struct {
	Origin  string // builtin, user, named or project
	Program string // the command, as declared
}

// Process is a started server. Read and Write are its stdout and stdin; Close
// closes both.
type Process interface {
	io.ReadWriteCloser
	// Stop ends the process and its descendants and returns when they are gone.
	// It first gives the process until ctx ends to exit by itself.
	Stop(ctx context.Context) error
	// Done is closed when the process has ended, whoever still holds its pipes.
	Done() <-chan struct{}
	// Exit says how the process ended, "" while it runs.
	Exit() string
	// Stderr gives the last lines that it wrote to stderr, secrets redacted.
	Stderr() string
	// Redactor hides the secrets that the process was given.
	Redactor() *quote.Redactor
	// InitOptions and Settings are what the server is configured with.
	InitOptions() map[string]any
	Settings() map[string]any
}

// Options are the settings of a router.
type Options struct {
	Servers   []Server // in the order in which they are preferred
	Launcher  Launcher
	Workspace *workspace.Workspace

	Encodings    []protocol.Encoding // offered to servers, the preferred one first
	MaxDocuments int                 // open documents a server; 0 is no bound
	MaxStarts    int                 // servers that start at once
	ReadyTimeout time.Duration       // how long a question waits for a load
	Version      string              // of mcpls
	Log          *slog.Logger

	// Untrusted says that untrusted-workspace mode is on: see lsp.Options.
	Untrusted bool
}

// Router routes questions to servers. It is safe for concurrent use.
type Router struct {
	opts    Options
	servers []*server
	starts  chan struct{} // one token for each start under way

	ctx    context.Context // ends when the router closes
	cancel context.CancelFunc

	watched watched

	mu      sync.Mutex
	closed  bool
	workers sync.WaitGroup
}

// New makes a router. It starts nothing.
func New(opts Options) *Router {
	r := &Router{opts: opts, starts: make(chan struct{}, max(1, opts.MaxStarts))}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	r.watched.signal = make(chan struct{}, 1)
	for _, declared := range opts.Servers {
		r.servers = append(r.servers, &server{Server: declared, router: r})
	}
	return r
}

// Warm starts in the background every server that is applicable here and may
// be started without asking anybody.
func (r *Router) Warm() {
	for _, s := range r.servers {
		r.spawn(func() {
			if state, _ := s.standing(r.ctx); state == StateIdle && !s.Known.Lazy {
				s.begin()
			}
		})
	}
}

// Close stops every server, all at once, and returns when nothing is left. No
// question may be asked after it; those that are under way end with an error.
func (r *Router) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.cancel()
	r.workers.Wait()
}

// spawn runs f in a goroutine that Close waits for; false once Close has begun.
func (r *Router) spawn(f func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.workers.Go(func() {
		defer bug.Exit()
		f()
	})
	return true
}
