package policy

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// bestFeasible is what the policies for question.BestFeasible know: estimates,
// where they lie relative to the region, and the weighted sums.
type bestFeasible struct {
	armMeans
	region *polyhedron.Polyhedron
	ws     polyhedron.Workspace
	weight []float64 // d: w
	norm   float64   // ||w||_2
	count  int       // m, the number of items asked for

	inside []bool    // muhat_i in P
	eta    []float64 // distance of muhat_i to the boundary of P
	facet  []int     // the constraint that comes closest, or is violated most
	value  []float64 // w'muhat_i
}

func (s *bestFeasible) init(prob *explore.Problem) error {
	q, ok := prob.Question.(question.BestFeasible)
	if !ok || prob.Z != nil {
		return fmt.Errorf("policy: %T; want question.BestFeasible about the arms: %w", prob.Question, explore.ErrQuestion)
	}
	s.armMeans.init(prob)
	s.region, s.count = q.Region, q.Items()
	s.weight = zeroed(s.weight, s.d)
	for c := range s.weight {
		s.weight[c] = 1
	}
	copy(s.weight, q.Weights)
	s.norm = floats.Norm(s.weight, 2)
	s.inside, s.eta = zeroed(s.inside, s.k), zeroed(s.eta, s.k)
	s.facet, s.value = zeroed(s.facet, s.k), zeroed(s.value, s.k)
	return nil
}

func (s *bestFeasible) tell(obs []explore.Batch) {
	s.armMeans.tell(obs)
	for b := range obs {
		i := obs[b].Arm
		s.inside[i], s.eta[i], s.facet[i] = s.region.MarginWith(&s.ws, s.row(i))
		s.value[i] = floats.Dot(s.weight, s.row(i))
	}
}

// reason returns the part of the reason for arm i that concerns feasibility, as
// certain as radius says, the class being undecided.
func (s *bestFeasible) reason(i int, radius float64) explore.Reason {
	r := explore.Reason{By: -1, Constraint: s.facet[i], Slack: s.eta[i], SlackRadius: radius}
	if !s.inside[i] {
		r.Slack = -r.Slack
	}
	return r
}

// unknown returns the reasons before the first pull.
func (s *bestFeasible) unknown() []explore.Reason {
	rs := make([]explore.Reason, s.k)
	for i := range rs {
		rs[i].By, rs[i].Constraint = -1, -1
	}
	return rs
}

// scale returns the sub-Gaussian scale of w'X for a reward X: that of a
// projection, times the length of w; or, as the objectives have theirs, whatever
// their correlation, the sum of |w_c| sigma.
func (s *bestFeasible) scale(prob *explore.Problem) float64 {
	return math.Min(s.norm*prob.SigmaU(), floats.Norm(s.weight, 1)*prob.Sigma)
}
