package policy_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
)

// catalysts is the table of docs/good-enough.md: twelve catalysts with yield and purity in percent
// and price in euros a gram. A measurement of yield has a standard deviation of 2, one of purity of
// 0.8. Purity is to be at least 95 %, the price at most 60.
var catalysts = [][3]float64{
	{84.1, 97.2, 41}, {83.6, 96.8, 18}, {79.0, 98.4, 23}, {88.2, 95.3, 35}, {87.9, 94.8, 35},
	{71.5, 97.0, 9}, {91.3, 92.6, 30}, {80.2, 96.1, 18}, {76.4, 95.2, 12}, {85.0, 97.1, 88},
	{83.3, 97.0, 41}, {66.0, 90.1, 9},
}

// catalystProblem is about yield and purity of the catalysts, in standard deviations, and with
// prices also about these, in units of ten euros. They are known, or measured like all else. The
// tolerances are of yield and purity, the slack is of purity.
func catalystProblem(prices, known bool, yield, purity, slack float64) *bandit.Instance {
	scale, d := []float64{1. / 2, 1 / .8, -1. / 10}, 2
	if prices {
		d = 3
	}
	mu, values := mat.NewDense(len(catalysts), d, nil), mat.NewDense(len(catalysts), d, nil)
	for i, row := range catalysts {
		for c := range d {
			mu.Set(i, c, row[c]*scale[c])
			values.Set(i, c, math.NaN())
			if c == 2 {
				values.Set(i, c, mu.At(i, c))
			}
		}
	}
	region, err := polyhedron.AtLeast(
		[]float64{math.Inf(-1), 95 * scale[1], 60 * scale[2]}[:d], nil)
	if err != nil {
		panic(err)
	}
	q := question.FeasiblePareto{Region: region}
	if yield > 0 {
		q.Tolerance = []float64{yield * scale[0], purity * scale[1], 0}[:d]
	}
	if slack > 0 {
		q.Slack = []float64{slack * scale[1], 0}[:d-1]
	}
	p := &explore.Problem{Arms: len(catalysts), Objectives: d, Sigma: 1, NormSigma: 1, Question: q}
	if known {
		p.Known = values
	}
	law, err := bandit.NewGaussian(mu, mat.NewDiagDense(d, []float64{1, 1, 1}[:d]))
	if err != nil {
		panic(err)
	}
	return &bandit.Instance{Name: "catalysts", Problem: p, Law: law}
}

// medianPulls is the median of the pulls of runs of a policy, and the number of wrong answers.
func medianPulls(t *testing.T, in *bandit.Instance, new func() explore.Policy, runs, most int) (
	median, wrong int) {
	t.Helper()
	var pulls []int
	for run := range runs {
		r, err := explore.Run(new(), in.Problem, in.Sampler(seed.New(uint64(run))),
			&explore.Settings{MaxPulls: most})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status == explore.Stopped && !in.Problem.Question.Correct(in.Means(), r.Answer) {
			wrong++
		}
		pulls = append(pulls, r.Pulls)
	}
	slices.Sort(pulls)
	return pulls[runs/2], wrong
}

// What tolerances and known prices save on a table as users have it: the numbers of
// docs/good-enough.md are those that this test logs.
func TestGoodEnoughGain(t *testing.T) {
	runs, most := 21, 100_000
	if testing.Short() {
		runs = 3
	}
	page, err := os.ReadFile("../../docs/good-enough.md")
	if err != nil {
		t.Fatal(err)
	}
	medians := make(map[string]int)
	for _, c := range []struct {
		what string
		in   *bandit.Instance
	}{
		{"exact", catalystProblem(false, false, 0, 0, 0)},
		{"1 % and 0.5 %", catalystProblem(false, false, 1, .5, 0)},
		{"1 % and 0.5 %, slack 0.5 %", catalystProblem(false, false, 1, .5, .5)},
		{"2 % and 1 %, slack 1 %", catalystProblem(false, false, 2, 1, 1)},
		{"with prices measured", catalystProblem(true, false, 0, 0, 0)},
		{"with prices known", catalystProblem(true, true, 0, 0, 0)},
		{"with prices known, 1 % and 0.5 %", catalystProblem(true, true, 1, .5, 0)},
		{"with prices known, 1 % and 0.5 %, slack 0.5 %", catalystProblem(true, true, 1, .5, .5)},
		{"with prices known, 2 % and 1 %, slack 1 %", catalystProblem(true, true, 2, 1, 1)},
	} {
		pulls, wrong := medianPulls(t, c.in, func() explore.Policy {
			return &policy.ECAPE{Delta: .05}
		}, runs, most)
		medians[c.what] = pulls
		t.Logf("%-48s %8d pulls, %d of %d wrong", c.what, pulls, wrong, runs)
		if wrong > 0 {
			t.Errorf("%s: %d of %d answers are wrong at delta 0.05", c.what, wrong, runs)
		}
		number := strconv.Itoa(pulls)
		if n := len(number) - 3; n > 0 {
			number = number[:n] + " " + number[n:]
		}
		if !testing.Short() && pulls < most && !strings.Contains(string(page), "| "+number+" |") {
			t.Errorf("%s: docs/good-enough.md does not say %s", c.what, number)
		}
	}
	if few, many := medians["1 % and 0.5 %, slack 0.5 %"], medians["exact"]; 5*few > many {
		t.Errorf("%d pulls for good enough, %d for exact", few, many)
	}
	if known, measured := medians["with prices known"], medians["with prices measured"]; 5*known >
		measured {
		t.Errorf("%d pulls with known prices, %d with measured ones", known, measured)
	}
}

// Betting makes use of tolerances and slacks, and needs fewer measurements than e-cAPE where its rounds
// are complete: the range of ratios is that of docs/good-enough.md.
func TestBettingGoodEnoughGain(t *testing.T) {
	const runs, most = 11, 100_000
	least, largest := math.Inf(1), 0.
	for _, c := range []struct{ yield, purity, slack float64 }{
		{0, 0, .5}, {1, .5, 0}, {1, .5, .5}, {2, 1, .5}, {2, 1, 1},
	} {
		in := catalystProblem(false, false, c.yield, c.purity, c.slack)
		bets, wrong := medianPulls(t, in, func() explore.Policy {
			return &policy.BettingFeasible{Delta: .05}
		}, runs, most)
		intervals, _ := medianPulls(t, in, func() explore.Policy {
			return &policy.ECAPE{Delta: .05, Radius: radius.Mixture{}}
		}, runs, most)
		x := float64(bets) / float64(intervals)
		t.Logf("%+v: %d pulls instead of %d, %.2f; %d of %d wrong", c, bets, intervals, x, wrong, runs)
		if wrong > 0 {
			t.Errorf("%+v: %d of %d answers are wrong at delta 0.05", c, wrong, runs)
		}
		least, largest = min(least, x), max(largest, x)
	}
	if got := fmt.Sprintf("%.2f to %.2f", least, largest); got != "0.41 to 0.91" {
		t.Errorf("%s times as many; the documentation says otherwise", got)
	}
}

// rare has successes that are rare or all but sure: rewards of 0 and 1, of which the variance is
// far less than the range allows.
func rare() policytest.Case {
	mu := rows([][]float64{{.03, .99}, {.1, .95}, {.01, .97}, {.2, .7}})
	law, err := bandit.NewBernoulli(mu)
	if err != nil {
		panic(err)
	}
	return policytest.Case{Instance: bandit.Instance{Name: "rare", Law: law,
		Problem: &explore.Problem{Arms: 4, Objectives: 2, Sigma: .5,
			Question: question.FeasiblePareto{
				Region: atLeast(math.Inf(-1), .9), Tolerance: []float64{.02, .01},
				Slack: []float64{.02}}}}}
}

// Empirical Bernstein needs fewer rewards than counts alone where successes are rare or sure, and
// errs no more often than it may.
func TestEmpiricalBernsteinGain(t *testing.T) {
	runs := 5
	if testing.Short() {
		runs = 3
	}
	c := rare()
	adapts := lenientPolicies(radius.EmpiricalBernstein{})["ECAPE"]
	narrow, wrong := medianPulls(t, &c.Instance, adapts, runs, 0)
	wide, _ := medianPulls(t, &c.Instance, lenientPolicies(nil)["ECAPE"], runs, 0)
	t.Logf("%d rewards instead of %d; %d of %d wrong", narrow, wide, wrong, runs)
	if 2*narrow > wide {
		t.Errorf("%d rewards, and %d by counts alone; want less than half", narrow, wide)
	}
	for name, new := range lenientPolicies(radius.EmpiricalBernstein{}) {
		if name != "APE" {
			policytest.ErrorRate(t, new, c, policy.DefaultDelta, runs)
		}
	}
}

// Rewards that are told one by one, in one go, and as sums with their squares give the same
// intervals, which are narrower than those of sums alone.
func TestBernsteinSquares(t *testing.T) {
	c := rare()
	values := [][]float64{make([]float64, 20), slices.Repeat([]float64{1}, 20)}
	values[0][3], values[1][7] = 1, 0 // one of twenty works, and one of twenty harms
	told := func(learn func(p explore.Open) error) float64 {
		t.Helper()
		p := lenientPolicies(radius.EmpiricalBernstein{})["ECAPE"]().(explore.Open)
		if err := p.Init(c.Problem, nil); err != nil {
			t.Fatal(err)
		}
		if err := learn(p); err != nil {
			t.Fatal(err)
		}
		return p.Answer().Reasons[0].SlackRadius
	}
	const times = 200
	var single []explore.Batch
	var sums, bare []explore.Batch
	for arm := range 4 {
		b := explore.Batch{Pull: explore.Pull{Arm: arm, N: 20 * times}, Sum: []float64{0, 0},
			Squares: []float64{0, 0}}
		for range times {
			for k := range values[0] {
				x := []float64{values[0][k], values[1][k]}
				single = append(single, explore.Batch{Pull: explore.Pull{Arm: arm, N: 1}, Sum: x})
				for c, v := range x {
					b.Sum[c] += v
					b.Squares[c] += v * v
				}
			}
		}
		sums = append(sums, b)
		bare = append(bare, explore.Batch{Pull: b.Pull, Sum: b.Sum})
	}
	want := told(func(p explore.Open) error { return p.Learn(sums) })
	for name, learn := range map[string]func(p explore.Open) error{
		"in one go": func(p explore.Open) error { return p.Learn(single) },
		"one by one": func(p explore.Open) error {
			for i := range single {
				if err := p.Learn(single[i : i+1]); err != nil {
					return err
				}
			}
			return nil
		},
	} {
		if got := told(learn); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: half-width %v; as sums %v", name, got, want)
		}
	}
	if wide := told(func(p explore.Open) error { return p.Learn(bare) }); wide < 1.1*want {
		t.Errorf("half-width %v with squares, %v without", want, wide)
	}
}
