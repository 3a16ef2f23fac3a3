// Package cli is the command line: commands, flags, hints, and the one switch
// that turns an error into an exit code.
package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"mcpls/internal/bug"
	"mcpls/internal/config"
	"mcpls/internal/quote"
)

// Version is the version of mcpls.
const Version = "0.1.0"

// Stdio are the three streams of the process.
type Stdio struct {
	In  io.ReadCloser
	Out io.WriteCloser
	Err io.Writer
}

// The exit codes. Help lists them.
const (
	exitOK      = 0
	exitError   = 1
	exitUsage   = 2
	exitRefused = 3
)

// A fault exits with bug.ExitCode.

const exitCodes = `Exit codes:
  0  well
  1  a start-up or run-time error: an unusable configuration, a failed call, a failed doctor
  2  wrong use of the command line
  3  mcpls plan: an entry is refused
  101  a fault in mcpls; the servers are ended
  128 and more  ended at once by a second signal, of the number above 128`

// usageError is a wrong use of the command line.
type usageError struct{ error }

// hintError is an error with lines that say what to do next.
type hintError struct {
	error
	hints []string
}

func (e *hintError) Unwrap() error { return e.error }

// Main runs one command and gives its exit status. Env is the environment as
// os.Environ gives it.
func Main(ctx context.Context, args, env []string, stdio Stdio) int {
	c := &command{
		env: env, stdio: stdio, log: newPatientLog(stdio.Err),
		out: quote.NewPrinter(stdio.Out), err: quote.NewPrinter(stdio.Err),
	}
	defer bug.Exit()
	defer bug.OnExit(func(report string) { c.err.Println(report) })()
	root := c.root()
	root.SetArgs(args)
	root.SetIn(stdio.In)
	err := root.ExecuteContext(ctx)
	c.log.close()
	return c.exit(err)
}

// UntilSignal gives a context that ends with the first signal, and with it every
// server in good order. The second one ends the program and its servers at once.
func UntilSignal(signals <-chan os.Signal) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer bug.Exit()
		<-signals
		cancel()
		abort(<-signals)
	}()
	return ctx
}

func abort(signal os.Signal) {
	code := exitError
	if number, ok := signal.(syscall.Signal); ok {
		code = 128 + int(number) // as a shell has it
	}
	bug.End(fmt.Sprintf("error: ended at once by a second signal (%s): its servers were killed", signal), code)
}

// exit reports an error and gives its exit code: the one place that does.
func (c *command) exit(err error) int {
	if err == nil {
		err = c.out.Err()
	}
	if err == nil {
		return exitOK
	}
	c.err.Printf("error: %s\n", strings.TrimRight(err.Error(), "\n"))
	if hinted, ok := errors.AsType[*hintError](err); ok {
		for _, hint := range hinted.hints {
			c.err.Printf("hint: %s\n", hint)
		}
	}
	if _, ok := errors.AsType[usageError](err); ok {
		c.err.Println("hint: see mcpls --help")
		return exitUsage
	}
	if _, ok := errors.AsType[refusedError](err); ok {
		return exitRefused
	}
	return exitError
}

// command is what every command works with. It has Printers in place of raw
// streams: what a command shows cannot bypass quote.
type command struct {
	env      []string
	stdio    Stdio // for serving MCP, which is not for eyes
	out, err *quote.Printer
	log      *patientLog

	config         string
	trustProject   bool
	workspaceTrust string // trusted or untrusted
	untrusted      bool
	allowed        []string
	trustStore     string
	fingerprints   []string
	logLevel       string
	logJSON        bool
}

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "mcpls",
		Short: "A bridge from MCP clients to language servers",
		Long: `mcpls answers an MCP client's questions about code from language servers.

Without a command it serves MCP on stdin and stdout.

` + exitCodes,
		Args:          cobra.NoArgs,
		Version:       Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return c.serve(cmd.Context()) },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.SetVersionTemplate("mcpls {{.Version}}\n")
	root.Flags().BoolP("version", "V", false, "print the version")
	flags := root.PersistentFlags()
	flags.StringVarP(&c.config, "config", "c", "", "configuration `FILE` (MCPLS_CONFIG; default: the user's mcpls.toml)")
	flags.BoolVar(&c.trustProject, "trust-project-config", false,
		"start the servers that mcpls.toml files in the workspace declare (MCPLS_TRUST_PROJECT_CONFIG)")
	flags.StringVar(&c.workspaceTrust, "workspace-trust", "trusted",
		"trusted or untrusted: an untrusted workspace has no say in what runs, and only the servers of --allow-server start")
	flags.StringArrayVar(&c.allowed, "allow-server", nil, "start server `ID` in an untrusted workspace; repeatable")
	flags.StringVar(&c.trustStore, "trust-store", "", "directory `DIR` in which decisions are kept, outside the workspace (default: in the state directory of the user)")
	flags.StringArrayVar(&c.fingerprints, "trust-fingerprint", nil, "start what has this `FINGERPRINT` (sha256:...), though the repository names it; repeatable")
	flags.StringVarP(&c.logLevel, "log-level", "l", "info", "trace, debug, info, warn or error (MCPLS_LOG)")
	flags.BoolVar(&c.logJSON, "log-json", false, "log as JSON (MCPLS_LOG_JSON)")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return c.fromEnv(cmd) }
	root.AddCommand(c.callCommand(), c.configCommand(), c.doctorCommand(), c.planCommand(), c.trustCommand(), c.versionCommand())
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.InitDefaultCompletionCmd() // it keeps the stream that is set by now
	strict(root)
	return root
}

// strict makes a wrong number of arguments a usage error, and a word that is no
// command too, where cobra would show help and call it well. It holds for the
// commands that cobra adds.
func strict(cmd *cobra.Command) {
	if !cmd.Runnable() {
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usageError{err}
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		strict(sub)
	}
}

// fromEnv takes the flags that were not given from the environment.
func (c *command) fromEnv(cmd *cobra.Command) error {
	given := func(flag string) bool { return cmd.Flags().Changed(flag) }
	if level, ok := c.getenv("MCPLS_LOG"); ok && !given("log-level") {
		c.logLevel = level
	}
	for _, b := range []struct {
		flag, name string
		value      *bool
	}{
		{"trust-project-config", "MCPLS_TRUST_PROJECT_CONFIG", &c.trustProject},
		{"log-json", "MCPLS_LOG_JSON", &c.logJSON},
	} {
		text, ok := c.getenv(b.name)
		if !ok || given(b.flag) {
			continue
		}
		value, err := parseBool(text)
		if err != nil {
			return usageError{fmt.Errorf("%s: %w", b.name, err)}
		}
		*b.value = value
	}
	if _, err := c.level(); err != nil {
		return err
	}
	return c.trust(cmd)
}

// trust checks the flags of untrusted-workspace mode. They come from the command
// line only: neither the environment nor a file in the workspace turns the mode
// off or allows a server.
func (c *command) trust(cmd *cobra.Command) error {
	switch c.workspaceTrust {
	case "trusted", "untrusted":
	default:
		return usageError{fmt.Errorf("--workspace-trust %q is neither trusted nor untrusted", c.workspaceTrust)}
	}
	c.untrusted = c.workspaceTrust == "untrusted"
	for _, fingerprint := range c.fingerprints {
		digits, ok := strings.CutPrefix(fingerprint, "sha256:")
		if raw, err := hex.DecodeString(digits); !ok || err != nil || len(raw) != 32 || strings.ToLower(digits) != digits {
			return usageError{fmt.Errorf("--trust-fingerprint %q is not sha256: and 64 digits", fingerprint)}
		}
	}
	switch {
	case c.untrusted && len(c.fingerprints) > 0:
		return usageError{errors.New("--workspace-trust untrusted and --trust-fingerprint exclude each other: nothing that the workspace names starts then")}
	case c.untrusted && c.trustProject && !cmd.Flags().Changed("trust-project-config"):
		return usageError{errors.New("--workspace-trust untrusted and MCPLS_TRUST_PROJECT_CONFIG exclude each other: unset the variable")}
	case c.untrusted && c.trustProject:
		return usageError{errors.New("--workspace-trust untrusted and --trust-project-config exclude each other")}
	case !c.untrusted && len(c.allowed) > 0:
		return usageError{errors.New("--allow-server is for --workspace-trust untrusted: without it every server of yours starts")}
	}
	return nil
}

// parseBool reads the spellings that an environment variable may have. An
// empty value is an error and not false: it is a mistake more often than not.
func parseBool(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "1", "true", "yes", "y", "on":
		return true, nil
	case "0", "false", "no", "n", "off":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither of 1/0, true/false, yes/no, y/n, on/off", s)
}

// logFrom sets the log level of a command that is quieter than serving, unless
// the user has said which one it is.
func (c *command) logFrom(cmd *cobra.Command, level string) {
	if _, ok := c.getenv("MCPLS_LOG"); !ok && !cmd.Flags().Changed("log-level") {
		c.logLevel = level
	}
}

func (c *command) getenv(name string) (string, bool) {
	for _, pair := range c.env {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value, true
		}
	}
	return "", false
}

func (c *command) level() (slog.Level, error) {
	switch strings.ToLower(c.logLevel) {
	case "trace", "debug":
		return slog.LevelDebug, nil
	case "info":
		return slog.LevelInfo, nil
	case "warn":
		return slog.LevelWarn, nil
	case "error":
		return slog.LevelError, nil
	}
	return 0, usageError{fmt.Errorf("log level %q is none of trace, debug, info, warn, error", c.logLevel)}
}

func (c *command) logger() *slog.Logger {
	level, _ := c.level() // fromEnv has checked it
	return slog.New(quote.Handler(c.log, level, c.logJSON))
}

// sources are the places of the configuration.
func (c *command) sources() (config.Sources, error) {
	dir, err := os.Getwd()
	if err != nil {
		return config.Sources{}, err
	}
	named, _ := c.getenv("MCPLS_CONFIG")
	// Without a user directory there is no user configuration.
	user, _ := os.UserConfigDir()
	return config.Sources{Flag: c.config, Env: named, UserDir: user, WorkDir: dir, Untrusted: c.untrusted}, nil
}

func (c *command) load() (*config.Config, error) {
	sources, err := c.sources()
	if err != nil {
		return nil, err
	}
	cfg, err := config.Load(sources)
	if err != nil {
		return nil, &hintError{err, []string{"mcpls config check tells whether a file is well, mcpls config default shows every key"}}
	}
	return cfg, nil
}
