package campaign

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// An Event is one line of the record.
type Event struct {
	Seq    int    `json:"event" doc:"1, 2, ...: the order of events"`
	At     string `json:"at" doc:"RFC 3339, UTC, by the clock of whoever wrote it: no order"`
	Who    string `json:"who" doc:"Who did it"`
	Kind   string `json:"kind"`
	Text   string `json:"text" doc:"What was done, in a sentence"`
	Undone int    `json:"undone,omitempty" doc:"The event that undid it"`
	Hash   string `json:"hash" doc:"Of the chain of events up to this one"`
}

// Time returns At as a time; zero if it is none.
func (e *Event) Time() time.Time { return (&events.Event{At: e.At}).Time() }

// Events returns the record after event seq; all of it for 0.
func (c *Campaign) Events(seq int) (list []Event, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	err = c.store.Read(func(tx *events.Tx) error {
		all, err := read(tx)
		if err != nil {
			return err
		}
		_, by, err := standing(all)
		if err != nil {
			return err
		}
		for _, e := range all[min(max(seq, 0), len(all)):] {
			text, err := sentence(e)
			if err != nil {
				return err
			}
			list = append(list, Event{e.Seq, e.At, e.Who, e.What, text, by[e.Seq], e.Hash})
		}
		return nil
	})
	return list, err
}

// sentence says what happened.
func sentence(e *events.Event) (string, error) {
	because := func(c consent) string {
		text := ""
		if c.Why != "" {
			text = ": " + c.Why
		}
		if c.By != "" {
			text += fmt.Sprintf(" (agreed by %s)", c.By)
		}
		if c.Ended > 0 {
			text += fmt.Sprintf(", after the end by event %d", c.Ended)
		}
		return text
	}
	body, err := decode(e)
	if err != nil {
		return "", err
	}
	switch b := body.(type) {
	case *problemBody:
		p, err := problem.Decode(b.Problem)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("begun with %d candidates, by the method %s", p.K(), p.MethodName()), nil
	case *askBody:
		if len(b.Arms) == 1 && b.Reference == nil {
			return fmt.Sprintf("plate %d, ticket %d: %s", b.Plate, b.First, b.Arms[0]), nil
		}
		text := fmt.Sprintf("plate %d, tickets %d to %d", b.Plate, b.First, b.last())
		if b.Filled > 0 {
			text += fmt.Sprintf(", %d of them to fill it", b.Filled)
		}
		if f := b.Reference; f != nil {
			text += fmt.Sprintf(", %d for the reference %s", f.Wells, f.Name)
		}
		return text, nil
	case *tellBody:
		failed, extra := 0, 0
		all := slices.Concat(b.Rows, b.References)
		for _, r := range all {
			if r.Failed {
				failed++
			}
			if r.Ticket == 0 {
				extra++
			}
		}
		parts := []string{fmt.Sprintf("%d results", len(all))}
		if len(all) == 1 {
			parts[0], failed = fmt.Sprintf("%s: %s", all[0].Arm, all[0].text()), 0
		}
		for _, x := range []struct {
			n    int
			text string
		}{{failed, "failed"}, {len(b.References), "of reference wells"}, {extra, "unsolicited"}} {
			if x.n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", x.n, x.text))
			}
		}
		return strings.Join(parts, ", "), nil
	case *dropBody:
		return b.Arm + " is not available" + because(b.consent), nil
	case *joinBody:
		return b.Candidate.Name + " joined" + because(b.consent), nil
	case *sealBody:
		return fmt.Sprintf("the protocol is sealed: the problem of hash %s, the method %s", b.Problem, b.Method), nil
	case *signBody:
		return fmt.Sprintf("%s signed: %s", signer(b.Name, b.Role), b.Saw), nil
	default:
		u := body.(*undoBody)
		return fmt.Sprintf("event %d is undone", u.Event) + because(u.consent), nil
	}
}
