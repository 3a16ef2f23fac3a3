//go:build unix

package config

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Opening a FIFO waits for a writer: both must be refused before.
func TestFIFO(t *testing.T) {
	w := newWorld(t)
	project, named := filepath.Join(w.workspace, FileName), filepath.Join(w.other, "fifo")
	for _, path := range []string{project, named} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg := w.load(w.sources())
	expectServers(t, cfg)
	expectWarning(t, cfg, project, "not a regular file")
	_, err := Load(Sources{Flag: named, WorkDir: w.other})
	if want := named + ": cannot be read: not a regular file"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}
