package workspace

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcpls/internal/lsp/protocol"
)

func textFile(text string) *file { return &file{text: &protocol.Mapper{Text: text}} }

func TestCacheKeepsTheMostRecentFiles(t *testing.T) {
	var c cache
	for i := range maxCached {
		c.put(strconv.Itoa(i), textFile("a"))
	}
	if c.get("0") == nil {
		t.Fatal("dropped before the cache is full")
	}
	c.put("new", textFile("a"))
	if len(c.byKey) != maxCached || c.order.Len() != maxCached || c.bytes != maxCached {
		t.Errorf("got %d files, %d in order, %d bytes, want %d", len(c.byKey), c.order.Len(), c.bytes, maxCached)
	}
	for path, want := range map[string]bool{"0": true, "1": false, "2": true, "new": true} {
		if got := c.get(path) != nil; got != want {
			t.Errorf("%s: kept %v", path, got)
		}
	}
}

func TestCacheBoundsItsBytes(t *testing.T) {
	quarter := strings.Repeat("a", maxCachedBytes/4)
	var c cache
	for _, path := range []string{"a", "b", "c", "d"} {
		c.put(path, textFile(quarter))
	}
	if len(c.byKey) != 4 {
		t.Errorf("at the bound: %d files", len(c.byKey))
	}
	c.put("e", textFile("e"))
	if c.get("a") != nil || c.get("b") == nil || c.bytes != 3*len(quarter)+1 {
		t.Errorf("over the bound: %d files, %d bytes", len(c.byKey), c.bytes)
	}
	c.put("huge", textFile(quarter+quarter+quarter+quarter+"a"))
	if len(c.byKey) != 1 || c.get("huge") == nil {
		t.Errorf("one that is over the bound alone is kept alone: %d files", len(c.byKey))
	}
	c.put("huge", textFile("a"))
	if c.bytes != 1 {
		t.Errorf("replaced: %d bytes", c.bytes)
	}
	c.drop("huge")
	c.drop("none")
	if c.bytes != 0 || len(c.byKey) != 0 || c.order.Len() != 0 {
		t.Errorf("empty: %d bytes, %d files, %d in order", c.bytes, len(c.byKey), c.order.Len())
	}
}

func TestCacheCounts(t *testing.T) {
	path := rapid.StringMatching(`[a-e]`)
	rapid.Check(t, func(t *rapid.T) {
		var c cache
		want := map[string]*file{}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				p, f := path.Draw(t, "path"), textFile(rapid.StringMatching(`a{0,9}`).Draw(t, "text"))
				c.put(p, f)
				want[p] = f
			},
			"drop": func(t *rapid.T) {
				p := path.Draw(t, "path")
				c.drop(p)
				delete(want, p)
			},
			"": func(t *rapid.T) {
				bytes := 0
				for p, f := range want {
					bytes += len(f.text.Text)
					if c.get(p) != f {
						t.Fatalf("%s: another file", p)
					}
				}
				if c.bytes != bytes || len(c.byKey) != len(want) || c.order.Len() != len(want) {
					t.Fatalf("got %d bytes, %d files, %d in order", c.bytes, len(c.byKey), c.order.Len())
				}
			},
		})
	})
}
