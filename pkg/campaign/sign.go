package campaign

import (
	"fmt"
	"time"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
)

// A Signature says who signed what was found.
type Signature struct {
	Event int    `json:"event" doc:"The event by which it was signed"`
	At    string `json:"at" doc:"RFC 3339, UTC, by the clock of whoever wrote it"`
	Name  string `json:"name" doc:"Who signed"`
	Role  string `json:"role,omitempty" doc:"As what"`
	Who   string `json:"who" doc:"Who entered it"`
	Saw   string `json:"saw" doc:"The headline that was signed"`
	// Seen is the event up to which the signer saw the record, and Hash that event's.
	Seen  int    `json:"seen" doc:"The last event that was seen"`
	Hash  string `json:"hash" doc:"Of that event: it stands for the record up to it"`
	Stale bool   `json:"stale,omitempty" doc:"Results or changes came later: another signature is due"`
}

// Time returns At as a time; zero if it is none.
func (s *Signature) Time() time.Time { return (&events.Event{At: s.At}).Time() }

// String writes a signature in a sentence.
func (s *Signature) String() string {
	text := fmt.Sprintf("Signed by %s at %s (event %d): %s", signer(s.Name, s.Role), s.At, s.Event, s.Saw)
	if s.Stale {
		text += " This signature is stale: results or changes came later."
	}
	return text
}

// signer writes a name with a role.
func signer(name, role string) string {
	if role == "" {
		return name
	}
	return name + ", " + role
}

// Sign records that name, in a role that may be empty, signs what was found so far: the headline of the
// status, and the hash of the last event, which stands for the whole record. Who enters it. Results and
// changes that come later make a signature stale; it stays on record. Whoever has signed and whose
// signature is not stale cannot sign again, which is an error that wraps ErrConflict.
func (c *Campaign) Sign(name, role, who string) error { return c.SignSeen(0, name, role, who) }

// SignSeen is Sign of what is found up to the event seen, for those who have it on a page: if the
// record went on since, nobody signs what they have not seen, and the error wraps ErrConflict. 0 is
// the last event, whichever it is.
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
			return "", input("event", "there is no event %d; there are events 1 to %d", seen, m.chain.Seq)
		}
		if seen > 0 && seen < m.chain.Seq {
			return "", conflict("event %d came after event %d, up to which the record was seen; look again, "+
				"and sign what is there now", m.chain.Seq, seen)
		}
		if err := m.ledger.known(name); err != nil {
			return "", err
		}
		for i := range m.ledger.signatures {
			if s := &m.ledger.signatures[i]; s.Name == name && s.Role == role && !s.Stale {
				return "", conflict("%s signed by event %d, and nothing came since; undo it, or go on",
					signer(name, role), s.Event)
			}
		}
		s := m.status()
		return KindSign, m.append(tx, who, KindSign, signBody{name, role, s.Headline, s.Event, s.Hash})
	})
}

// sign takes a signature in.
func (l *ledger) sign(e *events.Event, b *signBody, stands bool) {
	l.formal[e.Seq] = true
	if stands {
		l.signatures = append(l.signatures, Signature{Event: e.Seq, At: e.At, Name: b.Name, Role: b.Role,
			Who: e.Who, Saw: b.Saw, Seen: b.Event, Hash: b.Hash})
	}
}

// outdate makes signatures stale: something was found, or changed, after them.
func (l *ledger) outdate() {
	for i := range l.signatures {
		l.signatures[i].Stale = true
	}
}
