package campaign

import (
	"errors"
	"fmt"
	"strings"

	"github.com/purexp/purexp/internal/plaintext"
	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Drop removes a candidate from the question, so that the question covers only the remaining
// candidates, and records the reason. The results of a dropped candidate stay on record. Undoing
// the drop restores the candidate.
func (c *Campaign) Drop(arm, why, who string) error { return c.DropWith(arm, Consent{Why: why}, who) }

// DropWith drops a candidate like Drop, with the consent that a frozen protocol requires after the
// end of the campaign.
func (c *Campaign) DropWith(arm string, agreed Consent, who string) error {
	arm = problem.Normal(arm)
	body := func(a consent) any { return dropBody{arm, a} }
	return c.change(who, KindDrop, agreed, body, func(m *snapshot) error {
		if i, ok := m.ledger.at[arm]; ok && !m.ledger.arms[i].available {
			return conflict("%s was dropped already; to restore it, undo the event that dropped it", arm)
		}
		if m.ledger.candidate(arm) < 0 {
			return input("arm", "unknown candidate %q; the candidates are %s", arm,
				problem.Abbreviated(m.ledger.problem.Candidates.Names))
		}
		p, err := m.ledger.problem.Without(arm)
		if err == nil {
			_, err = p.Compile()
		}
		if err == nil && m.ledger.problem.Servable() == nil { // existing campaigns above the limit may continue
			err = p.Servable()
		}
		return err
	})
}

// Join adds a candidate to the campaign. The newcomer needs a value in each column of the candidate
// table that the problem uses, such as features and known values.
func (c *Campaign) Join(n problem.Candidate, who string) error { return c.JoinWith(n, Consent{}, who) }

// JoinWith adds a candidate like Join, with the consent that a frozen protocol requires after the
// end of the campaign.
func (c *Campaign) JoinWith(n problem.Candidate, agreed Consent, who string) error {
	n.Name = problem.Normal(n.Name)
	body := func(a consent) any { return joinBody{n, a} }
	return c.change(who, KindJoin, agreed, body, func(m *snapshot) error {
		if i, ok := m.ledger.at[n.Name]; ok && !m.ledger.arms[i].available {
			return conflict("%s was a candidate before; to restore this candidate, undo the event that dropped "+
				"it; for another candidate, use another name", n.Name)
		}
		if err := plaintext.Name(n.Name); err != nil {
			return input("candidate", "%v", err)
		}
		for _, a := range m.ledger.arms {
			if a.name != n.Name && plaintext.Skeleton(a.name) == plaintext.Skeleton(n.Name) {
				return input("candidate", "%+q looks like the candidate %+q; give it another name", n.Name, a.name)
			}
		}
		p, err := m.ledger.problem.With(n)
		var wrong problem.Errors
		if err != nil && !errors.As(err, &wrong) {
			return input("candidate", "%s", strings.TrimPrefix(err.Error(), "problem: "))
		}
		if err == nil {
			_, err = p.Compile()
		}
		return err
	})
}

// change adds an event to the record if the function check accepts the change.
func (c *Campaign) change(who, what string, agreed Consent, body func(consent) any, check func(*snapshot) error) error {
	who, err := person(who)
	if err != nil {
		return input("who", "%v", err)
	}
	return c.write(func(tx *events.Tx, m *snapshot) (string, error) {
		if err := check(m); err != nil {
			return "", err
		}
		a, err := m.agree(agreed, who)
		if err != nil {
			return "", err
		}
		return what, m.append(tx, who, what, body(a))
	})
}

// Undo undoes an event: the event no longer has an effect, but stays on record with the reason for
// the undo. If the undone event reported results, their tickets become pending again. If the undone
// event handed out tickets, the tickets are withdrawn. If the undone event added or dropped a
// candidate, the undo reverses the change. An undo can itself be undone. The error wraps
// ErrConflict if later events depend on the event.
func (c *Campaign) Undo(event int, why, who string) error {
	return c.UndoWith(event, Consent{Why: why}, who)
}

// UndoWith undoes an event like Undo, with the consent that a frozen protocol requires after the
// end of the campaign.
func (c *Campaign) UndoWith(event int, agreed Consent, who string) error {
	who, err := person(who)
	if err != nil {
		return input("who", "%v", err)
	}
	return c.write(func(tx *events.Tx, m *snapshot) (string, error) {
		list, err := read(tx)
		if err != nil {
			return "", err
		}
		if event < 1 || event > len(list) {
			return "", input("event", "unknown event %d; the record has events 1 to %d", event, len(list))
		}
		if event == 1 {
			return "", conflict("event 1 is the problem and cannot be undone; start a new campaign")
		}
		if event == m.ledger.sealed {
			return "", conflict("event %d seals the protocol and cannot be undone; start a new campaign", event)
		}
		_, before, err := validEvents(list)
		if err != nil {
			return "", err
		}
		if by := before[event]; by > 0 {
			return "", conflict("event %d was undone already, by event %d; to restore it, undo event %[2]d", event, by)
		}
		a, err := m.agree(agreed, who)
		if err != nil {
			return "", err
		}
		if err := m.ledger.known(who); err != nil {
			return "", err
		}
		e, err := tx.Append(who, KindUndo, undoBody{event, a})
		if err != nil {
			return "", err
		}
		next, after, err := snap(append(list, e))
		if err != nil {
			return "", fmt.Errorf("campaign: event %d cannot be undone, because later events depend on it; "+
				"undo these events first: %w: %w", event, ErrConflict, err)
		}
		for seq := range before {
			if _, undone := after[seq]; !undone {
				after[seq] = 0
			}
		}
		for seq, by := range after {
			if before[seq] != by {
				if err := tx.SetUndone(seq, by); err != nil {
					return "", err
				}
			}
		}
		*m = *next
		return KindUndo, nil
	})
}
