package roots

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLeadsInto(t *testing.T) {
	dir := tree(t, "ws/in", "co/", "out/file")
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	must(t, os.Symlink(at("out"), at("ws/way-out")))
	must(t, os.Symlink(at("ws"), at("alias")))
	must(t, os.Symlink(at("ws/in"), at("out/link")))
	must(t, os.Symlink(at("nowhere"), at("ws/broken")))
	must(t, os.Symlink(at("ws/way-out"), at("out/in-and-out")))
	must(t, os.Symlink("in-and-out", at("out/far")))
	must(t, os.Symlink("loop", at("out/loop")))
	must(t, os.Symlink("../out/file", at("out/up")))
	must(t, os.Symlink("far/../file", at("out/odd")))
	dirs := []string{at("ws"), at("co")}
	for name, want := range map[string]bool{
		"ws":                    true,
		"ws/in":                 true,
		"co":                    true,
		"ws/no/such/file":       true,
		"ws/broken":             true,
		"ws/way-out/file":       true, // the way leads through it
		"alias/way-out/file":    true,
		"alias/way-out/missing": true,
		"out/link":              true,
		"out/in-and-out":        true, // the second link on the way lies inside
		"out/in-and-out/file":   true,
		"out/far/file":          true,
		"out/loop":              true,
		"out/odd":               true, // not to be told without a walk
		"out/../out/file":       true, // what lies before the dots may be a link
		"out/..":                true,
		"/proc/self/cwd":        true, // another directory in every process
		"/proc":                 true,
		"/dev/fd/3":             true,
		"/process":              false,
		"out/up":                false,
		"out/file":              false,
		"out/missing":           false,
		"wsx":                   false,
		".":                     false,
	} {
		path := name
		if !strings.HasPrefix(name, "/") {
			path = dir + "/" + name // as it is written
		}
		if got := LeadsInto(dirs, path, Disk{}); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if LeadsInto(nil, at("ws"), Disk{}) {
		t.Error("no directory holds something")
	}
	if LeadsInto(dirs, "missing/file", Disk{}) {
		t.Error("a relative path leads into a directory that is not above it")
	}
}
