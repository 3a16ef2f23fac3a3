package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcpls/internal/app"
	"mcpls/internal/quote"
)

func (c *command) doctorCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor [SERVER...]",
		Short: "Start the servers that apply here and ask each a question",
		Long: `Start the servers that apply here, one after the other and as serving would,
and ask each for the symbols of a file of its own. Tells what came of it, and
what mends what is wrong. Nothing is started that serving would refuse.

It fails when a server that applies here does not serve: not one whose markers
the workspace lacks, nor a built-in one that is not installed, nor one that a
project file declares or that was not allowed in an untrusted workspace. Of the servers that are named each has to serve.

` + exitCodes,
		Example: `  mcpls doctor
  mcpls doctor go --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.logFrom(cmd, "error") // what a warning would say is told
			return c.doctor(cmd.Context(), args, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print everything as JSON")
	return cmd
}

func (c *command) doctor(ctx context.Context, ids []string, asJSON bool) error {
	a, err := c.app(app.Options{Log: c.logger(), Lazy: true})
	if err != nil {
		return err
	}
	all := []app.Diagnosis{}
	failed := 0
	err = a.Doctor(ctx, ids, func(d app.Diagnosis) {
		all = append(all, d)
		if d.Failed {
			failed++
		}
		if !asJSON {
			c.showDiagnosis(d)
		}
	})
	if err != nil {
		return err
	}
	if asJSON {
		text, err := json.MarshalIndent(map[string]any{"servers": all}, "", "  ")
		if err != nil {
			return err
		}
		c.out.Printf("%s\n", quote.JSON(text))
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d servers failed", failed, len(all))
	}
	return nil
}

// showDiagnosis prints one server: a line with its state, and a line for each
// thing that is known of it.
func (c *command) showDiagnosis(d app.Diagnosis) {
	if d.State == "inactive" { // most of the built-in ones are
		c.out.Printf("%s (%s, %s): %s, %s\n", word(d.Server), word(d.Language), d.Origin, d.State, line(d.Why))
		return
	}
	c.out.Printf("%s (%s, %s): %s\n", word(d.Server), word(d.Language), d.Origin, d.State)
	c.fact("why", d.Why)
	c.fact("command", d.Command)
	c.fact("program", d.Program)
	c.fact("version", strings.TrimSpace(d.Name+" "+d.Version))
	if d.StartMS > 0 && d.Version+d.Name+d.File != "" {
		c.fact("start", fmt.Sprintf("%d ms", d.StartMS))
	}
	for i, q := range d.Asked {
		text := fmt.Sprintf("%s of %s: %s", q.Question, d.File, q.Outcome)
		if i == 0 {
			text += fmt.Sprintf(", after %d ms", d.AnswerMS)
		}
		c.fact("asked", text)
	}
	if d.LoadMS > 0 {
		c.fact("loaded", fmt.Sprintf("the workspace, as far as it tells, within %d ms", d.LoadMS))
	}
	c.fact("loading", d.Progress)
	c.fact("trouble", d.Trouble)
	c.fact("handles", strings.Join(d.Handles, ", "))
	c.fact("answers", strings.Join(d.Answers, ", "))
	c.fact("stderr", d.Stderr)
	if !strings.Contains(d.Why, d.Install) {
		c.fact("install", d.Install)
	}
	for _, advice := range d.Advice {
		c.fact("problem", advice.Problem)
		c.fact("mend", advice.Mend)
	}
}

// fact prints one thing that is known, each of its lines indented: none of them
// looks like another server or another fact.
func (c *command) fact(name, text string) {
	for text := range strings.Lines(text) {
		if text = strings.TrimRight(text, "\r\n"); text != "" {
			c.out.Printf("  %-8s %s\n", name, line(text))
		}
		name = ""
	}
}
