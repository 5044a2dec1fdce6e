package campaign

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

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
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	return p
}

// decimal rounds to one decimal.
func decimal(x float64) float64 { return math.Round(10*x) / 10 }

// A policy that says so is restored from its sums as it was: what is said of the state, and what it
// chooses next, are those of the run event by event.
func TestPooled(t *testing.T) {
	for _, x := range []struct{ find, method string }{
		{problem.FindPareto, "e-cAPE"}, {problem.FindPareto, "APE"},
		{problem.FindFeasible, "MD-APT"},
		{problem.FindBest, "TF-LUCB"},
	} {
		for _, seed := range []uint64{7, 10, 11} {
			p := many(t, 12, x.find, x.method)
			c := beginWith(t, p)
			rnd := rand.New(rand.NewPCG(seed, 5))
			for range 40 {
				var results []Result
				for _, q := range ask(t, c, 1+rnd.IntN(9)) {
					i := float64(slices.Index(p.Candidates.Names, q.Arm))
					if rnd.IntN(4) > 0 {
						// One decimal, as people tell: the last digits of sums depend on how they
						// are added up, and decide between means that are equal.
						results = append(results, Result{Ticket: q.Ticket, Values: []float64{
							decimal(i/3 + rnd.NormFloat64()), decimal(i + 2*rnd.NormFloat64())}})
					}
				}
				if len(results) > 0 {
					tell(t, c, results...)
				}
			}
			m := c.now
			if !m.run.compiled.Card.Uses.Has(explore.UsesSums) {
				t.Fatalf("%s is not restored from sums", x.method)
			}
			slow, err := restore(m.ledger, 0)
			if err != nil {
				t.Fatal(err)
			}
			fast, err := restore(m.ledger, m.runningUntil())
			if err != nil {
				t.Fatal(err)
			}
			said := func(r *run) string {
				s := (&snapshot{m.chain, m.ledger, r}).status()
				next, _, err := r.choose(m.ledger, 17)
				return fmt.Sprintf("%+v\n%v %v", s, next, err)
			}
			was, is := said(slow), said(fast)
			if was != is {
				t.Errorf("%s, seed %d: restored\n%s\nit was\n%s", x.method, seed, is, was)
			}
		}
	}
}

// Two candidates of the same mean tie, or do not, by how rewards are added up: .1 + (.2 + .3) is less
// than .1 + .2 + .3 and .2 + .2 + .2. What was kept by a process that opened the file in between
// verifies, and says what the one says that was there.
func TestTieIsRestored(t *testing.T) {
	p := many(t, 2, problem.FindPareto, "e-cAPE")
	p.Objectives = p.Objectives[:1]
	c := beginWith(t, p)
	of := map[string][]float64{"arm 0": {.1, .2, .3}, "arm 1": {.2, .2, .2}}
	step := func(c *Campaign, n int) {
		var results []Result
		for range n {
			for _, arm := range []string{"arm 0", "arm 1"} {
				results = append(results, Result{ID: fmt.Sprint(len(of["arm 0"]), arm), Arm: arm,
					Values: of[arm][:1]})
				of[arm] = of[arm][1:]
			}
		}
		tell(t, c, results...)
	}
	step(c, 1)
	step(c, 2)
	verified(t, c)
	again, err := Open(c.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	ask(t, again, 1)
	verified(t, c)
}

// How long it takes to open a campaign of so many events, and one of 1000 candidates with 3000
// results: PUREXP_OPEN says of how many events. Nothing is asserted.
func TestOpenSpeed(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("PUREXP_OPEN"))
	if err != nil {
		n = 2000
	}
	for _, x := range []struct{ arms, events int }{{4, n}, {1000, min(n, 6000)}} {
		p := many(t, x.arms, problem.FindPareto, "APE")
		path := filepath.Join(t.TempDir(), "x")
		rnd := rand.New(rand.NewPCG(1, 2))
		body := problemBody{ID: "x", Program: program(), Problem: p.Encode()}
		c, err := create(path, p, func(tx *events.Tx) error {
			if _, err := tx.Append("Ada", KindProblem, body); err != nil {
				return err
			}
			for i := range x.events / 2 {
				arm := i % x.arms
				name := p.Candidates.Names[arm]
				if _, err := tx.Append("Ada", KindAsk, askBody{Plate: i + 1, First: i + 1, Room: 1,
					Arms: []string{name}}); err != nil {
					return err
				}
				// Candidates 1 and 2 are too close for an end.
				v := []float64{float64(arm/2*2) + rnd.NormFloat64(), 5 + 2*rnd.NormFloat64()}
				if _, err := tx.Append("Ada", KindTell,
					tellBody{Rows: []rowBody{{Ticket: i + 1, Arm: name, Values: v}}}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		c, err = Open(path)
		if err != nil {
			t.Fatal(err)
		}
		opened := time.Since(begin)
		begin = time.Now()
		const tells = 20
		for i := range tells {
			tell(t, c, Result{ID: fmt.Sprint(i), Arm: "arm 1", Values: []float64{0, 5}})
		}
		t.Logf("%d candidates, %d events: open %v, %.0f tells a second, %s", x.arms, x.events,
			opened, tells/time.Since(begin).Seconds(), status(t, c).Status)
		c.Close()
	}
}
