package policy_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
)

var _ = register(bettingPlans)

func bettingPlans() []plan {
	var cases []policytest.Case
	for _, c := range slices.Concat(linearCases(), transductiveCases(), seqCases()) {
		c.UnitDependent, c.Solves = false, true
		cases = append(cases, c)
	}
	tolerant := seqCase("tied but tolerant", basis(2, []float64{.6, .6}), nil, []float64{1, 1}, .5,
		.3)
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

// A noisyLaw adds the noise of n rewards of mean m: three laws that are sub-Gaussian of scale 1.
var noisyLaws = map[string]func(rnd *rand.Rand, n int, m float64) float64{
	"Gaussian": func(rnd *rand.Rand, n int, m float64) float64 {
		return float64(n)*m + math.Sqrt(float64(n))*rnd.NormFloat64()
	},
	// Rewards of 0 and 2.
	"Bernoulli": func(rnd *rand.Rand, n int, m float64) float64 {
		return 2 * distuv.Binomial{N: float64(n), P: m / 2, Src: rnd}.Rand()
	},
	// Rewards of m - 1 and m + 1.
	"plus or minus 1": func(rnd *rand.Rand, n int, m float64) float64 {
		return float64(n)*m - float64(n) + 2*distuv.Binomial{N: float64(n), P: .5, Src: rnd}.Rand()
	},
}

// lawSampler samples from one of them.
type lawSampler struct {
	mu  *mat.Dense
	law func(rnd *rand.Rand, n int, m float64) float64
	rnd *rand.Rand
}

func (s *lawSampler) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	for _, p := range pulls {
		dst = append(dst, explore.Batch{Pull: p,
			Sum: []float64{s.law(s.rnd, p.N, s.mu.At(p.Arm, 0))}})
	}
	return dst, nil
}

// bettingTies are problems whose item 0 is best, and tied or nearly so: what the guarantee is
// about is that it is not dropped.
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
		// Its runner-up is all that is in the way of an early answer.
		plain("tight", 0, 1, .7, .7, .3),
		// An answer may be .2 below the best: item 1 is just too bad.
		plain("tolerant", .2, 1, .79, .79),
		linearCase("twelve tied", 1, []float64{1, 0, 0}, fan, nil),
	}
}

// Item 0 is dropped with a probability of at most delta, or with a tolerance the answer wrong:
// exact limits, three laws of noise, ties, near ties and tight gaps. PUREXP_ERRORS is the number
// of runs of a cell; 10 000 take about ten minutes. Phases grow by a tenth, for time.
func TestBettingEliminationErrors(t *testing.T) {
	runs := 100
	if s := os.Getenv("PUREXP_ERRORS"); s != "" {
		if _, err := fmt.Sscan(s, &runs); err != nil {
			t.Fatal(err)
		}
	} else if testing.Short() {
		runs = 20
	}
	for name, law := range noisyLaws {
		for _, c := range bettingTies() {
			for _, delta := range []float64{.1, .8} {
				t.Run(fmt.Sprintf("%s/%s/%v", name, c.Name, delta), func(t *testing.T) {
					t.Parallel()
					rnd := rand.New(rand.NewPCG(uint64(len(name)), uint64(len(c.Name))))
					p := &policy.BettingElimination{Delta: delta, Growth: 1.1}
					wrong, mu := 0, c.Means()
					for range runs {
						r, err := explore.Run(p, c.Problem, &lawSampler{mu, law, rnd},
							&explore.Settings{MaxPulls: 5000})
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
						t.Error("more than delta")
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

// Two arms without features, sigma = 1, no noise, means 2 and 0: by hand.
//
// Phase 0 pulls each arm 3 times; the lead is 2 with the standard error sqrt(2/3) = .816, so that both
// stakes are 2 but for .002: f = se (phi(2.449) + 2.449 Phi(2.449)) = 2.0016. Phase 1 has max(.12, 4) =
// 4 pulls, two of each: v = 1/2 + 1/2 = 1, so that d = 2 gives S = 4.00 and Q = 4.01 for arm 1. With
// l = 1 alone the capital would be .8 exp(4 - 2) = 5.91; over all l it is
//
//	.8 sum_k w_k exp(4 (l_k - l_k^2/2)) = 4.06, below 1/delta = 10.
//
// After phase 2 S and Q are 8, and .8 sum_k w_k exp(8 (l_k - l_k^2/2)) = 25.8: arm 1 goes
// after 14 pulls.
func TestBettingEliminationByHand(t *testing.T) {
	c := policytest.Case{Instance: policytest.Gaussian("by hand", &explore.Problem{
		Arms: 2, Sigma: 1, Question: question.Best{},
	}, mat.NewDense(2, 1, []float64{2, 0}))}
	sum, total := 0., 0.
	capital := map[float64]float64{4: 0, 8: 0}
	for k := -4.; k <= 4; k++ {
		w, l := math.Exp(-k*k/2), math.Exp2(k/2)
		total += w
		for s := range capital {
			capital[s] += .8 * w * math.Exp(s*(l-l*l/2))
		}
		sum += w
	}
	if a, b := capital[4]/sum, capital[8]/sum; !(a < 10 && b > 10) || total != sum {
		t.Fatalf("capital %v and %v; want below and above 10", a, b)
	}
	for delta, want := range map[float64]int{.1: 14, .3: 10} {
		r, err := explore.Run(&policy.BettingElimination{Delta: delta}, c.Problem, c.Exact(), nil)
		late := stragglers(t, &policy.BettingElimination{Delta: delta}, c)
		if err != nil || r.Pulls != want || r.ArmPulls[0] != want/2 || late.made != want || late.Pulls != want {
			t.Errorf("delta %v: %d pulls, %v, %v, and with late results %d; want %d, half of each", delta, r.Pulls,
				r.ArmPulls, err, late.made, want)
		}
	}
}

// Stakes are set before a phase, not after it: with phases that are fifteen times as long as all
// before them, what a phase says is nearly all that is known, and a stake that knew it would win.
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
		t.Errorf("%d wrong in %d runs; at most %d are compatible with delta = %v", wrong, runs,
			most, delta)
	}
}
