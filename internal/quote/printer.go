package quote

import (
	"fmt"
	"io"
)

// A Printer writes to a person's terminal or to a file for a person. All that
// it writes passes [Text], so a command that has only Printers cannot show raw
// text. A Printer is not safe for use by several goroutines at once.
//
// After the first write that fails it writes nothing more: a command may print
// without looking at errors and ask [Printer.Err] once, at its end.
type Printer struct {
	w   io.Writer
	err error
}

// NewPrinter returns a Printer that writes to w.
func NewPrinter(w io.Writer) *Printer { return &Printer{w: w} }

// Printf prints as fmt.Printf does. The formatted text is escaped as a whole,
// the format included.
func (p *Printer) Printf(format string, args ...any) {
	p.print(fmt.Sprintf(format, args...))
}

// Println prints as fmt.Println does.
func (p *Printer) Println(args ...any) {
	p.print(fmt.Sprintln(args...))
}

// Write prints b. It makes a Printer usable as an io.Writer. Each call is
// escaped on its own, so a call should hold whole runes and whole line ends:
// the halves of a rune split over two calls are shown as bytes. The number
// returned counts bytes of b, all or none.
func (p *Printer) Write(b []byte) (int, error) {
	p.print(string(b))
	if p.err != nil {
		return 0, p.err
	}
	return len(b), nil
}

// Err returns the error of the first write that failed, or nil.
func (p *Printer) Err() error { return p.err }

// print writes the safe form of s unless an earlier write failed.
func (p *Printer) print(s string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, Text(s))
	}
}
