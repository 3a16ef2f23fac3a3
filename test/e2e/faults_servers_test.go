package e2e_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

const publishOne = `textDocument/publishDiagnostics {"uri": "file:///x", "diagnostics": []}`

// serverFaults are servers that misbehave, each in a mcpls of its own beside a
// good one.
func serverFaults(release string) []fault {
	played := func(command, script, more string) func(*testing.T) (string, int) {
		return func(t *testing.T) (string, int) {
			c := startScene(t, release, command, script, more, setup{})
			resetPeak(t, c.cmd.Process.Pid)
			saw := outcome(c.try("get_hover", atAlpha))
			c.checkWell()
			return saw, peakOf(t, c.cmd.Process.Pid)
		}
	}
	hover := func(steps ...string) func(*testing.T) (string, int) {
		return played(fakePath, capable+"on textDocument/hover\n"+strings.Join(steps, "\n"), "request_timeout_seconds = 1")
	}
	started := func(steps ...string) func(*testing.T) (string, int) {
		return played(fakePath, capable+"on initialized\n"+strings.Join(steps, "\n")+"\non textDocument/hover\nreply {\"contents\": \"answered\"}", "request_timeout_seconds = 20")
	}
	const answer = `reply {"contents": "answered"}`
	return []fault{
		{name: "not installed", play: played("/nowhere/server", "", ""), want: `?`},
		{name: "not a program", play: played("/etc/passwd", "", ""), want: `?`},
		{name: "exits at once", play: played("/bin/false", "", ""), want: `?`},
		{name: "exits in initialize", play: played(fakePath, "on initialize\nstderr no licence found\nexit 9", ""), want: `?`},
		{name: "hangs in initialize", play: played(fakePath, "on initialize\nsilent", "timeout_seconds = 1"), want: `?`},
		{name: "says no to initialize", play: played(fakePath, "on initialize\nfail -32002 not today", ""), want: `?`},
		{name: "answers initialize with a number", play: played(fakePath, "on initialize\nreply 7", ""), want: `?`},
		{name: "sends half a frame and ends", play: hover(`raw "Content-Length: 100\r\n\r\n{"`, "exit 3"), want: `?`},
		{name: "sends half a frame and waits", play: hover(`raw "Content-Length: 100\r\n\r\n{"`), want: `?`},
		{name: "claims 2 GiB", play: hover(`raw "Content-Length: 2147483648\r\n\r\n{"`), want: `?`},
		{name: "claims a length of 19 digits", play: hover(`raw "Content-Length: 9223372036854775807\r\n\r\n{"`), want: `?`},
		{name: "claims 64 MiB and waits", play: hover(`raw "Content-Length: 67108864\r\n\r\n{"`), want: `?`},
		{name: "sends an endless header", play: hover(`endless "X: y\r\n"`), want: `?`},
		{name: "sends an endless line", play: hover(`endless "xxxxxxxxxxxxxxxx"`), want: `?`},
		{name: "prints on stdout", play: hover(`raw "starting up\n"`, answer), want: `?`},
		{name: "sends invalid JSON", play: hover(`frame "{nope}"`), want: `?`},
		{name: "sends JSON of 100,000 levels", play: hover(`frame "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":` + strings.Repeat("[", 100_000) + `"`), want: `?`},
		{name: "sends invalid UTF-8", play: hover(`frame "\"\xff\""`), want: `?`},
		{name: "replies to nothing", play: hover(`frame "{\"jsonrpc\":\"2.0\",\"id\":999,\"result\":null}"`), want: `?`},
		{name: "replies twice", play: hover(answer, answer), want: `?`},
		{name: "asks with id 0", play: asksUs(release, `{"jsonrpc":"2.0","id":0,"method":"workspace/configuration","params":{"items":[{}]}}`, "0"), want: `?`},
		{name: "asks with a string id", play: asksUs(release, `{"jsonrpc":"2.0","id":"x y","method":"workspace/configuration","params":{"items":[{}]}}`, "x y"), want: `?`},
		{name: "asks what we do not know", play: asksUs(release, `{"jsonrpc":"2.0","id":5,"method":"made/up"}`, "5"), want: `?`},
		{name: "asks with a null id", play: hover(`frame "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"made/up\"}"`), want: `?`},
		{name: "sends 100,000 log messages", play: started(`flood 100000 window/logMessage {"type": 3, "message": "again"}`), want: `?`},
		{name: "begins 100,000 progresses", play: started(`flood 100000 $/progress {"token": "t", "value": {"kind": "begin", "title": "again"}}`), want: `?`},
		{name: "publishes 100,000 times", play: started("flood 100000 " + publishOne), want: `?`},
		{name: "publishes 200 files of 1 MiB", play: started(publishMany(200)...), want: `?`},
		{name: "sends notifications we do not know", play: started("flood 100000 made/up {}"), want: `?`},
		{name: "answers with 63 MiB", play: played(fakePath, capable+"on textDocument/hover\nreply {\"contents\": \"$PAD{66060288}\"}", ""), want: `?`},
		{name: "answers with more than 64 MiB", play: hover(`reply {"contents": "$PAD{67108864}"}`), want: `?`},
		{name: "fails with a message of 60 MiB", play: played(fakePath, capable+"on textDocument/hover\nfail -32803 $PAD{62914560}", ""), want: `?`},
		{name: "writes 60 MiB to stderr", play: hover(`stderr $PAD{62914560}`, answer), want: `?`},
		{name: "answers with the wrong shape", play: hover(`reply [1, 2]`), want: `?`},
		{name: "does not answer", play: hover("silent"), want: `?`},
		{name: "reads nothing any more", play: deaf(release), want: `?`},
		{name: "crashes in the middle of a call", play: hover("stderr out of cheese", "exit 7"), want: `?`},
		{name: "leaves a grandchild", play: hover("grandchild", "exit 7"), want: `?`},
		{name: "does not answer shutdown", play: stubborn(release), want: `?`},
	}
}

// publishMany publishes a diagnostic of 1 MiB for each of n files.
func publishMany(n int) []string {
	var steps []string
	for i := range n {
		steps = append(steps, fmt.Sprintf(`notify textDocument/publishDiagnostics {"uri": "file:///%d", "diagnostics": [`+
			`{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}, "message": "$PAD{1048576}"}]}`, i))
	}
	return steps
}

// asksUs plays a server that sends a request before it answers, and tells how
// mcpls answered that.
func asksUs(release, request, id string) func(*testing.T) (string, int) {
	return func(t *testing.T) (string, int) {
		c := startScene(t, release, fakePath, capable+fmt.Sprintf("on textDocument/hover\nframe %q\nreply {\"contents\": \"answered\"}", request), "", setup{})
		saw := outcome(c.try("get_hover", atAlpha))
		c.checkWell()
		peak := peakOf(t, c.cmd.Process.Pid)
		for _, m := range c.received() {
			if m.Method == "" && fmt.Sprint(m.ID) == id {
				_, saw, _ = strings.Cut(saw, "\n")
				return fmt.Sprintf("%s; the server was answered: %s%s", saw, m.Result, m.errorText()), peak
			}
		}
		return saw + "; the server was not answered", peak
	}
}

// deaf plays a server that stops reading before it is sent a document that is
// longer than a pipe is.
func deaf(release string) func(*testing.T) (string, int) {
	return func(t *testing.T) (string, int) {
		c := startScene(t, release, fakePath, capable+"on initialized\ndeaf", "request_timeout_seconds = 1", setup{})
		write(t, filepath.Join(c.cmd.Dir, "a.txt"), "alpha\n"+strings.Repeat("x", 1<<20))
		saw := outcome(c.try("get_hover", atAlpha))
		c.checkWell()
		return saw, peakOf(t, c.cmd.Process.Pid)
	}
}

// stubborn plays a server that does not end by itself.
func stubborn(release string) func(*testing.T) (string, int) {
	return func(t *testing.T) (string, int) {
		c := startScene(t, release, fakePath, capable+"on shutdown\ndeaf", "", setup{})
		c.ask("get_hover", atAlpha)
		peak := peakOf(t, c.cmd.Process.Pid)
		c.close() // which holds that nothing is left
		return fmt.Sprintf("mcpls ended with %s, nothing left", c.cmd.ProcessState), peak
	}
}
