package jsonrpc2

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestRequestIDsAreEchoed(t *testing.T) {
	_, p := newPair(t, testHandler{})
	for _, id := range []string{`0`, `-1`, `7`, `"7"`, `""`, `"a\u00e9\"b"`, `18446744073709551616`, `1.5`} {
		p.send(`{"jsonrpc":"2.0","id":%s,"method":"m"}`, id)
		p.expect(`{"jsonrpc":"2.0","id":` + id + `,"result":null}`)
	}
}

func TestHandlerSeesMessagesInOrder(t *testing.T) {
	var seen []string
	record := func(method string, params json.RawMessage) {
		seen = append(seen, fmt.Sprintf("%s %s", method, params))
	}
	c, p := newPair(t, testHandler{
		notify: record,
		request: func(method string, params json.RawMessage) (any, error) {
			record(method, params)
			return nil, &Error{Code: CodeMethodNotFound, Message: method}
		},
	})
	p.send(`{"method":"a","params":{"x":1}}`)
	p.send(`{"id":1,"method":"b"}`)
	p.send(`{"method":"c","params":null}`)
	p.expect(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"b"}}`)
	p.conn.Close()
	<-c.Done()
	if got, want := strings.Join(seen, ","), `a {"x":1},b ,c null`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestOrderOfOneGoroutine is the didOpen-before-hover rule.
func TestOrderOfOneGoroutine(t *testing.T) {
	c, p := newPair(t, testHandler{})
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		for range 100 {
			if err := c.Notify(t.Context(), "open", []int{1}); err != nil {
				t.Error(err)
			}
			if err := c.Call(t.Context(), "hover", nil, nil); err != nil {
				t.Error(err)
			}
		}
	}()
	for id := range 100 {
		p.expect(`{"jsonrpc":"2.0","method":"open","params":[1]}`)
		p.expect(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"hover"}`, id+1))
		p.send(`{"id":%d,"result":null}`, id+1)
	}
	<-finished
}

func TestBadMessageEndsConnection(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"batch", `[]`, "message body is a batch array, which LSP does not have"},
		{"unknown id", `{"id":1,"result":null}`, `reply to nothing: no call has id "1"`},
		{"string id", `{"id":"1","result":null}`, `reply to nothing: no call has id "\"1\""`},
		{"id 0", `{"id":0,"result":null}`, `reply to nothing: no call has id "0"`},
		{
			"null id", `{"id":null,"error":{"code":-32700,"message":"what?"}}`,
			`reply to nothing: no call has id "null": error -32700: "what?"`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, p := newPair(t, testHandler{})
			p.send("%s", test.body)
			<-c.Done()
			if got := c.Err().Error(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			err := c.Notify(t.Context(), "m", nil)
			closed, ok := errors.AsType[*ClosedError](err)
			if !ok || closed.Cause != c.Err() {
				t.Errorf("Notify: got %v, want a ClosedError with the cause", err)
			}
			// An *Error would say that the peer answered a call.
			if answer, ok := errors.AsType[*Error](err); ok {
				t.Errorf("Notify: %v wraps %v", err, answer)
			}
			if answer, ok := errors.AsType[*Error](c.Err()); ok {
				t.Errorf("Err: %v wraps %v", c.Err(), answer)
			}
		})
	}
}

func TestPeerCloses(t *testing.T) {
	c, p := newPair(t, testHandler{})
	if c.Err() != nil {
		t.Errorf("while alive: got %v", c.Err())
	}
	p.send(`{"method":"a"}`)
	p.conn.Close()
	<-c.Done()
	if !errors.Is(c.Err(), io.EOF) {
		t.Errorf("got %v, want EOF", c.Err())
	}
}

func TestPeerClosesWithinMessage(t *testing.T) {
	c, p := newPair(t, testHandler{})
	io.WriteString(p.conn, "Content-Length: 10\r\n\r\n{")
	p.conn.Close()
	<-c.Done()
	if !errors.Is(c.Err(), io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want an unexpected EOF", c.Err())
	}
}

func TestCloseFreesEveryCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPair(t, testHandler{})
		errs := make(chan error, 3)
		go func() { errs <- c.Call(t.Context(), "sent", nil, nil) }()
		p.receive()
		go func() { errs <- c.Notify(t.Context(), "in the write", nil) }()
		synctest.Wait()
		go func() { errs <- c.Call(t.Context(), "waits for the writer", nil, nil) }()
		synctest.Wait()
		for range 2 {
			if err := c.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		}
		for range cap(errs) {
			if err := <-errs; !errors.Is(err, errClosed) {
				t.Errorf("got %v, want %v", err, errClosed)
			}
		}
	})
}

// TestPeerFloodsAndNeverReads would hang if the reader waited for the writer.
func TestPeerFloodsAndNeverReads(t *testing.T) {
	c, p := newPair(t, testHandler{})
	sent := 0
	for c.Err() == nil && sent < 2*maxQueuedReplies {
		io.WriteString(p.conn, framed(`{"id":1,"method":"m"}`))
		sent++
	}
	want := "peer does not read: 1024 replies are queued"
	if c.Err() == nil || c.Err().Error() != want {
		t.Errorf("after %d requests: got %v, want %s", sent, c.Err(), want)
	}
}

// TestQueueIsBoundedInBytes enqueues frames of which one fits the bound and two
// do not: first to a peer that reads each, then to one that reads none.
func TestQueueIsBoundedInBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPair(t, testHandler{})
		long := make([]byte, maxQueuedReplyBytes/2+1)
		for range 4 {
			c.enqueue(long)
			io.CopyN(io.Discard, p.r, int64(len(long)))
		}
		c.enqueue(long)
		synctest.Wait() // the writer has it, and the queue is empty
		c.enqueue(long)
		if c.Err() != nil {
			t.Fatalf("within the bound: %v", c.Err())
		}
		c.enqueue(long)
		want := "peer does not read: over 67108864 bytes of replies are queued"
		if c.Err() == nil || c.Err().Error() != want {
			t.Errorf("got %v, want %s", c.Err(), want)
		}
	})
}

// TestFloodIsAnswered is the same flood from a peer that reads, only late.
func TestFloodIsAnswered(t *testing.T) {
	_, p := newPair(t, testHandler{})
	const n = maxQueuedReplies / 2
	for round := range 4 {
		for id := range n {
			p.send(`{"id":%d,"method":"m"}`, round*n+id)
		}
		for id := range n {
			p.expect(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":null}`, round*n+id))
		}
	}
}

// TestMessageIsNeverHalfWritten ends a caller's ctx in the middle of the Write.
func TestMessageIsNeverHalfWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPair(t, testHandler{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		result := make(chan error, 1)
		go func() { result <- c.Notify(ctx, "long", []string{strings.Repeat("a", 10000)}) }()
		p.r.ReadByte()
		p.r.UnreadByte()
		if err := <-result; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want a deadline error", err)
		}
		if got := p.receive(); len(got) < 10000 || !json.Valid([]byte(got)) {
			t.Errorf("received %d bytes: %.80s", len(got), got)
		}
		go func() { result <- c.Notify(t.Context(), "next", nil) }()
		p.expect(`{"jsonrpc":"2.0","method":"next"}`)
		if err := <-result; err != nil {
			t.Error(err)
		}
	})
}
