package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mcpls/internal/config"
	"mcpls/internal/launch"
)

func (c *command) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check, find or print the configuration",
		Args:  cobra.NoArgs,
	}
	cmd.AddCommand(
		&cobra.Command{
			Use:   "check [FILE]",
			Short: "Check the configuration that would be used, or FILE",
			Args:  cobra.MaximumNArgs(1),
			RunE:  func(_ *cobra.Command, args []string) error { return c.configCheck(args) },
		},
		&cobra.Command{
			Use:   "path",
			Short: "Print the path of the configuration file that would be used",
			Args:  cobra.NoArgs,
			RunE:  func(*cobra.Command, []string) error { return c.configPath() },
		},
		&cobra.Command{
			Use:   "default",
			Short: "Print a configuration with every key and its default",
			Args:  cobra.NoArgs,
			Run:   func(*cobra.Command, []string) { c.out.Printf("%s", config.Default()) },
		},
		&cobra.Command{
			Use:   "schema",
			Short: "Print the JSON schema of a configuration, for editors",
			Args:  cobra.NoArgs,
			Run:   func(*cobra.Command, []string) { c.out.Printf("%s", config.Schema()) },
		},
	)
	return cmd
}

// configCheck loads as serving would and tells what it found. What comes from
// a file stands on one line, escaped: a name must not look like a line of
// mcpls's own.
func (c *command) configCheck(args []string) error {
	if len(args) == 1 {
		c.config = args[0]
	}
	sources, err := c.sources()
	if err != nil {
		return err
	}
	cfg, err := config.Load(sources)
	if err != nil {
		return &hintError{err, []string{"mcpls config default shows every key"}}
	}
	if len(cfg.Files) == 0 {
		c.out.Println("no configuration file: defaults")
	}
	for _, file := range cfg.Files {
		c.out.Printf("%s (%s): well\n", line(file.Path), file.Origin)
	}
	for _, root := range cfg.Roots {
		c.out.Printf("root %s\n", line(root))
	}
	cfg.Servers = launch.Choose(cfg.Servers, c.workspace(cfg), launch.Machine{Env: c.env})
	for _, s := range cfg.Servers {
		handles := ""
		for _, feature := range s.Handles {
			handles += " " + string(feature)
		}
		if handles != "" {
			handles = ", only for" + handles
		}
		c.out.Printf("server %s (%s): %s%s\n", word(s.ID), s.Origin, line(s.Command), handles)
	}
	for _, note := range c.planNotes(cfg) {
		c.out.Printf("note: %s\n", line(note))
	}
	for _, warning := range cfg.Warnings {
		c.out.Printf("warning: %s\n", line(warning))
	}
	return nil
}

// planNotes gives what there is to say of the plans of the servers, each thing
// once: that the program is not found, and the plan's own notes.
func (c *command) planNotes(cfg *config.Config) []string {
	var notes []string
	for _, s := range cfg.Servers {
		in := launch.Input{Declaration: s, Workspace: c.workspace(cfg)}
		plan, err := launch.Make(in, launch.Machine{Env: c.env})
		if err != nil {
			notes = append(notes, fmt.Sprintf("server %s: %v", word(s.ID), err))
		}
		for _, note := range plan.Notes {
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return notes
}

func (c *command) workspace(cfg *config.Config) launch.Workspace {
	return launch.Workspace{Dir: cfg.Roots[0], Boundary: cfg.Boundary, Untrusted: c.untrusted}
}

// line gives a value on one line. What else must not be shown raw the printer
// escapes.
func line(s string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s)
}

// word gives an id, in quotation marks where it could be read as more than
// one: an id must not look like another server's origin.
func word(id string) string {
	if strings.ContainsAny(id, "\" ():\n\r\t") {
		return strconv.Quote(id)
	}
	return id
}

func (c *command) configPath() error {
	sources, err := c.sources()
	if err != nil {
		return err
	}
	file, exists := sources.Locate()
	switch {
	case file.Path == "":
		c.out.Println("no configuration file: there is no configuration directory for this user")
	case exists:
		c.out.Println(line(file.Path))
	default:
		c.out.Printf("%s (not there: defaults)\n", line(file.Path))
	}
	return nil
}
