package policy_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
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

// Limits are part of what is taken, and what is next to them is not, with a word on the limit: the smallest Delta, and the
// largest Budget of schedules that are reckoned in float64.
func TestLimitsAreTaken(t *testing.T) {
	begin := func(p explore.Policy, q explore.Question, d int) error {
		_, err := explore.NewSession(p, &explore.Problem{Arms: 3, Objectives: d, Sigma: 1, Question: q}, nil)
		return err
	}
	best, front := question.Best{}, question.Pareto{}
	for _, x := range []struct {
		name    string
		at      error
		beyond  error
		outside string
	}{
		{"Delta", begin(&policy.APE{Delta: 1e-100}, front, 2), begin(&policy.APE{Delta: 9.99e-101}, front, 2), "at least 1e-100"},
		{"Delta near 1", begin(&policy.APE{Delta: 1 - 1e-9}, front, 2), begin(&policy.APE{Delta: 1}, front, 2), "between 0 and 1"},
		{"EGESR", begin(&policy.EGESR{Budget: 1 << 53}, front, 2), begin(&policy.EGESR{Budget: 1<<53 + 1}, front, 2), "at most 2^53"},
		{"SuccessiveRejects", begin(&policy.SuccessiveRejects{Budget: 1 << 53}, best, 1),
			begin(&policy.SuccessiveRejects{Budget: 1<<53 + 1}, best, 1), "at most 2^53"},
		{"Growth", begin(&policy.XYStatic{Growth: 16}, best, 1), begin(&policy.XYStatic{Growth: 16.001}, best, 1), "at most 16"},
		{"Growth near 1", begin(&policy.XYStatic{Growth: 1.001}, best, 1), begin(&policy.XYStatic{Growth: 1}, best, 1), "above 1"},
		{"Lazy", begin(&policy.LazyTrackAndStop{Lazy: 16}, best, 1), begin(&policy.LazyTrackAndStop{Lazy: 16.001}, best, 1), "at most 16"},
	} {
		if x.at != nil || x.beyond == nil || !strings.Contains(x.beyond.Error(), x.outside) {
			t.Errorf("%s: at the limit %v, beyond %v; want it taken, and %q", x.name, x.at, x.beyond, x.outside)
		}
	}
}
