package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// Verification is the outcome of checking a campaign against its events.
type Verification struct {
	// Events is the number of events that were checked. Hash is the hash of the last event, for
	// comparison with the hash in a report.
	Events int    `json:"events"`
	Hash   string `json:"hash"`
	// Wrong lists violations: edited events, or a state that does not follow from the events.
	Wrong []string `json:"wrong"`
	// Notes lists allowed differences, which occur if another version of purexp chose measurements
	// differently from this version.
	Notes []string `json:"notes"`
}

// OK reports whether the check found no violations.
func (v *Verification) OK() bool { return len(v.Wrong) == 0 }

// Verify checks the file at path: pages, tables, triggers and the chain of hashes. Verify also
// replays the campaign event by event. The replay checks that the policy would choose the requested
// measurements, and that the stored state is the state after the events. Verify cannot detect a
// history that was rewritten completely. To detect that a history was rewritten completely, compare
// the hash of the last event with the hash in earlier reports. Verify returns an error only if the
// file is unreadable or the context ends.
func Verify(ctx context.Context, path string) (v Verification, err error) {
	store, err := events.Open(path)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	var list []*events.Event
	var state json.RawMessage
	var stateAt events.Chain
	var noted map[int]int
	err = store.Read(func(tx *events.Tx) (err error) {
		if list, err = read(tx); err != nil {
			return err
		}
		if noted, err = tx.Undone(); err != nil {
			return err
		}
		state, stateAt, err = tx.State()
		return err
	})
	v.wrong(err)
	v.Events = len(list)
	if err != nil {
		list, _ = events.Intact(path)
		v.Events = len(list)
		return v, nil
	}
	v.Hash = list[len(list)-1].Hash
	var want []byte
	var headline string
	m, err := v.replay(ctx, list, func(m *snapshot) error {
		if m.chain.Seq != stateAt.Seq {
			return nil
		}
		s := m.status()
		headline = s.Headline
		want, err = json.Marshal(saved{s, program(), wording})
		return err
	})
	if err != nil || m == nil {
		return v, err
	}
	problems, err := store.Problems(measured(m.ledger.problem))
	v.Wrong = append(v.Wrong, problems...)
	v.wrong(err)
	if _, by, _ := validEvents(list); !maps.Equal(by, noted) {
		v.Wrong = append(v.Wrong, "the table undone does not match the events")
	}
	var was saved
	switch {
	case state == nil || m.chain.Seq-stateAt.Seq > mostBehind(m.ledger.problem.K()):
		v.Wrong = append(v.Wrong, "the table state is missing, or was edited")
	case string(state) == string(want):
	case strictjson.Unmarshal(state, &was) != nil || was.Program == program() && was.Wording == wording:
		v.Wrong = append(v.Wrong, "the table state does not match the events")
	default:
		v.Notes = append(v.Notes, fmt.Sprintf("%s stored the headline %q; this program writes %q", was.Program,
			was.Headline, headline))
	}
	return v, nil
}

func (v *Verification) wrong(err error) {
	if err != nil {
		v.Wrong = append(v.Wrong, err.Error())
	}
}

// replay replays the events one by one and compares the policy's choices with the record. After
// each event, replay passes the snapshot to the callback after.
func (v *Verification) replay(ctx context.Context, list []*events.Event,
	after func(*snapshot) error) (*snapshot, error) {
	m, _, err := snap(list[:1])
	if err != nil {
		v.wrong(err)
		return nil, nil
	}
	if err := after(m); err != nil {
		return nil, err
	}
	others := 0
	for i, e := range list[1:] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if e.What == KindAsk && m.run.failure == nil {
			b, err := bodyOf[askBody](e)
			if err != nil {
				v.wrong(err)
				return nil, nil
			}
			if !m.chooses(b) {
				if others++; others <= 3 {
					v.Notes = append(v.Notes, fmt.Sprintf("event %d: the method now chooses different "+
						"candidates", e.Seq))
				}
				if m.run.compiled.Overlaps() { // use the recorded rounds, not the rounds that the policy would plan now
					if m, _, err = snap(list[:i+1]); err != nil {
						v.wrong(err)
						return nil, nil
					}
				}
			}
		}
		if e.What == KindUndo {
			m, _, err = snap(list[:i+2])
		} else {
			err = m.apply(e)
		}
		if err != nil {
			v.wrong(fmt.Errorf("event %d: %w", e.Seq, err))
			return nil, nil
		}
		if err := after(m); err != nil {
			return nil, err
		}
	}
	if others > 3 {
		v.Notes = append(v.Notes, fmt.Sprintf("%d more events, in which the method now chooses different candidates",
			others-3))
	}
	return m, nil
}

// chooses reports whether the policy makes the choice that an ask event records. For measurements
// announced by a person, chooses reports whether the policy plans the recorded rounds. If the
// choices agree, chooses also hands out the tickets of the recorded ask.
func (m *snapshot) chooses(b *askBody) bool {
	r := m.run
	var names []string
	var err error
	if b.Announced {
		names, err = m.announced(b.Arms)
	} else {
		names, _, err = r.choose(m.ledger, b.Room)
	}
	older := b.Phases == nil // an older version of purexp did not record rounds
	if err == nil && slices.Equal(names, b.Arms) && (older || reflect.DeepEqual(r.unrecorded(), b.Phases)) {
		return true
	}
	for _, o := range r.handed {
		_ = r.session.Forget(o.Ticket) // the ticket is pending, so Forget cannot fail
	}
	r.handed = nil
	return false
}
