package campaign

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Campaign is an open campaign file. The methods of Campaign are safe for concurrent use, and
// several processes may open the file at the same time.
type Campaign struct {
	store  *events.Store
	mu     sync.Mutex // guards all fields below it
	now    *snapshot  // state of the campaign; nil if the file must be read again
	closed bool

	behind bool        // whether the saved state in the file is older than the events
	idle   *time.Timer // timer that calls saveNow
}

// snapshot is the state of a campaign after the last event that was read from the file.
type snapshot struct {
	chain  events.Chain
	ledger *ledger
	run    *run
	known  Status // the most recently computed status of the campaign
}

// Create creates a campaign file for problem p and opens the file; the file must not exist. The
// argument who is the name of the person who starts the campaign. If p is invalid, the error is of
// type problem.Errors.
func Create(path string, p *problem.Problem, who string) (*Campaign, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); err != nil { // the limit on the number of candidates applies only to new campaigns
		if err := p.Servable(); err != nil {
			return nil, err
		}
	}
	if _, err := p.Compile(); err != nil {
		return nil, err
	}
	if _, err := person(who); err != nil {
		return nil, input("who", "%v", err)
	}
	p = p.Clone()
	p.Begin(nil)
	id := make([]byte, 8)
	_, _ = rand.Read(id) // rand.Read never fails
	body := problemBody{ID: hex.EncodeToString(id), Program: program(), Problem: p.Encode()}
	return create(path, p, func(tx *events.Tx) error {
		_, err := tx.Append(who, KindProblem, body)
		return err
	})
}

// create writes a new campaign file with the events that the function fill adds.
func create(path string, p *problem.Problem, fill func(*events.Tx) error) (*Campaign, error) {
	store, err := events.Create(path, measured(p), func(tx *events.Tx) error {
		if err := fill(tx); err != nil {
			return err
		}
		list, err := read(tx)
		if err != nil {
			return err
		}
		m, undone, err := snap(list)
		if err != nil {
			return err
		}
		for seq, by := range undone {
			if err := tx.SetUndone(seq, by); err != nil {
				return err
			}
		}
		return m.save(tx)
	})
	if err != nil {
		return nil, err
	}
	return &Campaign{store: store}, nil
}

// measured returns the names of the measured objectives, which are also columns of result tables.
func measured(p *problem.Problem) []string {
	var names []string
	for _, c := range p.Measured() {
		names = append(names, p.Objectives[c].Name)
	}
	return names
}

// program returns the name and version of this program, for records and certificates.
func program() string {
	version := "unknown version"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	return "purexp " + version
}

// Open opens an existing campaign.
func Open(path string) (*Campaign, error) {
	store, err := events.Open(path)
	if err != nil {
		return nil, err
	}
	c := &Campaign{store: store}
	if err := c.read(func(*snapshot) error { return nil }); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Close closes the campaign file.
func (c *Campaign) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.idle != nil {
		c.idle.Stop()
	}
	c.saveLocked()
	return c.store.Close()
}

// Path returns the path passed to Open or Create.
func (c *Campaign) Path() string { return c.store.Path() }

// Problem returns the problem with the current candidates; callers must not modify it.
func (c *Campaign) Problem() (p *problem.Problem, err error) {
	err = c.read(func(m *snapshot) error { p = m.ledger.problem; return nil })
	return p, err
}

// Compiled returns the problem in the form that the policy uses, without newcomers that the policy
// does not know yet; callers must not modify it.
func (c *Campaign) Compiled() (compiled *problem.Compiled, err error) {
	err = c.read(func(m *snapshot) error { compiled = m.run.compiled; return nil })
	return compiled, err
}

// Check returns an error that wraps ErrOther if p differs from the problem of the campaign. Two
// problems differ if they give the policy different inputs or convert measurements differently.
func (c *Campaign) Check(p *problem.Problem) error {
	return c.read(func(m *snapshot) error {
		b, err := bodyOf[problemBody](&m.ledger.begun)
		if err != nil {
			return err
		}
		was, err := problem.Decode(b.Problem)
		if err != nil {
			return err
		}
		p := p.Clone()
		p.Begin(was)
		if string(was.Canonical()) != string(p.Canonical()) {
			return fmt.Errorf("campaign: %s: %w; %s", c.Path(), ErrOther, difference(was, p))
		}
		return nil
	})
}

// read updates the snapshot and then calls f with the snapshot.
func (c *Campaign) read(f func(*snapshot) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.store.Read(c.sync); err != nil {
		return err
	}
	return f(c.now)
}

func (c *Campaign) events() (list []*events.Event, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	err = c.store.Read(func(tx *events.Tx) error {
		list, err = read(tx)
		return err
	})
	return list, err
}

// write calls f in a transaction with an updated snapshot. The function f returns the kind of the
// event that f added, or "" if f added no event. write then saves the derived state in the file, or
// schedules a save; see saveIfDue. If write returns an error, nothing was written.
func (c *Campaign) write(f func(*events.Tx, *snapshot) (string, error)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	wrote, current := "", false
	err := c.store.Write(func(tx *events.Tx) error {
		if err := c.sync(tx); err != nil {
			return err
		}
		var err error
		if wrote, err = f(tx, c.now); err != nil || wrote == "" {
			return err
		}
		current, err = c.now.saveIfDue(tx, wrote)
		return err
	})
	if err != nil {
		// After an error, the snapshot may contain changes that are not in the file.
		c.now = nil
		return err
	}
	if wrote == "" {
		return nil
	}
	if current {
		c.behind = false
	} else {
		c.scheduleSave()
	}
	return nil
}

// read returns all events that are visible to the transaction.
func read(tx *events.Tx) ([]*events.Event, error) {
	var list []*events.Event
	err := tx.After(new(events.Chain), func(e *events.Event) error {
		list = append(list, e)
		return nil
	})
	return list, err
}

// sync applies events that are new in the file to the snapshot.
func (c *Campaign) sync(tx *events.Tx) error {
	if c.now != nil {
		again := false
		chain := c.now.chain
		var fresh []*events.Event
		if err := tx.After(&chain, func(e *events.Event) error {
			again = again || e.What == KindUndo
			fresh = append(fresh, e)
			return nil
		}); err != nil {
			c.now = nil
			return err
		}
		if !again {
			for _, e := range fresh {
				if err := c.now.apply(e); err != nil {
					c.now = nil
					return err
				}
			}
			return nil
		}
		c.now = nil
	}
	list, err := read(tx)
	if err != nil {
		return err
	}
	c.now, _, err = snap(list)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Path(), err)
	}
	return nil
}

// snap computes the snapshot after a list of events.
func snap(list []*events.Event) (*snapshot, map[int]int, error) {
	l, undone, err := replay(list)
	if err != nil {
		return nil, nil, err
	}
	r, err := restore(l)
	if err != nil {
		return nil, nil, err
	}
	last := list[len(list)-1]
	return &snapshot{events.Chain{Seq: last.Seq, Hash: last.Hash}, l, r, Status{}}, undone, nil
}

// apply updates the snapshot with the next event, which must not be an undo.
func (m *snapshot) apply(e *events.Event) error {
	if err := m.ledger.apply(e, true); err != nil {
		return err
	}
	m.chain = events.Chain{Seq: e.Seq, Hash: e.Hash}
	return m.run.follow(m.ledger)
}

// append adds an event to the file and the snapshot; the event must not be an undo.
func (m *snapshot) append(tx *events.Tx, who, what string, body any) error {
	if err := m.ledger.known(who); err != nil {
		return err
	}
	e, err := tx.Append(who, what, body)
	if err != nil {
		return err
	}
	return m.apply(e)
}

// difference names the parts in which the two problems differ.
func difference(was, is *problem.Problem) string {
	if was.K() != is.K() {
		return fmt.Sprintf("the campaign has %d candidates, but this problem has %d; add or drop candidates "+
			"with 'purexp campaign join' and 'purexp campaign drop'", was.K(), is.K())
	}
	var a, b map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(was.Canonical(), &a), json.Unmarshal(is.Canonical(), &b)); err != nil {
		return err.Error()
	}
	maps.DeleteFunc(a, func(part string, text json.RawMessage) bool {
		same := string(b[part]) == string(text)
		delete(b, part)
		return same
	})
	maps.Copy(a, b)
	return "the file differs in " + strings.Join(slices.Sorted(maps.Keys(a)), " and ")
}
