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

// A Verification says whether a campaign is what its events say.
type Verification struct {
	Events int    `json:"events"` // that were looked at
	Hash   string `json:"hash"`   // of the last one; compare it with the one of a report
	// Wrong are things that must not be: events that were edited, a state that does not follow.
	Wrong []string `json:"wrong"`
	// Notes are things to know: the policy, run again, would choose otherwise than it did, since
	// another version of the program ran then.
	Notes []string `json:"notes"`
}

// OK reports whether nothing is wrong.
func (v *Verification) OK() bool { return len(v.Wrong) == 0 }

// Verify checks the file at path: its pages, its tables and triggers, the chain of hashes, and, by
// going through the campaign again event by event, that the policy chose what was asked for, and
// that what is said of the state follows from the events. Whoever writes a whole new history makes
// one that verifies; the hash of the last event, which reports print, tells it from the old one.
// The error is about files that cannot be read at all, or the context.
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
	if _, by, _ := standing(list); !maps.Equal(by, noted) {
		v.Wrong = append(v.Wrong, "the table undone is not what the events say")
	}
	var was saved
	switch {
	case state == nil || m.chain.Seq-stateAt.Seq > mostBehind(m.ledger.problem.K()):
		v.Wrong = append(v.Wrong, "the table state is missing, or was edited")
	case string(state) == string(want):
	case strictjson.Unmarshal(state, &was) != nil || was.Program == program() && was.Wording == wording:
		v.Wrong = append(v.Wrong, "the table state is not what the events say")
	default:
		v.Notes = append(v.Notes, fmt.Sprintf("%s wrote of the state %q, in its own words; it is %q", was.Program,
			was.Headline, headline))
	}
	return v, nil
}

func (v *Verification) wrong(err error) {
	if err != nil {
		v.Wrong = append(v.Wrong, err.Error())
	}
}

// replay goes through events one by one, and compares what the policy chooses with what it chose.
// It calls after with what follows from the events up to each one.
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
					v.Notes = append(v.Notes, fmt.Sprintf("event %d: the method chooses other "+
						"candidates now", e.Seq))
				}
				if m.run.compiled.Overlaps() { // the rounds are those on record, and not those that it plans now
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
		v.Notes = append(v.Notes, fmt.Sprintf("and so at %d more", others-3))
	}
	return m, nil
}

// chooses reports whether the policy chooses what an ask says, or, if somebody has chosen it, plans the rounds that
// are on record beside it. If so, what it says is handed out with the ask.
func (m *snapshot) chooses(b *askBody) bool {
	r := m.run
	var names []string
	var err error
	if b.Announced {
		names, err = m.announced(b.Arms)
	} else {
		names, _, err = r.choose(m.ledger, b.Room)
	}
	older := b.Phases == nil // did not write down rounds
	if err == nil && slices.Equal(names, b.Arms) && (older || reflect.DeepEqual(r.unrecorded(), b.Phases)) {
		return true
	}
	for _, o := range r.handed {
		_ = r.session.Forget(o.Ticket) // it is pending
	}
	r.handed = nil
	return false
}
