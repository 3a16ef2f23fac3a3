// Package reason is the list of the reason codes: why a declared server does
// not start, or would not. docs/reasons.md is made of it.
package reason

// Refusal is why a server may not start. Hint is what a person can do about it,
// "" when that is nothing. Neither has a value that may be secret: not that of an
// option, and not that of a variable.
type Refusal struct {
	Code    Code
	Message string
	Hint    string
}

func (r *Refusal) Error() string { return r.Message }

// Code is one reason, as programs compare it. A code never changes its meaning.
type Code string

// The codes, each with a row in All.
const (
	NoMarker     Code = "inactive.no_marker"
	NotInstalled Code = "inactive.not_installed"
	NotAllowed   Code = "inactive.not_allowed"

	ConfigInWorkspace Code = "config.in_workspace"

	ExecutableNotFound    Code = "executable.not_found"
	ExecutableInWorkspace Code = "executable.in_workspace"

	PackageRunner  Code = "launcher.package_runner"
	TaskRunner     Code = "launcher.task_runner"
	RunsArguments  Code = "launcher.runs_arguments"
	Wrapper        Code = "launcher.wrapper"
	RunSubcommand  Code = "launcher.run_subcommand"
	ToolchainProxy Code = "launcher.toolchain_proxy"

	WrapperUnknownOption  Code = "wrapper.unknown_option"
	WrapperMissingValue   Code = "wrapper.missing_value"
	WrapperMissingCommand Code = "wrapper.missing_command"
	WrapperDepth          Code = "wrapper.depth"
	WrapperSplitString    Code = "wrapper.split_string"
	WrapperSearchPath     Code = "wrapper.search_path"
	WrapperDirectory      Code = "wrapper.directory"

	ShellCommandString Code = "shell.command_string"
	ShellStdinProgram  Code = "shell.stdin_program"
	ShellUnknownOption Code = "shell.unknown_option"

	InlineProgram            Code = "interpreter.inline_program"
	InterpreterStdinProgram  Code = "interpreter.stdin_program"
	InterpreterUnknownOption Code = "interpreter.unknown_option"

	ScriptUnsafePath Code = "script.unsafe_path"
	ScriptDirectory  Code = "script.directory"

	ArgumentExecutable Code = "argument.executable_in_workspace"
	ArgumentUnreadable Code = "argument.unreadable_in_workspace"
	SettingsProgram    Code = "settings.program"

	NoSafeDir  Code = "cwd.none_safe"
	UnsafeHome Code = "env.unsafe_home"

	TsserverInWorkspace Code = "tsserver.in_workspace"
	TsserverUnpinnable  Code = "tsserver.unpinnable"
	TsserverStale       Code = "tsserver.stale"

	MalformedEntry Code = "config.malformed_entry"

	NoSurface     Code = "gate.no_surface"
	GateChanged   Code = "gate.changed"
	GateExpired   Code = "gate.expired"
	GateDenied    Code = "gate.denied"
	GateStore     Code = "gate.store"
	ProcessFailed Code = "process.failed"
)

// Row is one code with what it means, for the documentation.
type Row struct {
	Code  Code
	About string
}

// All are all codes in the order in which they are shown.
var All = []Row{
	{NoMarker, "The workspace has none of the files that mark a project of this server."},
	{NotInstalled, "A built-in server whose program is not installed."},
	{NotAllowed, "Untrusted-workspace mode is on and no --allow-server names the server."},
	{ConfigInWorkspace, "Untrusted-workspace mode is on and the configuration file lies inside the workspace."},
	{ExecutableNotFound, "The program, one that it wraps or the interpreter of its script was not found."},
	{ExecutableInWorkspace, "The program, one that it wraps or the interpreter of its script lies inside the workspace or is reached through it."},
	{PackageRunner, "A package runner (npx, uvx): it looks for the program in the workspace first."},
	{TaskRunner, "A task runner (make, just): the workspace says what its tasks run."},
	{RunsArguments, "A program that runs what its arguments say (xargs, find, awk, cmd)."},
	{Wrapper, "A wrapper that changes the user, the root, the directory or the environment, or whose options are not analysed (sudo, chroot)."},
	{RunSubcommand, "The subcommand of a toolchain that runs what the workspace says (cargo run, go run, uv run)."},
	{ToolchainProxy, "The launcher of a version manager (rustup, asdf, mise, volta, pyenv): files of the workspace choose which program it runs."},
	{WrapperUnknownOption, "A wrapper has an option that is not in its table."},
	{WrapperMissingValue, "An option of a wrapper has no value."},
	{WrapperMissingCommand, "A wrapper has no command to start."},
	{WrapperDepth, "Wrappers are nested more than 8 deep."},
	{WrapperSplitString, "env -S splits a string into a command."},
	{WrapperSearchPath, "A wrapper sets the PATH on which its command is looked up, or its command would be read as an assignment."},
	{WrapperDirectory, "A wrapper changes the directory and then starts a program by a relative path."},
	{ShellCommandString, "A shell is given a command string, which cannot be analysed."},
	{ShellStdinProgram, "A shell would read its program from standard input, where the messages of the protocol are."},
	{ShellUnknownOption, "A shell has an option that is not known, and no script is left when it is read as taking a value."},
	{InlineProgram, "An interpreter is given its program in an argument."},
	{InterpreterStdinProgram, "An interpreter would read its program from standard input, where the messages of the protocol are."},
	{InterpreterUnknownOption, "An interpreter has an option that is not known, and no script is left when it is read as taking a value."},
	{ScriptUnsafePath, "A script that has a .. component, lies below /dev or /proc, or is a device, FIFO or socket."},
	{ScriptDirectory, "A relative script, a module or code to load behind an option that changes the directory."},
	{ArgumentExecutable, "An argument names an executable file inside the workspace."},
	{ArgumentUnreadable, "An argument names a file inside the workspace that cannot be read."},
	{SettingsProgram, "A setting or initialization option names a program that lies inside the workspace or is looked up there."},
	{NoSafeDir, "No directory outside the workspace that nobody else can write to is there to start the server in."},
	{UnsafeHome, "The login home is not known, and HOME or USERPROFILE is empty, unset or inside the workspace."},
	{TsserverInWorkspace, "The tsserver that would run lies inside the workspace or is reached through it."},
	{TsserverUnpinnable, "The TypeScript server is started by a package runner, a version manager or another launcher that leaves open which server runs."},
	{TsserverStale, "The tsserver that was found at the first start is not there any more."},
	{MalformedEntry, "An entry of a project file is malformed or too large. Nothing is guessed of it."},
	{NoSurface, "The repository names the program, and nobody has said yes: mcpls trust review shows what would run and asks."},
	{GateChanged, "The repository names the program, and what a person said yes to has changed since."},
	{GateExpired, "The repository names the program, and the yes of a person has expired."},
	{GateDenied, "The repository names the program, and a person has said no."},
	{GateStore, "The place where decisions are kept cannot be trusted: it is a link, is not yours, can be written to by others, or is damaged or newer."},
	{ProcessFailed, "The operating system did not start the program."},
}
