package jsonrpc2

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// checkRequest reads one request from r and compares it with what was sent.
func checkRequest(t *rapid.T, r *bufio.Reader, id int, method, value string) {
	m, err := readMessage(r)
	if err != nil {
		t.Fatal(err)
	}
	var params []string
	if err := json.Unmarshal(m.Params, &params); err != nil {
		t.Fatal(err)
	}
	if string(m.ID) != strconv.Itoa(id) || *m.Method != method || len(params) != 1 || params[0] != value {
		t.Fatalf("got id %s, method %q, params %q; want %d, %q, %q", m.ID, *m.Method, params, id, method, value)
	}
}

func TestResponseOutcome(t *testing.T) {
	tests := []struct{ body, result, err string }{
		{`{"id":1,"result":{"a":1}}`, `{"a":1}`, ""},
		{`{"id":1,"result":null}`, `null`, ""},
		{`{"id":1}`, `null`, ""},
		{`{"id":1,"result":3,"error":null}`, `3`, ""},
		{`{"id":1,"result":null,"error":{"code":-32601,"message":"no\u001b"}}`, ``, `error -32601: "no\x1b"`},
	}
	for _, test := range tests {
		m, err := decodeMessage([]byte(test.body))
		if err != nil {
			t.Errorf("%s: %v", test.body, err)
			continue
		}
		result, err := m.outcome()
		if string(result) != test.result || (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%s: got %s, %v; want %s, %s", test.body, result, err, test.result, test.err)
		}
	}
}

func TestEncodeResponse(t *testing.T) {
	refusal := &Error{Code: CodeInvalidParams, Message: "a<b", Data: json.RawMessage(`[1]`)}
	tests := []struct {
		name   string
		id     string
		result any
		err    error
		want   string
	}{
		{"result", `0`, []string{"<&>"}, nil, `{"jsonrpc":"2.0","id":0,"result":["<&>"]}`},
		{"null result", `"a\u003c"`, nil, nil, `{"jsonrpc":"2.0","id":"a\u003c","result":null}`},
		{"big id", `123456789012345678901234567890`, 1, nil, `{"jsonrpc":"2.0","id":123456789012345678901234567890,"result":1}`},
		{"error", `1`, nil, refusal, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"a<b","data":[1]}}`},
		{"wrapped error", `1`, nil, fmt.Errorf("x: %w", refusal), `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"a<b","data":[1]}}`},
		{"other error", `1`, 5, errors.New("oops"), `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"oops"}}`},
		{"bad result", `1`, func() {}, nil, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"json: unsupported type: func()"}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := encodeResponse(json.RawMessage(test.id), test.result, test.err)
			if err != nil || string(got) != framed(test.want) {
				t.Errorf("got  %s, %v\nwant %s", got, err, framed(test.want))
			}
		})
	}
	bad := &Error{Code: 1, Data: json.RawMessage(`{`)}
	got, err := encodeResponse(json.RawMessage(`1`), nil, bad)
	if err != nil || !strings.Contains(string(got), `"code":-32603`) {
		t.Errorf("error with bad data: got %s, %v; want an internal error", got, err)
	}
}

// FuzzReadMessage looks for a panic, and for messages that pass the checks and
// yet cannot be told apart as one of the three kinds.
func FuzzReadMessage(f *testing.F) {
	for _, seed := range []string{
		"", "\r\n", "Content-Length: 5\r\n\r\n{", "Content-Length: 99999999\r\n\r\n{}",
		"content-length:2\n\n{}", "Content-Length: -1\r\n\r\n",
		framed(`{"id":null,"method":"a"}`), framed(`[{"method":"a"}]`), framed(`{"method":"\ud800"}`),
		framed(`{"jsonrpc":"2.0","id":0,"method":"a","params":[1]}`) + framed(`{"method":"b"}`),
		framed(`{"id":"x","result":null,"error":null}`),
		framed(`{"id":1,"error":{"code":-32603,"message":"m","data":{}}}`),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		r := newFrameReader(bytes.NewReader(input))
		for {
			m, err := readMessage(r)
			if err != nil {
				return
			}
			checkDecoded(t, m)
		}
	})
}

// checkDecoded tests what dispatch relies on.
func checkDecoded(t *testing.T, m *message) {
	if m.Method == nil && m.ID == nil {
		t.Error("neither a method nor an id")
	}
	if m.Method == nil || m.ID == nil {
		return
	}
	reply, err := encodeResponse(m.ID, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	echo, err := readMessage(newFrameReader(bytes.NewReader(reply)))
	if err != nil || !bytes.Equal(echo.ID, m.ID) {
		t.Errorf("id %s came back as %+v, %v", m.ID, echo, err)
	}
}
