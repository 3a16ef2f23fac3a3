package policy

import (
	"strings"

	"mcpls/internal/launch/reason"
)

// arguments refuses a command that has an executable file of the workspace among
// its arguments, or one that cannot be read. It is asked of every program, also
// of one on no list.
func (c *checker) arguments() *reason.Refusal {
	for i, arg := range c.argv {
		if i == 0 {
			continue
		}
		for _, text := range mentions(arg, c.separators()) {
			for _, path := range c.places(text) {
				if refusal := c.argument(path); refusal != nil {
					return refusal
				}
			}
		}
	}
	return nil
}

// mentions are the texts in an argument that may be a path: all of it, and what
// follows its first =. Beyond the policy also what begins at its first slash, when
// an option or a colon stands before it: -x/path, --exec:/path, file:///path.
func mentions(arg, separators string) []string {
	texts := []string{arg}
	if _, after, ok := strings.Cut(arg, "="); ok {
		texts = append(texts, after)
	}
	if i := strings.IndexAny(arg, separators); i > 0 && attachedPath(arg[:i]) {
		texts = append(texts, arg[i:])
	}
	return texts
}

func attachedPath(before string) bool {
	return strings.HasSuffix(before, ":") || strings.HasPrefix(before, "-") && !strings.Contains(before, "=")
}

// places are where a text may lead: from the start directory, and from the
// directories that a wrapper or an option changes to.
func (c *checker) places(text string) []string {
	if text == "" {
		return nil
	}
	paths := []string{c.m.Abs(text)}
	if !absolute(text, c.m.Windows()) {
		for _, dir := range c.moved {
			paths = append(paths, c.m.Abs(dir+"/"+text))
		}
	}
	return paths
}

// argument refuses one path that an argument leads to.
func (c *checker) argument(path string) *reason.Refusal {
	if !c.m.Inside(path) {
		return nil
	}
	name := base(path, c.m.Windows())
	switch c.m.Kind(path) {
	case Executable:
		return refuse(reason.ArgumentExecutable, hintExecBit, "an argument is an executable file inside the workspace: %s", name)
	case Unreadable:
		return refuse(reason.ArgumentUnreadable, hintRead, "an argument is a file inside the workspace that cannot be read: %s", name)
	}
	return nil
}
