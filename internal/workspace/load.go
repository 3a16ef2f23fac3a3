package workspace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
	"unicode/utf8"

	"mcpls/internal/lsp/protocol"
)

// settle is how long a file's times must lie in the past before they are
// trusted to change with its next write: two seconds is the coarsest
// granularity of the file systems in use (FAT), and git's own rule for an
// index that is racily clean.
const settle = 2 * time.Second

// stamp is what stat says of a file's content without reading it.
type stamp struct {
	size         int64
	mtime, ctime int64 // nanoseconds since 1970
	inode        uint64
}

// file is a text as it was read.
type file struct {
	stamp   stamp
	settled bool // the times were older than settle when it was read
	text    *protocol.Mapper
}

// Load gives the text of a file beneath a root as it is on disk now. While the
// file is unchanged it gives the same *Mapper again without reading: size,
// mtime, ctime and inode decide, and the content does while one of the times
// is too young to trust. The error is a *PathError.
func (w *Workspace) Load(path string) (*protocol.Mapper, error) {
	known := w.cache.get(path)
	f, err := w.load(path, known)
	if err != nil {
		w.cache.drop(path)
		return nil, w.pathError(path, err)
	}
	w.cache.put(path, f)
	return f.text, nil
}

func (w *Workspace) load(path string, known *file) (*file, error) {
	handle, err := w.roots.Open(path)
	if err != nil {
		return nil, err
	}
	defer handle.Close()
	now := time.Now()
	info, err := handle.Stat()
	if err != nil {
		return nil, err
	}
	at := stampOf(info)
	if known != nil && known.settled && known.stamp == at {
		return known, nil
	}
	text, err := w.read(handle)
	if err != nil {
		return nil, err
	}
	f := &file{stamp: at, settled: at.settledBy(now)}
	if known != nil && known.text.Text == text {
		f.text = known.text
		return f, nil
	}
	f.text = protocol.NewMapper(text)
	return f, nil
}

func (s stamp) settledBy(now time.Time) bool {
	limit := now.Add(-settle).UnixNano()
	return s.mtime < limit && s.ctime < limit
}

var (
	errTooLarge = errors.New("larger than workspace.max_file_size")
	errNotText  = errors.New("not UTF-8 text")
)

func (w *Workspace) read(handle *os.File) (string, error) {
	var r io.Reader = handle
	if w.maxSize > 0 {
		r = io.LimitReader(handle, w.maxSize+1)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return "", err
	}
	if w.maxSize > 0 && int64(len(data)) > w.maxSize {
		return "", fmt.Errorf("%w (%d bytes)", errTooLarge, w.maxSize)
	}
	if !utf8.Valid(data) {
		return "", errNotText
	}
	return string(data), nil
}
