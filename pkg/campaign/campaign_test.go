package campaign

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

func ptr[T any](v T) *T { return &v }

// coupling is a small problem: yield and impurity of four catalysts, of which impurity is bounded.
func coupling(t testing.TB) *problem.Problem {
	t.Helper()
	p := &problem.Problem{
		Title:      "Coupling",
		Question:   problem.Question{Find: problem.FindPareto, Delta: .1},
		Candidates: problem.Candidates{Names: []string{"A07", "B02", "C11", "é"}},
		Objectives: []problem.Objective{
			{Name: "yield", Unit: "%", Goal: problem.Maximise,
				Noise: problem.Noise{SD: ptr(3.)}, Values: []float64{0, 100}},
			{Name: "impurity", Goal: problem.Minimise, Noise: problem.Noise{SD: ptr(.5)},
				AtMost: ptr(5.)},
		},
	}
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	return p
}

// means are those of the candidates of coupling.
var means = map[string][]float64{"A07": {80, 2}, "B02": {60, 1}, "C11": {90, 9}, "é": {50, 3},
	"D": {90, .2}}

// measure returns a result for a ticket.
func measure(rnd *rand.Rand, t Ticket) Result {
	m := means[t.Arm]
	return Result{Ticket: t.Ticket, Values: []float64{m[0] + 3*rnd.NormFloat64(),
		m[1] + .5*rnd.NormFloat64()}}
}

// begin creates a campaign of coupling.
func begin(t testing.TB) *Campaign {
	t.Helper()
	return beginWith(t, coupling(t))
}

func beginWith(t testing.TB, p *problem.Problem) *Campaign {
	t.Helper()
	c, err := Create(filepath.Join(t.TempDir(), "x.campaign"), p, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// ask asks for n tickets.
func ask(t testing.TB, c *Campaign, n int) []Ticket {
	t.Helper()
	tickets, err := c.Ask(n, "robot-1")
	if err != nil {
		t.Fatal(err)
	}
	return tickets
}

func tell(t testing.TB, c *Campaign, results ...Result) Receipt {
	t.Helper()
	r, err := c.Tell(results, "robot-1")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func status(t testing.TB, c *Campaign) Status {
	t.Helper()
	s, err := c.Status()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// verified reports an error unless the file of c is in order and can be opened again as it is.
func verified(t testing.TB, c *Campaign) {
	t.Helper()
	v, err := Verify(context.Background(), c.Path())
	if err != nil || !v.OK() || len(v.Notes) > 0 {
		t.Errorf("verify: %+v, %v", v, err)
	}
	again, err := Open(c.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	was, is := fmt.Sprintf("%+v", status(t, c)), fmt.Sprintf("%+v", status(t, again))
	if was != is {
		t.Errorf("opened again:\n%s\nwas\n%s", is, was)
	}
}

// finish measures plates of n until the campaign is finished; failures fail.
func finish(t testing.TB, c *Campaign, n int, seed uint64) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 1))
	for range 10000 {
		plate := ask(t, c, n)
		if len(plate) == 0 {
			return
		}
		var results []Result
		for _, x := range plate {
			r := measure(rnd, x)
			if rnd.IntN(20) == 0 {
				r = Result{Ticket: x.Ticket, Failed: true, Note: "empty well"}
			}
			results = append(results, r)
		}
		tell(t, c, results...)
	}
	t.Fatal("the campaign does not end")
}

// A campaign by plates finishes with the right answer; all is there again when it is opened, and
// the policy chooses the same when it is gone through again.
func TestCampaign(t *testing.T) {
	c := begin(t)
	finish(t, c, 8, 1)
	s := status(t, c)
	arms, final, err := c.Answer()
	if err != nil || !final || fmt.Sprint(arms) != "[A07 B02]" {
		t.Errorf("answer %v, final %v, %v", arms, final, err)
	}
	if s.Status != Finished || s.Failed == 0 || !strings.Contains(s.Headline, "A07, B02") {
		t.Errorf("%+v", s)
	}
	verified(t, c)
}

// An id is of one result: told again for another candidate it is another result, also with the same
// values, and is not taken for the first.
func TestIDOfAnotherCandidate(t *testing.T) {
	c := begin(t)
	first := Result{ID: "page 12", Arm: "A07", Values: []float64{80, 2}}
	tell(t, c, first)
	if r := tell(t, c, first); r.Repeated != 1 || r.Event != 0 {
		t.Errorf("told again: %+v", r)
	}
	other := first
	other.Arm = "B02"
	if r, err := c.Tell([]Result{other}, "Ada"); !errors.Is(err, ErrConflict) {
		t.Errorf("told for another candidate: %+v, %v", r, err)
	}
	if r, err := c.Tell([]Result{{ID: "page 13", Arm: "A07", Values: []float64{1, 2}},
		{ID: "page 13", Arm: "B02", Values: []float64{1, 2}}}, "Ada"); !errors.Is(err, ErrConflict) {
		t.Errorf("two candidates at once: %+v, %v", r, err)
	}
}

// Measurements that failed are paid for.
func TestSpentOnFailures(t *testing.T) {
	p := coupling(t)
	p.Candidates.Costs = []float64{2, 2, 2, 2}
	c := beginWith(t, p)
	list := ask(t, c, 2)
	tell(t, c, Result{Ticket: list[0].Ticket, Failed: true},
		Result{Ticket: list[1].Ticket, Values: []float64{70, 2}})
	if s := status(t, c); s.Spent != 4 || s.Failed != 1 || s.Used != 1 {
		t.Errorf("spent %v on %d results and %d failures, at 2 each; want 4", s.Spent, s.Used, s.Failed)
	}
}

// A ticket is what a result of one is known by: what else stands beside it as an id is free for others, and does
// not make the same result another one.
func TestTicketsNeedNoID(t *testing.T) {
	c := begin(t)
	ask(t, c, 2)
	r := Result{Ticket: 1, ID: "page 3", Values: []float64{50, 2}}
	if n := tell(t, c, r); n.Used != 1 {
		t.Fatalf("%+v", n)
	}
	r.ID = ""
	if n := tell(t, c, r); n.Repeated != 1 {
		t.Errorf("%+v; want it known", n)
	}
	if n := tell(t, c, Result{ID: "page 3", Arm: "A07", Values: []float64{60, 3}}); n.Used != 1 {
		t.Errorf("%+v; want another result", n)
	}
}
