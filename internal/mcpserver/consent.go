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
	// Ask asks a person about a refused server, by what the client offers. It
	// reports whether the server may start now, so that the call is worth another
	// try. It asks about the same thing once.
	Ask(ctx context.Context, server string, client Elicitor) bool
	// States gives the servers that the repository names, as JSON.
	States() (json.RawMessage, error)
}

// Elicitor is the ways in which a client asks its user (MCP, Elicitation).
type Elicitor interface {
	// OffersURL and OffersForm report what the client said of itself.
	OffersURL() bool
	OffersForm() bool
	// OpenURL has the client open a page; false when the user did not want to.
	OpenURL(ctx context.Context, url, message string) bool
	// AskForm shows a message and asks for a choice and a code. What is not
	// accepted is no answer.
	AskForm(ctx context.Context, message string) (choice, code string, answered bool)
}

// The choices of a form. The first is the default.
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

// client is the client of one call, as something that asks its user.
type client struct {
	session *mcp.ServerSession
	newID   func() string
}

func (c client) capabilities() *mcp.ElicitationCapabilities {
	params := c.session.InitializeParams()
	if params == nil || params.Capabilities == nil {
		return nil
	}
	return params.Capabilities.Elicitation
}

// OffersURL implements Elicitor.
func (c client) OffersURL() bool { caps := c.capabilities(); return caps != nil && caps.URL != nil }

// OffersForm implements Elicitor. A client that names neither means forms.
func (c client) OffersForm() bool {
	caps := c.capabilities()
	return caps != nil && (caps.Form != nil || caps.URL == nil)
}

// OpenURL implements Elicitor.
func (c client) OpenURL(ctx context.Context, url, message string) bool {
	answer, err := c.session.Elicit(ctx, &mcp.ElicitParams{Mode: "url", URL: url, Message: quote.Text(message), ElicitationID: c.newID()})
	return err == nil && answer.Action == "accept"
}

// form is what is asked for. A client that fills in defaults keeps the server
// blocked.
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
	"required": []string{"decision"},
}

// AskForm implements Elicitor.
func (c client) AskForm(ctx context.Context, message string) (choice, code string, answered bool) {
	answer, err := c.session.Elicit(ctx, &mcp.ElicitParams{Mode: "form", Message: quote.Text(message), RequestedSchema: form})
	if err != nil || answer.Action != "accept" {
		return "", "", false
	}
	choice, _ = answer.Content["decision"].(string)
	code, _ = answer.Content["code"].(string)
	return choice, code, true
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
