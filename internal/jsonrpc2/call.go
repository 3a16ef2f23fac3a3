package jsonrpc2

import (
	"context"
	"fmt"
	"strconv"
)

// Call sends a request, waits for the reply and decodes its result into result,
// unless result is nil. It returns:
//
//   - an *Error when the peer answered with one;
//   - an error that wraps ctx.Err() and the cause of ctx when ctx ended first.
//     If the request was on its way by then, the peer is sent a $/cancelRequest
//     (LSP, "Cancellation Support"), and its late reply is dropped;
//   - a *ClosedError when the connection ended first;
//   - a *ResultError when the result could not be decoded. The connection
//     lives on;
//   - an error that names the method when params could not be encoded.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	reply, err := c.roundTrip(ctx, method, params)
	if err != nil {
		return err
	}
	raw, err := reply.outcome()
	if err != nil {
		return err
	}
	return decodeResult(method, raw, result)
}

// roundTrip sends a request and returns the reply to it.
func (c *Conn) roundTrip(ctx context.Context, method string, params any) (*message, error) {
	id, reply := c.register()
	framed, err := encodeRequest(id, method, params)
	if err != nil {
		c.forget(id)
		return nil, fmt.Errorf("encode params of %s: %w", method, err)
	}
	if err := c.send(ctx, outgoing{frame: framed}); err != nil {
		c.forget(id)
		return nil, err
	}
	return c.await(ctx, id, reply)
}

// register takes the next id and makes a place for the reply, before the
// request is sent because the reply may come at once.
func (c *Conn) register() (int64, <-chan *message) {
	reply := make(chan *message, 1)
	var id int64
	c.update(func(s *state) {
		s.lastID++
		id = s.lastID
		s.calls[id] = reply
	})
	return id, reply
}

// forget undoes register for a request that was not sent.
func (c *Conn) forget(id int64) {
	c.update(func(s *state) { delete(s.calls, id) })
}

// await waits for the reply to a request that the writer has taken.
func (c *Conn) await(ctx context.Context, id int64, reply <-chan *message) (*message, error) {
	select {
	case m := <-reply:
		return m, nil
	case <-ctx.Done():
		c.abandon(id)
		return nil, contextError(ctx)
	case <-c.done:
	}
	// A peer may reply and then close; its reply still counts.
	select {
	case m := <-reply:
		return m, nil
	default:
		return nil, c.closedError()
	}
}

// abandon marks a call as given up and tells the peer. The mark stays until the
// late reply comes or the connection ends; it costs some 16 bytes.
func (c *Conn) abandon(id int64) {
	var pending bool
	c.update(func(s *state) {
		if _, pending = s.calls[id]; pending {
			s.calls[id] = nil
		}
	})
	if !pending {
		return // the reply came at the same moment
	}
	framed, err := encodeNotification("$/cancelRequest", cancelParams{id})
	if err != nil {
		return // one number always encodes; the cancel is best effort anyway
	}
	c.enqueue(framed)
}

// cancelParams is CancelParams of LSP.
type cancelParams struct {
	ID int64 `json:"id"`
}

// resolve gives a response to the call it belongs to. The error it returns is
// for the reader to end the connection with: a peer that answers what was not
// asked has lost count, and its other answers cannot be trusted either.
func (c *Conn) resolve(m *message) error {
	// Our own ids are plain integers; anything else, such as "1" or 1.0, parses
	// to an error or to an id that is not there.
	id, err := strconv.ParseInt(string(m.ID), 10, 64)
	var reply chan<- *message
	var pending bool
	c.update(func(s *state) {
		reply, pending = s.calls[id]
		delete(s.calls, id)
	})
	if err != nil || !pending {
		return replyToNothing(m)
	}
	if reply != nil {
		reply <- m // has room for the one reply that gets here
	}
	return nil
}

// replyToNothing describes a response that no call is waiting for. With a null
// id it may be the peer's complaint that it could not read a message of ours
// (JSON-RPC 2.0, section 5), so its error is worth telling. It is told and not
// wrapped: an *Error in a chain means that the peer answered a call.
func replyToNothing(m *message) error {
	if m.Error != nil {
		return fmt.Errorf("reply to nothing: no call has id %s: %v", excerpt(string(m.ID)), m.Error)
	}
	return fmt.Errorf("reply to nothing: no call has id %s", excerpt(string(m.ID)))
}
