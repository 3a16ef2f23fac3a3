// Package workspace is the documents on disk: which file an address names,
// which language it is in, what its text is now.
package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"mcpls/internal/lsp/protocol"
	"mcpls/internal/quote"
	"mcpls/internal/roots"
)

// Options are the settings of a workspace.
type Options struct {
	Roots *roots.Set
	// Extensions maps a file extension without its dot to a language id, on
	// top of the built-in table.
	Extensions map[string]string
	// MaxFileSize bounds what Load reads, in bytes; 0 is no bound.
	MaxFileSize int64
	// MaxDepth bounds how deep beneath a root a marker is looked for.
	MaxDepth int
}

// Workspace reads files beneath its roots. It is safe for concurrent use.
type Workspace struct {
	roots     *roots.Set
	languages map[string]string
	maxSize   int64
	maxDepth  int
	cache     cache
	lastTree  atomic.Pointer[Tree] // shares its unchanged parts with the next
}

// New makes a workspace; it reads nothing yet.
func New(opts Options) *Workspace {
	return &Workspace{
		roots:     opts.Roots,
		languages: languageTable(opts.Extensions),
		maxSize:   opts.MaxFileSize,
		maxDepth:  opts.MaxDepth,
	}
}

// Roots gives the canonical root directories.
func (w *Workspace) Roots() []string { return w.roots.Dirs() }

// Document is a file beneath a root.
type Document struct {
	Path     string // canonical
	Root     string // the root that holds it
	Language string // language id, "" when the extension is not known
}

// URI is the document's URI.
func (d Document) URI() protocol.DocumentURI { return protocol.URIFromPath(d.Path) }

// Rel is the path relative to the root, with slashes.
func (d Document) Rel() string { return relative(d.Root, d.Path) }

// PathError is a file path that cannot be used, with what to do about it.
type PathError struct {
	Path string // as it was given
	Err  error
	Hint string
}

// maxShownPath is where a path is cut in an error: no system takes a longer one.
const maxShownPath = 4 << 10

func (e *PathError) Error() string {
	msg := fmt.Sprintf("file_path %q: %v", quote.Cut(e.Path, maxShownPath), e.Err)
	if e.Hint != "" {
		msg += "; " + e.Hint
	}
	return msg
}

func (e *PathError) Unwrap() error { return e.Err }

// Find resolves a path, absolute or relative to the one root that holds it.
// The error is a *PathError. The file is not opened.
func (w *Workspace) Find(path string) (Document, error) {
	if path == "" {
		return Document{}, &PathError{Path: path, Err: errors.New("empty"), Hint: w.pathHint()}
	}
	full, err := w.absolute(path)
	if err != nil {
		return Document{}, err
	}
	canonical, root, err := w.roots.Resolve(full)
	if err != nil {
		return Document{}, w.pathError(path, err)
	}
	if info, err := os.Stat(canonical); err == nil && info.IsDir() {
		return Document{}, &PathError{Path: path, Err: errors.New("a directory"), Hint: "give a file in it"}
	}
	return Document{Path: canonical, Root: root, Language: w.language(canonical)}, nil
}

// Contains gives the document of a path that a server named, if it lies beneath
// a root with every link resolved. The file need not exist: then its nearest
// directory that does decides.
func (w *Workspace) Contains(path string) (Document, bool) {
	if !filepath.IsAbs(path) {
		return Document{}, false
	}
	canonical := resolveExisting(filepath.Clean(path))
	root, ok := w.roots.Of(canonical)
	if !ok {
		return Document{}, false
	}
	return Document{Path: canonical, Root: root, Language: w.language(canonical)}, true
}

func resolveExisting(path string) string {
	if canonical, err := filepath.EvalSymlinks(path); err == nil {
		return canonical
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(resolveExisting(dir), filepath.Base(path))
}

func (w *Workspace) absolute(path string) (string, error) {
	if strings.HasPrefix(path, "file://") { // some models give the URI
		uri, err := protocol.ParseURI(path)
		if err != nil {
			return "", &PathError{Path: path, Err: err}
		}
		return uri.Path(), nil
	}
	if filepath.IsAbs(path) {
		return path, nil
	}
	var found []string
	for _, root := range w.roots.Dirs() {
		full := filepath.Join(root, path)
		// Roots side by side join a path that begins with .. to the same file.
		if _, err := os.Lstat(full); err == nil && !slices.Contains(found, full) {
			found = append(found, full)
		}
	}
	switch len(found) {
	case 0:
		return "", w.pathError(path, fs.ErrNotExist)
	case 1:
		return found[0], nil
	}
	return "", &PathError{
		Path: path, Err: errors.New("more than one root holds it"),
		Hint: "give an absolute path: " + strings.Join(found, ", "),
	}
}

func (w *Workspace) pathError(path string, err error) *PathError {
	e := &PathError{Path: path, Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Err = errors.New("no such file")
		e.Hint = w.pathHint()
	case errors.Is(err, errTooLarge):
		e.Hint = "raise it to ask about such files"
	case errors.Is(err, roots.ErrOutside):
		e.Hint = "the roots are " + w.rootList()
	}
	return e
}

func (w *Workspace) pathHint() string {
	return "give an absolute path, or one relative to " + w.rootList()
}

func (w *Workspace) rootList() string { return strings.Join(w.roots.Dirs(), ", ") }

func relative(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}
