package campaign

import (
	"cmp"
	"context"
	"time"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
)

// saved is the derived state that the campaign file stores for programs that read its SQL views.
// The state is written after a join, drop, undo or signature, at the end of the campaign, after some
// asks and reports (see mostBehind), and after a pause (see idle). The stored state is redundant: it
// can be computed again from the events.
type saved struct {
	Status
	// Program is the version of purexp that wrote the state; Wording is the version of the wording
	// of the sentences in the state.
	Program string `json:"program"`
	Wording int    `json:"wording"`
}

// wording must be increased with each change of the content or wording of a Status. wording
// distinguishes builds with the same version, such as builds of a checkout.
const wording = 19

// mostBehind returns the number of asks and reports by which the stored state may lag behind, for k
// candidates. With many candidates, writing the state is
// slow, and most events affect only a few candidates.
func mostBehind(k int) int { return k / 10 }

// idle is the time without events after which the stored state is brought up to date.
const idle = time.Second

func (m *snapshot) save(tx *events.Tx) error {
	return tx.SetState(saved{m.status(), program(), wording})
}

// saveIfDue saves the derived state. After an ask or a report that did not end the campaign, it
// saves the state only if the stored state lags too far behind. saveIfDue reports whether the
// stored state is current.
func (m *snapshot) saveIfDue(tx *events.Tx, what string) (bool, error) {
	if (what == KindTell || what == KindAsk) && m.run.ended != m.chain.Seq && m.run.end() != m.chain.Seq {
		at, err := tx.StateAt()
		if err != nil {
			return false, err
		}
		if m.chain.Seq-at <= mostBehind(m.ledger.problem.K()) {
			return false, nil
		}
	}
	return true, m.save(tx)
}

// saveNow brings the stored state up to date. saveNow ignores errors, because the next writer will
// compute the state again.
func (c *Campaign) saveNow() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.saveLocked()
}

// saveLocked saves the state like saveNow, for callers that hold the mutex.
func (c *Campaign) saveLocked() {
	if !c.behind {
		return
	}
	c.behind = false
	_ = c.store.Write(func(tx *events.Tx) error {
		if err := c.sync(tx); err != nil {
			return err
		}
		if at, err := tx.StateAt(); err != nil || at == c.now.chain.Seq {
			return err // another process has already saved the state
		}
		return c.now.save(tx)
	})
}

// scheduleSave schedules a call of saveNow after the time idle without events.
func (c *Campaign) scheduleSave() {
	c.behind = true
	if c.idle == nil {
		c.idle = time.AfterFunc(idle, c.saveNow)
		return
	}
	c.idle.Reset(idle)
}

// poll is the time between two checks of Watch for events of other processes.
const poll = 25 * time.Millisecond

// Watch calls f with the number of the last event: at once, and again after each new event of any
// process. Watch returns when the context ends, the campaign is closed, or f returns false. The
// returned error states why Watch ended; it is nil if f returned false.
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
