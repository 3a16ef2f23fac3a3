package launch

import (
	"fmt"
	"os"
	"syscall"
)

// birthOf gives the time at which an open file was made, "" where that is not known.
func birthOf(f *os.File) string {
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf(":%d.%09d", stat.Birthtimespec.Sec, stat.Birthtimespec.Nsec)
}
