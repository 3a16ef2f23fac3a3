package trust

import (
	"crypto/hmac"
	"fmt"
	"maps"
	"slices"

	"mcpls/internal/launch"
)

// changes tells what differs between a plan and the latest yes to another form of
// it: the same id of the same file, in the same workspace. None when there was no
// yes.
func (s *Store) changes(plan launch.Plan) ([]string, error) {
	all, err := s.All()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(d Decision) bool {
		return d.Allow && d.ID == plan.ID && d.DeclaredIn == plan.DeclaredIn && d.Workspace == workspaceOf(plan)
	})
	if i < 0 {
		return nil, nil
	}
	root, err := s.open(false)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	secret, err := s.key(root)
	if err != nil {
		return nil, err
	}
	return differences(all[i], record(plan, secret)), nil
}

// differences tells in words what differs between two forms of an entry.
func differences(before, now Decision) []string {
	var list []string
	say := func(differs bool, format string, args ...any) {
		if differs {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	say(before.Command != now.Command, "the command was %s and is %s", quoted(before.Command), quoted(now.Command))
	for i := range max(len(before.Args), len(now.Args)) {
		switch {
		case i >= len(now.Args):
			say(true, "argument %d, %s, is gone", i+1, quoted(before.Args[i]))
		case i >= len(before.Args):
			say(true, "argument %d, %s, is new", i+1, quoted(now.Args[i]))
		default:
			say(before.Args[i] != now.Args[i], "argument %d was %s and is %s", i+1, quoted(before.Args[i]), quoted(now.Args[i]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(union(before.Env, now.Env))) {
		was, had := before.Env[name]
		is, has := now.Env[name]
		say(had && !has, "the variable %s is gone", quoted(name))
		say(!had && has, "the variable %s is new", quoted(name))
		say(had && has && !hmac.Equal([]byte(was), []byte(is)), "the value of the variable %s has changed", quoted(name))
	}
	say(before.Dir != now.Dir, "the working directory was %s and is %s", quoted(before.Dir), quoted(now.Dir))
	say(before.Options != now.Options, "the initialization options were %s and are %s", tables(before.Options), tables(now.Options))
	say(before.Settings != now.Settings, "the settings were %s and are %s", tables(before.Settings), tables(now.Settings))
	list = append(list, fileDifferences(before.Files, now.Files)...)
	if len(list) == 0 {
		list = []string{"mcpls looks at more than it did: nothing that was kept differs"}
	}
	return list
}

func fileDifferences(before, now []launch.File) []string {
	var list []string
	find := func(files []launch.File, f launch.File) (launch.File, bool) {
		i := slices.IndexFunc(files, func(g launch.File) bool { return g.Role == f.Role && g.Path == f.Path })
		if i < 0 {
			return launch.File{}, false
		}
		return files[i], true
	}
	for _, f := range now {
		was, had := find(before, f)
		name := "the " + f.Role + " " + quoted(f.Path)
		switch {
		case !had:
			list = append(list, name+" is new")
		case was.Digest != f.Digest:
			list = append(list, "the content of "+name+" has changed")
		case was != f:
			list = append(list, "the owner or the mode of "+name+" has changed")
		}
	}
	for _, f := range before {
		if _, has := find(now, f); !has {
			list = append(list, "the "+f.Role+" "+quoted(f.Path)+" is not used any more")
		}
	}
	return list
}

// tables are options as they are kept, which are quoted already.
func tables(kept string) string {
	if kept == "" {
		return "none"
	}
	return ours(kept)
}

func union(a, b map[string]string) map[string]bool {
	out := map[string]bool{}
	for name := range a {
		out[name] = true
	}
	for name := range b {
		out[name] = true
	}
	return out
}
