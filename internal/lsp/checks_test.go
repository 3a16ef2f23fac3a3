package lsp

import (
	"testing"

	"mcpls/internal/catalog"
	"mcpls/internal/lsp/protocol"
)

// TestSilentCheck holds that a run of the compiler that ends without a word, and is
// followed by none, is known to be one, so that it is asked for again.
func TestSilentCheck(t *testing.T) {
	c := newChecks(Options{Known: catalog.Server{CheckTitle: "check"}})
	turn := func(kind string) {
		c.take("1", protocol.WorkDoneProgress{Kind: kind, Title: "check"})
	}
	turn("begin")
	turn("end")
	if c.known() || !c.silent {
		t.Fatalf("after a silent run: known %v, silent %v", c.known(), c.silent)
	}
	turn("begin")
	if c.silent {
		t.Error("the next run has begun")
	}
	turn("report")
	turn("end")
	if !c.known() || c.silent {
		t.Errorf("after a run that spoke: known %v, silent %v", c.known(), c.silent)
	}
}
