package protocol

// ClientCapabilities are what mcpls tells a server it can do. They are honest:
// a server may rely on each. The tree is a map because the protocol's own
// names are all there is to it; [Capabilities] is its only maker.
type ClientCapabilities map[string]any

// Capabilities gives the client capabilities with the position encodings in
// the order in which they are preferred.
func Capabilities(encodings []Encoding) ClientCapabilities {
	type object = map[string]any
	return ClientCapabilities{
		"general": object{"positionEncodings": encodings},
		"window": object{
			"workDoneProgress": true,
			"showDocument":     object{"support": false},
			"showMessage":      object{},
		},
		"workspace": object{
			"workspaceFolders":       true,
			"configuration":          true,
			"didChangeConfiguration": object{"dynamicRegistration": true},
			"didChangeWatchedFiles":  object{"dynamicRegistration": true, "relativePatternSupport": true},
			"applyEdit":              false,
			"symbol": object{
				"dynamicRegistration": true,
				"symbolKind":          object{"valueSet": kinds()},
			},
			// Without documentChanges some servers rename in one file only.
			"workspaceEdit": object{
				"documentChanges":    true,
				"resourceOperations": []string{"create", "rename", "delete"},
			},
		},
		"textDocument": object{
			"synchronization": object{"dynamicRegistration": true, "didSave": true},
			"hover": object{
				"dynamicRegistration": true,
				"contentFormat":       []string{"markdown", "plaintext"},
			},
			"definition":        object{"dynamicRegistration": true, "linkSupport": true},
			"declaration":       object{"dynamicRegistration": true, "linkSupport": true},
			"typeDefinition":    object{"dynamicRegistration": true, "linkSupport": true},
			"implementation":    object{"dynamicRegistration": true, "linkSupport": true},
			"references":        object{"dynamicRegistration": true},
			"callHierarchy":     object{"dynamicRegistration": true},
			"typeHierarchy":     object{"dynamicRegistration": true},
			"documentHighlight": object{"dynamicRegistration": true},
			"selectionRange":    object{"dynamicRegistration": true},
			"foldingRange":      object{"dynamicRegistration": true, "lineFoldingOnly": true},
			"inlayHint":         object{"dynamicRegistration": true},
			"formatting":        object{"dynamicRegistration": true},
			"rangeFormatting":   object{"dynamicRegistration": true},
			"completion": object{
				"dynamicRegistration": true,
				"contextSupport":      true,
				"completionItem": object{
					"snippetSupport":      false,
					"labelDetailsSupport": true,
					"documentationFormat": []string{"markdown", "plaintext"},
				},
			},
			"signatureHelp": object{
				"dynamicRegistration": true,
				"signatureInformation": object{
					"documentationFormat":    []string{"markdown", "plaintext"},
					"parameterInformation":   object{"labelOffsetSupport": true},
					"activeParameterSupport": true,
				},
			},
			"codeAction": object{
				"dynamicRegistration": true,
				"isPreferredSupport":  true,
				"disabledSupport":     true,
				"dataSupport":         true,
				"resolveSupport":      object{"properties": []string{"edit"}},
				"codeActionLiteralSupport": object{"codeActionKind": object{"valueSet": []string{
					"", "quickfix", "refactor", "refactor.extract", "refactor.inline", "refactor.rewrite",
					"source", "source.organizeImports", "source.fixAll",
				}}},
			},
			"documentSymbol": object{
				"dynamicRegistration":               true,
				"hierarchicalDocumentSymbolSupport": true,
				"symbolKind":                        object{"valueSet": kinds()},
			},
			"rename": object{"dynamicRegistration": true, "prepareSupport": true},
			// Push-only servers publish only to clients that declare this.
			"publishDiagnostics": object{
				"relatedInformation": true,
				"versionSupport":     true,
				"dataSupport":        true,
			},
			"diagnostic": object{"dynamicRegistration": true},
		},
		"experimental": object{"serverStatusNotification": true},
	}
}

func kinds() []int {
	set := make([]int, 0, len(symbolKinds)-1)
	for k := 1; k < len(symbolKinds); k++ {
		set = append(set, k)
	}
	return set
}
