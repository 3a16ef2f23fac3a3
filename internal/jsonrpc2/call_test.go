package jsonrpc2

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// startCall runs a Call and returns the channel its error comes on.
func startCall(ctx context.Context, c *Conn, method string, result any) <-chan error {
	errs := make(chan error, 1)
	go func() { errs <- c.Call(ctx, method, nil, result) }()
	return errs
}

func TestCallReply(t *testing.T) {
	c, p := newPair(t, testHandler{})
	var got struct{ A int }
	errs := startCall(t.Context(), c, "m", &got)
	p.expect(`{"jsonrpc":"2.0","id":1,"method":"m"}`)
	p.send(`{"jsonrpc":"2.0","id":1,"result":{"a":5}}`)
	if err := <-errs; err != nil || got.A != 5 {
		t.Errorf("got %+v, %v", got, err)
	}

	errs = startCall(t.Context(), c, "m", &got)
	p.receive()
	p.send(`{"id":2,"error":{"code":-32801,"message":"modified","data":{"x":1}}}`)
	e, ok := errors.AsType[*Error](<-errs)
	if !ok || e.Code != CodeContentModified || e.Message != "modified" || string(e.Data) != `{"x":1}` {
		t.Errorf("got %+v, want the error of the reply", e)
	}

	errs = startCall(t.Context(), c, "m", &got)
	p.receive()
	p.send(`{"id":3,"result":"text"}`)
	want := `decode result of m: string at /`
	if err := <-errs; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}

	errs = startCall(t.Context(), c, "m", nil)
	p.receive()
	p.send(`{"id":4,"result":"text"}`)
	if err := <-errs; err != nil {
		t.Errorf("no result wanted: got %v", err)
	}
}

func TestBadParams(t *testing.T) {
	c, _ := newPair(t, testHandler{})
	want := "encode params of m: json: unsupported type: func()"
	for _, err := range []error{
		c.Call(t.Context(), "m", func() {}, nil),
		c.Notify(t.Context(), "m", func() {}),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if c.Err() != nil || len(c.state.calls) != 0 {
		t.Errorf("got %v and %d calls, want an untouched connection", c.Err(), len(c.state.calls))
	}
}

func TestSecondReplyEndsConnection(t *testing.T) {
	c, p := newPair(t, testHandler{})
	errs := startCall(t.Context(), c, "m", nil)
	p.receive()
	p.send(`{"id":1,"result":null}`)
	if err := <-errs; err != nil {
		t.Error(err)
	}
	p.send(`{"id":1,"result":null}`)
	<-c.Done()
	if got, want := c.Err().Error(), `reply to nothing: no call has id "1"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestReplyBeforeCloseCounts(t *testing.T) {
	for range 100 { // the two are ready together, and a select picks at random
		c, p := newPair(t, testHandler{})
		errs := startCall(t.Context(), c, "m", nil)
		p.receive()
		p.send(`{"id":1,"result":null}`)
		p.conn.Close()
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
}

func TestCancelAndLateReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPair(t, testHandler{})
		reason := errors.New("user went away")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, reason)
		defer cancel()
		errs := startCall(ctx, c, "slow", nil)
		p.expect(`{"jsonrpc":"2.0","id":1,"method":"slow"}`)
		p.expect(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
		if err := <-errs; !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, reason) {
			t.Errorf("got %v, want the deadline and the cause", err)
		}
		p.send(`{"id":1,"error":{"code":-32800,"message":"cancelled"}}`)
		errs = startCall(t.Context(), c, "next", nil)
		p.expect(`{"jsonrpc":"2.0","id":2,"method":"next"}`)
		p.send(`{"id":2,"result":null}`)
		if err := <-errs; err != nil {
			t.Errorf("call after the late reply: %v", err)
		}
		p.send(`{"id":1,"result":null}`) // the late reply again: now to nothing
		<-c.Done()
		if c.Err() == nil {
			t.Error("second late reply: connection is alive")
		}
	})
}

// TestCancelBeforeSending gives up a call while the writer is busy: the peer
// must see neither the request nor a cancel for it.
func TestCancelBeforeSending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPair(t, testHandler{})
		first := startCall(t.Context(), c, "first", nil)
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		second := startCall(ctx, c, "second", nil)
		synctest.Wait()
		cancel()
		if err := <-second; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want a cancelled error", err)
		}
		p.expect(`{"jsonrpc":"2.0","id":1,"method":"first"}`)
		third := startCall(t.Context(), c, "third", nil)
		p.expect(`{"jsonrpc":"2.0","id":3,"method":"third"}`)
		p.send(`{"id":1,"result":null}`)
		p.send(`{"id":3,"result":null}`)
		if err := errors.Join(<-first, <-third); err != nil {
			t.Error(err)
		}
	})
}

// TestCancelDoesNotWaitForWriter gives up a call whose Write is under way.
func TestCancelDoesNotWaitForWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPair(t, testHandler{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := c.Call(ctx, "m", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want a deadline error", err)
		}
		p.expect(`{"jsonrpc":"2.0","id":1,"method":"m"}`)
		p.expect(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
	})
}

func TestEndedContextSendsNothing(t *testing.T) {
	c, p := newPair(t, testHandler{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 { // the writer is ready as well, and a select picks at random
		if err := c.Notify(ctx, "m", nil); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v, want a cancelled error", err)
		}
		if err := c.Call(ctx, "m", nil, nil); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v, want a cancelled error", err)
		}
	}
	if len(c.state.calls) != 0 {
		t.Errorf("%d calls are left, want none", len(c.state.calls))
	}
	errs := startCall(t.Context(), c, "first", nil)
	p.expect(`{"jsonrpc":"2.0","id":101,"method":"first"}`)
	p.send(`{"id":101,"result":null}`)
	if err := <-errs; err != nil {
		t.Error(err)
	}
}

// echoHandler answers every request with its params.
var echoHandler = testHandler{request: func(_ string, params json.RawMessage) (any, error) {
	return params, nil
}}

// TestConcurrentCalls has two Conns call each other from many goroutines.
func TestConcurrentCalls(t *testing.T) {
	near, far := net.Pipe()
	conns := []*Conn{NewConn(near, echoHandler), NewConn(far, echoHandler)}
	var callers sync.WaitGroup
	for i := range 40 {
		callers.Go(func() {
			for j := range 50 {
				want := fmt.Sprintf("<%d %d>", i, j)
				var got []string
				err := conns[i%2].Call(t.Context(), "echo", []string{want}, &got)
				if err != nil || len(got) != 1 || got[0] != want {
					t.Errorf("got %q, %v; want %q", got, err, want)
					return
				}
			}
		})
	}
	callers.Wait()
	for _, c := range conns {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := conns[1].Err(); !errors.Is(err, io.EOF) && !errors.Is(err, errClosed) {
		t.Errorf("second end: got %v", err)
	}
}

// BenchmarkCall is one round trip between two Conns in this process.
func BenchmarkCall(b *testing.B) {
	near, far := net.Pipe()
	client, server := NewConn(near, testHandler{}), NewConn(far, echoHandler)
	defer server.Close()
	defer client.Close()
	params := map[string]string{"uri": "file:///a/b/c.go"}
	b.ReportAllocs()
	for b.Loop() {
		var got map[string]string
		if err := client.Call(b.Context(), "echo", params, &got); err != nil {
			b.Fatal(err)
		}
	}
}
