package mcpserver

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpls/internal/quote"
	"mcpls/internal/router"
)

// progressEvery is the least time between two messages about one stage.
const progressEvery = 200 * time.Millisecond

// progressReport tells a client that sent a progress token what its call waits
// for (MCP, Progress). Progress only counts the messages: MCP wants a number
// that grows, and the server's own percentage is in the text.
func progressReport(ctx context.Context, req *mcp.CallToolRequest) router.Report {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	var mu sync.Mutex // several servers may be asked at once
	sent := 0.0
	var last router.Stage
	var at time.Time
	return func(s router.Stage) {
		mu.Lock()
		defer mu.Unlock()
		if s.Doing == last.Doing && s.Server == last.Server && time.Since(at) < progressEvery {
			return // a server may report thousands of times a second
		}
		sent, last, at = sent+1, s, time.Now()
		// A client that cannot be told goes on without.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: sent, Message: quote.Text(stageText(s)),
		})
	}
}

func stageText(s router.Stage) string {
	text := fmt.Sprintf("%s %s", s.Doing, s.Server)
	if s.Detail != "" {
		text += ": " + s.Detail
	}
	return text
}

func seconds(n int) string {
	if n == 1 {
		return "1 second"
	}
	return fmt.Sprintf("%d seconds", n)
}
