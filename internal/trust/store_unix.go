//go:build !windows

package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// stateDir is the directory below the login home.
var stateDir = map[bool][]string{
	false: {".local", "state", "mcpls", "trust"},
	true:  {"Library", "Application Support", "mcpls", "trust"},
}[runtime.GOOS == "darwin"]

// ownOnly refuses what is another user's, or what others can write to.
func ownOnly(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return errors.New("has no owner that could be told")
	case int(stat.Uid) != os.Getuid():
		return fmt.Errorf("is owned by user %d", stat.Uid)
	case info.Mode()&0o022 != 0:
		return fmt.Errorf("can be written to by others (mode %s)", info.Mode())
	}
	return nil
}

// syncDir makes what was renamed last.
func syncDir(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
