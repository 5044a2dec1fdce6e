package campaign

import (
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// References describes the results of the reference candidate or control. The reference is measured
// on each plate, and its results are used only to monitor plates and drift.
type References struct {
	Name    string `json:"name" doc:"Name of the reference, a candidate or a control"`
	Told    int    `json:"told" doc:"Number of results"`
	Failed  int    `json:"failed"`
	Pending int    `json:"pending"`
	// Missing lists the plates that have reported results but lack the result of at least one
	// reference well.
	Missing []int `json:"missing,omitempty" doc:"Plates that have results but lack results of reference wells"`
}

// askReference adds the reference tickets of an ask event to the ledger.
func (l *ledger) askReference(e *events.Event, b *askBody, stands bool) error {
	f := b.Reference
	if f == nil {
		return nil
	}
	if f.Name != l.problem.Laboratory.Reference || f.Wells < 1 || f.Wells > MostAsked {
		return fmt.Errorf("%w: event %d: reference: %d wells of %q, which is not the reference", ErrDamaged,
			e.Seq, f.Wells, f.Name)
	}
	for range f.Wells {
		t := Ticket{Ticket: len(l.tickets) + 1, Plate: b.Plate, Arm: f.Name, Who: e.Who, At: e.At,
			Event: e.Seq, State: Pending, Reference: true}
		if !stands {
			t.State = Withdrawn
		}
		l.tickets, l.told = append(l.tickets, t), append(l.told, nil)
	}
	return nil
}

// tellReference adds the reference results of a report to the ledger.
func (l *ledger) tellReference(e *events.Event, b *tellBody) error {
	for i := range b.References {
		r := &b.References[i]
		if err := l.answers(e, r, true); err != nil {
			return err
		}
		if field, err := l.possible(r, l.problem.Measured()); err != nil {
			return fmt.Errorf("%w: event %d: references[%d].%s: %w", ErrDamaged, e.Seq, i, field, err)
		}
		l.take(r)
	}
	return nil
}

// apart separates rows of candidates from rows of reference wells.
func (l *ledger) apart(rows []rowBody) (arms, references []rowBody) {
	arms = []rowBody{} // an empty slice is encoded as an empty JSON list instead of null
	for _, r := range rows {
		if r.Ticket > 0 && l.tickets[r.Ticket-1].Reference {
			references = append(references, r)
		} else {
			arms = append(arms, r)
		}
	}
	return arms, references
}

// references summarises the results of the reference, or returns nil without a reference.
func (l *ledger) references() *References {
	name := l.problem.Laboratory.Reference
	if name == "" {
		return nil
	}
	s := &References{Name: name}
	measured, lacks := map[int]bool{}, map[int]bool{} // plates with results, and plates that lack reference results
	for i := range l.tickets {
		switch t := &l.tickets[i]; {
		case !t.Reference:
			measured[t.Plate] = measured[t.Plate] || t.State == Told
		case t.State == Told:
			s.Told++
		case t.State == Failed:
			s.Failed++
			lacks[t.Plate] = true
		case t.State == Pending:
			s.Pending++
			lacks[t.Plate] = true
		}
	}
	for plate := range lacks {
		if measured[plate] {
			s.Missing = append(s.Missing, plate)
		}
	}
	slices.Sort(s.Missing)
	return s
}

// String describes the results of the reference in one sentence.
func (s *References) String() string {
	return fmt.Sprintf("The reference, %s, has %s. Only the monitors of plates and drift use the results of "+
		"the reference.", s.Name, counted(s.Told, "result", "results"))
}

// warning names the plates on which reference results are missing, or returns "".
func (s *References) warning() string {
	if len(s.Missing) == 0 {
		return ""
	}
	var plates []string
	for _, p := range s.Missing {
		plates = append(plates, fmt.Sprint(p))
	}
	return fmt.Sprintf("Results of the reference, %s, are missing on plates that have other results: %s. Without "+
		"these results, the monitors detect plate effects later.", s.Name, problem.Abbreviated(plates))
}
