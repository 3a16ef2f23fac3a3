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
	"cpp": "cpp", "cc": "cpp", "cxx": "cpp", "c++": "cpp", "hpp": "cpp", "hh": "cpp", "hxx": "cpp", "ipp": "cpp", "inl": "cpp",
	"java": "java", "rb": "ruby", "rake": "ruby", "gemspec": "ruby", "php": "php", "phtml": "php", "swift": "swift",
	"kt": "kotlin", "kts": "kotlin", "scala": "scala", "sc": "scala",
	"zig": "zig", "zon": "zig", "lua": "lua",
	"sh": "shellscript", "bash": "shellscript", "zsh": "shellscript",
	"json": "json", "jsonc": "jsonc", "toml": "toml", "yaml": "yaml", "yml": "yaml", "xml": "xml",
	"html": "html", "htm": "html", "css": "css", "scss": "scss", "less": "less",
	"md": "markdown", "markdown": "markdown",
	"cs": "csharp", "fs": "fsharp", "fsi": "fsharp", "fsx": "fsharp", "r": "r",
	"tf": "terraform", "tfvars": "terraform-vars",
}

// names are files whose name and not their extension tells the language.
var names = map[string]string{
	"go.mod": "go.mod", "go.work": "go.work", "go.sum": "go.sum",
	"Makefile": "makefile", "Dockerfile": "dockerfile",
	"Gemfile": "ruby", "Rakefile": "ruby",
	".bashrc": "shellscript", ".bash_profile": "shellscript", ".profile": "shellscript",
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
