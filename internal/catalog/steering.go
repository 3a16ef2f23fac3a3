package catalog

// SteeringFile is a file of a checkout that can steer what a server runs.
type SteeringFile struct {
	Glob    string // relative to a directory, with slashes
	Servers []string
	How     string
}

// SteeringFiles are those that are known, from the documentation of the servers and
// of the tools that they run.
var SteeringFiles = []SteeringFile{
	{"mcpls.toml", []string{"mcpls"}, "declares servers; none starts before a person has said yes"},
	{"go.mod", []string{"gopls"}, "its toolchain line chooses the version of go, which is downloaded"},
	{"go.work", []string{"gopls"}, "its toolchain line chooses the version of go, which is downloaded"},
	{"rust-toolchain", []string{"rust-analyzer"}, "chooses the toolchain that rustup runs, which may be a directory of the checkout"},
	{"rust-toolchain.toml", []string{"rust-analyzer"}, "chooses the toolchain that rustup runs, which may be a directory of the checkout"},
	{".cargo/config", []string{"rust-analyzer"}, "names compilers, wrappers, linkers and runners that cargo starts"},
	{".cargo/config.toml", []string{"rust-analyzer"}, "names compilers, wrappers, linkers and runners that cargo starts"},
	{"build.rs", []string{"rust-analyzer"}, "a program that cargo builds and runs"},
	{"rust-project.json", []string{"rust-analyzer"}, "names the sysroot and runnables"},
	{"rust-analyzer.toml", []string{"rust-analyzer"}, "its settings"},
	{".tool-versions", []string{"every program of asdf or mise"}, "chooses versions, which may be directories of the checkout"},
	{"mise.toml", []string{"every program of mise"}, "chooses versions, sets variables and runs hooks"},
	{".mise.toml", []string{"every program of mise"}, "chooses versions, sets variables and runs hooks"},
	{".python-version", []string{"every program of pyenv"}, "chooses the version of Python"},
	{".node-version", []string{"every program of nodenv, fnm and the like"}, "chooses the version of Node"},
	{".nvmrc", []string{"every program of nvm"}, "chooses the version of Node"},
	{".ruby-version", []string{"every program of rbenv"}, "chooses the version of Ruby"},
	{".java-version", []string{"every program of jenv"}, "chooses the version of Java"},
	{".go-version", []string{"every program of goenv"}, "chooses the version of Go"},
	{"package.json", []string{"typescript-language-server"}, "its volta key chooses the version of Node; npm scripts run at an install"},
	{".npmrc", []string{"typescript-language-server"}, "steers npm, which fetches types"},
	{"tsconfig.json", []string{"typescript-language-server"}, "names plugins that the tsserver of the workspace loads"},
	{"jsconfig.json", []string{"typescript-language-server"}, "names plugins that the tsserver of the workspace loads"},
	{"node_modules/typescript/lib/tsserver.js", []string{"typescript-language-server"}, "is run in place of the installed one, unless that is pinned"},
	{"pyrightconfig.json", []string{"pyright-langserver", "basedpyright-langserver"}, "names virtual environments"},
	{"pyproject.toml", []string{"pylsp", "pyright-langserver", "basedpyright-langserver", "ty"}, "configures servers and their plugins"},
	{".venv", []string{"pylsp", "pyright-langserver", "basedpyright-langserver", "ty"}, "a Python environment of the checkout"},
	{"venv", []string{"pylsp", "pyright-langserver", "basedpyright-langserver", "ty"}, "a Python environment of the checkout"},
	{"setup.cfg", []string{"pylsp"}, "configures its plugins"},
	{"compile_commands.json", []string{"clangd"}, "names the compilers that --query-driver may allow to be run"},
	{".clangd", []string{"clangd"}, "its configuration"},
	{".shellcheckrc", []string{"bash-language-server"}, "configures shellcheck"},
	{"build.zig", []string{"zls"}, "a program that zig builds and runs"},
	{"gradlew", []string{"jdtls"}, "the build's own launcher"},
	{"gradle/wrapper/gradle-wrapper.properties", []string{"jdtls"}, "says which Gradle is downloaded and run"},
	{"build.gradle", []string{"jdtls"}, "a program that Gradle runs"},
	{"build.gradle.kts", []string{"jdtls"}, "a program that Gradle runs"},
	{"settings.gradle", []string{"jdtls"}, "a program that Gradle runs"},
	{"pom.xml", []string{"jdtls"}, "names plugins that Maven runs"},
	{".mvn/extensions.xml", []string{"jdtls"}, "names extensions that Maven loads"},
	{".luarc.json", []string{"lua-language-server"}, "names plugins that it runs"},
	{"buildServer.json", []string{"sourcekit-lsp"}, "names a program that it starts"},
	{"Package.swift", []string{"sourcekit-lsp"}, "a program that swift builds and runs"},
	{".git/config", []string{"every server that runs git"}, "its filters, fsmonitor and hooks are programs that git starts"},
	{".envrc", []string{"the shell of whoever enters the directory"}, "sets the environment, by direnv"},
}
