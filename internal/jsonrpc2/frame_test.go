package jsonrpc2

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestBadFrames(t *testing.T) {
	longLine := "X: " + strings.Repeat("a", maxHeaderBytes) + "\r\n"
	manyLines := strings.Repeat("X: a\r\n", maxHeaderBytes/6+1)
	tests := []struct{ name, input, want string }{
		{"no length", "Content-Type: x\r\n\r\n{}", "header block has no Content-Length"},
		{"no fields", "\r\n{}", "header block has no Content-Length"},
		{"no colon", "Content-Length 2\r\n\r\n{}", `header line "Content-Length 2" has no colon`},
		{"stray output", "\x1b[31mpanic\r\n\r\n", `header line "\x1b[31mpanic" has no colon`},
		{"empty length", "Content-Length:  \r\n\r\n{}", `Content-Length "" is no number of bytes up to 67108864`},
		{"negative", "Content-Length: -2\r\n\r\n{}", `Content-Length "-2" is no number of bytes up to 67108864`},
		{"plus sign", "Content-Length: +2\r\n\r\n{}", `Content-Length "+2" is no number of bytes up to 67108864`},
		{"hex", "Content-Length: 0x2\r\n\r\n{}", `Content-Length "0x2" is no number of bytes up to 67108864`},
		{"two numbers", "Content-Length: 2 2\r\n\r\n{}", `Content-Length "2 2" is no number of bytes up to 67108864`},
		{"underscore", "Content-Length: 1_0\r\n\r\n{}", `Content-Length "1_0" is no number of bytes up to 67108864`},
		{"18 digits", "Content-Length: 999999999999999999\r\n\r\n", `Content-Length "999999999999999999" is no number of bytes up to 67108864`},
		{"19 digits", "Content-Length: 9999999999999999999\r\n\r\n", `Content-Length "9999999999999999999" is no number of bytes up to 67108864`},
		{"more than 64 bits", "Content-Length: 18446744073709551618\r\n\r\n{}", `Content-Length "18446744073709551618" is no number of bytes up to 67108864`},
		{"over limit", "Content-Length: 67108865\r\n\r\n", `Content-Length "67108865" is no number of bytes up to 67108864`},
		{"disagree", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "two Content-Length fields disagree: 2 and 3"},
		{"disagree with 0", "Content-Length: 0\r\nContent-Length: 2\r\n\r\n{}", "two Content-Length fields disagree: 0 and 2"},
		{"long line", longLine, "header block is longer than 8192 bytes"},
		{"many lines", manyLines, "header block is longer than 8192 bytes"},
		{"endless line", strings.Repeat("a", 1<<20), "header block is longer than 8192 bytes"},
		{"empty body", "Content-Length: 0\r\n\r\n", "message body is empty"},
		{"blank body", "Content-Length: 2\r\n\r\n \n", "message body is empty"},
		{"not UTF-8", framed("{\"method\":\"\xff\"}"), "message body is not valid UTF-8"},
		{"not JSON", framed("{method}"), `message body does not decode: "invalid character 'm' looking for beginning of object key string"`},
		{"two values", framed(`{"method":"a"}{}`), `message body does not decode: "invalid character '{' after top-level value"`},
		{"null", framed("null"), "message body is not a JSON object"},
		{"number", framed("1"), "message body is not a JSON object"},
		{"batch", framed(` [{"method":"a"}]`), "message body is a batch array, which LSP does not have"},
		{"neither kind", framed(`{"jsonrpc":"2.0"}`), "message has neither a method nor an id"},
		{"result alone", framed(`{"result":1}`), "message has neither a method nor an id"},
		{"null request id", framed(`{"id":null,"method":"a"}`), `request id "null" is neither a string nor a number`},
		{"object request id", framed(`{"id":{},"method":"a"}`), `request id "{}" is neither a string nor a number`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := readMessage(newFrameReader(strings.NewReader(test.input)))
			if err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

func framed(body string) string { return string(frame([]byte(body))) }

func TestGoodHeaders(t *testing.T) {
	body := `{"method":"a"}`
	for _, header := range []string{
		"Content-Length: 14\r\n\r\n",
		"Content-Length:14\r\n\r\n",
		"content-LENGTH \t: \t14 \r\n\r\n",
		"Content-Length: 0014\r\n\r\n",
		"Content-Length: 14\n\n",
		"Content-Length: 14\r\nContent-Length: 14\r\n\r\n",
		"Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: 14\r\n\r\n",
		"X-Other: a:b\r\nContent-Length: 14\r\nEmpty:\r\n\r\n",
	} {
		got, err := readFrame(newFrameReader(strings.NewReader(header + body + "rest")))
		if err != nil || string(got) != body {
			t.Errorf("%q: got %q, %v", header, got, err)
		}
	}
}

func TestEndOfStream(t *testing.T) {
	whole := framed(`{"method":"a"}`)
	for n := range len(whole) {
		_, err := readMessage(newFrameReader(strings.NewReader(whole[:n])))
		want := io.ErrUnexpectedEOF
		if n == 0 {
			want = io.EOF
		}
		if !errors.Is(err, want) {
			t.Errorf("after %d bytes: got %v, want one that wraps %v", n, err, want)
		}
	}
}

func TestReadErrorIsWrapped(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{"", "Content-Le", "Content-Length: 5\r\n\r\n{"} {
		r := io.MultiReader(strings.NewReader(text), failingReader{broken})
		if _, err := readMessage(newFrameReader(r)); !errors.Is(err, broken) {
			t.Errorf("after %q: got %v, want one that wraps %v", text, err, broken)
		}
	}
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

// TestClaimedLengthCostsNothing gives little of what a header claims, and
// bounds what is allocated in all, not just what is left afterwards.
func TestClaimedLengthCostsNothing(t *testing.T) {
	for _, test := range []struct{ arrives, most uint64 }{
		{0, 1 << 20},
		{1 << 20, 8 << 20},
	} {
		input := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", 60<<20, strings.Repeat("a", int(test.arrives)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readMessage(newFrameReader(strings.NewReader(input)))
		runtime.ReadMemStats(&after)
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("got %v, want an unexpected EOF", err)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > test.most {
			t.Errorf("%d bytes that arrived made %d allocated, want at most %d", test.arrives, got, test.most)
		}
	}
}

func TestExcerptIsShortAndPrintable(t *testing.T) {
	got := excerpt("\x1b" + strings.Repeat("é", 10000))
	if len(got) > 5*maxExcerptBytes || strings.Contains(got, "\x1b") {
		t.Errorf("got %s", got)
	}
	if !strings.HasSuffix(got, "... (20001 bytes)") {
		t.Errorf("got %s, want the full length at the end", got)
	}
}

// TestMessagesSurviveSplitting sends random messages as one stream that is cut
// into reads at random places.
func TestMessagesSurviveSplitting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		methods := rapid.SliceOf(rapid.String()).Draw(t, "methods")
		values := rapid.SliceOfN(rapid.String(), len(methods), len(methods)).Draw(t, "values")
		var stream []byte
		for i, method := range methods {
			f, err := encodeRequest(int64(i), method, []string{values[i]})
			if err != nil {
				t.Fatal(err)
			}
			stream = append(stream, f...)
		}
		r := newFrameReader(&splitReader{t, stream})
		for i, method := range methods {
			checkRequest(t, r, i, method, values[i])
		}
		if _, err := readMessage(r); !errors.Is(err, io.EOF) {
			t.Fatalf("at the end: got %v, want EOF", err)
		}
	})
}

// splitReader gives a random number of bytes at each Read.
type splitReader struct {
	t    *rapid.T
	rest []byte
}

func (r *splitReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	most := min(len(p), len(r.rest), 40)
	n := copy(p, r.rest[:rapid.IntRange(min(1, most), most).Draw(r.t, "read")])
	r.rest = r.rest[n:]
	return n, nil
}
