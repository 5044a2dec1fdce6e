package campaign

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// keptAt returns the number of the event up to which the file stores the state.
func keptAt(t testing.TB, c *Campaign) (seq int) {
	t.Helper()
	if err := c.store.Read(func(tx *events.Tx) (err error) {
		seq, err = tx.StateAt()
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return seq
}

// With many candidates, the stored state lags at most four events behind, and reopening loses nothing. The state is
// updated after every event other than a result, at the end of the run, and by Close. Verify detects a missing state.
func TestKept(t *testing.T) {
	const k, most = 40, 4
	c := beginWith(t, many(t, k, problem.FindPareto, "e-cAPE"))
	rnd := rand.New(rand.NewPCG(3, 4))
	value := func(arm string) []float64 {
		i := float64(slices.Index(c.now.ledger.problem.Candidates.Names, arm))
		return []float64{i/3 + rnd.NormFloat64(), i/4 + 2*rnd.NormFloat64()}
	}
	upToDate := func(when string) {
		t.Helper()
		if at := keptAt(t, c); at != status(t, c).Event {
			t.Errorf("%s the stored state is of event %d; want event %d", when, at, status(t, c).Event)
		}
	}
	lagged := 0
	for i := range 30 {
		q := ask(t, c, 1)[0]
		tell(t, c, Result{Ticket: q.Ticket, Values: value(q.Arm)})
		s := status(t, c)
		gap := s.Event - keptAt(t, c)
		if gap > most {
			t.Fatalf("the stored state is %d events behind; want at most %d", gap, most)
		}
		lagged = max(lagged, gap)
		if i%5 == 4 { // read the file as if this process had been killed here
			other, err := Open(c.Path())
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(status(t, other)) != fmt.Sprint(s) {
				t.Errorf("after event %d, a reopened campaign has another status", s.Event)
			}
			must(t, other.Close())
			verified(t, c)
		}
	}
	if lagged != most {
		t.Errorf("the stored state was at most %d events behind; want %d", lagged, most)
	}
	c.saveNow()
	upToDate("after a while")
	tell(t, c, Result{ID: "x", Arm: "arm 1", Values: value("arm 1")})
	must(t, c.Drop("arm 39", "sold out", "Ada"))
	upToDate("after a candidate was dropped")
	tell(t, c, Result{ID: "y", Arm: "arm 1", Values: value("arm 1")})
	path := c.Path()
	must(t, c.Close())
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	upToDate("after it was closed")
	for i := range 1000 {
		var all []Result
		for a := range 39 {
			all = append(all, Result{ID: fmt.Sprint(i, " ", a), Arm: fmt.Sprint("arm ", a),
				Values: []float64{3 * float64(a), -6 * float64(a)}})
		}
		if tell(t, c, all...).Status == Finished {
			break
		}
	}
	if s := status(t, c); s.Status != Finished {
		t.Fatal(s.Headline)
	}
	upToDate("when the run ended")
	verified(t, c)
	edit(t, path, "DELETE FROM state")
	v, err := Verify(context.Background(), path)
	if err != nil || !strings.Contains(strings.Join(v.Wrong, "\n"), "the table state is missing") {
		t.Errorf("without the state: %v, %v", v.Wrong, err)
	}
}

// many is a problem of k candidates with two objectives.
func many(t testing.TB, k int, find, method string) *problem.Problem {
	t.Helper()
	p := &problem.Problem{
		Question: problem.Question{Find: find, Delta: .1},
		Objectives: []problem.Objective{
			{Name: "x", Goal: problem.Maximise, Noise: problem.Noise{SD: ptr(1.)}},
			{Name: "y", Goal: problem.Minimise, Noise: problem.Noise{SD: ptr(2.)}, AtMost: ptr(9.)},
		},
		Method: problem.Method{Name: method},
	}
	if find == problem.FindFeasible {
		p.Objectives[0].AtLeast = ptr(1.)
	}
	if method == "APE" {
		p.Objectives[1].AtMost = nil
	}
	for i := range k {
		p.Candidates.Names = append(p.Candidates.Names, fmt.Sprint("arm ", i))
	}
	must(t, p.Validate())
	return p
}
