package protocol

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestURIFromPath(t *testing.T) {
	tests := []struct {
		name, path string
		windows    bool
		want       DocumentURI
	}{
		{"root", "/", false, "file:///"},
		{"unreserved", "/a-b._~/C9", false, "file:///a-b._~/C9"},
		{"space", "/a b", false, "file:///a%20b"},
		{"hash, question mark, percent", "/a#b?c%20", false, "file:///a%23b%3Fc%2520"},
		{"sub-delimiters", "/a+b&c@d[e]", false, "file:///a%2Bb%26c%40d%5Be%5D"},
		{"non-ASCII", "/é/漢/😀", false, "file:///%C3%A9/%E6%BC%A2/%F0%9F%98%80"},
		{"not UTF-8", "/\xff", false, "file:///%FF"},
		{"backslash on Unix", `/a\b`, false, "file:///a%5Cb"},
		{"colon on Unix", "/C:/a", false, "file:///C%3A/a"},

		{"drive", `C:\a b\c.go`, true, "file:///c%3A/a%20b/c.go"},
		{"drive in lower case", `c:\a`, true, "file:///c%3A/a"},
		{"slashes", `C:/a/b`, true, "file:///c%3A/a/b"},
		{"drive root", `C:\`, true, "file:///c%3A/"},
		{"long path", `\\?\C:\a`, true, "file:///c%3A/a"},
		{"host", `\\server\share\a b`, true, "file://server/share/a%20b"},
		{"host of a long path", `\\?\UNC\server\share\a`, true, "file://server/share/a"},
		{"escaped host", `\\wsl$\Debian`, true, "file://wsl%24/Debian"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := uriFromPath(test.path, test.windows); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestPathFromURI(t *testing.T) {
	tests := []struct {
		name, uri string
		windows   bool
		want      string
	}{
		{"plain", "file:///a/b", false, "/a/b"},
		{"one slash", "file:/a/b", false, "/a/b"},
		{"scheme in upper case", "FILE:///a", false, "/a"},
		{"localhost", "file://localhost/a", false, "/a"},
		{"escaped", "file:///a%20b%23c%3Fd%25e", false, "/a b#c?d%e"},
		{"lower case hex", "file:///%c3%a9", false, "/é"},
		{"not escaped", "file:///é b+c@d", false, "/é b+c@d"},
		{"dots", "file:///a/./b/../c/", false, "/a/c"},
		{"escaped dots", "file:///a/%2e%2E/b", false, "/b"},
		{"dots above the root", "file:///../../a", false, "/a"},
		{"escaped slash", "file:///a%2Fb", false, "/a/b"},
		{"two slashes", "file:////a//b", false, "/a/b"},
		{"drive on Unix", "file:///C:/a", false, "/C:/a"},

		{"drive", "file:///c:/a%20b", true, `C:\a b`},
		{"drive in upper case", "file:///C:/a", true, `C:\a`},
		{"escaped colon", "file:///c%3A/a", true, `C:\a`},
		{"escaped colon in lower case", "file:///C%3a/a", true, `C:\a`},
		{"drive root", "file:///c%3A/", true, `C:\`},
		{"drive alone", "file:///c%3A", true, `C:\`},
		{"Windows localhost", "file://localhost/c:/a", true, `C:\a`},
		{"host", "file://server/share/a", true, `\\server\share\a`},
		{"host in the path", "file:////server/share/a", true, `\\server\share\a`},
		{"escaped host", "file://wsl%24/Debian/a", true, `\\wsl$\Debian\a`},
		{"host with a dollar", "file://wsl$/Debian/a", true, `\\wsl$\Debian\a`},
		{"Windows dots", "file:///c:/base/../other/./a", true, `C:\other\a`},
		{"Windows escaped dots", "file:///c:/base/%2E%2E%5Cother", true, `C:\other`},
		{"dots of a host", "file://server/share/a/../b", true, `\\server\share\b`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := pathFromURI(test.uri, test.windows)
			if err != nil || got != test.want {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
		})
	}
}

func TestPathFromBadURI(t *testing.T) {
	tests := []struct{ name, uri, want string }{ // the same on both systems
		{"empty", "", `URI scheme "" is not file`},
		{"a path", "/a/b", `URI scheme "" is not file`},
		{"other scheme", "untitled:Untitled-1", `URI scheme "untitled" is not file`},
		{"web", "https://example.com/a", `URI scheme "https" is not file`},
		{"drive", `c:/a`, `URI scheme "c" is not file`},
		{"relative", "file:a/b", "file URI without an absolute path"},
		{"no path", "file://", "file URI without an absolute path"},
		{"host alone", "file://localhost", "file URI without an absolute path"},
		{"NUL", "file:///a%00b", "file URI with a NUL byte"},
		{"raw NUL", "file:///a\x00b", "malformed URI: "},
		{"half an escape", "file:///a%2", "malformed URI: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, windows := range []bool{false, true} {
				got, err := pathFromURI(test.uri, windows)
				if err == nil || !strings.HasPrefix(err.Error(), test.want) {
					t.Errorf("Windows %v: got %q, %v, want %s", windows, got, err, test.want)
				}
			}
		})
	}
}

func TestUnixURIHasNoHost(t *testing.T) {
	for uri, want := range map[string]string{
		"file://server/a":       `file URI names the host "server"`,
		"file://localhost:80/a": `file URI names the host "localhost:80"`,
	} {
		if got, err := pathFromURI(uri, false); err == nil || err.Error() != want {
			t.Errorf("%s: got %q, %v, want %s", uri, got, err, want)
		}
	}
}

func TestUnmarshalURI(t *testing.T) {
	tests := []struct{ name, json, want, path string }{
		{"our spelling", `"file:///a%20b"`, "file:///a%20b", "/a b"},
		{"another spelling", `"file://localhost/%61/./%c3%a9"`, "file:///a/%C3%A9", "/a/é"},
		{"other scheme", `"untitled:Untitled-1"`, "untitled:Untitled-1", ""},
		{"malformed", `"file:///%"`, "file:///%", ""},
		{"null", `null`, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var uri DocumentURI
			if err := json.Unmarshal([]byte(test.json), &uri); err != nil {
				t.Fatal(err)
			}
			if string(uri) != test.want || uri.Path() != test.path {
				t.Errorf("got %s with path %q, want %s with path %q", uri, uri.Path(), test.want, test.path)
			}
		})
	}
	var uri DocumentURI
	if err := json.Unmarshal([]byte(`1`), &uri); err == nil {
		t.Error("a number is no error")
	}
}

var oneSpelling = regexp.MustCompile(`^file://([A-Za-z0-9._~/-]|%[0-9A-F]{2})*$`)

func TestUnixPathSurvivesURI(t *testing.T) {
	component := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{"a b", "#", "?", "%", "%41", "C:", `a\b`, "..", "é", "e\u0301", "\xff", ";", "//"}),
	)
	rapid.Check(t, func(t *rapid.T) {
		p := path.Clean("/" + strings.Join(rapid.SliceOf(component).Draw(t, "components"), "/"))
		p = strings.ReplaceAll(p, "\x00", "")
		p = path.Clean(p)
		uri := uriFromPath(p, false)
		if got, err := pathFromURI(string(uri), false); err != nil || got != p {
			t.Fatalf("%q: %s gives %q, %v", p, uri, got, err)
		}
		if !oneSpelling.MatchString(string(uri)) {
			t.Fatalf("%q: %s is not in the one spelling", p, uri)
		}
	})
}

func TestWindowsPathSurvivesURI(t *testing.T) {
	start := rapid.SampledFrom([]string{`C:\`, `Z:\`, `\\server\share\`, `\\wsl$\Debian\`})
	component := rapid.StringMatching(`[^\x00-\x1f/\\:]*[^\x00-\x1f/\\:.]`)
	rapid.Check(t, func(t *rapid.T) {
		p := start.Draw(t, "start") + strings.Join(rapid.SliceOfN(component, 1, 4).Draw(t, "components"), `\`)
		uri := uriFromPath(p, true)
		if got, err := pathFromURI(string(uri), true); err != nil || got != p {
			t.Fatalf("%q: %s gives %q, %v", p, uri, got, err)
		}
	})
}

func FuzzURI(f *testing.F) {
	for _, seed := range []string{
		"file:///a%20b", "file://localhost/a", "file:///c%3A/a/../..", "file://server/share", "file:////server/..",
		"file://wsl%24/a", "file:a", "untitled:1", "file:///%00", "file:///%", "file:////%3F/C:/a", "file:///a?b#c", `file:///\\..\a`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if p, err := pathFromURI(raw, false); err == nil {
			if !path.IsAbs(p) || path.Clean(p) != p || strings.Contains(p, "\x00") {
				t.Errorf("%q gives the path %q", raw, p)
			}
			uri := uriFromPath(p, false)
			if again, err := pathFromURI(string(uri), false); err != nil || again != p || !oneSpelling.MatchString(string(uri)) {
				t.Errorf("%q: %s gives %q, %v", p, uri, again, err)
			}
		}
		if p, err := pathFromURI(raw, true); err == nil {
			if strings.Contains(p, "/") || strings.Contains(p+`\`, `\..\`) || strings.Contains(p, "\x00") {
				t.Errorf("%q gives the Windows path %q", raw, p)
			}
			if uri := uriFromPath(p, true); !oneSpelling.MatchString(string(uri)) {
				t.Errorf("%q: %s is not in the one spelling", p, uri)
			}
		}
	})
}
