package campaign

import (
	"cmp"
	"context"
	"time"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
)

// saved is what is kept in the file of what follows from events, for those who read the file. It is written again when
// a candidate comes or goes, when something is undone, when the run ends, and after some asks and reports of results,
// see mostBehind; all of it can be computed again.
type saved struct {
	Status
	// Program is the one that wrote it, and Wording the wording that it has.
	Program string `json:"program"`
	Wording int    `json:"wording"`
}

// wording grows with each change of what a Status has or says: programs that call themselves the
// same, as those that are built of a checkout do, are told apart by it.
const wording = 13

// mostBehind is the number of asks and reports of results by which what is kept may be behind, with k
// candidates: to write all of them anew takes long where there are many, and most events are about
// a few.
func mostBehind(k int) int { return k / 10 }

// idle is the time after the last event when what is kept is brought up to date.
const idle = time.Second

// save keeps what follows from all events.
func (m *snapshot) save(tx *events.Tx) error {
	return tx.SetState(saved{m.status(), program(), wording})
}

// saveIfDue is save, unless what is kept is hardly behind and says the same of the run. It reports
// whether it is up to date.
func (m *snapshot) saveIfDue(tx *events.Tx, what string) (bool, error) {
	if (what == KindTell || what == KindAsk) && m.run.ended != m.chain.Seq &&
		m.run.end() != m.chain.Seq {
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

// saveNow brings what is kept up to date. It can be computed from the events, and the next program
// that writes does: errors are of no account.
func (c *Campaign) saveNow() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.saveLocked()
}

// saveLocked is saveNow for those who hold the mutex.
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
			return err // another process did it
		}
		return c.now.save(tx)
	})
}

// scheduleSave has saveNow called when nothing happens for a while.
func (c *Campaign) scheduleSave() {
	c.behind = true
	if c.idle == nil {
		c.idle = time.AfterFunc(idle, c.saveNow)
		return
	}
	c.idle.Reset(idle)
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
