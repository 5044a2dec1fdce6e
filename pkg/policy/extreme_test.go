package policy_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
)

// exactly runs p on c without noise for some rounds. It returns the error of Init as well.
func exactly(p explore.Policy, c policytest.Case, rounds int) (r *explore.Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	s, err := explore.NewSession(p, c.Problem, nil)
	if err != nil {
		return nil, nil
	}
	for range rounds {
		if s.ReadsContexts() {
			if err := s.Observe(c.Problem.X); err != nil {
				return nil, err
			}
		}
		pulls, err := s.Ask()
		if err != nil || len(pulls) == 0 {
			break
		}
		obs := make([]explore.Batch, len(pulls))
		for i, p := range pulls {
			obs[i] = explore.Batch{Pull: p, Sum: make([]float64, c.Problem.D())}
			if c.Problem.Z != nil || c.Problem.Link != explore.Identity {
				continue // means of arms are not those of items
			}
			for k := range obs[i].Sum {
				obs[i].Sum[k] = c.Means().At(p.Arm, k) * float64(p.N)
			}
		}
		if err := s.Tell(obs); err != nil {
			break
		}
	}
	return s.Result(), nil
}

// A budget as large as numbers go is spent up to a count that is one, or refused.
func TestLargestBudget(t *testing.T) {
	for _, b := range budgetPolicies() {
		for _, budget := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt / 2, min(1<<53, math.MaxInt)} {
			r, err := exactly(b.new(budget), b.c, 100)
			if err != nil {
				t.Errorf("%s, budget %d: %v", b.name, budget, err)
			}
			if r == nil {
				continue
			}
			sum := 0.
			for arm, n := range r.ArmPulls {
				if n < 0 {
					t.Errorf("%s, budget %d: %d pulls of arm %d", b.name, budget, n, arm)
				}
				sum += float64(n)
			}
			if r.Pulls < 0 || r.Pulls > budget || math.Abs(sum-float64(r.Pulls)) > 1e-9*sum ||
				r.Status == explore.Stopped && r.Pulls == 0 {
				t.Errorf("%s, budget %d: %d pulls, %v by arm (%v)", b.name, budget, r.Pulls, sum,
					r.Status)
			}
		}
	}
}

// A Delta of which nothing is left when arms and rounds divide it is refused: no policy
// panics, or stops at once.
func TestSmallestDelta(t *testing.T) {
	for _, p := range plans() {
		for _, delta := range []float64{5e-324, 1e-310, 1e-200, 1e-100} {
			pol := p.new()
			if _, slow := pol.(*policy.PSIPS); slow && delta == 1e-100 {
				continue // it draws 1/Delta means
			}
			v := reflect.ValueOf(pol).Elem()
			if v.Kind() != reflect.Struct || len(p.cases) == 0 {
				continue
			}
			field := v.FieldByName("Delta")
			if !field.IsValid() {
				continue
			}
			field.SetFloat(delta)
			r, err := exactly(pol, p.cases[0], 50)
			if err != nil || r != nil && delta < 1e-100 {
				t.Errorf("%s at delta %v: %+v, %v", p.name, delta, r, err)
			}
		}
	}
}
