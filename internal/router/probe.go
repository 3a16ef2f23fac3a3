package router

import (
	"context"
	"errors"
	"slices"
	"time"

	"mcpls/internal/catalog"
	"mcpls/internal/lsp/protocol"
)

// Probe is what was found when a server was started and asked.
type Probe struct {
	Support
	Started  time.Duration // from the wish to the end of the handshake
	Answered time.Duration // from the first question to its answer
	Loaded   time.Duration // from the start until it had loaded the workspace; 0: it did not
	File     string        // that was asked about, relative to its root; "" when there is none
	Asked    []Question
	Answers  []catalog.Feature // what the server is asked for and offers
	Stderr   string            // the last lines that it wrote
	Err      error             // why it does not serve
}

// Question is one that a probe put, and its outcome in words.
type Question struct{ Feature, Outcome string }

// Probe starts a server as a question would, and asks it for the symbols of the
// first file that it answers for and about the first of them; one that is not
// asked for symbols, for diagnostics. A server that is
// not applicable here or may not be started is not; false is an id that is not
// declared.
func (r *Router) Probe(ctx context.Context, id string) (Probe, bool) {
	i := slices.IndexFunc(r.servers, func(s *server) bool { return s.ID == id })
	if i < 0 {
		return Probe{}, false
	}
	s := r.servers[i]
	p := Probe{Support: s.support(ctx)}
	if p.State != StateRefused && p.State != StateInactive {
		p.run(ctx, s)
	}
	return p, true
}

func (p *Probe) run(ctx context.Context, s *server) {
	begun := time.Now()
	run, err := s.wait(ctx)
	p.Started = time.Since(begun)
	if err == nil {
		err = p.ask(ctx, s)
		if err == nil && s.waitLoaded(ctx, run, nil) == nil {
			p.Loaded = time.Since(begun)
		}
		p.Stderr = run.process.Stderr()
	}
	p.Support, p.Err = s.support(ctx), err
	p.Answers = p.answers()
	if failed, ok := errors.AsType[*StartError](err); ok {
		p.Stderr = failed.Stderr
	}
	if err != nil {
		p.State = StateFailed
	}
}

// answers are the features that the server is asked for and offers.
func (s Support) answers() []catalog.Feature {
	var list []catalog.Feature
	if s.State == StateReady || s.State == StateLoading {
		list = append(list, catalog.Diagnostics) // every server may publish them
	}
	for _, method := range s.Methods {
		if f := features[method]; !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	slices.Sort(list)
	return slices.DeleteFunc(list, func(f catalog.Feature) bool { return f == catalog.Diagnostics && !s.Diagnoses() })
}

// wait gives the server's run however long its start takes: that is bounded by
// the server's own time limit.
func (s *server) wait(ctx context.Context) (*run, error) {
	for {
		run, err := s.session(ctx, nil)
		if _, starting := errors.AsType[*StartingError](err); !starting {
			return run, err
		}
	}
}

// ask puts the questions that the server is declared for. That it does not
// offer one is no failure.
func (p *Probe) ask(ctx context.Context, s *server) error {
	doc, ok := s.firstFile(ctx)
	if !ok {
		return nil
	}
	p.File = doc.Rel()
	var symbols protocol.DocumentSymbols
	begun := time.Now()
	err := p.put(s, catalog.DocumentSymbols, func() (bool, error) {
		answer, err := askServer(ctx, s, &Place{Document: doc}, nil, outlineOf(doc))
		symbols = answer.Value
		return len(symbols) > 0, err
	})
	if err == nil && len(p.Asked) == 0 {
		err = p.put(s, catalog.Diagnostics, func() (bool, error) {
			answer, err := askServer(ctx, s, &Place{Document: doc}, nil, diagnosticsOf(doc, probeWait))
			return answer.Value.Settled, err
		})
	}
	p.Answered = time.Since(begun)
	if err != nil || len(symbols) == 0 {
		return err
	}
	at := Place{Document: doc, Position: symbols[0].Selection.Start}
	return p.put(s, catalog.Hover, func() (bool, error) {
		answer, err := askServer(ctx, s, &at, nil, hoverOf(doc))
		return answer.Value != nil, err
	})
}

// probeWait is how long a probe waits for diagnostics.
const probeWait = 5 * time.Second

// put asks one question and notes what came of it.
func (p *Probe) put(s *server, feature catalog.Feature, ask func() (found bool, err error)) error {
	if !s.handles(feature) {
		return nil
	}
	found, err := ask()
	_, unsupported := errors.AsType[*UnsupportedError](err)
	outcome := "answered"
	switch {
	case unsupported:
		outcome, err = "not offered", nil
	case err != nil:
		outcome = "failed"
	case !found:
		outcome = "nothing found"
	}
	p.Asked = append(p.Asked, Question{string(feature), outcome})
	return err
}
