package workspace

import (
	"io/fs"
	"syscall"
	"time"
)

func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), mtime: info.ModTime(), ctime: info.ModTime()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.ctime, s.inode = time.Unix(st.Ctimespec.Unix()), st.Ino
	}
	return s
}
