package router

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"mcpls/internal/lsp"
)

// Bounds of a server's life, in the order of use (the same for every server:
// a server that needs longer to end is ended).
const (
	shutdownTimeout = 5 * time.Second        // for the answer to shutdown
	exitTimeout     = 3 * time.Second        // from exit to the end of the process
	revokedTimeout  = 200 * time.Millisecond // for all of it, of a server that must not run any more
	startWait       = 25 * time.Second       // how long one call waits for a start
)

// server is one declared server and its current run, if there is one.
type server struct {
	Server
	router *Router

	journal lsp.Journal

	mu        sync.Mutex
	restarted time.Time // when it was last asked to
	run       *run
	found     bool // a marker was found
	signalled bool // an earlier run showed that it signals loads

	failed   error // why the last run did not start; nil when it did
	failedAt time.Time
	crashes  crashes
}

// run is one process from start to end. The fields below a channel are set
// before it is closed.
type run struct {
	ctx     context.Context // ends when the router closes, or with a *RestartedError or *LaunchError
	cancel  context.CancelCauseFunc
	started chan struct{}
	session *lsp.Session
	process Process
	disk    *disk
	opened  time.Time // when the handshake was over
	partial string    // what of the workspace is not shown to the server; "" is nothing
	folders []string  // the server's workspace folders
	err     error     // why it did not start

	ended chan struct{}
}

// applicable reports whether the workspace has a marker of this server. A
// marker once found is not looked for again.
func (s *server) applicable(ctx context.Context) bool {
	s.mu.Lock()
	found := s.found || len(s.Markers) == 0
	s.mu.Unlock()
	if found || !s.router.opts.Workspace.HasMarker(ctx, s.Markers) {
		return found
	}
	s.mu.Lock()
	s.found = true
	s.mu.Unlock()
	return true
}

// begin gives the current run, or begins one. One that must wait, since the
// last run has just crashed, gives how long. The error is why none is begun.
func (s *server) begin() (r *run, pause time.Duration, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run != nil {
		return s.run, 0, nil
	}
	if err := s.crashes.err(s.ID); err != nil {
		return nil, 0, err
	}
	if pause := s.crashes.pause(time.Now()); pause > 0 {
		return nil, pause, nil
	}
	next := &run{started: make(chan struct{}), ended: make(chan struct{})}
	next.ctx, next.cancel = context.WithCancelCause(s.router.ctx)
	if !s.router.spawn(func() { s.live(next) }) {
		next.cancel(nil)
		return nil, 0, ErrStopping
	}
	s.run = next
	return next, 0, nil
}

// current gives the current run without beginning one; nil when there is none.
func (s *server) current() *run {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.run
}

// currentSession gives the session of the current run; nil when there is none,
// or none yet.
func (s *server) currentSession() *lsp.Session {
	if run := s.current(); run != nil {
		return run.handshaken()
	}
	return nil
}

// handshaken gives the run's session, nil before its handshake is over.
func (r *run) handshaken() *lsp.Session {
	select {
	case <-r.started:
		return r.session
	default:
		return nil
	}
}

// live is the whole life of one run.
func (s *server) live(r *run) {
	defer close(r.ended)
	defer r.cancel(nil)
	r.disk = s.look(r.ctx)
	r.folders, r.partial = s.folders(r.ctx)
	r.session, r.process, r.err = s.start(r.ctx, r.folders)
	r.opened = time.Now()
	if r.err != nil {
		s.retire(r) // the next question starts anew
		close(r.started)
		if s.router.ctx.Err() == nil {
			s.router.opts.Log.Warn("server did not start", "server", s.ID, "error", r.err)
		}
		return
	}
	close(r.started)
	log := s.router.opts.Log.With("server", s.ID)
	log.Info("server started", "name", r.session.Info().Name, "version", r.session.Info().Version)
	asked := false
	select {
	case <-r.session.Done():
	case <-r.process.Done(): // a descendant may hold its pipes open
	case <-r.ctx.Done():
		asked = true
	}
	if !asked {
		s.crashed(r)
	}
	s.retire(r)
	why := r.session.Err()
	s.end(r, asked && !revoked(r.ctx))
	if asked {
		log.Info("server stopped", "exit", r.process.Exit())
	} else {
		log.Warn("server ended", "error", why, "exit", r.process.Exit())
	}
}

func (s *server) retire(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run, s.failed, s.failedAt = nil, r.err, time.Now()
	s.signalled = s.signalled || r.session != nil && r.session.Signalled()
}

func (s *server) crashed(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.crashes.add(r, time.Now())
}

// revoked reports whether a run was ended since it may not go on: it is not asked
// to, which could take it long.
func revoked(ctx context.Context) bool {
	_, is := errors.AsType[*LaunchError](context.Cause(ctx))
	return is
}

func (s *server) exitTime(r *run) time.Duration {
	if revoked(r.ctx) {
		return revokedTimeout
	}
	return exitTimeout
}

// end stops the process, after asking it to shut down if it still listens.
func (s *server) end(r *run, ask bool) {
	log := s.router.opts.Log.With("server", s.ID)
	if ask {
		ctx, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
		defer cancel()
		if err := r.session.Shutdown(ctx); err != nil {
			log.Warn("server did not shut down", "error", err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.exitTime(r))
	defer cancel()
	r.session.Exit(ctx)
	if err := r.process.Stop(ctx); err != nil {
		log.Error("server could not be stopped", "error", err)
	}
}

// start launches the process and runs the handshake.
func (s *server) start(ctx context.Context, folders []string) (*lsp.Session, Process, error) {
	select {
	case s.router.starts <- struct{}{}:
		defer func() { <-s.router.starts }()
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
	process, err := s.router.opts.Launcher.Start(ctx, s.ID)
	if err != nil {
		return nil, nil, err
	}
	handshake, cancel := context.WithTimeout(ctx, s.StartTimeout)
	defer cancel()
	session, err := lsp.Open(handshake, s.sessionOptions(process, folders))
	if err != nil {
		return nil, nil, s.startError(handshake, process, err)
	}
	return session, process, nil
}

// startError ends a process whose handshake failed and says what is known.
func (s *server) startError(ctx context.Context, process Process, err error) error {
	if ended := endedBy(ctx); ended != nil {
		err = ended
	} else if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("no answer to initialize within %s, the timeout_seconds of its entry", s.StartTimeout)
	}
	// A process that has just died is given a moment to be seen dead, so that
	// the error can name its exit status.
	stop, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if stopErr := process.Stop(stop); stopErr != nil {
		err = errors.Join(err, stopErr)
	}
	return &StartError{
		Server: s.ID, Program: s.router.opts.Launcher.Status(s.ID).Program, Err: err,
		Exit: process.Exit(), Stderr: process.Stderr(), Install: s.Known.Install,
	}
}

func (s *server) sessionOptions(process Process, folders []string) lsp.Options {
	r := s.router
	s.mu.Lock()
	expect := s.signalled
	s.mu.Unlock()
	return lsp.Options{
		Stream: process, Folders: folders, Encodings: r.opts.Encodings,
		Version: r.opts.Version, InitOptions: process.InitOptions(), Settings: process.Settings(), Untrusted: r.opts.Untrusted,
		Source: r.opts.Workspace.Load, MaxDocuments: r.opts.MaxDocuments,
		Known: s.Known, ExpectLoad: expect, IgnoreLoading: s.IgnoreLoading,
		Redact: process.Redactor(), Journal: &s.journal, Published: r.published, Log: r.opts.Log.With("server", s.ID),
	}
}

// maxFolders bounds the workspace folders of one server: each costs it a load
// and memory of its own.
const maxFolders = 20

// folders gives the workspace folders of the server, and what they leave out.
func (s *server) folders(ctx context.Context) (folders []string, leftOut string) {
	roots := s.router.opts.Workspace.Roots()
	if !s.Known.FoldersAtMarkers {
		return roots, ""
	}
	folders, more := s.router.opts.Workspace.MarkerDirs(ctx, s.Known.Markers, maxFolders)
	if len(folders) == 0 {
		return roots, ""
	}
	if more {
		leftOut = fmt.Sprintf("only the first %d directories with %s are loaded: name those that matter as workspace.roots",
			maxFolders, strings.Join(s.Known.Markers, " or "))
	}
	return folders, leftOut
}

// session gives the server's session, starting the server if need be.
func (s *server) session(ctx context.Context, report Report) (*run, error) {
	timeout := time.NewTimer(startWait)
	defer timeout.Stop()
	for {
		r, pause, err := s.begin()
		if err != nil {
			return nil, err
		}
		var ready <-chan struct{}
		var again <-chan time.Time
		if r != nil {
			ready = r.started
		} else {
			again = time.After(pause)
		}
		select {
		case <-ready:
			return r, r.err
		default:
			report.say(Stage{Server: s.ID, Doing: "starting"})
		}
		select {
		case <-ready:
			return r, r.err
		case <-again:
		case <-timeout.C:
			return nil, &StartingError{Server: s.ID}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
