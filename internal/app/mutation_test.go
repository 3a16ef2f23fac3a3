//go:build unix

package app

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mcpls/internal/config"
	"mcpls/internal/launch"
	"mcpls/internal/launch/reason"
	"mcpls/internal/process"
	"mcpls/internal/trust"
)

// TestNothingStartsThatChanged changes one thing of a server of the repository
// between the decision and the start: a file, a link, a mode, the workspace itself,
// or a field of the entry. Nothing starts, and a new start is not allowed either.
func TestNothingStartsThatChanged(t *testing.T) {
	type world struct {
		base, root string
		entry      *config.Declaration
	}
	write := func(t *testing.T, path, text string, mode os.FileMode) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.RemoveAll(path), os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
	}
	script := func(w world) string { return "#!" + w.base + "/bin/interpreter\ntouch " + w.base + "/ran\n" }
	for name, change := range map[string]func(t *testing.T, w world){
		"nothing":                 func(*testing.T, world) {},
		"the script":              func(t *testing.T, w world) { write(t, w.root+"/run", script(w)+"# changed\n", 0o700) },
		"the interpreter line":    func(t *testing.T, w world) { write(t, w.root+"/run", "#!/bin/sh\ntouch "+w.base+"/ran\n", 0o700) },
		"the mode of the program": func(t *testing.T, w world) { must(t, os.Chmod(w.base+"/bin/interpreter", 0o755)) },
		"the interpreter is gone": func(t *testing.T, w world) { must(t, os.Remove(w.base+"/bin/interpreter")) },
		"a file that is an argument": func(t *testing.T, w world) {
			write(t, w.root+"/data", "changed", 0o600)
		},
		"a link that is an argument": func(t *testing.T, w world) {
			must(t, os.Remove(w.root+"/link"))
			must(t, os.Symlink("other", w.root+"/link"))
		},
		"the script for a link": func(t *testing.T, w world) {
			must(t, os.Rename(w.root+"/run", w.root+"/run2"))
			write(t, w.root+"/run3", script(w)+"#\n", 0o700)
			must(t, os.Symlink("run3", w.root+"/run"))
		},
		"the workspace is a copy": func(t *testing.T, w world) {
			must(t, os.Rename(w.root, w.root+"-before"))
			must(t, os.CopyFS(w.root, os.DirFS(w.root+"-before")))
			must(t, os.Chmod(w.root+"/run", 0o700))
		},
		"an argument": func(_ *testing.T, w world) { w.entry.Args = []string{"link", "--data=data", ""} },
		"the command": func(_ *testing.T, w world) { w.entry.Command = "./link" },
		"a variable":  func(_ *testing.T, w world) { w.entry.Env = map[string]string{"A": "2"} },
		"an option":   func(_ *testing.T, w world) { w.entry.InitializationOptions = map[string]any{"a": int64(2)} },
		"a setting":   func(_ *testing.T, w world) { w.entry.Settings = map[string]any{"a": "b"} },
		"the id":      func(_ *testing.T, w world) { w.entry.ID = "other@project" },
		"the file":    func(_ *testing.T, w world) { w.entry.File = w.root + "/sub/mcpls.toml" },
		"another program": func(t *testing.T, w world) {
			must(t, os.Remove(w.root+"/run"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			base, err := filepath.EvalSymlinks(t.TempDir())
			must(t, err)
			w := world{base: base, root: filepath.Join(base, "ws")}
			write(t, base+"/bin/interpreter", "#!/bin/sh\n. \"$1\"\n", 0o700)
			write(t, w.root+"/run", script(w), 0o700)
			write(t, w.root+"/data", "data", 0o600)
			write(t, w.root+"/target", "one", 0o600)
			write(t, w.root+"/other", "two", 0o600)
			must(t, os.Symlink("target", w.root+"/link"))
			w.entry = &config.Declaration{ID: "x@project", Origin: config.Project, File: w.root + "/mcpls.toml", Server: config.Server{
				Command: "./run", Args: []string{"link", "--data=data"}, Env: map[string]string{"A": "1"}, InitializationOptions: map[string]any{"a": int64(1)},
			}}
			store, err := trust.NewStore(filepath.Join(base, "store"), []string{w.root})
			must(t, err)
			opts := Options{
				Config: &config.Config{Roots: []string{w.root}, Boundary: []string{w.root}, Servers: []config.Declaration{*w.entry}},
				Env:    []string{"PATH=/usr/bin:/bin"}, Log: slog.New(slog.DiscardHandler), Store: store,
			}
			l := newLauncher(opts)
			plan, err := l.plan("x@project")
			must(t, err)
			_, err = store.Put(plan, true, "test", time.Time{})
			must(t, err)
			grant, err := l.gate.Check(t.Context(), plan)
			must(t, err)

			change(t, w)
			again := func() (launch.Plan, error) {
				return launch.Make(launch.Input{Workspace: l.workspace, Declaration: *w.entry}, l.facts)
			}
			started, err := process.Start(grant, again)
			_, refused := errors.AsType[*reason.Refusal](err)
			if name == "nothing" {
				must(t, err)
				<-started.Done()
				if _, err := os.Stat(base + "/ran"); err != nil {
					t.Errorf("it did not run: %v", err)
				}
				must(t, started.Stop(t.Context()))
				return
			}
			if started != nil || !errors.Is(err, process.ErrChanged) && !refused {
				t.Errorf("started %v, %v", started != nil, err)
			}
			if plan, err := again(); err == nil {
				if _, err := l.gate.Check(t.Context(), plan); err == nil {
					t.Error("a new start is allowed")
				}
			}
			if _, err := os.Stat(base + "/ran"); !errors.Is(err, os.ErrNotExist) {
				t.Error("something has run")
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
