package e2e_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSections holds that settings reach servers that ask for their own
// sections, in dotted keys and in tables.
func TestSections(t *testing.T) {
	for name, section := range map[string]string{"pyright": "python", "basedpyright": "basedpyright"} {
		l := languages[slices.IndexFunc(languages, func(l language) bool { return l.name == name })]
		needServer(t, l.needs)
		for settings, clean := range map[string]bool{
			"": false,
			`settings = { "` + section + `.analysis.diagnosticSeverityOverrides" = { reportAssignmentType = "none" } }`:           true,
			`settings = { ` + section + ` = { analysis = { diagnosticSeverityOverrides = { reportAssignmentType = "none" } } } }`: true,
		} {
			dir := l.workspace(t)
			s := l.setup(t, dir, "")
			config := s.args[len(s.args)-1]
			data, err := os.ReadFile(config)
			must(t, err)
			write(t, config, string(data)+settings+"\n")
			got := start(t, s).patient("get_diagnostics", args{"file_path": filepath.Join("shop", "broken.py")})
			if strings.Contains(got, "no errors") != clean {
				t.Errorf("%s with %q: %q", name, settings, got)
			}
		}
	}
}
