package e2e_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// deadline bounds what would otherwise hang; no test waits for it.
const deadline = 90 * time.Second

// noRaceSleep keeps programs with the race detector from their second of sleep
// at exit.
const noRaceSleep = "GORACE=atexit_sleep_ms=0"

// setup is how mcpls is started for a test.
type setup struct {
	dir       string            // working directory, the root
	home      string            // HOME; a fresh directory when ""
	path      string            // PATH in front of the system's
	args      []string          // of mcpls
	env       map[string]string // more environment of mcpls
	onSay     func(string)      // gets the progress messages
	onUpdate  func(string)      // gets the URIs of resources that were updated
	onElicit  func(*mcp.ElicitParams) *mcp.ElicitResult
	urlElicit bool // the client opens pages
	rude      bool // the test ends the client with hangUp

	program string // mcpls; the one under test when ""
	attr    *syscall.SysProcAttr

	strays bool // a descendant in a session of its own stays behind
}

// client is one MCP client with one mcpls of its own.
type client struct {
	t       testing.TB
	session *mcp.ClientSession
	cmd     *exec.Cmd
	stdin   io.Closer // of a rude client
	mark    string    // a directory name in the environment of every descendant
	log     *syncBuffer

	progress bool // calls ask for it
	strays   bool
}

// start starts mcpls and connects to it. At the end of the test the client
// goes away, and mcpls must leave nothing behind.
func start(t testing.TB, s setup) *client {
	t.Helper()
	mark := t.TempDir()
	if s.home == "" {
		s.home = freshHome(t)
	}
	c := &client{t: t, mark: mark, strays: s.strays, log: &syncBuffer{}}
	c.cmd = exec.Command(cmp.Or(s.program, mcplsPath), append([]string{"--log-level", "info"}, s.args...)...)
	c.cmd.Dir, c.cmd.SysProcAttr = s.dir, s.attr
	c.cmd.Env = []string{
		"HOME=" + s.home, "TMPDIR=" + mark, noRaceSleep,
		"PATH=" + strings.TrimPrefix(s.path+":"+os.Getenv("PATH"), ":"),
	}
	for name, value := range s.env {
		c.cmd.Env = append(c.cmd.Env, name+"="+value)
	}
	c.cmd.Stderr = c.log
	opts := &mcp.ClientOptions{}
	if s.onSay != nil {
		c.progress = true
		opts.ProgressNotificationHandler = func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			s.onSay(r.Params.Message)
		}
	}
	if s.onUpdate != nil {
		opts.ResourceUpdatedHandler = func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { s.onUpdate(r.Params.URI) }
	}
	if s.onElicit != nil {
		opts.ElicitationHandler = func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return s.onElicit(r.Params), nil
		}
	}
	if s.urlElicit {
		opts.Capabilities = &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}}
	}
	if s.rude {
		c.startRude(opts)
		return c
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, opts).
		Connect(t.Context(), &mcp.CommandTransport{Command: c.cmd, TerminateDuration: deadline}, nil)
	if err != nil {
		t.Fatalf("connecting: %v\n%s", err, c.log)
	}
	c.session = session
	t.Cleanup(c.close)
	return c
}

// freshHome is a home without caches. Telemetry is off in it: else gopls leaves
// a helper in a session of its own for a moment, which mcpls does not find
// (docs/rough-edges.md).
func freshHome(t testing.TB) string {
	home := t.TempDir()
	dir := filepath.Join(home, ".config", "go", "telemetry")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "mode"), "off")
	return home
}

// startRude connects over pipes of its own, which hangUp can close.
func (c *client) startRude(opts *mcp.ClientOptions) {
	c.t.Helper()
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.stdin = stdin
	c.session, err = mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, opts).
		Connect(c.t.Context(), &mcp.IOTransport{Reader: stdout, Writer: stdin}, nil)
	if err != nil {
		c.t.Fatalf("connecting: %v\n%s", err, c.log)
	}
}

// hangUp closes mcpls's stdin whatever the client still waits for, and holds
// mcpls to its promise.
func (c *client) hangUp() {
	if err := c.stdin.Close(); err != nil {
		c.t.Error(err)
	}
	if err := c.cmd.Wait(); err != nil {
		c.t.Errorf("mcpls ended with %v", err)
	}
	c.checkNothingLeft()
}

// close ends the session and holds mcpls to its promise. It is called again at
// the end of the test, when it does nothing.
func (c *client) close() {
	if c.session == nil {
		return
	}
	err := c.session.Close()
	c.session = nil
	if err != nil {
		c.t.Errorf("mcpls ended with %v", err)
	}
	c.checkNothingLeft()
}

func (c *client) checkNothingLeft() {
	if left := descendants(c.t, c.mark); len(left) > 0 && !c.strays {
		c.t.Errorf("left running: %v", left)
	}
	if strings.Contains(c.log.String(), "DATA RACE") || c.t.Failed() {
		c.t.Logf("log of mcpls:\n%s", c.log)
	}
}

type args = map[string]any

// ask calls a tool and gives its text.
func (c *client) ask(tool string, a args) string {
	c.t.Helper()
	text, err := c.try(tool, a)
	if err != nil {
		c.t.Fatalf("%s %v: %v", tool, a, err)
	}
	return text
}

func (c *client) try(tool string, a args) (string, error) {
	ctx, cancel := context.WithTimeout(c.t.Context(), deadline)
	defer cancel()
	return c.tryContext(ctx, tool, a)
}

func (c *client) tryContext(ctx context.Context, tool string, a args) (string, error) {
	params := &mcp.CallToolParams{Name: tool, Arguments: a}
	if c.progress {
		params.SetProgressToken(tool)
	}
	found, err := c.session.CallTool(ctx, params)
	if err != nil {
		return "", err
	}
	if found.IsError || len(found.Content) != 1 {
		return "", fmt.Errorf("unexpected result %+v", found)
	}
	return found.Content[0].(*mcp.TextContent).Text, nil
}

// fails calls a tool that must fail with a code, and gives the error.
func (c *client) fails(tool string, a args, code int64) *jsonrpc.Error {
	c.t.Helper()
	text, err := c.try(tool, a)
	failed, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok || failed.Code != code {
		c.t.Fatalf("%s %v: got %q and error %v, want code %d", tool, a, text, err, code)
	}
	return failed
}

// retryable reports whether an error is an honest "not yet".
func retryable(err error) bool {
	failed, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok {
		return false
	}
	var data struct{ Retryable bool }
	return json.Unmarshal(failed.Data, &data) == nil && data.Retryable
}

// syncBuffer is a buffer that a process writes and a test reads.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// descendants lists the live processes that have the mark in their
// environment: mcpls and all that it or its servers started, reparented or
// not. A zombie is dead: this machine's init may not reap.
func descendants(t testing.TB, mark string) []string {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) == 0 {
		t.Fatal("/proc lists no process: what was left running cannot be told")
	}
	var found []string
	for _, entry := range entries {
		environ, err := os.ReadFile(entry)
		if err != nil || !bytes.Contains(environ, []byte(mark)) {
			continue // gone, or a zombie: its environment is empty
		}
		dir := filepath.Dir(entry)
		cmdline, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		found = append(found, filepath.Base(dir)+" "+strings.ReplaceAll(string(cmdline), "\x00", " "))
	}
	return found
}

// workspace copies a directory of testdata to a place of the test's own.
func workspace(t testing.TB, name string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	canonical, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return canonical
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
