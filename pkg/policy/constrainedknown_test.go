package policy

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// priced samples the objective x0 of arms, with noise of scale 1. The objective x1 is known.
type priced struct {
	mu  *mat.Dense
	rnd *rand.Rand
}

// Sample implements explore.Sampler.
func (s priced) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	for _, p := range pulls {
		n := float64(p.N)
		dst = append(dst, explore.Batch{Pull: p, Sum: []float64{
			n*s.mu.At(p.Arm, 0) + math.Sqrt(n)*s.rnd.NormFloat64(), n * s.mu.At(p.Arm, 1)}})
	}
	return dst, nil
}

// Known prices are not noisy. No measurement is needed to classify an arm whose price is exactly
// the largest allowed price, or slightly above. In an earlier version, the first case never ended
// and the second took 1e5 measurements.
func TestConstrainedKnown(t *testing.T) {
	const runs, delta = 100, .1
	mu := mat.NewDense(4, 2, []float64{0, -3, 1, -1, 3, -2, 9, -3.01})
	known := mat.NewDense(4, 2, nil)
	for i := range 4 {
		known.SetRow(i, []float64{math.NaN(), mu.At(i, 1)})
	}
	cheap, err := polyhedron.AtLeast([]float64{math.Inf(-1), -3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	both, err := polyhedron.AtLeast([]float64{2, -3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		policy explore.Policy
		ask    explore.Question
		most   int // largest mean number of measurements
	}{
		{&MDAPT{Delta: delta}, question.Feasible{Region: both}, 600},
		{&TFLUCB{Delta: delta}, question.BestFeasible{Region: cheap, Weights: []float64{1, 5}}, 400},
	} {
		prob := &explore.Problem{Arms: 4, Objectives: 2, Sigma: 1, NormSigma: 1, Known: known, Question: c.ask}
		wrong, pulls := 0, 0
		for seed := range uint64(runs) {
			r, err := explore.Run(c.policy, prob, priced{mu, rand.New(rand.NewPCG(seed, 3))},
				&explore.Settings{MaxPulls: 20 * c.most, Src: rand.NewPCG(seed, 4)})
			if err != nil || r.Status != explore.Stopped {
				t.Fatalf("%v: %v, %v", c.policy, r.Status, err)
			}
			pulls += r.Pulls
			if !c.ask.Correct(mu, r.Answer) {
				wrong++
			}
			if d := r.Answer.Reasons[3]; d.Class != explore.Infeasible || d.SlackRadius != 0 || math.Abs(d.Slack+.01) > 1e-9 {
				t.Fatalf("%v: the arm above the known limit: %+v", c.policy, d)
			}
		}
		t.Logf("%v: %d of %d wrong, %d measurements", c.policy, wrong, runs, pulls/runs)
		// If each run is wrong with probability 0.1, the probability of more than 23 wrong runs in 100 is 4e-5.
		if wrong > 23 || pulls > runs*c.most {
			t.Errorf("%v: %d of %d wrong, %d measurements; want at most 23, and %d", c.policy, wrong, runs, pulls/runs, c.most)
		}
	}
}
