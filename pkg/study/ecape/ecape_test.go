package ecape

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
)

// simulate returns rows of an experiment without its bounds. If constants are given, simulate runs only the methods
// with these constants. Each method has reps replicates.
func simulate(tb testing.TB, e study.Experiment, reps int, seed uint64, constants ...string) []mc.Row {
	tb.Helper()
	e.Reps, e.Bounds = reps, nil
	e.Methods = slices.DeleteFunc(slices.Clone(e.Methods), func(m study.Method) bool {
		return len(constants) > 0 && !slices.Contains(constants, m.Constants)
	})
	for i := range e.Methods {
		e.Methods[i].Reps = 0
	}
	g, err := e.Grid(study.Options{Seed: seed})
	if err != nil {
		tb.Fatal(err)
	}
	rows, err := g.Run(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return rows
}

// The arms have the properties for which the instances were chosen.
func TestInstances(t *testing.T) {
	const o, d, i, b = "optimal", "dominated", "infeasible", "dominated and infeasible"
	for name, want := range map[string][]string{
		SimplexRegion: {o, o, o, d, d, i, b, b},
		CubeRegion:    {o, o, o, d, d, d, b, i, i},
		OrderedRegion: {o, o, o, d, d, b, b, i, i},
		CheapReasons:  {o, o, d, d, i},
		HardReasons:   {o, o, b, i, d},
		Racing5:       {o, d, d, d, d},
		Racing10:      {o, d, d, d, d, d, d, d, d, d},
	} {
		inst, err := instance(name)
		if err != nil {
			t.Fatal(err)
		}
		truth := inst.Problem.Question.(question.FeasiblePareto).Truth(inst.Truth())
		var got []string
		for a := range inst.Problem.K() {
			got = append(got, hardness.Status(truth, a))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q; want %q", name, got, want)
		}
		if len(inst.Notes) == 0 {
			t.Errorf("%s does not say whose means these are", name)
		}
	}
}

// Instances are as in appendix F: no dominated arm dominates another arm, and only the optimal arm is near the
// boundary.
func TestHardForRacing(t *testing.T) {
	for _, name := range HardForRacing.Names {
		inst, err := instance(name)
		if err != nil {
			t.Fatal(err)
		}
		mu := inst.Truth()
		truth := inst.Problem.Question.(question.FeasiblePareto).Truth(mu)
		var others []int
		for i := 1; i < inst.Problem.K(); i++ {
			others = append(others, i)
			if truth.By[i] != 0 || truth.D[i] < .149 || truth.Eta[i] < 3.9*truth.Eta[0] {
				t.Errorf("%s: arm %d is dominated by %d by %v, at %v from the boundary", name,
					i+1, truth.By[i]+1, truth.D[i], truth.Eta[i])
			}
		}
		if front := pareto.SetOf(mu, others); !slices.Equal(front, others) {
			t.Errorf("%s: without the optimal arm the Pareto set is %v; want all others", name, front)
		}
	}
}

// The complexities are computed by hand. The terms 2 sigma^2/gap^2 with sigma 1/2 are 0.5/gap^2. On secukinumab,
//
//	150 mg, optimal: distance 0.065 to the boundary of the region, and the
//	  demands of the explained arms: 0.5/0.065^2 = 118.3; no demand is larger.
//	placebo: dominated by min(0.105, 0.115) = 0.105: 45.4 (0.040 infeasible: 312.5)
//	25 mg: dominated by 0.054: 171.5, infeasible by 0.060: 138.9
//	75 mg: 0.012: 3472.2. 300 mg: 0.010: 5000.
//
// The sum is 118.3 + 45.4 + 138.9 + 3472.2 + 5000 = 8774.8. On the instance with five arms that is hard for racing,
// arm A is at distance 0.05 from the boundary, so its term is 200. The other arms are dominated by margins of 0.2,
// 17/60, 7/30 and 0.15, so their terms are 12.5, 6.228, 9.184 and 22.222. The sum of all terms is 250.13. Racing needs
// 200 for each of the five arms.
func TestComplexity(t *testing.T) {
	for _, c := range []struct {
		e    study.Experiment
		want float64
	}{{ClinicalTrials, 8774.8}, {HardForRacing, 250.134}} {
		table, err := hardness.Complexity(c.e)
		if err != nil || len(table.Rows) != len(c.e.Names) {
			t.Fatalf("%v, %v", table, err)
		}
		if got := table.Rows[0][2].(float64); got < c.want-.05 || got > c.want+.05 {
			t.Errorf("C* of %s is %v; want %v", c.e.Names[0], got, c.want)
		}
	}
}

// On CheapReasons, T* with reasons is at most 1.1 times T* without reasons; on HardReasons, it is larger. On no
// instance is T* with reasons smaller than T* without reasons. The answers that come with the bounds are right.
func TestBounds(t *testing.T) {
	for _, e := range Paper.Experiments {
		for _, name := range e.Names {
			inst, err := e.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			set, explained, err := hardness.CharacteristicTimes(inst)
			if err != nil {
				t.Fatal(err)
			}
			if set.Lower > explained.Upper || !explained.Exact {
				t.Errorf("%s: T* is %v for the set and %v with reasons, exact %v", name,
					set.Lower, explained.Upper, explained.Exact)
			}
			r := explained.Upper / set.Lower
			if name == CheapReasons && r > 1.1 || name == HardReasons && r < 1.1 {
				t.Errorf("%s: T* with reasons is %.3f times T* of the set", name, r)
			}
			plan, err := hardness.Constrained[0].Plan(e.Task(inst, 0))
			if err != nil || !inst.Problem.Question.Correct(inst.Truth(), plan.Answer) {
				t.Errorf("%s: the answer of the bound is %+v, %v", name, plan.Answer, err)
			}
			n := 0
			for _, p := range plan.Rounds[0] {
				n += p.N
			}
			if want := set.LowerBound(e.Delta); float64(n) < want-1 || float64(n) > want+1 {
				t.Errorf("%s: the bound is %d pulls; want %v", name, n, want)
			}
		}
	}
}

// On average, e-cAPE with guaranteed constants needs more pulls than the lower bound for methods that are right with
// probability 1 - delta.
func TestAboveLowerBound(t *testing.T) {
	for _, e := range []study.Experiment{Polyhedra, Explainability, HardForRacing} {
		r := e.Results(simulate(t, e, 3, 1, Calibrated))
		for _, name := range e.Names {
			inst, err := e.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			set, err := hardness.SetTime(inst)
			if err != nil {
				t.Fatal(err)
			}
			mean, bound := stat.Mean(study.Pulls(r.On(name, ECAPE, Calibrated)), nil), set.LowerBound(e.Delta)
			if !(mean > bound) || !(bound > 0) {
				t.Errorf("%s: %v pulls on average, below the lower bound of %v", name, mean, bound)
			}
		}
	}
}

// On the instance of Fig. 1 with epsilon = 0.1, the sub-Gaussian scales are 1/2, so the terms are 0.5/gap^2. Arm 2 is
// dominated by a margin of min(0.3, 0.35) = 0.3, and arm 3 by a margin of 0.5; their terms are 5.556 and 2. Arm 1 is
// 0.4 from the boundary, which needs 3.125, and its comparison with arm 2 needs 5.556. Deciding feasibility costs 50
// for each of the other arms.
func TestConcept(t *testing.T) {
	inst, err := NearBoundary(.1)
	if err != nil {
		t.Fatal(err)
	}
	c := hardness.CStar(inst)
	if len(c.O) != 1 || len(c.S) != 2 || len(c.I) != 0 {
		t.Errorf("%+v; want arms 2 and 3 rejected as dominated", c)
	}
	own := c.Value - 5.556 - 2
	if own < 3.12 || own > 0.5/.09+.01 {
		t.Errorf("C* is %v, of which arm 1 pays %v", c.Value, own)
	}
	if math.Abs(c.HF-103.125) > .01 {
		t.Errorf("HF = %v; want 103.125", c.HF)
	}
	near, err := NearBoundary(.025)
	if err != nil {
		t.Fatal(err)
	}
	if n := hardness.CStar(near); n.Value > 1.1*c.Value+5 || n.HF < 1600 {
		t.Errorf("at 0.025: %+v; want C* as before and HF above 1600", n)
	}
	for _, epsilon := range []float64{0, -.1, .4, math.NaN()} {
		if _, err := NearBoundary(epsilon); err == nil {
			t.Errorf("epsilon %v is accepted", epsilon)
		}
	}
}

// The set can be right although reasons are wrong. A run that did not stop counts as wrong.
func TestSetWrong(t *testing.T) {
	inst, err := instance(CheapReasons) // the classes of its arms are O O D D I
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		items   []int
		classes string
		status  string
		wrong   int
		correct bool
	}{
		{[]int{0, 1}, "OODDI", "stopped", 0, true},
		{[]int{0, 1}, "OOIDI", "stopped", 0, false}, // C is feasible
		{[]int{0, 1}, "OODDD", "stopped", 0, false}, // E is not dominated
		{[]int{0, 1}, "OODDU", "stopped", 0, false},
		{[]int{0, 1}, "", "stopped", 0, false}, // no reasons
		{[]int{0}, "OIDDI", "stopped", 1, false},
		{[]int{0, 1}, "OODDI", "pull limit", 1, true},
	} {
		a := explore.Answer{Items: c.items}
		for _, letter := range c.classes {
			class := map[rune]explore.Class{'O': explore.Optimal, 'D': explore.Dominated, 'I': explore.Infeasible}[letter]
			a.Reasons = append(a.Reasons, explore.Reason{Class: class})
		}
		row := mc.Row{Status: c.status, Measures: []mc.Value{{Name: SetWrong,
			Value: setWrong(inst, &explore.Result{Answer: a})}}}
		correct := inst.Problem.Question.Correct(inst.Truth(), a)
		if n := setsWrong([]mc.Row{row}); n != c.wrong || correct != c.correct {
			t.Errorf("%v %q, %s: %d sets wrong; want %d, correct %v", c.items, c.classes, c.status, n, c.wrong, c.correct)
		}
	}
	for _, status := range []string{"failure", "stopped"} { // rows without the measure
		if n := setsWrong([]mc.Row{{Status: status}}); n != 1 {
			t.Errorf("a run of status %s has a right set", status)
		}
	}
	for _, r := range simulate(t, Explainability, 1, 1, Heuristic) {
		if wrong, ok := r.Measure(SetWrong); !ok || r.Correct && wrong > 0 {
			t.Errorf("%s: set wrong is %v, %v, correct %v", r.Instance, wrong, ok, r.Correct)
		}
	}
}
