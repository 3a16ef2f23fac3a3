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
	"sync"

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

	// Untrusted says that untrusted-workspace mode is on, in which only the servers
	// of Allowed run. A model is told of it whatever Instructions are.
	Untrusted bool
	Allowed   []string

	// Consent asks a person about servers that the repository names; nil asks nobody.
	Consent Consent

	offered []tool // what New selected
}

// maxNameBytes bounds prefix and tool name together: the strictest client cuts
// or refuses longer ones.
const maxNameBytes = 60

// Server is the MCP server.
type Server struct {
	*mcp.Server
	resources *resources
}

// Run serves one client until it goes away or ctx ends.
func (s *Server) Run(ctx context.Context, transport mcp.Transport) error {
	ctx, cancel := context.WithCancel(ctx)
	var pump sync.WaitGroup
	pump.Go(func() {
		defer bug.Exit()
		s.resources.pump(ctx)
	})
	defer pump.Wait()
	defer cancel()
	return s.Server.Run(ctx, transport)
}

// New makes the MCP server. The error is a tool name that does not exist, or
// one that the prefix makes too long.
func New(opts Options) (*Server, error) {
	selected, err := selectTools(opts)
	if err != nil {
		return nil, err
	}
	opts.offered = selected
	if opts.Instructions == "" {
		opts.Instructions = instructions(selected, opts.ToolPrefix)
	}
	if opts.Untrusted {
		opts.Instructions += "\n" + opts.modeLine()
	}
	r := &resources{opts: opts, followed: map[string]workspace.Document{}}
	server := mcp.NewServer(
		&mcp.Implementation{Name: "mcpls", Title: opts.Title, Description: opts.Description, Version: opts.Version},
		&mcp.ServerOptions{
			Instructions: opts.Instructions,
			Capabilities: &mcp.ServerCapabilities{
				Tools:     &mcp.ToolCapabilities{},
				Resources: &mcp.ResourceCapabilities{Subscribe: true},
			},
			SubscribeHandler: r.subscribe, UnsubscribeHandler: r.unsubscribe,
		},
	)
	r.server = server
	r.register()
	if opts.Consent != nil {
		r.registerTrust()
	}
	for _, t := range selected {
		name := opts.ToolPrefix + t.name
		if len(name) > maxNameBytes {
			return nil, fmt.Errorf("tool name %q is longer than %d bytes: shorten mcp.tool_prefix", name, maxNameBytes)
		}
		server.AddTool(t.describe(name), opts.handler(t))
	}
	server.AddReceivingMiddleware(opts.knownTools)
	return &Server{server, r}, nil
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
		opts.answered(ctx, req)
		c := &call{Options: opts, args: args, report: progressReport(ctx, req)}
		found, err := t.run(c, ctx)
		if question, asks := opts.ask(req, err); asks {
			return question, nil
		}
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

	files   map[protocol.DocumentURI]*namedFile // see file
	unasked []string                            // servers that could not be asked for symbol_name
}
