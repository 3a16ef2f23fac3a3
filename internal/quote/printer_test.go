package quote

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestPrinter(t *testing.T) {
	for _, test := range []struct {
		name  string
		print func(p *Printer)
		want  string
	}{
		{"Printf", func(p *Printer) { p.Printf("%s\x1b\t%d\n", "\x1b\u202e", 1) }, `\x1b\u202e\x1b` + "\t1\n"},
		{"Println", func(p *Printer) { p.Println("\x1b", errors.New("\rx")) }, `\x1b \rx` + "\n"},
		{"Write", func(p *Printer) { io.WriteString(p, "é\x1b") }, `é\x1b`},
		{"Write of half runes", func(p *Printer) { fmt.Fprint(p, "\xc3"); fmt.Fprint(p, "\xa9") }, `\xc3\xa9`},
	} {
		var b bytes.Buffer
		p := NewPrinter(&b)
		test.print(p)
		if b.String() != test.want || p.Err() != nil {
			t.Errorf("%s: printed %q, error %v; want %q", test.name, b.String(), p.Err(), test.want)
		}
	}
}

func TestPrinterWriteCountsItsInput(t *testing.T) {
	if n, err := NewPrinter(io.Discard).Write([]byte("a\x1b\r\n")); n != 4 || err != nil {
		t.Errorf("Write = %d, %v; want 4, nil", n, err)
	}
}

// failing fails each write with another error and counts them.
type failing struct{ writes int }

func (f *failing) Write([]byte) (int, error) {
	f.writes++
	return 0, fmt.Errorf("write %d failed", f.writes)
}

func TestPrinterKeepsTheFirstError(t *testing.T) {
	var f failing
	p := NewPrinter(&f)
	p.Println("a")
	p.Printf("b")
	n, err := p.Write([]byte("c"))
	if n != 0 || err == nil || err != p.Err() || err.Error() != "write 1 failed" {
		t.Errorf("Write = %d, %v; Err = %v", n, err, p.Err())
	}
	if f.writes != 1 {
		t.Errorf("%d writes, want 1", f.writes)
	}
}
