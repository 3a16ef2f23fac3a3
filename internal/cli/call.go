package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"mcpls/internal/app"
	"mcpls/internal/bug"
)

func (c *command) callCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "call TOOL [key=value ...]",
		Short: "Call one tool as an agent would",
		Long: `Call one tool as an agent would, over MCP, and print its answer.

A value is taken as the type that the tool declares for it; a list is separated
by commas. Without a tool the tools are listed.

` + exitCodes,
		Example: `  mcpls call get_references file_path=main.go line=12 text=Serve
  mcpls call workspace_symbol_search query=Mapper kind_filter=struct --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.logFrom(cmd, "warn") // the answer is what was asked for
			return c.call(cmd.Context(), args, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the answer as JSON")
	return cmd
}

// call runs a whole mcpls and one client of it in this process.
func (c *command) call(ctx context.Context, args []string, asJSON bool) error {
	a, err := c.app(app.Options{Log: c.logger(), JSON: asJSON, Lazy: true})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	ours, theirs := mcp.NewInMemoryTransports()
	served := make(chan error, 1)
	go func() {
		defer bug.Exit()
		served <- a.Serve(ctx, theirs)
	}()
	err = c.callOver(ctx, ours, args)
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	cancel()
	return errors.Join(err, <-served)
}

func (c *command) callOver(ctx context.Context, transport mcp.Transport, args []string) error {
	client := mcp.NewClient(&mcp.Implementation{Name: "mcpls call", Version: Version}, nil)
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	listed, err := session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		for _, t := range listed.Tools {
			c.out.Printf("%-24s %s\n", t.Name, t.Description)
		}
		return nil
	}
	params, err := callParams(listed.Tools, args)
	if err != nil {
		return err
	}
	found, err := session.CallTool(ctx, params)
	if failed, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return errors.New(failed.Message) // without what the client puts before it
	}
	if err != nil {
		return err
	}
	for _, content := range found.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			c.out.Println(text.Text)
		}
	}
	return nil
}

// callParams reads key=value pairs by the types of the tool's schema.
func callParams(tools []*mcp.Tool, args []string) (*mcp.CallToolParams, error) {
	i := slices.IndexFunc(tools, func(t *mcp.Tool) bool { return t.Name == args[0] })
	if i < 0 {
		return nil, usageError{fmt.Errorf("there is no tool %q: mcpls call lists them", args[0])}
	}
	types, err := argTypes(tools[i])
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	for _, pair := range args[1:] {
		key, text, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, usageError{fmt.Errorf("%q is no key=value", pair)}
		}
		values[key] = typed(types[key], text)
	}
	return &mcp.CallToolParams{Name: args[0], Arguments: values}, nil
}

func argTypes(t *mcp.Tool) (map[string]string, error) {
	raw, err := json.Marshal(t.InputSchema)
	if err != nil {
		return nil, err
	}
	var schema struct {
		Properties map[string]struct{ Type string }
	}
	if err := json.Unmarshal(raw, &schema); err != nil {
		return nil, err
	}
	types := map[string]string{}
	for name, property := range schema.Properties {
		types[name] = property.Type
	}
	return types, nil
}

// typed gives the value of a text. One that does not fit its type stays a
// string: the tool itself says what is wrong with it.
func typed(kind, text string) any {
	switch kind {
	case "integer":
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
	case "boolean":
		if b, err := strconv.ParseBool(text); err == nil {
			return b
		}
	case "array":
		return strings.Split(text, ",")
	}
	return text
}
