package policy

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// DefaultDelta is the error probability of a policy whose Delta is zero.
const DefaultDelta = 0.1

// confidence resolves the settings that fixed-confidence policies share.
func confidence(delta float64, r radius.Radius) (float64, radius.Radius, error) {
	if delta == 0 {
		delta = DefaultDelta
	}
	if !(delta > 0 && delta < 1) {
		return 0, nil, fmt.Errorf("policy: Delta is %v; want an error probability between 0 and 1", delta)
	}
	if r == nil {
		r = radius.Theory{}
	}
	if v, ok := r.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return 0, nil, err
		}
	}
	return delta, r, nil
}

// bind binds r to the arms of p with error probability delta.
func bind(r radius.Radius, p *explore.Problem, delta float64) radius.Bonus {
	return r.Bind(radius.Params{Arms: p.K(), Objectives: p.D(), Sigma: p.Sigma, NormSigma: p.SigmaU(), Delta: delta})
}

// describe is the name of a policy with settings, for tables and files.
func describe(name string, delta float64, r radius.Radius) string {
	if delta == 0 {
		delta = DefaultDelta
	}
	if r == nil {
		r = radius.Theory{}
	}
	return fmt.Sprintf("%s (delta %v, %v)", name, delta, r)
}

// constrainedRegion returns the feasible region of a Pareto question about the
// arms of p: all of space if there are no constraints.
func constrainedRegion(p *explore.Problem) (*polyhedron.Polyhedron, error) {
	if p.Z == nil {
		switch q := p.Question.(type) {
		case question.FeasiblePareto:
			return q.Region, nil
		case question.Pareto: // the exact set answers every relaxation
			return polyhedron.Whole(p.D()), nil
		}
	}
	return nil, fmt.Errorf("policy: %T; want question.FeasiblePareto or question.Pareto about the arms: %w", p.Question, explore.ErrQuestion)
}

// inf is the minimum of the empty set.
var inf = math.Inf(1)
