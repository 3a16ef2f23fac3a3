package launch

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// birthOf gives the time at which an open file was made, "" where that is not known.
func birthOf(f *os.File) string {
	var stat unix.Statx_t
	err := unix.Statx(int(f.Fd()), "", unix.AT_EMPTY_PATH, unix.STATX_BTIME, &stat)
	if err != nil || stat.Mask&unix.STATX_BTIME == 0 {
		return ""
	}
	return fmt.Sprintf(":%d.%09d", stat.Btime.Sec, stat.Btime.Nsec)
}
