// Package browser_test uses the consent page as a person would, in a real Chromium.
//
// Screenshots of the page are written to the directory that MCPLS_SCREENSHOTS
// names.
package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpls/internal/launch"
	"mcpls/internal/trust"
	"mcpls/internal/trust/web"
)

func TestMain(m *testing.M) {
	status := m.Run()
	if one.chromium != nil {
		one.close()
	}
	os.Exit(status)
}

// desk is what a test decides about, with the page that shows it.
type desk struct {
	*tab
	profile string
	link    string
	stop    func()
	result  chan error

	mu    sync.Mutex
	plans []launch.Plan
	kept  map[string]string // verdict and surface, by id
}

// changes tells of an id what has changed.
var changes = map[string][]string{
	"linter": {
		`argument 1 was "./tools/lint.mjs" and is "--require=./tools/patch.js"`,
		`the variable "NODE_OPTIONS" is new`,
		`the content of the argument "/home/ada/shop/tools/lint.mjs" has changed`,
	},
}

func newDesk(t *testing.T, opts web.Options, plans ...launch.Plan) *desk {
	t.Helper()
	c := needChromium(t)
	d := &desk{plans: plans, kept: map[string]string{}, result: make(chan error, 1)}
	d.profile = c.profile(t)
	d.tab = c.tab(t, d.profile)
	var ctx context.Context
	ctx, d.stop = context.WithCancel(t.Context())
	link := make(chan string, 1)
	opts.Open = func(url string) { link <- url }
	go func() { d.result <- web.Serve(ctx, d.review(), opts) }()
	d.link = <-link
	t.Cleanup(func() {
		d.stop()
		<-d.result
	})
	return d
}

func (d *desk) review() *trust.Review {
	return &trust.Review{
		Plans: func() []launch.Plan {
			d.mu.Lock()
			defer d.mu.Unlock()
			return slices.Clone(d.plans)
		},
		Standing: func(plan launch.Plan) (trust.Standing, error) {
			d.mu.Lock()
			defer d.mu.Unlock()
			switch {
			case strings.HasPrefix(d.kept[plan.ID], "allow"):
				return trust.Standing{State: trust.Allowed}, nil
			case d.kept[plan.ID] != "":
				return trust.Standing{State: trust.Denied}, nil
			case changes[plan.ID] != nil:
				return trust.Standing{State: trust.Changed, Changes: changes[plan.ID]}, nil
			}
			return trust.Standing{State: trust.Unknown}, nil
		},
		Keep: func(plan launch.Plan, verdict trust.Verdict, surface string, _ time.Time) error {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.kept[plan.ID] = string(verdict) + " " + surface
			return nil
		},
	}
}

// decided holds what was decided of an id; "" for nothing.
func (d *desk) decided(id, want string) {
	d.t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.kept[id] != want {
		d.t.Errorf("%s: %q was decided, want %q", id, d.kept[id], want)
	}
}

func (d *desk) change(change func(*launch.Plan)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.plans[0] = d.plans[0].Clone()
	change(&d.plans[0])
}

// ends waits for the end of the page, which must be a good one.
func (d *desk) ends() {
	d.t.Helper()
	err := <-d.result
	d.result <- err
	if err != nil {
		d.t.Error(err)
	}
}

// plain is an ordinary declaration.
func plain(id string) launch.Plan {
	const digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	return launch.Plan{
		ID: id, Kind: launch.LSP, Origin: launch.Project, DeclaredIn: "/home/ada/shop/mcpls.toml", Root: "/home/ada/shop", RootIdentity: "66306:1183",
		Argv: []string{"/usr/bin/node", "./tools/lint.mjs", "--stdio"}, Dir: "/home/ada/shop",
		Declared: launch.Declared{
			Command: "node", Args: []string{"./tools/lint.mjs", "--stdio"}, Env: map[string]string{"LINT_LEVEL": "strict"},
			InitOptions: map[string]any{"format": map[string]any{"command": "prettier", "tabs": false}},
		},
		Files: []launch.File{
			{Role: "program", Path: "/usr/bin/node", Owner: "root", Mode: "-rwxr-xr-x"},
			{Role: "argument", Path: "/home/ada/shop/tools/lint.mjs", Digest: digest},
		},
	}
}

// changed is a declaration that somebody had allowed in another form.
func changed() launch.Plan {
	p := plain("linter")
	p.Argv = []string{"/usr/bin/node", "--require=./tools/patch.js", "./tools/lint.mjs", "--stdio"}
	p.Declared.Args = p.Argv[1:]
	p.Declared.Env = map[string]string{"NODE_OPTIONS": "--require ./tools/patch.js", "LINT_LEVEL": "strict"}
	return p
}

// hostile is a declaration that wants to be taken for something else.
func hostile() launch.Plan {
	p := plain("safe\u202e\u3164\nFingerprint\n    sha256:0000")
	p.Argv = []string{
		"/usr/bin/node", "\x1b[2J\x1b[1;31mAllow\x07", "\u202egnp.exe\u2066\u2800\u3164", strings.Repeat("A", 10_000),
		`<img src=x onerror="alert(1)"><script>alert(2)</script>`, `</code><h1>mcpls: already allowed</h1>`, "\"\nServer id\n    \"gopls", "   ", "go" + strings.Repeat(" ", 1000) + "; evil", "p\u0430ypal", `{{7*7}} &lt;b&gt; \u003cb>`,
	}
	p.Declared.Args = p.Argv[1:]
	p.Declared.Env = map[string]string{"LD_PRELOAD": "./x.so", "Fingerprint": "sha256:0000", "\u2028To allow it, type the code": "aaaaaa"}
	return p
}

// code scrolls to the end of the card and gives its code, once the page has it.
func (d *desk) code() string {
	d.t.Helper()
	d.wait(`!document.getElementById("card").hidden && (scrollTo(0, document.body.scrollHeight), document.getElementById("code").textContent.length === 6)`)
	return get[string](d.tab, `document.getElementById("code").textContent`)
}

// shoot takes a picture of the window, if any are wanted.
func (d *desk) shoot(name string) {
	d.t.Helper()
	if dir := os.Getenv("MCPLS_SCREENSHOTS"); dir != "" {
		d.picture(filepath.Join(dir, name+".png"))
	}
}

// quiet holds that the page asked nobody but its own server, and had no error.
func (d *desk) quiet() {
	d.t.Helper()
	base, _, _ := strings.Cut(d.link, "#")
	requests, errors := d.seen()
	for _, r := range requests {
		method, to, _ := strings.Cut(r, " ")
		if !strings.HasPrefix(to, base) || method == "GET" && !slices.Contains([]string{"", "page.css", "page.js", "favicon.ico"}, strings.TrimPrefix(to, base)) {
			d.t.Errorf("a request to %s", r)
		}
	}
	if len(requests) < 4 {
		d.t.Errorf("only %q were recorded", requests)
	}
	if len(errors) != 0 || d.dialogs != 0 {
		d.t.Errorf("%d dialogs, errors %q", d.dialogs, errors)
	}
}

const wrong = "zzzzzz"

// TestAllow allows one case and leaves nothing behind in the browser.
func TestAllow(t *testing.T) {
	d := newDesk(t, web.Options{Expires: 24 * time.Hour}, plain("linter-two"))
	d.open(d.link)
	d.wait(`!location.href.includes("#") && history.length <= 2`)
	code := d.code()
	d.waitText("for 24h0m0s.")
	if !get[bool](d.tab, `document.getElementById("allow").disabled`) {
		t.Error("the button is live without a code")
	}
	d.write(code[:5])
	if !get[bool](d.tab, `document.getElementById("allow").disabled`) {
		t.Error("the button is live with a part of the code")
	}
	d.write(code[5:])
	d.click("allow")
	d.waitText("You can close this window.")
	d.waitText("allowed")
	d.waitText(`"linter-two"`)
	d.decided("linter-two", "allow page")
	if left := get[[]any](d.tab, `[localStorage.length, sessionStorage.length, document.cookie, location.href.split("/").pop(), !navigator.serviceWorker.controller]`); fmt.Sprint(left) != "[0 0   true]" {
		t.Errorf("left behind: %v", left)
	}
	d.ends()
	d.quiet()
}

func TestDenyAndLeave(t *testing.T) {
	d := newDesk(t, web.Options{}, plain("a"), plain("b"), plain("c"))
	d.open(d.link)
	d.waitText("3 servers wait")
	d.click("deny")
	d.waitText("2 servers wait")
	d.click("leave")
	d.waitText("one server waits")
	d.click("leave-top")
	d.waitText("You can close this window.")
	d.decided("a", "deny page")
	d.decided("b", "")
	d.decided("c", "")
	if got := get[[]string](d.tab, `[...document.querySelectorAll("#done > div")].map((e) => e.textContent)`); !slices.Equal(got, []string{`denied"a"`, `left blocked"b"`, `left blocked"c"`}) {
		t.Errorf("%q", got)
	}
	d.ends()
	d.quiet()
}

// TestHaste decides about a card just before its end is seen: the code that is not
// wanted any more is not asked for, and the next card is drawn once.
func TestHaste(t *testing.T) {
	d := newDesk(t, web.Options{}, plain("a"), plain("b"))
	d.look(600, 400, "light")
	d.open(d.link)
	d.waitText("2 servers wait")
	get[any](d.tab, `{ const first = shown; decide("deny"); decide("deny"); ask("seen", {}, first).then(show) }`)
	d.waitText("one server waits")
	get[any](d.tab, `{ decide("allow", "zzzzzz"); decide("allow", "zzzzzz"); last }`) // Enter that is held
	d.waitText("Look at the whole card first.")
	requests, _ := d.seen()
	if n := strings.Count(strings.Join(requests, "\n")+"\n", "/api/decide\n"); n != 2 {
		t.Errorf("%d decisions were sent: %q", n, requests)
	}
	if slices.ContainsFunc(requests, func(r string) bool { return strings.HasSuffix(r, "/api/seen") }) {
		t.Errorf("asked %q", requests)
	}
	d.decided("a", "deny page")
	d.decided("b", "")
	d.quiet()
}

// TestKeyboard allows the first case, denies the second and leaves the third, and
// never touches the mouse.
func TestKeyboard(t *testing.T) {
	d := newDesk(t, web.Options{}, plain("a"), plain("b"), plain("c"))
	d.look(600, 400, "light")
	d.open(d.link)
	d.wait(`document.activeElement.id === "title"`)
	d.press("End")
	d.wait(`document.activeElement.id === "typed" && document.getElementById("code").textContent.length === 6`)
	d.write(strings.ToUpper(d.code())) // as a telephone begins a word
	d.press("Enter")
	d.waitText("2 servers wait")
	d.decided("a", "allow page")
	d.wait(`document.activeElement.id === "title" && scrollY === 0`)
	order := []string{"typed", "deny", "leave"}
	for i, id := range order {
		if i == 0 {
			d.press("End")
			d.wait(`document.activeElement.id === "typed"`)
			continue
		}
		d.press("Tab")
		d.wait(`document.activeElement.id === "` + id + `"`)
		if get[string](d.tab, `getComputedStyle(document.activeElement).outline.replace(/rgb.*\) /, "")`) != "solid 3px" {
			t.Errorf("the focus of %s is not to be seen", id)
		}
		if id == "deny" {
			break
		}
	}
	d.press(" ")
	d.waitText("one server waits")
	d.decided("b", "deny page")
	d.press("Escape")
	d.waitText("You can close this window.")
	d.decided("c", "")
	d.ends()
	d.quiet()
}

// TestEnter holds that Enter alone allows nothing, wherever it is pressed.
func TestEnter(t *testing.T) {
	d := newDesk(t, web.Options{}, plain("a"))
	d.open(d.link)
	d.wait(`document.activeElement.id === "title"`)
	d.press("Enter", "Enter")
	d.code()
	d.wait(`document.activeElement.id === "typed"`)
	d.press("Enter", "Enter", "Enter")
	d.waitText("Nothing was allowed: type the whole code first.")
	d.write("abc")
	d.press("Enter", "Enter")
	requests, _ := d.seen()
	if slices.ContainsFunc(requests, func(r string) bool { return strings.HasSuffix(r, "/api/decide") }) {
		t.Errorf("something was decided: %q", requests)
	}
	d.decided("a", "")
	d.quiet()
}

// TestEndFirst holds that the code is not even in the browser before the end of
// the card was on screen.
func TestEndFirst(t *testing.T) {
	d := newDesk(t, web.Options{}, hostile())
	d.look(800, 500, "light")
	d.open(d.link)
	d.wait(`document.activeElement.id === "title"`)
	d.press(" ", " ")
	d.wait(`scrollY > 300`)
	state := get[[]any](d.tab, `[document.getElementById("code").textContent, document.getElementById("typed").disabled, document.getElementById("allow").disabled, scrollY + innerHeight < document.getElementById("end").offsetTop]`)
	requests, _ := d.seen()
	if fmt.Sprint(state) != "[ true true true]" || slices.ContainsFunc(requests, func(r string) bool { return strings.HasSuffix(r, "/api/seen") }) {
		t.Errorf("before the end: %v, %q", state, requests)
	}
	d.press("End")
	d.wait(`document.getElementById("code").textContent.length === 6 && !document.getElementById("typed").disabled`)
	d.quiet()
}

func TestWrongCodes(t *testing.T) {
	d := newDesk(t, web.Options{}, plain("a"))
	d.look(600, 400, "light")
	d.open(d.link)
	first := d.code()
	for range 2 {
		d.wait(`document.activeElement.id === "typed"`)
		d.write(wrong[:1]) // over the code before, which is selected
		d.wait(`document.getElementById("typed").value.length === 1 && document.getElementById("notice").textContent === ""`)
		d.write(wrong[1:])
		d.press("Enter")
		d.waitText("That is not the code of this card. Nothing was allowed.")
		d.shoot("wrong")
	}
	d.write(wrong)
	d.press("Enter")
	d.waitText("Three wrong codes: the card has a new one.")
	d.wait(`scrollY === 0`)
	d.shoot("too-often")
	if get[string](d.tab, `document.getElementById("code").textContent`) != "" {
		t.Error("the new code is there before the card was looked at")
	}
	d.decided("a", "")
	second := d.code()
	if second == first {
		t.Error("the code is the same")
	}
	d.write(second)
	d.press("Enter")
	d.waitText("You can close this window.")
	d.decided("a", "allow page")
	d.quiet()
}

// TestChanged holds that a changed entry shows the difference first, and that a
// yes to what has changed since it was drawn draws the card again.
func TestChanged(t *testing.T) {
	d := newDesk(t, web.Options{}, changed())
	d.open(d.link)
	d.waitText("CHANGED")
	first := get[[]string](d.tab, `[document.querySelector("#parts dt").textContent, document.querySelector("#parts div").className, document.querySelector("#parts dd").innerText]`)
	if !slices.Equal(first, []string{"What changed", "difference", changes["linter"][0]}) {
		t.Errorf("first is %q", first)
	}
	code := d.code()
	d.change(func(p *launch.Plan) { p.Declared.Command = "evil" })
	d.write(code)
	d.press("Enter")
	d.waitText("What would run has changed since you were shown it. Nothing was decided.")
	d.waitText(`"evil"`)
	d.decided("linter", "")
	code = d.code()
	d.wait(`document.activeElement.id === "typed"`)
	d.write(code)
	d.press("Enter")
	d.waitText("You can close this window.")
	d.decided("linter", "allow page")
	d.quiet()
}

// TestHostile holds that a card is text: all of it, in lines that are ours.
func TestHostile(t *testing.T) {
	d := newDesk(t, web.Options{}, hostile())
	d.look(360, 640, "light")
	d.open(d.link)
	d.code()
	cases, err := d.review().Cases()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, s := range cases[0].Card.Sections {
		want = append(want, s.Label)
		for _, l := range s.Lines {
			want = append(append(want, l.Text), l.Marks...)
		}
	}
	want = append(want, "Fingerprint", cases[0].Card.Fingerprint)
	got := get[[]string](d.tab, `[...document.querySelectorAll("#parts dt, #parts code, #parts p")].map((e) => e.textContent)`)
	if !slices.Equal(got, want) {
		t.Errorf("the card reads\n%q\nwant\n%q", got, want)
	}
	names := get[string](d.tab, `[...new Set([...document.querySelectorAll("#parts *")].map((e) => e.localName))].sort().join(" ")`)
	if names != "code dd div dt p" {
		t.Errorf("the card has the elements %s", names)
	}
	blanks := get[[]float64](d.tab, `(() => { const e = [...document.querySelectorAll("#parts code")].find((e) => e.textContent.includes("; evil"));
		return [e.clientHeight / parseFloat(getComputedStyle(e).lineHeight), e.clientWidth] })()`)
	if blanks[0] < 1000/(blanks[1]/5) { // a letter is wider than 5 pixels
		t.Errorf("1,000 blanks take %v lines", blanks[0])
	}
	if strange := get[[]string](d.tab, `document.body.innerText.match(/[^\n\t\x20-\x7e]/g) ?? []`); len(strange) != 0 {
		t.Errorf("the page shows %q", strange)
	}
	d.quiet()
}

// layout finds what is drawn badly: a text outside the window or its box, or one
// that does not stand out from its ground.
const layout = `(() => {
	const found = [];
	if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window: " + document.documentElement.scrollWidth);
	const parse = (c) => c.match(/[\d.]+/g).map(Number);
	const light = (c) => c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c[3] !== 0) return c; } return [255, 255, 255]; };
	for (const e of document.querySelectorAll("body *")) {
		const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
		if (!own || !e.checkVisibility() || e.closest(":disabled")) continue;
		const box = e.getBoundingClientRect(), style = getComputedStyle(e);
		if (box.right > innerWidth || box.left < 0) found.push("outside: " + e.textContent.slice(0, 30));
		if (style.display !== "inline" && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)) found.push("cut: " + e.textContent.slice(0, 30));
		const [a, b] = [light(parse(style.color)), light(ground(e))].sort((x, y) => y - x);
		if ((a + 0.05) / (b + 0.05) < 4.5) found.push("contrast " + ((a + 0.05) / (b + 0.05)).toFixed(2) + ": " + e.textContent.slice(0, 30));
	}
	for (const e of document.querySelectorAll("button, input")) if (e.checkVisibility() && !e.labels?.length && !e.textContent.trim()) found.push("without a label: " + e.id);
	return found;
})()`

// TestLayout looks at each card in both schemes and three widths.
func TestLayout(t *testing.T) {
	for name, plan := range map[string]launch.Plan{"normal": plain("typescript-lint"), "changed": changed(), "hostile": hostile()} {
		d := newDesk(t, web.Options{}, plan, plain("other"))
		d.look(1280, 800, "light")
		d.open(d.link)
		d.code()
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int{1280, 390, 360} {
				d.look(width, 800, scheme)
				d.wait(fmt.Sprintf("innerWidth === %d && matchMedia('(prefers-color-scheme: %s)').matches", width, scheme))
				if found := get[[]string](d.tab, layout); len(found) != 0 {
					t.Errorf("%s, %s, %d wide: %q", name, scheme, width, found)
				}
				for _, place := range []string{"0", "document.body.scrollHeight"} {
					get[any](d.tab, "scrollTo(0, "+place+")")
					d.shoot(fmt.Sprintf("%s-%s-%d-%s", name, scheme, width, map[bool]string{true: "top", false: "end"}[place == "0"]))
				}
			}
		}
		d.press("Escape")
		d.waitText("one server waits")
		d.press("Escape")
		d.waitText("You can close this window.")
		d.shoot("done")
	}
}

// TestExpiredLink opens a link after its time.
func TestExpiredLink(t *testing.T) {
	d := newDesk(t, web.Options{Lifetime: time.Nanosecond}, plain("a"))
	d.open(d.link)
	d.waitText("link has expired: run mcpls trust review again")
	d.shoot("expired")
	d.decided("a", "")
}

// TestExpiredPage lets the time of an open page run out.
func TestExpiredPage(t *testing.T) {
	d := newDesk(t, web.Options{}, plain("a"))
	d.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": "const later = setTimeout; window.setTimeout = (f, ms) => ms > 1000 ? window.timeIsUp = f : later(f, ms)"}, nil)
	d.open(d.link)
	d.wait("window.timeIsUp")
	get[any](d.tab, "timeIsUp()")
	if text := get[string](d.tab, "document.body.innerText"); !strings.Contains(text, "This page has expired") || !get[bool](d.tab, `document.getElementById("card").hidden`) {
		t.Errorf("the page says %q", text)
	}
}

// TestReusedLink opens a link twice: the second page is told, the first goes on.
func TestReusedLink(t *testing.T) {
	d := newDesk(t, web.Options{}, plain("a"))
	d.open(d.link)
	code := d.code()
	second := d.c.tab(t, d.profile)
	second.open(d.link)
	second.waitText("link was used already: run mcpls trust review again")
	d.do("Page.bringToFront", map[string]any{}, nil)
	d.write(code)
	d.press("Enter")
	d.waitText("You can close this window.")
	d.decided("a", "allow page")
}

// TestNoLink opens the page without its token, and one with a token of somebody.
func TestNoLink(t *testing.T) {
	d := newDesk(t, web.Options{}, plain("a"))
	base, _, _ := strings.Cut(d.link, "#")
	d.open(base)
	d.waitText("This page needs its link")
	other := d.c.tab(t, d.profile)
	other.open(base + "#" + strings.Repeat("0", 64))
	other.waitText("no link of a review that runs")
}

// TestReload holds that a page that is loaded again, or closed, has lost its
// secret, and that Serve does not wait for it.
func TestReload(t *testing.T) {
	d := newDesk(t, web.Options{}, plain("a"))
	d.open(d.link)
	d.code()
	d.do("Page.reload", map[string]any{}, nil)
	d.ends()
	d.decided("a", "")
}

// TestServerGone ends mcpls while its page is open.
func TestServerGone(t *testing.T) {
	d := newDesk(t, web.Options{}, plain("a"))
	d.open(d.link)
	code := d.code()
	d.stop()
	d.result <- <-d.result
	d.write(code)
	d.press("Enter")
	d.waitText("mcpls does not answer any more")
	d.decided("a", "")
}

// evil is another site on this machine.
func evil(t *testing.T, page string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestOtherSite holds that a page of another origin decides nothing, even one that
// knows the token and the secret.
func TestOtherSite(t *testing.T) {
	d := newDesk(t, web.Options{}, plain("a"))
	base, token, _ := strings.Cut(d.link, "#")
	other := d.c.tab(t, d.profile)
	site := evil(t, "<title>evil</title>")
	for _, from := range []string{site, strings.Replace(site, "127.0.0.1", "localhost", 1)} {
		other.open(from)
		other.wait(`document.title === "evil" && location.href.startsWith("` + from + `")`)
		for _, how := range []string{
			`{method: "POST", mode: "no-cors", body: "{}"}`,
			`{method: "POST", mode: "no-cors", body: "{}", headers: {"Content-Type": "text/plain"}}`,
			`{method: "POST", body: "{}", headers: {"Content-Type": "application/json", Authorization: "Bearer ` + token + `"}}`,
			`{method: "GET", headers: {Authorization: "Bearer ` + token + `"}}`,
		} {
			if got := get[string](other, `fetch("`+base+`api/begin", `+how+`).then((r) => r.text()).then((text) => text || "nothing").catch((e) => "refused")`); got != "refused" && got != "nothing" {
				t.Errorf("%s from %s: %s", how, from, got)
			}
		}
	}
	// A form can navigate to an answer, which is a refusal.
	other.open(evil(t, `<title>form</title><form method=post enctype=text/plain action="`+base+`api/begin"><input name='{"verdict":"' value='allow"}'></form><script>document.forms[0].submit()</script>`))
	other.waitText("the request comes from another site")
	d.open(d.link)
	d.code() // the link is as good as new
	d.decided("a", "")
}

// TestFramed holds that the page stands in no frame, and that a frame does not use
// up the link.
func TestFramed(t *testing.T) {
	d := newDesk(t, web.Options{}, plain("a"))
	frame := func(of string) string {
		quoted, _ := json.Marshal(of)
		return `<title>frame</title><script>const f = document.createElement("iframe"); f.onload = () => { window.loaded = true }; f.src = ` + string(quoted) +
			`; document.documentElement.append(f)</script>`
	}
	control := evil(t, `<script>parent.postMessage("ran", "*")</script>`)
	other := d.c.tab(t, d.profile)
	other.open(evil(t, `<script>onmessage = () => { window.ran = true }</script>`+frame(control)))
	other.wait("window.ran && window.loaded") // the test can see a frame that works
	other.open(evil(t, frame(d.link)))
	other.wait("window.loaded")
	requests, errors := other.seen()
	base, _ := url.Parse(d.link)
	if !slices.Contains(requests, "GET http://"+base.Host+"/") && !slices.Contains(requests, "GET "+d.link) {
		t.Errorf("the frame asked for nothing: %q", requests)
	}
	for _, r := range requests {
		if strings.Contains(r, base.Host+"/page") || strings.Contains(r, base.Host+"/api") {
			t.Errorf("the framed page ran: %s", r)
		}
	}
	if !slices.ContainsFunc(errors, func(e string) bool { return strings.Contains(e, "frame-ancestors") }) {
		t.Errorf("the browser refused nothing, it said %q", errors)
	}
	d.open(d.link)
	d.code()
}
