package campaign

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Results that contradict what is on record, or cannot be, are refused as a whole, with kind and
// field; told twice is told once.
func TestTell(t *testing.T) {
	c := begin(t)
	ask(t, c, 2)
	ask(t, c, 1)
	first := Result{Ticket: 1, Values: []float64{70, 1}}
	tell(t, c, first)
	if r := tell(t, c, first, Result{Ticket: 2, Failed: true}); r.Repeated != 1 || r.Failed != 1 {
		t.Errorf("told twice: %+v", r)
	}
	for _, x := range []struct {
		r     Result
		kind  error
		field string
	}{
		{Result{Ticket: 1, Values: []float64{71, 1}}, ErrConflict, "ticket"},
		{Result{Ticket: 3, Plate: 1, Values: []float64{70, 1}}, ErrConflict, "plate"},
		{Result{Ticket: 3, Arm: "é", Values: []float64{70, 1}}, ErrConflict, "arm"},
		{Result{Ticket: 9, Values: []float64{70, 1}}, ErrInput, "ticket"},
		{Result{Ticket: 3, Values: []float64{-70, 1}}, ErrInput, "yield"},
		{Result{Ticket: 3, Values: []float64{70}}, ErrInput, "values"},
		{Result{Arm: "A07", Values: []float64{70, 1}}, ErrInput, "id"},
		{Result{ID: "p1", Arm: "Z", Values: []float64{70, 1}}, ErrInput, "arm"},
		{Result{Ticket: 3, Values: []float64{70, 1}, Failed: true}, ErrInput, "failed"},
	} {
		_, err := c.Tell([]Result{{Ticket: 3, Values: []float64{70, 1}}, x.r}, "Ada")
		var e InputErrors
		if !errors.Is(err, x.kind) || !errors.As(err, &e) || e[len(e)-1].Field != x.field ||
			e[len(e)-1].Row != 2 {
			t.Errorf("%+v: %v; want %v of %s", x.r, err, x.kind, x.field)
		}
	}
	if s := status(t, c); s.Used != 1 || s.Pending != 1 {
		t.Errorf("after results that were refused: %+v", s)
	}
	// é, composed and not, are one letter.
	tell(t, c, Result{ID: "p1", Arm: "e\u0301", Values: []float64{50, 3}})
	if r := tell(t, c, Result{ID: "p1", Arm: "\u00e9", Values: []float64{50, 3}}); r.Repeated != 1 {
		t.Errorf("an extra result told twice: %+v", r)
	}
	verified(t, c)
}

// After an undo all is as if the event had not been; an undo of the undo brings it back. Candidates
// come and go.
func TestUndo(t *testing.T) {
	c := begin(t)
	rnd := rand.New(rand.NewPCG(1, 9))
	var results []Result
	for _, x := range ask(t, c, 8) {
		results = append(results, measure(rnd, x))
	}
	said := func() string {
		s := status(t, c)
		s.Event, s.Hash, s.Guarantee = 0, "", nil
		return fmt.Sprintf("%+v", s)
	}
	before := said()
	receipt := tell(t, c, results...)
	after := said()
	undo := func(event int) int {
		if err := c.Undo(event, "a slip", "Ada"); err != nil {
			t.Fatal(err)
		}
		return status(t, c).Event
	}
	back := undo(receipt.Event)
	if got := said(); got != before {
		t.Errorf("undone:\n%s\nbefore\n%s", got, before)
	}
	verified(t, c)
	undo(back)
	if got := said(); got != after {
		t.Errorf("undone twice:\n%s\nafter\n%s", got, after)
	}
	for event, kind := range map[int]error{1: ErrConflict, 2: ErrConflict, back: ErrConflict,
		99: ErrInput} {
		if err := c.Undo(event, "", "Ada"); event != 2 && !errors.Is(err, kind) {
			t.Errorf("event %d: %v", event, err)
		}
	}
	if err := c.Drop("C11", "sold out", "Ada"); err != nil {
		t.Fatal(err)
	}
	dropped := status(t, c).Event
	if err := c.Join(problem.Candidate{Name: "D"}, "Ada"); err != nil {
		t.Fatal(err)
	}
	for _, x := range ask(t, c, 40) {
		if x.Arm == "C11" {
			t.Error("a candidate that was dropped is to be measured")
		}
	}
	s := status(t, c)
	i := slices.IndexFunc(s.Arms, func(a ArmStatus) bool { return a.Arm == "C11" })
	if s.Arms[i].Available ||
		!strings.Contains(strings.Join(s.Guarantee, " "), "and not about C11") {
		t.Errorf("%+v", s)
	}
	verified(t, c)
	undo(dropped)
	out, err := c.Tickets(Pending)
	if err != nil {
		t.Fatal(err)
	}
	results = nil
	for _, x := range out {
		results = append(results, measure(rnd, x))
	}
	tell(t, c, results...)
	finish(t, c, 8, 3)
	if arms, final, err := c.Answer(); err != nil || !final || !slices.Contains(arms, "D") {
		t.Errorf("answer %v, %v, %v", arms, final, err)
	}
	verified(t, c)
}

// Asking with a key again gets the same tickets.
func TestAskOnce(t *testing.T) {
	c := begin(t)
	a, err := c.AskOnce("k", 3, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.AskOnce("k", 5, "Ada")
	if err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("%v, then %v, %v", a, b, err)
	}
	if other := ask(t, c, 1); other[0].Ticket != 4 {
		t.Errorf("another ask: %v", other)
	}
}

// A value that no method can take is refused when it is told, and the campaign goes on.
func TestTellExtreme(t *testing.T) {
	c := beginWith(t, purities(problem.FindBest, "", 0))
	ticket := ask(t, c, 1)[0].Ticket
	_, err := c.Tell([]Result{{Ticket: ticket, Values: []float64{2e6}}}, "Ada")
	var e InputErrors
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "times the noise") {
		t.Errorf("error %v", err)
	}
	if s := status(t, c); s.Status != Running {
		t.Errorf("%s: %q", s.Status, s.Warnings)
	}
	tell(t, c, Result{Ticket: ticket, Values: []float64{2}})
	if s := status(t, c); s.Used != 1 {
		t.Errorf("%d used", s.Used)
	}
}
