// Package jsonrpc2 speaks JSON-RPC 2.0 with a language server, in the framing
// of the LSP base protocol.
//
// The peer is not trusted. What it may make this side hold is bounded: one
// header block, one body, and a queue of replies it has not read yet. A peer
// that breaks the protocol or a bound ends its own connection, and [Conn.Err]
// says what it did; nothing it sends can end the process.
//
// A [Conn] runs two goroutines. The reader decodes messages, wakes the calls
// that replies belong to, and runs the [Handler]. The writer is the only one
// that writes to the stream. The reader never waits for the writer: a peer
// that writes without reading would otherwise block both sides for good.
package jsonrpc2

import (
	"encoding/json"
	"fmt"
)

// Error codes: the first three are from JSON-RPC 2.0, section 5.1, the others
// from the LSP specification, "ErrorCodes".
const (
	CodeMethodNotFound  = -32601
	CodeInvalidParams   = -32602
	CodeInternalError   = -32603
	CodeServerCancelled = -32802
	CodeContentModified = -32801
)

// Error is the error object of a response (JSON-RPC 2.0, section 5.1).
//
// When it came from the peer, Message and Data are the peer's own bytes, as
// long as a message may be and with any control characters in them. The Error
// method quotes and shortens; whoever shows Message itself must do the same.
type Error struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error returns the code and an excerpt of the message, safe to print.
func (e *Error) Error() string {
	return fmt.Sprintf("error %d: %s", e.Code, excerpt(e.Message))
}

// ResultError is a result of another shape than the caller can take. The
// connection lives on.
type ResultError struct {
	Method string
	Why    string // what was found and where, safe to print
}

// Error returns the method and what was found, safe to print.
func (e *ResultError) Error() string {
	return fmt.Sprintf("decode result of %s: %s", e.Method, e.Why)
}

// ClosedError says that the connection has ended. [Conn.Call] and
// [Conn.Notify] return it, always as a *ClosedError.
type ClosedError struct {
	// Cause is what [Conn.Err] returns.
	Cause error
}

// Error returns a text with the cause in it.
func (e *ClosedError) Error() string {
	return "connection ended: " + e.Cause.Error()
}

// Unwrap returns the cause.
func (e *ClosedError) Unwrap() error { return e.Cause }

// Handler takes what the peer sends of its own accord.
//
// Both methods are called on the goroutine that reads, one at a time and in
// the order of arrival. While one runs nothing is read, so neither may block,
// and neither may call [Conn.Call], [Conn.Notify] or [Conn.Close] of its own
// connection: each of these can wait for the goroutine that runs the handler.
// A panic is not recovered. The params are the handler's to keep; they are nil
// when the message had none.
type Handler interface {
	// Notify handles one notification.
	Notify(method string, params json.RawMessage)

	// Request answers one request from the peer. The result is marshalled. An
	// error that is or wraps an *Error is sent as that *Error; any other
	// becomes CodeInternalError with the error's text.
	Request(method string, params json.RawMessage) (any, error)
}

// maxExcerptBytes bounds the peer's text in an error. It is more than is shown:
// the caller hides secrets in it and then cuts it, and a secret that is cut here
// already would not be recognised.
const maxExcerptBytes = 4 << 10

// excerpt returns the beginning of s in quotes, with every character that
// could disturb a terminal or a log line escaped.
func excerpt(s string) string {
	if len(s) <= maxExcerptBytes {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%q... (%d bytes)", s[:maxExcerptBytes], len(s))
}
