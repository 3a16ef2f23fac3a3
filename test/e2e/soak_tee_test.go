package e2e_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The environment of a tee: this test binary, which stands between mcpls and a
// real server and writes how many documents are open in the server. It goes by
// the server's name, since mcpls knows servers by it.
const (
	teeEnv     = "MCPLS_E2E_TEE"      // the real server
	teeOpenEnv = "MCPLS_E2E_TEE_OPEN" // the file that the number is written to
)

// tee is one run of the other side.
func tee() {
	program := os.Getenv(teeEnv)
	if program == "" {
		return
	}
	cmd := exec.Command(program, os.Args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	count := func(open int) {
		if err := os.WriteFile(os.Getenv(teeOpenEnv), []byte(strconv.Itoa(open)), 0o600); err != nil {
			panic(err)
		}
	}
	count(0)
	if err := countOpen(os.Stdin, stdin, count); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, err)
	}
	stdin.Close()
	_ = cmd.Wait() // the exit code tells
	os.Exit(cmd.ProcessState.ExitCode())
}

// countOpen passes frames on and tells the number of open documents when it
// changes.
func countOpen(from io.Reader, to io.Writer, count func(int)) error {
	r := bufio.NewReader(from)
	open := 0
	for {
		header, err := r.ReadString('\n')
		if err != nil {
			return err
		}
		length, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(header, "Content-Length:")))
		if err != nil {
			return err
		}
		body := make([]byte, length+len("\r\n"))
		if _, err := io.ReadFull(r, body); err != nil {
			return err
		}
		if _, err := to.Write(append([]byte(header), body...)); err != nil {
			return err
		}
		switch head := body[:min(len(body), 100)]; {
		case bytes.Contains(head, []byte(`"textDocument/didOpen"`)):
			open++
			count(open)
		case bytes.Contains(head, []byte(`"textDocument/didClose"`)):
			open--
			count(open)
		}
	}
}

// teeOf gives a command that is a server with a tee before it, and the
// environment of its entry.
func teeOf(t *testing.T, server string) (command, env, open string) {
	t.Helper()
	dir := t.TempDir()
	command, open = filepath.Join(dir, server), filepath.Join(dir, "open")
	if err := os.Symlink(fakePath, command); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(needServer(t, server))
	if err != nil {
		t.Fatal(err)
	}
	return command, fmt.Sprintf(`{ %s = %q, %s = %q }`, teeEnv, real, teeOpenEnv, open), open
}
