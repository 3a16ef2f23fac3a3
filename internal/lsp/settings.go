package lsp

import "strings"

// section looks a dotted section up in nested settings. The empty section is
// all of them; one that is not there is nil, which answers null.
func section(settings map[string]any, name string) any {
	if name == "" {
		return settings
	}
	var value any = settings
	for key := range strings.SplitSeq(name, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[key]
	}
	return value
}
