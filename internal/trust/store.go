package trust

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcpls/internal/launch"
	"mcpls/internal/quote"
	"mcpls/internal/roots"
)

// Bounds of the store. Each is far above what people decide.
const (
	storeVersion = 1
	maxRecord    = 1 << 20 // bytes of a decision: a declaration has at most 64 KiB
	maxRecords   = 10_000
	keyBytes     = 32
)

// The names in the store beside the decisions.
const (
	keyName  = "key"
	logName  = "log"
	suffix   = ".json"
	tempName = ".new-" // begins a file that is being written

	maxReplaced = 100 // how often a file may be replaced while it is opened
)

// Store is the decisions that people made, one file each, in a directory that
// only its user can write to. It is read anew at every question: a decision of
// another process counts at once. Several processes may use one.
//
// A store that is not as it has to be is an error of every method, and never an
// empty one: whoever can write to it could say yes.
type Store struct{ dir string }

// DefaultStore is where the store is: in the state directory of the account
// database. No environment variable moves it.
func DefaultStore() (string, error) {
	home, known := roots.LoginHome()
	if !known {
		return "", errors.New("the login home is not known, so there is no place for decisions: name one with --trust-store")
	}
	return filepath.Join(append([]string{home}, stateDir...)...), nil
}

// NewStore gives the store in a directory, which need not exist yet. The error is
// one that a checkout could write to: it lies in one of the directories of the
// boundary or is reached through them.
func NewStore(dir string, boundary []string) (*Store, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if roots.LeadsInto(boundary, abs, roots.Disk{}) {
		return nil, fmt.Errorf("the trust store %q lies inside the workspace", dir)
	}
	return &Store{abs}, nil
}

// Dir is where the store lies.
func (s *Store) Dir() string { return s.dir }

// Decision is what a person said of one fingerprint in one workspace. The tags are
// the keys of its file.
type Decision struct {
	Version     int       `json:"version"`
	Fingerprint string    `json:"fingerprint"`
	Workspace   Workspace `json:"workspace"`
	Allow       bool      `json:"allow"`
	Made        time.Time `json:"made"`
	Expires     time.Time `json:"expires,omitzero"` // zero: never
	Surface     string    `json:"surface"`

	// What was decided about, to tell later what has changed.
	ID         string            `json:"id"`
	Kind       launch.Kind       `json:"kind"`
	DeclaredIn string            `json:"declared_in"`
	Dir        string            `json:"cwd"`
	Command    string            `json:"command"`
	Args       []string          `json:"args"`
	Env        map[string]string `json:"env_hmac"` // a keyed digest of each value, no value
	Options    string            `json:"initialization_options"`
	Settings   string            `json:"settings"`
	Files      []launch.File     `json:"files"`
}

// Workspace is one directory and no other: not a copy of it, and not one that
// stands in its place later.
type Workspace struct {
	Path     string `json:"path"`
	Identity string `json:"identity"` // device and inode, as far as the system has them
}

func workspaceOf(plan launch.Plan) Workspace { return Workspace{plan.Root, plan.RootIdentity} }

// fileName is that of the decision about a fingerprint in a workspace. What the
// repository chose is in it as a digest only.
func fileName(fingerprint string, w Workspace) (string, error) {
	digits, ok := strings.CutPrefix(fingerprint, "sha256:")
	if raw, err := hex.DecodeString(digits); !ok || err != nil || len(raw) != sha256.Size || strings.ToLower(digits) != digits {
		return "", fmt.Errorf("%q is no fingerprint", fingerprint)
	}
	if w.Path == "" || w.Identity == "" {
		return "", errors.New("the system does not tell the workspace from another directory, so that no decision about it can be kept")
	}
	where := sha256.Sum256([]byte(w.Path + "\x00" + w.Identity))
	return digits + "-" + hex.EncodeToString(where[:]) + suffix, nil
}

// open opens the directory as it has to be, and gives nil when it is not there
// and not to be made.
func (s *Store) open(create bool) (*os.Root, error) {
	if create {
		if err := os.MkdirAll(s.dir, 0o700); err != nil {
			return nil, s.bad(err)
		}
	}
	before, err := os.Lstat(s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !create:
		return nil, nil
	case err != nil:
		return nil, s.bad(err)
	case !before.IsDir():
		return nil, s.bad(errors.New("is a link or no directory"))
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, s.bad(err)
	}
	after, err := root.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = errors.New("was replaced while it was opened")
	}
	if err == nil {
		err = ownOnly(after)
	}
	if err != nil {
		root.Close()
		return nil, s.bad(err)
	}
	return root, nil
}

// StoreError is a store that cannot be trusted or used.
type StoreError struct {
	Dir string
	Err error
}

func (e *StoreError) Error() string { return fmt.Sprintf("the trust store %q %v", e.Dir, e.Err) }

func (e *StoreError) Unwrap() error { return e.Err }

func (s *Store) bad(err error) error { return &StoreError{s.dir, err} }

// read reads one file of the store, which is a regular one of this user's that
// nobody else can write to. One that another process replaces meanwhile is opened
// again: it must not count as missing.
func (s *Store) read(root *os.Root, name string) ([]byte, error) {
	for range maxReplaced {
		data, err := s.readOnce(root, name)
		if !errors.Is(err, errReplaced) {
			return data, err
		}
	}
	return nil, s.bad(fmt.Errorf("has the file %s, which is replaced all the time", name))
}

var errReplaced = errors.New("was replaced while it was opened")

func (s *Store) readOnce(root *os.Root, name string) ([]byte, error) {
	before, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, s.bad(fmt.Errorf("has a link or no file in the place of %s", name))
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	after, err := f.Stat()
	if err == nil && !os.SameFile(before, after) {
		return nil, errReplaced // a decision is never changed in place
	}
	if err == nil {
		err = ownOnly(after)
	}
	if err != nil {
		return nil, s.bad(fmt.Errorf("has the file %s, which %w", name, err))
	}
	data, err := io.ReadAll(io.LimitReader(f, maxRecord+1))
	if err == nil && len(data) > maxRecord {
		err = s.bad(fmt.Errorf("has the file %s of more than %d bytes", name, maxRecord))
	}
	return data, err
}

// decision reads one decision; false when there is none.
func (s *Store) decision(root *os.Root, name string) (Decision, bool, error) {
	data, err := s.read(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return Decision{}, false, nil
	}
	if err != nil {
		return Decision{}, false, err
	}
	d, err := s.parse(name, data)
	return d, err == nil, err
}

// encode gives the one form that a decision has in its file, which can be looked at
// on a terminal.
func encode(d Decision) ([]byte, error) {
	data, err := json.MarshalIndent(d, "", "  ")
	return append(quote.JSON(data), '\n'), err
}

// parse reads a decision. Whatever differs from what encode writes is damage:
// another name or key, a key twice, something behind the end.
func (s *Store) parse(name string, data []byte) (Decision, error) {
	var version struct {
		Version int `json:"version"`
	}
	if json.Unmarshal(data, &version) == nil && version.Version > storeVersion {
		return Decision{}, s.bad(fmt.Errorf("has a decision of a newer mcpls, version %d", version.Version))
	}
	var d Decision
	err := json.Unmarshal(data, &d)
	same, encodeErr := encode(d)
	want, nameErr := fileName(d.Fingerprint, d.Workspace)
	if errors.Join(err, encodeErr, nameErr) != nil || want != name || d.Version != storeVersion || !bytes.Equal(data, same) {
		return Decision{}, s.bad(fmt.Errorf("has the damaged file %s", name))
	}
	return d, nil
}

// Find gives the decision about exactly this plan in its workspace.
func (s *Store) Find(plan launch.Plan) (Decision, bool, error) {
	if plan.Root == "" || plan.RootIdentity == "" {
		return Decision{}, false, nil // Put keeps none
	}
	name, err := fileName(plan.Fingerprint(), workspaceOf(plan))
	if err != nil {
		return Decision{}, false, err
	}
	root, err := s.open(false)
	if root == nil || err != nil {
		return Decision{}, false, err
	}
	defer root.Close()
	return s.decision(root, name)
}

// All gives every decision, the latest first.
func (s *Store) All() ([]Decision, error) {
	root, err := s.open(false)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	names, err := recordNames(root)
	if err != nil {
		return nil, s.bad(err)
	}
	var all []Decision
	for _, name := range names {
		d, found, err := s.decision(root, name)
		if err != nil {
			return nil, err
		}
		if found {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b Decision) int {
		return cmp.Or(b.Made.Compare(a.Made), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	return all, nil
}

func recordNames(root *os.Root) ([]string, error) {
	names, err := listNames(root, maxRecords+1)
	if err != nil {
		return nil, err
	}
	if len(names) > maxRecords {
		return nil, fmt.Errorf("has more than %d files", maxRecords)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, tempName) || !strings.HasSuffix(name, suffix) })
	slices.Sort(names)
	return names, nil
}

// listNames gives the names in the store, at most n of them.
func listNames(root *os.Root, n int) ([]string, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(n)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return names, err
}

// Put keeps a decision about a plan, in the place of an earlier one.
func (s *Store) Put(plan launch.Plan, allow bool, surface string, expires time.Time) (Decision, error) {
	root, err := s.open(true)
	if err != nil {
		return Decision{}, err
	}
	defer root.Close()
	key, err := s.key(root)
	if err != nil {
		return Decision{}, err
	}
	d := record(plan, key)
	d.Allow, d.Surface, d.Made, d.Expires = allow, surface, time.Now().UTC().Truncate(time.Second), expires.UTC()
	name, data, err := s.keepable(root, d)
	if err != nil {
		return Decision{}, err
	}
	// A yes that could not be logged is not kept. A no is, whatever becomes of
	// the log.
	steps := []func() error{
		func() error { return s.write(root, name, data, root.Rename) },
		func() error { return s.log(root, d, map[bool]string{true: "allow", false: "deny"}[allow], surface) },
	}
	if allow {
		slices.Reverse(steps)
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return Decision{}, err
		}
	}
	return d, nil
}

// keepable gives the file of a decision, if it can be read again as it is: one that
// cannot would damage the whole store.
func (s *Store) keepable(root *os.Root, d Decision) (name string, data []byte, err error) {
	if name, err = fileName(d.Fingerprint, d.Workspace); err != nil {
		return "", nil, err
	}
	if data, err = encode(d); err != nil {
		return "", nil, err
	}
	// The encoder replaces what is not valid UTF-8, which shows when it is read.
	_, err = s.parse(name, data)
	switch {
	case err != nil:
		return "", nil, errors.New("no decision about it can be kept: a path of it is not valid UTF-8")
	case len(data) > maxRecord:
		return "", nil, fmt.Errorf("no decision about it can be kept: it takes more than %d bytes", maxRecord)
	}
	if _, err := root.Lstat(name); err == nil {
		return name, data, nil // in the place of another
	}
	names, err := listNames(root, maxRecords)
	if err == nil && len(names) == maxRecords {
		err = fmt.Errorf("is full, with %d files: mcpls trust prune and mcpls trust revoke make room", maxRecords)
	}
	if err != nil {
		return "", nil, s.bad(err)
	}
	return name, data, nil
}

// record is what is kept of a plan.
func record(plan launch.Plan, key []byte) Decision {
	d := Decision{
		Version: storeVersion, Fingerprint: plan.Fingerprint(), Workspace: workspaceOf(plan),
		ID: plan.ID, Kind: plan.Kind, DeclaredIn: plan.DeclaredIn, Dir: plan.Dir,
		Command: plan.Declared.Command, Args: plan.Declared.Args, Env: map[string]string{},
		Options: keptTable(plan.Declared.InitOptions), Settings: keptTable(plan.Declared.Settings), Files: plan.Files,
	}
	for name, value := range plan.Declared.Env {
		d.Env[name] = keyed(key, name, value)
	}
	return d
}

// keyed is a digest of a variable that only somebody with the key can compare.
func keyed(key []byte, name, value string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(name + "\x00" + value)) // a name has no NUL
	return hex.EncodeToString(mac.Sum(nil))
}

func keptTable(table map[string]any) string {
	if len(table) == 0 {
		return ""
	}
	return written(table)
}

// write writes a file whole: anew, synced, and put in its place by the last step.
// A crash leaves a file that nobody reads.
func (s *Store) write(root *os.Root, name string, data []byte, place func(from, to string) error) error {
	temp := tempName + rand.Text()
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return s.bad(err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = place(temp, name)
	}
	if err != nil {
		return s.bad(errors.Join(err, root.Remove(temp)))
	}
	return syncDir(root)
}

// key gives the key of the store, and makes it if it is not there. Of two
// processes that make one, one does.
func (s *Store) key(root *os.Root) ([]byte, error) {
	key, err := s.read(root, keyName)
	if errors.Is(err, fs.ErrNotExist) {
		fresh := make([]byte, keyBytes)
		_, _ = rand.Read(fresh) // it never fails (crypto/rand)
		err := s.write(root, keyName, fresh, func(from, to string) error { return errors.Join(root.Link(from, to), root.Remove(from)) })
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		key, err = s.read(root, keyName)
		if err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	if len(key) != keyBytes {
		return nil, s.bad(errors.New("has a damaged key"))
	}
	return key, nil
}

// Remove drops the decisions that a test accepts, and gives them.
func (s *Store) Remove(surface string, drop func(Decision) bool) ([]Decision, error) {
	all, err := s.All()
	if err != nil || len(all) == 0 {
		return nil, err
	}
	root, err := s.open(false)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	var dropped []Decision
	for _, d := range all {
		if !drop(d) {
			continue
		}
		name, err := fileName(d.Fingerprint, d.Workspace)
		if err != nil {
			return dropped, err
		}
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return dropped, s.bad(err)
		}
		dropped = append(dropped, d)
		if err := s.log(root, d, "revoke", surface); err != nil {
			return dropped, err
		}
	}
	return dropped, syncDir(root)
}

// log adds a line about a decision: who decided what, when and where.
func (s *Store) log(root *os.Root, d Decision, what, surface string) error {
	line, err := json.Marshal(map[string]string{
		"time": time.Now().UTC().Format(time.RFC3339), "decision": what, "surface": surface, "fingerprint": d.Fingerprint, "workspace": d.Workspace.Path, "id": d.ID,
	})
	if err != nil {
		return err
	}
	if info, err := root.Lstat(logName); err == nil && !info.Mode().IsRegular() {
		return s.bad(errors.New("has a link or no file in the place of its log"))
	}
	f, err := root.OpenFile(logName, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return s.bad(err)
	}
	info, err := f.Stat()
	if err == nil {
		err = ownOnly(info)
	}
	if err == nil {
		_, err = f.Write(append(quote.JSON(line), '\n'))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return s.bad(fmt.Errorf("has a log that cannot be written: it %w", err))
	}
	return nil
}
