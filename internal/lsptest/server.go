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
//	delay DURATION        wait as long; in virtual time within a synctest bubble
//	frame TEXT            send TEXT, a Go string literal, as the body of a message
//	raw TEXT              write TEXT, a Go string literal, as it stands
//	endless TEXT          write TEXT again and again until the client is gone
//	flood N METHOD JSON   send a notification N times
//	grandchild            start a process that keeps the streams, and lives long
//	deaf                  read nothing any more
//	stderr TEXT           write a line to stderr
//	exit CODE             end the process at once
//	silent                leave the request unanswered
//
// In JSON, $URI stands for the uri of the message's document, $TEXT for the
// quoted text of a didOpen or didChange, $ENV{NAME} for a variable of the
// environment, and $PAD{N} for N letters. The last two stand for the same in the
// text of fail, raw, frame and stderr.
package lsptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
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
	gone   chan struct{}            // closed when nothing more will arrive
}

// Serve plays a script over a stream until the client closes it. Each message
// received is written to record, as a line of JSON.
func Serve(script string, in io.Reader, out, record io.Writer) error {
	s := &server{blocks: map[string][][]string{}, record: record, out: out, seen: map[string]chan struct{}{}, gone: make(chan struct{})}
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
		if !waits(steps) {
			s.play(m, steps)
			continue
		}
		blocks.Go(func() { s.play(m, steps) })
	}
}

// waits reports whether a block must not hold up the messages behind its own.
func waits(steps []string) bool {
	return slices.ContainsFunc(steps, func(step string) bool {
		return strings.HasPrefix(step, "until ") || strings.HasPrefix(step, "delay ")
	})
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
			s.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":%s,"message":%q}}`, m.ID, code, expand(text))
		case "notify":
			method, params, _ := strings.Cut(rest, " ")
			s.send(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, fill(params, m))
		case "request":
			method, params, _ := strings.Cut(rest, " ")
			s.send(`{"jsonrpc":"2.0","id":"fake-%d","method":%q,"params":%s}`, s.id(), method, fill(params, m))
		case "until":
			<-s.await(rest)
		case "delay":
			s.delay(rest)
		case "frame":
			s.send("%s", literal(rest))
		case "raw":
			_ = s.write(literal(rest))
		case "endless":
			for text := literal(rest); s.write(text) == nil; {
			}
		case "flood":
			count, notification, _ := strings.Cut(rest, " ")
			method, params, _ := strings.Cut(notification, " ")
			s.flood(count, method, fill(params, m))
		case "grandchild":
			grandchild()
		case "stderr":
			fmt.Fprintln(os.Stderr, expand(rest))
		case "exit":
			code, _ := strconv.Atoi(rest)
			os.Exit(code)
		case "deaf":
			time.Sleep(time.Hour) // a process that is killed before
		case "silent":
		default:
			panic("lsptest: no such step: " + step)
		}
	}
}

func (s *server) delay(duration string) {
	wait, err := time.ParseDuration(duration)
	if err != nil {
		panic(err)
	}
	select {
	case <-time.After(wait):
	case <-s.gone:
	}
}

func (s *server) flood(count, method, params string) {
	n, err := strconv.Atoi(count)
	if err != nil {
		panic(err)
	}
	for range n {
		s.send(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)
	}
}

// grandchild starts a process in this one's group that nobody waits for.
func grandchild() {
	cmd := exec.Command("sleep", "600")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

// literal reads a Go string literal.
func literal(text string) string {
	text, err := strconv.Unquote(text)
	if err != nil {
		panic(err)
	}
	return expand(text)
}

var variable = regexp.MustCompile(`\$(ENV|PAD)\{(\w+)\}`)

// expand puts in what does not depend on a message.
func expand(text string) string {
	return variable.ReplaceAllStringFunc(text, func(found string) string {
		of := variable.FindStringSubmatch(found)
		if of[1] == "ENV" {
			return os.Getenv(of[2])
		}
		n, err := strconv.Atoi(of[2])
		if err != nil {
			panic(err)
		}
		return strings.Repeat("x", n)
	})
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
	return strings.NewReplacer("$URI", p.TextDocument.URI, "$TEXT", string(quoted)).Replace(expand(text))
}

func (s *server) id() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextID++
	return s.nextID
}

// send ignores that the client is gone: the reading loop sees it too.
func (s *server) send(format string, args ...any) {
	body := fmt.Sprintf(format, args...)
	_ = s.write(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
}

func (s *server) write(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := io.WriteString(s.out, text)
	return err
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
	close(s.gone)
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
