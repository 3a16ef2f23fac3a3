package cli

import (
	"runtime"

	"github.com/spf13/cobra"
)

func (c *command) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		Run: func(*cobra.Command, []string) {
			c.out.Printf("mcpls %s %s/%s %s\n", Version, runtime.GOOS, runtime.GOARCH, runtime.Version())
		},
	}
}
