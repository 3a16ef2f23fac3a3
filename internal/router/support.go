package router

import (
	"cmp"
	"context"

	"mcpls/internal/lsp"
	"mcpls/internal/workspace"
)

// State is where a server is in its life.
type State string

// The states of a server.
const (
	StateInactive State = "inactive" // no marker of it in the workspace
	StateRefused  State = "refused"  // the launch wing does not start it
	StateIdle     State = "idle"     // starts at the first question
	StateStarting State = "starting"
	StateLoading  State = "loading" // answers, but not yet about the whole workspace
	StateReady    State = "ready"
)

// Support is what one server can be asked at this moment.
type Support struct {
	Server, Language string
	State            State
	Launch           LaunchStatus
	Refusal          error    // of a refused server
	Missing          []string // of an inactive server: the markers that are not there
	Methods          []string // LSP requests it offers, once it has started
	Name, Version    string   // as the server gave them
	Progress         string   // of a loading server
	Trouble          string
}

// Support tells of every declared server, or of those that claim a document.
// It starts nothing.
func (r *Router) Support(ctx context.Context, doc *workspace.Document) []Support {
	var list []Support
	for _, s := range r.servers {
		if doc == nil || s.claims(*doc) {
			list = append(list, s.support(ctx))
		}
	}
	return list
}

func (s *server) support(ctx context.Context) Support {
	told := Support{Server: s.ID, Language: s.Language, Launch: s.router.opts.Launcher.Status(s.ID)}
	if run := s.current(); run != nil {
		s.tellRun(&told, run)
		return told
	}
	if told.State, told.Refusal = s.standing(ctx); told.State == StateInactive {
		told.Missing = s.Markers
	}
	return told
}

func (s *server) tellRun(told *Support, run *run) {
	told.State = StateStarting
	select {
	case <-run.started:
	default:
		return
	}
	if run.session != nil {
		tellSession(told, run.session)
		told.Trouble = cmp.Or(told.Trouble, run.session.Warning(), run.session.Blind(), s.unshown(run, nil))
	}
}

func tellSession(told *Support, session *lsp.Session) {
	told.State, told.Trouble = StateReady, session.Trouble()
	told.Name, told.Version = session.Info().Name, session.Info().Version
	if progress, loading := session.Loading(); loading {
		told.State, told.Progress = StateLoading, words(progress)
	}
	told.Methods = session.Methods()
}
