package campaign

import (
	"fmt"
	"strings"

	"github.com/purexp/purexp/internal/plaintext"
	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// A Consent says why something is changed, and who agrees to it besides the person who does it.
type Consent struct{ Why, By string }

// An Amendment is a change after the end of a campaign whose protocol is frozen.
type Amendment struct {
	Event int    `json:"event"`
	At    string `json:"at" doc:"RFC 3339, UTC, by the clock of whoever wrote it"`
	Who   string `json:"who" doc:"Who did it"`
	By    string `json:"by" doc:"Who agreed"`
	Text  string `json:"text" doc:"What was done and why, in a sentence"`

	ended int // the event by which the campaign had ended
}

// String writes an amendment in a sentence.
func (a *Amendment) String() string {
	return fmt.Sprintf("Changed after the end, by %s (event %d): %s.", a.Who, a.Event, a.Text)
}

// agree checks what is said of a change by who, and returns what is recorded of it. Once a campaign with
// a frozen protocol has ended a reason and a second person are needed, also if it was reopened since; from
// the first result on, which seals it, a reason is.
func (m *snapshot) agree(c Consent, who string) (consent, error) {
	a := consent{Why: strings.TrimSpace(c.Why)}
	if err := plaintext.Note(a.Why); err != nil {
		return a, input("why", "%v", err)
	}
	if c.By != "" {
		by, err := person(c.By)
		if err != nil {
			return a, input("by", "%v", err)
		}
		if strings.EqualFold(plaintext.Skeleton(by), plaintext.Skeleton(who)) {
			return a, input("by", "%s makes the change; name another person, who agrees", by)
		}
		a.By = by
	}
	if a.Ended = m.frozenAt(); a.Ended > 0 && (a.Why == "" || a.By == "") {
		return a, conflict("the protocol is frozen, and the campaign ended by event %d: a change needs a "+
			"reason (why) and the name of a second person who agrees (by)", a.Ended)
	}
	if m.ledger.sealed > 0 && a.Why == "" {
		return a, input("why", "the protocol is frozen: a change needs a reason (--reason in a terminal)")
	}
	return a, nil
}

// frozenAt returns the event by which a campaign with a frozen protocol ended, for the last time if it
// was reopened; 0 if it has not ended or the protocol is not frozen.
func (m *snapshot) frozenAt() int {
	if m.ledger.problem.Protocol != problem.Frozen {
		return 0
	}
	if end := m.run.end(); end > 0 {
		return end
	}
	if n := len(m.ledger.amendments); n > 0 {
		return m.ledger.amendments[n-1].ended
	}
	return 0
}

// seal records which problem and method the first result is for, if the protocol is frozen.
func (m *snapshot) seal(tx *events.Tx, who string) error {
	l := m.ledger
	if l.problem.Protocol != problem.Frozen || l.sealed > 0 {
		return nil
	}
	return m.append(tx, who, KindSeal, sealBody{l.begun.Hash, l.problem.MethodName(),
		fmt.Sprint(m.run.policy)})
}

// amend takes in what is said of a change, whether it stands or not.
func (l *ledger) amend(e *events.Event, a consent) {
	if a.Ended == 0 {
		return
	}
	text, _ := sentence(e) // it was decoded before
	l.amendments = append(l.amendments, Amendment{Event: e.Seq, At: e.At, Who: e.Who, By: a.By, Text: text,
		ended: a.Ended})
}
