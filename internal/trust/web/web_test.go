package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"mcpls/internal/launch"
	"mcpls/internal/trust"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// people is what the tests decide about, and what was decided.
type people struct {
	mu      sync.Mutex
	plans   []launch.Plan
	changes map[string][]string // by id
	kept    map[string]kept     // by fingerprint
	failing error
}

type kept struct {
	verdict trust.Verdict
	surface string
	expires time.Time
}

func (p *people) review() *trust.Review {
	return &trust.Review{
		Plans: func() []launch.Plan {
			p.mu.Lock()
			defer p.mu.Unlock()
			return slices.Clone(p.plans)
		},
		Standing: func(plan launch.Plan) (trust.Standing, error) {
			p.mu.Lock()
			defer p.mu.Unlock()
			if k, ok := p.kept[plan.Fingerprint()]; ok {
				return trust.Standing{State: map[trust.Verdict]trust.State{trust.Allow: trust.Allowed, trust.Deny: trust.Denied}[k.verdict]}, p.failing
			}
			if changes := p.changes[plan.ID]; changes != nil {
				return trust.Standing{State: trust.Changed, Changes: changes}, p.failing
			}
			return trust.Standing{State: trust.Unknown}, p.failing
		},
		Keep: func(plan launch.Plan, verdict trust.Verdict, surface string, expires time.Time) error {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.kept[plan.Fingerprint()] = kept{verdict, surface, expires}
			return p.failing
		},
	}
}

func planOf(id string, args ...string) launch.Plan {
	return launch.Plan{
		ID: id, Kind: launch.LSP, Origin: launch.Project, DeclaredIn: "/ws/mcpls.toml", Root: "/ws", RootIdentity: "1:2", Dir: "/ws",
		Argv: append([]string{"/bin/tool"}, args...), Declared: launch.Declared{Command: "tool", Args: args},
	}
}

func newPeople(ids ...string) *people {
	p := &people{kept: map[string]kept{}, changes: map[string][]string{}}
	for _, id := range ids {
		p.plans = append(p.plans, planOf(id))
	}
	return p
}

func (p *people) change(i int, plan launch.Plan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.plans[i] = plan
}

func (p *people) of(plan launch.Plan) kept {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept[plan.Fingerprint()]
}

// client is a page that was opened, or somebody who pretends to be one.
type client struct {
	t          *testing.T
	base       string
	secret     string
	result     chan error
	stop       context.CancelFunc
	keptResult *error
}

func open(t *testing.T, p *people, opts Options) *client {
	t.Helper()
	c := &client{t: t, result: make(chan error, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	c.stop = cancel
	t.Cleanup(func() { cancel(); c.wait() })
	url := make(chan string, 2)
	opts.Open = func(u string) { url <- u }
	go func() { c.result <- Serve(ctx, p.review(), opts); close(url) }()
	link, ok := <-url
	if !ok {
		t.Fatalf("nothing was opened: %v", c.wait())
	}
	c.base, c.secret, _ = strings.Cut(link, "/#")
	if !regexp.MustCompile(`^http://127\.0\.0\.1:\d+/#[0-9a-f]{64}$`).MatchString(link) {
		t.Errorf("the link is %q", link)
	}
	return c
}

// wait gives what Serve returned.
func (c *client) wait() error {
	if c.keptResult == nil {
		err := <-c.result
		c.keptResult = &err
	}
	return *c.keptResult
}

// request makes a request as the page does, changed by edit.
func (c *client) request(path, body string, edit ...func(*http.Request)) (int, http.Header, string) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.base+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Origin", c.base)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+c.secret)
	for _, f := range edit {
		f(r)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	response, err := transport.RoundTrip(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(data)
}

// do does what the page does.
func (c *client) do(path string, req request) answer {
	c.t.Helper()
	body, err := json.Marshal(req)
	if err != nil {
		c.t.Fatal(err)
	}
	status, _, text := c.request("/api/"+path, string(body))
	var a answer
	if err := json.Unmarshal([]byte(text), &a); err != nil || status != http.StatusOK {
		c.t.Fatalf("%s: %d %s", path, status, text)
	}
	return a
}

func (c *client) begin() answer {
	c.t.Helper()
	a := c.do("begin", request{})
	c.secret = a.Secret
	return a
}

func (c *client) allow(a answer) answer {
	c.t.Helper()
	code := c.do("seen", request{Card: a.Card.Number}).Code
	return c.do("decide", request{Card: a.Card.Number, Verdict: "allow", Code: code})
}

// TestRefusals holds that a request that our page would not make is refused, with
// the headers of every answer, and that the link is still good afterwards.
func TestRefusals(t *testing.T) {
	c := open(t, newPeople("a"), Options{})
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	del := func(name string) func(*http.Request) { return func(r *http.Request) { r.Header.Del(name) } }
	method := func(m string) func(*http.Request) { return func(r *http.Request) { r.Method = m } }
	host := func(h string) func(*http.Request) { return func(r *http.Request) { r.Host = h } }
	port := c.base[strings.LastIndex(c.base, ":"):]
	for _, test := range []struct {
		name, path string
		edit       func(*http.Request)
		status     int
	}{
		{"another host", "/api/begin", host("evil.example" + port), 421},
		{"another host, page", "/", host("evil.example" + port), 421},
		{"localhost", "/api/begin", host("localhost" + port), 421},
		{"host without port", "/api/begin", host("127.0.0.1"), 421},
		{"no origin", "/api/begin", del("Origin"), 403},
		{"opaque origin", "/api/begin", set("Origin", "null"), 403},
		{"origin of another port", "/api/begin", set("Origin", "http://127.0.0.1:1"), 403},
		{"origin of localhost", "/api/begin", set("Origin", "http://localhost"+port), 403},
		{"origin with https", "/api/begin", set("Origin", strings.Replace(c.base, "http", "https", 1)), 403},
		{"origin that begins so", "/api/begin", set("Origin", c.base+".evil.example"), 403},
		{"two origins", "/api/begin", func(r *http.Request) { r.Header.Add("Origin", c.base) }, 403},
		{"cross-site", "/api/begin", set("Sec-Fetch-Site", "cross-site"), 403},
		{"same-site", "/api/begin", set("Sec-Fetch-Site", "same-site"), 403},
		{"none", "/api/begin", set("Sec-Fetch-Site", "none"), 403},
		{"two sites", "/api/begin", func(r *http.Request) { r.Header.Add("Sec-Fetch-Site", "same-origin") }, 403},
		{"GET for data", "/api/begin", method("GET"), 405},
		{"preflight", "/api/begin", method("OPTIONS"), 405},
		{"PUT", "/api/begin", method("PUT"), 405},
		{"POST for the page", "/", nil, 405},
		{"HEAD for the page", "/page.js", method("HEAD"), 405},
		{"form", "/api/begin", set("Content-Type", "application/x-www-form-urlencoded"), 415},
		{"text", "/api/begin", set("Content-Type", "text/plain"), 415},
		{"no type", "/api/begin", del("Content-Type"), 415},
		{"wrong token", "/api/begin", set("Authorization", "Bearer "+strings.Repeat("0", 64)), 403},
		{"short token", "/api/begin", set("Authorization", "Bearer "+c.secret[:63]), 403},
		{"no token", "/api/begin", del("Authorization"), 403},
		{"no session yet", "/api/decide", nil, 403},
		{"no secret before the session", "/api/decide", del("Authorization"), 403},
		{"close before the session", "/api/close", nil, 403},
		{"unknown path", "/favicon.ico", nil, 404},
		{"unknown call", "/api/nothing", nil, 404},
		{"no call", "/api/", nil, 404},
		{"call at the root", "/begin", nil, 404},
		{"file name", "/page/index.html", nil, 404},
		{"path upward", "/api/../api/begin", nil, 404},
	} {
		edit := test.edit
		if edit == nil {
			edit = func(*http.Request) {}
		}
		status, header, text := c.request(test.path, `{}`, edit)
		if status != test.status || strings.Contains(text, `"card"`) {
			t.Errorf("%s: %d %s, want %d", test.name, status, text, test.status)
		}
		checkHeaders(t, test.name, header)
	}
	for body, want := range map[string]int{
		``:                                   400,
		`{} {}`:                              400,
		`[]`:                                 400,
		`{"path":"x"}`:                       400,
		`{"card":"1"}`:                       400,
		`{} ` + strings.Repeat(" ", maxBody): 413,
		`{"code":"` + strings.Repeat("x", maxBody) + `"}`:         413,
		`{"code":"` + strings.Repeat("x", 10*maxBody) + `"}`:      413,
		`{"verdict":"allow","code":"` + strings.Repeat("[", 3000): 400,
	} {
		status, header, text := c.request("/api/begin", body)
		if status != want {
			t.Errorf("body %.20q: %d %s, want %d", body, status, text, want)
		}
		checkHeaders(t, "body", header)
	}
	big := func(r *http.Request) { r.Header.Set("X-Big", strings.Repeat("x", 2*maxHeader)) }
	if status, _, _ := c.request("/", "", method("GET"), big); status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("big header: %d", status)
	}
	if a := c.begin(); a.Card == nil || a.Secret == "" || a.Secret == a.Card.Fingerprint || a.Code != "" {
		t.Errorf("after the refusals: %+v", a)
	}
	for _, verdict := range []string{"", "Allow", "yes"} {
		if status, _, text := c.request("/api/decide", `{"card":1,"verdict":"`+verdict+`"}`); status != 400 {
			t.Errorf("verdict %q: %d %s", verdict, status, text)
		}
	}
}

func checkHeaders(t *testing.T, name string, header http.Header) {
	t.Helper()
	csp := header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "trusted-types 'none'"} {
		if !slices.Contains(strings.Split(csp, "; "), want) {
			t.Errorf("%s: the policy %q has no %s", name, csp, want)
		}
	}
	for key, want := range map[string]string{
		"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		if got := header.Get(key); got != want {
			t.Errorf("%s: %s is %q, want %q", name, key, got, want)
		}
	}
	for key := range header {
		if strings.HasPrefix(key, "Access-Control-") || key == "Set-Cookie" {
			t.Errorf("%s: has the header %s", name, key)
		}
	}
}

// TestStatic holds that whoever reads the page learns nothing, and that a browser
// without Sec-Fetch-Site can use it.
func TestStatic(t *testing.T) {
	c := open(t, newPeople("secret-id"), Options{})
	for path, kind := range map[string]string{"/": "text/html; charset=utf-8", "/page.css": "text/css; charset=utf-8", "/page.js": "text/javascript; charset=utf-8"} {
		status, header, text := c.request(path, "", func(r *http.Request) {
			r.Method, r.Header = http.MethodGet, http.Header{"Sec-Fetch-Site": {"cross-site"}}
		})
		if status != 200 || header.Get("Content-Type") != kind || text == "" {
			t.Errorf("%s: %d %q", path, status, header.Get("Content-Type"))
		}
		if strings.Contains(text, c.secret) || strings.Contains(text, "secret-id") {
			t.Errorf("%s holds data", path)
		}
		checkHeaders(t, path, header)
	}
	if status, _, text := c.request("/api/begin", "{}", func(r *http.Request) { r.Header.Del("Sec-Fetch-Site") }); status != 200 {
		t.Errorf("without Sec-Fetch-Site: %d %s", status, text)
	}
}

// TestToken holds that a link works once, and only in its time.
func TestToken(t *testing.T) {
	c := open(t, newPeople("a"), Options{})
	token := c.secret
	a := c.begin()
	if a.Secret == token || len(a.Secret) != len(token) || a.Seconds < 290 || a.Seconds > 300 {
		t.Errorf("%+v", a)
	}
	second := *c
	second.secret = token
	if status, _, text := second.request("/api/begin", "{}"); status != http.StatusGone || !strings.Contains(text, "this link was used already: run mcpls trust review again") {
		t.Errorf("the second use: %d %s", status, text)
	}
	if status, _, text := second.request("/api/decide", `{"card":1,"verdict":"deny"}`); status != http.StatusForbidden {
		t.Errorf("a decision with the token: %d %s", status, text)
	}
	if status, _, text := c.request("/api/begin", "{}"); status != http.StatusForbidden {
		t.Errorf("the secret as a token: %d %s", status, text)
	}
	if a := c.do("decide", request{Card: a.Card.Number, Verdict: "deny"}); !a.Ended {
		t.Errorf("the first page: %+v", a)
	}
}

func TestExpired(t *testing.T) {
	p := newPeople("a")
	s, err := newSession(p.review(), Options{Lifetime: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	late := s.deadline
	if _, err := s.do(nil, s.token, request{}, late); !errors.Is(err, errExpired) {
		t.Errorf("begin: %v", err)
	}
	if _, err := s.do(nil, "x", request{}, late); !errors.Is(err, errSecret) {
		t.Errorf("begin with another token: %v", err)
	}
	a, err := s.do(nil, s.token, request{}, late.Add(-time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.do((*session).decide, a.Secret, request{Card: 1, Verdict: "deny"}, late); !errors.Is(err, errExpired) || len(p.kept) != 0 {
		t.Errorf("decide: %v, %v", err, p.kept)
	}
	if !strings.Contains(errExpired.say, "expired: run mcpls trust review again") {
		t.Error(errExpired.say)
	}
}

// TestTimes holds how long Serve waits: for a link that was followed until its
// lifetime is over, for one that was not a little longer.
func TestTimes(t *testing.T) {
	for followed, want := range map[bool]time.Duration{true: time.Minute, false: time.Minute + lateTime} {
		synctest.Test(t, func(t *testing.T) {
			s, err := newSession(newPeople("a").review(), Options{Lifetime: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if followed {
				s.secret = "x"
			}
			begin := time.Now()
			if err := s.wait(t.Context(), nil); !errors.Is(err, ErrTimeUp) || time.Since(begin) != want {
				t.Errorf("followed %v: %v after %v", followed, err, time.Since(begin))
			}
		})
	}
}

// TestDecide walks through three cases, and finds what was decided kept.
func TestDecide(t *testing.T) {
	p := newPeople("a", "b", "c")
	c := open(t, p, Options{Expires: time.Hour})
	a := c.begin()
	if a.Card.Waiting != 3 || a.Card.Badge != "NEW" || a.Card.Scope != "A yes covers exactly this, in this workspace, for 1h0m0s." {
		t.Errorf("%+v", a.Card)
	}
	before := time.Now()
	a = c.allow(a)
	if got := p.of(planOf("a")); got.verdict != trust.Allow || got.surface != "page" || got.expires.Before(before.Add(time.Hour)) {
		t.Errorf("%+v", got)
	}
	if a.Card.Waiting != 2 || a.Code != "" {
		t.Errorf("%+v", a)
	}
	a = c.do("decide", request{Card: a.Card.Number, Verdict: "leave"})
	a = c.do("decide", request{Card: a.Card.Number, Verdict: "deny"})
	if want := []outcome{{`"a"`, "allowed"}, {`"b"`, "left blocked"}, {`"c"`, "denied"}}; !a.Ended || !slices.Equal(a.Done, want) {
		t.Errorf("%+v, want %v", a, want)
	}
	if err := c.wait(); err != nil || p.of(planOf("b")) != (kept{}) || p.of(planOf("c")) != (kept{trust.Deny, "page", time.Time{}}) {
		t.Errorf("%v; %+v", err, p.kept)
	}
}

// TestCard holds that every text of a card arrives, in its order.
func TestCard(t *testing.T) {
	p := newPeople("a")
	p.plans[0] = planOf("a", "\u202e\x1b[2J", "<img src=x>", strings.Repeat("x", 10_000))
	p.plans[0].Files = []launch.File{{Role: "program", Path: "/bin/tool", Owner: "root", Mode: "-rwxr-xr-x"}, {Role: "argument", Path: "/ws/\u202e", Digest: "00"}}
	p.changes["a"] = []string{"argument 1 has changed"}
	c := open(t, p, Options{})
	cases, err := p.review().Cases()
	if err != nil {
		t.Fatal(err)
	}
	got := c.begin().Card
	want := cases[0].Card
	if !got.Changed || got.Badge+": "+got.Title != want.Title || got.Fingerprint != want.Fingerprint || got.CodeLength != 6 || len(got.Sections) != len(want.Sections) {
		t.Fatalf("%+v", got)
	}
	facts := 0
	for i, part := range want.Sections {
		if got.Sections[i].Label != part.Label || len(got.Sections[i].Lines) != len(part.Lines) {
			t.Fatalf("%+v", got.Sections[i])
		}
		for j, l := range part.Lines {
			if g := got.Sections[i].Lines[j]; g.Text != l.Text || len(g.Facts)+len(g.Marks) != len(l.Marks) || !isSubset(slices.Concat(g.Facts, g.Marks), l.Marks) {
				t.Errorf("%+v, want %+v", g, l)
			} else {
				facts += len(g.Facts)
			}
		}
	}
	if facts != 3 {
		t.Errorf("%d marks are facts: where the program lies, and how each file is bound", facts)
	}
}

func isSubset(a, of []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(of, s) })
}

// TestCode holds that a yes takes the end of the card, and then its code.
func TestCode(t *testing.T) {
	p := newPeople("a")
	c := open(t, p, Options{})
	a := c.begin()
	n := a.Card.Number
	unseen := func(when string) {
		t.Helper()
		if got := c.do("decide", request{Card: n, Verdict: "allow", Code: "222222"}); got.Notice != sayUnseen || got.Card != nil {
			t.Errorf("%s: %+v", when, got)
		}
	}
	unseen("at first")
	code := c.do("seen", request{Card: n}).Code
	if len(code) != a.Card.CodeLength {
		t.Errorf("code %q", code)
	}
	for _, wrong := range []string{"", code[:5]} {
		if got := c.do("decide", request{Card: n, Verdict: "allow", Code: wrong}); got.Notice != sayWrong || got.Card != nil || got.Ended {
			t.Errorf("code %q: %+v", wrong, got)
		}
	}
	again := c.do("decide", request{Card: n, Verdict: "allow", Code: code + "x"})
	if again.Notice != sayTooOften || again.Card == nil || again.Card.Number == n {
		t.Fatalf("the third: %+v", again)
	}
	if old := c.do("decide", request{Card: n, Verdict: "allow", Code: code}); old.Notice != sayOld || old.Card == nil {
		t.Errorf("the old card: %+v", old)
	} else {
		n = old.Card.Number
	}
	unseen("after three wrong ones")
	if old := c.do("seen", request{Card: n - 1}); old.Notice != sayOld || old.Code != "" {
		t.Errorf("seen of the old card: %+v", old)
	} else {
		n = old.Card.Number
	}
	fresh := c.do("seen", request{Card: n}).Code
	if fresh == code {
		t.Error("the code is the same")
	}
	if len(p.kept) != 0 {
		t.Errorf("kept %v", p.kept)
	}
	if got := c.do("decide", request{Card: n, Verdict: "allow", Code: fresh}); !got.Ended || p.of(planOf("a")).verdict != trust.Allow {
		t.Errorf("%+v", got)
	}
}

// TestChanged holds that nothing is decided about what would not run any more: the
// new card is shown.
func TestChanged(t *testing.T) {
	for _, only := range []bool{false, true} {
		p := newPeople("a", "b")
		opts := Options{}
		if only {
			opts.Only = caseOf(t, p, 0).Key
		}
		c := open(t, p, opts)
		a := c.begin()
		code := c.do("seen", request{Card: a.Card.Number}).Code
		p.change(0, planOf("a", "--evil"))
		a = c.do("decide", request{Card: a.Card.Number, Verdict: "allow", Code: code})
		if a.Notice != sayChanged || a.Card == nil || a.Card.Fingerprint != planOf("a", "--evil").Fingerprint() {
			t.Fatalf("only %v: %+v", only, a)
		}
		p.change(0, planOf("a", "--more"))
		a = c.do("seen", request{Card: a.Card.Number})
		if a.Notice != sayChanged || a.Code != "" || a.Card == nil || a.Card.Fingerprint != planOf("a", "--more").Fingerprint() || len(p.kept) != 0 {
			t.Fatalf("only %v: %+v, %v", only, a, p.kept)
		}
		a = c.allow(a)
		if a.Ended != only || p.of(planOf("a", "--more")).verdict != trust.Allow || len(p.kept) != 1 {
			t.Errorf("only %v: %+v", only, a)
		}
	}
}

func caseOf(t *testing.T, p *people, i int) trust.Case {
	t.Helper()
	cases, err := p.review().Cases()
	if err != nil {
		t.Fatal(err)
	}
	return cases[i]
}

func TestDecidedElsewhere(t *testing.T) {
	p := newPeople("a")
	c := open(t, p, Options{})
	a := c.begin()
	code := c.do("seen", request{Card: a.Card.Number}).Code
	if err := p.review().Keep(planOf("a"), trust.Deny, "terminal", time.Time{}); err != nil {
		t.Fatal(err)
	}
	a = c.do("decide", request{Card: a.Card.Number, Verdict: "allow", Code: code})
	if a.Notice != sayElsewhere || !a.Ended || p.of(planOf("a")).surface != "terminal" {
		t.Errorf("%+v, %v", a, p.kept)
	}
}

// TestOnly holds that a page about one case shows that one, however it stands.
func TestOnly(t *testing.T) {
	p := newPeople("a", "b")
	p.kept[planOf("b").Fingerprint()] = kept{verdict: trust.Deny}
	c := open(t, p, Options{Only: caseOf(t, p, 1).Key})
	if a := c.allow(c.begin()); !a.Ended || p.of(planOf("b")).verdict != trust.Allow || len(p.kept) != 1 {
		t.Errorf("%+v, %v", a, p.kept)
	}
	if err := c.wait(); err != nil {
		t.Error(err)
	}
	if err := Serve(t.Context(), p.review(), Options{Only: "x"}); !errors.Is(err, trust.ErrOtherCard) {
		t.Error(err)
	}
}

// TestEnds holds the other ways in which a page ends.
func TestEnds(t *testing.T) {
	never := Options{Open: func(string) { t.Error("a page was opened") }}
	if err := Serve(t.Context(), newPeople().review(), never); err != nil {
		t.Errorf("nothing waits: %v", err)
	}
	broken := newPeople("a")
	broken.failing = errors.New("the store is damaged")
	if err := Serve(t.Context(), broken.review(), never); !errors.Is(err, broken.failing) {
		t.Errorf("a bad store: %v", err)
	}

	c := open(t, newPeople("a"), Options{})
	c.begin()
	c.stop()
	if err := c.wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}

	p := newPeople("a")
	c = open(t, p, Options{})
	c.begin()
	if a := c.do("close", request{}); !a.Ended || len(p.kept) != 0 {
		t.Errorf("closed: %+v", a)
	}
	if err := c.wait(); err != nil {
		t.Errorf("closed: %v", err)
	}

	p = newPeople("a")
	c = open(t, p, Options{})
	a := c.begin()
	p.mu.Lock()
	p.failing = errors.New("damaged \u202e store")
	p.mu.Unlock()
	status, header, text := c.request("/api/seen", `{"card":1}`)
	if a.Card == nil || status != 500 || !strings.Contains(text, `damaged \\u202e store`) {
		t.Errorf("%d %s", status, text)
	}
	checkHeaders(t, "error", header)
	if err := c.wait(); !errors.Is(err, p.failing) {
		t.Error(err)
	}
}

// TestPageDrawsText holds that the page turns no text into markup, keeps nothing
// and asks nobody else.
func TestPageDrawsText(t *testing.T) {
	banned := regexp.MustCompile(`(?i)innerHTML|outerHTML|insertAdjacent|document\.write|DOMParser|createContextualFragment|srcdoc|\beval\b|new Function|setAttribute|` +
		`localStorage|sessionStorage|indexedDB|document\.cookie|https?:|//[a-z]+\.|WebSocket|EventSource|sendBeacon|XMLHttpRequest|import\(|@import|url\(|\sstyle=|\son[a-z]+=|<script>|<style`)
	for path, s := range static {
		text, err := page.ReadFile(s.file)
		if err != nil {
			t.Fatal(err)
		}
		if found := banned.FindAllString(string(text), -1); found != nil {
			t.Errorf("%s has %q", path, found)
		}
	}
}
