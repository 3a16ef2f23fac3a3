package policy

// manager is a version manager: its programs choose what they run by files of
// the workspace, rust-toolchain.toml or .tool-versions. Source: security policy,
// "Launchers that choose the real server from files in the workspace", which it
// admits; here they are refused.
type manager struct {
	name     string
	programs string // its own programs, by the name of the file
	dirs     string // the ends of directories that hold nothing but its programs
	proxies  string // programs beside its own one that are it under another name
}

// managers are the version managers. Names are compared in lower case.
var managers = []manager{
	{
		name:     "rustup",
		programs: "rustup rustup-init",
		proxies: "cargo rustc rustdoc rust-analyzer rls rustfmt cargo-fmt cargo-clippy clippy-driver cargo-miri " +
			"rust-gdb rust-gdbgui rust-lldb",
	},
	{name: "elan", programs: "elan elan-init", proxies: "lean lake leanc leanchecker leanmake leanpkg"},
	{name: "swiftly", programs: "swiftly"},
	{name: "mise", programs: "mise mise-shim rtx"},
	{name: "asdf", programs: "asdf"},
	{name: "volta", programs: "volta volta-shim", dirs: ".volta/bin volta/bin"},
	{name: "pyenv", programs: "pyenv"},
	{name: "goenv", programs: "goenv"},
	{name: "rbenv", programs: "rbenv"},
	{name: "jenv", programs: "jenv"},
	{name: "nodenv", programs: "nodenv"},
	{name: "phpenv", programs: "phpenv"},
	{name: "plenv", programs: "plenv"},
	{name: "luaenv", programs: "luaenv"},
	{name: "fnm", programs: "fnm"},
	{name: "vfox", programs: "vfox"},
	{name: "proto", programs: "proto proto-shim"},
	{name: "aqua", programs: "aqua aqua-proxy", dirs: "aquaproj-aqua/bin"},
}

// shimDirectory is what most managers call the directory of their proxies.
const shimDirectory = "shims"
