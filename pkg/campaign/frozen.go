package campaign

import (
	"fmt"
	"strings"
	"time"

	"github.com/purexp/purexp/internal/plaintext"
	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Consent authorises a change: Why is the reason, and By is the name of a second person who agrees.
type Consent struct{ Why, By string }

// Amendment is a change made after the end of a campaign with a frozen protocol.
type Amendment struct {
	// Event is the number of the event that recorded the change.
	Event int    `json:"event"`
	At    string `json:"at" doc:"RFC 3339, UTC, by the writer's clock"`
	Who   string `json:"who" doc:"Who did it"`
	By    string `json:"by" doc:"Who agreed"`
	Text  string `json:"text" doc:"What was done and why, in a sentence"`

	ended int // number of the event that had ended the campaign before the change
}

// String describes the amendment in one sentence.
func (a *Amendment) String() string {
	return fmt.Sprintf("Changed after the end, by %s (event %d): %s.", a.Who, a.Event, a.Text)
}

// agree checks the consent c to a change by the person named who, and returns
// the consent to record. After a campaign with a frozen protocol has ended,
// changes need a reason and a second person, even if the campaign was reopened.
// The first result seals a frozen protocol; from then on, changes need a reason.
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
			return a, input("by", "%s makes the change and cannot agree to it; name a different person", by)
		}
		a.By = by
	}
	if a.Ended = m.frozenAt(); a.Ended > 0 && (a.Why == "" || a.By == "") {
		return a, conflict("the protocol is frozen, and event %d ended the campaign; give a reason for the "+
			"change (--why), and the name of a second person who agrees (--by)", a.Ended)
	}
	if m.ledger.sealed > 0 && a.Why == "" {
		return a, input("why", "the protocol is frozen; give a reason for the change (--why)")
	}
	return a, nil
}

// frozenAt returns the number of the last event that ended a campaign with a frozen protocol, or 0.
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

// If the protocol is frozen, seal records the problem and the method together with the first
// result.
func (m *snapshot) seal(tx *events.Tx, who string) error {
	l := m.ledger
	if l.problem.Protocol != problem.Frozen || l.sealed > 0 {
		return nil
	}
	return m.append(tx, who, KindSeal, sealBody{l.begun.Hash, l.problem.MethodName(), fmt.Sprint(m.run.policy)})
}

// amend records a change after the end of a campaign with a frozen protocol, even if the change is
// undone later.
func (l *ledger) amend(e *events.Event, a consent) {
	if a.Ended == 0 {
		return
	}
	text, _ := sentence(e) // event e was already decoded without error
	l.amendments = append(l.amendments, Amendment{Event: e.Seq, At: e.At, Who: e.Who, By: a.By, Text: text,
		ended: a.Ended})
}

// Signature records who signed the findings.
type Signature struct {
	Event int    `json:"event" doc:"The event that recorded the signature"`
	At    string `json:"at" doc:"RFC 3339, UTC, by the writer's clock"`
	Name  string `json:"name" doc:"Who signed"`
	Role  string `json:"role,omitempty" doc:"Role"`
	Who   string `json:"who" doc:"Who entered the signature"`
	Saw   string `json:"saw" doc:"The headline that was signed"`
	// Seen is the number of the last event that the signer saw; Hash is the hash of that event.
	Seen  int    `json:"seen" doc:"The last event that the signer saw"`
	Hash  string `json:"hash" doc:"Hash of the last event seen, which identifies the record up to this event"`
	Stale bool   `json:"stale,omitempty" doc:"Results or changes came later; the findings need a new signature"`
}

// Time returns At as a time, or the zero time if At is invalid.
func (s *Signature) Time() time.Time { return (&events.Event{At: s.At}).Time() }

// String describes the signature in a sentence.
func (s *Signature) String() string {
	text := fmt.Sprintf("Signed by %s at %s (event %d): %s", signer(s.Name, s.Role), s.At, s.Event, s.Saw)
	if s.Stale {
		text += " This signature is stale, because results or changes followed."
	}
	return text
}

func signer(name, role string) string {
	if role == "" {
		return name
	}
	return name + ", " + role
}

// Sign records that the person name signed the findings, optionally with a role. A signature covers
// the headline of the status and the hash of the last event, which identifies the whole record. The
// argument who is the name of the person who enters the signature. Later results and changes make a
// signature stale. If the person already has a current signature in this role, Sign returns
// an error that wraps ErrConflict.
func (c *Campaign) Sign(name, role, who string) error { return c.SignSeen(0, name, role, who) }

// SignSeen works like Sign, but signs only the findings up to event number seen, for people who
// read the findings on a page. If the record contains events after seen, the error wraps
// ErrConflict. If seen is zero, SignSeen signs the findings up to the last event.
func (c *Campaign) SignSeen(seen int, name, role, who string) error {
	name, err := person(name)
	if err != nil {
		return input("name", "%v", err)
	}
	if role != "" {
		if role, err = person(role); err != nil {
			return input("role", "%v", err)
		}
	}
	if who, err = person(who); err != nil {
		return input("who", "%v", err)
	}
	return c.write(func(tx *events.Tx, m *snapshot) (string, error) {
		if seen > m.chain.Seq {
			return "", input("event", "unknown event %d; the record has events 1 to %d", seen, m.chain.Seq)
		}
		if seen > 0 && seen < m.chain.Seq {
			return "", conflict("event %d was added after event %d, the last event that you saw; read the "+
				"record again, then sign it", m.chain.Seq, seen)
		}
		if err := m.ledger.known(name); err != nil {
			return "", err
		}
		for i := range m.ledger.signatures {
			if s := &m.ledger.signatures[i]; s.Name == name && s.Role == role && !s.Stale {
				return "", conflict("%s signed this record already, by event %d; to sign again, undo this event",
					signer(name, role), s.Event)
			}
		}
		s := m.status()
		return KindSign, m.append(tx, who, KindSign, signBody{name, role, s.Headline, s.Event, s.Hash})
	})
}

// sign applies an event with a signature to the ledger.
func (l *ledger) sign(e *events.Event, b *signBody, stands bool) {
	l.formal[e.Seq] = true
	if stands {
		l.signatures = append(l.signatures, Signature{Event: e.Seq, At: e.At, Name: b.Name, Role: b.Role,
			Who: e.Who, Saw: b.Saw, Seen: b.Event, Hash: b.Hash})
	}
}

// outdate marks all signatures as stale, because of a new result or change.
func (l *ledger) outdate() {
	for i := range l.signatures {
		l.signatures[i].Stale = true
	}
}
