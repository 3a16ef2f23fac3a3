package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcpls/internal/app"
	"mcpls/internal/config"
	"mcpls/internal/quote"
	"mcpls/internal/trust"
	"mcpls/internal/trust/terminal"
	"mcpls/internal/trust/web"
)

func (c *command) trustCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Decide which servers of this repository may start",
		Long: `A repository can declare servers in mcpls.toml. Nothing that it names starts
until a person has seen exactly what would run and has said yes.

` + exitCodes,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(c.trustReview(), c.trustList(), c.trustShow(), c.trustDiff(), c.trustDeny(), c.trustRevoke(), c.trustPrune(), c.trustExplain())
	return cmd
}

// trustRun is a command of trust: it starts no server.
func (c *command) trustRun(run func(ctx context.Context, cfg *config.Config, a *app.App, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c.logFrom(cmd, "error")
		if c.untrusted {
			return usageError{errors.New("in untrusted-workspace mode project files are not read, and nothing that they name starts: there is nothing to decide")}
		}
		cfg, err := c.load()
		if err != nil {
			return err
		}
		a, err := c.appOf(cfg, app.Options{Log: c.logger(), Lazy: true})
		if err != nil {
			return err
		}
		for _, warning := range cfg.Warnings {
			c.err.Printf("warning: %s\n", line(warning))
		}
		return run(cmd.Context(), cfg, a, args)
	}
}

func (c *command) trustReview() *cobra.Command {
	var expires string
	var page bool
	cmd := &cobra.Command{
		Use:   "review [ID|FINGERPRINT...]",
		Short: "See what the servers of this repository would run, and decide",
		Long: `Shows on the terminal what each server of this repository would run that has no
decision, and asks. To allow one the code at the end of its card is to be typed;
Enter alone keeps it blocked. With ids or fingerprints it is those servers,
decided or not. The answer is taken from the terminal, never from a pipe.

With --web the same is asked on a page of this machine, whose address is printed
for you to open. It is good for five minutes and for one browser.`,
	}
	cmd.Flags().BoolVar(&page, "web", false, "ask on a page in the browser of this machine")
	cmd.Flags().StringVar(&expires, "expires", "never", "how long a yes holds, as a `DURATION` such as 8h, or never")
	cmd.RunE = c.trustRun(func(ctx context.Context, _ *config.Config, a *app.App, args []string) error {
		until, err := expiry(expires)
		if err != nil {
			return usageError{err}
		}
		wanted, err := c.wanted(a, args)
		if err != nil || !wanted.any {
			return err
		}
		if page {
			return c.reviewOnPage(ctx, a, until, wanted)
		}
		t, err := terminal.Open()
		if err != nil {
			return &hintError{err, []string{
				"mcpls trust review --web asks on a page of this machine",
				"mcpls trust show ID prints what would run",
				"where nobody can be asked, --trust-fingerprint grants what a person has reviewed elsewhere",
			}}
		}
		defer t.Close()
		_, _, err = t.Review(a.Review(ctx), terminal.Options{Expires: until, Only: wanted.has})
		return err
	})
	return cmd
}

// reviewOnPage serves the consent page, for one case where only one is meant.
func (c *command) reviewOnPage(ctx context.Context, a *app.App, until time.Time, wanted wanted) error {
	review := a.Review(ctx)
	cases, err := review.Cases()
	if err != nil {
		return err
	}
	cases = slices.DeleteFunc(cases, func(k trust.Case) bool { return !wanted.has(k) })
	opts := web.Options{Open: func(url string) {
		c.out.Printf("open %s in a browser of this machine, within %s\n", url, web.DefaultLifetime)
	}}
	if !until.IsZero() {
		opts.Expires = time.Until(until)
	}
	if len(wanted.names) == 0 {
		return pageEnd(web.Serve(ctx, review, opts))
	}
	for _, k := range cases {
		opts.Only = k.Key
		if err := pageEnd(web.Serve(ctx, review, opts)); err != nil {
			return err
		}
	}
	return nil
}

// pageEnd says what it means that the page was ended from outside.
func pageEnd(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("ended before everything was decided on the page")
	}
	return err
}

// expiry reads --expires.
func expiry(text string) (time.Time, error) {
	if text == "never" {
		return time.Time{}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return time.Time{}, fmt.Errorf("--expires %q is neither never nor a duration such as 8h or 30m", text)
	}
	return time.Now().Add(d).UTC().Truncate(time.Second), nil
}

// wanted are the cases that a command is about.
type wanted struct {
	names []string
	any   bool
}

// has reports whether a case is meant: by id or fingerprint, or because it waits.
func (w wanted) has(c trust.Case) bool {
	if len(w.names) == 0 {
		return c.Waits()
	}
	for _, name := range w.names {
		if name == c.Plan.ID || name == c.Plan.Fingerprint() {
			return true
		}
	}
	return false
}

// wanted says what there is nothing to decide about, and refuses a name that no
// server of the repository has.
func (c *command) wanted(a *app.App, names []string) (wanted, error) {
	w := wanted{names: names}
	cases, err := a.Review(context.Background()).Cases()
	if err != nil {
		return w, err
	}
	found := map[string]bool{}
	for _, k := range cases {
		if w.has(k) {
			w.any = true
			found[k.Plan.ID], found[k.Plan.Fingerprint()] = true, true
		}
	}
	for _, name := range names {
		if !found[name] {
			return w, fmt.Errorf("no server of this repository has the id or fingerprint %q: mcpls trust list shows them", name)
		}
	}
	for _, p := range a.Pending() {
		if p.Refusal != nil {
			c.out.Printf("%s cannot be decided about: %s\n", word(p.ID), line(p.Refusal.Message))
		}
	}
	if !w.any {
		c.out.Println("nothing to decide: no server of this repository waits")
	}
	return w, nil
}

func (c *command) trustList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the servers of this repository and the decisions that are kept",
		Args:  cobra.NoArgs,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print everything as JSON")
	cmd.RunE = c.trustRun(func(_ context.Context, _ *config.Config, a *app.App, _ []string) error {
		rows, err := a.TrustStates()
		if err != nil {
			return err
		}
		decisions := []trust.Decision{}
		if store := a.Store(); store != nil {
			all, err := store.All()
			if err != nil {
				return err
			}
			decisions = append(decisions, all...)
		}
		if asJSON {
			text, err := json.MarshalIndent(map[string]any{"servers": rows, "decisions": decisions}, "", "  ")
			if err != nil {
				return err
			}
			c.out.Printf("%s\n", quote.JSON(text))
			return nil
		}
		c.showTrust(rows, decisions)
		return nil
	})
	return cmd
}

func (c *command) showTrust(rows []app.TrustState, decisions []trust.Decision) {
	if len(rows) == 0 {
		c.out.Println("this repository declares no servers")
	}
	for _, row := range rows {
		c.out.Printf("%s: %s\n", word(row.ID), row.State)
		c.fact("why", row.Message)
		c.fact("entry", row.DeclaredIn)
		c.fact("print", row.Fingerprint)
		if row.Expires != nil {
			c.fact("until", row.Expires.Format(time.RFC3339))
		}
		for _, change := range row.Changes {
			c.fact("changed", change)
		}
	}
	for i, d := range decisions {
		if i == 0 {
			c.out.Println("\ndecisions that are kept:")
		}
		verdict := map[bool]string{true: "allowed", false: "denied"}[d.Allow]
		if !d.Expires.IsZero() {
			verdict += " until " + d.Expires.Format(time.RFC3339)
		}
		c.out.Printf("%s %s %s, by %s, %s\n", d.Fingerprint, verdict, word(d.ID), word(d.Surface), d.Made.Format(time.RFC3339))
		c.fact("in", d.Workspace.Path)
	}
}

// oneCase gives the server of the repository with an id or fingerprint.
func oneCase(ctx context.Context, a *app.App, name string) (trust.Case, error) {
	cases, err := a.Review(ctx).Cases()
	if err != nil {
		return trust.Case{}, err
	}
	for _, k := range cases {
		if name == k.Plan.ID || name == k.Plan.Fingerprint() {
			return k, nil
		}
	}
	return trust.Case{}, fmt.Errorf("no server of this repository has the id or fingerprint %q: mcpls trust list shows them", name)
}

func (c *command) trustShow() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID|FINGERPRINT",
		Short: "Print what a server of this repository would run",
		Args:  cobra.ExactArgs(1),
		RunE: c.trustRun(func(ctx context.Context, _ *config.Config, a *app.App, args []string) error {
			k, err := oneCase(ctx, a, args[0])
			if err != nil {
				return err
			}
			c.out.Printf("%s\nState\n    %s\n", k.Card.Text(), k.Standing.State)
			return nil
		}),
	}
}

func (c *command) trustDiff() *cobra.Command {
	return &cobra.Command{
		Use:   "diff ID",
		Short: "Print what has changed since a server was allowed",
		Args:  cobra.ExactArgs(1),
		RunE: c.trustRun(func(ctx context.Context, _ *config.Config, a *app.App, args []string) error {
			k, err := oneCase(ctx, a, args[0])
			if err != nil {
				return err
			}
			if k.Standing.State != trust.Changed {
				c.out.Printf("nothing to compare: its state is %s\n", k.Standing.State)
			}
			for _, change := range k.Standing.Changes {
				c.out.Println(line(change))
			}
			return nil
		}),
	}
}

func (c *command) trustDeny() *cobra.Command {
	return &cobra.Command{
		Use:   "deny ID|FINGERPRINT",
		Short: "Say no to a server of this repository as it is now",
		Long: `Says no to exactly what a server of this repository would run now: it is not asked
about any more, and no flag starts it. What changes later is asked about anew.`,
		Args: cobra.ExactArgs(1),
		RunE: c.trustRun(func(ctx context.Context, _ *config.Config, a *app.App, args []string) error {
			k, err := oneCase(ctx, a, args[0])
			if err != nil {
				return err
			}
			if err := a.Review(ctx).Decide(k.Key, "", trust.Deny, "command line", time.Time{}); err != nil {
				return err
			}
			c.out.Printf("denied: %s (%s)\n", word(k.Plan.ID), k.Plan.Fingerprint())
			return nil
		}),
	}
}

func (c *command) trustRevoke() *cobra.Command {
	var workspace, all bool
	cmd := &cobra.Command{
		Use:   "revoke [ID|FINGERPRINT...]",
		Short: "Take back decisions; running servers that they cover are ended",
		Long: `Takes back decisions: those of the fingerprints that are named, and of the ids in
this workspace; of the whole workspace; or all. A server that runs by one of them
is ended within a second.`,
	}
	cmd.Flags().BoolVar(&workspace, "workspace", false, "every decision about this workspace")
	cmd.Flags().BoolVar(&all, "all", false, "every decision about every workspace")
	cmd.RunE = c.trustRun(func(_ context.Context, cfg *config.Config, a *app.App, args []string) error {
		if len(args) == 0 && !workspace && !all {
			return usageError{errors.New("name what to revoke: ids, fingerprints, --workspace or --all")}
		}
		if len(args) > 0 && (workspace || all) {
			return usageError{errors.New("name either ids and fingerprints, or --workspace, or --all")}
		}
		revoked := map[string]bool{}
		here := func(d trust.Decision) bool {
			for _, root := range cfg.Roots {
				if root == d.Workspace.Path {
					return true
				}
			}
			return false
		}
		err := c.drop(a, func(d trust.Decision) bool {
			if all || workspace && here(d) {
				return true
			}
			for _, name := range args {
				if name == d.Fingerprint || name == d.ID && here(d) {
					revoked[name] = true
					return true
				}
			}
			return false
		})
		for _, name := range args {
			if err == nil && !revoked[name] {
				err = fmt.Errorf("no decision about %q is kept for this workspace: mcpls trust list shows them", name)
			}
		}
		return err
	})
	return cmd
}

func (c *command) trustPrune() *cobra.Command {
	return &cobra.Command{
		Use:   "prune",
		Short: "Drop decisions that have expired or whose workspace is gone",
		Args:  cobra.NoArgs,
		RunE: c.trustRun(func(_ context.Context, _ *config.Config, a *app.App, _ []string) error {
			return c.drop(a, func(d trust.Decision) bool {
				return !d.Expires.IsZero() && time.Now().After(d.Expires) || a.Gone(d.Workspace)
			})
		}),
	}
}

// drop takes back decisions and tells which.
func (c *command) drop(a *app.App, drop func(trust.Decision) bool) error {
	store := a.Store()
	if store == nil {
		return app.ErrNoStore
	}
	dropped, err := store.Remove("command line", drop)
	for _, d := range dropped {
		c.out.Printf("dropped: %s %s in %s\n", word(d.ID), d.Fingerprint, word(d.Workspace.Path))
	}
	if err == nil && len(dropped) == 0 {
		c.out.Println("no decision was dropped")
	}
	return err
}

func (c *command) trustExplain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain",
		Short: "List the files of this checkout that can steer what servers run",
		Args:  cobra.NoArgs,
		RunE: c.trustRun(func(_ context.Context, _ *config.Config, a *app.App, _ []string) error {
			found := a.Explain()
			if len(found) == 0 {
				c.out.Println("none of the files that are known to steer servers is here")
			}
			for _, f := range found {
				c.out.Printf("%s\n", line(f.Path))
				c.fact("steers", strings.Join(f.Servers, ", "))
				c.fact("how", f.How)
			}
			return nil
		}),
	}
}
