package policy_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// bestOf turns a constrained case into one about its best feasible arms.
func bestOf(c policytest.Case, count int, weights ...float64) policytest.Case {
	p := *c.Problem
	p.Question = question.BestFeasible{Region: c.Problem.Question.(question.FeasiblePareto).Region, Weights: weights, Count: count}
	c.Problem = &p
	c.Name += fmt.Sprintf(" weights %v", weights)
	if count > 1 {
		c.Name += fmt.Sprintf(" count %d", count)
	}
	c.MaxPulls = 2_000_000
	return c
}

// bestFeasibleCases all have one right answer. Where it is not better than the
// others in every objective, spread is true: policytest takes a reason Dominated
// to be about every objective.
func bestFeasibleCases(count int) (cases []policytest.Case, spread []bool) {
	add := func(c policytest.Case, is bool, weights ...float64) {
		cases, spread = append(cases, bestOf(c, count, weights...)), append(spread, is)
	}
	for _, c := range constrainedCases() {
		switch c.Name {
		case "all classes":
			add(c, true, 1, 0)
			add(c, true, 1, 2)
		case "nobody feasible":
			add(c, false)
		case "one feasible":
			add(c, false, 1, 1)
			add(c, true, 0, 1)
		case "one arm":
			add(c, false, -1, 0)
		case "no constraints":
			add(c, true, 2, 1)
		case "three objectives":
			add(c, true, 1, 3, -1)
		case "upper bounds":
			add(c, true, 1, .1)
		case "simplex":
			add(c, true)
		}
	}
	// The others are far behind long before the leader is known to be feasible.
	add(constrainedCase("leader at the edge", atLeast(0, 0), .5, []float64{3, .1}, []float64{-1, 3}, []float64{.5, 2}), true, 1, 0)
	return cases, spread
}

// bestTight hangs on 0.2 standard deviations: arm 0 is that much better than arm 1
// and that much feasible, arm 3 is better and that much infeasible.
func bestTight(count int) policytest.Case { return bestOf(tight(), count, 1, 0) }

// unexplained is a policy without its reasons.
type unexplained struct{ explore.Policy }

func (u unexplained) Answer() explore.Answer { return explore.Answer{Items: u.Policy.Answer().Items} }

// bestConformance runs the suite, and checks reasons by the weighted sum.
func bestConformance(t *testing.T, count int, new func() explore.Policy) {
	cases, spread := bestFeasibleCases(count)
	for i, c := range append(cases, bestTight(count)) {
		t.Run(c.Name, func(t *testing.T) {
			if i == len(cases) || spread[i] {
				policytest.Test(t, func() explore.Policy { return unexplained{new()} }, c)
			} else {
				policytest.Test(t, new, c)
			}
			q := c.Problem.Question.(question.BestFeasible)
			for _, limit := range []int{0, 10, 20, 40, 80, 160, 400, 1000} {
				r, err := explore.Run(new(), c.Problem, exact{c}, &explore.Settings{MaxPulls: limit})
				if err != nil {
					t.Fatal(err)
				}
				if r.Status == explore.Stopped && (r.Answer.Of(explore.Undecided) != nil || fmt.Sprint(r.Answer.Of(explore.Optimal)) != fmt.Sprint(r.Answer.Items)) {
					t.Errorf("stopped with %+v", r.Answer)
				}
				if r.Status != explore.Stopped && r.Answer.Of(explore.Undecided) == nil {
					t.Errorf("limit %d: not stopped, and nothing undecided", limit)
				}
				for i, x := range r.Answer.Reasons {
					mu := c.Means.RawRowView(i)
					inside, eta, _ := q.Region.Margin(mu)
					if !inside {
						eta = -eta
					}
					// Equal up to rounding; +Inf without constraints.
					if x.Slack != eta && math.Abs(x.Slack-eta) > 1e-9 {
						t.Errorf("arm %d: slack %v; want %v", i, x.Slack, eta)
					}
					ahead := 0.
					if x.By >= 0 {
						ahead = q.Value(mu) - q.Value(c.Means.RawRowView(x.By))
					}
					switch x.Class {
					case explore.Optimal:
						if !inside || math.Abs(x.Margin-ahead) > 1e-9 || ahead < 0 {
							t.Errorf("arm %d: %+v, ahead by %v", i, x, ahead)
						}
					case explore.Dominated:
						if by := r.Answer.Reasons[x.By]; r.Status != explore.Stopped && by.Slack < by.SlackRadius {
							t.Errorf("limit %d, arm %d: %+v, by an arm that may be infeasible: %+v", limit, i, x, by)
						}
						if x.By < 0 || math.Abs(x.Margin+ahead) > 1e-9 || ahead > 0 {
							t.Errorf("arm %d: %+v, ahead by %v", i, x, ahead)
						}
					case explore.Infeasible:
						if inside {
							t.Errorf("arm %d: %+v", i, x)
						}
					default:
						if math.Abs(x.Margin-ahead) > 1e-9 {
							t.Errorf("arm %d: %+v, ahead by %v", i, x, ahead)
						}
					}
				}
			}
		})
	}
}

func TestBestFeasibleInitErrors(t *testing.T) {
	c := bestTight(1)
	for _, p := range []explore.Policy{
		&policy.TFLUCB{Delta: 1}, &policy.ConstrainedTopTwo{Delta: -1}, &policy.TFLUCB{Radius: radius.Theory{Alpha: 1}},
		&policy.ConstrainedTopTwo{Threshold: policy.SelfNormalized{U: -1}},
		&policy.ConstrainedTopTwo{Share: 1}, &policy.ConstrainedTopTwo{Share: -.1}, &policy.ConstrainedTopTwo{Share: math.NaN()},
	} {
		if _, err := explore.NewSession(p, c.Problem, nil); err == nil {
			t.Errorf("%v is accepted", p)
		}
	}
	for _, p := range []explore.Policy{new(policy.TFLUCB), new(policy.ConstrainedTopTwo)} {
		if _, err := explore.NewSession(p, tight().Problem, nil); !errors.Is(err, explore.ErrQuestion) {
			t.Errorf("%v: %v; want ErrQuestion", p, err)
		}
	}
	if _, err := explore.NewSession(new(policy.ConstrainedTopTwo), bestTight(2).Problem, nil); !errors.Is(err, explore.ErrQuestion) {
		t.Errorf("two items: %v; want ErrQuestion", err)
	}
}
