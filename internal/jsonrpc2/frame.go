package jsonrpc2

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// MaxMessageBytes is the longest body that is accepted. The largest honest
// messages, such as the workspace symbols of a big project, stay well below.
const MaxMessageBytes = 64 << 20

// maxHeaderBytes bounds a header block, line ends included. The two fields
// that LSP defines need about 100 bytes; the rest is room for fields that a
// server adds. It is also the size of the read buffer, so that a single header
// line within the bound always fits into it.
const maxHeaderBytes = 8 << 10

// firstBodyBytes is what a body buffer starts with at most. Most messages fit;
// a longer one grows its buffer as its bytes arrive, so that a length that is
// only claimed costs no memory.
const firstBodyBytes = 64 << 10

// newFrameReader returns a reader with the buffer size that readFrame needs.
func newFrameReader(r io.Reader) *bufio.Reader {
	return bufio.NewReaderSize(r, maxHeaderBytes)
}

// readFrame reads one frame (LSP, "Base Protocol") and returns its body, which
// is the caller's. When the stream ends before the first byte of a frame, the
// error wraps io.EOF; when it ends later, io.ErrUnexpectedEOF. After an error
// the position in the stream is unknown: there is no way to go on.
func readFrame(r *bufio.Reader) ([]byte, error) {
	length, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	return readBody(r, length)
}

// readHeader reads a header block with its closing empty line and returns the
// content length (LSP, "Header Part").
func readHeader(r *bufio.Reader) (int64, error) {
	length, total := int64(-1), 0
	for {
		line, err := r.ReadSlice('\n')
		total += len(line)
		if errors.Is(err, bufio.ErrBufferFull) || total > maxHeaderBytes {
			return 0, fmt.Errorf("header block is longer than %d bytes", maxHeaderBytes)
		}
		if err != nil {
			return 0, headerReadError(err, total)
		}
		text := trimLineEnd(string(line))
		if text == "" {
			return requireLength(length)
		}
		if length, err = parseField(text, length); err != nil {
			return 0, err
		}
	}
}

// headerReadError describes a failed read, after got bytes of a header block.
func headerReadError(err error, got int) error {
	switch {
	case !errors.Is(err, io.EOF):
		return fmt.Errorf("read header: %w", err)
	case got == 0:
		return fmt.Errorf("peer closed the connection: %w", io.EOF)
	default:
		return fmt.Errorf("peer closed the connection within a header: %w", io.ErrUnexpectedEOF)
	}
}

// trimLineEnd removes one line end. LSP asks for CRLF; a bare LF is accepted
// because some servers write it, and it cannot be taken for anything else.
func trimLineEnd(line string) string {
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
}

// requireLength refuses a header block that had no Content-Length field.
func requireLength(length int64) (int64, error) {
	if length < 0 {
		return 0, errors.New("header block has no Content-Length")
	}
	return length, nil
}

// parseField reads one header field and returns the content length as known
// after it; before is the length so far, or -1. Other fields are ignored.
// Content-Type is among them: UTF-8 is the only charset that LSP allows, and
// decodeMessage checks the body for it.
func parseField(line string, before int64) (int64, error) {
	name, value, found := strings.Cut(line, ":")
	if !found {
		return 0, fmt.Errorf("header line %s has no colon", excerpt(line))
	}
	if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
		return before, nil
	}
	length, err := parseLength(strings.Trim(value, " \t"))
	if err != nil {
		return 0, err
	}
	if before >= 0 && length != before {
		return 0, fmt.Errorf("two Content-Length fields disagree: %d and %d", before, length)
	}
	return length, nil
}

// parseLength accepts digits only: no sign, no space within, no other base.
func parseLength(value string) (int64, error) {
	length, err := strconv.ParseUint(value, 10, 63)
	if err != nil || length > MaxMessageBytes {
		return 0, fmt.Errorf("Content-Length %s is no number of bytes up to %d", excerpt(value), MaxMessageBytes)
	}
	return int64(length), nil
}

// readBody reads exactly length bytes into a buffer that grows with them.
func readBody(r io.Reader, length int64) ([]byte, error) {
	var body bytes.Buffer
	body.Grow(int(min(length, firstBodyBytes)))
	got, err := io.CopyN(&body, r, length)
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("peer closed the connection after %d of %d body bytes: %w",
			got, length, io.ErrUnexpectedEOF)
	}
	if err != nil {
		return nil, fmt.Errorf("read body: %w", err)
	}
	return body.Bytes(), nil
}

// frame puts the header before a body, in one slice so that one Write sends it.
func frame(body []byte) []byte {
	framed := make([]byte, 0, len(body)+len("Content-Length: \r\n\r\n")+20)
	framed = fmt.Appendf(framed, "Content-Length: %d\r\n\r\n", len(body))
	return append(framed, body...)
}
