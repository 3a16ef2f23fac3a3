package app

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpls/internal/quote"
)

// maxLineBytes bounds one message of the client.
const maxLineBytes = mcp.DefaultMaxLineLength

// Stdio is the transport of a client that speaks on a pair of streams, a message
// a line. A line that is no message is answered with an error and left out: to
// the MCP library it would be the end of the session, and with it of every call
// that is under way.
func Stdio(in io.ReadCloser, out io.WriteCloser) mcp.Transport {
	w := &wholeWriter{WriteCloser: out}
	r := &lineReader{Closer: in, lines: bufio.NewReaderSize(in, 64<<10), answer: w}
	return &mcp.IOTransport{Reader: r, Writer: w}
}

// wholeWriter keeps the messages of two writers apart: each Write is one.
type wholeWriter struct {
	mu sync.Mutex
	io.WriteCloser
}

// Write implements io.Writer.
func (w *wholeWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.WriteCloser.Write(p)
}

// lineReader passes on the lines that are messages.
type lineReader struct {
	io.Closer
	lines  *bufio.Reader
	answer io.Writer
	left   []byte // of the line that is being passed on
}

// Read implements io.Reader.
func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.left) == 0 {
		line, err := r.next()
		bad, isBad := errors.AsType[*badLine](err)
		if err != nil && !isBad {
			return 0, err
		}
		if !isBad && len(bytes.Trim(line, whiteSpace)) > 0 {
			bad = check(line)
		}
		if bad != nil {
			r.refuse(bad)
			continue
		}
		r.left = bytes.TrimLeft(line, whiteSpace)
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}

// next gives the next line with its end, which the last one may lack. One that
// is too long is read to its end and dropped.
func (r *lineReader) next() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.lines.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLineBytes; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil && long:
			return nil, &badLine{code: codeParse, message: fmt.Sprintf("the message is longer than %d bytes", maxLineBytes)}
		case err != nil && len(line) > 0:
			return append(line, '\n'), nil
		default:
			return line, err
		}
	}
}

// whiteSpace is that of JSON, and no more: what else is blank is no message.
const whiteSpace = " \t\r\n"

// The codes of JSON-RPC 2.0, section 5.1.
const (
	codeParse   = -32700
	codeInvalid = -32600
)

// badLine is a line that is no message.
type badLine struct {
	id      json.RawMessage // of what may have been meant as a request
	code    int
	message string
}

func (b *badLine) Error() string { return b.message }

// check gives what is wrong with a line, nil when it is one message. What is
// nested without end is no JSON to encoding/json, and never gets further.
func check(line []byte) *badLine {
	if !utf8.Valid(line) || !json.Valid(line) {
		return &badLine{code: codeParse, message: "not JSON: a message is one line of JSON in UTF-8"}
	}
	if bytes.TrimLeft(line, whiteSpace)[0] == '[' {
		return &badLine{code: codeInvalid, message: "a batch: send one message a line"}
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		var m struct {
			ID json.RawMessage `json:"id"`
		}
		_ = json.Unmarshal(line, &m) // without an id it is answered to nobody
		return &badLine{id: m.ID, code: codeInvalid, message: `no JSON-RPC 2.0 message: one has "jsonrpc": "2.0" and a method, an id or both`}
	}
	return nil
}

// refuse answers a line that was left out. A client that does not take it is
// gone, which the next Read tells.
func (r *lineReader) refuse(bad *badLine) {
	if len(bad.id) == 0 || bad.id[0] == '{' || bad.id[0] == '[' {
		bad.id = json.RawMessage("null")
	}
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": bad.id,
		"error": map[string]any{"code": bad.code, "message": quote.Text(bad.message)},
	})
	if err == nil {
		_, _ = r.answer.Write(append(line, '\n'))
	}
}
