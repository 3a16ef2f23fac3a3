package workspace

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// readFolder gives the regular files of a directory, and the names of the
// directories in it. It asks relative to the open directory, and keeps no more
// than it needs: it runs over every file before each question about the
// workspace.
func readFolder(dir string) (files []leaf, dirs []string) {
	// A FIFO that has come in the place of the directory is not waited for.
	f, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1) // what was read until an error is what there is
	fd := int(f.Fd())
	now := time.Now()
	for _, name := range names {
		var st unix.Stat_t
		if unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil {
			continue // deleted meanwhile
		}
		switch st.Mode & unix.S_IFMT {
		case unix.S_IFDIR:
			dirs = append(dirs, name)
		case unix.S_IFREG:
			at := stamp{size: st.Size, mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(), inode: st.Ino}
			files = append(files, leaf{name, at, at.settledBy(now)})
		}
	}
	return files, dirs
}
