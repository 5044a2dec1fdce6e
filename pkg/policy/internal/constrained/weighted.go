package constrained

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// Weighted is what the policies for question.BestFeasible know: estimates,
// where they lie relative to the region, and the weighted sums.
type Weighted struct {
	arms.Means
	Region *polyhedron.Polyhedron // without constraints on values that are known
	Work   polyhedron.Workspace
	Weight []float64 // d: w
	Norm   float64   // ||w||_2
	Noisy  float64   // the same of the objectives that are not known of all arms: only they err
	Count  int       // m, the number of items asked for

	Inside []bool    // muhat_i in P
	Eta    []float64 // distance of muhat_i to the boundary of P
	facet  []int     // the constraint that comes closest, or is violated most
	Value  []float64 // w'muhat_i

	margins margins
	noisy   []float64 // d: w, 0 where values are known
}

// Init prepares for prob. It fails if the question is not about the best feasible
// arms.
func (s *Weighted) Init(prob *explore.Problem) error {
	q, ok := prob.Question.(question.BestFeasible)
	if !ok || prob.Z != nil {
		return fmt.Errorf("policy: %T; want question.BestFeasible about the arms: %w",
			prob.Question, explore.ErrQuestion)
	}
	s.Means.Init(prob)
	s.margins.init(prob, q.Region)
	s.Region, s.Count = s.margins.region, q.Items()
	s.Weight = memory.Zeroed(s.Weight, s.D)
	for c := range s.Weight {
		s.Weight[c] = 1
	}
	copy(s.Weight, q.Weights)
	s.Norm = floats.Norm(s.Weight, 2)
	if s.noisy = noisy(prob.Known, s.Weight); floats.Norm(s.noisy, 2) == 0 {
		s.noisy = s.Weight
	}
	s.Noisy = floats.Norm(s.noisy, 2)
	s.Inside, s.Eta = memory.Zeroed(s.Inside, s.K), memory.Zeroed(s.Eta, s.K)
	s.facet, s.Value = memory.Zeroed(s.facet, s.K), memory.Zeroed(s.Value, s.K)
	return nil
}

// Tell takes measurements in.
func (s *Weighted) Tell(obs []explore.Batch) {
	s.Means.Tell(obs)
	for b := range obs {
		i := obs[b].Arm
		s.Inside[i], s.Eta[i], s.facet[i] = s.margins.of(&s.Work, i, s.Row(i))
		s.Value[i] = floats.Dot(s.Weight, s.Row(i))
	}
}

// Reason returns the part of the reason for arm i that concerns feasibility, as
// certain as radius says, the class being undecided.
func (s *Weighted) Reason(i int, radius float64) explore.Reason {
	r := explore.Reason{By: -1, Constraint: s.facet[i], Slack: s.Eta[i], SlackRadius: radius}
	if !s.Inside[i] {
		r.Slack = -r.Slack
	}
	s.margins.explain(&r, i)
	return r
}

// Scale returns the sub-Gaussian scale of w'X for a reward X: that of a
// projection, times the length of w; or, as the objectives have theirs, whatever
// their correlation, the sum of |w_c| sigma.
func (s *Weighted) Scale(prob *explore.Problem) float64 {
	return math.Min(s.Noisy*prob.SigmaU(), floats.Norm(s.noisy, 1)*prob.Sigma)
}
