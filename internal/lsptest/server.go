// Package lsptest is a language server whose behaviour is written down in a
// script: for tests of what real servers do rarely or never. Real behaviour is
// tested with real servers.
//
// A script is lines of text. A block begins with "on METHOD" and holds the
// steps to take when a message of that method arrives. When a method has
// several blocks they are used in order, one a message, and the last one is
// used from then on. A request without a block is answered with null, and exit
// ends the server.
//
//	on initialize
//		reply {"capabilities": {"hoverProvider": true}}
//	on textDocument/hover
//		until $/cancelRequest
//		fail -32800 cancelled
//
// The steps are:
//
//	reply JSON            answer the request
//	fail CODE MESSAGE     answer it with an error
//	notify METHOD JSON    send a notification
//	request METHOD JSON   send a request; the answer is recorded
//	until METHOD          wait for a message of that method
//	raw TEXT              write TEXT, a Go string literal, as it stands
//	stderr TEXT           write a line to stderr
//	exit CODE             end the process at once
//	silent                leave the request unanswered
//
// In JSON, $URI stands for the uri of the message's document, and $TEXT for the
// quoted text of a didOpen or didChange.
package lsptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
)

// The environment of a fake server that runs as a process.
const (
	ScriptEnv = "LSPTEST_SCRIPT" // file of the script
	RecordEnv = "LSPTEST_RECORD" // file that every received message is added to
)

// Main runs the fake server on stdin and stdout and exits, when the
// environment asks for it; else it returns. A test binary calls it first thing
// in TestMain, and is its own fake server then.
func Main() {
	path := os.Getenv(ScriptEnv)
	if path == "" {
		return
	}
	script, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	var record io.Writer = io.Discard
	if path := os.Getenv(RecordEnv); path != "" {
		file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		record = file
	}
	err = Serve(string(script), os.Stdin, os.Stdout, record)
	if err != nil {
		panic(err)
	}
	os.Exit(0)
}

// message is any JSON-RPC message.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// server is one run of a script.
type server struct {
	blocks map[string][][]string // by method: the steps of each block
	record io.Writer

	mu     sync.Mutex
	out    io.Writer
	nextID int
	seen   map[string]chan struct{} // by method: closed at its next message
}

// Serve plays a script over a stream until the client closes it. Each message
// received is written to record, as a line of JSON.
func Serve(script string, in io.Reader, out, record io.Writer) error {
	s := &server{blocks: map[string][][]string{}, record: record, out: out, seen: map[string]chan struct{}{}}
	if err := s.parse(script); err != nil {
		return err
	}
	var blocks sync.WaitGroup
	defer blocks.Wait()
	reader := bufio.NewReader(in)
	for {
		body, err := readFrame(reader)
		if err != nil {
			s.release()
			return nil // the client went away: the end of every script
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(record, "%s\n", body); err != nil {
			return err
		}
		s.arrived(m.Method)
		if m.Method == "exit" && s.blocks["exit"] == nil {
			s.release()
			return nil
		}
		steps := s.next(m)
		if !strings.Contains(strings.Join(steps, "\n"), "until ") {
			s.play(m, steps)
			continue
		}
		blocks.Go(func() { s.play(m, steps) })
	}
}

func (s *server) parse(script string) error {
	method := ""
	for n, line := range strings.Split(script, "\n") {
		line = strings.TrimSpace(line)
		on, isOn := strings.CutPrefix(line, "on ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case isOn:
			method = on
			s.blocks[method] = append(s.blocks[method], nil)
		case method == "":
			return fmt.Errorf("script line %d: a step outside of a block", n+1)
		default:
			last := len(s.blocks[method]) - 1
			s.blocks[method][last] = append(s.blocks[method][last], line)
		}
	}
	return nil
}

// next gives the steps for a message and uses its block up.
func (s *server) next(m message) []string {
	blocks := s.blocks[m.Method]
	if len(blocks) == 0 {
		if m.ID != nil && m.Method != "" {
			return []string{"reply null"}
		}
		return nil
	}
	if len(blocks) > 1 {
		s.blocks[m.Method] = blocks[1:]
	}
	return blocks[0]
}

func (s *server) play(m message, steps []string) {
	for _, step := range steps {
		verb, rest, _ := strings.Cut(step, " ")
		switch verb {
		case "reply":
			s.send(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, fill(rest, m))
		case "fail":
			code, text, _ := strings.Cut(rest, " ")
			s.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":%s,"message":%q}}`, m.ID, code, text)
		case "notify":
			method, params, _ := strings.Cut(rest, " ")
			s.send(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, fill(params, m))
		case "request":
			method, params, _ := strings.Cut(rest, " ")
			s.send(`{"jsonrpc":"2.0","id":"fake-%d","method":%q,"params":%s}`, s.id(), method, fill(params, m))
		case "until":
			<-s.await(rest)
		case "raw":
			text, err := strconv.Unquote(rest)
			if err != nil {
				panic(err)
			}
			s.write(text)
		case "stderr":
			fmt.Fprintln(os.Stderr, rest)
		case "exit":
			code, _ := strconv.Atoi(rest)
			os.Exit(code)
		case "silent":
		default:
			panic("lsptest: no such step: " + step)
		}
	}
}

// fill puts parts of a message into JSON.
func fill(text string, m message) string {
	var p struct {
		TextDocument struct {
			URI  string `json:"uri"`
			Text string `json:"text"`
		} `json:"textDocument"`
		ContentChanges []struct {
			Text string `json:"text"`
		} `json:"contentChanges"`
	}
	// Messages of another shape have nothing to put in.
	_ = json.Unmarshal(m.Params, &p)
	for _, change := range p.ContentChanges {
		p.TextDocument.Text = change.Text
	}
	quoted, _ := json.Marshal(p.TextDocument.Text)
	return strings.NewReplacer("$URI", p.TextDocument.URI, "$TEXT", string(quoted)).Replace(text)
}

func (s *server) id() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextID++
	return s.nextID
}

func (s *server) send(format string, args ...any) {
	body := fmt.Sprintf(format, args...)
	s.write(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
}

// write ignores that the client is gone: the reading loop sees it too.
func (s *server) write(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = io.WriteString(s.out, text)
}

func (s *server) await(method string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen[method] == nil {
		s.seen[method] = make(chan struct{})
	}
	return s.seen[method]
}

func (s *server) arrived(method string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if waiting := s.seen[method]; waiting != nil {
		close(waiting)
		delete(s.seen, method)
	}
}

// release lets every block that waits go on: nothing more will arrive.
func (s *server) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for method, waiting := range s.seen {
		close(waiting)
		delete(s.seen, method)
	}
}

func readFrame(r *bufio.Reader) ([]byte, error) {
	length := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		if value, ok := strings.CutPrefix(line, "Content-Length:"); ok {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return nil, err
			}
		}
	}
	body := make([]byte, length)
	_, err := io.ReadFull(r, body)
	return body, err
}
