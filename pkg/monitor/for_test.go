package monitor_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/monitor"
)

// Of a problem, what is known is not watched, noise is that of each objective, and rewards with a
// link have its range.
func TestForReadsProblem(t *testing.T) {
	p := &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1, Sigmas: []float64{1, .1}}
	found := func(p *explore.Problem, x ...float64) []monitor.Finding {
		m, err := monitor.For(p)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 20 {
			m.Observe(n%2, 0, []float64{x[0] * float64(n%4/2), x[1] * float64(n%4/2)}[:p.D()])
		}
		m.Look()
		return m.Report().Findings
	}
	if f := found(p, 1, 1); len(f) == 0 || f[0].Objective != 1 {
		t.Errorf("a scatter of 1/2 with an sd of 0.1: %+v", f)
	}
	nan := math.NaN()
	p.Known = mat.NewDense(2, 2, []float64{nan, 1, nan, 1})
	if f := found(p, 1, 1); len(f) != 0 {
		t.Errorf("of what is known: %+v", f)
	}
	p.Known = mat.NewDense(2, 2, []float64{1, nan, 1, nan})
	if f := found(p, 9, 1); len(f) == 0 || f[0].Objective != 1 {
		t.Errorf("with the other one known: %+v", f)
	}
	rates := &explore.Problem{X: mat.NewDense(2, 1, []float64{1, 2}), Sigma: 1, Link: explore.Logit}
	if f := found(rates, 1, 0); len(f) != 0 {
		t.Errorf("successes and failures: %+v", f)
	}
	if f := found(rates, 2, 0); len(f) == 0 || f[0].Kind != monitor.Range {
		t.Errorf("2 successes in a trial: %+v", f)
	}
	counts := &explore.Problem{X: rates.X, Sigma: 1, Link: explore.Log}
	if f := found(counts, 30, 0); len(f) > 0 && f[0].Kind == monitor.Range {
		t.Errorf("30 events: %+v", f)
	}
	if f := found(counts, -1, 0); len(f) == 0 || f[0].Kind != monitor.Range {
		t.Errorf("events less than none: %+v", f)
	}
	if _, err := monitor.For(&explore.Problem{X: rates.X, Sigma: 1, Changing: true}); err == nil {
		t.Error("features that change are watched")
	}
}
