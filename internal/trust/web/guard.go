package web

import (
	"embed"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"mcpls/internal/bug"
)

//go:embed page
var page embed.FS

// headers are on every answer, a refusal too.
var headers = map[string]string{
	// The page runs its own script and style, speaks with its own server, and stands
	// in no frame, where another page could draw over it. A script cannot turn text
	// into markup either, even by mistake.
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
		"frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
	"X-Frame-Options":              "DENY", // for browsers that do not know frame-ancestors
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer", // nobody learns of the port
	"Cache-Control":                "no-store",    // what would run is not left on a disk
	"Cross-Origin-Opener-Policy":   "same-origin", // whoever opened the page has no hold of it
	"Cross-Origin-Resource-Policy": "same-origin",
}

// static are the files of the page. They hold no data: everybody may read them.
var static = map[string]struct{ file, kind string }{
	"/":         {"page/index.html", "text/html; charset=utf-8"},
	"/page.css": {"page/page.css", "text/css; charset=utf-8"},
	"/page.js":  {"page/page.js", "text/javascript; charset=utf-8"},
}

// guard lets requests of our own page through to the session, and no others.
type guard struct {
	host    string // what we listen on, and what a request must be meant for
	session *session
}

func newGuard(host string, s *session) *guard { return &guard{host, s} }

// refusal is an answer that says no, in words for the person at the page.
type refusal struct {
	status int
	say    string
}

func (r *refusal) Error() string { return r.say }

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer bug.Exit() // net/http would go on after a panic
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	// A site whose name is made to lead here (DNS rebinding) is of one origin with
	// us to a browser. It cannot choose this header.
	if r.Host != g.host {
		refuse(w, &refusal{http.StatusMisdirectedRequest, "this page is reached by its own address only"})
		return
	}
	if file, ok := static[r.URL.Path]; ok {
		serveStatic(w, r, file.file, file.kind)
		return
	}
	answer, err := g.call(w, r)
	if err != nil {
		refuse(w, err)
		return
	}
	reply(w, http.StatusOK, answer)
}

func serveStatic(w http.ResponseWriter, r *http.Request, file, kind string) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		refuse(w, &refusal{http.StatusMethodNotAllowed, "only GET reads a page"})
		return
	}
	data, err := page.ReadFile(file)
	if err != nil {
		panic(err) // it is embedded, and a test reads each
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(data) // whoever is gone needs no answer
}

// call checks a request for data and has it answered.
func (g *guard) call(w http.ResponseWriter, r *http.Request) (*answer, error) {
	act, ok := actions[strings.TrimPrefix(r.URL.Path, "/api/")]
	if !ok || !strings.HasPrefix(r.URL.Path, "/api/") {
		return nil, &refusal{http.StatusNotFound, "there is no such page"}
	}
	if err := g.ours(w, r); err != nil {
		return nil, err
	}
	secret, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	req := request{}
	if err := decode(http.MaxBytesReader(w, r.Body, maxBody), &req); err != nil {
		return nil, err
	}
	return g.session.do(act, secret, req, time.Now())
}

// ours holds that a request comes from our page. A form or a script of another one
// cannot make it so: a browser says where a request comes from, and asks us first,
// by OPTIONS, before it sends JSON for another site.
func (g *guard) ours(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return &refusal{http.StatusMethodNotAllowed, "only POST asks for data"}
	}
	// Exactly one, and not the opaque one ("null") of a frame or a file.
	if origin := r.Header.Values("Origin"); len(origin) != 1 || origin[0] != "http://"+g.host {
		return &refusal{http.StatusForbidden, "the request comes from another site"}
	}
	// Browsers of today send it, older ones do not: what it says counts.
	if site := r.Header.Values("Sec-Fetch-Site"); len(site) > 1 || len(site) == 1 && site[0] != "same-origin" {
		return &refusal{http.StatusForbidden, "the request comes from another site"}
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return &refusal{http.StatusUnsupportedMediaType, "the request is no JSON"}
	}
	return nil
}

// decode reads exactly one object with known keys.
func decode(body io.Reader, into *request) error {
	decoder := json.NewDecoder(body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil {
		if _, err = decoder.Token(); errors.Is(err, io.EOF) {
			return nil
		}
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &refusal{http.StatusRequestEntityTooLarge, "the request is too large"}
	}
	return errRequest
}

func refuse(w http.ResponseWriter, err error) {
	r, ok := errors.AsType[*refusal](err)
	if !ok {
		r = &refusal{http.StatusInternalServerError, err.Error()}
	}
	reply(w, r.status, map[string]string{"refusal": shown(r.say)})
}

func reply(w http.ResponseWriter, status int, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // structs of strings
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(data) // whoever is gone needs no answer
}
