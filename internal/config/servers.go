package config

import (
	"fmt"
	"slices"

	"mcpls/internal/catalog"
)

// The suffixes of ids. A server of a project file has its own always, so that
// it is no id of the user's and of no built-in server; a built-in one where a
// server of the user's has its id.
const (
	ProjectSuffix = "@project"
	builtinSuffix = "@builtin"
)

// id is what a server is called: its name, else its language.
func (s Server) id() string {
	if s.Name != "" {
		return s.Name
	}
	return s.LanguageID
}

// clash says why a server cannot stand beside one that was declared before it
// by the same origin, and the key at fault; "" when it can.
func (s Server) clash(before Server) (key, say string) {
	shared := slices.IndexFunc(s.Handles, func(f catalog.Feature) bool { return slices.Contains(before.Handles, f) })
	switch {
	case s.id() == before.id():
		return "name", fmt.Sprintf("two servers have the id %q: give one of them a name", s.id())
	case s.LanguageID != before.LanguageID:
	case len(s.Handles) == 0 && len(before.Handles) == 0:
		return "handles", fmt.Sprintf("%q answers everything for %s already: only one server a language may be without handles",
			before.id(), s.LanguageID)
	case shared >= 0:
		return "handles", fmt.Sprintf("%q handles %s for %s already", before.id(), s.Handles[shared], s.LanguageID)
	}
	return "", ""
}

// clashes gives the first clash of a server with those before it.
func (s Server) clashes(before []Server) (key, say string) {
	for _, b := range before {
		if key, say := s.clash(b); key != "" {
			return key, say
		}
	}
	return "", ""
}

// declare declares one server of the user's.
func (l *loader) declare(server Server, source Source) {
	l.cfg.Servers = append(l.cfg.Servers, Declaration{Server: server, ID: server.id(), Origin: source.Origin, File: source.Path})
}

// declareProject declares one server of a project file. It never takes an id of
// the user's, and never a built-in one, and what is wrong with it is a warning.
func (l *loader) declareProject(server Server, source Source) {
	if l.taken(server.id()) {
		l.warn("%s: server %q ignored: the id is taken by a server of your own", source.Path, server.id())
		return
	}
	for _, d := range l.cfg.Servers {
		if d.Origin != Project {
			if d.ID == server.id()+ProjectSuffix {
				l.warn("%s: server %q ignored: the id %q is taken by a server of your own", source.Path, server.id(), d.ID)
				return
			}
			continue
		}
		if key, say := server.clash(d.Server); key != "" {
			l.warn("%s: server %q ignored: %s: %s", source.Path, server.id(), key, say)
			return
		}
	}
	l.cfg.Servers = append(l.cfg.Servers, Declaration{Server: server, ID: server.id() + ProjectSuffix, Origin: Project, File: source.Path})
}

func (l *loader) taken(id string) bool {
	return slices.ContainsFunc(l.cfg.Servers, func(d Declaration) bool { return d.ID == id })
}

// takeBuiltin declares the servers of the catalog, one for each of its ids, but
// for the languages for which the user has declared a server that answers
// everything. One with handles takes its share only.
func (l *loader) takeBuiltin() {
	for _, d := range builtins(catalog.Servers()) {
		replaced := slices.ContainsFunc(l.cfg.Servers, func(own Declaration) bool {
			return own.Origin != Project && own.LanguageID == d.LanguageID && len(own.Handles) == 0
		})
		if replaced {
			continue
		}
		if l.taken(d.ID) {
			d = d.named(d.ID + builtinSuffix)
		}
		if l.taken(d.ID) {
			l.warn("the built-in server for %s is left out: its id %q is taken", d.LanguageID, d.ID)
			continue
		}
		l.cfg.Servers = append(l.cfg.Servers, d)
	}
}

// named gives the declaration and its alternatives another id.
func (d Declaration) named(id string) Declaration {
	d.ID, d.Others = id, slices.Clone(d.Others)
	for i := range d.Others {
		d.Others[i].ID = id
	}
	return d
}

// builtins are the declarations of rows of the catalog. Rows with one id are one
// declaration: the first, and the others in its stead where it is not found.
func builtins(rows []catalog.Server) []Declaration {
	var list []Declaration
	for _, row := range rows {
		d := builtin(row)
		i := slices.IndexFunc(list, func(before Declaration) bool { return before.ID == d.ID })
		if i < 0 {
			list = append(list, d)
		} else {
			list[i].Others = append(list[i].Others, d)
		}
	}
	return list
}

func builtin(row catalog.Server) Declaration {
	return Declaration{ID: row.ID, Origin: Builtin, Server: Server{
		LanguageID: row.ID, Command: row.Command[0], Args: row.Command[1:], FilePatterns: row.Patterns,
		Heuristics: Heuristics{ProjectMarkers: row.Markers}, Selection: selection(row),
	}}
}

// selection is that of a built-in entry.
func selection(row catalog.Server) string {
	if row.OrNative {
		return "auto"
	}
	return ""
}
