package e2e_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const publishOne = `textDocument/publishDiagnostics {"uri": "file:///x", "diagnostics": []}`

// threefold is for a message of the greatest length, in MiB: as it arrives, as
// its parts, and as the text that they are.
const threefold = 400

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
		return played(fakePath, capable+"on textDocument/hover\n"+strings.Join(steps, "\n"), "")
	}
	inVain := func(steps ...string) func(*testing.T) (string, int) {
		return played(fakePath, capable+"on textDocument/hover\n"+strings.Join(steps, "\n"), "request_timeout_seconds = 1")
	}
	started := func(steps ...string) func(*testing.T) (string, int) {
		return played(fakePath, capable+"on initialized\n"+strings.Join(steps, "\n")+"\non textDocument/hover\nreply {\"contents\": \"answered\"}", "request_timeout_seconds = 20")
	}
	lost := func(why string) string { return `-32054 server "text" ended while it was asked: ` + why }
	failed := func(why string) string {
		return fmt.Sprintf(`-32603 server "text" (%s) failed to start: %s`, fakePath, why)
	}
	const (
		late = `-32603 server "text" did not answer within 1s; if it goes on so, restart_server starts it anew`
		well = "alpha (a.txt:1:1)\nanswered"
	)
	const answer = `reply {"contents": "answered"}`
	return []fault{
		{name: "not installed", play: played("/nowhere/server", "", ""), want: "-32055 server \"text\" was not started: the program \"/nowhere/server\" is not installed: it was not found\ninstall it, or give its absolute path as command"},
		{name: "not a program", play: played("/etc/passwd", "", ""), want: "-32055 server \"text\" was not started: the program \"/etc/passwd\" is not installed: it was not found\ninstall it, or give its absolute path as command"},
		{name: "exits at once", play: played("/bin/false", "", ""), want: "-32603 server \"text\" (/bin/false) failed to start: initialize: the server closed the connection\nit ended with exit status 1"},
		{name: "exits in initialize", play: played(fakePath, "on initialize\nstderr no licence found\nexit 9", ""), want: failed("initialize: the server closed the connection\nit ended with exit status 9\nits last words on stderr:\n    no licence found")},
		{name: "hangs in initialize", play: played(fakePath, "on initialize\nsilent", "timeout_seconds = 1"), want: failed("no answer to initialize within 1s, the timeout_seconds of its entry")},
		{name: "says no to initialize", play: played(fakePath, "on initialize\nfail -32002 not today", ""), want: failed("initialize: not today")},
		{name: "answers initialize with a number", play: played(fakePath, "on initialize\nreply 7", ""), want: failed("initialize: its answer to initialize is not of the shape that the protocol has: number at /")},
		// The end is seen as half a message, or by what is written to the server.
		{name: "sends half a frame and ends", play: hover(`raw "Content-Length: 100\r\n\r\n{"`, "exit 3"), want: lost("the ")},
		{name: "sends half a frame and waits", play: inVain(`raw "Content-Length: 100\r\n\r\n{"`), want: late},
		{name: "claims 2 GiB", play: hover(`raw "Content-Length: 2147483648\r\n\r\n{"`), want: lost("the connection to the server ended: Content-Length \"2147483648\" is no number of bytes up to 67108864")},
		{name: "claims a length of 19 digits", play: hover(`raw "Content-Length: 9223372036854775807\r\n\r\n{"`), want: lost("the connection to the server ended: Content-Length \"9223372036854775807\" is no number of bytes up to 67108864")},
		{name: "claims 64 MiB and waits", play: inVain(`raw "Content-Length: 67108864\r\n\r\n{"`), want: late},
		{name: "sends an endless header", play: hover(`endless "X: y\r\n"`), want: lost("the connection to the server ended: header block is longer than 8192 bytes")},
		{name: "sends an endless line", play: hover(`endless "xxxxxxxxxxxxxxxx"`), want: lost("the connection to the server ended: header block is longer than 8192 bytes")},
		{name: "prints on stdout", play: hover(`raw "starting up\n"`, answer), want: lost("the connection to the server ended: header line \"starting up\" has no colon")},
		{name: "sends invalid JSON", play: hover(`frame "{nope}"`), want: lost("the connection to the server ended: message body does not decode: \"invalid character 'n' looking for beginning")},
		{name: "sends JSON of 100,000 levels", play: hover(`frame "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":` + strings.Repeat("[", 100_000) + `"`), want: lost("the connection to the server ended: message body does not decode: \"invalid character '[' exceeded max depth")},
		{name: "sends invalid UTF-8", play: hover(`frame "\"\xff\""`), want: lost("the connection to the server ended: message body is not valid UTF-8")},
		{name: "replies to nothing", play: hover(`frame "{\"jsonrpc\":\"2.0\",\"id\":999,\"result\":null}"`), want: lost("the connection to the server ended: reply to nothing: no call has id \"999\"")},
		{name: "replies twice", play: hover(answer, answer), want: well},
		{name: "asks with id 0", play: asksUs(release, `{"jsonrpc":"2.0","id":0,"method":"workspace/configuration","params":{"items":[{}]}}`, "0"), want: "answered; the server was answered: [null]"},
		{name: "asks with a string id", play: asksUs(release, `{"jsonrpc":"2.0","id":"x y","method":"workspace/configuration","params":{"items":[{}]}}`, "x y"), want: "answered; the server was answered: [null]"},
		{name: "asks what we do not know", play: asksUs(release, `{"jsonrpc":"2.0","id":5,"method":"made/up"}`, "5"), want: "answered; the server was answered: -32601 mcpls does not offer made/up"},
		{name: "asks with a null id", play: hover(`frame "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"made/up\"}"`), want: lost("the connection to the server ended: request id \"null\" is neither a string nor a number")},
		{name: "sends 100,000 log messages", play: started(`flood 100000 window/logMessage {"type": 3, "message": "again"}`), want: well},
		{name: "begins 100,000 progresses", play: started(`flood 100000 $/progress {"token": "t", "value": {"kind": "begin", "title": "again"}}`), want: well},
		{name: "publishes 100,000 times", play: started("flood 100000 " + publishOne), want: well},
		{name: "publishes 200 files of 1 MiB", play: started(many(200, `notify textDocument/publishDiagnostics {"uri": "file:///$N", "diagnostics": [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}, "message": "$PAD{1048576}"}]}`)...), want: well},
		{name: "publishes for 200 URIs of 1 MiB", play: started(many(200, `notify textDocument/publishDiagnostics {"uri": "file:///$N$PAD{1048576}", "diagnostics": []}`)...), want: well},
		{name: "begins 200 progresses with tokens of 1 MiB", play: started(many(200, `notify $/progress {"token": "$N$PAD{1048576}", "value": {"kind": "begin", "title": "x"}}`)...), want: well},
		{name: "sends notifications we do not know", play: started("flood 100000 made/up {}"), want: well},
		{name: "answers with 63 MiB", play: hover(`reply {"contents": "$PAD{66060288}"}`), want: "alpha (a.txt:1:1)\n\n[0 of 1 shown: the rest was cut at mcp.max_result_bytes; ask more narrowly]", most: threefold},
		{name: "answers with more than 64 MiB", play: hover(`reply {"contents": "$PAD{67108864}"}`), want: lost("the connection to the server ended: Content-Length \"67108914\" is no number of bytes up to 67108864")},
		{name: "fails with a message of 60 MiB", play: hover(`fail -32803 $PAD{62914560}`), want: "-32603 server \"text\": " + strings.Repeat("x", 8000), most: threefold},
		{name: "writes 60 MiB to stderr", play: hover(`stderr $PAD{62914560}`, answer), want: well},
		{name: "answers with the wrong shape", play: hover(`reply [1, 2]`), want: "-32603 server \"text\": its answer to textDocument/hover is not of the shape that the protocol has: array at /"},
		{name: "does not answer", play: inVain("silent"), want: late},
		{name: "reads nothing any more", play: deaf(release), want: late},
		{name: "crashes in the middle of a call", play: hover("stderr out of cheese", "exit 7"), want: lost("the server closed the connection\nit ended with exit status 7\nits last words on stderr:\n    out of cheese; ask again in 1 second")},
		{name: "leaves a grandchild", play: hover("grandchild", "exit 7"), want: lost("")},
		{name: "does not answer shutdown", play: stubborn(release), want: "mcpls ended with exit status 0, nothing left"},
	}
}

// many are n steps with another number in the place of $N.
func many(n int, step string) []string {
	var steps []string
	for i := range n {
		steps = append(steps, strings.ReplaceAll(step, "$N", strconv.Itoa(i)))
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
