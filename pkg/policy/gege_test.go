package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
)

// gegeLinear returns a case with features x (K x h) and parameters theta (h x d).
func gegeLinear(name string, sigma float64, theta, x [][]float64) policytest.Case {
	p := &explore.Problem{X: rows(x), Objectives: len(theta[0]), Sigma: sigma, Question: question.Pareto{}}
	var mu mat.Dense
	mu.Mul(p.X, rows(theta))
	return policytest.Case{
		Instance:      policytest.Gaussian(name, p, &mu),
		MaxPulls:      1_000_000_000,
		UnitDependent: true, // accuracies are powers of two in reward units
		Inexact:       true,
		Solves:        true,
	}
}

// gegePlain returns a case without features.
func gegePlain(name string, sigma float64, means ...[]float64) policytest.Case {
	return policytest.Case{
		Instance: policytest.Gaussian(name, &explore.Problem{
			Arms: len(means), Objectives: len(means[0]), Sigma: sigma, Question: question.Pareto{},
		}, rows(means)),
		MaxPulls: 1_000_000_000,
	}
}

// gegeLinearCases have large gaps. There is one case for each structure of the features that needs
// care, such as duplicate arms or a rank below the dimension.
func gegeLinearCases() []policytest.Case {
	two := [][]float64{{1, .2}, {.2, 1}}
	return []policytest.Case{
		gegeLinear("fan", .3, two, basis(2, []float64{.4, .4}, []float64{-.5, .2},
			[]float64{.2, -.5}, []float64{-.6, -.6})),
		gegeLinear("rank 2 of 3", .3, [][]float64{{1, .2}, {.2, 1}, {0, 0}},
			[][]float64{{1, 0, 1}, {0, 1, 1}, {.3, .3, .6}, {-.5, -.5, -1}}),
		gegeLinear("duplicates", .3, two, basis(2, []float64{1, 0}, []float64{.3, .3},
			[]float64{0, 1}, []float64{.3, .3})),
		gegeLinear("a zero arm", .3, [][]float64{{-1, -.6}, {-.6, -1}}, basis(2, []float64{0, 0})),
		gegeLinear("one arm", .3, two, [][]float64{{1, 1}}),
		gegeLinear("one class", .3, two, [][]float64{{1, 1}, {1, 1}}),
		gegeLinear("one dimension", .3, [][]float64{{1, -1}}, [][]float64{{1}, {.2}, {-1}}),
		gegeLinear("one objective", .3, [][]float64{{1}, {.2}, {0}}, basis(3, []float64{.4, .4, .4})),
		gegeLinear("three objectives, K = h", .3, [][]float64{{1, .1, .1}, {.1, 1, .1}, {.1, .1, 1},
			{-.5, -.5, -.5}}, basis(4)),
		gegeLinear("more features than arms", .3, [][]float64{{1, .2}, {.2, 1}, {-.3, -.4}, {0, 0},
			{0, 0}}, [][]float64{{1, 0, 0, 1, 2}, {0, 1, 0, 1, 1}, {0, 0, 1, 3, 1}}),
	}
}

// gegePlainCases have no features and 1 to 6 arms.
func gegePlainCases() []policytest.Case {
	return []policytest.Case{
		gegePlain("five arms", .3, []float64{1, .2}, []float64{.2, 1}, []float64{.3, -.4},
			[]float64{-.4, .3}, []float64{-.7, -.5}),
		gegePlain("all optimal", .3, []float64{1, -1}, []float64{.3, .3}, []float64{-1, 1}),
		gegePlain("one optimal", .3, []float64{1, 1, 1}, []float64{.3, .2, .3},
			[]float64{-.4, .3, -.2}, []float64{-.7, -.5, -.3}),
		gegePlain("one arm", .3, []float64{1, 0}),
		gegePlain("two arms", .3, []float64{1, 0}, []float64{.2, -.8}),
		gegePlain("one objective", .3, []float64{1}, []float64{.4}, []float64{.3}, []float64{-.2},
			[]float64{-1}, []float64{0}),
	}
}

// gegeDegenerate has one objective in which all means are equal. The constant objective decides no
// comparison and reduces no gap to 0.
func gegeDegenerate() policytest.Case {
	c := gegePlain("a constant objective", .3, []float64{1, 2}, []float64{.2, 2}, []float64{-.3, 2})
	c.Problem.Question = question.Pareto{Epsilon: .5}
	return c
}

func gegeBudgets(T int) map[string]func() explore.Policy {
	return map[string]func() explore.Policy{
		"GEGE":      func() explore.Policy { return &policy.GEGEFixedBudget{Budget: T} },
		"EGESR":     func() explore.Policy { return &policy.EGESR{Budget: T} },
		"EGESH":     func() explore.Policy { return &policy.EGESH{Budget: T, Fresh: true} },
		"EGESHc":    func() explore.Policy { return &policy.EGESH{Budget: T} },
		"Uniform":   func() explore.Policy { return &policy.UniformBudget{Budget: T} },
		"UniformLS": func() explore.Policy { return &policy.UniformBudget{Budget: T, Linear: true} },
	}
}

// gegeBudgetPlans returns plans of fixed-budget policies for the cases of the suite.
func gegeBudgetPlans() (all []plan) {
	const T = 3600 // divisible by all numbers of arms: a remainder would depend on the order of the arms
	for name, make := range gegeBudgets(T) {
		p := plan{name: name, new: make}
		for _, c := range append(gegeLinearCases(), gegePlainCases()...) {
			// Policies that ignore features see tied arms in these cases, so the noise decides the verdicts.
			classes := c.Name == "duplicates" || c.Name == "one class"
			if classes && name != "GEGE" && name != "UniformLS" {
				continue
			}
			c.Budget, c.UnitDependent = T, false
			p.cases = append(p.cases, c)
		}
		all = append(all, p)
	}
	return all
}

// gegePlainTight has gaps of 0.2 standard deviations, without features.
func gegePlainTight() policytest.Case {
	return gegePlain("tight, no features", 1, []float64{1.2, .2}, []float64{1, .4}, []float64{1, 0}, []float64{.2, -.6})
}

var _ = register(gegePlans)

func gegePlans() []plan {
	cases := append(gegeLinearCases(), gegePlainCases()...)
	for i := range cases {
		cases[i].UnitDependent = true
	}
	// With the released constants, the number of pulls does not depend on Sigma, so these cases have little noise and
	// fixed units.
	code := slices.Clone(cases[:3])
	for i := range code {
		p := *code[i].Problem
		p.Sigma = .02
		code[i].Instance, code[i].Rigid = policytest.Gaussian(code[i].Name, &p, code[i].Means()), true
	}
	degenerate := gegeDegenerate()
	degenerate.UnitDependent, degenerate.Rigid = true, true

	relaxed := gegePlain("tight, relaxed", 1, []float64{1.2, .2}, []float64{1, .4}, []float64{.9, -.1}, []float64{.2, -.6})
	relaxed.Problem.Question = question.Pareto{Epsilon: .3}
	var rates []rate
	for _, c := range []policytest.Case{gegeLinearCases()[0], gegeTight(), gegePlainTight(), relaxed} {
		rates = append(rates, rate{c, .2, 400})
	}
	return []plan{
		{"GEGE theory", form(policy.GEGEFixedConfidence{Delta: .2}), nil, rates},
		{"GEGE paper", form(policy.GEGEFixedConfidence{Delta: .2, Constants: policy.GEGEPaper}), nil, rates},
		{"GEGE scale 8", form(policy.GEGEFixedConfidence{Delta: .2, Scale: 8}), nil, rates},
		{"GEGE default", form(policy.GEGEFixedConfidence{}), append(cases, degenerate), nil},
		{"GEGE paper, scale 2",
			form(policy.GEGEFixedConfidence{Constants: policy.GEGEPaper, Scale: 2}), cases, nil},
		{"GEGE code", form(policy.GEGEFixedConfidence{Constants: policy.GEGECode}), code, nil},
	}
}

var _ = register(auerPlans)

func auerPlans() []plan {
	degenerate := gegeDegenerate()
	degenerate.Rigid = true
	quick := gegePlain("tight", 1, []float64{2, .2}, []float64{1, 1.4}, []float64{1.2, -.4})
	return []plan{
		{"AuerRacing", form(policy.AuerRacing{}),
			append(level(gegePlainCases()), gegeLinearCases()[0], degenerate), nil},
		{"AuerRacing, half the radius",
			form(policy.AuerRacing{Radius: policy.AuerRadius{Scale: .5}}),
			gegePlainCases()[:3], nil},
		{"AuerRacing, errors", form(policy.AuerRacing{Delta: .2}), nil, []rate{{quick, .2, 100}}},
	}
}

// gegeTight has gaps from 0.04 to 1 standard deviations. Arms 0 and 1 are optimal and close, and arm 0
// dominates arm 3 by only 0.04.
func gegeTight() policytest.Case {
	return gegeLinear("tight", 1, [][]float64{{1, .2}, {.8, .4}, {-.5, -.6}},
		basis(3, []float64{.8, 0, 0}, []float64{.5, .3, .1}))
}

// gegeNoisy has independent Gaussian noise in all objectives.
type gegeNoisy struct {
	policytest.Case
	sd  float64
	rnd *rand.Rand
}

func (g gegeNoisy) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	dst, err := g.Case.Exact().Sample(dst, pulls)
	for i := range dst {
		for c := range dst[i].Sum {
			dst[i].Sum[c] += g.sd * math.Sqrt(float64(dst[i].N)) * g.rnd.NormFloat64()
		}
	}
	return dst, err
}

// gegeScript is a sampler without noise that records the requests.
type gegeScript struct {
	explore.Sampler
	asked *[][]explore.Pull
}

func (g gegeScript) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	*g.asked = append(*g.asked, slices.Clone(pulls))
	return g.Sampler.Sample(dst, pulls)
}

func gegePulls(t *testing.T, p explore.Policy, c policytest.Case) (asked [][]explore.Pull, a explore.Answer) {
	t.Helper()
	r, err := explore.Run(p, c.Problem, gegeScript{c.Exact(), &asked}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return asked, r.Answer
}

// The instance has five arms without noise, and T = 100. The front is {0, 1, 2}. The gaps, found by hand, are
//
//	M(0,1) = 3, M(1,0) = 2, M(1,2) = 4, M(2,1) = 0.5, M(0,2) = 7, M(2,0) = 2.5
//	D_3 = m(3,0) = min(0.25, 1) = 0.25
//	D_4 = max(m(4,0), m(4,1), m(4,2)) = max(-2.1, -0.1, 0.4) = 0.4
//	arm 0: min(2, 2.5, 0 + D_3, (M(4,0))+ + D_4) = 0.25
//	arm 1: min(2, 0.5, M(3,1) + D_3 = 3, 0.1 + D_4) = 0.5
//	arm 2: min(0.5, 2.5, M(3,2) + 0.25, 0 + 0.4) = 0.4
//
// In ascending order: arm 0 (0.25, optimal), 3 (0.25), 2 (0.4, optimal), 4 (0.4), 1 (0.5).
//
// GEGE with h = 5 has R = 3 stages of 33 pulls:
//
//	stage 1: 6 pulls of each of 5 arms; keeps ceil(5/2) = 3: {0, 3, 2}; 1 is accepted, 4 rejected
//	stage 2: 11 pulls of each of 3 arms; D_3 = 0.25, the gap of 0 is 0.25, and that of 2 is
//	         min(2.5, M(3,2) + 0.25) = 2.5; keeps ceil(5/4) = 2: {0, 3}; 2 is accepted
//	stage 3: 16 pulls of each of 2 arms; both gaps are 0.25; 0 stays, 3 is rejected
//
// EGE-SR: logbar = 0.5 + 1/2 + 1/3 + 1/4 + 1/5 = 1.78333 and 95/logbar = 53.2710. The total pulls of an active arm
// after each stage are 11 (10.65), 14 (13.32), 18 (17.76) and 27 (26.64). Arm 1 leaves first. Among {0, 2, 3, 4} the
// gaps are 0.25, 0.4, 0.25 and 0.4, so arm 4 leaves (dominated), followed by arms 2 and 3. The pulls are 55 + 12 + 12
// + 18 = 97.
//
// The test detects three errors. If ties were broken against empirically optimal arms, arm 3 would outlast arm 0 and
// be returned. If the largest gaps were kept, arms 1, 4 and 2 would stay. If numbers were rounded up, the first stage
// would have 7 pulls of each arm, 35 instead of at most 33.
func TestGEGEStagesByHand(t *testing.T) {
	c := gegePlain("five arms", 1, []float64{4, 1}, []float64{1, 3}, []float64{-3, 3.5},
		[]float64{3.75, 0}, []float64{-3.4, 3.1})
	level := func(n int, arms ...int) (p []explore.Pull) {
		for _, i := range arms {
			p = append(p, explore.Pull{Arm: i, N: n})
		}
		return p
	}
	if g := pareto.Gaps(c.Means()); math.Abs(g[0]-.25)+math.Abs(g[1]-.5)+math.Abs(g[2]-.4)+
		math.Abs(g[3]-.25)+math.Abs(g[4]-.4) > 1e-12 {
		t.Fatalf("gaps %v", g)
	}
	halved := [][]explore.Pull{level(6, 0, 1, 2, 3, 4), level(11, 0, 2, 3), level(16, 0, 3)}
	basisOf := gegeLinear("five arms", 1, [][]float64{{4, 1}, {1, 3}, {-3, 3.5}, {3.75, 0}, {-3.4, 3.1}}, basis(5))
	for _, x := range []struct {
		name string
		p    explore.Policy
		c    policytest.Case
		want [][]explore.Pull
	}{
		{"GEGE", &policy.GEGEFixedBudget{Budget: 100}, c, halved},
		{"GEGE, canonical basis", &policy.GEGEFixedBudget{Budget: 100}, basisOf, halved},
		{"EGE-SH", &policy.EGESH{Budget: 100}, c, halved},
		{"EGE-SR", &policy.EGESR{Budget: 100}, c, [][]explore.Pull{level(11, 0, 1, 2, 3, 4),
			level(3, 0, 2, 3, 4), level(4, 0, 2, 3), level(9, 0, 3)}},
		{"uniform", &policy.UniformBudget{Budget: 22}, c,
			[][]explore.Pull{{{Arm: 0, N: 5}, {Arm: 1, N: 5}, {Arm: 2, N: 4}, {Arm: 3, N: 4},
				{Arm: 4, N: 4}}}},
	} {
		asked, a := gegePulls(t, x.p, x.c)
		if fmt.Sprint(asked) != fmt.Sprint(x.want) {
			t.Errorf("%s: pulls %v; want %v", x.name, asked, x.want)
		}
		if !slices.Equal(a.Items, []int{0, 1, 2}) {
			t.Errorf("%s: answer %v; want [0 1 2]", x.name, a.Items)
		}
	}
}

// The gap of an optimal arm next to a dominated arm b uses D_b, the amount by which b is dominated:
//
//	a = (0, 0), b = (-0.4, -0.4), c = (1, -0.5)
//	D_b = m(b,a) = 0.4; M(a,c) = 0.5, M(c,a) = 1; M(b,a)+ = 0, M(b,c)+ = 0.1
//	gap of a: min(0.5, 1, 0 + D_b) = 0.4
//	gap of c: min(1, 0.5, 0.1 + D_b) = 0.5
//
// Thus c leaves first and is accepted. The misprinted definition has D_a and D_c, which are not
// positive, in place of D_b. The gaps of a and c would then be 0 and 0.1, and b would leave first.
func TestGEGEGapIndex(t *testing.T) {
	c := gegePlain("three arms", 1, []float64{0, 0}, []float64{-.4, -.4}, []float64{1, -.5})
	for _, p := range []explore.Policy{&policy.GEGEFixedBudget{Budget: 60},
		&policy.EGESH{Budget: 60}, &policy.EGESR{Budget: 60}} {
		asked, a := gegePulls(t, p, c)
		second := asked[1]
		if len(second) != 2 || second[0].Arm != 0 || second[1].Arm != 1 {
			t.Errorf("%v: stage 2 pulls %v; want arms 0 and 1", p, second)
		}
		if !slices.Equal(a.Items, []int{0, 2}) {
			t.Errorf("%v: answer %v; want [0 2]", p, a.Items)
		}
	}
}

// The lengths of rounds are those computed by hand for sigma = 1/2, delta = 0.1, and two independent
// arms in one objective (h = A = 2, d = 1) at distance 0.3, without noise.
//
//	round r   eps     delta_r     theory: 32/4 * 2/eps^2 * log(4/delta_r)
//	1         1/4     0.0607927   256 * log(65.797) = 1071.8: 536 each
//	2         1/8     0.0151982   1024 * log(263.19) = 5706.6: 2854 each
//
// Both arms have the gap 0.3. To leave after round 1, the optimal arm needs a gap of at least eps_1 = 0.25, and the
// dominated arm needs a gap of at least eps_1/2. Therefore, the run has one round. At distance 0.2, the dominated arm
// leaves after round 1, and only the optimal arm is left. At distance 0.1, the dominated arm leaves after round 2 (0.1
// >= eps_2/2).
//
// GEGEPaper: 32 * (1 + 3/4)/4 * 2/eps^2 * log(2/(2 delta_r)) = 448 * log(16.449) = 1254.5, that is, 1255 pulls,
// 627 of each arm. GEGECode: 2/eps^2 * log(1/delta_r) = 32 * log(16.449) = 89.6, that is, 45 of each arm.
func TestGEGERoundsByHand(t *testing.T) {
	at := func(gap float64) policytest.Case {
		return gegePlain("two arms", .5, []float64{.3 + gap}, []float64{.3})
	}
	for _, x := range []struct {
		p    *policy.GEGEFixedConfidence
		gap  float64
		want []int
	}{
		{&policy.GEGEFixedConfidence{}, .3, []int{536}},
		{&policy.GEGEFixedConfidence{}, .2, []int{536}},
		{&policy.GEGEFixedConfidence{}, .1, []int{536, 2854}},
		{&policy.GEGEFixedConfidence{Constants: policy.GEGEPaper}, .3, []int{627}},
		{&policy.GEGEFixedConfidence{Constants: policy.GEGECode}, .3, []int{45}},
		// With eps_1 = 1/8 and the same delta_1, round 1 has 4 * 1071.8 pulls, 2144 of each arm.
		{&policy.GEGEFixedConfidence{Scale: .5}, .1, []int{2144}},
	} {
		asked, a := gegePulls(t, x.p, at(x.gap))
		var got []int
		for _, pulls := range asked {
			if len(pulls) != 2 || pulls[0].N != pulls[1].N {
				t.Fatalf("%v: %v; want equal numbers", x.p, asked)
			}
			got = append(got, pulls[0].N)
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("%v, gap %v: %v pulls of each; want %v", x.p, x.gap, got, x.want)
		}
		if !slices.Equal(a.Items, []int{0}) || a.Reasons[1].Class != explore.Dominated ||
			a.Reasons[1].By != 0 || math.Abs(a.Reasons[1].Margin-x.gap) > 1e-9 {
			t.Errorf("%v, gap %v: %+v", x.p, x.gap, a)
		}
	}
}

// Each of two optimal arms is ahead of the other by M = 0.2. Acceptance in round r needs M >= eps_r, here in round 2
// (eps_2 = 1/8). With the threshold of rejection, eps_r/2, both arms would be accepted in round 1 (0.2 >= eps_1/2 =
// 1/8).
func TestGEGEAcceptsAtEps(t *testing.T) {
	c := gegePlain("two optimal", .5, []float64{.2, 0}, []float64{0, .2})
	asked, a := gegePulls(t, new(policy.GEGEFixedConfidence), c)
	if len(asked) != 2 || !slices.Equal(a.Items, []int{0, 1}) {
		t.Errorf("%d rounds, %v; want 2, [0 1]", len(asked), a.Items)
	}
	if r := a.Reasons[0]; r.Class != explore.Optimal || r.By != 1 || math.Abs(r.Margin-.2) > 1e-9 || r.MarginRadius != 1./16 {
		t.Errorf("reason %+v; want optimal, ahead of arm 1 by 0.2 within 1/16", r)
	}
}

// With Epsilon, the run stops at the start of a round with eps_r <= Epsilon/4, but not before the
// first round. The answer contains all remaining arms.
func TestGEGEEpsilon(t *testing.T) {
	c := gegePlain("close", .5, []float64{.3, .3}, []float64{.29, .29}, []float64{-.5, -.5})
	for _, x := range []struct {
		eps    float64
		rounds int
		items  []int
	}{
		{.25, 2, []int{0, 1}}, // eps_3 = 1/16
		{.24, 3, []int{0, 1}}, // eps_4 = 1/32
		{5, 1, []int{0, 1}},   // eps_1 = 1/4; the gap of arm 2 is 0.8, larger than 0.25
		{0, 5, []int{0}},      // 0.01 is at least eps_5/2 = 1/128
	} {
		c.Problem.Question = question.Pareto{Epsilon: x.eps}
		asked, a := gegePulls(t, &policy.GEGEFixedConfidence{}, c)
		if len(asked) != x.rounds || !slices.Equal(a.Items, x.items) {
			t.Errorf("epsilon %v: %d rounds, %v; want %d, %v", x.eps, len(asked), a.Items, x.rounds, x.items)
		}
	}
}

// GEGE on the canonical basis equals EGE-SH with fresh rewards, for any rewards.
func TestGEGEIsHalving(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		k, d := 2+rnd.IntN(12), 1+rnd.IntN(3)
		means := make([][]float64, k)
		for i := range means {
			means[i] = make([]float64, d)
			for c := range d {
				means[i][c] = rnd.NormFloat64()
			}
		}
		c := gegePlain("random", 1, means...)
		T, s := 60+rnd.IntN(200), rnd.Uint64()
		run := func(p explore.Policy, c policytest.Case) *explore.Result {
			r, err := explore.Run(p, c.Problem, gegeNoisy{c, 1, rand.New(rand.NewPCG(s, 1))}, nil)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		want := run(&policy.EGESH{Budget: T, Fresh: true}, c)
		for _, got := range []*explore.Result{run(&policy.GEGEFixedBudget{Budget: T}, c),
			run(&policy.GEGEFixedBudget{Budget: T}, gegeLinear("random", 1, means, basis(k)))} {
			if !slices.Equal(got.Answer.Items, want.Answer.Items) || !slices.Equal(got.ArmPulls, want.ArmPulls) {
				t.Fatalf("K = %d, d = %d, T = %d: %v after %v; EGE-SH %v after %v", k, d, T,
					got.Answer.Items, got.ArmPulls, want.Answer.Items, want.ArmPulls)
			}
		}
	}
}
