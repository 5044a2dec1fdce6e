package policy_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// offsetCase returns a problem whose rewards are all moved by offset, for noise of scale 1.
func offsetCase(p explore.Policy, offset float64) policytest.Case {
	plain := palPlain("moved", 1, []float64{2 + offset, offset}, []float64{offset, 2 + offset},
		[]float64{offset - 1, offset - 1})
	switch p.(type) {
	case *policy.TwoStage, *policy.ECAPE, *policy.ConstrainedRacing:
		region, err := polyhedron.AtLeast([]float64{offset - 3, offset - 3}, nil)
		if err != nil {
			panic(err)
		}
		plain.Problem.Question = question.FeasiblePareto{Region: region}
	case *policy.RAGE, *policy.LinGapE:
		return seqCase("moved", [][]float64{{1, 1, 0}, {1, 0, 1}, {1, -1, 0}, {1, 0, -1}}, nil,
			[]float64{offset, 2, -1}, 1, 0)
	case *policy.GEGEFixedBudget, *policy.PSIPS:
		return palLinear("moved", 1, [][]float64{{offset, 2, 0}, {offset, 0, 2}},
			[][]float64{{1, 1, 0}, {1, 0, 1}, {1, -.5, -.5}, {1, .2, -.4}})
	}
	return plain
}

// Rewards far from 0 are answered as those around it, up to LargestRatio times the noise; farther
// away, where rounding would decide, every family of policies says so.
func TestOffsets(t *testing.T) {
	for _, p := range []explore.Policy{
		&policy.TwoStage{}, &policy.APE{}, &policy.AuerRacing{}, &policy.ECAPE{},
		&policy.ConstrainedRacing{}, &policy.PAL{}, &policy.GEGEFixedConfidence{},
		&policy.GEGEFixedBudget{Budget: 600}, &policy.PSIPS{Delta: .01}, &policy.RAGE{},
		&policy.LinGapE{},
	} {
		for seed := range uint64(5) {
			for _, offset := range []float64{.999e6 - 2, -.999e6 + 2, 1e12, -1e13} {
				c := offsetCase(p, offset)
				r, err := explore.Run(p, c.Problem,
					&palNoise{c.Means(), 1, rand.New(rand.NewPCG(seed, 1)), nil},
					&explore.Settings{Src: rand.NewPCG(seed, 2), MaxPulls: 200_000})
				switch far := math.Abs(offset) > explore.LargestRatio; {
				case far && !errors.Is(err, explore.ErrOffset):
					t.Errorf("%v, moved by %v: %+v, %v; want ErrOffset", p, offset, r, err)
				case !far && (err != nil || r.Status != explore.Stopped ||
					!c.Problem.Question.Correct(c.Means(), r.Answer)):
					t.Errorf("%v, moved by %v: %+v, %v", p, offset, r, err)
				}
			}
		}
	}
}

// At LargestRatio, the rounding of a million sums is less than a tenth of the standard deviation
// of a mean: for arms, for least squares with many outputs, and for that of sequential policies.
func TestOffsetsAreSummed(t *testing.T) {
	const n, offset = 1_000_000, explore.LargestRatio
	prob := &explore.Problem{Arms: 2, Objectives: 1, Sigma: 1, Question: question.Pareto{}}
	var m arms.Means
	var e arms.Estimates
	m.Init(prob)
	e.Init(prob, arms.Bind(radius.Theory{}, prob, .1))
	x := mat.NewDense(2, 2, []float64{1, 1, 1, -1})
	fit, tracker := lsq.NewFit(2, 1), lsq.NewTracker(x, x, 0)
	rnd := rand.New(rand.NewPCG(1, 2))
	var noise [2]float64
	obs := []explore.Batch{{Pull: explore.Pull{N: 1}, Sum: make([]float64, 1)}}
	for i := range 2 * n {
		arm := i % 2
		obs[0].Arm, obs[0].Sum[0] = arm, offset+rnd.NormFloat64()
		noise[arm] += obs[0].Sum[0] - offset // exact but for sums of small numbers
		m.Tell(obs)
		e.Tell(obs)
		fit.Add(x.RawRowView(arm), 1, obs[0].Sum)
		tracker.Add(arm, 1, obs[0].Sum[0])
		if i == 1 && !tracker.Solve() {
			t.Fatal("no estimate")
		}
	}
	if !fit.Solve() {
		t.Fatal("no estimate")
	}
	for arm := range 2 {
		want := noise[arm] / n
		for name, mean := range map[string]float64{
			"means": m.Row(arm)[0], "estimates": e.Row(arm)[0],
			"fit": fit.Mean(x.RawRowView(arm), 0), "tracker": tracker.Means()[arm],
		} {
			off, most := math.Abs(mean-offset-want), .1/math.Sqrt(n)
			if !(off < most) {
				t.Errorf("%s of arm %d: off by %v; want less than %v", name, arm, off, most)
			}
		}
	}
}
