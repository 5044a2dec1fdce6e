package campaign

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// Sure approximates the smallest delta at which the method would stop: the method stops at 1.001 times the returned
// delta, but not at 0.75 times the returned delta. At the end of a campaign, the returned delta is at most the
// campaign's delta.
func TestSure(t *testing.T) {
	c := beginWith(t, yieldsOf(t))
	if s, ok, err := c.Sure(); err != nil || !ok || s.Delta != 1 {
		t.Errorf("before anything was measured: %+v, %v, %v", s, ok, err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	means := map[string]float64{"a": 60, "b": 62, "c": 64, "d": 67}
	last := 1.
	for status(t, c).Status == Running {
		tickets := ask(t, c, 8)
		var results []Result
		for _, k := range tickets {
			results = append(results, Result{Ticket: k.Ticket, Values: []float64{means[k.Arm] + 2*rnd.NormFloat64()}})
		}
		tell(t, c, results...)
		s, ok, err := c.Sure()
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if last = s.Delta; last == 1 {
			continue
		}
		batches, err := c.Rewards()
		if err != nil {
			t.Fatal(err)
		}
		for times, want := range map[float64]bool{1.001: true, .75: false} {
			r, _, err := at(yieldsOf(t), min(times*last, .499), batches)
			if err != nil || (r.Status == explore.Stopped) != want && last > 1e-12 {
				t.Errorf("at %v of %v it stands: %v, %v", times, last, r.Status, err)
			}
		}
	}
	if s, _, _ := c.Sure(); !(s.Delta <= .05) || fmt.Sprint(s.Answer) != "[d]" {
		t.Errorf("at the end: %+v", s)
	}
	s, _, _ := c.Sure()
	if len(s.Arms) != 4 || !strings.Contains(s.String(), "a rejected (") || !strings.Contains(s.String(), "d in the answer (") {
		t.Errorf("%s", s)
	}
	for i, a := range s.Arms {
		if a.Delta > .05 || i > 0 && a.Delta < s.Arms[i-1].Delta {
			t.Errorf("%+v", s.Arms)
		}
	}
}

// At the end of a campaign, Sure reports the answer at the campaign's delta, although the search for the smallest
// delta may return a larger delta. In this test, the results only just satisfy the stopping rule.
func TestSureAtTheEnd(t *testing.T) {
	p := many(t, 2, problem.FindPareto, "APE")
	p.Objectives, p.Question.Delta, p.Method.Confirm = p.Objectives[:1], .05, new(bool)
	p.Begin(nil)
	batches := func(lead float64) []explore.Batch {
		return []explore.Batch{{Pull: explore.Pull{Arm: 0, N: 2}, Sum: []float64{0}},
			{Pull: explore.Pull{Arm: 1, N: 2}, Sum: []float64{2 * lead}}}
	}
	lo, hi := 0., 100.
	for range 60 {
		lead := (lo + hi) / 2
		if r, _, err := at(p, .05, batches(lead)); err != nil {
			t.Fatal(err)
		} else if r.Status == explore.Stopped {
			hi = lead
		} else {
			lo = lead
		}
	}
	c := beginWith(t, p)
	tell(t, c, Result{ID: "1", Arm: "arm 0", Values: []float64{0}},
		Result{ID: "2", Arm: "arm 0", Values: []float64{0}},
		Result{ID: "3", Arm: "arm 1", Values: []float64{hi}},
		Result{ID: "4", Arm: "arm 1", Values: []float64{hi}})
	s, ok, err := c.Sure()
	if err != nil || !ok || status(t, c).Status != Finished || s.Delta != .05 || fmt.Sprint(s.Answer) != "[arm 1]" {
		t.Errorf("%s: %+v, %v, %v", status(t, c).Headline, s, ok, err)
	}
}

// The error probability that Sure returns is valid at all times. With two nearly equal candidates, Sure reports the
// wrong best candidate at delta 0.2 in at most 20 % of campaigns.
func TestSureErrorRate(t *testing.T) {
	const runs, delta = 120, .2
	p, err := problem.Parse("p.toml", []byte(`[question]
find = "best"
delta = 0.05
[candidates]
names = ["a", "b"]
[[objective]]
name = "yield"
noise = { sd = 1 }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	p.Method.Name = p.MethodName() // a recorded problem names its method
	wrong := 0
	for run := range uint64(runs) {
		rnd := rand.New(rand.NewPCG(run, 3))
		batches := []explore.Batch{{Pull: explore.Pull{Arm: 0}, Sum: []float64{0}},
			{Pull: explore.Pull{Arm: 1}, Sum: []float64{0}}}
		for n := range 60 {
			b := &batches[n%2]
			x, err := compiled.In(nil, n%2, []float64{1e-3*float64(n%2) + rnd.NormFloat64()})
			if err != nil {
				t.Fatal(err)
			}
			b.N++
			b.Sum[0] += x[0]
			if n == 0 || n%4 > 0 {
				continue
			}
			s, err := sure(p, batches)
			if err != nil {
				t.Fatal(err)
			}
			better := func(a ArmConfidence) bool {
				return a.Delta <= delta && a.Arm == "b" && a.Verdict == "rejected"
			}
			if s.Delta <= delta && s.Answer[0] == "a" || slices.ContainsFunc(s.Arms, better) {
				wrong++
				break
			}
		}
	}
	if most := delta*runs + 3*math.Sqrt(delta*(1-delta)*runs); float64(wrong) > most {
		t.Errorf("wrong in %d of %d campaigns; %.0f allowed", wrong, runs, most)
	}
	t.Logf("wrong in %d of %d", wrong, runs)
}

// If known values determine the answer, the answer is certain from the start, and additional measurements change
// nothing.
func TestSureOfWhatIsKnown(t *testing.T) {
	c := certify(t, certifieds["nothing to measure"], 0)
	for i := range 3 {
		s, ok, err := c.Sure()
		if err != nil || !ok || s.Delta > 1e-11 || s.Answer != nil || !strings.Contains(s.String(), "would stop now with this answer: "+
			"no candidate satisfies all bounds.") {
			t.Errorf("after %d results: %+v, %v, %v", i, s, ok, err)
		}
		tell(t, c, Result{ID: fmt.Sprint(i), Arm: "A", Values: []float64{10}})
	}
}
