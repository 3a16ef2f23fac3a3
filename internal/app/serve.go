package app

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lastCalls is how long calls may go on when the client has closed its side: a
// script that writes its questions and closes gets its quick answers, and
// nothing outlives a client that is gone.
const lastCalls = time.Second

// ServeStdio answers the client on a pair of streams, as Serve does.
func (a *App) ServeStdio(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	closed := sync.OnceFunc(func() { time.AfterFunc(lastCalls, cancel) })
	return a.Serve(ctx, &mcp.IOTransport{Reader: &watched{in, closed}, Writer: out})
}

// watched calls closed when the stream has ended. The MCP library does not
// tell: it waits for the calls under way first.
type watched struct {
	io.ReadCloser
	closed func()
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if err != nil {
		w.closed()
	}
	return n, err
}

// Serve answers one MCP client until it closes the connection or ctx ends, and
// then stops every server. It returns when nothing is left running. That the
// client went away, or that ctx ended, is no error. An App serves once.
func (a *App) Serve(ctx context.Context, transport mcp.Transport) error {
	defer a.router.Close()
	a.server.AddReceivingMiddleware(endWith(ctx))
	if !a.lazy {
		a.router.Warm()
	}
	err := a.server.Run(ctx, transport)
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// endWith ends every call when ctx ends, which the MCP library leaves to the
// calls themselves.
func endWith(ctx context.Context) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(call context.Context, method string, req mcp.Request) (mcp.Result, error) {
			call, cancel := context.WithCancel(call)
			defer cancel()
			defer context.AfterFunc(ctx, cancel)()
			return next(call, method, req)
		}
	}
}
