package catalog

// Means is how a setting or an argument of a server names programs.
type Means string

// The ways in which it does.
const (
	// MeansCommand is a list: a program and its arguments.
	MeansCommand Means = "command"
	// MeansProgram is a program, by name or path, or a list of them.
	MeansProgram Means = "program"
	// MeansDirectory is a directory in which programs are looked for.
	MeansDirectory Means = "directory"
	// MeansFlags is a list of flags of the go command, of which some name programs.
	MeansFlags Means = "flags"
	// MeansVariables is a table of environment variables.
	MeansVariables Means = "variables"
	// MeansCode is a file that the server loads as code of its own.
	MeansCode Means = "code"
	// MeansGlobs is a list, with commas, of globs of programs.
	MeansGlobs Means = "globs"
)

// ProgramSetting is a setting of a server that says which programs it runs.
type ProgramSetting struct {
	Server string // the program of the server, as in Server.Command
	// Key is the setting, its parts joined with dots, below the server's section
	// or at the top of the initialization options; * is every element of a list
	// or table. One that begins with -- is an argument of the command line.
	Key   string
	Means Means
}

// ProgramSettings are the settings that are known to name programs, from the
// documentation of each server.
var ProgramSettings = []ProgramSetting{
	// gopls: Settings, Build; go help build.
	{"gopls", "buildFlags", MeansFlags},
	{"gopls", "build.buildFlags", MeansFlags},
	{"gopls", "env", MeansVariables},
	{"gopls", "build.env", MeansVariables},

	// rust-analyzer: Configuration.
	{"rust-analyzer", "check.overrideCommand", MeansCommand},
	{"rust-analyzer", "checkOnSave.overrideCommand", MeansCommand},
	{"rust-analyzer", "cargo.buildScripts.overrideCommand", MeansCommand},
	{"rust-analyzer", "rustfmt.overrideCommand", MeansCommand},
	{"rust-analyzer", "workspace.discoverConfig.command", MeansCommand},
	{"rust-analyzer", "runnables.command", MeansProgram},
	{"rust-analyzer", "procMacro.server", MeansProgram},
	{"rust-analyzer", "cargo.sysroot", MeansDirectory},
	{"rust-analyzer", "cargo.extraEnv", MeansVariables},
	{"rust-analyzer", "check.extraEnv", MeansVariables},
	{"rust-analyzer", "checkOnSave.extraEnv", MeansVariables},
	{"rust-analyzer", "server.extraEnv", MeansVariables},
	{"rust-analyzer", "runnables.extraEnv", MeansVariables},

	// pyright and basedpyright: Settings.
	{"pyright-langserver", "python.pythonPath", MeansProgram},
	{"pyright-langserver", "python.defaultInterpreterPath", MeansProgram},
	{"pyright-langserver", "pythonPath", MeansProgram},
	{"pyright-langserver", "defaultInterpreterPath", MeansProgram},
	{"pyright-langserver", "python.venvPath", MeansDirectory},
	{"pyright-langserver", "venvPath", MeansDirectory},
	{"basedpyright-langserver", "python.pythonPath", MeansProgram},
	{"basedpyright-langserver", "python.defaultInterpreterPath", MeansProgram},
	{"basedpyright-langserver", "pythonPath", MeansProgram},
	{"basedpyright-langserver", "defaultInterpreterPath", MeansProgram},
	{"basedpyright-langserver", "python.venvPath", MeansDirectory},
	{"basedpyright-langserver", "venvPath", MeansDirectory},

	// python-lsp-server: CONFIGURATION.md; pylsp-mypy and python-lsp-ruff: README.
	{"pylsp", "plugins.jedi.environment", MeansProgram},
	{"pylsp", "plugins.flake8.executable", MeansProgram},
	{"pylsp", "plugins.pylint.executable", MeansProgram},
	{"pylsp", "plugins.ruff.executable", MeansProgram},
	{"pylsp", "plugins.pylsp_mypy.mypy_command", MeansCommand},

	// ty: Editor settings and configuration.
	{"ty", "interpreter", MeansProgram},
	{"ty", "configuration.environment.python", MeansDirectory},

	// typescript-language-server: docs/configuration.md.
	{"typescript-language-server", "npmLocation", MeansProgram},
	{"typescript-language-server", "tsserver.path", MeansCode},
	{"typescript-language-server", "tsserver.fallbackPath", MeansCode},
	{"typescript-language-server", "plugins.*.location", MeansDirectory},

	// clangd: clangd --help, --query-driver.
	{"clangd", "--query-driver", MeansGlobs},

	// bash-language-server: config.ts.
	{"bash-language-server", "shellcheckPath", MeansProgram},
	{"bash-language-server", "shfmt.path", MeansProgram},

	// zls: Configuration.
	{"zls", "zig_exe_path", MeansProgram},
	{"zls", "build_runner_path", MeansCode},

	// eclipse.jdt.ls: Preferences.
	{"jdtls", "jdt.ls.java.home", MeansDirectory},
	{"jdtls", "home", MeansDirectory},
	{"jdtls", "import.gradle.home", MeansDirectory},
	{"jdtls", "import.gradle.java.home", MeansDirectory},
	{"jdtls", "configuration.runtimes.*.path", MeansDirectory},

	// lua-language-server: Settings.
	{"lua-language-server", "runtime.plugin", MeansCode},
}

// FixedProgram is a setting without which a server looks for a program in the
// workspace. In an untrusted one it is set to the first of the programs that is on
// the server's PATH.
type FixedProgram struct {
	Server   string
	Key      string // of the settings, its parts joined with dots
	Programs []string
}

// FixedPrograms are those that are known. basedpyright 1.40 runs .venv/bin/python of
// the workspace to ask it for its search paths; pyright 1.1 does not, and has the
// same setting.
var FixedPrograms = []FixedProgram{
	{"basedpyright-langserver", "python.pythonPath", []string{"python3", "python"}},
	{"pyright-langserver", "python.pythonPath", []string{"python3", "python"}},
}

// ProgramVariables are environment variables whose value is a program, for the
// compilers and build tools that servers start (cargo: Environment Variables; go
// help environment).
var ProgramVariables = []string{
	"RUSTC", "RUSTDOC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFMT", "CARGO",
	"CC", "CXX", "FC", "AR", "PKG_CONFIG", "GOPACKAGESDRIVER", "GIT_SSH", "SHELL", "PYTHON", "NODE",
}
