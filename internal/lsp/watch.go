package lsp

import (
	"context"
	"encoding/json"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"mcpls/internal/lsp/protocol"
)

const watchMethod = "workspace/didChangeWatchedFiles"

// maxWatchers bounds the globs that a server may register, in all. Each is held
// against each file that has changed; a server that wants more is told of all.
const maxWatchers = 1000

// watcher is one glob of files whose changes a server wants to be told.
type watcher struct {
	pattern string // LSP 3.17, Pattern
	base    string // directory that it is relative to; "": each workspace folder
	kinds   int    // 1 created, 2 changed, 4 deleted; 0 is all
}

// watchers reads the options of a registration of workspace/didChangeWatchedFiles.
func watchers(raw json.RawMessage) []watcher {
	var options struct {
		Watchers []struct {
			GlobPattern json.RawMessage `json:"globPattern"`
			Kind        int             `json:"kind"`
		} `json:"watchers"`
	}
	// A malformed registration watches nothing, which is what the server gets.
	_ = json.Unmarshal(raw, &options)
	var list []watcher
	for _, w := range options.Watchers {
		pattern, base := glob(w.GlobPattern)
		if pattern != "" && cheap(pattern) && doublestar.ValidatePattern(pattern) && len(list) < maxWatchers {
			list = append(list, watcher{pattern, base, w.Kind})
		}
	}
	return list
}

// cheap reports whether a pattern can be matched in reasonable time: each brace
// multiplies the ways to match.
func cheap(pattern string) bool {
	return len(pattern) <= 1024 && strings.Count(pattern, "{") <= 3 && strings.Count(pattern, "**") <= 4
}

// glob reads a GlobPattern: a pattern, or one relative to a base that is a URI
// or a workspace folder.
func glob(raw json.RawMessage) (pattern, base string) {
	if json.Unmarshal(raw, &pattern) == nil {
		return pattern, ""
	}
	var relative struct {
		BaseURI json.RawMessage `json:"baseUri"`
		Pattern string          `json:"pattern"`
	}
	var folder protocol.WorkspaceFolder
	if json.Unmarshal(raw, &relative) != nil {
		return "", ""
	}
	if json.Unmarshal(relative.BaseURI, &folder.URI) != nil && json.Unmarshal(relative.BaseURI, &folder) != nil {
		return "", ""
	}
	return relative.Pattern, folder.URI.Path()
}

// wants reports whether the watcher is about a file, and about this kind of
// change of it.
func (w watcher) wants(folders []string, path string, kind int) bool {
	if w.kinds != 0 && w.kinds&(1<<(kind-1)) == 0 {
		return false
	}
	if strings.HasPrefix(w.pattern, "/") {
		return matches(w.pattern, filepath.ToSlash(path))
	}
	if w.base != "" {
		folders = []string{w.base}
	}
	for _, folder := range folders {
		rel, err := filepath.Rel(folder, path)
		if err == nil && filepath.IsLocal(rel) && matches(w.pattern, filepath.ToSlash(rel)) {
			return true
		}
	}
	return false
}

func matches(pattern, path string) bool {
	ok, err := doublestar.Match(pattern, path)
	return ok && err == nil
}

// Watches reports whether the server wants to be told of changed files.
func (s *Session) Watches() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.capabilities.watchers) > 0
}

// FileChange is a change of a file on disk. Type is that of protocol.FileEvent.
type FileChange struct {
	Path string
	Type int
}

// maxEvents bounds the changes of one notification. A checkout changes tens of
// thousands of files: they are told in few notifications, each of which fits in
// memory twice.
const maxEvents = 2000

// FilesChanged tells the server of changes on disk, those that it wants to
// know.
func (s *Session) FilesChanged(ctx context.Context, changes iter.Seq[FileChange]) error {
	list := s.watching()
	var wanted []protocol.FileEvent
	changed := false
	for change := range changes {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		changed = true
		isWanted := func(w watcher) bool { return w.wants(s.opts.Folders, change.Path, change.Type) }
		if slices.ContainsFunc(list, isWanted) {
			wanted = append(wanted, protocol.FileEvent{URI: protocol.URIFromPath(change.Path), Type: change.Type})
		}
		if len(wanted) == maxEvents {
			if err := s.tellFiles(wanted); err != nil {
				return err
			}
			wanted = wanted[:0]
		}
	}
	if changed {
		s.mu.Lock()
		s.checks.stale = true
		s.docs.epoch++
		s.mu.Unlock()
	}
	if len(wanted) == 0 {
		return nil
	}
	return s.tellFiles(wanted)
}

// watching gives the globs of the server.
func (s *Session) watching() []watcher {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []watcher
	for _, watched := range s.capabilities.watchers {
		list = append(list, watched...)
	}
	if len(list) > maxWatchers {
		return []watcher{{pattern: "**"}}
	}
	return list
}

func (s *Session) tellFiles(events []protocol.FileEvent) error {
	return s.notify(watchMethod, protocol.DidChangeWatchedFilesParams{Changes: events})
}

// Touch asks about the beginning of a file that need not be open, and drops the
// answer: a server may load a file only when it is asked about it.
func (s *Session) Touch(ctx context.Context, path string) error {
	_, err := s.Hover(ctx, protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: protocol.URIFromPath(path)},
	})
	return err
}
