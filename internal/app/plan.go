package app

import (
	"context"
	"errors"
	"strings"

	"mcpls/internal/config"
	"mcpls/internal/launch"
	"mcpls/internal/launch/reason"
	"mcpls/internal/quote"
)

// Verdict is what would become of a server.
type Verdict string

// The verdicts.
const (
	VerdictStart    Verdict = "start"
	VerdictAsk      Verdict = "ask"      // not before a person has said yes
	VerdictRefuse   Verdict = "refuse"   // not at all
	VerdictInactive Verdict = "inactive" // it would not start here for a harmless reason
)

// Planned is what would run of one declared server, or why it would not. The
// tags are those of its JSON.
type Planned struct {
	ID       string        `json:"id"`
	Language string        `json:"language_id"`
	Kind     launch.Kind   `json:"kind"`
	Origin   launch.Origin `json:"origin"`
	Declared string        `json:"declared_in"`
	Verdict  Verdict       `json:"verdict"`
	Reason   reason.Code   `json:"reason"`
	Message  string        `json:"message"`
	Hint     string        `json:"hint"`

	Fingerprint string            `json:"fingerprint"`
	Argv        []string          `json:"argv"`
	Unwrapped   []string          `json:"unwrapped"`
	Dir         string            `json:"cwd"`
	Env         map[string]string `json:"env"`
	InitOptions map[string]any    `json:"initialization_options"`
	Settings    map[string]any    `json:"settings"`
	Warnings    []string          `json:"warnings"`
}

// Plan tells of every declared server what would run. It starts nothing. With
// secrets the values of variables, options and settings whose names say that
// they are secret are shown too.
func (a *App) Plan(ctx context.Context, secrets bool) []Planned {
	var list []Planned
	for _, id := range a.launcher.order {
		list = append(list, a.planned(ctx, id, secrets))
	}
	return list
}

// planned decides whether the server is of any use here, whether it is allowed, what
// would run, and whether that may.
func (a *App) planned(ctx context.Context, id string, secrets bool) Planned {
	l := a.launcher
	d := l.declared[id]
	out := Planned{
		ID: id, Language: d.LanguageID, Kind: launch.LSP, Origin: d.Origin, Declared: d.File,
		Argv: []string{}, Unwrapped: []string{}, Env: map[string]string{}, Warnings: []string{},
	}
	// What a repository declares must not cost a walk for its markers.
	if d.Origin != config.Project && !a.router.Applicable(ctx, id) {
		return out.not(VerdictInactive, &reason.Refusal{
			Code: reason.NoMarker, Message: "the workspace has no " + strings.Join(d.Heuristics.ProjectMarkers, " or "),
		})
	}
	if refusal := l.gate.Allows(id); refusal != nil {
		return out.not(VerdictInactive, refusal)
	}
	plan, err := l.plan(id)
	if refusal, ok := errors.AsType[*reason.Refusal](err); ok {
		if d.Origin == config.Builtin && refusal.Code == reason.ExecutableNotFound {
			return out.not(VerdictInactive, &reason.Refusal{Code: reason.NotInstalled, Message: refusal.Message, Hint: refusal.Hint})
		}
		return out.not(VerdictRefuse, refusal)
	}
	out.show(plan, d, l.own, secrets)
	_, err = l.gate.Check(ctx, plan)
	if refusal, ok := errors.AsType[*reason.Refusal](err); ok {
		verdict := VerdictRefuse
		if refusal.Code == reason.NoSurface {
			verdict = VerdictAsk
		}
		return out.not(verdict, refusal)
	}
	out.Verdict = VerdictStart
	return out
}

func (p Planned) not(verdict Verdict, why *reason.Refusal) Planned {
	p.Verdict, p.Reason, p.Message, p.Hint = verdict, why.Code, why.Message, why.Hint
	return p
}

// show takes over a plan, without the secrets in it unless they are to be shown.
func (p *Planned) show(plan launch.Plan, d config.Declaration, own []string, secrets bool) {
	hide := redactor(d, plan, own)
	if secrets {
		hide = nil
	}
	p.Origin, p.Dir, p.Fingerprint = plan.Origin, plan.Dir, plan.Fingerprint()
	p.Argv = hidden(plan.Argv, hide)
	p.Unwrapped = append(p.Unwrapped, plan.Unwrapped...)
	p.Warnings = append(p.Warnings, hidden(plan.Notes, hide)...)
	for name, value := range plan.Env {
		if p.Env[name] = hide.Redact(value); !secrets && quote.SecretName(name) {
			p.Env[name] = quote.Redacted
		}
	}
	p.InitOptions, _ = hiddenValue(plan.InitOptions, hide).(map[string]any)
	p.Settings, _ = hiddenValue(plan.Settings, hide).(map[string]any)
}

func hidden(list []string, hide *quote.Redactor) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = hide.Redact(s)
	}
	return out
}

// hiddenValue gives a value without the secrets in it: strings that hold one, and
// whatever has a name that says it is one.
func hiddenValue(value any, hide *quote.Redactor) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, part := range value {
			if out[name] = hiddenValue(part, hide); hide != nil && quote.SecretName(name) {
				out[name] = quote.Redacted
			}
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, part := range value {
			out[i] = hiddenValue(part, hide)
		}
		return out
	case string:
		return hide.Redact(value)
	}
	return value
}
