package cli

import (
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"mcpls/internal/bug"
)

// Bounds of a log that nobody reads.
const (
	maxQueuedLines = 1000
	flushTimeout   = time.Second // at the end of the program
)

// patientLog writes log lines to a stream that may not be read: a client that
// does not read stderr must not stop mcpls. Lines past the queue are dropped,
// and counted when there is room again.
type patientLog struct {
	w       io.Writer
	lines   chan []byte
	dropped atomic.Int64
	stop    chan struct{}
	stopped chan struct{}
}

func newPatientLog(w io.Writer) *patientLog {
	p := &patientLog{
		w: w, lines: make(chan []byte, maxQueuedLines),
		stop: make(chan struct{}), stopped: make(chan struct{}),
	}
	go p.run()
	return p
}

// Write implements io.Writer for a slog handler: one call is one line.
func (p *patientLog) Write(line []byte) (int, error) {
	select {
	case p.lines <- slices.Clone(line):
	default:
		p.dropped.Add(1)
	}
	return len(line), nil
}

// close writes what is queued, if somebody reads it in time. It is called once;
// what is logged later is lost.
func (p *patientLog) close() {
	close(p.stop)
	select {
	case <-p.stopped:
	case <-time.After(flushTimeout): // the stream is stuck, and its goroutine with it
	}
}

func (p *patientLog) run() {
	defer bug.Exit()
	defer close(p.stopped)
	for {
		select {
		case line := <-p.lines:
			p.write(line)
			continue
		default:
		}
		select {
		case line := <-p.lines:
			p.write(line)
		case <-p.stop:
			return
		}
	}
}

func (p *patientLog) write(line []byte) {
	if n := p.dropped.Swap(0); n > 0 {
		line = append(fmt.Appendf(nil, "(%d log lines were dropped: stderr was not read)\n", n), line...)
	}
	// A log that cannot be written has nowhere to say so.
	_, _ = p.w.Write(line)
}
