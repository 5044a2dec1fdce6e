package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// wells is a problem with eight candidates, plates of 24 wells and a budget of 96 measurements.
func wells(t *testing.T, method string) *problem.Problem {
	t.Helper()
	p := &problem.Problem{
		Question:   problem.Question{Find: problem.FindPareto, Delta: .1},
		Candidates: problem.Candidates{Names: []string{"A", "B", "C", "D", "E", "F", "G", "H"}},
		Objectives: []problem.Objective{
			{Name: "yield", Unit: "%", Goal: problem.Maximise, Noise: problem.Noise{SD: ptr(3.)}},
			{Name: "impurity", Goal: problem.Minimise, Noise: problem.Noise{SD: ptr(.5)}}},
		Method: problem.Method{Name: method}, Laboratory: problem.Laboratory{Plate: 24, Measurements: 96}}
	p.Begin(nil)
	return p
}

// toldWell returns a result for a ticket. Yields increase with the index of the candidate; the Pareto set is G and H.
func toldWell(rnd *rand.Rand, x Ticket) Result {
	i := float64(x.Arm[0] - 'A')
	return Result{Ticket: x.Ticket, Values: []float64{40 + 5*i + rnd.NormFloat64(),
		map[string]float64{"G": 1, "H": 4}[x.Arm] + max(0, 9-i)*min(1, max(0, 6-i)) + .1*rnd.NormFloat64()}}
}

// spend measures plates until no more measurements are requested.
func spend(t *testing.T, c *Campaign, rnd *rand.Rand) Status {
	t.Helper()
	for {
		plate := ask(t, c, 24)
		if len(plate) == 0 {
			return status(t, c)
		}
		var results []Result
		for _, x := range plate {
			results = append(results, toldWell(rnd, x))
		}
		tell(t, c, results...)
	}
}

// A campaign with a fixed budget spends the budget, and every output states that the answer is a best guess.
func TestBudget(t *testing.T) {
	for _, method := range []string{"EGE-SR", "EGE-SH", "Uniform, fixed budget", "GEGE, fixed budget"} {
		c := beginWith(t, wells(t, method))
		if s := status(t, c); s.Budget != 96 || s.Affordable != 0 || s.Excess() != "" || s.Headline != "Started: 8 candidates; none of 96 measurements has been made yet." {
			t.Errorf("%s: %s", method, s.Headline)
		}
		rnd := rand.New(rand.NewPCG(3, 1))
		for _, x := range ask(t, c, 8) {
			tell(t, c, toldWell(rnd, x))
		}
		if s := status(t, c); s.Status != Running || !strings.HasPrefix(s.Headline, "Running: 8 of 96 measurements made; ") {
			t.Errorf("%s: %s", method, s.Headline)
		}
		s := spend(t, c, rnd)
		want := fmt.Sprintf("Finished after %d measurements of a budget of 96: the best guess is G, H. The method declares no error probability for this guess.", s.Used)
		if s.Status != Finished || s.Headline != want || s.Used > 96 || s.Used < 80 || s.Unused > 0 {
			t.Errorf("%s: %+v", method, s)
		}
		all := strings.Join(append(s.Guarantee, s.Headline), " ")
		if s.Done() || !s.Over() || strings.Contains(all, "wrong with probability at most") ||
			!strings.Contains(all, "declares no error probability, and there is no certificate") {
			t.Errorf("%s: the status claims a certificate: %s", method, all)
		}
		if _, final, err := c.Answer(); final || err != nil {
			t.Errorf("%s: a guess is final: %v", method, err)
		}
		if _, ok, err := c.Sure(); ok || err != nil {
			t.Errorf("%s: Sure returns the confidence of a guess: %v", method, err)
		}
		var text bytes.Buffer
		if err := c.Certificate(&text); !errors.Is(err, ErrConflict) || text.Len() > 0 ||
			!strings.Contains(err.Error(), method+" spends a fixed number of measurements") {
			t.Errorf("%s: a certificate: %v", method, err)
		}
		verified(t, c)
		// An imported record restores the same campaign, and a campaign accepts only its own problem.
		must(t, c.Export(&text))
		again, err := Import(filepath.Join(t.TempDir(), "again.campaign"), &text)
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		if is := status(t, again); is.Headline != s.Headline || is.Hash != s.Hash {
			t.Errorf("%s: imported: %+v", method, is)
		}
		other := wells(t, method)
		other.Method.Budget = 97
		if err := c.Check(other); !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), "the file differs in method") {
			t.Error(err)
		}
		if err := c.Check(wells(t, method)); err != nil {
			t.Error(err)
		}
		// Drop fails if the remaining budget is too small for the remaining candidates.
		want = fmt.Sprintf("laboratory.measurements: %d is too small for %s; this problem needs at least ", max(1, 96-s.Used), method)
		if err := c.Drop("A", "gone", "Ada"); err == nil || !strings.Contains(err.Error(), want) || status(t, c).Hash != s.Hash {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// Undone and failed measurements are requested again. If a candidate leaves, the other candidates get its part of
// the budget.
func TestBudgetIsMended(t *testing.T) {
	c := beginWith(t, wells(t, "EGE-SR"))
	rnd := rand.New(rand.NewPCG(5, 1))
	first := ask(t, c, 24)
	var results []Result
	for i, x := range first {
		r := toldWell(rnd, x)
		if i >= 4 { // 20 of the 24 measurements fail, about a fifth of the budget
			r = Result{Ticket: x.Ticket, Failed: true}
		}
		results = append(results, r)
	}
	slip := tell(t, c, results...)
	must(t, c.Undo(slip.Event, "plates were swapped", "Ada"))
	if s := status(t, c); s.Used != 0 || s.Pending != 24 {
		t.Fatalf("undone: %+v", s)
	}
	tell(t, c, results...)
	verified(t, c)
	must(t, c.Drop("H", "sold out", "Ada"))
	s := spend(t, c, rnd)
	made := s.Used + s.Unused
	if s.Status != Finished || !strings.Contains(s.Headline, "the best guess is G.") || made > 96 || made < 80 || s.Failed != 20 {
		t.Errorf("%d made: %+v", made, s)
	}
	verified(t, c)
	// The remaining budget is too small for a new candidate.
	err := c.Join(problem.Candidate{Name: "I"}, "Ada")
	if err == nil || !strings.Contains(err.Error(), "3 is too small for EGE-SR; this problem needs at least 9 measurements") {
		t.Errorf("a candidate joins although too little budget is left: %v", err)
	}
	if after := status(t, c); after.Event != s.Event {
		t.Errorf("the rejected candidate is on record: %+v", after)
	}
}
