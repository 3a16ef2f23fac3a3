package mcpserver

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpls/internal/bug"
	"mcpls/internal/lsp/protocol"
	"mcpls/internal/quote"
	"mcpls/internal/workspace"
)

// The diagnostics of each file are a resource, whose URI is that of the file
// with another scheme. It can be read, and followed.
const (
	resourceScheme   = "lsp-diagnostics"
	resourceTemplate = resourceScheme + ":///{+path}"
	resourceType     = "application/json"

	// maxListedResources bounds a listing; the template names the others.
	maxListedResources = 1000
	// maxSubscriptions bounds what a client follows: each file is open on its
	// server.
	maxSubscriptions = 1000
	// resourceWait is how long a read waits for the server to look at the file.
	resourceWait = 5 * time.Second
)

// resources are the resources of one MCP server and who follows them.
type resources struct {
	opts   Options
	server *mcp.Server

	mu       sync.Mutex
	followed map[string]workspace.Document // by the URI that was subscribed to
}

// register makes the resources known to clients.
func (r *resources) register() {
	r.server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: resourceTemplate, Name: "diagnostics", Title: "Errors and warnings of a file", MIMEType: resourceType,
		Description: "path is the absolute path of a file in the workspace",
	}, r.read)
	r.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "resources/list" {
				return r.list(), nil
			}
			return next(ctx, method, req)
		}
	})
}

// list names the files about which a server has spoken.
func (r *resources) list() *mcp.ListResourcesResult {
	found := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}}
	if r.opts.Consent != nil {
		found.Resources = append(found.Resources, trustResource)
	}
	c := &call{Options: r.opts}
	for _, doc := range r.opts.Router.PublishedFiles(maxListedResources) {
		found.Resources = append(found.Resources, &mcp.Resource{URI: resourceURI(doc), Name: quote.Text(c.show(doc)), MIMEType: resourceType})
	}
	return found
}

func resourceURI(doc workspace.Document) string {
	return resourceScheme + strings.TrimPrefix(string(doc.URI()), "file")
}

// document gives the file of a resource.
func (r *resources) document(uri string) (workspace.Document, error) {
	rest, ok := strings.CutPrefix(uri, resourceScheme+":")
	if !ok {
		return workspace.Document{}, badArg("%q is no %s URI", uri, resourceScheme)
	}
	parsed, err := protocol.ParseURI("file:" + rest)
	if err != nil {
		return workspace.Document{}, badArg("%q: %v", uri, err)
	}
	return r.opts.Workspace.Find(parsed.Path())
}

// read gives the diagnostics of a file as get_diagnostics does as JSON.
func (r *resources) read(ctx context.Context, req *mcp.ReadResourceRequest) (answer *mcp.ReadResourceResult, err error) {
	defer func() {
		if value := recover(); value != nil {
			answer, err = nil, mcpError(bug.Report(r.opts.Log, value))
		}
	}()
	doc, err := r.document(req.Params.URI)
	if err != nil {
		return nil, mcpError(err)
	}
	c := &call{Options: r.opts, args: values{}}
	found, err := c.Router.Diagnostics(ctx, doc, resourceWait, nil)
	if err != nil {
		return nil, mcpError(err)
	}
	shown := c.diagnosed(ctx, doc, found, availabilityOf(found.Value))
	body := fit(shown.items(), r.opts.MaxResultBytes, func(n int) []byte { return quote.JSON(encode(shown.json(n))) })
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: resourceType, Text: string(body)}}}, nil
}

func (r *resources) subscribe(_ context.Context, req *mcp.SubscribeRequest) error {
	doc, err := r.document(req.Params.URI)
	if err != nil {
		return mcpError(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch _, already := r.followed[req.Params.URI]; {
	case already:
		return nil
	case len(r.followed) >= maxSubscriptions:
		return mcpError(badArg("%d resources are followed already, which is the most: unsubscribe from one", maxSubscriptions))
	}
	r.followed[req.Params.URI] = doc
	r.opts.Router.Follow(doc)
	return nil
}

func (r *resources) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if doc, ok := r.followed[req.Params.URI]; ok {
		delete(r.followed, req.Params.URI)
		r.opts.Router.Unfollow(doc)
	}
	return nil
}

// pump tells subscribers of what servers say, until ctx ends. Several updates of
// one file while a client does not read are one.
func (r *resources) pump(ctx context.Context) {
	for ctx.Err() == nil {
		for _, path := range r.opts.Router.Updated(ctx) {
			for _, uri := range r.urisOf(path) {
				// A client that cannot be told goes on without.
				_ = r.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri})
			}
		}
	}
}

func (r *resources) urisOf(path string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []string
	for uri, doc := range r.followed {
		if doc.Path == path {
			list = append(list, uri)
		}
	}
	return list
}
