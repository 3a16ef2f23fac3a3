package browser_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for Chromium before it fails.
const patience = 60 * time.Second

// chromium is a running browser. It is driven over two pipes with the DevTools
// protocol: JSON messages that end with a NUL.
type chromium struct {
	cmd  *exec.Cmd
	dir  string
	in   *os.File // to the browser
	log  bytes.Buffer
	done chan struct{} // closed when the browser says no more

	mu      sync.Mutex
	next    int
	waiting map[int]chan message
	events  map[string]func(message) // by session
}

type message struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// one is the browser of all tests; each has a profile of its own in it.
var one struct {
	sync.Once
	*chromium
	err error
}

// needChromium gives the browser. Without one the test is skipped; it fails when
// MCPLS_REQUIRE names chromium.
func needChromium(t *testing.T) *chromium {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil && slices.Contains(strings.Split(os.Getenv("MCPLS_REQUIRE"), ","), "chromium") {
		t.Fatal("chromium is required and not installed")
	}
	if err != nil {
		t.Skip("chromium is not installed")
	}
	one.Do(func() { one.chromium, one.err = startChromium(program) })
	if one.err != nil {
		t.Fatal(one.err)
	}
	return one.chromium
}

func startChromium(program string) (*chromium, error) {
	dir, err := os.MkdirTemp("", "mcpls-chromium")
	if err != nil {
		return nil, err
	}
	commands, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, replies, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	args := []string{
		"--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + dir, "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
		"--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-extensions", "--disable-sync",
		"--password-store=basic", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
	}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium refuses to run as root with it
	}
	c := &chromium{dir: dir, in: in, done: make(chan struct{}), waiting: map[int]chan message{}, events: map[string]func(message){}}
	c.cmd = exec.Command(program, args...)
	c.cmd.Env = append(os.Environ(), "HOME="+dir)
	c.cmd.ExtraFiles = []*os.File{commands, replies} // 3 and 4
	c.cmd.Stdout, c.cmd.Stderr = &c.log, &c.log
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	commands.Close()
	replies.Close()
	go c.read(out)
	return c, nil
}

func (c *chromium) read(out *os.File) {
	defer close(c.done)
	defer out.Close()
	for r := bufio.NewReader(out); ; {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		c.mu.Lock()
		reply, event := c.waiting[m.ID], c.events[m.SessionID]
		delete(c.waiting, m.ID)
		c.mu.Unlock()
		switch {
		case m.ID != 0 && reply != nil:
			reply <- m
		case m.ID == 0 && event != nil:
			event(m)
		}
	}
}

// call sends a command and gives its result.
func (c *chromium) call(ctx context.Context, session, method string, params any) (json.RawMessage, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	reply := make(chan message, 1)
	c.mu.Lock()
	c.next++
	m := message{ID: c.next, SessionID: session, Method: method, Params: raw}
	c.waiting[m.ID] = reply
	text, err := json.Marshal(m)
	if err == nil {
		_, err = c.in.Write(append(text, 0))
	}
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case m := <-reply:
		if m.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		return m.Result, nil
	case <-c.done:
		return nil, fmt.Errorf("%s: chromium has ended", method)
	case <-ctx.Done():
		return nil, fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// close ends the browser. What it printed is read only after its end.
func (c *chromium) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, _ = c.call(ctx, "", "Browser.close", struct{}{})
	select {
	case <-c.done:
	case <-ctx.Done():
		_ = c.cmd.Process.Kill()
	}
	if err := c.cmd.Wait(); err != nil {
		fmt.Fprintf(os.Stderr, "chromium: %v\n%s", err, c.log.String())
	}
	_ = c.in.Close()
	_ = os.RemoveAll(c.dir)
}

// tab is one page of the browser.
type tab struct {
	t       *testing.T
	c       *chromium
	session string

	mu       sync.Mutex
	requests []string // every one that the page made
	errors   []string // what the page threw or logged as an error
	dialogs  int
}

// profile is a context of the browser without cookies and storage. It ends with
// the browser: Chromium may wait for long before it gives up one whose page could
// not be loaded.
func (c *chromium) profile(t *testing.T) string {
	t.Helper()
	var made struct{ BrowserContextID string }
	c.must(t, "", "Target.createBrowserContext", map[string]any{}, &made)
	return made.BrowserContextID
}

func (c *chromium) must(t *testing.T, session, method string, params, result any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
	defer cancel()
	raw, err := c.call(ctx, session, method, params)
	if err == nil && result != nil {
		err = json.Unmarshal(raw, result)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (c *chromium) tab(t *testing.T, profile string) *tab {
	t.Helper()
	var target struct{ TargetID string }
	c.must(t, "", "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": profile}, &target)
	var attached struct{ SessionID string }
	c.must(t, "", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	p := &tab{t: t, c: c, session: attached.SessionID}
	c.mu.Lock()
	c.events[p.session] = p.event
	c.mu.Unlock()
	t.Cleanup(func() { c.must(t, "", "Target.closeTarget", map[string]any{"targetId": target.TargetID}, nil) })
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		p.do(domain+".enable", map[string]any{}, nil)
	}
	return p
}

func (p *tab) event(m message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch m.Method {
	case "Network.requestWillBeSent":
		var e struct {
			Request struct{ Method, URL string }
		}
		if json.Unmarshal(m.Params, &e) == nil {
			p.requests = append(p.requests, e.Request.Method+" "+e.Request.URL)
		}
	case "Runtime.exceptionThrown":
		p.errors = append(p.errors, string(m.Params))
	case "Log.entryAdded":
		var e struct {
			Entry struct{ Level, Text, URL string }
		}
		if json.Unmarshal(m.Params, &e) == nil && e.Entry.Level == "error" {
			p.errors = append(p.errors, e.Entry.Text+" "+e.Entry.URL)
		}
	case "Page.javascriptDialogOpening":
		p.dialogs++
	}
}

func (p *tab) do(method string, params, result any) {
	p.t.Helper()
	p.c.must(p.t, p.session, method, params, result)
}

// seen gives what was recorded of the page.
func (p *tab) seen() (requests, errors []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests), slices.Clone(p.errors)
}

func (p *tab) open(url string) {
	p.t.Helper()
	p.do("Page.bringToFront", map[string]any{}, nil)
	p.do("Page.navigate", map[string]any{"url": url}, nil)
}

// eval gives the value of an expression, or of the promise that it is.
func (p *tab) eval(expression string, result any) error {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	raw, err := p.c.call(ctx, p.session, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true})
	if err != nil {
		return err
	}
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		return fmt.Errorf("%s: %s", expression, r.ExceptionDetails)
	}
	if result == nil || r.Result.Value == nil {
		return nil
	}
	return json.Unmarshal(r.Result.Value, result)
}

// get gives the value of an expression.
func get[T any](p *tab, expression string) T {
	p.t.Helper()
	var value T
	if err := p.eval(expression, &value); err != nil {
		p.t.Fatal(err)
	}
	return value
}

// wait waits until an expression is true. A page that is left meanwhile is asked
// again.
func (p *tab) wait(expression string) {
	p.t.Helper()
	until := "new Promise((yes) => { const look = () => { let is = false; try { is = " + expression +
		" } catch {} is ? yes(true) : setTimeout(look, 10) }; look() })"
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if err = p.eval(until, nil); err == nil {
			return
		}
	}
	p.t.Fatalf("%s: %v; the page has the focus on %q, is scrolled by %q and says %q", expression, err,
		get[string](p, "document.activeElement.id"), get[string](p, "`${scrollY} to ${scrollY + innerHeight} of ${document.documentElement.scrollHeight}, ${document.hasFocus()} ${document.visibilityState}`"), get[string](p, "document.body.innerText"))
}

// waitText waits until the page shows a text.
func (p *tab) waitText(text string) {
	p.t.Helper()
	quoted, _ := json.Marshal(text)
	p.wait("document.body.innerText.includes(" + string(quoted) + ")")
}

// keys are what the tests press, with their codes.
var keys = map[string]struct {
	code int
	text string
}{"Enter": {13, "\r"}, "Escape": {27, ""}, "Tab": {9, ""}, "End": {35, ""}, "Home": {36, ""}, " ": {32, " "}}

// press presses keys, one after the other, when what was drawn last is on screen,
// as a person would: a key that scrolls moves what is on screen.
func (p *tab) press(names ...string) {
	p.t.Helper()
	get[any](p, "new Promise((yes) => requestAnimationFrame(() => requestAnimationFrame(() => yes())))")
	for _, name := range names {
		k := keys[name]
		code := name
		if name == " " {
			code = "Space"
		}
		event := map[string]any{"type": "keyDown", "key": name, "code": code, "windowsVirtualKeyCode": k.code, "text": k.text}
		if k.text == "" {
			event["type"] = "rawKeyDown"
			delete(event, "text")
		}
		p.do("Input.dispatchKeyEvent", event, nil)
		p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": name, "code": code, "windowsVirtualKeyCode": k.code}, nil)
	}
}

// write types a text where the focus is.
func (p *tab) write(text string) {
	p.t.Helper()
	for _, r := range text {
		p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": string(r), "text": string(r)}, nil)
		p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": string(r)}, nil)
	}
}

// click clicks on the element with an id, where a person would.
func (p *tab) click(id string) {
	p.t.Helper()
	at := get[[]float64](p, `(() => { const e = document.getElementById("`+id+`"); e.scrollIntoView({block: "center"});
		const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`)
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		p.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}, nil)
	}
}

// look sets the size of the page and the colour scheme.
func (p *tab) look(width, height int, scheme string) {
	p.t.Helper()
	p.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	p.do("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// picture takes a screenshot of the window.
func (p *tab) picture(file string) {
	p.t.Helper()
	var shot struct{ Data string }
	p.do("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}
