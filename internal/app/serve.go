package app

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpls/internal/bug"
)

// lastCalls is how long calls may go on when the client has closed its side: a
// script that writes its questions and closes gets its quick answers, and
// nothing outlives a client that is gone.
const lastCalls = time.Second

// Serve answers one MCP client until it closes the connection or ctx ends, and
// then stops every server. It returns when no server is left running. That the
// client went away, or that ctx ended, is no error. An App serves once.
func (a *App) Serve(ctx context.Context, transport mcp.Transport) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer a.router.Close()
	a.server.AddReceivingMiddleware(endWith(ctx))
	a.consent.serve(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		defer bug.Exit()
		a.watch(ctx)
	})
	defer watching.Wait()
	defer cancel()
	if !a.lazy {
		a.router.Warm()
	}
	ran := make(chan error, 1)
	go func() {
		defer bug.Exit()
		ran <- a.server.Run(ctx, &lingering{Transport: transport, gone: cancel})
	}()
	select {
	case err := <-ran:
		if ctx.Err() != nil || errors.Is(err, io.EOF) {
			return nil
		}
		return err
	case <-ctx.Done():
	}
	// A client that does not read its answers holds the library for ever. It
	// must not hold the servers.
	select {
	case <-ran:
	case <-time.After(partingTime):
	}
	return nil
}

// partingTime is how long a client has to take what is being written to it when
// the session has ended.
const partingTime = time.Second

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

// lingering is a transport whose end is told to the MCP library only when the
// requests that were read have been answered, at most lastCalls later: the
// library drops what it has not answered by then. gone is called at that point.
type lingering struct {
	mcp.Transport
	gone func()
}

// Connect implements mcp.Transport.
func (l *lingering) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := l.Transport.Connect(ctx)
	return &lingeringConn{Connection: conn, gone: l.gone, idle: make(chan struct{})}, err
}

type lingeringConn struct {
	mcp.Connection
	gone func()

	mu    sync.Mutex
	open  int  // requests read and not answered
	ended bool // nothing more will be read
	idle  chan struct{}
}

// Read implements mcp.Connection.
func (c *lingeringConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	defer bug.Exit() // on a goroutine of the MCP library
	message, err := c.Connection.Read(ctx)
	if err != nil {
		c.linger(ctx)
		return message, err
	}
	if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() {
		c.count(1)
	}
	return message, nil
}

// Write implements mcp.Connection.
func (c *lingeringConn) Write(ctx context.Context, message jsonrpc.Message) error {
	defer bug.Exit() // on a goroutine of the MCP library
	err := c.Connection.Write(ctx, message)
	if _, ok := message.(*jsonrpc.Response); ok {
		c.count(-1)
	}
	return err
}

func (c *lingeringConn) count(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open += n
	if c.ended && c.open == 0 {
		close(c.idle)
	}
}

func (c *lingeringConn) linger(ctx context.Context) {
	defer c.gone()
	c.mu.Lock()
	first := !c.ended
	c.ended = true
	waiting := c.open > 0
	c.mu.Unlock()
	if !first || !waiting {
		return
	}
	timeout := time.NewTimer(lastCalls)
	defer timeout.Stop()
	select {
	case <-c.idle:
	case <-timeout.C:
	case <-ctx.Done():
	}
}
