package question

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// ErrParetoTie says that the answer hangs on a tie: between arms, or between an
// arm and the boundary of the feasible region.
var ErrParetoTie = errors.New("the answer hangs on a tie")

// A TStar is the characteristic time of a question about arms without structure
// and with Gaussian rewards,
//
//	1/T* = max over weights w of min over alternatives lambda of
//	       sum over i of w_i/2 (mu_i - lambda_i)'Sigma^-1 (mu_i - lambda_i),
//
// where alternatives are means with another answer (Garivier and Kaufmann, COLT
// 2016; for Pareto sets, Crepon, Garivier and Koolen, AISTATS 2024), or the least
// such time over all right answers if there are several (Degenne and Koolen, NeurIPS
// 2019; for constrained Pareto sets with reasons, Kone, Kaufmann and Richert,
// "Constrained Pareto Set Identification with Bandit Feedback"). No method that is right
// with probability 1 - delta on every instance has an expected number of pulls
// below T* kl(delta, 1 - delta) on this one; where there are several right answers,
// asymptotically as delta tends to 0.
type TStar struct {
	// Lower and Upper certify T*, up to rounding: Upper is what Weights need,
	// Lower what a mixture of alternatives makes necessary. Both are 0 if there
	// is no alternative, as for one arm without constraints.
	Lower, Upper float64
	// Exact tells that the bracket has the width that was asked for. If it is
	// not set, it is because there were too many right answers to compare: then
	// Reasons and Weights are the best found.
	Exact bool
	// Weights are the proportions in which an oracle pulls the arms.
	Weights []float64
	// Reasons are those of the right answer that takes the least time, one an arm:
	// explore.Optimal, explore.Dominated or explore.Infeasible. They are nil if
	// the question asks for none.
	Reasons []explore.Class
	// Hardest is the alternative that is cheapest at Weights, with nil Means if
	// there is none. At the optimum others may cost as much.
	Hardest Alternative
	// Iterations is the number of best responses computed.
	Iterations int
}

// NewTStar returns T* of the Pareto set for the means mu, K x d in reward units,
// and the covariance cov of a reward, d x d in squared units; nil is the identity.
// (For independent objectives of standard deviation sigma, T* is sigma^2 times
// that.) Upper/Lower is at most 1 + tol; zero means 1e-6.
//
// It fails with ErrParetoTie if T* is infinite, because an arm can enter or
// leave the Pareto set at no cost; and together with the best bracket if the
// tolerance is out of reach of rounding. It panics with pareto.ErrNotFinite if a
// mean is not finite.
//
// The method is that of cutting planes. An iteration costs one best response and
// one matrix game of K rows.
func NewTStar(mu *mat.Dense, cov mat.Symmetric, tol float64) (*TStar, error) {
	c, tol, err := newTStar(nil, mu, cov, tol)
	if err != nil {
		return nil, err
	}
	return c.tStar(tol)
}

// newTStar checks the arguments of NewTStar and sets the means.
func newTStar(region *polyhedron.Polyhedron, mu *mat.Dense, cov mat.Symmetric, tol float64) (*cutting, float64, error) {
	k, d := mu.Dims()
	if tol == 0 {
		tol = tStarTol
	}
	if !(tol > 0) {
		return nil, 0, fmt.Errorf("question: a tolerance of %v; want a relative width such as 1e-6", tol)
	}
	r, err := NewBestResponse(k, d, cov)
	if err != nil {
		return nil, 0, err
	}
	if err := r.Constrain(region); err != nil {
		return nil, 0, err
	}
	r.SetMeans(data(mu))
	return newCutting(r), tol, nil
}

// data returns the elements of mu, row-major.
func data(mu *mat.Dense) []float64 {
	k, d := mu.Dims()
	x := make([]float64, 0, k*d)
	for i := range k {
		x = append(x, mu.RawRowView(i)...)
	}
	return x
}

// tStar returns the characteristic time for the alternatives of the best response.
func (c *cutting) tStar(tol float64) (*TStar, error) {
	s := &TStar{Weights: c.best, Hardest: none(), Exact: true}
	if math.IsInf(c.unit, 1) {
		return s, nil
	}
	if err := c.tie(); err != nil {
		return nil, err
	}
	c.run(tol, 0)
	c.r.Cost(nil, c.best)
	s.Hardest = c.r.Alternative()
	s.Iterations = c.rounds
	s.Lower, s.Upper = 1/max(c.high, c.low), 1/c.low
	return s, s.check(tol)
}

// check returns an error if the bracket is too wide.
func (s *TStar) check(tol float64) error {
	s.Exact = s.Upper <= s.Lower*(1+tol)*(1+1e-12)
	if s.Exact {
		return nil
	}
	return fmt.Errorf("question: T* is between %v and %v after %d iterations; a relative width of %v was wanted: use a larger tolerance", s.Lower, s.Upper, s.Iterations, tol)
}

// tie returns an error if there is an alternative that costs nothing.
func (c *cutting) tie() error {
	if c.unit > 0 {
		return nil
	}
	a := c.r.Alternative()
	f := c.r.region
	switch {
	case a.Constraint >= 0:
		return fmt.Errorf("question: arm %d is in the Pareto set, but on the boundary of the feasible region (%s): %w", a.Arm, f.set.Constraint(a.Constraint), ErrParetoTie)
	case a.By >= 0:
		return fmt.Errorf("question: arm %d is in the Pareto set, but arm %d is no worse in any objective: %w", a.Arm, a.By, ErrParetoTie)
	case a.Feasible, f != nil && !slices.Contains(f.in, a.Arm):
		return fmt.Errorf("question: arm %d is infeasible, but on the boundary of the feasible region up to rounding: %w", a.Arm, ErrParetoTie)
	default:
		return fmt.Errorf("question: arm %d is outside the Pareto set, but ties with members that dominate it: %w", a.Arm, ErrParetoTie)
	}
}

// LowerBound returns Lower kl(delta, 1 - delta), a lower bound on the expected
// number of pulls of every method that is right with probability 1 - delta on
// every instance. Here kl(a, b) is the divergence of two coins (Kaufmann, Cappe and
// Garivier, JMLR 2016, Theorem 1 and Lemma 1); for delta of 1/2 or more the
// bound is 0. If there are several right answers, as there may be if reasons are
// asked for, it is one as delta tends to 0 only.
func (s *TStar) LowerBound(delta float64) float64 {
	if !(delta > 0) {
		return math.Inf(1)
	}
	if delta >= .5 {
		return 0
	}
	return s.Lower * (1 - 2*delta) * math.Log((1-delta)/delta)
}
