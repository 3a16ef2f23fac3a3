package jsonrpc2

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// errClosed is the cause when Close ended the connection.
var errClosed = errors.New("closed by this side")

// Conn is one connection to one peer. Its methods may be called from any
// goroutine.
type Conn struct {
	stream  io.ReadWriteCloser
	handler Handler

	// closeStream closes the stream once and gives every caller the result.
	closeStream func() error

	// direct takes messages of callers who can wait, one by one; replies holds
	// messages of those who cannot: the reader, and callers who have given up.
	direct  chan outgoing
	replies chan []byte

	done    chan struct{}
	workers sync.WaitGroup

	mu    sync.Mutex
	state state // only update touches it
}

// outgoing is one framed message on its way to the writer.
type outgoing struct {
	frame   []byte
	written chan struct{} // the writer closes it after the Write; may be nil
}

// state is all of a connection that changes.
type state struct {
	err    error // why the connection ended; nil while it is alive
	lastID int64

	// calls holds the calls that have no reply yet. The channel has room for
	// the reply. It is nil when the caller has given up, so that a late reply
	// can be told from a reply to nothing.
	calls map[int64]chan<- *message

	queuedBytes int // in Conn.replies
}

// NewConn starts a connection over stream: one goroutine that reads and calls
// h, and one that writes. It takes over the stream, whose Close must make a
// Read and a Write in progress return. The caller must call Close in the end,
// even when the connection has ended by itself.
func NewConn(stream io.ReadWriteCloser, h Handler) *Conn {
	c := &Conn{
		stream:      stream,
		handler:     h,
		closeStream: sync.OnceValue(stream.Close),
		direct:      make(chan outgoing),
		replies:     make(chan []byte, maxQueuedReplies),
		done:        make(chan struct{}),
		state:       state{calls: make(map[int64]chan<- *message)},
	}
	c.workers.Go(c.readLoop)
	c.workers.Go(c.writeLoop)
	return c
}

// update changes the state under the lock. When the change is the one that
// ends the connection, update also does what follows from it. f must not block.
func (c *Conn) update(f func(s *state)) {
	c.mu.Lock()
	before := c.state.err
	f(&c.state)
	after := c.state.err
	c.mu.Unlock()
	if before == nil && after != nil {
		close(c.done)
		// The result is for Close to return; here the cause is what counts.
		_ = c.closeStream()
	}
}

// fail ends the connection. The first cause stands; later ones only follow
// from it, as the read error does that comes from closing the stream.
func (s *state) fail(cause error) {
	if s.err == nil {
		s.err = cause
	}
}

// end is fail for callers that change nothing else.
func (c *Conn) end(cause error) {
	c.update(func(s *state) { s.fail(cause) })
}

// Close ends the connection, closes the stream and waits until both goroutines
// have returned. It may be called more than once and after the connection has
// ended; it returns the error of closing the stream each time. Messages that
// Notify has returned nil for are written; queued replies may be lost.
func (c *Conn) Close() error {
	c.end(errClosed)
	c.workers.Wait()
	return c.closeStream()
}

// Done returns a channel that is closed when the connection has ended, for
// whatever cause. Err is not nil from then on.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns why the connection ended, or nil while it is alive. The error
// wraps io.EOF when the peer closed its side between two messages. A peer that
// dies while something is being written to it can show as a write error first.
func (c *Conn) Err() error {
	var err error
	c.update(func(s *state) { err = s.err })
	return err
}

// Notify sends a notification. Nil means that the stream has taken all of it.
// Notifications and calls of one goroutine arrive in the order they were made.
//
// When ctx ends first, the error wraps ctx.Err() and the cause of ctx, and the
// peer gets the whole message or nothing of it. When the connection has ended,
// the error is a *ClosedError.
func (c *Conn) Notify(ctx context.Context, method string, params any) error {
	framed, err := encodeNotification(method, params)
	if err != nil {
		return fmt.Errorf("encode params of %s: %w", method, err)
	}
	written := make(chan struct{})
	if err := c.send(ctx, outgoing{framed, written}); err != nil {
		return err
	}
	select {
	case <-written:
		return nil
	case <-ctx.Done():
		return contextError(ctx)
	case <-c.done:
		return c.closedError()
	}
}

// send hands a message to the writer, which from then on writes it whole.
func (c *Conn) send(ctx context.Context, m outgoing) error {
	// Without this a select with two ready cases could still send.
	if ctx.Err() != nil {
		return contextError(ctx)
	}
	select {
	case c.direct <- m:
		return nil
	case <-ctx.Done():
		return contextError(ctx)
	case <-c.done:
		return c.closedError()
	}
}

func (c *Conn) closedError() error { return &ClosedError{Cause: c.Err()} }

// contextError returns ctx.Err() with the cause, when there is another.
func contextError(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// decodeResult decodes into result unless it is nil.
func decodeResult(method string, raw json.RawMessage, result any) error {
	if result == nil {
		return nil
	}
	err := json.Unmarshal(raw, result)
	if err == nil {
		return nil
	}
	// Not wrapped: the text can hold a number as long as the reply, and names
	// types of ours.
	why := excerpt(err.Error())
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		kind, _, _ := strings.Cut(wrong.Value, " ") // of a number it has the digits
		why = fmt.Sprintf("%s at /%.100s", kind, strings.ReplaceAll(wrong.Field, ".", "/"))
	}
	return &ResultError{Method: method, Why: why}
}
