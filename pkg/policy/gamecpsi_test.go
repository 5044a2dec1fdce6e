package policy_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
	"github.com/purexp/purexp/pkg/question/complexity"
)

func gameQuick() explore.Policy { return &policy.GameCPSI{Threshold: policy.Heuristic{}} }

// inexact marks cases for a policy whose best responses are exact up to rounding
// only, which may decide between two that cost the same.
func inexact(cases ...policytest.Case) []policytest.Case {
	for i := range cases {
		cases[i].Inexact = true
	}
	return cases
}

var _ = register(gamePlans)

// gamePlans have the short runs of a threshold without theorem for the suite, as
// conformance does not depend on it. The guarantee is about the set.
func gamePlans() []plan {
	cases := inexact(sequential(constrainedCases(), 1)...)
	all := slices.Clone(cases)
	for _, c := range cases {
		if c.Name == "all classes" || c.Name == "one arm" || c.Name == "no constraints" ||
			c.Name == "three objectives" {
			all = append(all, unconstrained(c, question.Pareto{}))
		}
	}
	var rates []rate
	for _, c := range []policytest.Case{
		setOnly(tight()), unconstrained(tight(), question.Pareto{}), setOnly(constrainedCases()[0]),
	} {
		rates = append(rates, rate{c, .1, 50})
	}
	return []plan{
		{"GameCPSI, log((1 + log t)|delta)", gameQuick, all, rates},
		{"GameCPSI, tracking", form(policy.GameCPSI{Threshold: policy.Heuristic{}, Track: true}),
			append(cases[:2:2], cases[6]), nil},
		{"GameCPSI, mixture martingales", form(policy.GameCPSI{}),
			cases[1:4], []rate{{setOnly(tight()), .1, 6}}},
	}
}

// setOnly asks for the set alone.
func setOnly(c policytest.Case) policytest.Case {
	p := *c.Problem
	q := p.Question.(question.FeasiblePareto)
	q.SetOnly = true
	p.Question = q
	c.Problem = &p
	return c
}

// The tight cases see a threshold that is much too small.
func TestGameCPSITightCases(t *testing.T) {
	for _, c := range []policytest.Case{setOnly(tight()),
		unconstrained(tight(), question.Pareto{})} {
		var tb failing
		small := fraction{policy.MixtureMartingales{}, 400}
		n := policytest.ErrorRate(&tb, form(policy.GameCPSI{Threshold: small}), c, .1, 100)
		if !tb.failed {
			t.Errorf("%s: %d wrong in 100 with a four-hundredth of the threshold, and nobody "+
				"noticed", c.Name, n)
		}
	}
}

// By hand, with CgG(1) = 2.507094547, a value computed independently (see
// package radius): delta = e^-4 and m = 4 make it 4 CgG(1). LogDet 8 is a mean
// logarithm of 2; 4 e^3 = 80.34 pulls, printed, are a logarithm of 3 up to
// rounding to 80; 3 pulls are less than one each, a logarithm of 0.
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
	// log(4 + x) is concave: the value for LogDet is at least that of the theorem,
	// and equal to it for equal counts.
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

// endless is a threshold that is never exceeded, and of which the bonus is 0.
type endless struct{ delta float64 }

func (e endless) Beta(v policy.Evidence) float64 {
	if v.Delta == e.delta {
		return math.Inf(1)
	}
	return 0
}

// gameTStar returns T* of the set that a case asks for.
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

// bestResponse is that to the true means of c.
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

// Without noise and without bonus the players solve the game: with T rewards the
// learner's regret is of order sqrt(T log K), so that proportions p tend to those
// of the oracle. What is certain is their value: 1/F(p) tends to T*.
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
			t.Logf("%s, track %v: proportions %.3f, oracle %.3f; time %.4f T*", c.Name, track,
				share, s.Weights, ratio)
			if ratio > 1.05 || far > .04 {
				t.Errorf("%s, track %v: proportions %.3f, oracle %.3f; time %.4f T*", c.Name, track,
					share, s.Weights, ratio)
			}
		}
	}
}

// Without noise it cannot stop before T* h/sigma^2 pulls, whatever it pulls, and
// for small delta not much later.
func TestGameCPSIStoppingTime(t *testing.T) {
	for _, c := range []policytest.Case{setOnly(tight()), unconstrained(tight(), question.Pareto{}),
		setOnly(constrainedCases()[1])} {
		s := gameTStar(t, c)
		for _, p := range []*policy.GameCPSI{{Delta: 1e-9},
			{Delta: 1e-9, Threshold: policy.Heuristic{}, Track: true}} {
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
			// The radius of a mean is what the threshold leaves to it alone.
			for i, x := range r.Answer.Reasons {
				if got := x.SlackRadius * x.SlackRadius * float64(
					r.ArmPulls[i]) / (2 * sigma * sigma); math.Abs(got/h-1) > 1e-9 {
					t.Errorf("arm %d: radius %v; want %v", i, x.SlackRadius,
						sigma*math.Sqrt(2*h/float64(r.ArmPulls[i])))
				}
			}
		}
	}
}

// Noise counts by its projections: Sigma is not read where NormSigma is given.
func TestGameCPSINoise(t *testing.T) {
	c := constrainedCases()[0]
	var pulls []int
	for _, sigma := range []float64{.5, .25} {
		p := *c.Problem
		p.Sigma = sigma
		r, err := explore.Run(gameQuick(), &p, c.Exact(), nil)
		if err != nil {
			t.Fatal(err)
		}
		pulls = append(pulls, r.Pulls)
	}
	if pulls[0] != pulls[1] {
		t.Errorf("%d pulls", pulls)
	}
}

// Asked for reasons, it plays as for the set alone: reasons are free, and a guess
// where the radius says so. Arm 2 is far below arm 0 and hardly infeasible.
func TestGameCPSIReasons(t *testing.T) {
	c := constrainedCase("guess", atLeast(0, 0), .5, []float64{2, 2}, []float64{-3, 2},
		[]float64{-.01, 0.1})
	set := setOnly(c)
	with, err := explore.Run(new(policy.GameCPSI), c.Problem, c.Exact(), nil)
	if err != nil {
		t.Fatal(err)
	}
	without, err := explore.Run(new(policy.GameCPSI), set.Problem, set.Exact(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(with.ArmPulls) != fmt.Sprint(without.ArmPulls) {
		t.Errorf("pulls %v with reasons, %v without", with.ArmPulls, without.ArmPulls)
	}
	sure, guess := with.Answer.Reasons[1], with.Answer.Reasons[2]
	if sure.Class != explore.Infeasible || -sure.Slack <= sure.SlackRadius {
		t.Errorf("arm 1: %+v; want certainly infeasible", sure)
	}
	if guess.Class != explore.Infeasible || -guess.Slack >= guess.SlackRadius {
		t.Errorf("arm 2: %+v; want infeasible by the estimate alone", guess)
	}
}

// An arm on the boundary of the region, or one that hides the answer there, is not
// decided by any number of pulls, and named when the run is cut short.
func TestGameCPSIBoundary(t *testing.T) {
	c := constrainedCase("boundary", atLeast(0, 0), .5, []float64{0, 1}, []float64{1, .5},
		[]float64{2, -1})
	best := bestOf(c, 1, 0, 1) // arm 0 is better than arm 1 in objective 1
	for _, test := range []struct {
		p explore.Policy
		c policytest.Case
	}{{new(policy.GameCPSI), c}, {tfLUCB(), best}, {topTwo(), best}} {
		r, err := explore.Run(test.p, test.c.Problem, test.c.Exact(),
			&explore.Settings{MaxPulls: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		if u := r.Answer.Of(explore.Undecided); r.Status != explore.PullLimit || len(u) == 0 ||
			u[0] != 0 {
			t.Errorf("%v: %v, undecided %v; want arm 0 among them at the limit", test.p, r.Status,
				u)
		}
	}
}

// Names tell settings apart.
func TestGameCPSINames(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range []explore.Policy{
		&policy.GameCPSI{}, &policy.GameCPSI{Delta: .05}, &policy.GameCPSI{Track: true},
		&policy.GameCPSI{PrintedBonus: true},
		&policy.GameCPSI{Threshold: policy.MixtureMartingales{Printed: true}},
		&policy.GameCPSI{Threshold: policy.Heuristic{}},
		&policy.GameCPSI{Threshold: policy.SelfNormalized{}},
		&policy.ConstrainedTopTwo{}, &policy.ConstrainedTopTwo{Share: .3},
		&policy.ConstrainedTopTwo{Threshold: policy.Heuristic{}},
		&policy.TFLUCB{}, &policy.TFLUCB{Delta: .05},
	} {
		if s := explore.Name(p); seen[s] {
			t.Errorf("%q is the name of two", s)
		} else {
			seen[s] = true
		}
	}
}

// A lone arm without constraints has no alternative.
func TestGameCPSIOneArm(t *testing.T) {
	c := constrainedCase("one arm", polyhedron.Whole(2), 1, []float64{1, 2})
	r, err := explore.Run(new(policy.GameCPSI), c.Problem, c.Exact(), nil)
	if err != nil || r.Pulls != 1 || fmt.Sprint(r.Answer.Items) != "[0]" {
		t.Errorf("%+v, %v; want arm 0 after 1 pull", r, err)
	}
}

func TestGameCPSIInitErrors(t *testing.T) {
	ok := tight().Problem
	for _, p := range []explore.Policy{
		&policy.GameCPSI{Delta: 1}, &policy.GameCPSI{Delta: -.1},
		&policy.GameCPSI{Delta: math.NaN()},
		&policy.GameCPSI{Threshold: policy.SelfNormalized{U: -1}},
	} {
		if _, err := explore.NewSession(p, ok, nil); err == nil {
			t.Errorf("%v is accepted", p)
		}
	}
	other := *ok
	other.Question = strange{}
	if _, err := explore.NewSession(new(policy.GameCPSI), &other, nil); !errors.Is(err,
		explore.ErrQuestion) {
		t.Errorf("%v; want ErrQuestion", err)
	}
}

func ExampleGameCPSI() {
	// Doses by response and safety, which has to be at least 0.4.
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
