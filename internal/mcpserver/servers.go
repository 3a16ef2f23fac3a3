package mcpserver

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"mcpls/internal/router"
)

var restartTool = tool{
	name: "restart_server", title: "Restart servers", acts: true,
	about: "Restart language servers that hang or answer wrongly.",
	args: []arg{
		{name: "servers", kind: kindStrings, plain: true, about: "ids, as get_tool_support names them"},
		{name: "all", kind: kindBoolean, plain: true, about: "every server that runs"},
	},
	run: (*call).restart,
}

var logsTool = tool{
	name: "get_server_logs", title: "Server logs",
	about: "What the language servers logged last.",
	args: []arg{
		{name: "limit", kind: kindInteger, min: 1, max: 500, fallback: 50, plain: true, about: "at most so many, the latest"},
		{
			name: "min_level", kind: kindString, enum: router.LogLevels(), plain: true,
			about: "only what is at least so grave; everything when left out",
		},
	},
	run: (*call).serverLogs,
}

var messagesTool = tool{
	name: "get_server_messages", title: "Server messages",
	about: "What the language servers wanted to show their user last.",
	args: []arg{
		{name: "limit", kind: kindInteger, min: 1, max: 100, fallback: 20, plain: true, about: "at most so many, the latest"},
	},
	run: (*call).serverMessages,
}

func (c *call) restart(ctx context.Context) (result, error) {
	ids := c.args.list("servers")
	switch all := c.args.flag("all"); {
	case all && len(ids) > 0:
		return nil, badArg("give either servers or all, not both")
	case !all && len(ids) == 0:
		return nil, badArg("give servers (ids, as get_tool_support names them), or all")
	}
	list, err := c.Router.Restart(ctx, ids, c.report)
	if err != nil {
		return nil, err
	}
	return &restartResult{list}, nil
}

// restartResult is what became of each server.
type restartResult struct{ list []router.Restarted }

func (r *restartResult) items() int { return len(r.list) }

func (r *restartResult) text(n int) string {
	if len(r.list) == 0 {
		return "no server runs"
	}
	var lines []string
	for _, row := range r.list[:n] {
		status, why := restartStatus(row)
		lines = append(lines, strings.TrimSuffix(oneLine(row.Server)+": "+status+": "+why, ": "))
	}
	return strings.Join(lines, "\n")
}

// restartStatus is a stable word for what became of a server, and the reason.
func restartStatus(r router.Restarted) (status, why string) {
	switch {
	case r.Wait > 0:
		return "not restarted", fmt.Sprintf("it was a moment ago; ask again in %s", seconds(int(math.Ceil(r.Wait.Seconds()))))
	case r.Err != nil:
		return "failed", strings.ReplaceAll(r.Err.Error(), "\n", "\n  ")
	case r.Ran:
		return "restarted", ""
	}
	return "started", ""
}

type restartJSON struct {
	Server string `json:"server"`
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
}

func (r *restartResult) json(n int) any {
	list := make([]restartJSON, 0, n)
	for _, row := range r.list[:n] {
		status, why := restartStatus(row)
		list = append(list, restartJSON{row.Server, status, why})
	}
	return struct {
		Servers []restartJSON `json:"servers"`
		cut
	}{list, cutAt(n, len(r.list))}
}

func (c *call) serverLogs(context.Context) (result, error) {
	return said("log line", c.Router.Logs(c.args.text("min_level")), c.args.number("limit")), nil
}

func (c *call) serverMessages(context.Context) (result, error) {
	return said("message", c.Router.Messages(), c.args.number("limit")), nil
}

func said(what string, list []router.Said, limit int) result {
	return &saidResult{what, list[max(0, len(list)-limit):]}
}

// saidResult is what servers said, the oldest first.
type saidResult struct {
	what string
	list []router.Said
}

func (r *saidResult) items() int { return len(r.list) }

func (r *saidResult) text(n int) string {
	var b strings.Builder
	b.WriteString(plural(len(r.list), r.what))
	for _, s := range r.list[:n] {
		fmt.Fprintf(&b, "\n%s %s %s: %s", s.Time.Format(time.TimeOnly), oneLine(s.Server), s.Level, message(s.Text))
	}
	return b.String()
}

type saidJSON struct {
	Time   time.Time `json:"timestamp"`
	Server string    `json:"server"`
	Level  string    `json:"level"`
	Text   string    `json:"message"`
}

func (r *saidResult) json(n int) any {
	list := make([]saidJSON, 0, n)
	for _, s := range r.list[:n] {
		list = append(list, saidJSON{s.Time, s.Server, s.Level.String(), s.Text})
	}
	return struct {
		Said []saidJSON `json:"entries"`
		cut
	}{list, cutAt(n, len(r.list))}
}
