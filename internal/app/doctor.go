package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mcpls/internal/catalog"
	"mcpls/internal/config"
	"mcpls/internal/launch/reason"
	"mcpls/internal/router"
)

// Diagnosis is what doctor found of one server. The tags are those of its JSON.
type Diagnosis struct {
	Server   string `json:"server"`
	Language string `json:"language_id"`
	Origin   string `json:"origin"`
	Declared string `json:"declared_in,omitempty"`
	State    string `json:"state"`
	// Failed says that the server should serve here and does not.
	Failed bool   `json:"failed"`
	Why    string `json:"why,omitempty"` // of one that does not serve

	Command string `json:"command"`
	Program string `json:"program,omitempty"` // the path that is started
	Name    string `json:"name,omitempty"`    // as the server gave it
	Version string `json:"version,omitempty"`

	StartMS  int64    `json:"start_ms,omitempty"`
	AnswerMS int64    `json:"first_answer_ms,omitempty"`
	LoadMS   int64    `json:"loaded_ms,omitempty"` // since the start
	Trouble  string   `json:"server_trouble,omitempty"`
	Progress string   `json:"progress,omitempty"` // of one that still loads
	File     string   `json:"file,omitempty"`
	Asked    []Asked  `json:"asked,omitempty"`
	Handles  []string `json:"handles,omitempty"`
	Answers  []string `json:"answers,omitempty"`
	Stderr   string   `json:"stderr,omitempty"` // of a failure, its last lines
	Install  string   `json:"install,omitempty"`
	Advice   []Advice `json:"advice,omitempty"`
}

// Asked is one question that was put to the server.
type Asked struct {
	Question string `json:"question"`
	Outcome  string `json:"outcome"`
}

// Advice is something that is wrong, and what mends it.
type Advice struct {
	Problem string `json:"problem"`
	Mend    string `json:"mend"`
}

// Doctor starts the servers that are applicable here, one after the other and
// as serving would, asks each a question, and tells what came of it. With ids
// it is those servers only, and one of them that does not serve has failed
// whatever the reason. No server is left running, and an App does this once.
func (a *App) Doctor(ctx context.Context, ids []string, each func(Diagnosis)) error {
	defer a.router.Close()
	declared := a.launcher.order
	for _, id := range ids {
		if !slices.Contains(declared, id) {
			return fmt.Errorf("there is no server %q: declared are %s", id, strings.Join(declared, ", "))
		}
	}
	for _, id := range declared {
		if len(ids) > 0 && !slices.Contains(ids, id) {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		d := a.diagnose(ctx, id)
		d.Failed = d.Failed || len(ids) > 0 && (d.State == string(router.StateInactive) || d.State == string(router.StateRefused))
		each(d)
	}
	return nil
}

func (a *App) diagnose(ctx context.Context, id string) Diagnosis {
	declared := a.launcher.declared[id]
	p, _ := a.router.Probe(ctx, id)
	d := Diagnosis{
		Server: id, Language: declared.LanguageID, Origin: string(declared.Origin), Declared: declared.File,
		State: string(p.State), Command: p.Launch.Program, Name: p.Name, Version: p.Version,
		StartMS: p.Started.Milliseconds(), AnswerMS: p.Answered.Milliseconds(),
		LoadMS: p.Loaded.Milliseconds(), Trouble: p.Trouble, Progress: p.Progress,
		File: p.File, Handles: p.Handles,
	}
	home := ""
	if grant, err := a.launcher.grant(ctx, id); err == nil {
		d.Program, home = grant.Plan().Argv[0], grant.Plan().Env["HOME"]
	}
	for _, q := range p.Asked {
		d.Asked = append(d.Asked, Asked{q.Feature, q.Outcome})
	}
	for _, f := range p.Answers {
		d.Answers = append(d.Answers, string(f))
	}
	d.explain(p, declared)
	if d.State != string(router.StateInactive) {
		d.Advice = a.advice(declared, d, p, home)
	}
	return d
}

// explain says why a server does not serve. That a built-in one is not
// installed, or one was not allowed, is no failure: nobody has asked for it.
func (d *Diagnosis) explain(p router.Probe, declared config.Declaration) {
	row, _ := catalog.ByCommand(declared.Command, declared.Args)
	refusal, _ := errors.AsType[*router.LaunchError](p.Refusal)
	switch {
	case p.State == router.StateInactive:
		d.Why = "the workspace has no " + strings.Join(p.Missing, " or ")
	case refusal != nil:
		harmless := refusal.Code == string(reason.NotAllowed) || declared.Origin == config.Builtin && refusal.Code == string(reason.ExecutableNotFound)
		d.Failed = declared.Origin != config.Project && !harmless
		d.Why = refusal.Message + "\n" + refusal.Hint
		if refusal.Code == string(reason.ExecutableNotFound) {
			d.Install = row.Install
		}
	case p.Err != nil:
		d.Failed, d.Why, d.Stderr, d.Install = true, p.Err.Error(), p.Stderr, row.Install
		if failed, ok := errors.AsType[*router.StartError](p.Err); ok {
			d.Why = strings.Join(slices.DeleteFunc([]string{failed.Err.Error(), failed.Exit}, func(s string) bool { return s == "" }), ": ")
		}
	}
}

// advice gives what the table of checks finds.
func (a *App) advice(declared config.Declaration, d Diagnosis, p router.Probe, home string) []Advice {
	words := strings.Join([]string{d.Why, p.Stderr, p.Trouble}, "\n")
	var found []Advice
	for _, c := range catalog.Checks {
		if c.Program != strings.TrimSuffix(path.Base(filepath.ToSlash(declared.Command)), ".exe") {
			continue
		}
		says := slices.ContainsFunc(c.Says, func(s string) bool { return strings.Contains(words, s) })
		if says || p.File != "" && a.lacksRootFile(c) || lacksBeside(c, d.Program, home) {
			found = append(found, Advice{c.Problem, c.Mend})
		}
	}
	return found
}

func (a *App) lacksRootFile(c catalog.Check) bool {
	for _, root := range a.roots {
		for _, name := range c.Root {
			if exists(filepath.Join(root, filepath.FromSlash(name))) {
				return false
			}
		}
	}
	return len(c.Root) > 0
}

// lacksBeside reports whether the installation of a program lacks a part. Of
// one that cannot be told where it is installed nothing is known.
func lacksBeside(c catalog.Check, program, home string) bool {
	real, err := filepath.EvalSymlinks(program)
	if c.Beside == "" || program == "" || err != nil {
		return false
	}
	has := func(dir, name string) bool { return exists(filepath.Join(dir, filepath.FromSlash(name))) }
	dirs := []string{filepath.Dir(filepath.Dir(real))}
	if !has(dirs[0], c.Where) && home != "" {
		dirs, _ = filepath.Glob(filepath.Join(home, filepath.FromSlash(c.Homes)))
	}
	dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !has(dir, c.Where) })
	return len(dirs) > 0 && !slices.ContainsFunc(dirs, func(dir string) bool { return has(dir, c.Beside) })
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
