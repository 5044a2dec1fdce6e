package campaign

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

const someEvaluable = `, evaluable = "evaluable"`

// A campaign of cohorts, in which some patients cannot be evaluated, has the same means, intervals and verdicts as
// a campaign that measures single patients.
func TestEvaluable(t *testing.T) {
	cohorts := beginWith(t, trial(t, someEvaluable))
	alone := trial(t, "")
	for i := range alone.Objectives {
		alone.Objectives[i].Noise.Counts = ptr(1)
	}
	alone.Method.Name = status(t, cohorts).Method
	patients := beginWith(t, alone)
	rnd := rand.New(rand.NewPCG(1, 4))
	rates := map[string][]float64{"low": {.4, .3}, "middle": {.5, .4}, "high": {.6, .5}}
	n := 0
	for range 8 {
		var results, one []Result
		for _, x := range ask(t, cohorts, 4) {
			r := Result{Ticket: x.Ticket, Values: []float64{0, 0}, Of: 12 - rnd.IntN(6)}
			for range r.Of {
				n++
				p := Result{ID: fmt.Sprint(n), Arm: x.Arm, Values: []float64{0, 0}}
				for k, rate := range rates[x.Arm] {
					if rnd.Float64() < rate {
						p.Values[k]++
						r.Values[k]++
					}
				}
				one = append(one, p)
			}
			results = append(results, r)
		}
		tell(t, cohorts, results...)
		tell(t, patients, one...)
	}
	s, want := status(t, cohorts), status(t, patients)
	if s.Trials != n || want.Used != n || s.Used != 32 {
		t.Errorf("%d cohorts of %d patients; want %d", s.Used, s.Trials, n)
	}
	for i, a := range s.Arms {
		b := want.Arms[i]
		if a.Verdict != b.Verdict || a.Why != b.Why || a.Trials != b.Used {
			t.Errorf("%+v; want %+v", a, b)
		}
		for k := range a.Estimate {
			for _, x := range [][2]float64{{a.Estimate[k], b.Estimate[k]}, {a.Low[k], b.Low[k]}, {a.High[k], b.High[k]}} {
				if math.Abs(x[0]-x[1]) > 1e-9 {
					t.Errorf("%s: %v; want %v", a.Arm, x[0], x[1])
				}
			}
		}
	}
	if e := s.Evidence; e.Withdrawn() {
		t.Errorf("incomplete cohorts contradict the declarations: %+v", e)
	}
	verified(t, cohorts)
}

// If a single result lacks the number of evaluable trials, all trials are evaluable.
func TestFillEvaluable(t *testing.T) {
	p := trial(t, someEvaluable)
	for cell, want := range map[string]int{"": 0, " ": 0, "NA": 0, "NaN": 0, " 9 ": 9, "12": 12, "nine": -1, "9.5": -1} {
		r := Result{Ticket: 1}
		err := r.Fill(p, map[string]string{"responses": "4", "toxicity": "1", "evaluable": cell})
		if (err != nil) != (want < 0) || err == nil && (r.Of != want || !slices.Equal(r.Values, []float64{4, 1})) {
			t.Errorf("%q: %d and %v, %v; want %d", cell, r.Of, r.Values, err, want)
		}
	}
}

// Impossible numbers are rejected: more evaluable trials than trials, more successes than evaluable trials, or
// a number of evaluable trials for a problem without a column for it.
func TestEvaluableErrors(t *testing.T) {
	c := beginWith(t, trial(t, someEvaluable))
	ask(t, c, 3)
	for _, x := range []struct {
		of   int
		v    float64
		want string
	}{
		{13, 4, "evaluable: 13 evaluable patients; expected at most 12"}, {-1, 0, "evaluable: -1; expected 1 to 12"},
		{5, 6, "responses: 6 of 5 evaluable patients"}, {5, 12, "responses: 12 of 5 evaluable patients"},
	} {
		_, err := c.Tell([]Result{{Ticket: 1, Values: []float64{x.v, 0}, Of: x.of}}, "Ada")
		if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%+v: %v", x, err)
		}
	}
	tell(t, c, Result{Ticket: 1, Values: []float64{4, 0}, Of: 11})
	for _, of := range []int{10, 12, 0} { // 0 means that all trials are evaluable
		if _, err := c.Tell([]Result{{Ticket: 1, Values: []float64{4, 0}, Of: of}}, "Ada"); !errors.Is(err, ErrConflict) ||
			!strings.Contains(err.Error(), "reported before, as [4 0] of 11") {
			t.Error(of, err)
		}
	}
	if r := tell(t, c, Result{Ticket: 1, Values: []float64{4, 0}, Of: 11}); r.Repeated != 1 {
		t.Errorf("told again: %+v", r)
	}
	c = beginWith(t, trial(t, ""))
	ask(t, c, 3)
	if _, err := c.Tell([]Result{{Ticket: 1, Values: []float64{4, 0}, Of: 11}}, "Ada"); !errors.Is(err, ErrInput) ||
		!strings.Contains(err.Error(), "of: 11 evaluable trials, but the problem has no column of evaluable trials") {
		t.Error(err)
	}
	for method, want := range map[string]string{
		"Betting feasible Pareto": "Betting feasible Pareto requires complete measurements, but some measurements may have fewer patients; replace non-evaluable trials before you report results, and leave out evaluable = \"evaluable\"; ",
		"e-cAPE":                  "",
	} {
		p := trial(t, someEvaluable)
		p.Question.Find, p.Objectives[1].Goal = problem.FindPareto, problem.Minimise
		_, err := p.CompileFor(method)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// Odd does not question 2 successes of 2 evaluable patients, but questions 2 successes of 12.
func TestEvaluableIsNoSlip(t *testing.T) {
	c := beginWith(t, trial(t, someEvaluable))
	for i := range 12 {
		tell(t, c, Result{ID: fmt.Sprint(i), Arm: []string{"low", "high"}[i%2], Values: []float64{11, 1}, Of: 12})
	}
	for of, want := range map[int]int{2: 0, 12: 1} {
		odd, err := c.Odd([]Result{{ID: "x", Arm: "high", Values: []float64{2, 1}, Of: of}})
		if err != nil || len(odd) != want {
			t.Errorf("2 of %d: %q, %v", of, odd, err)
		}
	}
}
