package process

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	numbered := func(from, to int) string {
		var lines []string
		for i := from; i <= to; i++ {
			lines = append(lines, fmt.Sprintf("line %d", i))
		}
		return strings.Join(lines, "\n")
	}
	long := strings.Repeat("x", 3*tailBytes)
	for _, test := range []struct{ name, written, want string }{
		{"nothing", "", ""},
		{"one line", "a\n", "a"},
		{"a line without its end", "a\nb", "a\nb"},
		{"Windows line ends", "a\r\nb\r\n", "a\r\nb"},
		{"empty lines at the end", "a\n\n\n", "a"},
		{"an empty line between", "a\n\nb", "a\n\nb"},
		{"as many lines as are kept", numbered(1, tailLines) + "\n", numbered(1, tailLines)},
		{"more lines", numbered(1, 1000) + "\n", numbered(1001-tailLines, 1000)},
		{"first line cut", long + "\nlast\n", "last"},
		{"first line cut within a read", strings.Repeat("a", 10) + "\n" + strings.Repeat("y", tailBytes-3) + "\nb\n", "b"},
		{"one long line", long, strings.Repeat("x", tailBytes)},
		{"one long line with its end", long + "\n", strings.Repeat("x", tailBytes-1)},
		{"one long line and empty ones", long + "\n\n", strings.Repeat("x", tailBytes-2)},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			tail := readTail(r)
			if _, err := w.WriteString(test.written); err != nil {
				t.Error(err)
			}
			w.Close()
			<-tail.done
			tail.close()
			if got := tail.String(); got != test.want {
				t.Errorf("%d bytes %.60q, want %d bytes %.60q", len(got), got, len(test.want), test.want)
			}
			if len(tail.last) > tailBytes {
				t.Errorf("%d bytes are kept", len(tail.last))
			}
		})
	}
}
