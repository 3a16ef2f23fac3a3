package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestPatientLog writes more than the queue holds to a stream that nobody
// reads: nothing blocks, and the reader learns what it has missed.
func TestPatientLog(t *testing.T) {
	reader, writer := io.Pipe()
	p := newPatientLog(writer)
	const lines = 3 * maxQueuedLines
	for i := range lines {
		if _, err := fmt.Fprintf(p, "line %d\n", i); err != nil {
			t.Fatal(err)
		}
	}
	var got bytes.Buffer
	read := make(chan error)
	go func() {
		_, err := io.Copy(&got, reader)
		read <- err
	}()
	p.close()
	writer.Close()
	if err := <-read; err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(got.String(), "\nline "); n < maxQueuedLines-1 || n > maxQueuedLines+2 {
		t.Errorf("%d lines were written", n)
	}
	if !strings.Contains(got.String(), "log lines were dropped") {
		t.Error("the loss is not told")
	}
}
