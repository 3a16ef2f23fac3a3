// Package web is the consent page on loopback: a browser shows what would run, and
// a person decides about it there.
//
// Every local program can reach a loopback port, and every web site can make a
// browser send to one. So the page itself holds nothing, and whoever asks for data
// shows a secret that only the person's browser was given, from a page of ours
// (guard.go). What is decided goes through a trust.Review, like on every surface:
// the page has no way around the code of a card (session.go).
package web

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"mcpls/internal/bug"
	"mcpls/internal/trust"
)

// Surface is the name that is kept with the decisions of the page.
const Surface = "page"

// DefaultLifetime is how long a link and its page are good for.
const DefaultLifetime = 5 * time.Minute

// Options are what a page is served with.
type Options struct {
	// Open is told the URL, once, when the page can be reached. It has the one-shot
	// token in its fragment: it is for the browser of this user only, and for no
	// log. Open should return soon.
	Open func(url string)

	// Only is the key of the one case to decide about, however it stands; "" for
	// all that wait. If the case changes meanwhile, its new form is shown.
	Only string

	// Expires is how long a yes holds; 0 for one without an end.
	Expires time.Duration

	// Lifetime bounds the link and the page; 0 for DefaultLifetime.
	Lifetime time.Duration
}

// ErrTimeUp is a page on which not everything was decided in its lifetime.
var ErrTimeUp = errors.New("the link has expired before everything was decided on its page: run mcpls trust review again")

// Limits of the server. A page of ours stays far below each.
const (
	headerTime = 5 * time.Second
	readTime   = 10 * time.Second
	writeTime  = 30 * time.Second
	idleTime   = time.Minute
	maxHeader  = 16 << 10 // bytes; net/http adds 4 KiB of its own
	maxBody    = 4 << 10
)

const (
	// closeTime bounds the wait for the last answer to leave.
	closeTime = time.Second
	// lateTime is how long a link that nobody followed is still told to have
	// expired, where a closed port would tell nothing.
	lateTime = 20 * time.Second
)

// Serve serves the page on a port of its own until every case was decided or left
// on it, or the page was closed (nil), until its lifetime is over (ErrTimeUp, for a
// link that nobody followed 20 seconds later), or until ctx ends (its error). The
// error is trust.ErrOtherCard when there is no such case as Only names. An error of
// review ends it too. When Serve returns, nothing of it is left.
func Serve(ctx context.Context, review *trust.Review, opts Options) error {
	if opts.Lifetime == 0 {
		opts.Lifetime = DefaultLifetime
	}
	s, err := newSession(review, opts)
	if err != nil || s.finished() {
		return err
	}
	// Never another address: the page is for this machine only.
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	host := listener.Addr().String()
	server := newServer(newGuard(host, s))
	failed := make(chan error, 1)
	go func() {
		defer bug.Exit()
		failed <- server.Serve(listener)
	}()
	if opts.Open != nil {
		opts.Open("http://" + host + "/#" + s.token)
	}
	err = s.wait(ctx, failed)
	// The last answer tells a person what they decided: it is not to be cut off.
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	if server.Shutdown(ending) != nil {
		_ = server.Close() // what is left of the connections says nothing to anybody
	}
	return err
}

func newServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       readTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		// Without a log of its own, net/http writes to standard error.
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
}

// wait waits for the end of the page.
func (s *session) wait(ctx context.Context, failed <-chan error) error {
	over := time.NewTimer(time.Until(s.deadline))
	defer over.Stop()
	late := time.NewTimer(time.Until(s.deadline.Add(lateTime)))
	defer late.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case err := <-failed:
			return err
		case <-s.ended:
			return s.err
		case <-over.C:
			if s.followed() {
				return ErrTimeUp
			}
		case <-late.C:
			return ErrTimeUp
		}
	}
}
