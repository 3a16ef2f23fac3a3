package process

import (
	"bytes"
	"os"
	"sync"
	"time"

	"mcpls/internal/bug"
)

// Bounds of what is kept of stderr: enough for a stack's first lines in an
// error message, not so much that it drowns the message.
const (
	tailBytes = 4096
	tailLines = 20
)

// drainTime bounds the reading of what is left when the process is gone. It is
// used up only where a process outside the group holds the pipe.
const drainTime = 200 * time.Millisecond

// tail keeps the end of what is written to a pipe.
type tail struct {
	pipe *os.File
	done chan struct{}

	mu   sync.Mutex
	last []byte
}

// readTail reads a pipe to its end, so that whoever writes to it never blocks.
func readTail(pipe *os.File) *tail {
	t := &tail{pipe: pipe, done: make(chan struct{})}
	go t.read()
	return t
}

func (t *tail) read() {
	defer bug.Exit()
	defer close(t.done)
	buffer := make([]byte, tailBytes)
	for {
		n, err := t.pipe.Read(buffer)
		t.mu.Lock()
		t.last = append(t.last, buffer[:n]...)
		if extra := len(t.last) - tailBytes; extra > 0 {
			t.last = append(t.last[:0], t.last[extra:]...)
		}
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// close ends the reading once all that was written has been read. Something
// outside the group may still hold the pipe: it is not waited for.
func (t *tail) close() {
	// A pipe without deadlines is closed at once; what it still held is lost.
	if t.pipe.SetReadDeadline(time.Now().Add(drainTime)) != nil {
		t.pipe.Close()
	}
	<-t.done
	t.pipe.Close()
}

// String gives the last whole lines, or the end of a line that is longer than
// what is kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := bytes.TrimRight(t.last, "\r\n")
	if len(t.last) == tailBytes { // the first line is cut
		if _, rest, more := bytes.Cut(text, []byte("\n")); more {
			text = rest
		}
	}
	lines := bytes.Split(text, []byte("\n"))
	if extra := len(lines) - tailLines; extra > 0 {
		lines = lines[extra:]
	}
	return string(bytes.Join(lines, []byte("\n")))
}
