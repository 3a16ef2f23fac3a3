package policy

import "mcpls/internal/launch/reason"

// refused is a group of programs that are refused whatever their arguments are.
type refused struct {
	code  reason.Code
	names string
	about string // how the message goes on after the name
}

// refusedPrograms are the programs that are refused outright. Source: security
// policy, "Launcher".
var refusedPrograms = []refused{
	{ // package runners
		reason.PackageRunner,
		"npm npx bunx pnpm pnpx yarn uvx corepack",
		"is a package runner, which looks for the program in the workspace first",
	},
	{ // task runners
		reason.TaskRunner,
		"make just task rake mvn sbt",
		"is a task runner, whose tasks come from the workspace",
	},
	{ // programs that run their arguments
		reason.RunsArguments,
		"xargs find awk gawk mawk nawk script su flock watch cmd",
		"runs what its arguments or its standard input say",
	},
	{ // wrappers whose options are not analysed
		reason.Wrapper,
		"sudo sudo-rs doas run0 pkexec runuser setpriv gosu su-exec chpst setuidgid envdir runas wsl " +
			"strace unshare chrt taskset ionice chroot nsenter systemd-run",
		"changes the user, the root, the directory or the environment of what it starts",
	},

	// Beyond the policy: the same programs by the names that distributions give
	// them, and the closest of their kind.
	{
		reason.PackageRunner,
		"yarnpkg dlx nlx pkgx nix-shell dnx",
		"is a package runner, which takes the program from the workspace or the network",
	},
	{
		reason.TaskRunner,
		"gmake bmake nmake mingw32-make go-task gradle gradlew ant ninja nox tox invoke bazelisk direnv lerna turbo nx",
		"is a task runner, whose tasks come from the workspace",
	},
	{
		reason.RunsArguments,
		"gxargs gfind original-awk parallel entr ld.so ld-linux.so ld-linux-x86-64.so ld-linux-aarch64.so " +
			"ld-musl-x86_64.so ld-musl-aarch64.so",
		"runs what its arguments or its standard input say",
	},
	{
		reason.Wrapper,
		"gchroot sudoedit fakeroot fakechroot",
		"changes the user, the root, the directory or the environment of what it starts",
	},
}

// runnerScripts are the package runners as the scripts they are, which an
// interpreter can be given: npm/bin/npx-cli.js. Beyond the policy. The names are
// without the extension, one of scriptExtensions.
const (
	runnerScripts    = "npm npm-cli npm-prefix npx npx-cli yarn yarnpkg yarn-berry pnpm pnpx corepack"
	scriptExtensions = ".js .cjs .mjs .ps1"
)

// toolchain is a program some of whose subcommands run what the workspace says.
// They are compared as written.
type toolchain struct {
	names string
	runs  string
}

// toolchains are the programs with run subcommands. Source: security policy,
// "Launcher". The policy spells out those of deno (eval, repl), cargo, stack and
// cabal; those of the others are the ones that run a script, a task, a test or a
// tool of the project.
var toolchains = []toolchain{
	{"bun", "run x exec test create c install i add ci"},
	{"deno", "run eval repl task test bench serve x jupyter init create install i add"},
	{"cargo", "run r test t bench"},
	{"go", "run test generate tool"},
	{"uv", "run tool"},
	{"pipx", "run runpip"},
	{"poetry", "run shell"},
	{"pdm", "run test"},
	{"hatch", "run shell env test fmt build"},
	{"bundle", "exec e ex exe console"},
	{"dotnet", "run watch test tool msbuild build dnx"},
	{"pipenv", "run shell scripts open"},
	{"pixi", "run r exec x shell s"},
	{"swift", "run test repl package"},
	{"stack", "run exec runghc runhaskell script eval ghci repl"},
	{
		"cabal", "run exec repl v1-run v1-exec v1-repl v2-run v2-exec v2-repl " +
			"new-run new-exec new-repl",
	},

	// Beyond the policy.
	{"bundler", "exec e ex exe console"},
	{"rye", "run r test"},
	{"conda mamba micromamba", "run"},
	{"composer", "exec run run-script"},
	{"opam", "exec"},
	{"nix", "run develop shell"},
	{"devbox flox", "run shell activate"},
}

// packageSchemes are the beginnings of an operand of deno that name a package.
// Source: security policy, "deno npm:", compared as written. jsr: is the other
// registry of deno.
const packageSchemes = "npm: jsr:"

// versionSuffixes are removed from a name besides its version. Source: security
// policy, "the suffixes distributions add". -debug and .static are beyond the
// policy.
const versionSuffixes = "-preview -static -intel64 -dbg _d w t -debug .static"

// programExtensions are removed from the name of a file that a program leads to.
const programExtensions = ".exe .cmd .bat .ps1 .com"
