//go:build !linux && !windows

package terminal

import "golang.org/x/sys/unix"

// flushInput drops what was typed and not read (tty(4), TIOCFLUSH).
func flushInput(fd int) error {
	const read = 1 // FREAD
	return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, read)
}
