package policy_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"mcpls/internal/launch/policy"
	"mcpls/internal/launch/reason"
)

// row is one line of a file of rows: a command, and start or the code of its
// refusal.
type row struct {
	line int
	want string
	argv []string
}

// readRows reads a file of rows.
func readRows(t testing.TB, name string) []row {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []row
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		want, text, ok := strings.Cut(line, "\t")
		r := row{line: n, want: want}
		if err := json.Unmarshal([]byte(text), &r.argv); !ok || err != nil || len(r.argv) == 0 {
			t.Fatalf("%s:%d: no row: %v", name, n, err)
		}
		rows = append(rows, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// verdict is start, or the code of the refusal, for a command as a configuration
// writes it.
func verdict(argv []string, m policy.Machine) (string, policy.Result, *reason.Refusal) {
	resolved := append([]string(nil), argv...)
	if path, found := m.Resolve(argv[0]); found {
		resolved[0] = path
	}
	result, refusal := policy.Check(argv[0], resolved, m)
	if refusal != nil {
		return string(refusal.Code), result, refusal
	}
	return "start", result, nil
}

// checkRows holds Check against a file of rows.
func checkRows(t *testing.T, name string, m policy.Machine) {
	t.Helper()
	rows := readRows(t, name)
	known := map[string]bool{"start": true}
	for _, r := range reason.All {
		known[string(r.Code)] = true
	}
	seen := map[string]int{}
	for _, r := range rows {
		if !known[r.want] {
			t.Errorf("%s:%d: no such code: %s", name, r.line, r.want)
		}
		key := strings.Join(r.argv, "\x00")
		if at, twice := seen[key]; twice {
			t.Errorf("%s:%d: the row of line %d again", name, r.line, at)
		}
		seen[key] = r.line
		if got, _, refusal := verdict(r.argv, m); got != r.want {
			t.Errorf("%s:%d: %q: got %s, want %s (%v)", name, r.line, r.argv, got, r.want, refusal)
		}
	}
	t.Logf("%s: %d rows", name, len(rows))
}

func TestCommands(t *testing.T) { checkRows(t, "testdata/commands.txt", drawn{}) }

func TestWindows(t *testing.T) { checkRows(t, "testdata/windows.txt", drawn{windows: true}) }

func TestSpecialFiles(t *testing.T) { checkRows(t, "testdata/special.txt", drawn{}) }
