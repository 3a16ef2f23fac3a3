package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
	"golang.org/x/term"

	"mcpls/internal/quote"
)

// Open opens the console of the process. Without one it is an error.
func Open() (*Terminal, error) {
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("there is no console to ask on: %w", err)
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		in.Close()
		return nil, fmt.Errorf("there is no console to ask on: %w", err)
	}
	return &Terminal{
		in: bufio.NewReader(in), out: quote.NewPrinter(out), close: func() error { return errors.Join(in.Close(), out.Close()) },
		size: func() (width, height int) {
			width, height, err := term.GetSize(int(out.Fd()))
			if err != nil {
				return 0, 0
			}
			return width, height
		},
		flush: func() error { return windows.FlushConsoleInputBuffer(windows.Handle(in.Fd())) },
	}, nil
}
