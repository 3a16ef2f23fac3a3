package lsp

// statusParams are those of rust-analyzer's experimental/serverStatus.
type statusParams struct {
	Quiescent bool   `json:"quiescent"`
	Health    string `json:"health"`
	Message   string `json:"message"`
}

func (s *Session) serverStatus(p statusParams) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loading.failure, s.loading.warning = "", ""
	if failed := s.opts.Known.CheckFailed; failed != nil {
		s.loading.blind = s.brief(failed.FindString(p.Message))
		s.diagnostics.notify()
	}
	switch p.Health {
	case "error":
		s.loading.failure = s.brief(p.Message)
	case "warning":
		s.loading.warning = s.brief(p.Message)
	}
	if s.loading.busy == p.Quiescent {
		s.loading.busy = !p.Quiescent
		s.loading.notify()
	}
}

// Warning is what the server says of a workspace that it has loaded, though
// something is missing; "" when there is nothing.
func (s *Session) Warning() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loading.warning
}

// heard takes window/logMessage: some servers say there, and nowhere else, that
// they have loaded the workspace, or that something is missing.
func (s *Session) heard(p messageParams) {
	s.logMessage(p)
	known := s.opts.Known
	s.mu.Lock()
	defer s.mu.Unlock()
	if known.TroubleLog != nil {
		if said := known.TroubleLog.FindString(p.Message); said != "" {
			s.loading.failure = s.brief(said)
		}
	}
	if known.BlindLog != nil {
		if said := known.BlindLog.FindString(p.Message); said != "" {
			s.loading.blind = s.brief(said)
			s.diagnostics.notify()
		}
	}
	// Later ones come of changes, about which the server goes on answering from
	// what it knows.
	if known.Loading.Log != nil && s.loading.ended < s.loading.expect && known.Loading.Log.MatchString(p.Message) {
		s.loading.ended++
		s.loading.notify()
	}
}
