package protocol

import (
	"fmt"
	"net/url"
	"path"
	"runtime"
	"strings"
)

// DocumentURI is a file URI in one spelling, so that two URIs of one file are
// equal as strings. Make one with [URIFromPath] or [ParseURI], never by gluing.
type DocumentURI string

// URIFromPath gives the URI of an absolute path. Every byte outside RFC 3986's
// unreserved set (and "/") is percent-encoded, as VS Code does, which every
// server accepts. On Windows the drive letter is lower case and its colon
// encoded, and the host of a share is the URI's authority.
func URIFromPath(path string) DocumentURI {
	return uriFromPath(path, runtime.GOOS == "windows")
}

func uriFromPath(path string, windows bool) DocumentURI {
	if windows {
		if share, ok := strings.CutPrefix(path, `\\?\UNC\`); ok {
			path = `\\` + share
		}
		path = strings.ReplaceAll(strings.TrimPrefix(path, `\\?\`), `\`, "/")
		if hasDrive(path) {
			path = "/" + strings.ToLower(path[:1]) + path[1:]
		}
		if strings.HasPrefix(path, "//") { // the host is the URI's authority
			return DocumentURI("file:" + escapePath(path))
		}
	}
	return DocumentURI("file://" + escapePath(path))
}

// ParseURI reads a URI that a server sent and gives it in the one spelling of
// [URIFromPath]. A scheme other than file is an error: mcpls has no documents
// of any other kind.
func ParseURI(raw string) (DocumentURI, error) {
	path, err := pathFromURI(raw, runtime.GOOS == "windows")
	if err != nil {
		return "", err
	}
	return URIFromPath(path), nil
}

// Path gives the file's absolute path, or "" if u was not made by this package.
func (u DocumentURI) Path() string {
	path, err := pathFromURI(string(u), runtime.GOOS == "windows")
	if err != nil {
		return ""
	}
	return path
}

func pathFromURI(raw string, windows bool) (string, error) {
	if windows {
		raw = hostInPath(raw)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return "", fmt.Errorf("malformed URI: %w", err)
	}
	if u.Scheme != "file" {
		return "", fmt.Errorf("URI scheme %q is not file", u.Scheme)
	}
	p := u.Path
	if !strings.HasPrefix(p, "/") {
		return "", fmt.Errorf("file URI without an absolute path")
	}
	if strings.ContainsRune(p, 0) {
		return "", fmt.Errorf("file URI with a NUL byte")
	}
	if u.Host != "" && u.Host != "localhost" {
		if !windows {
			return "", fmt.Errorf("file URI names the host %q", u.Host)
		}
		p = "//" + u.Host + p
	}
	if windows {
		return windowsPath(p), nil
	}
	return path.Clean(p), nil
}

// hostInPath moves a URI's host to the front of its path: url.Parse refuses an
// escape in a host, as in wsl%24.
func hostInPath(raw string) string {
	rest, ok := strings.CutPrefix(raw, "file://")
	host, _, hasPath := strings.Cut(rest, "/")
	if !ok || !hasPath || host == "" || host == "localhost" {
		return raw
	}
	return "file:////" + rest
}

// windowsPath gives the path of a URI, with its host in front if it has one,
// as Windows writes it, without dots.
func windowsPath(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	share := strings.HasPrefix(p, "//")
	p = path.Clean(p)
	switch {
	case share:
		p = "/" + p
	case hasDrive(p[1:]):
		p = strings.ToUpper(p[1:2]) + p[2:]
		if len(p) == len("C:") {
			p += "/"
		}
	}
	return strings.ReplaceAll(p, "/", `\`)
}

func hasDrive(path string) bool {
	if len(path) < 2 || path[1] != ':' {
		return false
	}
	c := path[0] | 0x20
	return 'a' <= c && c <= 'z'
}

func escapePath(path string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		if unreserved(c) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}

func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte("-._~/", c) >= 0
}

// UnmarshalText puts every URI that a server sends into the one spelling. A
// URI that is not a file's is kept as it came: Path gives "" for it, and the
// caller reports it as outside the workspace.
func (u *DocumentURI) UnmarshalText(text []byte) error {
	parsed, err := ParseURI(string(text))
	if err != nil {
		*u = DocumentURI(text)
		return nil
	}
	*u = parsed
	return nil
}
