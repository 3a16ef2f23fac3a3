package router

import (
	"context"
	"slices"
	"sync"
	"time"

	"mcpls/internal/bug"
)

// restartEvery is how often a server may be restarted: a model that asks again
// and again would keep it from ever loading the workspace.
const restartEvery = 5 * time.Second

// Restarted is what became of the restart of one server. Of Err and Wait at
// most one is set.
type Restarted struct {
	Server string
	Ran    bool          // it ran before
	Err    error         // why it did not start
	Wait   time.Duration // it was restarted a moment ago: not done
}

// Restart ends servers and starts them anew, all at once; with no ids, every
// server that runs. The error is an *UnknownServerError.
func (r *Router) Restart(ctx context.Context, ids []string, report Report) ([]Restarted, error) {
	servers, err := r.named(ids)
	if err != nil {
		return nil, err
	}
	list := make([]Restarted, len(servers))
	var each sync.WaitGroup
	for i, s := range servers {
		each.Go(func() {
			defer bug.Exit()
			list[i] = s.restart(ctx, report)
		})
	}
	each.Wait()
	return list, nil
}

// named gives the servers of some ids, or those that run.
func (r *Router) named(ids []string) ([]*server, error) {
	var found []*server
	for _, id := range ids {
		i := slices.IndexFunc(r.servers, func(s *server) bool { return s.ID == id })
		if i < 0 {
			return nil, &UnknownServerError{ID: id, Known: r.ids()}
		}
		if !slices.Contains(found, r.servers[i]) {
			found = append(found, r.servers[i])
		}
	}
	for _, s := range r.servers {
		if len(ids) == 0 && s.current() != nil {
			found = append(found, s)
		}
	}
	return found, nil
}

func (r *Router) ids() []string {
	var list []string
	for _, s := range r.servers {
		list = append(list, s.ID)
	}
	return list
}

// restart ends the current run, if there is one, and waits for the next. What
// may not be started is left as it is: it could not come back.
func (s *server) restart(ctx context.Context, report Report) Restarted {
	told := Restarted{Server: s.ID}
	if told.Err = s.router.opts.Launcher.Check(ctx, s.ID); told.Err != nil {
		return told
	}
	if told.Wait = s.cooldown(); told.Wait > 0 {
		return told
	}
	if run := s.current(); run != nil {
		told.Ran = true
		run.cancel(&RestartedError{Server: s.ID})
		select {
		case <-run.ended:
		case <-ctx.Done():
			told.Err = context.Cause(ctx)
			return told
		}
	}
	_, told.Err = s.session(ctx, report)
	return told
}

// Stop ends the current run of a server, if there is one: why is what the questions
// get that are under way. It is started again only as a question needs it, and if it
// may.
func (r *Router) Stop(id string, why error) {
	for _, s := range r.servers {
		if run := s.current(); s.ID == id && run != nil {
			run.cancel(why)
		}
	}
}

// cooldown gives how long the server must not be restarted yet, and begins a
// new time when it may.
func (s *server) cooldown() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := time.Until(s.restarted.Add(restartEvery))
	if left > 0 {
		return left
	}
	s.restarted, s.crashes = time.Now(), crashes{}
	return 0
}
