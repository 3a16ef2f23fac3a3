package e2e_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// resourceOf gives the URI of a file's diagnostics.
func resourceOf(dir, name string) string { return "lsp-diagnostics://" + filepath.Join(dir, name) }

// read reads a resource.
func (c *client) read(uri string) (diagnostics []string, availability string) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), deadline)
	defer cancel()
	found, err := c.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		c.t.Fatal(err)
	}
	if len(found.Contents) != 1 || found.Contents[0].URI != uri || found.Contents[0].MIMEType != "application/json" {
		c.t.Fatalf("contents %+v", found.Contents)
	}
	var shown struct {
		Diagnostics []struct {
			Message string `json:"message"`
		} `json:"diagnostics"`
		Availability string `json:"availability"`
	}
	if err := json.Unmarshal([]byte(found.Contents[0].Text), &shown); err != nil {
		c.t.Fatal(err)
	}
	for _, d := range shown.Diagnostics {
		diagnostics = append(diagnostics, d.Message)
	}
	return diagnostics, shown.Availability
}

func (c *client) follow(uri string) {
	c.t.Helper()
	if err := c.session.Subscribe(c.t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
		c.t.Fatal(err)
	}
}

// next waits for an update of a resource.
func next(t *testing.T, updates <-chan string, uri string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	for {
		select {
		case got := <-updates:
			if got == uri {
				return
			}
		case <-ctx.Done():
			t.Fatalf("no update of %s", uri)
		}
	}
}

// TestResources holds what a client is told of resources: the template, the
// files that were spoken about, and the errors of one as it is now.
func TestResources(t *testing.T) {
	dir := workspace(t, "shapes")
	c := gopls(t, setup{dir: dir})
	templates, err := c.session.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].URITemplate != "lsp-diagnostics:///{+path}" {
		t.Fatalf("%+v, %v", templates, err)
	}
	if got, availability := c.read(resourceOf(dir, "messy.go")); availability != "published" || !slices.Equal(got, []string{`"os" imported and not used`}) {
		t.Errorf("messy.go: %q %s", got, availability)
	}
	write(t, filepath.Join(dir, "messy.go"), "package shapes\n")
	if got, availability := c.read(resourceOf(dir, "messy.go")); availability != "published" || len(got) != 0 {
		t.Errorf("mended: %q %s", got, availability)
	}
	list, err := c.session.ListResources(t.Context(), nil)
	if err != nil || !slices.ContainsFunc(list.Resources, func(r *mcp.Resource) bool {
		return r.URI == resourceOf(dir, "messy.go") && r.Name == "messy.go"
	}) {
		t.Errorf("listed %+v, %v", list, err)
	}
	for _, uri := range []string{"lsp-diagnostics:///etc/passwd", "lsp-diagnostics:///" + dir + "/none.go", "lsp-diagnostics://host/x"} {
		if _, err := c.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s was read", uri)
		}
	}
}

// TestFollow holds that a client that follows a file learns of its errors when
// it changes on disk, though nobody asks; of servers that push and that are
// asked.
func TestFollow(t *testing.T) {
	for _, l := range languages {
		if !slices.Contains([]string{"pyright", "typescript-language-server", "typescript7", "clangd"}, l.name) {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			needServer(t, l.needs)
			dir := l.workspace(t)
			s := l.setup(t, dir, "")
			updates := make(chan string, 100)
			s.onUpdate = func(uri string) { updates <- uri }
			c := start(t, s)
			uri := resourceOf(dir, l.edit.file)
			c.follow(uri)
			next(t, updates, uri)
			path := filepath.Join(dir, filepath.FromSlash(l.edit.file))
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			write(t, path, strings.Replace(string(data), l.edit.old, l.edit.new, 1))
			next(t, updates, uri)
			if got, _ := c.read(uri); len(got) == 0 {
				t.Error("after the update there is no error")
			}
			if err := c.session.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestSweepSaves holds that the sweep tells a server of files that were saved,
// once for each text, and only a server that wants to know.
func TestSweepSaves(t *testing.T) {
	for _, save := range []string{`{"change": 1, "save": true}`, `{"change": 1, "save": {"includeText": true}}`, `{"change": 1, "save": false}`, `1`} {
		t.Run(save, func(t *testing.T) {
			updates := make(chan string, 100)
			f := startFake(t, `
on initialize
	reply {"capabilities": {"hoverProvider": true, "textDocumentSync": `+save+`}}
on textDocument/didOpen
	notify textDocument/publishDiagnostics {"uri": "$URI", "diagnostics": []}
on textDocument/didChange
	notify textDocument/publishDiagnostics {"uri": "$URI", "diagnostics": []}
`, "", setup{onUpdate: func(uri string) { updates <- uri }})
			uri := resourceOf(f.cmd.Dir, "a.txt")
			f.follow(uri)
			f.follow(uri) // twice is once
			next(t, updates, uri)
			write(t, filepath.Join(f.cmd.Dir, "a.txt"), "alpha\n")
			next(t, updates, uri)
			wants := strings.Contains(save, "true")
			if wants {
				<-f.asked("textDocument/didSave")
			}
			// Another round has passed when another file has been shown.
			other := resourceOf(f.cmd.Dir, "b.txt")
			f.follow(other)
			next(t, updates, other)
			saves := 0
			for _, m := range f.received() {
				if m.Method == "textDocument/didSave" {
					saves++
				}
			}
			if want := map[bool]int{true: 1, false: 0}[wants]; saves != want {
				t.Errorf("%d saves, want %d", saves, want)
			}
		})
	}
}
