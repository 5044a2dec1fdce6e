package question

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

var errNoRegion = errors.New("question: region is nil; use polyhedron.Whole for no constraints")

// TStar returns T* of the constrained Pareto set for the means mu, K x d in reward
// units, and the covariance cov of a reward, d x d in squared units; nil is the
// identity. Upper/Lower is at most 1 + tol; zero means 1e-6.
//
// If SetOnly is set, alternatives are means with another set (cPSI). Otherwise
// they are means for which some reason is wrong, and T* is that of the right
// answer that takes the least time (e-cPSI): an arm that is both infeasible and
// dominated may be rejected for either reason. That is not less than with
// SetOnly. The answer is found by branch and bound, exactly for up to 10 such
// arms; for more, the search may give up, in which case Exact is false and the
// bracket is valid but wide.
//
// It fails with ErrParetoTie if T* is infinite, because the set changes at no cost:
// an arm is on the boundary of the region, or ties with another one; and together
// with the best bracket if the tolerance is out of reach of rounding. It panics
// with pareto.ErrNotFinite if a mean is not finite.
func (q FeasiblePareto) TStar(mu *mat.Dense, cov mat.Symmetric, tol float64) (*TStar, error) {
	if q.Region == nil {
		return nil, errNoRegion
	}
	c, tol, err := newTStar(q.Region, mu, cov, tol)
	if err != nil {
		return nil, err
	}
	if q.SetOnly {
		return c.tStar(tol)
	}
	return q.explanation(mu).tStar(c, tol)
}

// explanation returns the right answers to search.
func (q FeasiblePareto) explanation(mu *mat.Dense) *explanation {
	truth := q.Truth(mu)
	e := &explanation{as: make([]explore.Class, len(truth.Eta)), most: explainedMost}
	for i := range e.as {
		switch {
		case truth.Optimal[i]:
			e.as[i] = explore.Optimal
		case truth.Feasible[i]:
			e.as[i] = explore.Dominated
		case !truth.SubOpt[i]:
			e.as[i] = explore.Infeasible
		}
	}
	return e
}

// TStar returns T* of the feasible set for the means mu, K x d in reward units, and
// the covariance cov of a reward, d x d in squared units; nil is the identity. An
// arm is asked about whatever the others are, so that
//
//	T* = sum of 2/eta_i^2, with weights in proportion to 1/eta_i^2,
//
// where eta_i is the distance of mu_i to the boundary of the region, in the metric of
// cov^-1. It fails with ErrParetoTie if an arm is on the boundary. It panics with
// pareto.ErrNotFinite if a mean is not finite.
func (q Feasible) TStar(mu *mat.Dense, cov mat.Symmetric) (*TStar, error) {
	if q.Region == nil {
		return nil, errNoRegion
	}
	c, _, err := newTStar(q.Region, mu, cov, 0)
	if err != nil {
		return nil, err
	}
	r, k := c.r, c.r.k
	s := &TStar{Weights: c.best, Hardest: none(), Exact: true}
	if r.region == nil {
		return s, nil
	}
	f := r.region
	for i := range k {
		var square float64
		if f.set.Contains(mu.RawRowView(i)) {
			_, depth := f.exit(r.row(i))
			square = depth * depth
		} else {
			square = r.approach(append([]float64(nil), r.row(i)...))
		}
		if square == 0 {
			return nil, fmt.Errorf("question: arm %d is on the boundary of the feasible region: %w", i, ErrParetoTie)
		}
		s.Weights[i] = 2 / square
	}
	s.Lower = floats.Sum(s.Weights)
	s.Upper = s.Lower
	floats.Scale(1/s.Lower, s.Weights)
	// All alternatives cost the same: of the arm that is pulled most.
	i := floats.MaxIdx(s.Weights)
	a := Alternative{Arm: i, By: -1, Constraint: -1, Means: mat.DenseCopyOf(mu)}
	x := append([]float64(nil), r.row(i)...)
	if f.set.Contains(mu.RawRowView(i)) {
		l, depth := f.exit(x)
		a.Constraint = f.row[l]
		floats.AddScaled(x, depth, f.push[l*r.d:][:r.d])
	} else {
		a.Feasible, a.Reason = true, true
		r.approach(x)
	}
	for j, v := range x {
		a.Means.Set(i, j, v*r.scale[j])
	}
	s.Hardest = a
	return s, nil
}
