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
	switch e.What {
	case KindProblem:
		var b problemBody
		if err := decode(e, &b); err != nil {
			return "", err
		}
		p, err := problem.Decode(b.Problem)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("begun with %d candidates, by the method %s", p.K(), p.MethodName()), nil
	case KindAsk:
		var b askBody
		err := decode(e, &b)
		if len(b.Arms) == 1 && b.Reference == nil {
			return fmt.Sprintf("plate %d, ticket %d: %s", b.Plate, b.First, b.Arms[0]), err
		}
		text := fmt.Sprintf("plate %d, tickets %d to %d", b.Plate, b.First, b.last())
		if b.Filled > 0 {
			text += fmt.Sprintf(", %d of them to fill it", b.Filled)
		}
		if f := b.Reference; f != nil {
			text += fmt.Sprintf(", %d for the reference %s", f.Wells, f.Name)
		}
		return text, err
	case KindTell:
		var b tellBody
		err := decode(e, &b)
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
			parts[0] = fmt.Sprintf("%s: %s", all[0].Arm, all[0].text())
		} else if failed > 0 {
			parts = append(parts, fmt.Sprintf("%d failed", failed))
		}
		if n := len(b.References); n > 0 {
			parts = append(parts, fmt.Sprintf("%d of reference wells", n))
		}
		if extra > 0 {
			parts = append(parts, fmt.Sprintf("%d unsolicited", extra))
		}
		return strings.Join(parts, ", "), err
	case KindDrop:
		var b dropBody
		err := decode(e, &b)
		return b.Arm + " is not available" + because(b.consent), err
	case KindJoin:
		var b joinBody
		err := decode(e, &b)
		return b.Candidate.Name + " joined" + because(b.consent), err
	case KindSeal:
		var b sealBody
		err := decode(e, &b)
		return fmt.Sprintf("the protocol is sealed: the problem of hash %s, the method %s", b.Problem,
			b.Method), err
	case KindSign:
		var b signBody
		err := decode(e, &b)
		return fmt.Sprintf("%s signed: %s", signer(b.Name, b.Role), b.Saw), err
	case KindUndo:
		var b undoBody
		err := decode(e, &b)
		return fmt.Sprintf("event %d is undone", b.Event) + because(b.consent), err
	}
	return "", fmt.Errorf("%w: event %d: there is no kind %q", ErrNewer, e.Seq, e.What)
}
