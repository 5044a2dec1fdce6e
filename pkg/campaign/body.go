package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// The following constants are the kinds of events in a campaign's record.
const (
	KindProblem = "problem" // the campaign started
	KindAsk     = "ask"     // tickets were handed out
	KindTell    = "tell"    // results were reported
	KindDrop    = "drop"    // a candidate became unavailable
	KindJoin    = "join"    // a candidate joined
	KindUndo    = "undo"    // an earlier event was undone and no longer counts
	KindSign    = "sign"    // somebody signed the findings
	KindSeal    = "seal"    // the first result froze the protocol
)

// The following types are the bodies of events, one for each kind of event. The meaning of a field
// of a body never changes. Later versions of purexp may add fields, which older versions reject.
type (
	problemBody struct {
		ID      string          `json:"id"`      // tells campaigns apart
		Program string          `json:"program"` // the program that created the campaign
		Problem json.RawMessage `json:"problem"` // as problem.Encode writes it
	}
	askBody struct {
		Plate int      `json:"plate"`
		First int      `json:"first"` // ticket of the first arm
		Room  int      `json:"room"`  // number of measurements that were requested
		Arms  []string `json:"arms"`
		Key   string   `json:"key,omitempty"`
		// Filled is the number of measurements that the campaign added to fill the plate.
		Filled int `json:"filled,omitempty"`
		// If Announced is true, a person, not the method, chose Arms, which form a separate round.
		Announced bool `json:"announced,omitempty"`
		// Phases are the overlapping rounds of the method that start with this ask.
		Phases []phaseBody `json:"phases,omitempty"`
		// Reference describes the reference wells; their tickets follow the tickets of Arms.
		Reference *referenceBody `json:"reference,omitempty"`
	}
	phaseBody struct {
		Number int      `json:"number"` // number of the round, counted from 1 since the method began
		Arms   []string `json:"arms"`
		N      []int    `json:"n"` // number of measurements of each arm
	}
	referenceBody struct {
		Name  string `json:"name"`
		Wells int    `json:"wells"`
	}
	tellBody struct {
		Rows []rowBody `json:"rows"`
		// References are results of reference wells, kept separate from the results of candidates;
		// policies do not receive them.
		References []rowBody `json:"references,omitempty"`
	}
	rowBody struct {
		Ticket int       `json:"ticket,omitempty"`
		ID     string    `json:"id,omitempty"`
		Arm    string    `json:"arm"`
		Values []float64 `json:"values,omitempty"` // in the units of the problem
		Of     int       `json:"of,omitempty"`     // evaluable trials; 0 for all
		// N is the number of measurements that the row summarises, or 0 if the row
		// is one measurement. In a summary, Values are means or, for counts, totals.
		N      int    `json:"n,omitempty"`
		Failed bool   `json:"failed,omitempty"`
		Note   string `json:"note,omitempty"`
	}
	dropBody struct {
		Arm string `json:"arm"`
		consent
	}
	joinBody struct {
		Candidate problem.Candidate `json:"candidate"`
		consent
	}
	undoBody struct {
		Event int `json:"event"`
		consent
	}
	// consent holds the fields that all changes record: the reason and who agreed.
	consent struct {
		Why string `json:"why,omitempty"`
		By  string `json:"by,omitempty"` // who else agrees
		// Ended is the number of the event that ended a campaign with a frozen protocol.
		Ended int `json:"ended,omitempty"`
	}
	sealBody struct {
		Problem  string `json:"problem"` // the hash of the first event, which contains the problem
		Method   string `json:"method"`
		Settings string `json:"settings"` // settings of the method, as text
	}
	signBody struct {
		Name string `json:"name"`
		Role string `json:"role,omitempty"`
		// Saw is the headline that the signer saw; Event and Hash identify the last event at that
		// time.
		Saw   string `json:"saw"`
		Event int    `json:"event"`
		Hash  string `json:"hash"`
	}
)

// mostOfPhase is the largest number of measurements that one recorded
// round may request for a candidate: a thousand times MostAsked.
const mostOfPhase = 1000 * MostAsked

// last returns the number of the last ticket of an ask.
func (b *askBody) last() int {
	n := b.First + len(b.Arms) - 1
	if b.Reference != nil {
		n += b.Reference.Wells
	}
	return n
}

// bodies returns an empty body for each kind of event.
var bodies = map[string]func() any{
	KindProblem: func() any { return new(problemBody) }, KindAsk: func() any { return new(askBody) },
	KindTell: func() any { return new(tellBody) }, KindDrop: func() any { return new(dropBody) },
	KindJoin: func() any { return new(joinBody) }, KindUndo: func() any { return new(undoBody) },
	KindSign: func() any { return new(signBody) }, KindSeal: func() any { return new(sealBody) },
}

// decode returns the body of an event: a pointer to the body type for the event's kind.
func decode(e *events.Event) (any, error) {
	make := bodies[e.What]
	if make == nil {
		return nil, fmt.Errorf("%w: event %d: unknown kind %q", ErrNewer, e.Seq, e.What)
	}
	body := make()
	if err := strict(e.Body, body); err != nil {
		return nil, fmt.Errorf("%w: event %d (%s): %w", unreadable(err), e.Seq, e.What, err)
	}
	return body, nil
}

// bodyOf returns the body of an event whose kind has the body T.
func bodyOf[T any](e *events.Event) (*T, error) {
	body, err := decode(e)
	if err != nil {
		return nil, err
	}
	return body.(*T), nil
}

// unreadable classifies an error in the body of an event whose hash is valid. For an unknown field,
// which a later version of purexp may have added, the result is ErrNewer, and otherwise ErrDamaged.
func unreadable(err error) error {
	var e *strictjson.Error
	if errors.Is(err, strictjson.ErrUnknown) && errors.As(err, &e) && e.Field == strings.ToLower(e.Field) {
		return ErrNewer
	}
	return ErrDamaged
}

// Event is one line of the record of a campaign.
type Event struct {
	Seq    int    `json:"event" doc:"1, 2, ..., in the order of events"`
	At     string `json:"at" doc:"RFC 3339, UTC, by the writer's clock; event numbers, not times, define the order"`
	Who    string `json:"who" doc:"Who did it"`
	Kind   string `json:"kind"`
	Text   string `json:"text" doc:"What was done, in a sentence"`
	Undone int    `json:"undone,omitempty" doc:"The event that undid this event"`
	Hash   string `json:"hash" doc:"Hash of the chain of events up to this event"`
}

// Time returns At as a time, or zero if it is invalid.
func (e *Event) Time() time.Time { return (&events.Event{At: e.At}).Time() }

// Events returns the events after number seq; seq 0 returns all events.
func (c *Campaign) Events(seq int) (list []Event, err error) {
	all, err := c.events()
	if err != nil {
		return nil, err
	}
	_, by, err := validEvents(all)
	if err != nil {
		return nil, err
	}
	for _, e := range all[min(max(seq, 0), len(all)):] {
		text, err := sentence(e)
		if err != nil {
			return nil, err
		}
		list = append(list, Event{e.Seq, e.At, e.Who, e.What, text, by[e.Seq], e.Hash})
	}
	return list, nil
}

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
			text += fmt.Sprintf(", after event %d ended the campaign", c.Ended)
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
		return fmt.Sprintf("started with %d candidates and the method %s", p.K(), p.MethodName()), nil
	case *askBody:
		if len(b.Arms) == 1 && b.Reference == nil {
			return fmt.Sprintf("plate %d, ticket %d: %s", b.Plate, b.First, b.Arms[0]), nil
		}
		text := fmt.Sprintf("plate %d, tickets %d to %d", b.Plate, b.First, b.last())
		if b.Filled > 0 {
			text += fmt.Sprintf(", %d of them to fill the plate", b.Filled)
		}
		if f := b.Reference; f != nil {
			text += fmt.Sprintf(", %d for the reference %s", f.Wells, f.Name)
		}
		return text, nil
	case *tellBody:
		failed, extra, summaries := 0, 0, 0
		all := slices.Concat(b.Rows, b.References)
		for _, r := range all {
			if r.Failed {
				failed++
			}
			if r.Ticket == 0 {
				extra++
			}
			summaries += min(r.N, 1)
		}
		parts := []string{fmt.Sprintf("%d results", len(all))}
		if len(all) == 1 {
			parts[0], failed = fmt.Sprintf("%s: %s", all[0].Arm, all[0].text()), 0
		}
		for _, x := range []struct {
			n    int
			text string
		}{{failed, "failed"}, {len(b.References), "of reference wells"}, {extra, "unsolicited"},
			{summaries, "summaries"}} {
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
		return fmt.Sprintf("the protocol is sealed, with problem hash %s and method %s", b.Problem, b.Method), nil
	case *signBody:
		return fmt.Sprintf("%s signed: %s", signer(b.Name, b.Role), b.Saw), nil
	default:
		u := body.(*undoBody)
		return fmt.Sprintf("event %d is undone", u.Event) + because(u.consent), nil
	}
}
