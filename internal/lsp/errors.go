package lsp

import (
	"errors"
	"fmt"
	"io"
	"syscall"

	"mcpls/internal/jsonrpc2"
)

// UnsupportedError is a request that the server has not said it can answer.
type UnsupportedError struct{ Method string }

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("the server does not offer %s", e.Method)
}

// ServerError is an error that the server answered with. The message is the
// server's own words.
type ServerError struct {
	Code    int64
	Message string
}

func (e *ServerError) Error() string { return e.Message }

// ClosedError is a request that got no answer because the connection ended.
type ClosedError struct {
	Cause error

	text string // of the cause, secrets redacted: it may quote what the server sent
}

func (e *ClosedError) Error() string {
	// A server that ends shows as a broken pipe while something is written to it.
	if errors.Is(e.Cause, io.EOF) || errors.Is(e.Cause, syscall.EPIPE) {
		return "the server closed the connection"
	}
	return "the connection to the server ended: " + e.text
}

func (e *ClosedError) Unwrap() error { return e.Cause }

func (s *Session) closed(cause error) error {
	return &ClosedError{Cause: cause, text: s.brief(cause.Error())}
}

// translate puts an error of the connection into this package's terms, so that
// callers need not know what carries the messages.
func (s *Session) translate(err error) error {
	if wire, ok := errors.AsType[*jsonrpc2.Error](err); ok {
		return &ServerError{Code: wire.Code, Message: s.opts.Redact.Redact(wire.Message)}
	}
	if bad, ok := errors.AsType[*jsonrpc2.ResultError](err); ok {
		return &ServerError{
			Code:    jsonrpc2.CodeInternalError,
			Message: fmt.Sprintf("its answer to %s is not of the shape that the protocol has: %s", bad.Method, s.brief(bad.Why)),
		}
	}
	if ended, ok := errors.AsType[*jsonrpc2.ClosedError](err); ok {
		return s.closed(ended.Cause)
	}
	return err
}
