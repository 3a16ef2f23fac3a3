//go:build !linux

package workspace

import (
	"os"
	"time"
)

// readFolder gives the regular files of a directory, and the names of the
// directories in it.
func readFolder(dir string) (files []leaf, dirs []string) {
	entries, _ := os.ReadDir(dir) // what was read until an error is what there is
	now := time.Now()
	for _, e := range entries {
		if e.IsDir() {
			dirs = append(dirs, e.Name())
			continue
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // deleted meanwhile, or of no interest
		}
		at := stampOf(info)
		files = append(files, leaf{e.Name(), at, at.settledBy(now)})
	}
	return files, dirs
}
