package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpls/internal/lsptest"
)

// rawClient speaks to mcpls in lines of its own making.
type rawClient struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.Closer
	out    *bufio.Reader
	log    *syncBuffer
	mark   string
}

const (
	hello       = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n"
	helloed     = `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	askedWell   = `{"jsonrpc":"2.0","id":"well","method":"tools/call","params":{"name":"get_hover","arguments":{"file_path":"good.ok","line":1,"text":"alpha"}}}` + "\n"
	listedTools = `{"jsonrpc":"2.0","id":"list","method":"tools/list"}` + "\n"
)

// startRaw starts mcpls with the good server and without a client.
func startRaw(t *testing.T, release string) *rawClient {
	t.Helper()
	return startRawAs(t, release, goodScript)
}

// startRawAs has the server play another script.
func startRawAs(t *testing.T, release, play string) *rawClient {
	t.Helper()
	dir, mark := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "good.ok"), "alpha\n")
	script, config := filepath.Join(mark, "script"), filepath.Join(mark, "mcpls.toml")
	write(t, script, play)
	write(t, config, fmt.Sprintf(`builtin_servers = false
[[lsp_servers]]
language_id = "good"
command = %q
env = { GORACE = "atexit_sleep_ms=0", %s = %q }
[[workspace.language_extensions]]
extensions = ["ok"]
language_id = "good"
`, fakePath, lsptest.ScriptEnv, script))
	c := &rawClient{t: t, mark: mark, log: &syncBuffer{}, cmd: measured(filepath.Join(mark, "peak"), release, "--config", config)}
	c.cmd.Dir, c.cmd.Env, c.cmd.Stderr = dir, append(c.cmd.Env, "HOME="+mark, "TMPDIR="+mark, noRaceSleep), c.log
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(deadline, func() { c.cmd.Process.Kill() })
	t.Cleanup(func() { guard.Stop() })
	c.stdin, c.stdout, c.out = stdin, stdout, bufio.NewReaderSize(stdout, 1<<20)
	return c
}

// say writes to mcpls. That it is gone is seen elsewhere.
func (c *rawClient) say(text string) { _, _ = io.WriteString(c.stdin, text) }

// hear gives the next line of mcpls, "" when there is none.
func (c *rawClient) hear() string {
	line, _ := c.out.ReadString('\n')
	return strings.TrimSpace(line)
}

// hearOf gives what mcpls answers with an id.
func (c *rawClient) hearOf(id string) string {
	for {
		line := c.hear()
		var m struct {
			ID    any
			Error *struct {
				Code    int
				Message string
			}
			Result json.RawMessage
		}
		if line == "" {
			return "mcpls is gone: " + c.log.String()
		}
		if json.Unmarshal([]byte(line), &m) != nil || fmt.Sprint(m.ID) != id {
			continue
		}
		if m.Error != nil {
			return fmt.Sprintf("%d %s", m.Error.Code, m.Error.Message)
		}
		return string(m.Result)
	}
}

// greet is an orderly beginning.
func (c *rawClient) greet() {
	c.t.Helper()
	c.say(hello)
	if got := c.hearOf("hello"); !strings.Contains(got, `"mcpls"`) {
		c.t.Fatalf("initialize: %s", got)
	}
	c.say(helloed)
}

// checkWell holds that mcpls goes on.
func (c *rawClient) checkWell() {
	c.t.Helper()
	c.say(askedWell)
	if got := c.hearOf("well"); !strings.Contains(got, `well`) {
		c.t.Errorf("the next call: %s", got)
	}
}

// end closes stdin, and holds mcpls to its promise.
func (c *rawClient) end() (saw string, peak int) {
	c.t.Helper()
	c.stdin.Close()
	_, _ = io.Copy(io.Discard, c.out)
	return c.wait()
}

// wait waits for the end of mcpls and reads nothing of what it says.
func (c *rawClient) wait() (saw string, peak int) {
	c.t.Helper()
	_ = c.cmd.Wait() // the exit code tells
	if left := descendants(c.t, c.mark); len(left) > 0 {
		c.t.Errorf("left running: %v", left)
	}
	return fmt.Sprintf("mcpls ended with %d, nothing left", c.cmd.ProcessState.ExitCode()), peakIn(c.t, filepath.Join(c.mark, "peak"))
}

// clientFaults are clients that misbehave, each with a mcpls of its own.
func clientFaults(release string) []fault {
	// answeredTo has a line answered, and then goes on.
	answeredTo := func(id, line string) func(*testing.T) (string, int) {
		return func(t *testing.T) (string, int) {
			c := startRaw(t, release)
			c.greet()
			c.say(line + "\n")
			saw := c.hearOf(id)
			c.checkWell()
			_, peak := c.end()
			return saw, peak
		}
	}
	ended := func(text string) func(*testing.T) (string, int) {
		return func(t *testing.T) (string, int) {
			c := startRaw(t, release)
			c.say(text)
			return c.end()
		}
	}
	return []fault{
		{name: "sends garbage", play: answeredTo("<nil>", "hello?"), want: "-32700 not JSON: a message is one line of JSON in UTF-8"},
		{name: "sends garbage before initialize", play: garbageFirst(release), want: `{"error":{"code":-32700,"message":"not JSON: a message is one line of JSON in UTF-8"},"id":null,"jsonrpc":"2.0"}`},
		{name: "sends half a line of JSON", play: answeredTo("<nil>", `{"jsonrpc":"2.0","id":1,`), want: "-32700 not JSON: a message is one line of JSON in UTF-8"},
		{name: "sends invalid UTF-8", play: answeredTo("<nil>", "\"\xff\""), want: "-32700 not JSON: a message is one line of JSON in UTF-8"},
		{name: "sends JSON that is no message", play: answeredTo("<nil>", `{"hello": 1}`), want: `-32600 no JSON-RPC 2.0 message: one has "jsonrpc": "2.0" and a method, an id or both`},
		{name: "sends a number", play: answeredTo("<nil>", `7`), want: `-32600 no JSON-RPC 2.0 message: one has "jsonrpc": "2.0" and a method, an id or both`},
		{name: "sends a batch", play: answeredTo("<nil>", `[`+strings.TrimSpace(listedTools)+`]`), want: "-32600 a batch: send one message a line"},
		{name: "sends a line of 100 MB", play: answeredTo("<nil>", strings.Repeat("x", 100_000_000)), want: "-32700 the message is longer than 16777216 bytes"},
		{name: "asks for an unknown method", play: answeredTo("1", `{"jsonrpc":"2.0","id":1,"method":"made/up"}`), want: `-32601 method not found: "made/up"`},
		{name: "answers what nobody asked", play: answeredTo("list", `{"jsonrpc":"2.0","id":99,"result":{}}`+"\n"+strings.TrimSpace(listedTools)), want: `{"ttlMs":0,`},
		{name: "asks twice with one id", play: answeredTo("list", listedTools+strings.TrimSpace(listedTools)), want: `{"ttlMs":0,`},
		{name: "asks before initialize", play: tooEarly(release), want: `0 method "tools/list" is invalid during session initialization`},
		{name: "closes at once", play: ended(""), want: "mcpls ended with 0, nothing left"},
		{name: "closes in the middle of initialize", play: ended(hello[:60]), want: "mcpls ended with 0, nothing left"},
		{name: "goes away during initialize", play: ended(hello), want: "mcpls ended with 0, nothing left"},
		{name: "closes in the middle of a message", play: ended(hello + helloed + askedWell[:40]), want: "mcpls ended with 0, nothing left"},
		{name: "closes in the middle of a call", play: ended(hello + helloed + askedWell), want: "mcpls ended with 0, nothing left"},
		{name: "cancels", play: cancels(release), want: "context canceled"},
		{name: "cancels what nobody asked", play: answeredTo("list", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`+"\n"+strings.TrimSpace(listedTools)), want: `{"ttlMs":0,`},
		{name: "calls 200 tools at once", play: crowd(release), want: "map[answered:200]"},
		{name: "reads slowly", play: slowReader(release), want: "1001 answers"},
		{name: "reads nothing", play: noReader(release), want: "mcpls ended with 0, nothing left"},
		{name: "closes its stdout only", play: closedReader(release), want: "mcpls ended with 0, nothing left"},
	}
}

func garbageFirst(release string) func(*testing.T) (string, int) {
	return func(t *testing.T) (string, int) {
		c := startRaw(t, release)
		c.say("hello?\n")
		saw := c.hear()
		c.greet()
		c.checkWell()
		_, peak := c.end()
		return saw, peak
	}
}

func tooEarly(release string) func(*testing.T) (string, int) {
	return func(t *testing.T) (string, int) {
		c := startRaw(t, release)
		c.say(listedTools)
		saw := c.hearOf("list")
		c.greet()
		c.checkWell()
		_, peak := c.end()
		return saw, peak
	}
}

// cancels calls a server that does not answer, and takes it back.
func cancels(release string) func(*testing.T) (string, int) {
	return func(t *testing.T) (string, int) {
		c := startScene(t, release, fakePath, capable+"on textDocument/hover\nuntil $/cancelRequest\nfail -32800 cancelled", "", setup{})
		ctx, cancel := context.WithCancel(t.Context())
		asked := c.asked("textDocument/hover")
		saw := make(chan string, 1)
		go func() { saw <- outcome(c.tryContext(ctx, "get_hover", atAlpha)) }()
		<-asked
		cancel()
		<-c.asked("$/cancelRequest")
		c.checkWell()
		return <-saw, peakOf(t, c.cmd.Process.Pid)
	}
}

// crowd calls 200 tools at once.
func crowd(release string) func(*testing.T) (string, int) {
	return func(t *testing.T) (string, int) {
		c := startScene(t, release, fakePath, capable+"on textDocument/hover\nreply {\"contents\": \"answered\"}", "", setup{})
		var all sync.WaitGroup
		var mu sync.Mutex
		saw := map[string]int{}
		for i := range 200 {
			all.Go(func() {
				tool := []string{"get_hover", "get_references", "get_tool_support", "get_server_logs"}[i%4]
				a := atAlpha
				if i%4 > 1 {
					a = nil
				}
				_, err := c.try(tool, a)
				mu.Lock()
				defer mu.Unlock()
				saw[outcome("answered", err)]++
			})
		}
		all.Wait()
		c.checkWell()
		return fmt.Sprint(saw), peakOf(t, c.cmd.Process.Pid)
	}
}

// slowReader asks a thousand times and reads only then, a byte at a time.
func slowReader(release string) func(*testing.T) (string, int) {
	return func(t *testing.T) (string, int) {
		c := startRaw(t, release)
		c.greet()
		go func() {
			for i := range 1000 {
				c.say(strings.Replace(listedTools, `"list"`, strconv.Itoa(i), 1))
			}
			c.say(askedWell)
		}()
		var line []byte
		for answers := 0; ; {
			b, err := c.out.ReadByte()
			if err != nil {
				t.Fatalf("mcpls is gone: %s", c.log)
			}
			if line = append(line, b); b != '\n' {
				continue
			}
			if answers++; answers == 1001 || bytes.Contains(line, []byte(`"well"`)) && answers > 1000 {
				_, peak := c.end()
				return fmt.Sprintf("%d answers", answers), peak
			}
			line = line[:0]
		}
	}
}

// noReader asks, never reads, and goes away.
func noReader(release string) func(*testing.T) (string, int) {
	return func(t *testing.T) (string, int) {
		c := startRaw(t, release)
		c.greet()
		for range 100 {
			c.say(listedTools) // each answer is longer than a pipe takes
		}
		c.stdin.Close()
		return c.wait()
	}
}

// closedReader goes on asking when nobody reads the answers.
func closedReader(release string) func(*testing.T) (string, int) {
	return func(t *testing.T) (string, int) {
		c := startRaw(t, release)
		c.greet()
		c.stdout.Close()
		for range 100 {
			c.say(listedTools)
		}
		c.stdin.Close()
		return c.wait()
	}
}
