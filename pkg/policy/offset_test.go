package policy_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
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
