package policy_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// pilot is e-cAPE after a pilot.
func pilot(share float64, rewards int) func() explore.Policy {
	return func() explore.Policy {
		return &policy.Piloted{Share: share, Rewards: rewards,
			New: func(delta float64) explore.Policy { return &policy.ECAPE{Delta: delta} }}
	}
}

// unlike is a case whose objectives have standard deviations 1 and 20, of which the problem says
// nothing true.
func unlike() policytest.Case {
	c := constrainedCase("unlike objectives", atLeast(0, 0), .001,
		[]float64{5, 60}, []float64{3, 36}, []float64{9, -30}, []float64{2, 90})
	law, err := bandit.NewGaussian(c.Means(), mat.NewDiagDense(2, []float64{1, 400}))
	if err != nil {
		panic(err)
	}
	p := *c.Problem
	p.NormSigma = 0
	c.Problem, c.Law = &p, law
	return c
}

// The guarantee holds for scales that nobody told, one after the other and by plates.
func TestPilotedErrorRate(t *testing.T) {
	runs := 200
	if testing.Short() {
		runs = 40
	}
	new := pilot(0, 0)
	one := policytest.ErrorRate(t, new, unlike(), policy.DefaultDelta, runs)
	eight := policytest.OpenErrorRate(t, new, unlike(), policy.DefaultDelta, runs,
		explore.Plates{Size: 8, Out: 2, Fail: .05, Late: .2})
	t.Logf("%d of %d wrong, by plates %d", one, runs, eight)
}

// A bound is below the standard deviation with the probability that it costs, whatever the scale:
// not more often, and not much less often.
func TestPilotedBounds(t *testing.T) {
	const share, delta, runs = .8, .5, 2000
	c := unlike()
	below := 0
	for run := range runs {
		p := pilot(share, 3)().(*policy.Piloted)
		p.Delta = delta
		if err := p.Init(c.Problem, rand.NewPCG(1, 2)); err != nil {
			t.Fatal(err)
		}
		pulls, err := p.Ask(nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(pulls) != 12 || pulls[5] != (explore.Pull{Arm: 1, N: 1}) {
			t.Fatalf("pilot %v", pulls)
		}
		s := bandit.NewSampler(c.Law, seed.New(uint64(run)))
		for _, pull := range pulls {
			for range pull.N {
				obs, err := s.Sample(nil, []explore.Pull{{Arm: pull.Arm, N: 1}})
				if err != nil {
					t.Fatal(err)
				}
				if err := p.Learn(obs); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := p.Sigmas(); got[0] < 1 || got[1] < 20 {
			below++
		}
	}
	// Each of the two is below with probability .2, the two independently.
	want, sd := 1-.8*.8, math.Sqrt(.36*.64/runs)
	if got := float64(below) / runs; math.Abs(got-want) > 5*sd {
		t.Errorf("a bound is below in %.3f of the runs; want %.3f ± %.3f", got, want, sd)
	}
}

// Rewards told as sums with sums of squares give the same bounds as one by one.
func TestPilotedSums(t *testing.T) {
	values := [][]float64{{1, 2, 4}, {10, 10.5, 12}}
	p := &explore.Problem{Arms: 2, Sigma: 1, Question: question.Pareto{}}
	tell := func(obs ...explore.Batch) float64 {
		x := pilot(0, 3)().(*policy.Piloted)
		if err := x.Init(p, rand.NewPCG(1, 2)); err != nil {
			t.Fatal(err)
		}
		if err := x.Learn(obs); err != nil {
			t.Fatal(err)
		}
		return x.Sigmas()[0]
	}
	var one, sums []explore.Batch
	for i, row := range values {
		total := explore.Batch{Pull: explore.Pull{Arm: i}, Sum: []float64{0}, Squares: []float64{0}}
		for _, v := range row {
			one = append(one, explore.Batch{Pull: explore.Pull{Arm: i, N: 1}, Sum: []float64{v}})
			total.N++
			total.Sum[0] += v
			total.Squares[0] += v * v
		}
		sums = append(sums, total)
	}
	// Squared deviations: 14/3 and 7/6 + 1; 4 degrees of freedom; the quantile at 0.01 is 0.29711.
	want := math.Sqrt((14./3 + 13./6) / .29710948)
	slices.Reverse(one)
	for name, got := range map[string]float64{"one by one": tell(one...), "sums": tell(sums...)} {
		if math.Abs(got-want) > 1e-6*want {
			t.Errorf("%s: bound %v; want %v", name, got, want)
		}
	}
}

func TestPilotedErrors(t *testing.T) {
	p := &explore.Problem{Arms: 2, Sigma: 1, Question: question.Pareto{}}
	ape := func(delta float64) explore.Policy { return &policy.APE{Delta: delta} }
	for _, c := range []struct {
		p    policy.Piloted
		want string
	}{
		{policy.Piloted{New: ape, Share: 1}, "Share is 1"},
		{policy.Piloted{New: ape, Share: -.1}, "Share is -0.1"},
		{policy.Piloted{New: ape, Rewards: 1}, "at least 2 rewards"},
		{policy.Piloted{New: ape, Delta: 2}, "Delta is 2"},
		{policy.Piloted{}, "New is nil"},
		{policy.Piloted{New: func(float64) explore.Policy { return &policy.GStatic{} }},
			"want an explore.Open"},
	} {
		err := c.p.Init(p, rand.NewPCG(1, 2))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v; want %q", c.p, err, c.want)
		}
	}
	x := pilot(0, 2)()
	if err := x.Init(p, rand.NewPCG(1, 2)); err != nil {
		t.Fatal(err)
	}
	sum := explore.Batch{Pull: explore.Pull{Arm: 0, N: 2}, Sum: []float64{3}}
	err := x.Tell([]explore.Batch{sum})
	if err == nil || !strings.Contains(err.Error(), "squares") {
		t.Errorf("a sum without squares: %v", err)
	}
	equal := func(arm int) explore.Batch {
		return explore.Batch{Pull: explore.Pull{Arm: arm, N: 1}, Sum: []float64{3}}
	}
	if err := x.Init(p, rand.NewPCG(1, 2)); err != nil {
		t.Fatal(err)
	}
	err = x.Tell([]explore.Batch{equal(0), equal(0), equal(1), equal(1)})
	if err == nil || !strings.Contains(err.Error(), "no noise of a Gaussian") {
		t.Errorf("rewards without noise: %v", err)
	}
}

// A pilot that asks by plates fills them with as many arms as there are, and does not ask for what
// is pending.
func TestPilotedPlates(t *testing.T) {
	x := pilot(0, 2)().(explore.Open)
	if err := x.Init(unlike().Problem, rand.NewPCG(1, 2)); err != nil {
		t.Fatal(err)
	}
	first, err := x.More(nil, 6, nil)
	if err != nil {
		t.Fatal(err)
	}
	rest, err := x.More(nil, 6, first)
	if err != nil {
		t.Fatal(err)
	}
	count := make([]int, 4)
	for i, pull := range append(slices.Clone(first), rest...) {
		if i < 4 && count[pull.Arm] > 0 {
			t.Errorf("%v: an arm twice before all had one", first)
		}
		count[pull.Arm] += pull.N
	}
	if len(first) != 6 || !slices.Equal(count, []int{2, 2, 2, 2}) {
		t.Errorf("plates %v, then %v; want two rewards of each arm", first, rest)
	}
}

// Known values need no pilot, and no equal replicates are taken for noise.
func TestPilotedKnown(t *testing.T) {
	c := knowing(constrainedCase("prices", polyhedron.Whole(2), 1,
		[]float64{3, -2}, []float64{1, -2}, []float64{0, -1}), 1)
	law, err := bandit.NewGaussian(c.Means(), mat.NewDiagDense(2, []float64{1, 0}))
	if err != nil {
		t.Fatal(err)
	}
	c.Law = law
	wrong := policytest.OpenErrorRate(t, pilot(0, 0), c, policy.DefaultDelta, 100,
		explore.Plates{Size: 3})
	t.Logf("%d of 100 wrong", wrong)
}

// What is measured beyond the pilot is used by the policy, and not for the bounds: how often an arm
// is measured may depend on what came out.
func TestPilotedCountsNoMore(t *testing.T) {
	p := &explore.Problem{Arms: 2, Sigma: 1, Question: question.Pareto{}}
	bound := func(extra ...float64) float64 {
		x := pilot(0, 2)().(*policy.Piloted)
		if err := x.Init(p, rand.NewPCG(1, 2)); err != nil {
			t.Fatal(err)
		}
		reward := func(arm int, v float64) explore.Batch {
			return explore.Batch{Pull: explore.Pull{Arm: arm, N: 1}, Sum: []float64{v}}
		}
		obs := []explore.Batch{reward(0, 1), reward(0, 2)}
		for _, v := range extra {
			obs = append(obs, reward(0, v))
		}
		if err := x.Learn(append(obs, reward(1, 0), reward(1, .5))); err != nil {
			t.Fatal(err)
		}
		return x.Sigmas()[0]
	}
	if a, b := bound(), bound(9, -9, 30); a != b {
		t.Errorf("bound %v; with three more rewards %v", a, b)
	}
}

// Results of arms that the pilot did not ask for, which somebody tells until the bound looks small,
// are no part of it; nor are more rewards of an arm at a time than it lacks.
func TestPilotedCountsItsPlan(t *testing.T) {
	const k = 20
	p := &explore.Problem{X: mat.NewDense(k, 2, nil), Sigma: 1, Question: question.Best{}}
	for i := range k {
		p.X.SetRow(i, []float64{1, float64(i)})
	}
	bound := func(unsolicited bool) float64 {
		x := &policy.Piloted{Rewards: 3, New: func(delta float64) explore.Policy {
			return &policy.LinGapE{Delta: delta}
		}}
		if err := x.Init(p, rand.NewPCG(1, 2)); err != nil {
			t.Fatal(err)
		}
		pulls, err := x.Ask(nil)
		if err != nil {
			t.Fatal(err)
		}
		asked := map[int]bool{}
		for _, pull := range pulls {
			asked[pull.Arm] = true
		}
		if len(asked) == k {
			t.Fatal("the pilot is of all arms: no test")
		}
		for arm := range k {
			n := 2.
			if asked[arm] {
				n = 4
			}
			if unsolicited { // equal ones, so that the deviations seem small
				if err := x.Learn([]explore.Batch{{Pull: explore.Pull{Arm: arm, N: int(n)},
					Sum: []float64{n}, Squares: []float64{n + 1e-9}}}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i, pull := range pulls {
			if err := x.Learn([]explore.Batch{{Pull: pull,
				Sum: []float64{float64(i * i % 7 * pull.N)}}}); err != nil {
				t.Fatal(err)
			}
		}
		return x.Sigmas()[0]
	}
	if a, b := bound(false), bound(true); a != b {
		t.Errorf("bound %v; with unsolicited results %v", a, b)
	}
}

// The policy gets what the pilot leaves of delta.
func TestPilotedDelta(t *testing.T) {
	var got float64
	p := &policy.Piloted{Delta: .1, Share: .3, New: func(delta float64) explore.Policy {
		got = delta
		return &policy.APE{Delta: delta}
	}}
	if err := p.Init(&explore.Problem{Arms: 2, Sigma: 1, Question: question.Pareto{}},
		rand.NewPCG(1, 2)); err != nil || math.Abs(got-.07) > 1e-15 {
		t.Errorf("delta %v, %v; want 0.07", got, err)
	}
	const start = "pilot of 4 (0.3 of delta 0.1), then APE (delta 0.07"
	if s := p.String(); !strings.HasPrefix(s, start) {
		t.Error(s)
	}
}

// asked is a policy that remembers its problem.
type asked struct {
	policy.ECAPE
	prob *explore.Problem
}

func (a *asked) Init(p *explore.Problem, src rand.Source) error {
	a.prob = p
	return a.ECAPE.Init(p, src)
}

// The policy is told the bounds of the pilot, the largest as that of all, and nothing that was
// said of the noise before.
func TestPilotedScales(t *testing.T) {
	inner := &asked{}
	p := &policy.Piloted{New: func(delta float64) explore.Policy {
		inner.Delta = delta
		return inner
	}}
	c := unlike()
	prob := *c.Problem
	prob.Sigma, prob.NormSigma = 7, 7
	if err := p.Init(&prob, rand.NewPCG(1, 2)); err != nil {
		t.Fatal(err)
	}
	pulls, err := p.Ask(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, pull := range pulls {
		y := float64(i % 3)
		if err := p.Learn([]explore.Batch{{Pull: pull, Sum: []float64{y, 20 * y}}}); err != nil {
			t.Fatal(err)
		}
	}
	got := inner.prob
	if got == nil {
		t.Fatal("the pilot goes on")
	}
	s := p.Sigmas()
	if math.Abs(s[1]-20*s[0]) > 1e-9*s[1] || got.Sigma != s[1] || !slices.Equal(got.Sigmas, s) ||
		math.Abs(got.SigmaU()-math.Sqrt2*s[1]) > 1e-9*s[1] {
		t.Errorf("bounds %v; the policy is told %v, %v and %v", s, got.Sigma, got.Sigmas, got.SigmaU())
	}
}
