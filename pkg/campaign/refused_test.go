package campaign

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// What cannot be is refused with the place and what to do, and nothing is taken: the texts are in testdata.
func TestRefused(t *testing.T) {
	counts := &problem.Problem{Question: problem.Question{Find: problem.FindBest, Delta: .1}, Candidates: problem.Candidates{Names: []string{"low", "high"}},
		Objectives: []problem.Objective{{Name: "response", Goal: problem.Maximise, Noise: problem.Noise{Counts: ptr(12), Evaluable: "left", Of: "patients"}}}}
	refuses := coupling(t)
	refuses.Laboratory.Extras = problem.RefuseExtras
	plain, counted, closed := begin(t), beginWith(t, counts), beginWith(t, refuses)
	empty := begin(t)
	ask(t, plain, 3)
	ask(t, counted, 3)
	arm := ask(t, closed, 2)[0].Arm
	tell(t, plain, Result{ID: "old", Arm: "A07", Values: []float64{70, 2}})
	var out strings.Builder
	say := func(what string, err error) {
		kind := "other"
		switch {
		case err == nil:
			kind = "taken"
		case errors.Is(err, ErrConflict):
			kind = "conflict"
		case errors.Is(err, ErrInput):
			kind = "input"
		}
		fmt.Fprintf(&out, "%s: %s: %v\n", what, kind, err)
	}
	two := []float64{70, 2}
	long, hidden := strings.Repeat("é", 101), "a\tb"
	for _, x := range []struct {
		what string
		c    *Campaign
		list []Result
	}{
		{"nothing", plain, nil}, {"no tickets yet", empty, []Result{{Ticket: 1, Values: two}}}, {"negative ticket", plain, []Result{{Ticket: -1, Values: two}}},
		{"unknown ticket", plain, []Result{{Ticket: 4, Values: two}}}, {"another plate", plain, []Result{{Ticket: 1, Plate: 2, Values: two}}},
		{"another candidate", plain, []Result{{Ticket: 1, Arm: "é", Values: two}}}, {"no id", plain, []Result{{Arm: "A07", Values: two}}},
		{"no candidate", plain, []Result{{ID: "x", Values: two}}}, {"unknown candidate", plain, []Result{{ID: "x", Arm: "Z", Values: two}}},
		{"a plate without a ticket", plain, []Result{{ID: "x", Arm: "A07", Plate: 1, Values: two}}}, {"no values", plain, []Result{{Ticket: 1}}},
		{"a value too many", plain, []Result{{Ticket: 1, Values: []float64{1, 2, 3}}}}, {"no number", plain, []Result{{Ticket: 1, Values: []float64{math.NaN(), 2}}}},
		{"infinite", plain, []Result{{Ticket: 1, Values: []float64{50, math.Inf(1)}}}}, {"large", plain, []Result{{Ticket: 1, Values: []float64{50, 1e51}}}},
		{"far", plain, []Result{{Ticket: 1, Values: []float64{50, 1e20}}}}, {"outside", plain, []Result{{Ticket: 1, Values: []float64{100.1, 2}}}},
		{"below", plain, []Result{{Ticket: 1, Values: []float64{-.1, 2}}}}, {"failed with values", plain, []Result{{Ticket: 1, Failed: true, Values: two}}},
		{"a long id", plain, []Result{{ID: long, Arm: "A07", Values: two}}}, {"a hidden letter", plain, []Result{{ID: hidden, Arm: "A07", Values: two}}},
		{"no text", plain, []Result{{ID: "\xff", Arm: "A07", Values: two}}}, {"a hidden letter in a name", plain, []Result{{ID: "x", Arm: hidden, Values: two}}},
		{"a long note", plain, []Result{{Ticket: 1, Values: two, Note: strings.Repeat("x", 1001)}}}, {"a note of no text", plain, []Result{{Ticket: 1, Values: two, Note: "\xff"}}},
		{"evaluable of all", plain, []Result{{Ticket: 1, Values: two, Of: 3}}}, {"twice otherwise", plain, []Result{{Ticket: 1, Values: two}, {Ticket: 1, Values: []float64{71, 2}}}},
		{"an id twice otherwise", plain, []Result{{ID: "x", Arm: "A07", Values: two}, {ID: "x", Arm: "B02", Values: two}}},
		{"an id of before", plain, []Result{{ID: "old", Arm: "A07", Failed: true}}}, {"an id of before again", plain, []Result{{ID: " old ", Arm: "A07", Values: two}}},
		{"too many evaluable", counted, []Result{{Ticket: 1, Values: []float64{3}, Of: 13}}}, {"negative evaluable", counted, []Result{{Ticket: 1, Values: []float64{3}, Of: -1}}},
		{"more than evaluable", counted, []Result{{Ticket: 1, Values: []float64{8}, Of: 7}}}, {"half a patient", counted, []Result{{Ticket: 1, Values: []float64{2.5}}}},
		{"more than all", counted, []Result{{Ticket: 1, Values: []float64{13}}}},
		{"unsolicited where that is refused", closed, []Result{{ID: "x", Arm: arm, Values: two}}},
		{"where it comes from", plain, []Result{{Ticket: 1, Values: two, Where: "a.csv:2"}, {Ticket: 9, Where: "a.csv:3"}}},
		{"some of many", plain, append(make([]Result, 25), Result{Ticket: 1, Values: two})},
	} {
		before := status(t, x.c)
		_, err := x.c.Tell(x.list, "robot")
		say(x.what, err)
		if after := status(t, x.c); err != nil && after.Hash != before.Hash {
			t.Errorf("%s: something was taken", x.what)
		}
	}
	var all InputErrors
	if _, err := plain.Tell(make([]Result, 500), "robot"); !errors.As(err, &all) || len(all) != mostErrors {
		t.Errorf("%d errors; want %d", len(all), mostErrors)
	}
	for _, who := range []string{"", " ", long, hidden, "\xff", strings.Repeat("x", 200)} {
		_, err := plain.Tell([]Result{{Ticket: 2, Failed: true}}, who)
		say(fmt.Sprintf("told by %.10q", who), err)
		_, err = plain.Ask(1, who)
		say(fmt.Sprintf("asked by %.10q", who), err)
	}
	for _, n := range []int{0, -1, MostAsked, MostAsked + 1} {
		_, err := empty.Ask(n, "robot")
		say(fmt.Sprint("asked for ", n), err)
	}
	for _, key := range []string{long, hidden, strings.Repeat("x", 200)} {
		_, err := empty.AskOnce(key, 1, "robot")
		say(fmt.Sprintf("key %.10q", key), err)
	}
	_, err := plain.GiveUp([]int{7}, "gone", "robot")
	say("giving up what is not", err)
	_, err = plain.GiveUp(nil, "gone", "robot")
	say("giving up nothing", err)
	say("no name signs", plain.Sign("", "", "robot"))
	say("no role", plain.Sign("Ada", hidden, "robot"))
	say("signed by nobody", plain.Sign("Ada", "", ""))
	say("undone by nobody", plain.Undo(2, "", ""))
	say("undone below", plain.Undo(0, "", "Ada"))
	say("no second person", plain.UndoWith(2, Consent{Why: "x", By: hidden}, "Ada"))
	say("oneself", plain.UndoWith(2, Consent{Why: "x", By: "ADA"}, "Ada"))
	say("dropped by nobody", plain.Drop("A07", "", ""))
	say("joined by nobody", plain.Join(problem.Candidate{Name: "N"}, " "))
	say("joined without a name", plain.Join(problem.Candidate{}, "Ada"))
	say("joined with a hidden letter", plain.Join(problem.Candidate{Name: hidden}, "Ada"))
	say("joined with a column", plain.Join(problem.Candidate{Name: "N", Columns: map[string]string{"x": "1"}}, "Ada"))
	golden.Check(t, "refused.txt", out.String())
}

// Wells of a reference that there is not, and as many as there cannot be, are no record.
func TestForgedReference(t *testing.T) {
	p := coupling(t)
	p.Laboratory.Plate, p.Laboratory.Reference = 4, "control"
	c := beginWith(t, p)
	tickets := ask(t, c, 4)
	tell(t, c, Result{Ticket: tickets[3].Ticket, Values: []float64{50, 2}})
	const was = `"reference":{"name":"control","wells":1}`
	for _, is := range []string{`"reference":{"name":"other","wells":1}`, `"reference":{"name":"control","wells":0}`, `"reference":{"name":"control","wells":10001}`} {
		if _, err := forged(t, c, was, is); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "which is none") {
			t.Errorf("%s: %v", is, err)
		}
	}
	if _, err := forged(t, c, `"values":[50,2]`, `"values":[50]`); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "references[0].values: 1; want 2") {
		t.Errorf("a value too few: %v", err)
	}
	if _, err := forged(t, c, `"ticket":4`, `"ticket":1`); !errors.Is(err, ErrDamaged) {
		t.Errorf("a ticket of a candidate: %v", err)
	}
}
