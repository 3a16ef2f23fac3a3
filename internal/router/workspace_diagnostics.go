package router

import (
	"context"
	"fmt"
	"sync"
	"time"

	"mcpls/internal/bug"
	"mcpls/internal/catalog"
	"mcpls/internal/workspace"
)

// FileDiagnostics is what a server says about one file, or why it did not.
type FileDiagnostics struct {
	Document workspace.Document
	Answer   Answer[Diagnostics]
	Err      error
}

// Blocked is a server that may not start, and how many files it would have been asked
// about.
type Blocked struct {
	Server string
	Files  int
	Err    error
}

// Bounds of asking about a whole workspace. A client gives up after a minute.
const (
	maxDiagnosed  = 200 // files
	diagnoseTime  = 40 * time.Second
	diagnoseAsked = 16 // files of one server at once: most of the time is waiting
)

// WorkspaceDiagnostics asks about file after file, the one that changed last
// first: few servers tell the errors of files that are not open, and none says
// whether it has told them all. unasked counts the files that there was no time
// for, and blocked those whose server may not start. The error is that no file has a
// server that may.
func (r *Router) WorkspaceDiagnostics(
	ctx context.Context, wait time.Duration, report Report,
) (found []FileDiagnostics, unasked int, blocked []Blocked, err error) {
	ctx, cancel := context.WithTimeout(ctx, diagnoseTime)
	defer cancel()
	groups, total, blocked := r.diagnosable(ctx)
	switch {
	case total == 0 && len(blocked) > 0:
		return nil, 0, nil, blocked[0].Err
	case total == 0:
		return nil, 0, nil, &NoServerError{Path: "this workspace", Reason: "none of its files has a server that is active here; get_tool_support says why"}
	}
	asking := &asking{report: report, total: min(total, maxDiagnosed)}
	var each sync.WaitGroup
	for s, docs := range groups {
		each.Go(func() {
			defer bug.Exit()
			s.diagnose(ctx, docs, wait, asking)
		})
	}
	each.Wait()
	return asking.found, total - len(asking.found), blocked, nil
}

// diagnosable gives the files that a server can be asked about, by server, at
// most maxDiagnosed, how many there are in all, and the servers that may not start
// of files that have no other.
func (r *Router) diagnosable(ctx context.Context) (groups map[*server][]workspace.Document, total int, blocked []Blocked) {
	groups = map[*server][]workspace.Document{}
	standing := map[*server]bool{}
	refused := map[*server]error{}
	for _, path := range r.opts.Workspace.Tree(ctx).Newest() {
		doc, ok := r.opts.Workspace.Contains(path)
		if !ok || doc.Language == "" {
			continue
		}
		var barred *server
		for _, s := range r.claimers(doc, catalog.Diagnostics) {
			is, known := standing[s]
			if !known {
				state, err := s.standing(ctx)
				is = state == StateIdle && err == nil
				standing[s] = is
				if state == StateRefused && !notInstalled(s, err) {
					refused[s] = err
				}
			}
			if is {
				if total++; total <= maxDiagnosed {
					groups[s] = append(groups[s], doc)
				}
				barred = nil
				break
			}
			if refused[s] != nil && barred == nil {
				barred = s
			}
		}
		if barred != nil {
			blocked = countBlocked(blocked, barred.ID, refused[barred])
		}
	}
	return groups, total, blocked
}

func countBlocked(list []Blocked, id string, err error) []Blocked {
	for i := range list {
		if list[i].Server == id {
			list[i].Files++
			return list
		}
	}
	return append(list, Blocked{id, 1, err})
}

// asking collects answers about files.
type asking struct {
	report Report
	total  int

	mu    sync.Mutex
	found []FileDiagnostics
}

func (a *asking) add(server string, f FileDiagnostics) {
	a.mu.Lock()
	a.found = append(a.found, f)
	n := len(a.found)
	a.mu.Unlock()
	a.report.say(Stage{Server: server, Doing: "asking", Detail: fmt.Sprintf("file %d of %d", n, a.total)})
}

// diagnose asks about the files of one server. The first question tells the
// server what has changed on disk, and waits until it has loaded; the others
// need not.
func (s *server) diagnose(ctx context.Context, docs []workspace.Document, wait time.Duration, to *asking) {
	ask := func(doc workspace.Document, whole bool) {
		q := diagnosticsOf(doc, wait)
		q.whole = whole
		answer, err := askServer(ctx, s, &Place{Document: doc}, to.report, q)
		if ctx.Err() == nil { // else there was no time for it
			to.add(s.ID, FileDiagnostics{doc, answer, err})
		}
	}
	ask(docs[0], true)
	turns := make(chan struct{}, diagnoseAsked)
	var each sync.WaitGroup
	for _, doc := range docs[1:] {
		turns <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		each.Go(func() {
			defer bug.Exit()
			defer func() { <-turns }()
			ask(doc, false)
		})
	}
	each.Wait()
}
