package policy_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
	"github.com/purexp/purexp/pkg/question/complexity"
)

func gameQuick() explore.Policy { return &policy.GameCPSI{Threshold: policy.Heuristic{}} }

// inexact marks cases for a policy whose best responses are exact only up to rounding, which may
// decide between responses of equal cost.
func inexact(cases ...policytest.Case) []policytest.Case {
	for i := range cases {
		cases[i].Inexact = true
	}
	return cases
}

var _ = register(gamePlans)

// gameCases returns constrained cases, all cases (these and some about Pareto sets), and cases for error rates.
func gameCases() (cases, all []policytest.Case, rates []rate) {
	cases = inexact(sequential(constrainedCases(), 1)...)
	all = slices.Clone(cases)
	for _, c := range cases {
		if c.Name == "all classes" || c.Name == "one arm" || c.Name == "no constraints" || c.Name == "three objectives" {
			all = append(all, unconstrained(c, question.Pareto{}))
		}
	}
	for _, c := range []policytest.Case{
		setOnly(tight()), unconstrained(tight(), question.Pareto{}), setOnly(constrainedCases()[0]),
	} {
		rates = append(rates, rate{c, .1, 50})
	}
	return cases, all, rates
}

// gamePlans uses a threshold without a theorem in the suite, because runs with it are short and conformance does
// not depend on the threshold. The guarantee covers only the set, not the reasons.
func gamePlans() []plan {
	cases, all, rates := gameCases()
	return []plan{
		{"GameCPSI, log((1 + log t)|delta)", gameQuick, all, rates},
		{"GameCPSI, tracking", form(policy.GameCPSI{Threshold: policy.Heuristic{}, Track: true}),
			append(cases[:2:2], cases[6]), nil},
		{"GameCPSI, mixture martingales", form(policy.GameCPSI{}),
			cases[1:4], []rate{{setOnly(tight()), .1, 6}}},
	}
}

// setOnly turns a case into a question about the set alone.
func setOnly(c policytest.Case) policytest.Case {
	p := *c.Problem
	q := p.Question.(question.FeasiblePareto)
	q.SetOnly = true
	p.Question = q
	c.Problem = &p
	return c
}

// The value CgG(1) = 2.507094547 was computed independently (see package radius). For delta = e^-4 and m = 4, the
// second term of the threshold is 4 CgG(1). LogDet = 8 means that the mean logarithm of the four counts is 2. With
// Printed, this logarithm is log(80/4) for 80 pulls. For 3 pulls, which are fewer than one per mean, it is 0.
func TestMixtureMartingalesByHand(t *testing.T) {
	delta := math.Exp(-4)
	for _, c := range []struct {
		t    policy.MixtureMartingales
		e    policy.Evidence
		want float64
	}{
		{policy.MixtureMartingales{}, policy.Evidence{Delta: delta, Pulls: 9, Rank: 4, LogDet: 8},
			8*math.Log(6) + 4*2.507094547},
		{policy.MixtureMartingales{Printed: true}, policy.Evidence{Delta: delta, Pulls: 80, Rank: 4,
			LogDet: 8}, 8*math.Log(4+2.995732274) + 4*2.507094547},
		{policy.MixtureMartingales{Printed: true}, policy.Evidence{Delta: delta, Pulls: 3, Rank: 4,
			LogDet: 8}, 8*math.Log(4) + 4*2.507094547},
	} {
		if got := c.t.Beta(c.e); math.Abs(got-c.want) > 1e-7 {
			t.Errorf("%v at %+v: %v; want %v", c.t, c.e, got, c.want)
		}
	}
	// log(4 + x) is concave: the threshold from LogDet is at least the threshold of the theorem, with equality for
	// equal counts.
	sum, log := 0., 0.
	for _, n := range []float64{1, 50, 3000, 7} {
		sum += 2 * math.Log(4+math.Log(n))
		log += math.Log(n)
	}
	if got := (policy.MixtureMartingales{}).Beta(policy.Evidence{Delta: delta, Rank: 4,
		LogDet: log}) - 4*2.507094547; got < sum {
		t.Errorf("%v; the theorem has %v", got, sum)
	}
}

// endless is a threshold that is never exceeded, with a bonus of 0.
type endless struct{ delta float64 }

func (e endless) Beta(v policy.Evidence) float64 {
	if v.Delta == e.delta {
		return math.Inf(1)
	}
	return 0
}

// gameTStar returns T* of the set question of a case.
func gameTStar(t *testing.T, c policytest.Case) *complexity.TStar {
	s, err := (*complexity.TStar)(nil), error(nil)
	if q, ok := c.Problem.Question.(question.FeasiblePareto); ok {
		s, err = complexity.NewTStar(q, c.Means(), nil, 0)
	} else {
		s, err = complexity.NewTStar(question.Pareto{}, c.Means(), nil, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bestResponse returns the best response to the true means of c.
func bestResponse(t *testing.T, c policytest.Case) *alternative.BestResponse {
	t.Helper()
	b, err := alternative.New(c.Problem.K(), c.Problem.D(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if q, ok := c.Problem.Question.(question.FeasiblePareto); ok {
		if err := b.Constrain(q.Region); err != nil {
			t.Fatal(err)
		}
	}
	b.SetMeans(c.Means().RawMatrix().Data)
	return b
}

// Without noise and bonus, the players solve the game. With T rewards, the learner's regret is of
// order sqrt(T log K), so the value of the game at the proportions of pulls tends to 1/T*.
func TestGameCPSIProportions(t *testing.T) {
	for _, c := range []policytest.Case{
		setOnly(tight()), unconstrained(tight(), question.Pareto{}), setOnly(constrainedCases()[0]),
		setOnly(constrainedCases()[1]),
	} {
		s := gameTStar(t, c)
		for _, track := range []bool{false, true} {
			const n = 20_000
			p := &policy.GameCPSI{Delta: .1, Threshold: endless{.1}, Track: track}
			r, err := explore.Run(p, c.Problem, c.Exact(), &explore.Settings{MaxPulls: n})
			if err != nil {
				t.Fatal(err)
			}
			b := bestResponse(t, c)
			share := make([]float64, c.Problem.K())
			far := 0.
			for i, v := range r.ArmPulls {
				share[i] = float64(v) / n
				far = max(far, math.Abs(share[i]-s.Weights[i]))
			}
			ratio := 1 / b.Cost(nil, share) / s.Lower
			t.Logf("%s, track %v: proportions %.3f, oracle %.3f; time %.4f T*", c.Name, track, share, s.Weights, ratio)
			if ratio > 1.05 || far > .04 {
				t.Errorf("%s, track %v: proportions %.3f, oracle %.3f; time %.4f T*", c.Name, track, share, s.Weights, ratio)
			}
		}
	}
}

// Without noise, the run cannot stop before T* h sigma^2 pulls (h is the threshold) for any sampling rule. For a small
// delta, the run stops soon after this number of pulls.
func TestGameCPSIStoppingTime(t *testing.T) {
	for _, c := range []policytest.Case{setOnly(tight()), unconstrained(tight(), question.Pareto{}),
		setOnly(constrainedCases()[1])} {
		s := gameTStar(t, c)
		for _, p := range []*policy.GameCPSI{{Delta: 1e-9}, {Delta: 1e-9, Threshold: policy.Heuristic{}, Track: true}} {
			r, err := explore.Run(p, c.Problem, c.Exact(), nil)
			if err != nil {
				t.Fatal(err)
			}
			e := policy.Evidence{Delta: 1e-9, Pulls: r.Pulls, Rank: c.Problem.K() * c.Problem.D()}
			for _, n := range r.ArmPulls {
				e.LogDet += float64(c.Problem.D()) * math.Log(float64(n))
			}
			h := policy.Heuristic{}.Beta(e)
			if p.Threshold == nil {
				h = policy.MixtureMartingales{}.Beta(e)
			}
			sigma := c.Problem.SigmaU()
			ratio := float64(r.Pulls) / (s.Lower * h * sigma * sigma)
			t.Logf("%s, %v: %d pulls, %.3f T* h", c.Name, p, r.Pulls, ratio)
			if ratio < 1-1e-9 || ratio > 1.5 {
				t.Errorf("%s, %v: %d pulls, %.3f times T* h", c.Name, p, r.Pulls, ratio)
			}
			// The half-width of a mean follows from the threshold for this mean alone.
			for i, x := range r.Answer.Reasons {
				if got := x.SlackRadius * x.SlackRadius * float64(
					r.ArmPulls[i]) / (2 * sigma * sigma); math.Abs(got/h-1) > 1e-9 {
					t.Errorf("arm %d: radius %v; want %v", i, x.SlackRadius, sigma*math.Sqrt(2*h/float64(r.ArmPulls[i])))
				}
			}
		}
	}
}

func ExampleGameCPSI() {
	// Doses are compared by response and safety. The safety must be at least 0.4.
	c := constrainedCase("doses", atLeast(math.Inf(-1), .4), .5,
		[]float64{.3, .9}, []float64{.5, .8}, []float64{.7, .7}, []float64{.4, .6},
		[]float64{.9, .1})
	r, err := explore.Run(&policy.GameCPSI{Delta: .05}, c.Problem, c.Exact(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, r.Answer.Items, "dominated:", r.Answer.Of(explore.Dominated),
		"infeasible:", r.Answer.Of(explore.Infeasible))
	// Output:
	// stopped [0 1 2] dominated: [3] infeasible: [4]
}

func trackQuick() explore.Policy {
	return &policy.ParetoTrackAndStop{Threshold: policy.Heuristic{}}
}

var _ = register(trackPlans)

// trackPlans are the plans of Track-and-Stop. As for Game-cPSI, the guarantee covers only the set.
func trackPlans() []plan {
	cases, all, rates := gameCases()
	return []plan{
		{"ParetoTrackAndStop, log((1 + log t)|delta)", trackQuick, all, rates},
		{"ParetoTrackAndStop, direct",
			form(policy.ParetoTrackAndStop{Threshold: policy.Heuristic{}, Direct: true}),
			append(cases[:2:2], cases[6]), nil},
		{"ParetoTrackAndStop, mixture martingales", form(policy.ParetoTrackAndStop{}),
			cases[1:4], []rate{{unconstrained(tight(), question.Pareto{}), .1, 6}}},
	}
}

func ExampleParetoTrackAndStop() {
	// Routes are compared by speed and comfort.
	c := unconstrained(constrainedCase("routes", atLeast(0, 0), .2,
		[]float64{1, 0}, []float64{0, 1}, []float64{.7, .6}, []float64{.1, .1}), question.Pareto{})
	r, err := explore.Run(&policy.ParetoTrackAndStop{Delta: .05}, c.Problem, c.Exact(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, r.Answer.Items, "dominated:", r.Answer.Of(explore.Dominated))
	// Output:
	// stopped [0 1 2] dominated: [3]
}
