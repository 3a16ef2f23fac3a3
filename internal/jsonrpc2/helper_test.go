package jsonrpc2

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testHandler is a Handler made of two functions; a nil one does nothing.
type testHandler struct {
	notify  func(method string, params json.RawMessage)
	request func(method string, params json.RawMessage) (any, error)
}

func (h testHandler) Notify(method string, params json.RawMessage) {
	if h.notify != nil {
		h.notify(method, params)
	}
}

func (h testHandler) Request(method string, params json.RawMessage) (any, error) {
	if h.request != nil {
		return h.request(method, params)
	}
	return nil, nil
}

// peer is the far end of a connection, played by hand. net.Pipe has no buffer:
// a Write of one side lasts until the other side has read it all, so a test
// knows what has arrived, and a side that does not read is blocked at once.
type peer struct {
	t    testing.TB
	conn net.Conn
	r    *bufio.Reader
}

// newPair starts a Conn that handles with h and returns it with its peer. Both
// are closed when the test ends.
func newPair(t testing.TB, h Handler) (*Conn, *peer) {
	t.Helper()
	near, far := net.Pipe()
	c := NewConn(near, h)
	t.Cleanup(func() {
		far.Close()
		c.Close()
	})
	return c, &peer{t: t, conn: far, r: bufio.NewReader(far)}
}

// send writes one body with its header.
func (p *peer) send(format string, args ...any) {
	p.t.Helper()
	if _, err := p.conn.Write(frame(fmt.Appendf(nil, format, args...))); err != nil {
		p.t.Errorf("peer: write: %v", err)
	}
}

// receive reads one frame with its own few lines of parsing, so that a fault
// in readFrame cannot hide one in frame.
func (p *peer) receive() string {
	p.t.Helper()
	var length int
	if _, err := fmt.Fscanf(p.r, "Content-Length: %d\r\n\r\n", &length); err != nil {
		p.t.Errorf("peer: read header: %v", err)
		return ""
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(p.r, body); err != nil {
		p.t.Errorf("peer: read body: %v", err)
	}
	return string(body)
}

// expect receives one message and compares it byte for byte.
func (p *peer) expect(want string) {
	p.t.Helper()
	if got := p.receive(); got != want {
		p.t.Errorf("peer received\n %s\nwant\n %s", got, want)
	}
}
