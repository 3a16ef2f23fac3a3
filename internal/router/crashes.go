package router

import "time"

// Bounds of starting a server again that ended by itself.
const (
	crashWindow  = time.Minute // a run that lasts longer was no failed one
	maxCrashes   = 3           // within a crashWindow: then only restart_server helps
	firstRespawn = time.Second // from the first crash to the next start
	maxRespawn   = 30 * time.Second
)

// crashes is how often a server has ended by itself. Guarded by server.mu.
type crashes struct {
	recent []time.Time // within a crashWindow of each other
	streak int         // how many in a row came soon after their start
	last   Process     // how it ended; not the whole run, which holds much
	halted bool        // there were too many
}

// add takes the end of a run.
func (c *crashes) add(r *run, now time.Time) {
	for len(c.recent) > 0 && now.Sub(c.recent[0]) > crashWindow {
		c.recent = c.recent[1:]
	}
	if now.Sub(r.opened) > crashWindow {
		c.streak = 0
	}
	c.recent, c.last = append(c.recent, now), r.process
	c.streak++
	c.halted = len(c.recent) >= maxCrashes
}

// pause gives how long the next start has to wait: longer with each crash in a
// row, so that a server that always dies does not keep the machine busy.
func (c *crashes) pause(now time.Time) time.Duration {
	if c.streak == 0 || len(c.recent) == 0 {
		return 0
	}
	pause := firstRespawn
	for range c.streak - 1 {
		pause = min(2*pause, maxRespawn)
	}
	return max(0, c.recent[len(c.recent)-1].Add(pause).Sub(now))
}

// err gives why the server is not started any more; nil while it is.
func (c *crashes) err(id string) error {
	if !c.halted {
		return nil
	}
	return &CrashedError{Server: id, Times: len(c.recent), Exit: c.last.Exit(), Stderr: c.last.Stderr()}
}
