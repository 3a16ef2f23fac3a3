package router

import (
	"testing"
	"time"
)

func TestCrashes(t *testing.T) {
	begin := time.Now()
	for _, c := range []struct {
		name  string
		lives []time.Duration // of the runs, each of which crashes
		gap   time.Duration   // from a crash to the next start
		pause time.Duration
		halt  bool
	}{
		{"one", []time.Duration{1 * time.Second}, 0, time.Second, false},
		{"two", []time.Duration{1 * time.Second, time.Second}, time.Second, 2 * time.Second, false},
		{"three at once", []time.Duration{1, 1, 1}, time.Second, 4 * time.Second, true},
		{"three, slowly", []time.Duration{1, 1, 1}, 31 * time.Second, 4 * time.Second, false},
		{"many, slowly", []time.Duration{1, 1, 1, 1, 1, 1, 1, 1}, 31 * time.Second, 30 * time.Second, false},
		{"after a long life", []time.Duration{1, 1, 2 * time.Minute}, time.Second, time.Second, false},
	} {
		var all crashes
		now := begin
		for _, life := range c.lives {
			r := &run{opened: now}
			now = now.Add(life)
			all.add(r, now)
			now = now.Add(c.gap)
		}
		now = now.Add(-c.gap)
		if got := all.pause(now); got != c.pause || all.halted != c.halt {
			t.Errorf("%s: pause %s, halted %v; want %s, %v", c.name, got, all.halted, c.pause, c.halt)
		}
		if got := all.pause(now.Add(c.pause)); got != 0 {
			t.Errorf("%s: %s after the pause", c.name, got)
		}
	}
}
