package arena

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// Hardness returns T*, so that no method that is right with probability 1 - delta on every
// instance needs fewer than T* log(1/(2.4 delta)) pulls of inst on average: of Gaussian rewards
// with the scale that methods are told, and the covariance of the law where it is one that is
// known. Bernoulli rewards of rates near 0 are easier than that. Where arms have costs, it bounds what
// the pulls cost.
func Hardness(inst *bandit.Instance) (float64, error) {
	p, means := inst.Problem, inst.Truth()
	switch q := p.Question.(type) {
	case question.Best:
		psi, err := complexity.NewPsiStar(p, mat.Col(nil, 0, means), &design.Options{Tol: 1e-3})
		if err != nil {
			return 0, err
		}
		return 2 * p.Sigma * p.Sigma * psi.Lower, nil
	case question.AllEpsilonBest:
		g, err := complexity.NewGammaStar(p, mat.Col(nil, 0, means), 1e-3)
		if err != nil {
			return 0, err
		}
		return p.Sigma * p.Sigma * g.Lower, nil
	default:
		t, err := complexity.NewCostTStar(q, means, scale(inst), p.Costs, 1e-2)
		if err != nil {
			return 0, err
		}
		return t.Lower, nil
	}
}

// scale is the covariance that bounds are for: sigma^2 times the identity.
func scale(inst *bandit.Instance) mat.Symmetric {
	d, v := inst.Problem.D(), inst.Problem.Sigma
	cov := mat.NewSymDense(d, nil)
	for c := range d {
		cov.SetSym(c, c, v*v)
	}
	return cov
}

// LowerBound is the number of pulls that Hardness implies at delta; 0 where that is larger than
// 1/2.4.
func LowerBound(hardness, delta float64) float64 {
	return max(0, hardness*math.Log(1/(2.4*delta)))
}

var _ explore.Question = question.Best{}
