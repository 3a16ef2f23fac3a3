package workspace

import (
	"maps"
	"path/filepath"
	"strings"
)

// extensions is the built-in table from a file extension to the language id of
// the LSP specification (Text Document Item).
var extensions = map[string]string{
	"rs": "rust",
	"py": "python", "pyw": "python", "pyi": "python",
	"js": "javascript", "mjs": "javascript", "cjs": "javascript",
	"ts": "typescript", "mts": "typescript", "cts": "typescript",
	"tsx": "typescriptreact", "jsx": "javascriptreact",
	"go": "go",
	"c":  "c", "h": "c",
	"cpp": "cpp", "cc": "cpp", "cxx": "cpp", "hpp": "cpp", "hh": "cpp", "hxx": "cpp",
	"java": "java", "rb": "ruby", "php": "php", "swift": "swift",
	"kt": "kotlin", "kts": "kotlin", "scala": "scala", "sc": "scala",
	"zig": "zig", "lua": "lua",
	"sh": "shellscript", "bash": "shellscript", "zsh": "shellscript",
	"json": "json", "toml": "toml", "yaml": "yaml", "yml": "yaml", "xml": "xml",
	"html": "html", "htm": "html", "css": "css", "scss": "scss", "less": "less",
	"md": "markdown", "markdown": "markdown",
	"cs": "csharp", "fs": "fsharp", "fsi": "fsharp", "fsx": "fsharp", "r": "r",
	"tf": "terraform", "tfvars": "terraform-vars",
}

// names are files whose name and not their extension tells the language.
var names = map[string]string{
	"go.mod": "go.mod", "go.work": "go.work", "go.sum": "go.sum",
	"Makefile": "makefile", "Dockerfile": "dockerfile",
}

func languageTable(more map[string]string) map[string]string {
	table := maps.Clone(extensions)
	for ext, id := range more {
		table[strings.ToLower(strings.TrimPrefix(ext, "."))] = id
	}
	return table
}

func (w *Workspace) language(path string) string {
	if id, ok := names[filepath.Base(path)]; ok {
		return id
	}
	return w.languages[strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))]
}
