package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"mcpls/internal/catalog"
	"mcpls/internal/roots"
)

// FileName is the name of a configuration file, wherever it lies.
const FileName = "mcpls.toml"

// Sources are the places where a configuration may come from.
type Sources struct {
	Flag    string // --config; "" when it was not given
	Env     string // MCPLS_CONFIG
	UserDir string // the user's configuration directory; "" when unknown
	WorkDir string
}

// Load finds and reads the configuration: the file of --config, else of
// MCPLS_CONFIG, else the user's; then the project files in the roots, of which
// only server entries count; then the built-in servers that no entry of the
// user's replaces.
//
// A fault in the user's file is an error. A fault in a project file is a
// warning, since the repository's author must not be able to stop mcpls.
func Load(src Sources) (*Config, error) {
	file, source, err := src.main()
	if err != nil {
		return nil, err
	}
	l := &loader{cfg: &Config{}, builtin: true}
	if err := l.takeMain(file, source, src); err != nil {
		return nil, err
	}
	for _, root := range l.cfg.Roots {
		l.takeProject(root, source)
	}
	if l.builtin {
		l.takeBuiltin()
	}
	return l.cfg, nil
}

// Locate gives the file that Load would read, without reading it; false when
// there is none. A file that was named is given even when it is missing.
func (src Sources) Locate() (Source, bool) {
	switch {
	case src.Flag != "":
		return Source{Path: src.absolute(src.Flag), Origin: Named}, true
	case src.Env != "":
		return Source{Path: src.absolute(src.Env), Origin: Named}, true
	case src.UserDir == "":
		return Source{}, false
	}
	path := filepath.Join(src.UserDir, "mcpls", FileName)
	_, err := os.Stat(path)
	return Source{Path: path, Origin: User}, !errors.Is(err, fs.ErrNotExist)
}

func (src Sources) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(src.WorkDir, path)
}

func (src Sources) main() (File, Source, error) {
	source, ok := src.Locate()
	if !ok {
		return defaults(), Source{}, nil
	}
	data, err := readFile(source.Path)
	if err != nil {
		return File{}, source, &Error{File: source.Path, Message: "cannot be read: " + cause(err).Error()}
	}
	file, err := decode(source.Path, data)
	return file, source, err
}

type loader struct {
	cfg     *Config
	builtin bool
}

// takeMain takes over the user's file. One that lies inside the workspace and
// was found through the environment was written by the repository, not by the
// user: it counts as a project file.
func (l *loader) takeMain(file File, source Source, src Sources) error {
	dirs := rootDirs(file.Workspace.Roots, source, src)
	set, err := roots.NewSet(dirs)
	if err != nil {
		return &Error{File: orDefault(source.Path), Message: err.Error()}
	}
	if source.Path != "" && src.Flag == "" && insideWorkspace(source.Path, set, src.WorkDir) {
		l.warn("%s lies inside the workspace: only its server entries are read, and they pass the launch gate", source.Path)
		servers := file.Servers
		file, source.Origin = defaults(), Project
		if set, err = roots.NewSet([]string{src.WorkDir}); err != nil {
			return &Error{File: source.Path, Message: err.Error()}
		}
		file.Servers = servers
	}
	l.cfg.MCP, l.cfg.Workspace, l.cfg.Roots = file.MCP, file.Workspace, set.Dirs()
	l.cfg.ImplicitRoot = len(file.Workspace.Roots) == 0
	l.builtin = file.BuiltinServers == nil || *file.BuiltinServers
	if source.Path == "" {
		return nil
	}
	l.cfg.Files = append(l.cfg.Files, source)
	for _, server := range file.Servers {
		if err := l.add(server, source); err != nil {
			return err
		}
	}
	return nil
}

// rootDirs gives the configured roots: relative to the file when the file was
// named, else to the working directory, which is the root when there is none.
func rootDirs(configured []string, source Source, src Sources) []string {
	base := src.WorkDir
	if source.Origin == Named {
		base = filepath.Dir(source.Path)
	}
	if len(configured) == 0 {
		return []string{src.WorkDir}
	}
	var dirs []string
	for _, dir := range configured {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(base, dir)
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// insideWorkspace reports whether a file lies in a root or in the working
// directory. The working directory counts beside the roots because the file
// itself names the roots; it does not where it is / or the login home, which
// are no checkouts. A file that cannot be resolved counts as inside.
func insideWorkspace(path string, set *roots.Set, workDir string) bool {
	canonical, err := roots.Canonical(path)
	if err != nil {
		return true
	}
	dir, err := roots.Canonical(workDir)
	if err != nil {
		return true
	}
	if !roots.IsCheckout(dir) {
		return slices.ContainsFunc(set.Dirs(), func(root string) bool {
			return root != dir && roots.Inside(root, canonical)
		})
	}
	_, inside := set.Of(canonical)
	return inside || roots.Inside(dir, canonical)
}

// takeProject takes the server entries of a project file.
func (l *loader) takeProject(root string, main Source) {
	path := filepath.Join(root, FileName)
	if sameFile(path, main.Path) {
		return // it was named: that was consent
	}
	data, err := readProject(root, path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		l.warn("%s was not read: %v", path, err)
		return
	}
	file, err := decode(path, data)
	if err != nil {
		l.warn("project file ignored: %v", err)
		return
	}
	source := Source{Path: path, Origin: Project}
	l.cfg.Files = append(l.cfg.Files, source)
	l.warn("%s is a project file: only its server entries are read, and they pass the launch gate", path)
	for _, server := range file.Servers {
		// Of a project entry add only warns.
		_ = l.add(server, source)
	}
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// readProject opens through the boundary: a link out of the root, or a FIFO in
// the file's place, is not read.
func readProject(root, path string) ([]byte, error) {
	if _, err := os.Lstat(path); err != nil {
		return nil, err
	}
	set, err := roots.NewSet([]string{root})
	if err != nil {
		return nil, err
	}
	f, err := set.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if len(data) > maxFileBytes {
		return nil, fmt.Errorf("larger than %d bytes", maxFileBytes)
	}
	return data, err
}

// add declares one server. Two entries of the user's with one id are an error;
// a project entry never takes an id of the user's, and never a built-in one,
// and a clash of it is a warning.
func (l *loader) add(server Server, source Source) error {
	id := server.Name
	if id == "" {
		id = server.LanguageID
	}
	clash := slices.ContainsFunc(l.cfg.Servers, func(d Declaration) bool { return d.ID == id })
	if source.Origin == Project {
		if clash {
			l.warn("%s: server %q ignored: the id is taken by a server of your own", source.Path, id)
			return nil
		}
		id += "@project"
		clash = slices.ContainsFunc(l.cfg.Servers, func(d Declaration) bool { return d.ID == id })
	}
	if clash {
		err := &Error{File: source.Path, Message: fmt.Sprintf("two servers have the id %q: give one of them a name", id)}
		if source.Origin == Project {
			l.warn("%v", err)
			return nil
		}
		return err
	}
	l.cfg.Servers = append(l.cfg.Servers, Declaration{Server: server, ID: id, Origin: source.Origin, File: source.Path})
	return nil
}

// takeBuiltin declares each row of the catalog whose language no entry of the
// user's has.
func (l *loader) takeBuiltin() {
	for _, row := range catalog.Servers() {
		replaced := slices.ContainsFunc(l.cfg.Servers, func(d Declaration) bool {
			return d.Origin != Project && (d.LanguageID == row.ID || d.ID == row.ID)
		})
		if replaced {
			continue
		}
		l.cfg.Servers = append(l.cfg.Servers, Declaration{
			ID: row.ID, Origin: Builtin,
			Server: Server{
				LanguageID: row.ID, Command: row.Command[0], Args: row.Command[1:], FilePatterns: row.Patterns,
				Heuristics: Heuristics{ProjectMarkers: row.Markers},
			},
		})
	}
}

func (l *loader) warn(format string, args ...any) {
	l.cfg.Warnings = append(l.cfg.Warnings, fmt.Sprintf(format, args...))
}

func orDefault(path string) string {
	if path == "" {
		return "configuration"
	}
	return path
}

func cause(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}
