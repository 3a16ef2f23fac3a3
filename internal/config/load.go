package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

	// Untrusted says that untrusted-workspace mode is on: no file that lies inside
	// the workspace is read, whoever named it.
	Untrusted bool
}

// Load finds and reads the configuration: the file of --config, else of
// MCPLS_CONFIG, else the user's; then the project files in the roots, of which
// only server entries count; then the built-in servers that no entry of the
// user's replaces.
//
// A fault in the user's file is an error. A fault in a project file is a
// warning, since the repository's author must not be able to stop mcpls.
func Load(src Sources) (*Config, error) {
	l := &loader{cfg: &Config{}, builtin: true}
	main, err := l.takeMain(src)
	if err != nil {
		return nil, err
	}
	l.cfg.Boundary = boundary(l.cfg.Roots, src.WorkDir)
	if src.Untrusted {
		if err := l.holdOutside(main, src); err != nil {
			return nil, err
		}
	} else {
		for _, root := range l.cfg.Roots {
			l.takeProject(root, main)
		}
	}
	l.declareFaulty()
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
		return Source{Path: filepath.Clean(src.absolute(src.Flag)), Origin: Named}, true
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

type loader struct {
	cfg     *Config
	builtin bool
	faulty  []faultyIn
}

// takeMain takes over the file that Locate gives. One that lies inside the
// workspace and was found through the environment was written by the
// repository, not by the user: it counts as a project file. That is decided
// before the file is read, because the repository's author must not be able to
// stop mcpls with a broken one; only the roots that a file names itself are
// known later.
//
// In untrusted-workspace mode such a file is refused, also one of --config: it
// would name the roots that it is held to.
func (l *loader) takeMain(src Sources) (Source, error) {
	source, exists := src.Locate()
	switch {
	case !exists:
		return Source{}, l.settle(defaults(), Source{}, src)
	case src.Untrusted && src.leadsIntoCheckout(source.Path):
		return source, inWorkspace(source.Path)
	case src.Flag == "" && src.leadsIntoCheckout(source.Path):
		return source, l.takeDemoted(source, src)
	}
	data, err := readFile(source.Path, maxFileBytes)
	if err != nil {
		return source, &Error{File: source.Path, Message: "cannot be read: " + cause(err).Error()}
	}
	file, err := decode(source.Path, data)
	if err != nil {
		return source, err
	}
	dirs := rootDirs(file.Workspace.Roots, source, src)
	if !src.Untrusted && src.Flag == "" && leadsIntoRoot(source.Path, dirs, src.WorkDir) {
		return source, l.takeDemoted(source, src)
	}
	return source, l.settle(file, source, src)
}

// holdOutside refuses a main file that lies inside a root: in untrusted-workspace
// mode consent does not come from the workspace.
func (l *loader) holdOutside(main Source, src Sources) error {
	if main.Path != "" && leadsIntoRoot(main.Path, l.cfg.Roots, src.WorkDir) {
		return inWorkspace(main.Path)
	}
	return nil
}

func inWorkspace(path string) error {
	return &Error{File: path, Message: "lies inside the workspace, and in untrusted-workspace mode mcpls reads no configuration there: " +
		"put it outside, such as where mcpls config path says without MCPLS_CONFIG, HOME and XDG_CONFIG_HOME of the workspace"}
}

// settle takes the settings and the servers of a file of the user's.
func (l *loader) settle(file File, source Source, src Sources) error {
	set, err := roots.NewSet(rootDirs(file.Workspace.Roots, source, src))
	if err != nil {
		return &Error{File: orDefault(source.Path), Message: err.Error()}
	}
	l.cfg.MCP, l.cfg.Workspace, l.cfg.Trust, l.cfg.Roots = file.MCP, file.Workspace, file.Trust, set.Dirs()
	l.cfg.ImplicitRoot = len(file.Workspace.Roots) == 0
	l.builtin = file.BuiltinServers == nil || *file.BuiltinServers
	if source.Path == "" {
		return nil
	}
	l.cfg.Files = append(l.cfg.Files, source)
	for _, server := range file.Servers {
		l.declare(server, source)
	}
	return nil
}

// takeDemoted takes the server entries of a file in the place of the user's
// that the repository wrote, and defaults for everything else.
func (l *loader) takeDemoted(source Source, src Sources) error {
	if err := l.settle(defaults(), Source{}, src); err != nil {
		return err
	}
	l.warn("%s lies inside the workspace: only its server entries are read", source.Path)
	data, err := readFile(source.Path, maxProjectBytes)
	l.takeEntries(source.Path, data, err)
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

// leadsIntoCheckout reports whether a path leads into the working directory:
// whoever wrote what lies there may be somebody else. The working directory
// counts beside the roots because the file itself names the roots; it does not
// where it is / or the login home, which are no checkouts.
func (src Sources) leadsIntoCheckout(path string) bool {
	dir, err := roots.Canonical(src.WorkDir)
	return err != nil || roots.IsCheckout(dir) && roots.LeadsInto([]string{dir}, path, roots.Disk{})
}

// leadsIntoRoot reports whether a path leads into one of the roots. A working
// directory that is no checkout is none of them.
func leadsIntoRoot(path string, dirs []string, workDir string) bool {
	set, err := roots.NewSet(dirs)
	if err != nil {
		return false // settle reports it
	}
	return slices.ContainsFunc(set.Dirs(), func(root string) bool {
		return (root != workDir || roots.IsCheckout(root)) && roots.LeadsInto([]string{root}, path, roots.Disk{})
	})
}

// boundary gives the directories whose content somebody else may have written.
func boundary(rootDirs []string, workDir string) []string {
	dir, err := roots.Canonical(workDir)
	if err != nil || !roots.IsCheckout(dir) || slices.Contains(rootDirs, dir) {
		return rootDirs
	}
	return append(slices.Clone(rootDirs), dir)
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
	if l.takeEntries(path, data, err) {
		l.warn("%s is a project file: only its server entries are read", path)
	}
}

// takeEntries takes the server entries of a file of the repository's, whose
// content is data unless it could not be read. What is wrong with the whole of it
// is a warning, and then none of them is taken; an entry that is malformed is
// declared with its fault, and the others go on.
func (l *loader) takeEntries(path string, data []byte, err error) bool {
	if err != nil {
		l.warn("project file ignored: %s: cannot be read: %v", path, cause(err))
		return false
	}
	file, err := decodeProject(path, data)
	if err != nil {
		l.warn("project file ignored: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
		return false
	}
	source := Source{Path: path, Origin: Project}
	l.cfg.Files = append(l.cfg.Files, source)
	for _, server := range file.servers {
		l.declareProject(server, source)
	}
	for _, f := range file.faulty {
		l.faulty = append(l.faulty, faultyIn{f, path})
	}
	return true
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
	return readLimited(f, maxProjectBytes)
}

// maxWarningBytes bounds a warning: a repository's file must not fill the log.
const maxWarningBytes = 1000

func (l *loader) warn(format string, args ...any) {
	l.cfg.Warnings = append(l.cfg.Warnings, shorten(fmt.Sprintf(format, args...)))
}

func shorten(text string) string {
	if len(text) > maxWarningBytes {
		text = strings.ToValidUTF8(text[:maxWarningBytes-len("...")], "") + "..."
	}
	return text
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
