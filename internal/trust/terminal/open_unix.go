//go:build !windows

package terminal

import (
	"bufio"
	"fmt"
	"os"

	"golang.org/x/term"

	"mcpls/internal/quote"
)

// Open opens the controlling terminal of the process. Without one it is an error.
func Open() (*Terminal, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("there is no terminal to ask on: %w", err)
	}
	if !term.IsTerminal(int(tty.Fd())) {
		tty.Close()
		return nil, fmt.Errorf("/dev/tty is no terminal")
	}
	return &Terminal{
		in: bufio.NewReader(tty), out: quote.NewPrinter(tty), close: tty.Close,
		size: func() (width, height int) {
			width, height, err := term.GetSize(int(tty.Fd()))
			if err != nil {
				return 0, 0
			}
			return width, height
		},
		flush: func() error { return flushInput(int(tty.Fd())) },
	}, nil
}
