package mcpserver

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"mcpls/internal/quote"
	"mcpls/internal/router"
	"mcpls/internal/workspace"
)

// The codes of MCP errors. They are stable: clients may branch on them. The
// first two are JSON-RPC's own; the others lie in its range for servers.
const (
	codeInvalidParams = -32602
	codeInternal      = -32603
	codeLoading       = -32050
	codeStarting      = -32051
	codeLost          = -32054
	codeLaunch        = -32055
	codeUnsupported   = -32056
)

// errorData is the data of an MCP error.
type errorData struct {
	Server     string `json:"server,omitempty"`
	Reason     string `json:"reason,omitempty"`
	Retryable  bool   `json:"retryable,omitempty"`
	RetryAfter int    `json:"retry_after_seconds,omitempty"`
	Resolution string `json:"resolution,omitempty"`
}

// How long a client is told to wait before it asks again, in seconds.
const (
	retryLoading  = 5
	retryStarting = 5
	retryLost     = 1
)

// maxErrorBytes bounds a message: a server's own words may be as long as it
// likes.
const maxErrorBytes = 8 << 10

// mcpError makes the MCP error of any error of a call. It is the one place
// where messages leave mcpls, so their text is made safe to show here.
func mcpError(err error) error {
	code, data := classify(err)
	message := quote.Cut(err.Error(), maxErrorBytes)
	if data.Retryable {
		message += "; ask again in " + seconds(data.RetryAfter)
	}
	wire := &jsonrpc.Error{Code: int64(code), Message: quote.Text(message)}
	if data != (errorData{}) {
		raw, _ := json.Marshal(data) // strings and numbers always marshal
		wire.Data = raw
	}
	return wire
}

func classify(err error) (code int, data errorData) {
	if _, ok := errors.AsType[*argError](err); ok {
		return codeInvalidParams, errorData{Reason: "arguments"}
	}
	if e, ok := errors.AsType[*placeError](err); ok {
		return codeInvalidParams, errorData{Resolution: e.resolution}
	}
	if _, ok := errors.AsType[*workspace.PathError](err); ok {
		return codeInvalidParams, errorData{Reason: "path"}
	}
	if _, ok := errors.AsType[*router.NoServerError](err); ok {
		return codeInvalidParams, errorData{Reason: "no_server"}
	}
	if e, ok := errors.AsType[*router.LoadingError](err); ok {
		return codeLoading, errorData{Server: e.Server, Retryable: true, RetryAfter: retryLoading}
	}
	if e, ok := errors.AsType[*router.StartingError](err); ok {
		return codeStarting, errorData{Server: e.Server, Retryable: true, RetryAfter: retryStarting}
	}
	if e, ok := errors.AsType[*router.LostError](err); ok {
		return codeLost, errorData{Server: e.Server, Retryable: true, RetryAfter: retryLost}
	}
	if e, ok := errors.AsType[*router.RestartedError](err); ok {
		return codeLost, errorData{Server: e.Server, Retryable: true, RetryAfter: retryLost}
	}
	if _, ok := errors.AsType[*router.UnknownServerError](err); ok {
		return codeInvalidParams, errorData{Reason: "no_server"}
	}
	if e, ok := errors.AsType[*router.LaunchError](err); ok {
		return codeLaunch, errorData{Server: e.Server, Reason: e.Code}
	}
	if e, ok := errors.AsType[*router.UnsupportedError](err); ok {
		return codeUnsupported, errorData{Server: e.Server}
	}
	return codeInternal, internalData(err)
}

func internalData(err error) errorData {
	if e, ok := errors.AsType[*router.StartError](err); ok {
		return errorData{Server: e.Server, Reason: "start_failed"}
	}
	if e, ok := errors.AsType[*router.CrashedError](err); ok {
		return errorData{Server: e.Server, Reason: "crashed"}
	}
	if e, ok := errors.AsType[*router.TroubleError](err); ok {
		return errorData{Server: e.Server, Reason: "workspace_not_loaded"}
	}
	if e, ok := errors.AsType[*router.TimeoutError](err); ok {
		return errorData{Server: e.Server, Reason: "timeout"}
	}
	if e, ok := errors.AsType[*router.ServerError](err); ok {
		return errorData{Server: e.Server, Reason: "server_error"}
	}
	if _, ok := errors.AsType[*staleError](err); ok {
		return errorData{Reason: "stale", Retryable: true, RetryAfter: retryLost}
	}
	if _, ok := errors.AsType[*tooLongError](err); ok {
		return errorData{Reason: "too_long"}
	}
	if errors.Is(err, context.Canceled) {
		return errorData{Reason: "cancelled"}
	}
	return errorData{}
}
