package cli

import (
	"github.com/spf13/cobra"

	"mcpls/internal/config"
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
			Run:   func(*cobra.Command, []string) { c.out.Printf("%s", config.Default) },
		},
	)
	return cmd
}

// configCheck loads as serving would and tells what it found.
func (c *command) configCheck(args []string) error {
	if len(args) == 1 {
		c.config = args[0]
	}
	cfg, err := c.load()
	if err != nil {
		return err
	}
	if len(cfg.Files) == 0 {
		c.out.Println("no configuration file: defaults")
	}
	for _, file := range cfg.Files {
		c.out.Printf("%s (%s): well\n", file.Path, file.Origin)
	}
	for _, root := range cfg.Roots {
		c.out.Printf("root %s\n", root)
	}
	for _, s := range cfg.Servers {
		c.out.Printf("server %s (%s): %s\n", s.ID, s.Origin, s.Command)
	}
	for _, warning := range cfg.Warnings {
		c.out.Printf("warning: %s\n", warning)
	}
	return nil
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
		c.out.Println(file.Path)
	default:
		c.out.Printf("%s (not there: defaults)\n", file.Path)
	}
	return nil
}
