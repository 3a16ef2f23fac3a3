package protocol

import "encoding/json"

// WorkspaceFolder is one root of the workspace.
type WorkspaceFolder struct {
	URI  DocumentURI `json:"uri"`
	Name string      `json:"name"`
}

// InitializeParams are the params of initialize. ProcessID is always null: a
// server in a process namespace of its own would not find ours and exit.
// RootURI is null unless the server is known to need one.
type InitializeParams struct {
	ProcessID             *int               `json:"processId"`
	ClientInfo            ClientInfo         `json:"clientInfo"`
	RootURI               *DocumentURI       `json:"rootUri"`
	Capabilities          ClientCapabilities `json:"capabilities"`
	InitializationOptions json.RawMessage    `json:"initializationOptions,omitempty"`
	WorkspaceFolders      []WorkspaceFolder  `json:"workspaceFolders"`
}

// ClientInfo names the client to the server.
type ClientInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// InitializeResult is the server's answer to initialize.
type InitializeResult struct {
	Capabilities ServerCapabilities `json:"capabilities"`
	ServerInfo   *ServerInfo        `json:"serverInfo,omitempty"`
}

// ServerInfo names the server.
type ServerInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// ServerCapabilities are what a server says it offers. A provider is kept raw,
// by the protocol's name for it: it may be a boolean or an object of options.
type ServerCapabilities struct {
	PositionEncoding Encoding
	Providers        map[string]json.RawMessage
}

// UnmarshalJSON keeps everything that the server says.
func (c *ServerCapabilities) UnmarshalJSON(data []byte) error {
	var wire struct {
		PositionEncoding Encoding `json:"positionEncoding"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	c.PositionEncoding = wire.PositionEncoding
	return json.Unmarshal(data, &c.Providers)
}

// Provided says whether a raw provider value means that the server has the
// feature: anything but absent, null and false.
func Provided(raw json.RawMessage) bool {
	return len(raw) > 0 && string(raw) != "null" && string(raw) != "false"
}

// Option says whether raw options set a boolean option.
func Option(raw json.RawMessage, name string) bool {
	var options map[string]json.RawMessage
	return json.Unmarshal(raw, &options) == nil && string(options[name]) == "true"
}

// Registration is one dynamic registration of a capability.
type Registration struct {
	ID              string          `json:"id"`
	Method          string          `json:"method"`
	RegisterOptions json.RawMessage `json:"registerOptions,omitempty"`
}

// RegistrationParams are the params of client/registerCapability.
type RegistrationParams struct {
	Registrations []Registration `json:"registrations"`
}

// UnregistrationParams are the params of client/unregisterCapability; the
// misspelling is the protocol's own.
type UnregistrationParams struct {
	Unregisterations []Registration `json:"unregisterations"`
}

// ConfigurationParams are the params of workspace/configuration.
type ConfigurationParams struct {
	Items []struct {
		Section string `json:"section"`
	} `json:"items"`
}

// ProgressParams are the params of $/progress; the token is a number or a
// string and is compared as it came.
type ProgressParams struct {
	Token json.RawMessage `json:"token"`
	Value json.RawMessage `json:"value"`
}

// WorkDoneProgress is the union of begin, report and end. Percentage is nil
// when the server gives none.
type WorkDoneProgress struct {
	Kind       string `json:"kind"`
	Title      string `json:"title"`
	Message    string `json:"message"`
	Percentage *int   `json:"percentage"`
}
