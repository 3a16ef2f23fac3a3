package mcpserver

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpls/internal/quote"
	"mcpls/internal/router"
)

// Consent lets a person decide about a server that the repository names, when a
// call needs it. What it decides by is not the business of this package.
type Consent interface {
	// Request gives what the client is to ask its user about a refused server, by
	// what it offers; false when there is nobody to ask, or they were asked.
	Request(server string, offers Offers) (Question, bool)
	// Answer takes what came of a question, and returns when the call is worth
	// another try. A page that was opened is waited for until ctx ends.
	Answer(ctx context.Context, id string, answer Answered)
	// States gives the servers that the repository names, as JSON.
	States() (json.RawMessage, error)
}

// Offers are the ways in which a client asks its user (MCP, Elicitation).
type Offers struct{ URL, Form bool }

// Question is one for the user of a client: to open a page, or else to fill in the
// form.
type Question struct {
	ID      string
	Message string
	URL     string
}

// Answered is what the user did. Only what was accepted is an answer.
type Answered struct {
	Accepted     bool
	Choice, Code string // of the form
}

// The choices of the form. The first is the default.
const (
	KeepBlocked = "keep blocked"
	AllowOnce   = "allow once"
)

// asksPerson reports whether a call failed since a person has not said yes to the
// server that it needs, and which one that is.
func asksPerson(err error) (server string, ok bool) {
	refused, ok := errors.AsType[*router.LaunchError](err)
	if !ok {
		return "", false
	}
	switch refused.Code {
	case "gate.no_surface", "gate.changed", "gate.expired":
		return refused.Server, true
	}
	return "", false
}

// ask gives the result by which the client asks its user, when a call has failed for
// want of a person's yes. The MCP library puts the question to clients of every
// version, and calls the tool again with the answer.
func (opts Options) ask(req *mcp.CallToolRequest, failed error) (*mcp.CallToolResult, bool) {
	server, asks := asksPerson(failed)
	if !asks || opts.Consent == nil || len(req.Params.InputResponses) > 0 {
		return nil, false
	}
	question, ok := opts.Consent.Request(server, offersOf(req.Session))
	if !ok {
		return nil, false
	}
	params := &mcp.ElicitParams{Mode: "form", Message: quote.Text(question.Message), RequestedSchema: form}
	if question.URL != "" {
		params = &mcp.ElicitParams{Mode: "url", Message: quote.Text(question.Message), URL: question.URL, ElicitationID: question.ID}
	}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{question.ID: params}}, true
}

// answered takes the answers that came with a call.
func (opts Options) answered(ctx context.Context, req *mcp.CallToolRequest) {
	for id, response := range req.Params.InputResponses {
		answer, ok := response.(*mcp.ElicitResult)
		if !ok || opts.Consent == nil {
			continue
		}
		told := Answered{Accepted: answer.Action == "accept"}
		told.Choice, _ = answer.Content["decision"].(string)
		told.Code, _ = answer.Content["code"].(string)
		opts.Consent.Answer(ctx, id, told)
	}
}

// offersOf gives what a client said of itself. One that offers elicitation and names
// neither way means forms.
func offersOf(session *mcp.ServerSession) Offers {
	params := session.InitializeParams()
	if params == nil || params.Capabilities == nil || params.Capabilities.Elicitation == nil {
		return Offers{}
	}
	caps := params.Capabilities.Elicitation
	return Offers{URL: caps.URL != nil, Form: caps.Form != nil || caps.URL == nil}
}

// form is what is asked for. A client that fills in defaults, or nothing, keeps the
// server blocked.
var form = map[string]any{
	"type": "object",
	"properties": map[string]any{
		"decision": map[string]any{
			"type": "string", "title": "Decision", "enum": []string{KeepBlocked, AllowOnce}, "default": KeepBlocked,
		},
		"code": map[string]any{
			"type": "string", "title": "Code", "description": "the code at the end of the card, to allow it once", "maxLength": 64,
		},
	},
}

// trustURI is the resource that tells how the servers of the repository stand.
const trustURI = "mcpls://trust"

// registerTrust makes the resource known to clients.
func (r *resources) registerTrust() {
	r.server.AddResource(trustResource, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		states, err := r.opts.Consent.States()
		if err != nil {
			return nil, mcpError(err)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: trustURI, MIMEType: resourceType, Text: string(quote.JSON(states))}}}, nil
	})
}

var trustResource = &mcp.Resource{
	URI: trustURI, Name: "trust", Title: "Servers that the repository names", MIMEType: resourceType,
	Description: "which of them may start, and why not",
}
