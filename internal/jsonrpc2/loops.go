package jsonrpc2

import (
	"fmt"

	"mcpls/internal/bug"
)

// Bounds of the queue of replies. An honest server has a handful of requests
// open at a time; one that has a thousand unread replies does not read at all.
// The bytes count as well, since a request id is echoed however long it is.
// One reply of the greatest length fits.
const (
	maxQueuedReplies    = 1024
	maxQueuedReplyBytes = MaxMessageBytes
)

// readLoop handles messages until one is bad or the connection has ended.
func (c *Conn) readLoop() {
	defer bug.Exit()
	r := newFrameReader(c.stream)
	// Messages can be left in the buffer after the end, hence the check of Err.
	for c.Err() == nil {
		m, err := readMessage(r)
		if err == nil {
			err = c.dispatch(m)
		}
		if err != nil {
			c.end(err)
		}
	}
}

// dispatch handles one message. An error is the end of the connection.
func (c *Conn) dispatch(m *message) error {
	switch {
	case m.Method == nil:
		return c.resolve(m)
	case m.ID == nil:
		c.handler.Notify(*m.Method, m.Params)
		return nil
	}
	result, failure := c.handler.Request(*m.Method, m.Params)
	framed, err := encodeResponse(m.ID, result, failure)
	if err != nil {
		return fmt.Errorf("encode reply to %s: %w", excerpt(*m.Method), err)
	}
	c.enqueue(framed)
	return nil
}

// enqueue puts a message into the queue of replies without waiting. When the
// queue is full, the peer is not reading, and the connection ends.
func (c *Conn) enqueue(framed []byte) {
	c.update(func(s *state) {
		if s.queuedBytes+len(framed) > maxQueuedReplyBytes {
			s.fail(fmt.Errorf("peer does not read: over %d bytes of replies are queued", maxQueuedReplyBytes))
			return
		}
		select {
		case c.replies <- framed:
			s.queuedBytes += len(framed)
		default:
			s.fail(fmt.Errorf("peer does not read: %d replies are queued", maxQueuedReplies))
		}
	})
}

// writeLoop writes messages until the connection has ended. It alone writes to
// the stream, so frames never mix, and no ctx of a caller can cut one short.
func (c *Conn) writeLoop() {
	defer bug.Exit()
	for {
		select {
		case <-c.done:
			return
		case framed := <-c.replies:
			c.update(func(s *state) { s.queuedBytes -= len(framed) })
			c.write(framed)
		case m := <-c.direct:
			if c.write(m.frame) && m.written != nil {
				close(m.written)
			}
		}
	}
}

// write writes one frame and reports success; a failure ends the connection.
func (c *Conn) write(framed []byte) bool {
	if _, err := c.stream.Write(framed); err != nil {
		c.end(fmt.Errorf("write: %w", err))
		return false
	}
	return true
}
