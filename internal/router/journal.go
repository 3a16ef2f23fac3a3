package router

import (
	"slices"

	"mcpls/internal/lsp"
)

// Said is what a server logged, or wanted to show its user.
type Said struct {
	Server string
	lsp.Entry
}

// LogLevels are the names of the levels, the gravest first.
func LogLevels() []any {
	var list []any
	for _, level := range lsp.Levels() {
		list = append(list, level)
	}
	return list
}

// Logs gives what the servers logged and is at least as grave as a level, the
// oldest first; with "", everything.
func (r *Router) Logs(level string) []Said {
	list := r.said((*lsp.Journal).Logs)
	least := slices.Index(lsp.Levels(), level)
	if least < 0 {
		return list
	}
	return slices.DeleteFunc(list, func(s Said) bool { return slices.Index(lsp.Levels(), s.Level.String()) > least })
}

// Messages gives what the servers wanted to show their user, the oldest first.
func (r *Router) Messages() []Said { return r.said((*lsp.Journal).Messages) }

func (r *Router) said(of func(*lsp.Journal) []lsp.Entry) []Said {
	var list []Said
	for _, s := range r.servers {
		for _, e := range of(&s.journal) {
			list = append(list, Said{s.ID, e})
		}
	}
	slices.SortStableFunc(list, func(a, b Said) int { return a.Time.Compare(b.Time) })
	return list
}
