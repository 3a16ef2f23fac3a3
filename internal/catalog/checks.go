package catalog

// Check is something that is often wrong with the installation of a server or
// with the project that it works on, and how to mend it. It is found by what
// the server says or by what is on the disk; nothing is run for it.
type Check struct {
	Program string // the server's program, by bare name

	// Says are the words by which the server tells of it, any of them.
	Says []string
	// Root are files one of which a root of the workspace needs.
	Root []string
	// Where and Beside say that the program's installation needs Beside, if it
	// has Where: slashed paths from the directory above the program's own,
	// links resolved. Of a program without Where it is all of Homes, globs from
	// the home directory: which of them it uses is not known without running
	// something.
	Where, Beside, Homes string

	Problem string
	Mend    string
}

// Checks are all checks.
var Checks = []Check{
	{
		Program: "rust-analyzer",
		// rustup 1.28 and 1.29: its proxy is there for components that are not.
		Says:    []string{"rustup component add rust-analyzer", "Unknown binary 'rust-analyzer'"},
		Problem: "the program is rustup's proxy, and the toolchain of this workspace has no rust-analyzer",
		Mend:    "rustup component add rust-analyzer",
	},
	{
		Program: "rust-analyzer",
		Where:   "lib/rustlib", Beside: "lib/rustlib/src/rust/library", Homes: ".rustup/toolchains/*",
		Says:    []string{"rustup component add rust-src", "try installing the rust-src component", "try installing `rust-src`"},
		Problem: "the sources of Rust's standard library are missing: what comes from it has no definition and no type",
		Mend:    "rustup component add rust-src",
	},
	{
		Program: "clangd",
		Root:    []string{"compile_commands.json", "build/compile_commands.json", "compile_flags.txt", ".clangd"},
		Problem: "the project does not say how its files are compiled: clangd guesses, and does not find its headers",
		Mend: "cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or `bear -- make`, " +
			"writes compile_commands.json; a compile_flags.txt with one option a line will do for a small project",
	},
}
