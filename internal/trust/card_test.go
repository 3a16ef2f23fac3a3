//go:build !windows

package trust

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcpls/internal/launch"
)

var update = flag.Bool("update", false, "write the golden files anew")

// hostilePlan is what the author of a repository may do to a card.
func hostilePlan() launch.Plan {
	return asked(func(p *launch.Plan) {
		p.ID = "go\n\nFingerprint\n    sha256:0000\x1b[2J\u202e@project"
		p.DeclaredIn, p.Root, p.Dir = "/ws/\u3164/mcpls.toml", "/ws/\u3164", "/ws/\u2800"
		p.Argv = []string{"/ws/g\u043epls", "", " ", "\x1b]0;title\a\x1b[31mred", "\r\n(none)", `"`, `\"`, `" and 2: "`, strings.Repeat("a", 10_000)}
		p.Unwrapped = []string{"/usr/bin/env\nArguments"}
		p.Declared.Command = "g\u043epls"
		p.Declared.Env = map[string]string{
			"LD_PRELOAD": "/ws/evil.so", "node_options": "--require=x", "PATH": "", "P\u0410TH": "x", "A\"=\"B": "\u202etxt.exe",
			"SPACES": strings.Repeat(" ", 70) + "To allow it type  aaaaaa" + strings.Repeat(" ", 54) + "Fingerprint",
		}
		p.Declared.InitOptions = map[string]any{
			"serverPath": []any{math.NaN(), "--exec", "\u2066evil"}, "a": map[string]any{"b > \"c": true, "\u03bf": map[string]any{}},
		}
		p.Declared.Settings = map[string]any{"lines": "one\ntwo", "n": math.Inf(-1)}
		p.Notes = []string{"\"node\" is found \u202e"}
	})
}

func TestCards(t *testing.T) {
	for _, test := range []struct {
		name     string
		plan     launch.Plan
		standing Standing
	}{
		{"plain", asked(), Standing{State: Unknown}},
		{"changed", asked(), Standing{State: Changed, Changes: []string{
			`the command was "sh" and is "node"`, `argument 1 was "` + strings.Repeat("x", 100) + `" and is "server.mjs"`,
		}}},
		{"hostile", hostilePlan(), Standing{State: Unknown}},
	} {
		got := NewCard(test.plan, test.standing).Text()
		file := filepath.Join("testdata", "card-"+test.name+".txt")
		if *update {
			must(t, os.WriteFile(file, []byte(got), 0o600))
		}
		want, err := os.ReadFile(file)
		must(t, err)
		if got != string(want) {
			t.Errorf("%s: the card is\n%s", test.name, got)
		}
	}
}

// anyPlan draws a plan whose texts are chosen by the author of a repository.
func anyPlan() *rapid.Generator[launch.Plan] {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", "\n", "Fingerprint\n", "\x1b[2J", "\u202e", "\u3164", "\u2800", `"`, `\`, "(none)", "    ^ inside the workspace", "1: \"x\"", "g\u043e",
		strings.Repeat("x ", 200), "\nTo allow it type  aaaaaa", "\xff", "\u2028",
	}))
	table := rapid.MapOfN(text, rapid.OneOf(
		rapid.Map(text, func(s string) any { return s }), rapid.Map(rapid.Float64(), func(f float64) any { return f }),
		rapid.Map(rapid.SliceOfN(text, 0, 3), func(list []string) any {
			out := []any{}
			for _, s := range list {
				out = append(out, s)
			}
			return out
		}),
	), 0, 3)
	return rapid.Custom(func(t *rapid.T) launch.Plan {
		return asked(func(p *launch.Plan) {
			p.ID, p.DeclaredIn, p.Root, p.Dir = text.Draw(t, "id"), text.Draw(t, "file"), text.Draw(t, "root"), text.Draw(t, "dir")
			p.Argv = rapid.SliceOfN(text, 1, 4).Draw(t, "argv")
			p.Unwrapped = rapid.SliceOfN(text, 0, 2).Draw(t, "unwrapped")
			p.Declared.Command = text.Draw(t, "command")
			p.Declared.Env = rapid.MapOfN(text, text, 0, 3).Draw(t, "env")
			p.Declared.InitOptions, p.Declared.Settings = table.Draw(t, "options"), table.Draw(t, "settings")
			p.Files[1].Path = text.Draw(t, "argument")
		})
	})
}

// ownLines are the forms of a line of a card; whatever the repository wrote is in
// quotation marks. str is a quoted text.
const str = `"([^"\\]|\\.)*"`

var (
	atom     = `(` + str + `|[-+]?[0-9.e+-]+|[-+]?(NaN|Inf)|\[.*\]|\{.*\}|true|false)`
	ownLines = regexp.MustCompile(`^(\(none\)|none: it can read .*|what these load in turn.*|` + str + `|[0-9]+: ` + str + `|(program|argument|interpreter) ` + str +
		`|` + str + `( > ` + str + `)* = ` + atom + `)$`)
)

// TestCardHolds draws cards: each line is printable ASCII and no wider than the
// screen, each value is quoted and stands behind an indent, and nothing is left out.
func TestCardHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := anyPlan().Draw(t, "plan")
		width := rapid.IntRange(50, 200).Draw(t, "width")
		card := NewCard(plan, Standing{})
		labels := map[string]bool{"": true, card.Title: true, "Fingerprint": true}
		var whole []string
		for _, s := range card.Sections {
			labels[s.Label] = true
			for _, line := range s.Lines {
				whole = append(whole, line.Text)
				if !ownLines.MatchString(line.Text) {
					t.Fatalf("%s: the line %q", s.Label, line.Text)
				}
			}
		}
		var drawn []string
		mark := false
		for _, line := range strings.Split(strings.TrimSuffix(card.Wrapped(width), "\n"), "\n") {
			if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) || len(line) > width {
				t.Fatalf("the line %q is raw, or wider than %d", line, width)
			}
			switch {
			case strings.HasPrefix(line, "      ^ "):
				mark = true
			case strings.HasPrefix(line, goesOn) && mark:
			case strings.HasPrefix(line, goesOn):
				drawn[len(drawn)-1] += line[len(goesOn):]
			case strings.HasPrefix(line, "    "):
				mark = false
				drawn = append(drawn, line[4:])
			case !labels[line]:
				t.Fatalf("the line %q is no label", line)
			}
		}
		got := strings.Join(drawn, "\n")
		want := strings.Join(append(whole, card.Fingerprint), "\n")
		if got != want {
			t.Fatalf("drawn\n%s\nwhole\n%s", got, want)
		}
	})
}

// Two texts are never shown alike.
func TestQuotedIsInjective(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`["\\n]{0,5}`))
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		if (quoted(a) == quoted(b)) != (a == b) {
			t.Fatalf("%q and %q are shown as %s", a, b, quoted(a))
		}
	})
}

func TestMarks(t *testing.T) {
	marks := func(lines []Line) string { return strings.Join(lines[0].Marks, "; ") }
	for name, loads := range map[string]bool{
		"NODE_OPTIONS": true, "LD_PRELOAD": true, "DYLD_INSERT_LIBRARIES": true, "PYTHONPATH": true, "PYTHONSTARTUP": true, "RUBYOPT": true, "PERL5OPT": true,
		"PERL5LIB": true, "JAVA_TOOL_OPTIONS": true, "GOFLAGS": true, "RUSTC": true, "RUSTC_WRAPPER": true, "CARGO_HOME": true, "CLANGD_FLAGS": true,
		"GIT_SSH_COMMAND": true, "BASH_ENV": true, "PATH": true, "Path": true, "ENV": true, "npm_config_script_shell": true, "HOME": true, "XDG_CONFIG_HOME": true,
		"ENVIRONMENT": false, "PATHOLOGY": false, "CCC": false, "HOMEPAGE": false, "A": false, "": false, "OLD_": false, "GOLD_PRELOAD": false,
	} {
		if got := strings.Contains(marks(variables(map[string]string{name: ""})), markLoads); got != loads {
			t.Errorf("%s: marked %v", name, got)
		}
	}
	for want, lines := range map[string][]Line{
		markEscaped + "; " + markAlike:        variables(map[string]string{"\u0410": ""}),
		markEscaped:                           variables(map[string]string{"A": "\n"}),
		markEscaped + "; " + markAlike + " ":  options(nil, map[string]any{"\u0430": int64(1)}),
		markEscaped + " ":                     options(nil, map[string]any{"a": []any{map[string]any{"b": "\x1b"}}}),
		markEscaped + "; " + markAlike + "  ": options(nil, map[string]any{"a": map[string]any{"b": []any{"\u0430"}}}),
		"":                                    options(nil, map[string]any{"a": "b"}),
		"by its content, sha256:ab":           bound([]launch.File{{Role: "program", Path: "/x", Digest: "ab"}}),
		markEscaped + "; by its place, owner and mode": bound([]launch.File{{Role: "program", Path: "/x\t"}}),
	} {
		if got := marks(lines); got != strings.TrimRight(want, " ") {
			t.Errorf("%s has the marks %q, want %q", lines[0].Text, got, want)
		}
	}
}
