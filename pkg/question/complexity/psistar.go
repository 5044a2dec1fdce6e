package complexity

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// ErrTie means that the best item is not unique.
var ErrTie = errors.New("the best item is not unique")

const panicMeans = "complexity: the number of means differs from the number of items"

// PsiStar is the complexity of finding the best item of a linear model (RAGE paper, equation (1);
// rho* in later papers):
//
//	psi* = min over designs w of max over items z other than z* of
//	       (z* - z)'M(w)^-1 (z* - z) / ((z* - z)'theta)^2.
//
// The embedded Design is an oracle's optimal allocation lambda*. The gap of the design gives
// certified lower and upper bounds on psi*.
type PsiStar struct {
	*design.Design
	// Sigma is the standard deviation of the rewards.
	Sigma float64
}

// NewPsiStar returns psi* of the problem p, whose question must be Best without a tolerance, for
// the true means of its items. If o is nil, the relative gap of the design is 1e-4. If the arms
// have costs, psi* bounds the expected cost instead of the number of pulls; weights are still
// proportions of pulls.
func NewPsiStar(p *explore.Problem, means []float64, o *design.Options) (*PsiStar, error) {
	if _, ok := p.Question.(question.Best); !ok {
		return nil, fmt.Errorf("complexity: psi*: the question is %T; expected question.Best: %w",
			p.Question, explore.ErrQuestion)
	}
	if eps := p.Question.(question.Best).Epsilon; eps > 0 {
		return nil, fmt.Errorf("complexity: psi*: Best.Epsilon is %v; expected 0, because psi* is defined for the "+
			"exact best item", eps)
	}
	if err := p.CheckLinear(); err != nil {
		return nil, fmt.Errorf("complexity: psi* is for Gaussian rewards: %w", err)
	}
	if len(means) != p.M() {
		panic(panicMeans)
	}
	per, err := p.PerCost()
	if err != nil {
		return nil, fmt.Errorf("complexity: %w", err)
	}
	x, err := per.Features()
	if err != nil {
		return nil, fmt.Errorf("complexity: %w", err)
	}
	z := per.Z
	if z == nil {
		z = x
	}
	y, err := Towards(z, means)
	if err != nil {
		return nil, err
	}
	if o == nil {
		o = &design.Options{Tol: 1e-4}
	}
	d, err := design.XY(x, y, o)
	if d == nil {
		return nil, err
	}
	p.Pulled(d.Weights)
	return &PsiStar{d, p.Sigma}, err
}

// LowerBound returns 2 sigma^2 psi* log(1/(2.4 delta)), with the certified lower bound in place of
// psi*. For Gaussian rewards, no method that is right with probability 1 - delta on every instance
// has a smaller expected number of pulls on this instance. Theorem 1 of the RAGE paper states half
// of the lower bound 2 sigma^2 psi* log(1/(2.4 delta)), because its proof omits the factor 1/2 in
// the divergence of two Gaussians.
func (b *PsiStar) LowerBound(delta float64) float64 {
	return 2 * (b.Sigma * b.Sigma * b.Lower * max(0, math.Log(1/(2.4*delta))))
}

// Towards returns the directions (z* - z)/gap between the items z and the best item z*, one per
// row. Towards omits items whose features equal those of z*. If another item has the same mean as
// z*, the error wraps ErrTie.
func Towards(z *mat.Dense, means []float64) (*mat.Dense, error) {
	n, m := z.Dims()
	best := floats.MaxIdx(means)
	var data []float64
	y := make([]float64, m)
	for i := range n {
		floats.SubTo(y, z.RawRowView(best), z.RawRowView(i))
		if i == best || floats.Norm(y, math.Inf(1)) == 0 {
			continue
		}
		gap := means[best] - means[i]
		if !(gap > 0) || math.IsInf(gap, 0) {
			return nil, fmt.Errorf("complexity: items %d and %d: %w", best, i, ErrTie)
		}
		for _, v := range y {
			data = append(data, v/gap)
		}
	}
	if data == nil {
		return nil, errors.New("complexity: all items have the same features; give at least two different items")
	}
	return mat.NewDense(len(data)/m, m, data), nil
}
