// Package mcpserver is mcpls as an MCP server: the tools, their arguments, and
// the rendering of answers as text for a model or JSON for a program.
//
// Each family of tools is one file. A handler asks and gives a result; what
// the result looks like is the result's business, and errors become MCP errors
// in one place.
package mcpserver

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpls/internal/bug"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/router"
	"mcpls/internal/workspace"
)

// Options are the settings of the MCP side.
type Options struct {
	Router    *router.Router
	Workspace *workspace.Workspace
	Version   string
	Log       *slog.Logger

	Title        string // shown by clients
	Description  string // shown by clients
	Instructions string // in place of the built-in ones
	ToolPrefix   string // put before every tool name
	Tools        []string
	CoreTools    bool // only the core tools; Tools is empty then
	JSON         bool // results as JSON
	// MaxResultBytes is where a list is cut, in bytes of its rendering.
	MaxResultBytes int

	offered []tool // what New selected
}

// maxNameBytes bounds prefix and tool name together: the strictest client cuts
// or refuses longer ones.
const maxNameBytes = 60

// New makes the MCP server. The error is a tool name that does not exist, or
// one that the prefix makes too long.
func New(opts Options) (*mcp.Server, error) {
	selected, err := selectTools(opts)
	if err != nil {
		return nil, err
	}
	opts.offered = selected
	if opts.Instructions == "" {
		opts.Instructions = instructions(selected, opts.ToolPrefix)
	}
	server := mcp.NewServer(
		&mcp.Implementation{Name: "mcpls", Title: opts.Title, Description: opts.Description, Version: opts.Version},
		&mcp.ServerOptions{
			Instructions: opts.Instructions,
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		},
	)
	for _, t := range selected {
		name := opts.ToolPrefix + t.name
		if len(name) > maxNameBytes {
			return nil, fmt.Errorf("tool name %q is longer than %d bytes: shorten mcp.tool_prefix", name, maxNameBytes)
		}
		server.AddTool(t.describe(name), opts.handler(t))
	}
	server.AddReceivingMiddleware(opts.knownTools)
	return server, nil
}

// knownTools answers a call of a tool that is not offered: the MCP library says
// only that it is not.
func (opts Options) knownTools(next mcp.MethodHandler) mcp.MethodHandler {
	var names []string
	for _, t := range opts.offered {
		names = append(names, opts.ToolPrefix+t.name)
	}
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.(*mcp.CallToolRequest); ok && !slices.Contains(names, call.Params.Name) {
			return nil, mcpError(badArg("there is no tool %q: the tools are %s", shorten(call.Params.Name), strings.Join(names, ", ")))
		}
		return next(ctx, method, req)
	}
}

func selectTools(opts Options) ([]tool, error) {
	var known []string
	for _, t := range tools {
		known = append(known, t.name)
	}
	for _, name := range opts.Tools {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("mcp.tools names %q, which is no tool: the tools are %s", name, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(tools), func(t tool) bool {
		return opts.CoreTools && !t.core || len(opts.Tools) > 0 && !slices.Contains(opts.Tools, t.name)
	}), nil
}

// handler is the way of every tool call: check the arguments, run the tool,
// render the result or the error.
func (opts Options) handler(t tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (answer *mcp.CallToolResult, err error) {
		defer func() {
			if value := recover(); value != nil {
				answer, err = nil, mcpError(bug.Report(opts.Log, value))
			}
		}()
		args, err := parseArgs(t, req.Params.Arguments)
		if err != nil {
			return nil, mcpError(err)
		}
		c := &call{Options: opts, args: args, report: progressReport(ctx, req)}
		found, err := t.run(c, ctx)
		if err != nil {
			return nil, mcpError(err)
		}
		shown, err := render(found, opts.JSON, opts.MaxResultBytes)
		if err != nil {
			return nil, mcpError(err)
		}
		return shown, nil
	}
}

// call is one call of a tool, its arguments checked.
type call struct {
	Options
	args   values
	report router.Report

	files map[protocol.DocumentURI]*namedFile // see file
}
