package cli

import (
	"context"
	"log/slog"
	"strings"

	"mcpls/internal/app"
	"mcpls/internal/config"
	"mcpls/internal/trust"
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
	return c.appOf(cfg, opts)
}

func (c *command) appOf(cfg *config.Config, opts app.Options) (*app.App, error) {
	for _, warning := range cfg.Warnings {
		opts.Log.Warn(warning)
	}
	opts.Config, opts.TrustProject, opts.Env, opts.Version = cfg, c.trustProject, c.env, Version
	opts.Untrusted, opts.Allowed, opts.Fingerprints = c.untrusted, c.allowed, c.fingerprints
	opts.ReviewFlags = reviewFlags(c.trustStore, c.config)
	var err error
	if opts.Store, err = c.store(cfg, opts.Log); err != nil {
		return nil, err
	}
	return app.New(opts)
}

// reviewFlags are those with which a review sees the same entries and keeps its
// decisions in the same place, as words of a command line.
func reviewFlags(store, config string) string {
	flags := ""
	for _, f := range []struct{ name, value string }{{"--trust-store", store}, {"--config", config}} {
		if f.value != "" {
			flags += " " + f.name + " '" + strings.ReplaceAll(f.value, "'", `'\''`) + "'"
		}
	}
	return flags
}

// store is where decisions are kept. One that was named must be outside the
// workspace; without a place of their own there are no decisions.
func (c *command) store(cfg *config.Config, log *slog.Logger) (*trust.Store, error) {
	if c.trustStore != "" {
		return trust.NewStore(c.trustStore, cfg.Boundary)
	}
	dir, err := trust.DefaultStore()
	if err == nil {
		var store *trust.Store
		if store, err = trust.NewStore(dir, cfg.Boundary); err == nil {
			return store, nil
		}
	}
	log.Warn("decisions about servers of this repository cannot be kept", "error", err)
	return nil, nil
}
