package cli

import (
	"context"

	"mcpls/internal/app"
)

// serve answers the MCP client on stdin and stdout until it goes away.
func (c *command) serve(ctx context.Context) error {
	log := c.logger()
	a, err := c.app(app.Options{Log: log})
	if err != nil {
		return err
	}
	return a.Serve(ctx, app.Stdio(c.stdio.In, c.stdio.Out))
}

// app builds the app from the configuration and the flags.
func (c *command) app(opts app.Options) (*app.App, error) {
	cfg, err := c.load()
	if err != nil {
		return nil, err
	}
	for _, warning := range cfg.Warnings {
		opts.Log.Warn(warning)
	}
	opts.Config, opts.TrustProject, opts.Env, opts.Version = cfg, c.trustProject, c.env, Version
	return app.New(opts)
}
