// Package bug is what becomes of a fault in mcpls itself, a panic. In a tool
// call it is an error of that call, and mcpls goes on serving. In any other
// goroutine nothing can be trusted any more: the servers are ended, and mcpls
// with them.
package bug

import (
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"mcpls/internal/quote"
)

// ExitCode is that of a program that ended with a fault.
const ExitCode = 101

// Error is a fault, as the caller of a tool sees it.
type Error struct{ Place string }

func (e *Error) Error() string {
	return fmt.Sprintf("a fault in mcpls (%s): please report it, its log has the details", e.Place)
}

// reported are the places whose fault is in the log.
var reported sync.Map

// Report makes the error of a recovered panic. The first of each place is logged
// with its stack: a call that fails again and again must not fill the log.
func Report(log *slog.Logger, value any) error {
	err := &Error{Place: place()}
	if _, again := reported.LoadOrStore(err.Place, true); !again {
		log.Error("a fault in mcpls", "panic", fmt.Sprint(value), "stack", string(debug.Stack()))
	}
	return err
}

// place gives the function and line that panicked: the first frame behind the
// last one of the runtime.
func place() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	panicking := false
	for {
		frame, more := frames.Next()
		inRuntime := strings.HasPrefix(frame.Function, "runtime.")
		switch {
		case inRuntime:
			panicking = true
		case panicking:
			return fmt.Sprintf("%s:%d", frame.Function, frame.Line)
		}
		if !more {
			return "unknown place"
		}
	}
}

// exits are what is done before the program ends with a fault, or at once for
// another reason. They are of the whole process, as a panic is.
var exits struct {
	sync.Mutex
	last int
	all  map[int]func(report string)
}

// OnExit has f called when the program ends with a fault or by [End], until
// remove is called. f must not wait for a lock that a goroutine of its caller may hold.
func OnExit(f func(report string)) (remove func()) {
	exits.Lock()
	defer exits.Unlock()
	if exits.all == nil {
		exits.all = map[int]func(string){}
	}
	exits.last++
	id := exits.last
	exits.all[id] = f
	return func() {
		exits.Lock()
		defer exits.Unlock()
		delete(exits.all, id)
	}
}

// exitTime bounds what is done before the program ends: the fault may have left
// a lock behind.
const exitTime = 2 * time.Second

// Exit is deferred first in every goroutine. A panic ends the program with
// ExitCode, after everything of OnExit.
func Exit() {
	value := recover()
	if value == nil {
		return
	}
	End(quote.Text(fmt.Sprintf("a fault in mcpls: %v\n%s", value, debug.Stack())), ExitCode)
}

// End ends the program at once, after everything of OnExit.
func End(report string, code int) {
	exits.Lock() // and never unlocked: a second fault waits here for the end
	var each sync.WaitGroup
	for _, f := range exits.all { // one that hangs keeps no other back
		each.Go(func() { f(report) })
	}
	done := make(chan struct{})
	go func() {
		each.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(exitTime):
	}
	os.Exit(code)
}
