//go:build !windows

package launch

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// private reports whether a directory is this user's and nobody else may write
// to it.
func private(_ string, info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid() && info.Mode()&0o022 == 0
}

// ownerOf gives the number of the owner.
func ownerOf(info fs.FileInfo) string {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.Itoa(int(stat.Uid))
	}
	return ""
}

// identityOf gives the device and the number of an open file.
func identityOf(f *os.File) string {
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	// The number is used again when a directory is gone: hence its birth, where the
	// file system has it.
	return fmt.Sprintf("%d:%d%s", stat.Dev, stat.Ino, birthOf(f))
}
