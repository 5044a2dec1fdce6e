package policy_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
)

// linearCase returns a case with question.Best; z nil means that the items are the arms.
func linearCase(name string, sigma float64, theta []float64, x, z [][]float64) policytest.Case {
	p := &explore.Problem{X: rows(x), Sigma: sigma, Question: question.Best{}}
	mean := func(f *mat.Dense) *mat.Dense {
		var mu mat.Dense
		mu.Mul(f, mat.NewDense(len(theta), 1, theta))
		return &mu
	}
	c := policytest.Case{
		Instance:      policytest.Gaussian(name, p, mean(p.X)),
		MaxPulls:      100_000_000,
		UnitDependent: true, // accuracies are powers of two in reward units
		Inexact:       true,
		Solves:        true,
	}
	if z != nil {
		c.Problem.Z = rows(z)
		c.ItemMeans = mean(c.Problem.Z)
	}
	return c
}

// basis returns the canonical basis of R^d, followed by other points.
func basis(d int, others ...[]float64) [][]float64 {
	var x [][]float64
	for i := range d {
		e := make([]float64, d)
		e[i] = 1
		x = append(x, e)
	}
	return append(x, others...)
}

// linearCases are small cases with large gaps; some have dependent features, duplicates, a zero arm or one arm.
func linearCases() []policytest.Case {
	flat := linearCase("rank 2 of 3", .5, []float64{1, .2, 0}, [][]float64{{1, 0, 1}, {0, 1, 1}, {1, 1, 2}, {.5, -.5, 0}}, nil)
	twins := linearCase("duplicates", .5, []float64{1, 0}, basis(2, []float64{1, 0}, []float64{.3, .4}, []float64{0, 1}), nil)
	zero := linearCase("a zero arm", .5, []float64{-1, -.8}, basis(2, []float64{0, 0}), nil)
	one := linearCase("one arm", .5, []float64{1, 0}, [][]float64{{1, 1}}, nil)
	return []policytest.Case{
		linearCase("bent", .5, []float64{2, 0, 0}, basis(3, []float64{math.Cos(.8), math.Sin(.8), 0}), nil),
		flat, twins, zero, one,
		linearCase("one dimension", .5, []float64{1}, [][]float64{{1}, {.2}, {-1}}, nil),
	}
}

// transductiveCases have items that are not arms.
func transductiveCases() []policytest.Case {
	return []policytest.Case{
		linearCase("transductive", .5, []float64{1, 0, 0, 0}, basis(4),
			[][]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {math.Cos(.9), 0, math.Sin(.9), 0},
				{0, math.Cos(.9), 0, math.Sin(.9)}}),
		// The items are outside the span of the arms, but their differences are inside.
		linearCase("differences only", .5, []float64{1, .3, 5}, [][]float64{{1, 0, 0}, {0, 1, 0}},
			[][]float64{{1, 0, 1}, {0, 1, 1}, {.2, .2, 1}}),
	}
}

// tightLinear has eight items on a circle, of which the second best is only 0.061 behind the best. No arm measures
// this difference directly.
func tightLinear() policytest.Case {
	var x [][]float64
	for i := range 8 {
		a := .35 * float64(i)
		x = append(x, []float64{math.Cos(a), math.Sin(a)})
	}
	return linearCase("tight", 1, []float64{1, 0}, x, nil)
}

var _ = register(phasedPlans)

func phasedPlans() []plan {
	both := append(linearCases(), transductiveCases()...)
	free := append(linearCases(), transductiveCases()...)
	for i := range free {
		free[i].UnitDependent = false
	}
	all := []plan{
		{name: "RAGE", new: form(policy.RAGE{}), cases: free},
		{name: "RAGEPrinted", new: form(*policy.RAGEPrinted(.1)), cases: both},
		{name: "RAGEBest", new: form(policy.RAGE{Union: policy.PhaseUnionBest}), cases: free},
		{name: "XYStatic", new: form(policy.XYStatic{}), cases: free},
		{name: "XYStaticPrinted", new: form(*policy.XYStaticPrinted(.1)), cases: free},
		{name: "GAllocation", new: form(policy.GAllocation{}), cases: both},
		{name: "XYAdaptive", new: form(policy.XYAdaptive{}), cases: both},
		{name: "XYAdaptivePaper", new: form(policy.XYAdaptive{Phases: policy.XYAdaptivePaper}), cases: both},
		{name: "XYAdaptiveReleased", new: form(policy.XYAdaptive{
			Phases: policy.XYAdaptiveReleased}), cases: both},
		{name: "XYAdaptiveGreedy", new: form(policy.XYAdaptive{Greedy: true}), cases: both},
		{name: "ALBA", new: form(policy.ALBA{Norm: 2.5}), cases: linearCases()},
	}
	for i, p := range all {
		n := 200
		if p.name == "XYAdaptiveGreedy" {
			n = 50
		}
		for _, c := range []policytest.Case{p.cases[0], tightLinear()} {
			all[i].rates = append(all[i].rates, rate{c, policy.DefaultDelta, n})
		}
	}
	return all
}

var _ = register(oraclePlans)

// oraclePlans returns one plan per case, because the oracle gets the true means of the case.
func oraclePlans() (all []plan) {
	for _, c := range append(linearCases(), append(transductiveCases(), tightLinear())...) {
		if c.Problem.K() == 1 {
			continue
		}
		truth := c.Truth()
		c.Rigid = true
		means := mat.Col(nil, 0, truth)
		for name, p := range map[string]policy.XYOracle{
			"XYOracle ":        {Means: means},
			"XYOracleUnion ":   {Means: means, Test: policy.XYOracleUnion},
			"XYOraclePrinted ": *policy.XYOraclePrinted(.1, means),
		} {
			all = append(all, plan{
				name + c.Name, form(p),
				[]policytest.Case{c}, []rate{{c, policy.DefaultDelta, 200}},
			})
		}
	}
	return all
}

// budgets returns plans of fixed-budget policies with T pulls.
func budgets(T int) []plan {
	all := []plan{
		{name: "ODLinBAI", new: form(policy.ODLinBAI{Budget: T}), cases: linearCases()},
		{name: "GSE", new: form(policy.GSE{Budget: T}), cases: linearCases()},
		{name: "GSE4", new: form(policy.GSE{Budget: T, Eta: 4}), cases: linearCases()},
		{name: "PEACE", new: form(policy.PEACE{Budget: T}),
			cases: append(linearCases(), transductiveCases()...)},
	}
	for _, p := range all {
		for i := range p.cases {
			p.cases[i].Budget, p.cases[i].UnitDependent = T, false
		}
	}
	return all
}

// RAGE runs on two arms in one dimension, without noise: z is 1 or 0, theta = 0.6 and sigma = 1.
// The settings are Delta = 0.1, Rounding = 0.1, and a first accuracy of 1/2 as printed. The only
// difference is 1, and arm 0 measures it best, so rho = 1 with support 1.
//
//	t = 1: delta_1 = .1/2,  log(4/.05)    = 4.382027; N = ceil(2 * 4  * 1.1 * 4.382027) = ceil(38.5618)  = 39
//	t = 2: delta_2 = .1/6,  log(4/.016667) = 5.480639; N = ceil(2 * 16 * 1.1 * 5.480639) = ceil(192.9185) = 193
//	t = 3: delta_3 = .1/12, log(4/.008333) = 6.173786; N = ceil(2 * 64 * 1.1 * 6.173786) = ceil(869.2691) = 870
//
// The half-widths of the rounds are sqrt(2 log(4/delta_t)/N) = 0.4741, 0.2383, ... The gap 0.6 is above the first
// half-width, so the run stops after one round. A gap of 0.3 takes two rounds. A gap of 0.23 takes three rounds,
// because rewards of different rounds are not combined. With sigma = 2, the numbers of pulls are four times as large
// before rounding up, with the same half-widths.
//
// By default, the first round has the minimum number of pulls, r = 2/0.1 = 20. The next rounds have 4 and 16 times as
// many, times the ratios of logarithms: 20 * 4 * 5.480639/4.382027 = 100.06 and 20 * 16 * 6.173786/4.382027 = 450.84.
// The half-widths are 0.66197, 0.32944 and 0.16546 in units of sigma, and the numbers of pulls do not depend on sigma.
//
// In Algorithm 1 as printed, the logarithms are log(4 t^2/0.1) = 3.688879, 5.075174. Six steps of Frank-Wolfe leave
// 1/(7 * 8) of the weight on arm 1: rho = 56/55, the support is 2, and r = 40. Round 1 has max(33.05, 40) = 40 pulls,
// 39 of arm 0. Round 2 has 32 * 1.1 * 56/55 * 5.075174 = 181.89 pulls, rounded up, 178 of arm 0. The half-widths are
// 0.43494 and 0.23880.
func TestRAGEScheduleByHand(t *testing.T) {
	first, printed := &policy.RAGE{First: policy.RAGEFirstPaper}, policy.RAGEPrinted(.1)
	for _, c := range []struct {
		p          *policy.RAGE
		sigma, gap float64
		want       []int
	}{
		{first, 1, .6, []int{39}},
		{first, 1, .3, []int{39, 193}},
		{first, 1, .23, []int{39, 193, 870}},
		{first, 2, .6, []int{155}},
		{first, 2, .3, []int{155, 772}},
		{new(policy.RAGE), 1, .67, []int{20}},
		{new(policy.RAGE), 1, .65, []int{20, 101}},
		{new(policy.RAGE), 1, .33, []int{20, 101}},
		{new(policy.RAGE), 1, .32, []int{20, 101, 451}},
		// With one rival, the logarithms of rounds 1 and 2 are log(1/0.05) and log(1/0.016667), so round 2 would have
		// 80 * 4.094345/2.995732 = 109.34 pulls.
		{&policy.RAGE{Union: policy.PhaseUnionBest}, 1, .55, []int{20}},
		{&policy.RAGE{Union: policy.PhaseUnionBest}, 1, .54, []int{20, 110}},
		{new(policy.RAGE), 1e9, 1e9 / 6, []int{20, 101, 451}},
		{printed, 1, .44, []int{40}},
		{printed, 1, .43, []int{40, 182}},
		{printed, 1, .239, []int{40, 182}},
	} {
		tc := linearCase("by hand", c.sigma, []float64{c.gap}, [][]float64{{1}, {0}}, nil)
		ses, err := explore.NewSession(c.p, tc.Problem, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for {
			pulls, err := ses.Ask()
			if err != nil {
				t.Fatal(err)
			}
			if len(pulls) == 0 {
				break
			}
			if pulls[0].Arm != 0 || len(pulls) > 1 && c.p != printed {
				t.Fatalf("pulls %v; want arm 0 only", pulls)
			}
			n := 0
			for _, q := range pulls {
				n += q.N
			}
			got = append(got, n)
			obs, _ := tc.Exact().Sample(nil, pulls)
			if err := ses.Tell(obs); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("gap %v: rounds of %v pulls; want %v", c.gap, got, c.want)
		}
		if a := ses.Result().Answer; !slices.Equal(a.Items, []int{0}) {
			t.Errorf("gap %v: answer %v", c.gap, a.Items)
		}
		// Schedule assumes that an item leaves once its gap is twice the half-width.
		stages, err := c.p.Schedule(tc.Problem, []float64{2 * c.gap, 0})
		if c.p == first && !slices.EqualFunc(stages, c.want, func(s policy.RAGEStage, n int) bool { return s.Pulls == n }) {
			t.Errorf("gap %v: schedule %+v, %v; want %v", 2*c.gap, stages, err, c.want)
		}
	}
	// With the printed levels delta_t = 0.1/t^2, log(4/0.1) = 3.688879 and N_1 = ceil(32.4621) = 33.
	tc := linearCase("by hand", 1, []float64{.6}, [][]float64{{1}, {0}}, nil)
	// Twelve items differ in one direction. Round 1 uses log(11/0.05), not log(1/0.05).
	line := make([][]float64, 12)
	for i := range line {
		line[i] = []float64{float64(i) / 11}
	}
	ses, err := explore.NewSession(&policy.RAGE{Union: policy.PhaseUnionBest,
		First: policy.RAGEFirstPaper}, linearCase("line", 1, []float64{1}, line, nil).Problem, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The first round has 8.8 * log(220) = 47.46 pulls, rounded up.
	if pulls, err := ses.Ask(); err != nil || len(pulls) != 1 || pulls[0].N != 48 {
		t.Errorf("%v, %v; want 48 pulls of one arm", pulls, err)
	}
	first.Levels = policy.RAGELevelsPaper
	r, err := explore.Run(first, tc.Problem, tc.Exact(), nil)
	if err != nil || r.Pulls != 33 {
		t.Errorf("printed levels: %d pulls, %v; want 33", r.Pulls, err)
	}
}

// The schedule of Theorem 2 bounds every round of a run whose confidence intervals hold, as they do without noise.
func TestRAGESchedule(t *testing.T) {
	for _, c := range append(linearCases(), append(transductiveCases(), tightLinear())...) {
		truth := c.Truth()
		p := new(policy.RAGE)
		stages, err := p.Schedule(c.Problem, mat.Col(nil, 0, truth))
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		other, means := *c.Problem, mat.Col(nil, 0, truth) // the same problem in other units
		other.Sigma *= 4
		floats.Scale(4, means)
		if again, err := p.Schedule(&other, means); err != nil || !slices.Equal(again, stages) {
			t.Errorf("%s in other units: %+v, %v; want %+v", c.Name, again, err, stages)
		}
		most := 0
		for _, s := range stages {
			most += s.Pulls
		}
		r, err := explore.Run(p, c.Problem, c.Exact(), nil)
		if err != nil {
			t.Fatal(err)
		}
		// Designs are within 1 % of optimal, in the schedule and in the run.
		if float64(r.Pulls) > 1.02*float64(most)+float64(len(stages)) {
			t.Errorf("%s: %d pulls; the schedule allows %d: %+v", c.Name, r.Pulls, most, stages)
		}
	}
}

// Nearly equal arms are distinguished, or the run ends with an error. A policy must not silently
// treat the arms as equal. In the loop, the means are 1 and 0, and sigma is 1.
func TestNearlyCollinear(t *testing.T) {
	for _, e := range []float64{1e-4, 1e-6, 1e-8} {
		c := linearCase("collinear", 1, []float64{1 + 1/e, -1 / e}, [][]float64{{1, 1}, {1, 1 + e}}, nil)
		// Means are exactly 1 and 0, without rounding errors.
		c.Instance = policytest.Gaussian(c.Name, c.Problem, rows([][]float64{{1}, {0}}))
		var all []func() explore.Policy
		for _, p := range append(phasedPlans(), budgets(400)...) {
			all = append(all, p.new)
		}
		for _, new := range append(all, seqPolicies()...) {
			r, err := explore.Run(new(), c.Problem, c.Exact(), &explore.Settings{MaxPulls: 100_000})
			if err != nil || r.Status != explore.Stopped || !slices.Equal(r.Answer.Items, []int{0}) {
				t.Errorf("%v, %s: %v, %v, answer %v", e, explore.Name(new()), err, r.Status, r.Answer.Items)
			}
		}
	}
	// After the first stage, the two remaining arms are nearly collinear. Least squares from their
	// rewards alone cannot distinguish them.
	c := linearCase("left", 1e3, []float64{1, -1e8}, basis(2, []float64{1, 2e-8}, []float64{0, .5}), nil)
	r, err := explore.Run(&policy.GSE{Budget: 90}, c.Problem, c.Exact(), nil)
	if err == nil || !strings.HasSuffix(err.Error(), "the arms that can tell the items left apart are too close to collinear for least squares; "+
		"drop arms that nearly coincide with others, or add one that differs from them") { // three rows of results/arena.jsonl.zst contain this text
		t.Errorf("nearly equal arms left: %v, answer %v", err, r.Answer.Items)
	}
}

// Items that agree up to rounding are one class, even if the rounding error lies outside the span of the arms.
func TestRoundedDuplicates(t *testing.T) {
	a, b := .1, .2 // a + b is not 0.3 in floating point
	c := linearCase("rounded", .1, []float64{1, -.5, 0},
		[][]float64{{1, 0, 1}, {0, 1, 1}, {.1, .2, .3}},
		[][]float64{{a, b, .3}, {a, b, a + b}, {1, 0, 1}, {-.1, -.2, -.3}})
	for _, p := range phasedPlans() {
		if p.name == "ALBA" {
			continue
		}
		r, err := explore.Run(p.new(), c.Problem, c.Exact(), nil)
		if err != nil || !slices.Equal(r.Answer.Items, []int{2}) {
			t.Errorf("%s: %v, answer %v", p.name, err, r)
			continue
		}
		if x := r.Answer.Reasons; x[0].Class != x[1].Class || x[0].By != x[1].By {
			t.Errorf("%s: %+v and %+v for equal items", p.name, x[0], x[1])
		}
	}
}

// ALBA runs on the points 1 and 0 of the line, without noise. Every step measures the point 1, and the widths depend
// only on the number s of the step. Let S be the bound on the norm, gap the difference of the means, g = 1.1^s and l =
// 4 max(4 S^2, 3) (2 + 6 + 4/g) (g/4)^2. Step s has n_s = ceil(l log(10 s^2/(0.1 (6/pi^2)^2))) pulls. The two widths
// are
//
//	sqrt2 S/sqrt(l) + 4 S/(3 l) + sqrt(2 (sqrt(3/l) + 1)/l)
//	sqrt(2/l) (gap + 2/g) + 2 (gap + 2/g + S)/(3 l) + sqrt(2 (sqrt(3/l) + 1)/l)
//
// For S = 1 and gap 0.5, the widths after step 8 are 0.47496 and 0.57228. The first width is below the gap, and n_1 +
// ... + n_8 = 1883. For S = 4 and gap 0.2, the widths after step 5 are 0.35402 and 0.17666. The second width is below
// the gap, and n_1 + ... + n_5 = 12467. With the public widths, the second width is 0.14916 after one step for S = 4
// and gap 0.2, and 0.47776 after five steps for S = 1 and gap 0.5.
func TestALBAByHand(t *testing.T) {
	for _, c := range []struct {
		norm, gap float64
		public    bool
		want      int
	}{
		{1, .5, false, 1883}, {1, .5, true, 781},
		{4, .2, false, 12467}, {4, .2, true, 1262}, {4, .5, false, 1262},
	} {
		// Other units of features or rewards give the same results.
		for _, unit := range []float64{1, 64, 1. / 1024} {
			for _, sigma := range []float64{1, 8} {
				tc := linearCase("by hand", sigma, []float64{c.gap * sigma / unit}, [][]float64{{unit}, {0}}, nil)
				r, err := explore.Run(&policy.ALBA{Norm: c.norm * sigma / unit,
					PublicWidths: c.public}, tc.Problem, tc.Exact(), nil)
				if err != nil || r.Pulls != c.want || !slices.Equal(r.Answer.Items, []int{0}) {
					t.Errorf("%+v, unit %v, sigma %v: %v, %+v", c, unit, sigma, err, r)
				}
			}
		}
	}
}

// ALBA runs with S = 1 on (1, 0), (0, 0) and (0, 1). The last arm is far behind and is dropped
// after the first step, so one of two dimensions remains. The next step has ceil(l log(10/delta_s)) pulls with
// l = 16 * (2 + (6 + 4/1.1) d) * (1.1/4)^2 and delta_s = (6/pi^2)^2 * 0.1/4. Before rounding up, the number
// is 98.38 for d = 1, the rank of the active arms, and 179.84 for d = 2, as in the public code.
func TestALBADimension(t *testing.T) {
	tc := linearCase("one left", 1, []float64{.3, -9}, [][]float64{{1, 0}, {0, 0}, {0, 1}}, nil)
	for public, want := range map[bool]int{false: 99, true: 180} {
		p := &policy.ALBA{Norm: 1, PublicWidths: public}
		ses, err := explore.NewSession(p, tc.Problem, &explore.Settings{Src: rand.NewPCG(1, 1)})
		if err != nil {
			t.Fatal(err)
		}
		// The design of the first phase gives weight to two arms, and pulls are drawn from the design.
		for len(ses.Result().Answer.Reasons) > 0 && ses.Result().Answer.Reasons[2].Class != explore.Dominated {
			pulls, err := ses.Ask()
			if err != nil {
				t.Fatal(err)
			}
			obs, _ := tc.Exact().Sample(nil, pulls)
			if err := ses.Tell(obs); err != nil {
				t.Fatal(err)
			}
		}
		pulls, err := ses.Ask()
		if err != nil || len(pulls) != 1 || pulls[0] != (explore.Pull{Arm: 0, N: want}) {
			t.Errorf("public %v: %v, %v; want %d pulls of arm 0", public, pulls, err, want)
		}
	}
}

// The phases measure the points 1 and 0 of the line, without noise. Every pull is of the first
// point, and the run stops when the gap is above the half-width. If arms are drawn, some pulls are
// of the other point, which is uninformative.
//
// Static: phase t ends at N_t = N_{t-1} + ceil(g^t) and has the half-width sqrt(2 log(2 t^2 n^2/0.1)/N_t). For g =
// 1.35 and n = 2, this is 0.54544 at N_9 = 59 and 0.47400 at N_10 = 80. The oracle has n in place of n^2: for g = 1.1,
// its half-width is 0.51150 at N_20 = 74 and 0.48835 at N_21 = 82. By default, the oracle compares the log-likelihood
// ratio D (d - D/2) N/sigma^2 with log 10 = 2.302585. Here D is the gap of the given means and d is the estimated gap;
// the first phase has two pulls. For D = 0.5, the log-likelihood ratio is 2.25 after 18 pulls and 2.5 after 20 if d =
// 0.5, and 2.4 after 32 if d = 0.4.
//
// Adaptive: with the printed first target of 1/30 and the factor 1.1 for rounding, phases have n = 33, 363 and 3993
// pulls, and phase p has the half-width sqrt(2 log(4 pi^2 p^2/0.6)/n): 0.50372, 0.17523 and 0.05655. For the target
// 0.2, phases have 20 (the minimum for rounding), 220 and 2420 pulls, and half-widths of 0.64704, 0.22508 and 0.07264.
// With a first target of 0.05, the first phase has 22 pulls and the half-width 0.61693. The released code requires
// 1/n^2 <= 1/30. Its phases have 20 (the minimum), sqrt(1.1 * 10 * 20^2) = 66.3 and sqrt(1.1 * 10 * 67^2) = 222.2
// pulls, rounded up. The half-widths are 0.64704, 0.40787 and 0.23928.
func TestPhasesByHand(t *testing.T) {
	printed := policy.XYAdaptive{Phases: policy.XYAdaptivePaper}
	released := policy.XYAdaptive{Phases: policy.XYAdaptiveReleased}
	printedGreedy, releasedGreedy := printed, released
	printedGreedy.Greedy, releasedGreedy.Greedy = true, true
	for _, c := range []struct {
		p    explore.Policy
		gap  float64
		want int
	}{
		{new(policy.XYStatic), .53, 80}, {new(policy.XYStatic), .55, 59},
		{new(policy.GAllocation), .53, 80},
		{policy.XYStaticPrinted(.1), .53, 80},
		{&policy.XYOracle{Means: []float64{.5, 0}, Test: policy.XYOracleUnion}, .5, 82},
		{&policy.XYOracle{Means: []float64{.515, 0}, Test: policy.XYOracleUnion}, .515, 74},
		{policy.XYOraclePrinted(.1, []float64{.51, 0}), .51, 82},
		{&policy.XYOracle{Means: []float64{.5, 0}}, .5, 20},
		{&policy.XYOracle{Means: []float64{.5, 0}}, .4, 32},
		{&printed, .51, 33}, {&printed, .5, 396}, {&printed, .176, 396}, {&printed, .175, 4389},
		{new(policy.XYAdaptive), .65, 20}, {new(policy.XYAdaptive), .64, 240},
		{new(policy.XYAdaptive), .226, 240}, {new(policy.XYAdaptive), .225, 2660},
		{&policy.XYAdaptive{First: .05}, .62, 22},
		{&released, .65, 20}, {&released, .64, 87}, {&released, .408, 87}, {&released, .407, 310},
		{&released, .24, 310},
		// Greedy phases as printed have 30, 300 and 3000 pulls, and half-widths of 0.52831, 0.19275 and 0.06524. With
		// a first target of 0.2, greedy phases have 5, 50 and 500 pulls, and half-widths of 1.29408, 0.47214 and
		// 0.15980. Greedy phases of the released code have 6, 19 and 61 pulls, the square roots of 30, 360 and 3610,
		// rounded up. The half-widths are then 1.18132, 0.76591 and 0.45750.
		{&printedGreedy, .53, 30}, {&printedGreedy, .52, 330}, {&printedGreedy, .19, 3330},
		{&policy.XYAdaptive{Greedy: true}, 1.3, 5}, {&policy.XYAdaptive{Greedy: true}, 1.29, 55},
		{&policy.XYAdaptive{Greedy: true}, .473, 55}, {&policy.XYAdaptive{Greedy: true}, .472, 555},
		{&releasedGreedy, 1.19, 6}, {&releasedGreedy, 1.18, 25}, {&releasedGreedy, .766, 25},
		{&releasedGreedy, .765, 86},
	} {
		tc := linearCase("by hand", 1, []float64{c.gap}, [][]float64{{1}, {0}}, nil)
		r, err := explore.Run(c.p, tc.Problem, tc.Exact(), nil)
		if err != nil || r.Pulls != c.want || !slices.Equal(r.Answer.Items, []int{0}) {
			t.Errorf("%s, gap %v: %v, %+v; want %d pulls", explore.Name(c.p), c.gap, err, r, c.want)
		}
	}
}

// With the tolerance epsilon, a gap of g needs as many pulls as a gap of g + epsilon without a tolerance.
func TestXYOracleTolerance(t *testing.T) {
	for _, test := range []policy.XYOracleTest{policy.XYOracleRatio, policy.XYOracleUnion} {
		var pulls [2]int
		for i, tolerance := range []float64{0, .1} {
			gap := .5 - tolerance
			c := linearCase("two", 1, []float64{gap}, [][]float64{{1}, {0}}, nil)
			c.Problem.Question = question.Best{Epsilon: tolerance}
			r, err := explore.Run(&policy.XYOracle{Means: []float64{gap, 0}, Test: test}, c.Problem, c.Exact(), nil)
			if err != nil {
				t.Fatal(err)
			}
			pulls[i] = r.Pulls
		}
		if pulls[0] != pulls[1] {
			t.Errorf("test %v: %d pulls for a gap of 0.5, %d for 0.4 and a tolerance of 0.1", test, pulls[0], pulls[1])
		}
	}
}

// With eight orthogonal arms, all remaining arms are measured. OD-LinBAI and GSE keep half of the arms in each stage,
// and GSE with Eta = 4 keeps a quarter. For PEACE, rho is 2 n for n items, so there are log2 16 = 4 epochs, and each
// epoch keeps half of the items. The last two items receive the remaining pulls. Half of three arms is rounded up to
// two. For three arms, PEACE has 3 epochs, because rho is 6.
func TestStages(t *testing.T) {
	for _, test := range []struct {
		p    explore.Policy
		want [][2]int // arms, pulls
	}{
		{&policy.GSE{Budget: 241}, [][2]int{{3, 120}, {2, 121}}},
		{&policy.GSE{Budget: 240, Eta: 3}, [][2]int{{3, 240}}},
		{&policy.GSE{Budget: 241, Eta: 4}, [][2]int{{5, 120}, {2, 121}}},
		{&policy.PEACE{Budget: 240}, [][2]int{{3, 80}, {2, 160}}},
		{&policy.PEACE{Budget: 241}, [][2]int{{2, 241}}},
		// Before rounding up, each stage has (T - 8 - 4 - 2)/3 = 62 pulls. The stages have 8, 16 and 31 pulls of each
		// remaining arm.
		{&policy.ODLinBAI{Budget: 200}, [][2]int{{8, 64}, {4, 64}, {2, 62}}},
		{&policy.GSE{Budget: 240}, [][2]int{{8, 80}, {4, 80}, {2, 80}}},
		{&policy.GSE{Budget: 240, Eta: 4}, [][2]int{{8, 120}, {2, 120}}},
		{&policy.PEACE{Budget: 320}, [][2]int{{8, 80}, {4, 80}, {2, 160}}},
	} {
		theta := []float64{8, 7, 6, 5, 4, 3, 2, 1}[:test.want[0][0]]
		c := linearCase("stages", 1, theta, basis(len(theta)), nil)
		ses, err := explore.NewSession(test.p, c.Problem, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got [][2]int
		for {
			pulls, err := ses.Ask()
			if err != nil {
				t.Fatal(err)
			}
			if len(pulls) == 0 {
				break
			}
			n := 0
			for _, q := range pulls {
				n += q.N
			}
			got = append(got, [2]int{len(pulls), n})
			obs, _ := c.Exact().Sample(nil, pulls)
			if err := ses.Tell(obs); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, test.want) || !slices.Equal(ses.Result().Answer.Items, []int{0}) {
			t.Errorf("%s: %v, %+v; want %v", explore.Name(test.p), got, ses.Result(), test.want)
		}
	}
}
