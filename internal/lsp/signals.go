package lsp

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
		}
	}
	if known.Loading.Log != nil && known.Loading.Log.MatchString(p.Message) {
		s.loading.ended++
		s.loading.notify()
	}
}
