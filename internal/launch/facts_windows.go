package launch

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"mcpls/internal/roots"
)

// private reports whether a directory lies in the user's profile, which others
// cannot write to unless somebody has let them.
func private(dir string, _ fs.FileInfo) bool {
	home, known := roots.LoginHome()
	if !known {
		return false
	}
	home, err := roots.Canonical(home)
	if err != nil {
		return false
	}
	canonical, err := roots.Canonical(dir)
	return err == nil && roots.Inside(home, canonical)
}

// ownerOf gives no owner: it is not asked for here.
func ownerOf(fs.FileInfo) string { return "" }

// identityOf gives the volume and the number of an open file.
func identityOf(f *os.File) string {
	var info syscall.ByHandleFileInformation
	if err := syscall.GetFileInformationByHandle(syscall.Handle(f.Fd()), &info); err != nil {
		return ""
	}
	return fmt.Sprintf("%d:%d:%d", info.VolumeSerialNumber, info.FileIndexHigh, info.FileIndexLow)
}
