package complexity

import (
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// A Bound is a characteristic time, whatever the question.
type Bound struct {
	Name    string    // of the complexity that it is made of: psi*, Gamma* or T*
	Time    float64   // times kl(delta, 1 - delta), it bounds the expected number or cost of pulls
	Weights []float64 // the proportions in which an oracle pulls the arms
}

// Pulls returns Time kl(delta, 1 - delta): no method that is right with probability 1 - delta on every
// instance has a smaller expected number of pulls on this one, or cost if arms have costs.
func (b *Bound) Pulls(delta float64) float64 { return LeastPulls(b.Time, delta) }

// LowerBound returns the bound for the exact question of p about items with means mu (M x d), for Gaussian
// rewards whose objectives are independent, with the given variances. See NewPsiStar for the best item,
// NewGammaStar for all good ones, and NewCostTStar for sets of arms without features; errors are theirs.
func LowerBound(p *explore.Problem, mu *mat.Dense, variances []float64) (*Bound, error) {
	const tol = 1e-3
	switch q := p.Question.(type) {
	case question.Best:
		s, err := NewPsiStar(p, mat.Col(nil, 0, mu), &design.Options{Tol: tol})
		if err != nil {
			return nil, err
		}
		return &Bound{"psi*", 2 * variances[0] * s.Lower, s.Weights}, nil
	case question.AllEpsilonBest:
		g, err := NewGammaStar(p, mat.Col(nil, 0, mu), tol)
		if err != nil {
			return nil, err
		}
		return &Bound{"Gamma*", variances[0] * g.Lower, g.Weights}, nil
	default:
		t, err := NewCostTStar(q, mu, mat.NewDiagDense(len(variances), variances), p.Costs, 1e-2)
		if t == nil {
			return nil, err
		}
		return &Bound{"T*", t.Lower, t.Weights}, nil
	}
}
