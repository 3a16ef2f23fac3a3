//go:build !windows

package trust

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcpls/internal/launch"
)

// secret is a value of a variable: it must be in no file of a store.
const secret = "s3cr3t-value"

// asked is the plan of a server that the repository declares.
func asked(change ...func(*launch.Plan)) launch.Plan {
	p := launch.Plan{
		ID: "srv@project", Kind: launch.LSP, Origin: launch.Project, DeclaredIn: "/ws/mcpls.toml", Root: "/ws", RootIdentity: "1:2",
		Argv: []string{"/usr/bin/node", "server.mjs", "--stdio"}, Dir: "/ws",
		Declared: launch.Declared{
			Command: "node", Args: []string{"server.mjs", "--stdio"}, Env: map[string]string{"TOKEN": secret, "EMPTY": ""},
			InitOptions: map[string]any{"a": int64(1)}, Settings: map[string]any{"s": "x"},
		},
		Files: []launch.File{
			{Role: "program", Path: "/usr/bin/node", Owner: "0", Mode: "-rwxr-xr-x"},
			{Role: "argument", Path: "/ws/server.mjs", Digest: strings.Repeat("ab", 32)},
		},
	}
	for _, f := range change {
		f(&p)
	}
	return p
}

func newStore(t *testing.T) *Store {
	t.Helper()
	s, err := NewStore(filepath.Join(t.TempDir(), "state", "trust"), nil)
	must(t, err)
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// put keeps a decision and gives the path of its file.
func put(t *testing.T, s *Store, plan launch.Plan, allow bool) string {
	t.Helper()
	_, err := s.Put(plan, allow, "terminal", time.Time{})
	must(t, err)
	name, err := fileName(plan.Fingerprint(), workspaceOf(plan))
	must(t, err)
	return filepath.Join(s.Dir(), name)
}

func TestStoreKeeps(t *testing.T) {
	s := newStore(t)
	for _, what := range []string{"nothing", "a directory"} {
		if all, err := s.All(); err != nil || len(all) > 0 {
			t.Fatalf("a store of %s: %v, %v", what, all, err)
		}
		if _, found, err := s.Find(asked()); err != nil || found {
			t.Fatalf("a store of %s: found %v, %v", what, found, err)
		}
		if what == "nothing" {
			if _, err := os.Lstat(s.Dir()); err == nil {
				t.Fatal("a question made the store")
			}
			must(t, os.MkdirAll(s.Dir(), 0o700))
		}
	}
	file := put(t, s, asked(), true)
	for path, want := range map[string]os.FileMode{s.Dir(): 0o700, file: 0o600, s.Dir() + "/key": 0o600, s.Dir() + "/log": 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	d, found, err := s.Find(asked())
	if err != nil || !found || !d.Allow || d.Surface != "terminal" || d.ID != "srv@project" {
		t.Errorf("%+v, %v, %v", d, found, err)
	}
	other := asked(func(p *launch.Plan) { p.Declared.Args = nil })
	if _, found, err := s.Find(other); found || err != nil {
		t.Errorf("another plan: %v, %v", found, err)
	}
	put(t, s, asked(), false)
	if d, _, _ := s.Find(asked()); d.Allow {
		t.Error("a later no did not take the place of the yes")
	}
	if all, err := s.All(); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
}

// spoiled are the ways in which a store must not be.
var spoiled = []struct {
	name  string
	spoil func(t *testing.T, s *Store, file string)
	want  string
}{
	{"the directory is a link", func(t *testing.T, s *Store, _ string) {
		must(t, os.Rename(s.Dir(), s.Dir()+"2"))
		must(t, os.Symlink(s.Dir()+"2", s.Dir()))
	}, "is a link or no directory"},
	{"the directory is a dangling link", func(t *testing.T, s *Store, _ string) {
		must(t, os.RemoveAll(s.Dir()))
		must(t, os.Symlink("nowhere", s.Dir()))
	}, "is a link or no directory"},
	{"the directory is a file", func(t *testing.T, s *Store, _ string) {
		must(t, os.RemoveAll(s.Dir()))
		must(t, os.WriteFile(s.Dir(), nil, 0o600))
	}, "is a link or no directory"},
	{"the group can write", chmodDir(0o720), "can be written to by others"},
	{"others can write", chmodDir(0o702), "can be written to by others"},
	{"nobody can read", chmodDir(0), "permission denied"},
	{"a record is a link", func(t *testing.T, _ *Store, file string) {
		must(t, os.Rename(file, file+".moved"))
		must(t, os.Symlink(filepath.Base(file)+".moved", file))
	}, "has a link or no file"},
	{"a record is a FIFO", func(t *testing.T, _ *Store, file string) {
		must(t, os.Remove(file))
		must(t, syscall.Mkfifo(file, 0o600))
	}, "has a link or no file"},
	{"a record is a directory", func(t *testing.T, _ *Store, file string) {
		must(t, os.Remove(file))
		must(t, os.Mkdir(file, 0o700))
	}, "has a link or no file"},
	{"others can write to a record", func(t *testing.T, _ *Store, file string) { must(t, os.Chmod(file, 0o602)) }, "can be written to by others"},
	{"the group can write to a record", func(t *testing.T, _ *Store, file string) { must(t, os.Chmod(file, 0o620)) }, "can be written to by others"},
	{"a record is empty", edit(func([]byte) []byte { return nil }), "damaged"},
	{"a record is truncated", edit(func(b []byte) []byte { return b[:len(b)/2] }), "damaged"},
	{"a record lacks its last byte", edit(func(b []byte) []byte { return b[:len(b)-1] }), "damaged"},
	{"a record has an unknown key", replace(`"allow"`, `"more": 1, "allow"`), "damaged"},
	{"a record has a key twice", replace(`"allow": true`, `"allow": true, "allow": true`), "damaged"},
	{"a record has a key in another case", replace(`"allow"`, `"Allow"`), "damaged"},
	{"a record has another value", replace(`"allow": true`, `"allow": 1`), "damaged"},
	{"something stands behind a record", edit(func(b []byte) []byte { return append(b, "{}"...) }), "damaged"},
	{"a brace stands behind a record", edit(func(b []byte) []byte { return append(b, '}') }), "damaged"},
	{"a record of another plan", replace(asked().Fingerprint(), "sha256:"+strings.Repeat("0", 64)), "damaged"},
	{"a record of another workspace", replace(`"path": "/ws"`, `"path": "/other"`), "damaged"},
	{"a record of another directory", replace(`"1:2"`, `"1:3"`), "damaged"},
	{"a record of version 0", replace(`"version": 1`, `"version": 0`), "damaged"},
	{"a record of a newer mcpls", replace(`"version": 1`, `"later": {}, "version": 2`), "newer mcpls, version 2"},
	{"a record is too large", edit(func(b []byte) []byte { return append(b, bytes.Repeat([]byte(" "), maxRecord)...) }), "more than 1048576 bytes"},
}

func chmodDir(mode os.FileMode) func(*testing.T, *Store, string) {
	return func(t *testing.T, s *Store, _ string) {
		must(t, os.Chmod(s.Dir(), mode))
		t.Cleanup(func() { os.Chmod(s.Dir(), 0o700) })
	}
}

func edit(f func([]byte) []byte) func(*testing.T, *Store, string) {
	return func(t *testing.T, _ *Store, file string) {
		data, err := os.ReadFile(file)
		must(t, err)
		must(t, os.WriteFile(file, f(data), 0o600))
	}
}

func replace(before, after string) func(*testing.T, *Store, string) {
	return edit(func(b []byte) []byte {
		if !bytes.Contains(b, []byte(before)) {
			panic("the record has no " + before)
		}
		return bytes.Replace(b, []byte(before), []byte(after), 1)
	})
}

// TestSpoiledStore holds that a store that is not as it has to be is an error of
// every question, and of the gate, and never an empty one.
func TestSpoiledStore(t *testing.T) {
	for _, test := range spoiled {
		t.Run(test.name, func(t *testing.T) {
			if os.Getuid() == 0 && strings.Contains(test.name, "nobody") {
				t.Skip("root can read everything")
			}
			s := newStore(t)
			test.spoil(t, s, put(t, s, asked(), true))
			_, found, findErr := s.Find(asked())
			all, allErr := s.All()
			_, removeErr := s.Remove("x", func(Decision) bool { return true })
			for what, err := range map[string]error{"Find": findErr, "All": allErr, "Remove": removeErr} {
				if _, ok := errors.AsType[*StoreError](err); !ok || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), s.Dir()) {
					t.Errorf("%s: %v, want %q", what, err, test.want)
				}
			}
			if found || len(all) > 0 {
				t.Errorf("found %v, %v", found, all)
			}
			gate := NewGate(Options{Store: s, Fingerprints: []string{asked().Fingerprint()}})
			if grant, err := gate.Check(t.Context(), asked()); err == nil || grant.Valid() || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the gate says %v", err)
			}
		})
	}
}

// A store that others own cannot be made without another account: what is said of
// one is held by what it is judged by.
func TestOwner(t *testing.T) {
	info, err := os.Stat("/proc/1")
	if err != nil || int(info.Sys().(*syscall.Stat_t).Uid) == os.Getuid() {
		if os.Getuid() != 0 {
			t.Skip("no file of somebody else is known here")
		}
		file := filepath.Join(t.TempDir(), "f")
		must(t, os.WriteFile(file, nil, 0o600))
		must(t, os.Chown(file, 12345, -1))
		if info, err = os.Stat(file); err != nil {
			t.Fatal(err)
		}
	}
	if err := ownOnly(info); err == nil || !strings.Contains(err.Error(), "is owned by user") {
		t.Errorf("%v", err)
	}
	if os.Getuid() != 0 {
		return
	}
	for _, name := range []string{"", keyName, "record"} {
		s := newStore(t)
		file := put(t, s, asked(), true)
		path := map[string]string{"": s.Dir(), keyName: filepath.Join(s.Dir(), keyName), "record": file}[name]
		must(t, os.Chown(path, 12345, -1))
		_, _, err := s.Find(asked())
		if name == keyName {
			_, err = s.Put(asked(), true, "x", time.Time{})
		}
		if err == nil || !strings.Contains(err.Error(), "is owned by user 12345") {
			t.Errorf("%q is somebody else's: %v", name, err)
		}
	}
}

func TestKey(t *testing.T) {
	key := func(s *Store) string { return filepath.Join(s.Dir(), keyName) }
	for _, test := range []struct {
		name  string
		spoil func(t *testing.T, path string)
		want  string
	}{
		{"short", func(t *testing.T, path string) { must(t, os.WriteFile(path, []byte("x"), 0o600)) }, "damaged key"},
		{"long", func(t *testing.T, path string) { must(t, os.WriteFile(path, make([]byte, 33), 0o600)) }, "damaged key"},
		{"empty", func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) }, "damaged key"},
		{"writable", func(t *testing.T, path string) { must(t, os.Chmod(path, 0o620)) }, "can be written to by others"},
		{"a link", func(t *testing.T, path string) {
			must(t, os.Rename(path, path+"2"))
			must(t, os.Symlink(keyName+"2", path))
		}, "has a link or no file in the place of key"},
	} {
		s := newStore(t)
		put(t, s, asked(), true)
		test.spoil(t, key(s))
		if _, err := s.Put(asked(), true, "x", time.Time{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
		changed := asked(func(p *launch.Plan) { p.Declared.Args = nil })
		if _, err := NewGate(Options{Store: s}).Standing(changed); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, a question: %v", test.name, err)
		}
	}
	// The key that is missing is made anew: what was kept holds, but every value
	// counts as changed.
	s := newStore(t)
	put(t, s, asked(), true)
	must(t, os.Remove(key(s)))
	if _, found, err := s.Find(asked()); !found || err != nil {
		t.Errorf("without a key: %v, %v", found, err)
	}
	changes, err := s.changes(asked(func(p *launch.Plan) { p.Declared.Args = nil }))
	if err != nil || !slices.Contains(changes, `the value of the variable "TOKEN" has changed`) {
		t.Errorf("%v, %v", changes, err)
	}
	one, two := newStore(t), newStore(t)
	fileOne, fileTwo := put(t, one, asked(), true), put(t, two, asked(), true)
	a, _ := os.ReadFile(fileOne)
	b, _ := os.ReadFile(fileTwo)
	if bytes.Equal(a, b) {
		t.Error("two stores have the same digests of a value")
	}
}

func TestTooManyFiles(t *testing.T) {
	s := newStore(t)
	put(t, s, asked(), true)
	for i := range maxRecords - 3 {
		must(t, os.WriteFile(filepath.Join(s.Dir(), fmt.Sprint(i)), nil, 0o600))
	}
	if all, err := s.All(); err != nil || len(all) != 1 {
		t.Fatalf("a full store: %v, %v", all, err)
	}
	put(t, s, asked(), false) // in the place of another
	other := asked(func(p *launch.Plan) { p.ID = "other@project" })
	if _, err := s.Put(other, true, "x", time.Time{}); err == nil || !strings.Contains(err.Error(), "is full") {
		t.Errorf("one more in a full store: %v", err)
	}
	must(t, os.WriteFile(filepath.Join(s.Dir(), "more"), nil, 0o600))
	if _, err := s.All(); err == nil || !strings.Contains(err.Error(), "more than 10000 files") {
		t.Errorf("one file more: %v", err)
	}
}

func TestStoreInside(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	root, outside := filepath.Join(base, "root"), filepath.Join(base, "outside")
	must(t, os.MkdirAll(filepath.Join(root, "sub"), 0o700))
	must(t, os.Mkdir(outside, 0o700))
	must(t, os.Symlink(filepath.Join(root, "sub"), filepath.Join(outside, "in")))
	must(t, os.Symlink(outside, filepath.Join(root, "out")))
	must(t, os.Symlink(filepath.Join(root, "out"), filepath.Join(outside, "round")))
	for path, bad := range map[string]bool{
		root: true, root + "/s": true, root + "/sub/not/yet": true, outside + "/in/s": true, root + "/out/s": true, outside + "/round/s": true,
		root + "/x/../s": true, outside + "/s": false, root + "2": false,
	} {
		s, err := NewStore(path, []string{root})
		if (err != nil) != bad || bad && (s != nil || !strings.Contains(err.Error(), "lies inside the workspace")) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestDefaultStoreIsNotMoved(t *testing.T) {
	want, err := DefaultStore()
	must(t, err)
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME"} {
		t.Setenv(name, t.TempDir())
	}
	if got, err := DefaultStore(); err != nil || got != want {
		t.Errorf("%s, %v; before %s", got, err, want)
	}
}

// TestManyProcesses holds that processes that decide at the same time lose nothing
// and share one key. The test binary is each of them.
func TestManyProcesses(t *testing.T) {
	const processes, each = 6, 8
	if dir := os.Getenv("MCPLS_TEST_STORE"); dir != "" {
		s, err := NewStore(dir, nil)
		must(t, err)
		for i := range each {
			_, err := s.Put(numbered(os.Getenv("MCPLS_TEST_NUMBER"), i), true, "terminal", time.Time{})
			must(t, err)
			if _, err := s.All(); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	s := newStore(t)
	var running []*exec.Cmd
	for n := range processes {
		cmd := exec.Command(os.Args[0], "-test.run=^TestManyProcesses$")
		cmd.Env = append(os.Environ(), "MCPLS_TEST_STORE="+s.Dir(), fmt.Sprintf("MCPLS_TEST_NUMBER=%d", n))
		cmd.Stdout = &bytes.Buffer{}
		must(t, cmd.Start())
		running = append(running, cmd)
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, cmd.Stdout)
		}
	}
	all, err := s.All()
	if err != nil || len(all) != processes*each {
		t.Fatalf("%d of %d decisions, %v", len(all), processes*each, err)
	}
	digests := map[string]bool{}
	for _, d := range all {
		digests[d.Env["TOKEN"]] = true
	}
	if len(digests) != 1 {
		t.Errorf("%d keys were in use", len(digests))
	}
	if log, err := os.ReadFile(filepath.Join(s.Dir(), logName)); err != nil || bytes.Count(log, []byte("\n")) != len(all) {
		t.Errorf("the log has %d lines, %v", bytes.Count(log, []byte("\n")), err)
	}
	for _, name := range names(t, s) {
		if strings.HasPrefix(name, tempName) {
			t.Errorf("%s was left", name)
		}
	}
}

func numbered(process string, i int) launch.Plan {
	return asked(func(p *launch.Plan) { p.ID = fmt.Sprintf("%s-%d@project", process, i) })
}

func names(t *testing.T, s *Store) []string {
	t.Helper()
	entries, err := os.ReadDir(s.Dir())
	must(t, err)
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// TestCrash holds that a process that is killed between the write and the rename
// leaves the decision as it was. The test binary kills itself there.
func TestCrash(t *testing.T) {
	if dir := os.Getenv("MCPLS_TEST_STORE"); dir != "" {
		s, err := NewStore(dir, nil)
		must(t, err)
		root, err := s.open(false)
		must(t, err)
		name, _ := fileName(asked().Fingerprint(), workspaceOf(asked()))
		must(t, s.write(root, name, []byte("half"), func(string, string) error {
			return syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}))
		t.Fatal("it lives")
	}
	s := newStore(t)
	put(t, s, asked(), false)
	cmd := exec.Command(os.Args[0], "-test.run=^TestCrash$")
	cmd.Env = append(os.Environ(), "MCPLS_TEST_STORE="+s.Dir())
	if err := cmd.Run(); err == nil || cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("it ended with %v", err)
	}
	if !slices.ContainsFunc(names(t, s), func(name string) bool { return strings.HasPrefix(name, tempName) }) {
		t.Fatal("it was not killed in between")
	}
	if d, found, err := s.Find(asked()); err != nil || !found || d.Allow {
		t.Errorf("%+v, %v, %v", d, found, err)
	}
	if all, err := s.All(); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
	put(t, s, asked(), true)
	if d, _, _ := s.Find(asked()); !d.Allow {
		t.Error("after the crash nothing can be decided")
	}
}

func TestRemove(t *testing.T) {
	s := newStore(t)
	if dropped, err := s.Remove("x", func(Decision) bool { return true }); err != nil || len(dropped) > 0 {
		t.Errorf("of no store: %v, %v", dropped, err)
	}
	for i := range 3 {
		put(t, s, numbered("p", i), i > 0)
	}
	dropped, err := s.Remove("command line", func(d Decision) bool { return d.ID == "p-1@project" })
	if err != nil || len(dropped) != 1 || dropped[0].ID != "p-1@project" {
		t.Errorf("%+v, %v", dropped, err)
	}
	if _, found, _ := s.Find(numbered("p", 1)); found {
		t.Error("it is still there")
	}
	if all, _ := s.All(); len(all) != 2 {
		t.Errorf("%d are left", len(all))
	}
}

// TestLog holds that the log has a line for each decision, and that no file of the
// store has a value of a variable.
func TestLog(t *testing.T) {
	s := newStore(t)
	hostile := asked(func(p *launch.Plan) { p.ID = "a\n{\"decision\":\"deny\"}\x1b[31m\u202e@project" })
	put(t, s, hostile, true)
	put(t, s, asked(), false)
	_, err := s.Remove("command line", func(d Decision) bool { return !d.Allow })
	must(t, err)
	data, err := os.ReadFile(filepath.Join(s.Dir(), logName))
	must(t, err)
	var told []string
	for line := range strings.Lines(string(data)) {
		var entry map[string]string
		must(t, json.Unmarshal([]byte(line), &entry))
		told = append(told, entry["decision"]+" by "+entry["surface"])
		if entry["fingerprint"] == "" || entry["workspace"] != "/ws" || entry["time"] == "" || !strings.HasSuffix(entry["id"], "@project") {
			t.Errorf("the line %q", line)
		}
	}
	if want := []string{"allow by terminal", "deny by terminal", "revoke by command line"}; !slices.Equal(told, want) {
		t.Errorf("the log says %q, want %q", told, want)
	}
	for _, name := range names(t, s) {
		data, err := os.ReadFile(filepath.Join(s.Dir(), name))
		must(t, err)
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("%s has a value of a variable", name)
		}
		if name != keyName && strings.ContainsFunc(string(data), func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }) {
			t.Errorf("%s is not plain: %q", name, data)
		}
	}
}

// A yes that cannot be logged is none.
func TestLogThatCannotBeWritten(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"a link": func(path string) error { return os.Symlink("elsewhere", path) },
		"a FIFO": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"others can write": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, 0o622))
		},
	} {
		s := newStore(t)
		must(t, os.MkdirAll(s.Dir(), 0o700))
		must(t, spoil(filepath.Join(s.Dir(), logName)))
		if _, err := s.Put(asked(), true, "x", time.Time{}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, found, err := s.Find(asked()); found || err != nil {
			t.Errorf("%s: it was kept: %v, %v", name, found, err)
		}
		if _, err := s.Put(asked(), false, "x", time.Time{}); err == nil {
			t.Errorf("%s, no: no error", name)
		}
		if d, found, err := s.Find(asked()); !found || d.Allow || err != nil {
			t.Errorf("%s: a no was not kept: %v, %v", name, found, err)
		}
	}
}

// What cannot be read again is not kept: it would damage the store for everybody.
func TestUnkeepable(t *testing.T) {
	s := newStore(t)
	put(t, s, asked(), true)
	for name, change := range map[string]func(*launch.Plan){
		"a root that is not UTF-8":                        func(p *launch.Plan) { p.Root = "/ws\xff" },
		"a file that is not UTF-8":                        func(p *launch.Plan) { p.Files[0].Path = "/bin/\xff" },
		"a directory that is not UTF-8":                   func(p *launch.Plan) { p.Dir = "/\xff" },
		"a plan of more than a megabyte":                  func(p *launch.Plan) { p.Declared.Args = []string{strings.Repeat("<", maxRecord/6+1)} },
		"a workspace without identity":                    func(p *launch.Plan) { p.RootIdentity = "" },
		"a plan that was made without a root of any kind": func(p *launch.Plan) { p.Root = "" },
	} {
		plan := asked(change)
		if _, err := s.Put(plan, true, "x", time.Time{}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, found, err := s.Find(plan); found || err != nil {
			t.Errorf("%s: found %v, %v", name, found, err)
		}
		if all, err := s.All(); err != nil || len(all) != 1 {
			t.Fatalf("%s: the store has %d, %v", name, len(all), err)
		}
	}
}

// An id never becomes a path.
func TestFileNames(t *testing.T) {
	s := newStore(t)
	for _, id := range []string{"../../../evil", "/etc/passwd", "key", "log", "", ".new-x", strings.Repeat("x", 5000), "a\x00b"} {
		plan := asked(func(p *launch.Plan) { p.ID, p.DeclaredIn = id, id })
		put(t, s, plan, true)
		if d, found, err := s.Find(plan); !found || err != nil || d.ID != id {
			t.Errorf("%.20q: %v, %v", id, found, err)
		}
	}
	for _, name := range names(t, s) {
		if name != keyName && name != logName && len(name) != 64+1+64+len(suffix) {
			t.Errorf("the file %q", name)
		}
	}
	if entries, _ := os.ReadDir(filepath.Dir(s.Dir())); len(entries) != 1 {
		t.Errorf("beside the store lies something: %v", entries)
	}
	for _, fingerprint := range []string{"", "sha256:", "sha256:" + strings.Repeat("A", 64), "md5:" + strings.Repeat("a", 64), "sha256:" + strings.Repeat("a", 63) + "/"} {
		if name, err := fileName(fingerprint, Workspace{"/ws", "1:2"}); err == nil {
			t.Errorf("%q is the file %q", fingerprint, name)
		}
	}
}
