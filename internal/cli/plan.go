package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"mcpls/internal/app"
	"mcpls/internal/config"
	"mcpls/internal/launch/reason"
	"mcpls/internal/quote"
)

// refusedError is a plan in which an entry is refused.
type refusedError struct{ error }

func (c *command) planCommand() *cobra.Command {
	var asJSON, secrets bool
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Tell what would run, and start nothing",
		Long: `Tell of every declared server what would run if mcpls served here with the same
flags: the program and its arguments, from which entry, where and with which
environment; or why it would not start, and what can be done. Nothing is
started.

Values that a name says to be secret are not shown; --show-secrets shows them on
a terminal.

` + exitCodes,
		Example: `  mcpls plan
  mcpls plan --workspace-trust untrusted --allow-server go --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c.logFrom(cmd, "error") // what a warning would say is told
			if secrets && !c.terminal() {
				return usageError{errors.New("--show-secrets is for a terminal: the output goes elsewhere")}
			}
			return c.plan(cmd.Context(), asJSON, secrets)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print everything as JSON")
	cmd.Flags().BoolVar(&secrets, "show-secrets", false, "show secret values; on a terminal only")
	return cmd
}

func (c *command) terminal() bool {
	out, ok := c.stdio.Out.(*os.File)
	return ok && term.IsTerminal(int(out.Fd()))
}

// planned is all that plan tells. The tags are those of its JSON.
type planned struct {
	Version  int             `json:"version"`
	Trust    string          `json:"workspace_trust"`
	Allowed  []string        `json:"allowed"`
	Roots    []string        `json:"roots"`
	Configs  []plannedConfig `json:"configs"`
	Servers  []app.Planned   `json:"servers"`
	Warnings []string        `json:"warnings"`
}

type plannedConfig struct {
	Path   string        `json:"path"`
	Origin config.Origin `json:"origin"`
}

func (c *command) plan(ctx context.Context, asJSON, secrets bool) error {
	cfg, err := c.load()
	if err != nil {
		return err
	}
	a, err := c.appOf(cfg, app.Options{Log: c.logger(), Lazy: true})
	if err != nil {
		return err
	}
	p := planned{
		Version: 1, Trust: c.workspaceTrust, Allowed: append([]string{}, c.allowed...), Roots: cfg.Roots,
		Configs: []plannedConfig{}, Servers: a.Plan(ctx, secrets), Warnings: append([]string{}, cfg.Warnings...),
	}
	for _, file := range cfg.Files {
		p.Configs = append(p.Configs, plannedConfig(file))
	}
	if !asJSON {
		c.showPlan(p)
	} else if text, err := json.MarshalIndent(p, "", "  "); err != nil {
		return err
	} else {
		c.out.Printf("%s\n", quote.JSON(text))
	}
	return refusals(p.Servers)
}

func refusals(servers []app.Planned) error {
	var ids []string
	for _, s := range servers {
		if s.Verdict == app.VerdictRefuse {
			ids = append(ids, word(s.ID))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return refusedError{fmt.Errorf("%d of %d servers are refused: %s", len(ids), len(servers), strings.Join(ids, ", "))}
}

// showPlan prints a plan for people: what runs first, then what does not.
func (c *command) showPlan(p planned) {
	c.out.Printf("workspace %s: %s\n", p.Trust, line(strings.Join(p.Roots, ", ")))
	for _, file := range p.Configs {
		c.out.Printf("configuration %s (%s)\n", line(file.Path), file.Origin)
	}
	for _, warning := range p.Warnings {
		c.out.Printf("warning: %s\n", line(warning))
	}
	order := []app.Verdict{app.VerdictStart, app.VerdictAsk, app.VerdictRefuse}
	for _, verdict := range order {
		for _, s := range p.Servers {
			if s.Verdict == verdict {
				c.showPlanned(s)
			}
		}
	}
	c.showInactive(p.Servers)
}

func (c *command) showPlanned(s app.Planned) {
	c.out.Printf("\n%s (%s, %s): %s\n", word(s.ID), word(s.Language), s.Origin, strings.TrimSpace(string(s.Verdict)+" "+string(s.Reason)))
	c.fact("why", s.Message)
	c.fact("do", s.Hint)
	c.fact("entry", s.Declared)
	c.fact("print", s.Fingerprint)
	for i, arg := range s.Argv {
		name := map[bool]string{true: "runs", false: fmt.Sprint(i)}[i == 0]
		c.fact(name, word(arg))
	}
	c.fact("within", strings.Join(s.Unwrapped, ", "))
	c.fact("in", s.Dir)
	for i, name := range slices.Sorted(maps.Keys(s.Env)) {
		c.fact(map[bool]string{true: "env"}[i == 0], line(name+"="+s.Env[name]))
	}
	c.showOptions("init", s.InitOptions)
	c.showOptions("settings", s.Settings)
	for _, warning := range s.Warnings {
		c.fact("note", line(warning))
	}
}

// showOptions prints what a server is configured with, which may name programs.
func (c *command) showOptions(name string, options map[string]any) {
	if len(options) > 0 {
		text, _ := json.Marshal(options) // it came from TOML: it always marshals
		c.fact(name, string(quote.JSON(text)))
	}
}

// next is what there is to do about a reason, where it is the same for all.
var next = map[string]string{string(reason.NotAllowed): " (--allow-server ID starts one)"}

// showInactive prints what does not start here for a harmless reason, a line for
// each reason.
func (c *command) showInactive(servers []app.Planned) {
	byReason := map[string][]string{}
	for _, s := range servers {
		if s.Verdict == app.VerdictInactive {
			byReason[string(s.Reason)] = append(byReason[string(s.Reason)], word(s.ID))
		}
	}
	for i, why := range slices.Sorted(maps.Keys(byReason)) {
		c.out.Printf("%s%s%s: %s\n", map[bool]string{true: "\n"}[i == 0], why, next[why], strings.Join(byReason[why], ", "))
	}
}
