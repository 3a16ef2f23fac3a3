package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	manyFiles      = 50_000
	manyFilesBytes = 20 << 20 // that they may cost
	// descriptorBound is what docs/design.md promises: the pipes of a client and
	// of one server, the runtime's own, and the file that is read.
	descriptorBound = 32
)

// TestManyFiles holds the cost of a large workspace, after questions about all
// of it: memory and descriptors. It measures a program without the race
// detector, which takes memory of its own.
func TestManyFiles(t *testing.T) {
	program := filepath.Join(t.TempDir(), "mcpls")
	if out, err := exec.Command("go", "build", "-o", program, "mcpls/cmd/mcpls").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	before := mcplsPath
	mcplsPath = program
	defer func() { mcplsPath = before }()

	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.txt"), "alpha\n")
	smallMemory, smallFiles := costOfQuestions(t, dir)
	for i := range manyFiles {
		sub := filepath.Join(dir, fmt.Sprintf("d%d", i%50), fmt.Sprintf("e%d", i%500))
		if i < 500 {
			must(t, os.MkdirAll(sub, 0o700))
		}
		write(t, filepath.Join(sub, fmt.Sprintf("some_file_%d.txt", i)), "")
	}
	memory, files := costOfQuestions(t, dir)
	t.Logf("%d files: %d KiB more, %d descriptors (%d with one file)", manyFiles, (memory-smallMemory)>>10, files, smallFiles)
	if memory-smallMemory > manyFilesBytes || files > descriptorBound {
		t.Errorf("%d bytes more, %d descriptors", memory-smallMemory, files)
	}
}

// costOfQuestions asks about the workspace a few times, with a file that comes
// in between, and gives the peak of memory in bytes and the open descriptors.
func costOfQuestions(t *testing.T, dir string) (memory, descriptors int) {
	t.Helper()
	f := startFake(t, capable+`
on initialized
	request client/registerCapability {"registrations": [{"id": "w", "method": "workspace/didChangeWatchedFiles", "registerOptions": {"watchers": [{"globPattern": "**/*"}]}}]}
`, "", setup{dir: dir})
	for i := range 8 {
		write(t, filepath.Join(dir, "new.txt"), strings.Repeat("x", i))
		f.ask("get_references", args{"file_path": "a.txt", "line": 1, "text": "alpha"})
	}
	proc := fmt.Sprintf("/proc/%d/", f.cmd.Process.Pid)
	status, err := os.ReadFile(proc + "status")
	must(t, err)
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	must(t, err)
	fds, err := os.ReadDir(proc + "fd")
	must(t, err)
	f.close()
	must(t, os.Remove(filepath.Join(dir, "new.txt")))
	return kib << 10, len(fds)
}
