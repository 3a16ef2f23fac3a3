package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"mcpls/internal/catalog"
)

// world is a user directory, a workspace and a directory beside them, each
// empty at first.
type world struct {
	t                      *testing.T
	user, workspace, other string
}

func newWorld(t *testing.T) *world {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t, filepath.Join(base, "user"), filepath.Join(base, "ws"), filepath.Join(base, "other")}
	for _, dir := range []string{w.user, w.workspace, w.other} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// write makes a file and the directories above it.
func (w *world) write(text string, path ...string) string {
	w.t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return file
}

func (w *world) writeUser(text string) string { return w.write(text, w.user, "mcpls", FileName) }

func (w *world) sources() Sources { return Sources{UserDir: w.user, WorkDir: w.workspace} }

func (w *world) load(src Sources) *Config {
	w.t.Helper()
	cfg, err := Load(src)
	if err != nil {
		w.t.Fatal(err)
	}
	return cfg
}

// ids gives the servers as ID:origin.
func ids(cfg *Config) []string {
	var list []string
	for _, d := range cfg.Servers {
		list = append(list, d.ID+":"+string(d.Origin))
	}
	return list
}

func builtinIDs() []string {
	var list []string
	for _, d := range builtins(catalog.Servers()) {
		list = append(list, d.ID+":builtin")
	}
	return list
}

func expectServers(t *testing.T, cfg *Config, declared ...string) {
	t.Helper()
	if got, want := ids(cfg), append(declared, builtinIDs()...); !slices.Equal(got, want) {
		t.Errorf("servers %v, want %v", got, want)
	}
}

func expectWarning(t *testing.T, cfg *Config, parts ...string) {
	t.Helper()
	if !slices.ContainsFunc(cfg.Warnings, func(w string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(w, part) })
	}) {
		t.Errorf("no warning with %q in %q", parts, cfg.Warnings)
	}
}

func entry(language string) string {
	return "[[lsp_servers]]\nlanguage_id = '" + language + "'\ncommand = '" + language + "-ls'\n"
}

func TestLoadWithoutAnyFile(t *testing.T) {
	w := newWorld(t)
	for _, src := range []Sources{w.sources(), {WorkDir: w.workspace}} {
		cfg := w.load(src)
		expectServers(t, cfg)
		if d := defaults(); !reflect.DeepEqual(cfg.MCP, d.MCP) || !reflect.DeepEqual(cfg.Workspace, d.Workspace) {
			t.Errorf("not the defaults: %+v", cfg)
		}
		if !slices.Equal(cfg.Roots, []string{w.workspace}) || cfg.Files != nil || cfg.Warnings != nil {
			t.Errorf("roots %v, files %v, warnings %v", cfg.Roots, cfg.Files, cfg.Warnings)
		}
	}
}

func TestBuiltinDeclaration(t *testing.T) {
	w := newWorld(t)
	row := catalog.Servers()[0]
	want := Declaration{ID: row.ID, Origin: Builtin, Server: Server{
		LanguageID: row.ID, Command: row.Command[0], Args: row.Command[1:], FilePatterns: row.Patterns,
		Heuristics: Heuristics{ProjectMarkers: row.Markers},
	}}
	if got := w.load(w.sources()).Servers[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestOrderOfSources(t *testing.T) {
	w := newWorld(t)
	user := w.writeUser("mcp.title = 'user'")
	env := w.write("mcp.title = 'env'", w.other, "env.toml")
	flag := w.write("mcp.title = 'flag'", w.other, "flag.toml")
	relative := w.write("mcp.title = 'relative'", w.workspace, "conf", "a.toml")
	for _, test := range []struct {
		title     string
		flag, env string
		want      Source
	}{
		{"user", "", "", Source{user, User}},
		{"env", "", env, Source{env, Named}},
		{"flag", flag, env, Source{flag, Named}},
		{"relative", "conf/a.toml", "", Source{relative, Named}},
	} {
		src := w.sources()
		src.Flag, src.Env = test.flag, test.env
		cfg := w.load(src)
		if cfg.MCP.Title != test.title || !slices.Equal(cfg.Files, []Source{test.want}) {
			t.Errorf("%s: title %q, files %v", test.title, cfg.MCP.Title, cfg.Files)
		}
		if got, ok := src.Locate(); got != test.want || !ok {
			t.Errorf("%s: Locate = %v, %v", test.title, got, ok)
		}
	}
}

func TestLocateWhatIsMissing(t *testing.T) {
	w := newWorld(t)
	missing := filepath.Join(w.other, "x.toml")
	for _, test := range []struct {
		src    Sources
		want   Source
		exists bool
	}{
		{Sources{Flag: missing}, Source{missing, Named}, true},
		{Sources{Env: "x.toml", WorkDir: w.other}, Source{missing, Named}, true},
		{Sources{UserDir: w.user}, Source{filepath.Join(w.user, "mcpls", FileName), User}, false},
		{Sources{}, Source{}, false},
	} {
		if got, exists := test.src.Locate(); got != test.want || exists != test.exists {
			t.Errorf("%+v: %v, %v; want %v, %v", test.src, got, exists, test.want, test.exists)
		}
	}
}

func TestMainFileThatCannotBeUsed(t *testing.T) {
	w := newWorld(t)
	for _, test := range []struct{ name, path, want string }{
		{"missing", filepath.Join(w.other, "no.toml"), "no.toml: cannot be read: no such file or directory"},
		{"directory", w.other, "other: cannot be read: not a regular file"},
		{"too large", w.write(strings.Repeat("#", maxFileBytes+1), w.other, "large"), "large: cannot be read: larger than 1048576 bytes"},
		{"malformed", w.write("[mcp", w.other, "bad"), "bad:1:"},
		{"bad root", w.write("workspace.roots = ['no']", w.other, "root"), "root: workspace root"},
		{"two ids", w.write(entry("a")+entry("a"), w.other, "twice"), `two servers have the id "a": give one of them a name`},
		{"two ids by name", w.write(entry("a")+entry("b")+"name = 'a'", w.other, "twice2"), `two servers have the id "a"`},
	} {
		for _, src := range []Sources{{Flag: test.path, WorkDir: w.workspace}, {Env: test.path, WorkDir: w.workspace}} {
			cfg, err := Load(src)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v, %v; want an error with %q", test.name, cfg, err, test.want)
			} else if strings.Count(err.Error(), test.path) > 1 {
				t.Errorf("%s: the path stands twice in %q", test.name, err)
			}
		}
	}
	w.writeUser("[mcp")
	if _, err := Load(w.sources()); err == nil {
		t.Error("a malformed user file is no error")
	}
}

func TestLargestFile(t *testing.T) {
	w := newWorld(t)
	w.writeUser(strings.Repeat("#", maxFileBytes))
	if cfg := w.load(w.sources()); len(cfg.Files) != 1 {
		t.Errorf("files %v, warnings %v", cfg.Files, cfg.Warnings)
	}
}

func TestRootsAreRelativeTo(t *testing.T) {
	w := newWorld(t)
	for _, dir := range []string{"ws/r", "other/r"} {
		if err := os.Mkdir(filepath.Join(filepath.Dir(w.user), dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	text := "workspace.roots = ['r', 'r/../r', '" + w.user + "']"
	named := w.write(text, w.other, "x.toml")
	w.writeUser(text)
	for _, test := range []struct {
		name      string
		flag, env string
		dir       string
	}{{"--config", named, "", w.other}, {"MCPLS_CONFIG", "", named, w.other}} {
		cfg := w.load(Sources{Flag: test.flag, Env: test.env, UserDir: w.user, WorkDir: w.workspace})
		if want := []string{filepath.Join(test.dir, "r"), w.user}; !slices.Equal(cfg.Roots, want) {
			t.Errorf("%s: roots %v, want %v", test.name, cfg.Roots, want)
		}
	}
	w.writeUser("workspace.roots = ['r']")
	if cfg := w.load(w.sources()); !slices.Equal(cfg.Roots, []string{filepath.Join(w.workspace, "r")}) {
		t.Errorf("user file: roots %v", cfg.Roots)
	}
}

// hostile says all that a project file must not decide.
func hostile(root string) string {
	return "builtin_servers = false\n[mcp]\ntitle = 'evil'\ninstructions = 'evil'\n[workspace]\nroots = ['" + root + "']\nmax_documents = 7\n" + entry("evil")
}

// A file that the environment led into the workspace was written by the
// repository.
func TestMainFileInsideWorkspaceIsProject(t *testing.T) {
	for _, test := range []struct {
		name string
		path []string // below the workspace
		src  func(w *world, file string) Sources
	}{
		{"MCPLS_CONFIG", []string{"conf.toml"}, func(w *world, file string) Sources {
			return Sources{Env: file, UserDir: w.user, WorkDir: w.workspace}
		}},
		{"MCPLS_CONFIG names the project file", []string{FileName}, func(w *world, file string) Sources {
			return Sources{Env: FileName, UserDir: w.user, WorkDir: w.workspace}
		}},
		{"user directory", []string{".config", "mcpls", FileName}, func(w *world, file string) Sources {
			return Sources{UserDir: filepath.Join(w.workspace, ".config"), WorkDir: w.workspace}
		}},
		{"through a link outside", []string{"conf.toml"}, func(w *world, file string) Sources {
			link := filepath.Join(w.other, "link.toml")
			if err := os.Symlink(file, link); err != nil {
				w.t.Fatal(err)
			}
			return Sources{Env: link, WorkDir: w.workspace}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			file := w.write(hostile(w.other), append([]string{w.workspace}, test.path...)...)
			src := test.src(w, file)
			cfg := w.load(src)
			expectServers(t, cfg, "evil@project:project")
			if d := defaults(); !reflect.DeepEqual(cfg.MCP, d.MCP) || !reflect.DeepEqual(cfg.Workspace, d.Workspace) {
				t.Errorf("settings of the file were taken: %+v", cfg)
			}
			if !slices.Equal(cfg.Roots, []string{w.workspace}) {
				t.Errorf("roots %v", cfg.Roots)
			}
			if len(cfg.Files) != 1 || cfg.Files[0].Origin != Project {
				t.Errorf("files %v", cfg.Files)
			}
			expectWarning(t, cfg, "lies inside the workspace: only its server entries are read")
		})
	}
}

func TestMainFileInsideConfiguredRootIsProject(t *testing.T) {
	w := newWorld(t)
	w.write("workspace.roots = ['.']\n"+entry("a"), w.other, "conf.toml")
	cfg := w.load(Sources{Env: filepath.Join(w.other, "conf.toml"), WorkDir: w.workspace})
	expectServers(t, cfg, "a@project:project")
	if !slices.Equal(cfg.Roots, []string{w.workspace}) {
		t.Errorf("roots %v", cfg.Roots)
	}
}

// The working directory / is no checkout; a root is one all the same.
func TestMainFileWithoutCheckout(t *testing.T) {
	w := newWorld(t)
	text := "workspace.roots = ['" + w.workspace + "']\n" + entry("a")
	for _, test := range []struct{ dir, want string }{{w.other, "a:named"}, {w.workspace, "a@project:project"}} {
		file := w.write(text, test.dir, "conf.toml")
		expectServers(t, w.load(Sources{Env: file, WorkDir: "/"}), test.want)
	}
}

// The repository's author must not be able to stop mcpls with a clash.
func TestClashInMainFileInsideWorkspaceIsAWarning(t *testing.T) {
	w := newWorld(t)
	file := w.write(entry("a")+entry("a"), w.workspace, "conf.toml")
	cfg := w.load(Sources{Env: file, WorkDir: w.workspace})
	expectServers(t, cfg, "a@project:project")
	expectWarning(t, cfg, `two servers have the id "a"`)
}

func TestConfigFlagInsideWorkspaceStaysNamed(t *testing.T) {
	w := newWorld(t)
	file := w.write("mcp.title = 'mine'\n"+entry("a"), w.workspace, FileName)
	for _, flag := range []string{file, FileName} {
		cfg := w.load(Sources{Flag: flag, Env: "/nowhere", UserDir: w.user, WorkDir: w.workspace})
		expectServers(t, cfg, "a:named")
		if cfg.MCP.Title != "mine" || len(cfg.Files) != 1 || cfg.Warnings != nil {
			t.Errorf("%+v", cfg)
		}
	}
}

func TestProjectFile(t *testing.T) {
	w := newWorld(t)
	path := w.write(hostile(w.other), w.workspace, FileName)
	user := w.writeUser("mcp.title = 'mine'\n" + entry("own"))
	cfg := w.load(w.sources())
	expectServers(t, cfg, "own:user", "evil@project:project")
	if cfg.MCP.Title != "mine" || cfg.MCP.Instructions != "" || cfg.Workspace.MaxDocuments != 100 || !slices.Equal(cfg.Roots, []string{w.workspace}) {
		t.Errorf("settings of the project were taken: %+v", cfg)
	}
	if want := []Source{{user, User}, {path, Project}}; !slices.Equal(cfg.Files, want) {
		t.Errorf("files %v, want %v", cfg.Files, want)
	}
	if d := cfg.Servers[1]; d.File != path || d.Command != "evil-ls" || d.LanguageID != "evil" {
		t.Errorf("declaration %+v", d)
	}
	expectWarning(t, cfg, path, "is a project file")
}

// Nothing that lies in a project file's place stops mcpls or takes a setting.
func TestProjectFileThatCannotBeUsed(t *testing.T) {
	for _, test := range []struct {
		name string
		make func(w *world, path string) error
		want string
	}{
		{"malformed", func(w *world, path string) error { w.write("[mcp", path); return nil }, "project file ignored: "},
		{"too large", func(w *world, path string) error { w.write(strings.Repeat("#", maxProjectBytes+1), path); return nil }, "larger than 65536 bytes"},
		{"directory", func(w *world, path string) error { return os.Mkdir(path, 0o700) }, "not a regular file"},
		{"link out of the root", func(w *world, path string) error { return os.Symlink(w.write(entry("evil"), w.other, "x"), path) }, "outside the workspace roots"},
		{"link to nothing", func(w *world, path string) error { return os.Symlink("/nowhere/x", path) }, ""},
		{"link to itself", func(w *world, path string) error { return os.Symlink(FileName, path) }, "cannot be read"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.writeUser("mcp.title = 'mine'\n" + entry("own"))
			path := filepath.Join(w.workspace, FileName)
			if err := test.make(w, path); err != nil {
				t.Fatal(err)
			}
			cfg := w.load(w.sources())
			expectServers(t, cfg, "own:user")
			if cfg.MCP.Title != "mine" || len(cfg.Files) != 1 {
				t.Errorf("title %q, files %v", cfg.MCP.Title, cfg.Files)
			}
			if test.want != "" {
				expectWarning(t, cfg, path, test.want)
			}
		})
	}
}

func TestProjectFileLinkedWithinTheRootIsRead(t *testing.T) {
	w := newWorld(t)
	if err := os.Symlink(w.write(entry("a"), w.workspace, "sub", "x"), filepath.Join(w.workspace, FileName)); err != nil {
		t.Fatal(err)
	}
	expectServers(t, w.load(w.sources()), "a@project:project")
}

func TestProjectFilesOfTwoRoots(t *testing.T) {
	w := newWorld(t)
	w.writeUser("workspace.roots = ['" + w.workspace + "', '" + w.other + "']")
	w.write(entry("a")+entry("b"), w.workspace, FileName)
	second := w.write(entry("b")+entry("c"), w.other, FileName)
	cfg := w.load(w.sources())
	expectServers(t, cfg, "a@project:project", "b@project:project", "c@project:project")
	expectWarning(t, cfg, second, `two servers have the id "b"`)
}

func TestIDs(t *testing.T) {
	builtin := catalog.Servers()[0].ID
	named := func(name string) string { return "name = '" + name + "'\n" }
	const hover = "handles = ['hover']\n"
	for _, test := range []struct {
		name, user, project string
		want                []string
	}{
		{"a project entry never takes the user's id", entry("a"), entry("a"), append([]string{"a:user"}, builtinIDs()...)},
		{"nor by its name", entry("a"), entry("b") + named("a"), append([]string{"a:user"}, builtinIDs()...)},
		{"nor with the suffix", entry("b") + named("a@project"), entry("a"), append([]string{"a@project:user"}, builtinIDs()...)},
		{"case counts", entry("a"), entry("A"), append([]string{"a:user", "A@project:project"}, builtinIDs()...)},
		{"a project entry never replaces a built-in one", "", entry(builtin), append([]string{builtin + "@project:project"}, builtinIDs()...)},
		{"nor by its name", "", entry("b") + named(builtin), append([]string{builtin + "@project:project"}, builtinIDs()...)},
		{"a user entry replaces its built-in twin", entry(builtin), "", append([]string{builtin + ":user"}, builtinIDs()[1:]...)},
		{"with a name too", entry(builtin) + named("mine"), "", append([]string{"mine:user"}, builtinIDs()[1:]...)},
		{"and an id only once", entry("b") + named(builtin), "", append([]string{builtin + ":user", builtin + "@builtin:builtin"}, builtinIDs()[1:]...)},
		{"and no other", entry("b"), "", append([]string{"b:user"}, builtinIDs()...)},
		{"with handles it does not", entry(builtin) + named("mine") + hover, "", append([]string{"mine:user"}, builtinIDs()...)},
		{"nor without a name", entry(builtin) + hover, "", append([]string{builtin + ":user", builtin + "@builtin:builtin"}, builtinIDs()[1:]...)},
		{"both", entry(builtin) + hover + entry(builtin) + named("x"), "", append([]string{builtin + ":user", "x:user"}, builtinIDs()[1:]...)},
		{"two of one language with names", entry("a") + named("x") + hover + entry("a") + named("y"), "", append([]string{"x:user", "y:user"}, builtinIDs()...)},
		{"no built-in servers", "builtin_servers = false\n" + entry("a"), "", []string{"a:user"}},
		{"built-in servers", "builtin_servers = true", "", builtinIDs()},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.writeUser(test.user)
			w.write(test.project, w.workspace, FileName)
			cfg := w.load(w.sources())
			if got := ids(cfg); !slices.Equal(got, test.want) {
				t.Errorf("servers %v, want %v", got, test.want)
			}
			for _, d := range cfg.Servers {
				if (d.File == "") != (d.Origin == Builtin) {
					t.Errorf("%s is declared in %q", d.ID, d.File)
				}
			}
		})
	}
}

// TestUntrusted holds that no file of the workspace is read in untrusted-workspace
// mode, whoever named it.
func TestUntrusted(t *testing.T) {
	for _, test := range []struct {
		name string
		make func(w *world) Sources
		bad  bool
	}{
		{"no file", func(w *world) Sources { return w.sources() }, false},
		{"the user's", func(w *world) Sources { w.writeUser(entry("go")); return w.sources() }, false},
		{"a named one outside", func(w *world) Sources {
			return Sources{Flag: w.write(entry("go"), w.other, "c.toml"), WorkDir: w.workspace}
		}, false},
		{"a named one inside", func(w *world) Sources {
			return Sources{Flag: w.write(entry("go"), w.workspace, "c.toml"), WorkDir: w.workspace}
		}, true},
		{"a relative one", func(w *world) Sources {
			w.write(entry("go"), w.workspace, "c.toml")
			return Sources{Flag: "c.toml", WorkDir: w.workspace}
		}, true},
		{"a relative one that leads out", func(w *world) Sources {
			w.write(entry("go"), w.other, "c.toml")
			return Sources{Flag: "../other/c.toml", WorkDir: w.workspace}
		}, false},
		{"a link out of the workspace", func(w *world) Sources {
			if err := os.Symlink(w.write(entry("go"), w.other, "c.toml"), filepath.Join(w.workspace, "c.toml")); err != nil {
				t.Fatal(err)
			}
			return Sources{Flag: "c.toml", WorkDir: w.workspace}
		}, true},
		{"of the environment", func(w *world) Sources {
			return Sources{Env: w.write(entry("go"), w.workspace, "c.toml"), WorkDir: w.workspace}
		}, true},
		{"a user directory inside", func(w *world) Sources {
			w.write(entry("go"), w.workspace, "mcpls", FileName)
			return Sources{UserDir: w.workspace, WorkDir: w.workspace}
		}, true},
		{"of the environment, behind dots", func(w *world) Sources {
			w.write(entry("go"), w.workspace, "c.toml")
			return Sources{Env: w.other + "/../ws/c.toml", WorkDir: w.workspace}
		}, true},
		{"of the environment, behind a link and dots", func(w *world) Sources {
			w.write(entry("go"), w.workspace, "c.toml")
			w.write("", w.workspace, "deep", "x")
			if err := os.Symlink(filepath.Join(w.workspace, "deep"), filepath.Join(w.other, "link")); err != nil {
				t.Fatal(err)
			}
			return Sources{Env: w.other + "/link/../c.toml", WorkDir: w.workspace}
		}, true},
		{"of the environment, through /proc", func(w *world) Sources {
			return Sources{Env: "/proc/self/root" + w.write(entry("go"), w.workspace, "c.toml"), WorkDir: w.workspace}
		}, runtime.GOOS == "linux"},
		{"a broken one inside", func(w *world) Sources {
			return Sources{Env: w.write("broken", w.workspace, "c.toml"), WorkDir: w.workspace}
		}, true},
		{"in a root that it names", func(w *world) Sources {
			return Sources{Flag: w.write(fmt.Sprintf("workspace.roots = [%q]\n", w.other)+entry("go"), w.other, "c.toml"), WorkDir: w.workspace}
		}, true},
		{"it names a root elsewhere", func(w *world) Sources {
			return Sources{Flag: w.write(fmt.Sprintf("workspace.roots = [%q]\n", w.other)+entry("go"), w.workspace, "c.toml"), WorkDir: w.workspace}
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			src := test.make(w)
			src.Untrusted = true
			w.write(entry("python"), w.workspace, FileName)
			cfg, err := Load(src)
			if test.bad {
				if err == nil || !strings.Contains(err.Error(), "untrusted-workspace mode") {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range cfg.Servers {
				if d.Origin == Project {
					t.Errorf("the project file was read: %+v", d)
				}
			}
			if len(cfg.Warnings) > 0 {
				t.Errorf("warnings %q", cfg.Warnings)
			}
		})
	}
}
