package jsonrpc2

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// message is any message from the peer. A member that was absent is nil; an id
// that was null is the four bytes "null", and id 0 the byte "0".
type message struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
}

// readMessage reads and decodes one message. Any error is the end of the
// connection; see readFrame for how the end of the stream is told.
func readMessage(r *bufio.Reader) (*message, error) {
	body, err := readFrame(r)
	if err != nil {
		return nil, err
	}
	return decodeMessage(body)
}

// decodeMessage decodes a body and checks that it is a request, a notification
// or a response. The message shares no memory with the body.
//
// Deviations that real servers show, and that leave no doubt about what was
// meant, pass: a missing "jsonrpc" member, unknown members, and member names in
// another case, which encoding/json does not tell apart. For responses see
// [message.outcome].
func decodeMessage(body []byte) (*message, error) {
	if !utf8.Valid(body) {
		return nil, errors.New("message body is not valid UTF-8")
	}
	if err := checkObject(body); err != nil {
		return nil, err
	}
	m := new(message)
	if err := json.Unmarshal(body, m); err != nil {
		// Not wrapped: the text can hold a number as long as the body.
		return nil, fmt.Errorf("message body does not decode: %s", excerpt(err.Error()))
	}
	return m, m.check()
}

// checkObject refuses a body that does not begin as an object. LSP has no
// batches (JSON-RPC 2.0, section 6), and encoding/json would take a null for an
// empty object.
func checkObject(body []byte) error {
	text := bytes.TrimLeft(body, " \t\r\n")
	switch {
	case len(text) == 0:
		return errors.New("message body is empty")
	case text[0] == '[':
		return errors.New("message body is a batch array, which LSP does not have")
	case text[0] != '{':
		return errors.New("message body is not a JSON object")
	}
	return nil
}

// check refuses a message that is of none of the three kinds.
func (m *message) check() error {
	switch {
	case m.Method != nil && m.ID != nil:
		return checkRequestID(m.ID)
	case m.Method == nil && m.ID == nil:
		return errors.New("message has neither a method nor an id")
	}
	return nil
}

// checkRequestID accepts a string or a number. JSON-RPC 2.0, section 4, also
// allows null but discourages it, and LSP rules it out. A fraction is accepted:
// the id is only ever echoed, never read.
func checkRequestID(id json.RawMessage) error {
	if c := id[0]; c == '"' || c == '-' || '0' <= c && c <= '9' {
		return nil
	}
	return fmt.Errorf("request id %s is neither a string nor a number", excerpt(string(id)))
}

// outcome returns what a response says: its error, or else its result.
//
// JSON-RPC 2.0, section 5, asks for exactly one of the two. Neither is read as
// a null result, since some servers omit it. Of both, the error counts unless
// it is null, which is how servers answer that send both members every time.
func (m *message) outcome() (json.RawMessage, error) {
	if m.Error != nil {
		return nil, m.Error
	}
	if m.Result == nil {
		return json.RawMessage("null"), nil
	}
	return m.Result, nil
}

// outgoingRequest is a request, or a notification when ID is nil.
type outgoingRequest struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method"`
	Params  any             `json:"params,omitempty"`
}

// outgoingResponse is a response. A null result is the four bytes "null", so
// that omitempty omits exactly the member that must not be there.
type outgoingResponse struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// encodeRequest returns a framed request with one of our own ids.
func encodeRequest(id int64, method string, params any) ([]byte, error) {
	return encodeFrame(outgoingRequest{"2.0", strconv.AppendInt(nil, id, 10), method, params})
}

// encodeNotification returns a framed notification. Nil params are omitted.
func encodeNotification(method string, params any) ([]byte, error) {
	return encodeFrame(outgoingRequest{"2.0", nil, method, params})
}

// encodeResponse returns the framed answer to a request with the given id,
// which is echoed byte for byte. An answer that cannot be marshalled is our
// fault, and the peer gets CodeInternalError in its place.
func encodeResponse(id json.RawMessage, result any, failure error) ([]byte, error) {
	response := outgoingResponse{JSONRPC: "2.0", ID: id}
	if failure != nil {
		response.Error = asError(failure)
	} else if raw, err := marshal(result); err != nil {
		response.Error = asError(err)
	} else {
		response.Result = raw
	}
	framed, err := encodeFrame(response)
	if err == nil {
		return framed, nil
	}
	return encodeFrame(outgoingResponse{JSONRPC: "2.0", ID: id, Error: internalError(err)})
}

// asError returns the *Error within err, or makes one.
func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return internalError(err)
}

func internalError(err error) *Error {
	return &Error{Code: CodeInternalError, Message: err.Error()}
}

func encodeFrame(v any) ([]byte, error) {
	body, err := marshal(v)
	if err != nil {
		return nil, err
	}
	return frame(body), nil
}

// marshal is json.Marshal without the escaping of <, > and &. That escaping
// protects HTML pages; here it would only make source code longer.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
