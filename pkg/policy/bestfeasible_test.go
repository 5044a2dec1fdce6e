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
	p.Question = question.BestFeasible{Region: c.Problem.Question.(question.FeasiblePareto).Region,
		Weights: weights, Count: count}
	c.Problem = &p
	c.Name += fmt.Sprintf(" weights %v", weights)
	if count > 1 {
		c.Name += fmt.Sprintf(" count %d", count)
	}
	c.MaxPulls = 2_000_000
	return c
}

// bestFeasibleCases all have one right answer.
func bestFeasibleCases(count int) (cases []policytest.Case) {
	add := func(c policytest.Case, weights ...float64) {
		cases = append(cases, bestOf(c, count, weights...))
	}
	for _, c := range constrainedCases() {
		switch c.Name {
		case "all classes":
			add(c, 1, 0)
			add(c, 1, 2)
		case "nobody feasible":
			add(c)
		case "one feasible":
			add(c, 1, 1)
			add(c, 0, 1)
		case "one arm":
			add(c, -1, 0)
		case "no constraints":
			add(c, 2, 1)
		case "three objectives":
			add(c, 1, 3, -1)
		case "upper bounds":
			add(c, 1, .1)
		case "simplex":
			add(c)
		}
	}
	// The others are far behind long before the leader is known to be feasible.
	add(constrainedCase("leader at the edge", atLeast(0, 0), .5, []float64{3, .1}, []float64{-1, 3},
		[]float64{.5, 2}), 1, 0)
	return cases
}

// bestTight hangs on 0.2 standard deviations: arm 0 is that much better than arm 1
// and that much feasible, arm 3 is better and that much infeasible.
func bestTight(count int) policytest.Case { return bestOf(tight(), count, 1, 0) }

var _ = register(bestFeasiblePlans)

// bestFeasiblePlans hold both policies to the same cases.
func bestFeasiblePlans() (all []plan) {
	for _, count := range []int{1, 2, 9} {
		bets := plan{name: fmt.Sprintf("BettingFeasible, %d best", count), new: form(policy.BettingFeasible{}),
			cases: append(bestFeasibleCases(count), bestTight(count))}
		if count < 9 {
			bets.rates = []rate{{bestTight(count), .1, 100}, {bestTight(count), .8, 100}}
		}
		all = append(all, bets)
		p := plan{name: fmt.Sprintf("TFLUCB, %d arms", count), new: tfLUCB}
		p.cases = append(bestFeasibleCases(count), bestTight(count))
		if count > 2 {
			all = append(all, p)
			continue
		}
		p.rates = []rate{{bestTight(count), .1, 100}}
		theory := form(policy.TFLUCB{Radius: radius.Theory{}})
		all = append(all, p,
			plan{name: p.name + ", Theory", new: theory, rates: []rate{{bestTight(count), .1, 20}}})
	}
	cases := append(bestFeasibleCases(1), bestTight(1))
	for _, th := range []policy.Threshold{nil, policy.SelfNormalized{}, policy.Heuristic{}} {
		all = append(all, plan{
			fmt.Sprintf("ConstrainedTopTwo, threshold %T", th),
			form(policy.ConstrainedTopTwo{Threshold: th}),
			cases, []rate{{bestTight(1), .1, 50}, {nobodyTight(), .1, 50}},
		})
		cases = nil
	}
	return all
}

// bestReasons checks reasons by the weighted sum.
func bestReasons(t *testing.T, count int, new func() explore.Policy) {
	for _, c := range append(bestFeasibleCases(count), bestTight(count)) {
		t.Run(c.Name, func(t *testing.T) {
			q := c.Problem.Question.(question.BestFeasible)
			for _, limit := range []int{0, 10, 20, 40, 80, 160, 400, 1000} {
				r, err := explore.Run(new(), c.Problem, c.Exact(),
					&explore.Settings{MaxPulls: limit})
				if err != nil {
					t.Fatal(err)
				}
				if r.Pulls == 0 {
					continue // the first round is larger than the budget
				}
				if r.Status == explore.Stopped && (r.Answer.Of(explore.Undecided) != nil ||
					fmt.Sprint(r.Answer.Of(explore.Optimal)) != fmt.Sprint(r.Answer.Items)) {
					t.Errorf("stopped with %+v", r.Answer)
				}
				if r.Status != explore.Stopped && r.Answer.Of(explore.Undecided) == nil {
					t.Errorf("limit %d: not stopped, and nothing undecided", limit)
				}
				for i, x := range r.Answer.Reasons {
					mu := c.Means().RawRowView(i)
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
						ahead = q.Value(mu) - q.Value(c.Means().RawRowView(x.By))
					}
					switch x.Class {
					case explore.Optimal:
						if !inside || math.Abs(x.Margin-ahead) > 1e-9 || ahead < 0 {
							t.Errorf("arm %d: %+v, ahead by %v", i, x, ahead)
						}
					case explore.Dominated:
						if by := r.Answer.Reasons[x.By]; r.Status != explore.Stopped &&
							by.Slack < by.SlackRadius {
							t.Errorf("limit %d, arm %d: %+v, by an arm that may be infeasible: %+v",
								limit, i, x, by)
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
		&policy.TFLUCB{Delta: 1}, &policy.ConstrainedTopTwo{Delta: -1},
		&policy.TFLUCB{Radius: radius.Theory{Alpha: 1}},
		&policy.ConstrainedTopTwo{Threshold: policy.SelfNormalized{U: -1}},
		&policy.ConstrainedTopTwo{Share: 1}, &policy.ConstrainedTopTwo{Share: -.1},
		&policy.ConstrainedTopTwo{Share: math.NaN()},
	} {
		if _, err := explore.NewSession(p, c.Problem, nil); err == nil {
			t.Errorf("%v is accepted", p)
		}
	}
	for _, p := range []explore.Policy{new(policy.TFLUCB), new(policy.ConstrainedTopTwo)} {
		if _, err := explore.NewSession(p, tight().Problem, nil); !errors.Is(err,
			explore.ErrQuestion) {
			t.Errorf("%v: %v; want ErrQuestion", p, err)
		}
	}
	if _, err := explore.NewSession(new(policy.ConstrainedTopTwo), bestTight(2).Problem,
		nil); !errors.Is(err, explore.ErrQuestion) {
		t.Errorf("two items: %v; want ErrQuestion", err)
	}
}

// bestOneCases are about the best by one objective; the last one knows the other.
func bestOneCases() (cases []policytest.Case) {
	for _, c := range append(bestFeasibleCases(1), bestTight(1)) {
		w := c.Problem.Question.(question.BestFeasible).Weights
		if len(w) == 2 && math.Max(w[0], w[1]) > 0 && w[0]*w[1] == 0 {
			cases = append(cases, c)
		}
	}
	last := knowing(cases[0], 1)
	last.Name += ", the other is known"
	return append(cases, last)
}

var _ = register(func() (all []plan) {
	for name, new := range lenientPolicies(radius.Mixture{}) {
		if name != "APE" {
			all = append(all, plan{name + ", best by one objective", new, bestOneCases(),
				[]rate{{bestTight(1), .1, 50}}})
		}
	}
	return all
})

// More than one objective, more than one item and known values that tie are refused.
func TestBestByOneObjective(t *testing.T) {
	c := constrainedCases()[0]
	for what, p := range map[string]*explore.Problem{
		"two objectives":    bestOf(c, 1, 1, 2).Problem,
		"a negative weight": bestOf(c, 1, -1, 0).Problem,
		"two items":         bestOf(c, 2, 1, 0).Problem,
		"a tie": func() *explore.Problem {
			p := knowing(bestOf(c, 1, 1, 0), 0).Problem
			p.Known.Set(1, 0, p.Known.At(0, 0))
			return p
		}(),
	} {
		if err := (&policy.ECAPE{}).Init(p, nil); !errors.Is(err, explore.ErrQuestion) {
			t.Errorf("%s: %v; want ErrQuestion", what, err)
		}
	}
	if err := (&policy.ECAPE{}).Init(bestOf(c, 1, 0, 3).Problem, nil); err != nil {
		t.Error(err)
	}
}

func TestBettingBestReasons(t *testing.T) {
	for _, count := range []int{1, 2, 9} {
		bestReasons(t, count, form(policy.BettingFeasible{}))
	}
}
