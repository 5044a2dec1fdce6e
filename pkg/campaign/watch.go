package campaign

import (
	"context"
	"sync"
	"time"
)

// watch tells those who wait that something happened.
type watch struct {
	mu     sync.Mutex
	next   chan struct{} // closed at the next event
	last   int           // event
	closed bool
}

// notify says that there are events up to seq.
func (w *watch) notify(seq int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if seq > w.last {
		w.last = seq
		if w.next != nil {
			close(w.next)
			w.next = nil
		}
	}
}

func (w *watch) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if w.next != nil {
		close(w.next)
		w.next = nil
	}
}

// wait returns a channel that is closed when there is an event after seq, and the last event.
func (w *watch) wait(seq int) (<-chan struct{}, int, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last > seq || w.closed {
		done := make(chan struct{})
		close(done)
		return done, w.last, w.closed
	}
	if w.next == nil {
		w.next = make(chan struct{})
	}
	return w.next, w.last, false
}

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
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return err
		}
		if now != changes {
			changes = now
			if err := c.read(func(m *snapshot) error {
				c.watch.notify(m.chain.Seq)
				return nil
			}); err != nil {
				return err
			}
		}
		next, last, closed := c.watch.wait(seen)
		if closed {
			return context.Canceled
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
		case <-next:
		case <-tick.C:
		}
	}
}
