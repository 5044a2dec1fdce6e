package pfiwr

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
)

// Exact is 1 only for a run that stopped with exactly the front. Exact is 0 if a limit ended the run, or
// if an arm of the front is missing from the answer.
func TestExact(t *testing.T) {
	inst, err := dataset.LLVM{}.Instance()
	if err != nil {
		t.Fatal(err)
	}
	front := pareto.Set(inst.Truth())
	for _, c := range []struct {
		status explore.Status
		items  []int
		want   float64
	}{
		{explore.Stopped, front, 1}, {explore.PullLimit, front, 0}, {explore.Stopped, front[1:], 0},
	} {
		meter := exact.New(inst)
		got := meter.Values(nil, &explore.Result{Status: c.status, Answer: explore.Answer{Items: c.items}})
		if got[0] != c.want {
			t.Errorf("%v with %d of %d items: %v; want %v", c.status, len(c.items), len(front), got[0], c.want)
		}
	}
}

// At each time, the errors are the error of the estimate of theta, in units of features as drawn, and the largest
// absolute error of a mean. Values after the end of the run are NaN.
func TestEstimationErrors(t *testing.T) {
	low := 0
	for size := range estimatorNames {
		for draw := range 4 {
			inst, err := Estimator.At(size, draw)
			if err != nil {
				t.Fatal(err)
			}
			p := estimators(false, 0)[1].New(study.Task{Instance: inst, Size: size, Budget: 40})
			of := estimationErrors([]int{15, 40, 41})
			meter := of.New(inst)
			record := func() []float64 {
				noise := inst.Sampler(seed.New(uint64(draw)))
				r, err := explore.Run(p, inst.Problem, noise, &explore.Settings{Recorder: meter.(explore.Recorder)})
				if err != nil || r.Pulls != 40 {
					t.Fatal(r, err)
				}
				return meter.Values(nil, r)
			}
			got := record()
			var off, means mat.Dense
			off.Sub(p.(*estimation).Theta(), inst.Theta)
			means.Mul(inst.Problem.X, &off)
			worst, sum := 0., 0.
			for i := range inst.Problem.K() {
				if worst = max(worst, math.Abs(means.At(i, 0))); worst == -means.At(i, 0) {
					low++
				}
			}
			for j := range inst.Problem.H() {
				sum += off.At(j, 0) * off.At(j, 0)
			}
			scaled := math.Sqrt(sum) / inst.Law.(*bandit.Contextual).Scale()
			if len(got) != 6 || math.Abs(got[1]/scaled-1) > 1e-9 || math.Abs(got[4]/worst-1) > 1e-9 || got[0] == got[1] || !math.IsNaN(got[2]) ||
				math.IsNaN(got[3]) || !math.IsNaN(got[5]) {
				t.Errorf("%s: errors %v; want %v and %v after 40 rounds, nothing after 41", inst.Name, got, scaled, worst)
			}
			if want := []string{"error@15", "error@40", "error@41", "worst@15", "worst@40",
				"worst@41"}; !slices.Equal(of.Names, want) {
				t.Errorf("names %q; want %q", of.Names, want)
			}
		}
	}
	if low == 0 {
		t.Error("no mean is too low")
	}
}

// Added counts returned arms that are not on the front. Missing arms are not counted.
func TestAdded(t *testing.T) {
	inst, err := dataset.LLVM{}.Instance()
	if err != nil {
		t.Fatal(err)
	}
	front := pareto.Set(inst.Truth())
	var others []int
	for i := range inst.Problem.K() {
		if !slices.Contains(front, i) {
			others = append(others, i)
		}
	}
	for _, c := range []struct {
		items []int
		want  float64
	}{{nil, 0}, {front, 0}, {front[1:], 0}, {others[:1], 1}, {append(slices.Clone(front), others[:3]...), 3}} {
		if got := added.New(inst).Values(nil, &explore.Result{Answer: explore.Answer{Items: c.items}}); got[0] != c.want {
			t.Errorf("%v has %v arms too many; want %v", c.items, got[0], c.want)
		}
	}
}

// After the random phase, a pull counts if its regret is above twice the width of the previous round. Policies
// without a calibrated width do not report this count. Widths decrease. After nine pulls, the regret of the second
// arm is just above twice the width.
func TestAboveBeta(t *testing.T) {
	c := policy.PFIwRConstants{Arms: 2, Features: 2, Objectives: 2, Delta: .1, P: half, Norm: 1}
	regret := 2 * policy.PFIwRPaperScale * c.Beta(9) * (1 + 1e-9)
	if c.Beta(8) <= c.Beta(9) {
		t.Fatal("widths do not fall here")
	}
	for _, x := range []struct {
		p    explore.Policy
		arm  int
		want float64
	}{
		{&policy.PFIwR{Delta: .1, Width: policy.PFIwRPaper, Norm: 1, Random: 3}, 1, 21},
		{&policy.PFIwR{Delta: .1, Width: policy.PFIwRPaper, Norm: 1, Random: 15}, 1, 15},
		{&policy.PFIwR{Delta: .1, Width: policy.PFIwRPaper, Norm: 1}, 1, 10},
		{&policy.PFIwR{Delta: .1, Width: policy.PFIwRPaper, Norm: 1, Random: 3}, 0, 0},
		{&policy.PFIwR{Delta: .1, Norm: 1}, 1, math.NaN()}, {&policy.APE{}, 1, math.NaN()},
	} {
		m := &betaMeter{regret: []float64{0, regret}}
		for n := 1; n <= 30; n++ {
			if err := m.Record(explore.Event{Round: n, Pulls: n, Policy: x.p,
				Obs: []explore.Batch{{Pull: explore.Pull{Arm: x.arm, N: 1}, Sum: []float64{0, 0}}}}); err != nil {
				t.Fatal(err)
			}
		}
		if got := m.Values(nil, nil)[0]; got != x.want && !(math.IsNaN(got) && math.IsNaN(x.want)) {
			t.Errorf("%v, arm %d: %v pulls above 2 beta; want %v", x.p, x.arm, got, x.want)
		}
	}
}
