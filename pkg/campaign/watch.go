package campaign

import (
	"cmp"
	"context"
	"time"
)

// poll is how often Watch looks for events of other processes.
const poll = 25 * time.Millisecond

// Watch calls f with the number of the last event, at once and whenever there is another one, of
// this process or another, until the context ends, the campaign is closed or f returns false. It
// returns what ended it, nil for f.
func (c *Campaign) Watch(ctx context.Context, f func(event int) bool) error {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	seen, changes := 0, -1
	for {
		now, err := c.store.Changes()
		c.mu.Lock()
		closed, last := c.closed, 0
		if c.now != nil {
			last = c.now.chain.Seq
		}
		c.mu.Unlock()
		switch {
		case closed:
			return context.Canceled
		case err != nil:
			return cmp.Or(ctx.Err(), err)
		case now != changes || last == 0:
			changes = now
			if err := c.read(func(m *snapshot) error { last = m.chain.Seq; return nil }); err != nil {
				return err
			}
		}
		if last > seen {
			seen = last
			if !f(seen) {
				return nil
			}
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
