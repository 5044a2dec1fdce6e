package policy_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
)

var _ = register(bettingPlans)

func bettingPlans() []plan {
	var cases []policytest.Case
	for _, c := range slices.Concat(linearCases(), transductiveCases(), seqCases()) {
		c.UnitDependent, c.Solves = false, true
		cases = append(cases, c)
	}
	tolerant := seqCase("tied but tolerant", basis(2, []float64{.6, .6}), nil, []float64{1, 1}, .5, .3)
	tolerant.Solves = true
	all := []plan{
		{name: "BettingElimination", new: form(policy.BettingElimination{}), cases: cases},
		{name: "BettingEliminationPlates", new: form(policy.BettingElimination{
			Growth: 1.3, Plate: 24}), cases: cases},
	}
	for i := range all {
		for _, c := range []policytest.Case{cases[0], tightLinear(), tolerant} {
			all[i].rates = append(all[i].rates, rate{c, policy.DefaultDelta, 200})
		}
	}
	return all
}

// noisyLaws sample the sum of n rewards of mean m from three laws that are sub-Gaussian with scale 1.
var noisyLaws = map[string]func(rnd *rand.Rand, n int, m float64) float64{
	"Gaussian": func(rnd *rand.Rand, n int, m float64) float64 {
		return float64(n)*m + math.Sqrt(float64(n))*rnd.NormFloat64()
	},
	// Rewards are 0 or 2.
	"Bernoulli": func(rnd *rand.Rand, n int, m float64) float64 {
		return 2 * distuv.Binomial{N: float64(n), P: m / 2, Src: rnd}.Rand()
	},
	// Rewards are m - 1 or m + 1.
	"plus or minus 1": func(rnd *rand.Rand, n int, m float64) float64 {
		return float64(n)*m - float64(n) + 2*distuv.Binomial{N: float64(n), P: .5, Src: rnd}.Rand()
	},
}

// lawSampler samples from one of noisyLaws or boundedLaws.
type lawSampler struct {
	mu  *mat.Dense
	law func(rnd *rand.Rand, n int, m float64) float64
	rnd *rand.Rand
}

func (s *lawSampler) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	for _, p := range pulls {
		dst = append(dst, explore.Batch{Pull: p, Sum: []float64{s.law(s.rnd, p.N, s.mu.At(p.Arm, 0))}})
	}
	return dst, nil
}

// bettingTies returns problems whose item 0 is best, with ties or near ties. The guarantee is that
// item 0 is not dropped.
func bettingTies() []policytest.Case {
	plain := func(name string, epsilon float64, means ...float64) policytest.Case {
		mu := mat.NewDense(len(means), 1, means)
		return policytest.Case{Instance: policytest.Gaussian(name, &explore.Problem{
			Arms: len(means), Sigma: 1, Question: question.Best{Epsilon: epsilon}}, mu)}
	}
	var fan [][]float64
	for i := range 12 {
		a := .5 * float64(i)
		fan = append(fan, []float64{1, math.Cos(a), math.Sin(a)})
	}
	return []policytest.Case{
		plain("two tied", 0, 1, 1),
		plain("two nearly tied", 0, 1, .99),
		plain("six tied", 0, 1, 1, 1, 1, 1, 1),
		// Only the two runners-up prevent an early answer.
		plain("tight", 0, 1, .7, .7, .3),
		// The tolerance is 0.2, and items 1 and 2 are just outside.
		plain("tolerant", .2, 1, .79, .79),
		linearCase("twelve tied", 1, []float64{1, 0, 0}, fan, nil),
	}
}

// With probability at most delta, item 0 is dropped or, with a tolerance, the answer is wrong. The cases are three
// laws of noise, each combined with ties, near ties and small gaps. PUREXP_ERRORS is the number of runs
// per combination; 10,000 runs take about ten minutes. Growth is 1.1, to save time.
func TestBettingEliminationErrors(t *testing.T) {
	eliminationErrors(t, noisyLaws, bettingTies(), policy.BettingElimination{Growth: 1.1}, 5000)
}

// errorRuns returns PUREXP_ERRORS, the number of runs per problem and setting, or a default.
func errorRuns(t *testing.T, long, short int) (runs int) {
	if s := os.Getenv("PUREXP_ERRORS"); s != "" {
		if _, err := fmt.Sscan(s, &runs); err != nil {
			t.Fatal(err)
		}
		return runs
	}
	if testing.Short() {
		return short
	}
	return long
}

// eliminationErrors tests the error probability of policies with the given settings.
func eliminationErrors(t *testing.T, laws map[string]func(rnd *rand.Rand, n int, m float64) float64, cases []policytest.Case,
	settings policy.BettingElimination, most int) {
	runs := errorRuns(t, 100, 20)
	for name, law := range laws {
		for _, c := range cases {
			for _, delta := range []float64{.1, .8} {
				t.Run(fmt.Sprintf("%s/%s/%v", name, c.Name, delta), func(t *testing.T) {
					t.Parallel()
					rnd := rand.New(rand.NewPCG(uint64(len(name)), uint64(len(c.Name))))
					p := settings
					p.Delta = delta
					wrong, mu := 0, c.Means()
					for range runs {
						r, err := explore.Run(&p, c.Problem, &lawSampler{mu, law, rnd}, &explore.Settings{MaxPulls: most})
						if err != nil {
							t.Fatal(err)
						}
						if isWrong(c, r) {
							wrong++
						}
					}
					limit := policytest.MostErrors(runs, delta)
					t.Logf("%d of %d; at most %d are compatible", wrong, runs, limit)
					if wrong > limit {
						t.Error("the error rate is above delta")
					}
				})
			}
		}
	}
}

// isWrong reports whether item 0 was dropped or, with a tolerance, the answer is wrong.
func isWrong(c policytest.Case, r *explore.Result) bool {
	if q := c.Problem.Question.(question.Best); q.Epsilon > 0 {
		return r.Status == explore.Stopped && !q.Correct(c.Truth(), r.Answer)
	}
	return r.Answer.Reasons[0].Class == explore.Dominated
}

// Two arms without features have means 2 and 0, with sigma = 1 and no noise.
//
// Phase 0 pulls each arm 2 times; the lead is 2 with standard error 1. The bet on phase 0 turns one unit into 0.85 +
// 0.15 M = 1.315. Here M = 3.10 is the mean of exp(2 l - l^2/2) over l = 4 |g|, with g standard Gaussian. The stakes
// are f = phi(2) + 2 Phi(2) = 2.0085. Phase 1 has max(0.08, 4) = 4 pulls, two of each arm: v = 1/2 + 1/2 = 1. The bet
// has the gain s = 2 f/v = 4.02 and the variance q = f^2/v = 4.03. With l_k = 2^(k/2) and weights w_k proportional to
// exp(-k^2/2) for k = -4, ..., 4, the capital is
//
//	1.315 * 0.8 * sum_k w_k exp(4 (l_k - l_k^2/2)) = 6.35, above 1/0.3 and below 1/0.1.
//
// After phase 2, the capital is 1.315 * 0.8 * sum_k w_k exp(8 (l_k - l_k^2/2)) = 41.0. Arm 1 is dropped after
// 12 pulls, or after 8 pulls at delta = 0.3. With means 8 and 0, arm 1 is dropped after phase 0, as M = 5.8e12.
func TestBettingEliminationByHand(t *testing.T) {
	sum, bet := 0., 0.
	for l := .0005; l < 40; l += .001 { // the half-normal distribution
		bet += .001 * math.Sqrt(2/math.Pi) / 4 * math.Exp(2*l-l*l/2-l*l/32)
	}
	capital := map[float64]float64{4: 0, 8: 0}
	for k := -4.; k <= 4; k++ {
		w, l := math.Exp(-k*k/2), math.Exp2(k/2)
		for s := range capital {
			capital[s] += (.85 + .15*bet) * .8 * w * math.Exp(s*(l-l*l/2))
		}
		sum += w
	}
	if a, b := capital[4]/sum, capital[8]/sum; math.Abs(a-6.35) > .01 || math.Abs(b-41.0) > .1 {
		t.Fatalf("capital %v and %v; want 6.35 and 41.0", a, b)
	}
	for _, x := range []struct {
		lead, delta float64
		want        int
	}{{2, .1, 12}, {2, .3, 8}, {8, .1, 4}} {
		c := policytest.Case{Instance: policytest.Gaussian("by hand", &explore.Problem{
			Arms: 2, Sigma: 1, Question: question.Best{},
		}, mat.NewDense(2, 1, []float64{x.lead, 0}))}
		r, err := explore.Run(&policy.BettingElimination{Delta: x.delta}, c.Problem, c.Exact(), nil)
		late := stragglers(t, &policy.BettingElimination{Delta: x.delta}, c)
		if err != nil || r.Pulls != x.want || r.ArmPulls[0] != x.want/2 || late.made != x.want || late.Pulls != x.want {
			t.Errorf("lead %v, delta %v: %d pulls, %v, %v, and with late results %d; want %d, half of each", x.lead, x.delta,
				r.Pulls, r.ArmPulls, err, late.made, x.want)
		}
	}
}

// Stakes are set before a phase, not after it. Each phase is fifteen times as long as all earlier phases together, so
// a policy whose stakes used the results of their own phase would drop item 0 too often.
func TestBettingEliminationPredictable(t *testing.T) {
	const runs, delta = 1500, .1
	c := bettingTies()[2]
	s := &lawSampler{c.Means(), noisyLaws["Gaussian"], rand.New(rand.NewPCG(9, 1))}
	p := &policy.BettingElimination{Delta: delta, Growth: 16}
	wrong := 0
	for range runs {
		r, err := explore.Run(p, c.Problem, s, nil)
		if err != nil && !errors.Is(err, policy.ErrUndecidable) {
			t.Fatal(err)
		}
		if r.Answer.Reasons[0].Class == explore.Dominated {
			wrong++
		}
	}
	t.Logf("%d wrong in %d runs", wrong, runs)
	if most := policytest.MostErrors(runs, delta); wrong > most {
		t.Errorf("%d wrong in %d runs; at most %d are compatible with delta = %v", wrong, runs, most, delta)
	}
}

// If the means of candidates are far apart, the bets on phase 0 are enough to drop most candidates. The expected rows
// are in docs/betting.md.
func TestBettingEliminationFarApart(t *testing.T) {
	page, err := os.ReadFile("../../docs/betting.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range [][2]int{{8, 1}, {8, 10}, {20, 3}, {20, 30}, {200, 3}, {200, 30}} {
		if testing.Short() && x[1] < 10 {
			continue
		}
		var pulls [2]int
		const runs = 40
		for r := range runs {
			rnd := rand.New(rand.NewPCG(3, uint64(r)))
			mu := mat.NewDense(x[0], 1, nil)
			for i := range x[0] {
				mu.Set(i, 0, float64(x[1])*rnd.NormFloat64())
			}
			c := policytest.Gaussian("far apart", &explore.Problem{Arms: x[0], Sigma: 1, Question: question.Best{Epsilon: .3}}, mu)
			for k, p := range []explore.Policy{&policy.BettingElimination{Delta: .05}, &policy.UGapE{Delta: .05, Radius: radius.Mixture{}}} {
				res, err := explore.Run(p, c.Problem, c.Sampler(seed.New(uint64(r))), nil)
				if err != nil || !c.Problem.Question.Correct(mu, res.Answer) {
					t.Errorf("%v: %v, %v", x, res.Answer.Items, err)
				}
				pulls[k] += res.Pulls
			}
		}
		if row := fmt.Sprintf("| %d, %d | %d | %d |\n", x[0], x[1], pulls[0]/runs, pulls[1]/runs); !strings.Contains(string(page), row) {
			t.Errorf("docs/betting.md lacks %s", row)
		}
	}
}
