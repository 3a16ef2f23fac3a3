// Package lsp is one session with one language server: the handshake,
// documents, requests, diagnostics and readiness.
//
// A session speaks positions in the encoding it negotiated; its caller
// converts. It starts no process and reads no file: the stream and the text of
// files come from the caller.
package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"

	"mcpls/internal/bug"
	"mcpls/internal/catalog"
	"mcpls/internal/jsonrpc2"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/quote"
)

// Options are what a session needs to know.
type Options struct {
	Stream    io.ReadWriteCloser  // to the server; the session closes it
	Folders   []string            // canonical paths of the workspace folders
	Encodings []protocol.Encoding // offered, the preferred one first
	Version   string              // of mcpls, for the server's log

	InitOptions map[string]any // initializationOptions; nil sends none
	Settings    map[string]any // answers workspace/configuration, by section

	// Untrusted says that nobody trusts the workspace: the server is told of no saved
	// file, at which it may run the workspace's build scripts.
	Untrusted bool

	// Source gives the text of a file as it is on disk now, and the same
	// *Mapper again while it is unchanged.
	Source       func(path string) (*protocol.Mapper, error)
	MaxDocuments int // open documents are closed past it; 0 is no bound

	// Published is told of each publish of diagnostics that is about the text that
	// was sent last. It must not block; nil is nobody.
	Published func(protocol.DocumentURI)

	Known         catalog.Server // what is known of the server; zero: nothing
	ExpectLoad    bool           // an earlier session of this server signalled a load
	IgnoreLoading bool           // never count the server as loading

	Redact  *quote.Redactor // hides secrets in errors, messages, progress and diagnostics; may be nil
	Journal *Journal        // takes what the server says; nil drops it
	Log     *slog.Logger
}

// Session is one initialized server. It is safe for concurrent use: mu guards
// the fields below it and is never held across a request or disk I/O.
type Session struct {
	opts     Options
	conn     *jsonrpc2.Conn
	encoding protocol.Encoding
	info     protocol.ServerInfo

	workers sync.WaitGroup // see spawn

	mu           sync.Mutex
	ending       bool
	capabilities capabilities
	docs         documents
	loading      loading
	diagnostics  diagnosticsCache
	checks       checks
}

// Open runs the handshake (LSP 3.17, Lifecycle Messages): initialize,
// initialized, then didChangeConfiguration with the settings, which some
// servers wait for. It closes the stream when the handshake fails.
func Open(ctx context.Context, opts Options) (*Session, error) {
	if opts.Journal == nil {
		opts.Journal = &Journal{}
	}
	s := &Session{opts: opts, loading: newLoading(opts), checks: newChecks(opts)}
	s.conn = jsonrpc2.NewConn(opts.Stream, (*handler)(s))
	if err := s.handshake(ctx); err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

func (s *Session) handshake(ctx context.Context) error {
	var result protocol.InitializeResult
	if err := s.conn.Call(ctx, "initialize", s.initializeParams(), &result); err != nil {
		return fmt.Errorf("initialize: %w", s.translate(err))
	}
	if err := s.accept(result); err != nil {
		return err
	}
	if err := s.conn.Notify(ctx, "initialized", struct{}{}); err != nil {
		return fmt.Errorf("initialized: %w", s.translate(err))
	}
	settings := s.opts.Settings
	if settings == nil {
		settings = map[string]any{}
	}
	params := map[string]any{"settings": settings}
	if err := s.conn.Notify(ctx, "workspace/didChangeConfiguration", params); err != nil {
		return fmt.Errorf("didChangeConfiguration: %w", s.translate(err))
	}
	return nil
}

func (s *Session) initializeParams() protocol.InitializeParams {
	offered := s.opts.Encodings
	if only := s.opts.Known.Encoding; only != "" {
		offered = []protocol.Encoding{protocol.Encoding(only)}
	}
	params := protocol.InitializeParams{
		ClientInfo:       protocol.ClientInfo{Name: "mcpls", Version: s.opts.Version},
		Capabilities:     protocol.Capabilities(offered),
		WorkspaceFolders: folders(s.opts.Folders),
	}
	if s.opts.Known.RootURI && len(s.opts.Folders) > 0 {
		root := protocol.URIFromPath(s.opts.Folders[0])
		params.RootURI = &root
	}
	if s.opts.InitOptions != nil {
		// The options came from TOML or the catalog: they always marshal.
		params.InitializationOptions, _ = json.Marshal(s.opts.InitOptions)
	}
	return params
}

// accept takes over what the server said of itself. A server that names no
// encoding counts in UTF-16, as the protocol says.
func (s *Session) accept(result protocol.InitializeResult) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.capabilities.static = result.Capabilities
	s.encoding = result.Capabilities.PositionEncoding
	if s.encoding == "" {
		s.encoding = cmp.Or(protocol.Encoding(s.opts.Known.Encoding), protocol.UTF16)
	}
	if result.ServerInfo != nil {
		s.info.Name = s.brief(result.ServerInfo.Name)
		s.info.Version = s.brief(shortVersion(result.ServerInfo.Version))
	}
	if !slices.Contains([]protocol.Encoding{protocol.UTF8, protocol.UTF16, protocol.UTF32}, s.encoding) {
		return fmt.Errorf("initialize: the server counts positions in %q, which was not offered", s.encoding)
	}
	return nil
}

// shortVersion takes the version out of the build information that gopls gives
// in its place, as JSON.
func shortVersion(version string) string {
	var build struct{ Version string }
	if json.Unmarshal([]byte(version), &build) == nil && build.Version != "" {
		return build.Version
	}
	return version
}

func folders(dirs []string) []protocol.WorkspaceFolder {
	list := make([]protocol.WorkspaceFolder, 0, len(dirs))
	for _, dir := range dirs {
		list = append(list, protocol.WorkspaceFolder{URI: protocol.URIFromPath(dir), Name: filepath.Base(dir)})
	}
	return list
}

// Encoding is the encoding of every position in and out of the session.
func (s *Session) Encoding() protocol.Encoding { return s.encoding }

// Info is the server's name and version, as it gave them; it may be empty.
func (s *Session) Info() protocol.ServerInfo { return s.info }

// Done is closed when the connection has ended, by whichever side.
func (s *Session) Done() <-chan struct{} { return s.conn.Done() }

// Err is a *ClosedError that says why the connection ended; nil while it lives.
func (s *Session) Err() error {
	if cause := s.conn.Err(); cause != nil {
		return s.closed(cause)
	}
	return nil
}

// Shutdown asks the server to shut down (LSP 3.17, Shutdown Request) and waits
// for the answer until ctx ends. The error says that it did not answer.
func (s *Session) Shutdown(ctx context.Context) error {
	return s.translate(s.conn.Call(ctx, "shutdown", nil, nil))
}

// Exit tells the server to exit, waits until ctx ends for it to close its side,
// so that it is not cut off in its last words, and closes the session.
func (s *Session) Exit(ctx context.Context) {
	if s.conn.Notify(ctx, "exit", nil) == nil {
		select {
		case <-s.Done():
		case <-ctx.Done():
		}
	}
	s.end()
}

// end closes the connection and waits for what the session has started.
func (s *Session) end() {
	s.mu.Lock()
	s.ending = true
	s.mu.Unlock()
	// The stream's own error says nothing that Err does not.
	_ = s.conn.Close()
	s.workers.Wait()
}

// spawn runs f in a goroutine that end waits for; false once end has begun.
func (s *Session) spawn(f func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		return false
	}
	s.workers.Go(func() {
		defer bug.Exit()
		f()
	})
	return true
}
