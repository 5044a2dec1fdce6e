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
)

var _ = register(bettingSetPlans)

func bettingSetPlans() []plan {
	relaxed := palRelaxed(relaxations[1], palPlainCases()[0], palLinearCases()[0])
	plans := []plan{
		{name: "BettingPareto", new: form(policy.BettingPareto{}),
			cases: slices.Concat(palPlainCases(), palLinearCases(), relaxed,
				[]policytest.Case{palClose()})},
		{name: "BettingAllEpsilon", new: form(policy.BettingAllEpsilon{}),
			cases: slices.Concat(allCases(), armsCases())},
	}
	tight := [][]policytest.Case{{palTight(), palTightLinear(), palClose()},
		{allCases()[0], tightArms()}}
	for i := range plans {
		plans[i].cases = solving(plans[i].cases)
		for _, c := range tight[i] {
			plans[i].rates = append(plans[i].rates, rate{c, policy.DefaultDelta, 200})
		}
	}
	return plans
}

// solving returns cases whose rounds may allocate: designs are computed.
func solving(cases []policytest.Case) []policytest.Case {
	for i := range cases {
		cases[i].Solves = true
	}
	return cases
}

// Two arms without features, sigma = 1, no noise; the claim that decides has a gap of g, and all
// its bets are alike. Phase 0 pulls each arm 3 times, each later phase twice. After n pulls an arm
// the standard error of the gap is se = sqrt(2/n), and the stake f = se (phi(x) + x Phi(x)) with x =
// g/se. The variance of a phase is 1/2 + 1/2 = 1, so that S grows by f g and Q by f^2. A claim has
// half of .4, and .6/2 times .95 = .9 + .1/2 in the account that opens after 4 times 6 pulls, because
// the other item needs nothing. It is proved when the capital is 1/delta.
func TestBettingSetsByHand(t *testing.T) {
	byHand := func(gap, delta float64) (pulls int) {
		var norm, s, q, s1, q1, second float64
		for k := -4.; k <= 4; k++ {
			norm += math.Exp(-k * k / 2)
		}
		unit := func(s, q float64) (sum float64) {
			for k := -4.; k <= 4; k++ {
				l := math.Exp2(k / 2)
				sum += math.Exp(-k*k/2) / norm * math.Exp(l*s-l*l*q/2)
			}
			return sum
		}
		for n := 3.; ; n += 2 {
			if .5*.4*unit(s, q)+second*unit(s-s1, q-q1) >= 1/delta {
				return int(2 * n)
			}
			if n > 50 { // phases get longer
				t.Fatal("no end")
			}
			if 2*n >= 24 && second == 0 {
				second, s1, q1 = .6/2*.95, s, q
			}
			se := math.Sqrt(2 / n)
			x := gap / se
			f := se * (distuv.UnitNormal.Prob(x) + x*distuv.UnitNormal.CDF(x))
			s, q = s+f*gap, q+f*f
		}
	}
	for _, delta := range []float64{.1, .3, 1e-3} {
		pareto := &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1, Question: question.Pareto{}}
		good := &explore.Problem{Arms: 2, Sigma: 1, Question: question.AllEpsilonBest{Epsilon: 1}}
		for name, x := range map[string]struct {
			p    explore.Policy
			prob *explore.Problem
			mu   *mat.Dense
			gap  float64
		}{
			// Arm 1 is 2 behind in both objectives: the least of the two counts, and they are alike.
			"Pareto": {&policy.BettingPareto{Delta: delta}, pareto, rows([][]float64{{2, 2}, {0, 0}}),
				2},
			// Arm 1 is 2 behind, which is 1 more than it may.
			"all epsilon-best": {&policy.BettingAllEpsilon{Delta: delta}, good,
				rows([][]float64{{2}, {0}}), 1},
		} {
			c := policytest.Case{Instance: policytest.Gaussian(name, x.prob, x.mu)}
			r, err := explore.Run(x.p, x.prob, c.Exact(), nil)
			if want := byHand(x.gap, delta); err != nil || r.Pulls != want ||
				r.ArmPulls[0] != want/2 || !slices.Equal(r.Answer.Items, []int{0}) {
				t.Errorf("%s, delta %v: %d pulls, %v, %v, %v; want %d, half of each", name, delta,
					r.Pulls, r.ArmPulls, r.Answer.Items, err, want)
			}
		}
	}
	if a, b := byHand(2, .1), byHand(1, .1); a != 18 || b < 2*a {
		t.Errorf("%d and %d pulls; want 18, and more for half the gap", a, b)
	}
}

// setTies are problems with ties, chains of ties and gaps of a billionth: a false claim about any item
// is an error.
func setTies() []policytest.Case {
	const tiny = 1e-9
	of := func(name string, q explore.Question, means ...[]float64) policytest.Case {
		return policytest.Case{Instance: policytest.Gaussian(name, &explore.Problem{Arms: len(means),
			Objectives: len(means[0]), Sigma: 1, Question: q}, rows(means))}
	}
	chain := func(step ...float64) (means [][]float64) {
		for i := range 6 {
			m := make([]float64, len(step))
			for c, s := range step {
				m[c] = 1 + float64(i)*s
			}
			means = append(means, m)
		}
		return means
	}
	good := question.AllEpsilonBest{Epsilon: .5}
	return []policytest.Case{
		of("two tied", question.Pareto{}, []float64{1, 1}, []float64{1, 1}),
		of("six tied", question.Pareto{}, chain(0, 0)...),
		of("a chain", question.Pareto{}, chain(tiny, tiny)...),
		of("a front of near ties", question.Pareto{}, chain(tiny, -tiny)...),
		of("half tied", question.Pareto{}, []float64{1, 1.3}, []float64{1, .7}, []float64{.7, 1}),
		of("on the edge of a tolerance", question.Pareto{Epsilon: .5}, []float64{1.5 + tiny, 1.5 + tiny},
			[]float64{1, 1}, []float64{1.2, 1.2}),
		of("six tied", good, chain(0)...),
		of("on the threshold", good, []float64{1.5}, []float64{1}, []float64{1}, []float64{1.5}),
		of("just below it", good, []float64{1.5}, []float64{1 - tiny}, []float64{1 - tiny}),
		of("just above it", good, []float64{1.5}, []float64{1.5}, []float64{1 + tiny},
			[]float64{1 + tiny}),
	}
}

// setLaws are noises of two objectives of scale 1.
var setLaws = map[string]float64{"Gaussian -.8": -.8, "Gaussian 0": 0, "Gaussian .8": .8,
	"Bernoulli": math.NaN()}

// correlatedSampler samples from one of them.
type correlatedSampler struct {
	mu  *mat.Dense
	rho float64 // NaN: rewards of 0 and 2
	rnd *rand.Rand
}

func (s *correlatedSampler) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch,
	error) {
	for _, p := range pulls {
		n, mu := float64(p.N), s.mu.RawRowView(p.Arm)
		sum := make([]float64, len(mu))
		x := s.rnd.NormFloat64()
		for c, m := range mu {
			switch {
			case math.IsNaN(s.rho):
				sum[c] = 2 * distuv.Binomial{N: n, P: m / 2, Src: s.rnd}.Rand()
			case c == 0:
				sum[c] = n*m + math.Sqrt(n)*x
			default:
				sum[c] = n*m + math.Sqrt(n)*(s.rho*x+
					math.Sqrt(1-s.rho*s.rho)*s.rnd.NormFloat64())
			}
		}
		dst = append(dst, explore.Batch{Pull: p, Sum: sum})
	}
	return dst, nil
}

// falseClaim reports whether an item of the true answer was dropped, or the answer is wrong.
func falseClaim(c *policytest.Case, r *explore.Result) bool {
	switch q := c.Problem.Question.(type) {
	case question.Pareto:
		if r.Status != explore.Stopped {
			for _, i := range trueFront(c) {
				if r.Answer.Reasons[i].Class == explore.Dominated {
					return true
				}
			}
			return false
		}
	case question.AllEpsilonBest:
		if r.Status != explore.Stopped {
			for _, i := range q.Right(c.Truth()) {
				if r.Answer.Reasons[i].Class == explore.Dominated {
					return true
				}
			}
			return false
		}
	}
	return !c.Problem.Question.Correct(c.Truth(), r.Answer)
}

func trueFront(c *policytest.Case) (front []int) {
	mu := c.Truth()
	for i := range c.Problem.M() {
		if (question.Pareto{AtMost: 1}).Correct(mu, explore.Answer{Items: []int{i}}) {
			front = append(front, i)
		}
	}
	return front
}

// The betting policies for sets make a false claim with a probability of at most delta: exact
// limits, ties and near ties, correlated objectives. PUREXP_ERRORS is the number of runs of a
// cell; 10 000 take an hour of a processor.
func TestBettingSetsErrors(t *testing.T) {
	runs := 25
	if s := os.Getenv("PUREXP_ERRORS"); s != "" {
		if _, err := fmt.Sscan(s, &runs); err != nil {
			t.Fatal(err)
		}
	} else if testing.Short() {
		runs = 10
	}
	for law, rho := range setLaws {
		for _, c := range setTies() {
			if c.Problem.D() == 1 && (rho == -.8 || rho == .8) {
				continue // nothing to correlate
			}
			for _, delta := range []float64{.1, .8} {
				name := strings.Join([]string{law, fmt.Sprint(c.Problem.Question), c.Name,
					fmt.Sprint(delta)}, "/")
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					var p explore.Policy = &policy.BettingPareto{Delta: delta}
					if c.Problem.D() == 1 {
						p = &policy.BettingAllEpsilon{Delta: delta}
					}
					s := &correlatedSampler{c.Means(), rho,
						rand.New(rand.NewPCG(uint64(len(name)), uint64(len(c.Name))))}
					wrong := 0
					for range runs {
						r, err := explore.Run(p, c.Problem, s, &explore.Settings{MaxPulls: 2000})
						if err != nil {
							t.Fatal(err)
						}
						if falseClaim(&c, r) {
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

// Ties end by giving up, and a tolerance ends them by an answer.
func TestBettingSetsTies(t *testing.T) {
	mu := rows([][]float64{{1, 1}, {1, 1}, {0, 2}})
	prob := &explore.Problem{Arms: 3, Objectives: 2, Sigma: 1, Question: question.Pareto{}}
	s := &correlatedSampler{mu, 0, rand.New(rand.NewPCG(5, 1))}
	r, err := explore.Run(&policy.BettingPareto{Delta: 1e-3}, prob, s, nil)
	if !errors.Is(err, policy.ErrUndecidable) || !strings.Contains(err.Error(), "arm 1") ||
		!strings.Contains(err.Error(), "tolerance") {
		t.Errorf("%v, %v; want ErrUndecidable that names arms and speaks of a tolerance", r, err)
	}
	prob.Question = question.Pareto{Epsilon: .5}
	r, err = explore.Run(&policy.BettingPareto{Delta: 1e-3}, prob, s, nil)
	if err != nil || !prob.Question.Correct(mu, r.Answer) || r.Pulls > 5000 {
		t.Errorf("%+v, %v; want an answer", r, err)
	}
}

// What is wrong with settings is said.
func TestBettingSetsSettings(t *testing.T) {
	z := rows([][]float64{{1, 1}, {1, 0}, {0, 1}})
	for says, x := range map[string]struct {
		p    explore.Policy
		prob explore.Problem
	}{
		"Delta":               {&policy.BettingPareto{Delta: 2}, explore.Problem{}},
		"want question.Paret": {&policy.BettingPareto{}, explore.Problem{Question: question.Best{}}},
		"want question.AllEp": {&policy.BettingAllEpsilon{},
			explore.Problem{Question: question.Best{}}},
		"fractions": {&policy.BettingAllEpsilon{}, explore.Problem{X: rows([][]float64{{1, 0}, {0, 1}}),
			Z: z, Question: question.AllEpsilonBest{Epsilon: .1, Multiplicative: true}}},
	} {
		prob := x.prob
		prob.Sigma = 1
		if prob.X == nil {
			prob.Arms = 3
		}
		if prob.Question == nil {
			prob.Question = question.Pareto{}
		}
		if err := x.p.Init(&prob, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v; want an error about %s", x.p, err, says)
		}
	}
}

// A run on eight arms, and one on 200 of which most are far behind.
func BenchmarkBettingSets(b *testing.B) {
	for _, k := range []int{8, 200} {
		rnd := rand.New(rand.NewPCG(1, 1))
		means := make([][]float64, k)
		for i := range means {
			a := float64(i%4)/3 + .1*rnd.Float64()
			means[i] = []float64{a - float64(i/4), 1 - a - float64(i/4)}
		}
		p := &policy.BettingPareto{Delta: .05}
		prob := &explore.Problem{Arms: k, Objectives: 2, Sigma: .5, Question: question.Pareto{}}
		b.Run(fmt.Sprintf("Pareto,K=%d", k), func(b *testing.B) {
			b.ReportAllocs()
			s := &correlatedSampler{rows(means), 0, rnd}
			pulls := 0
			for b.Loop() {
				r, err := explore.Run(p, prob, s, nil)
				if err != nil {
					b.Fatal(err)
				}
				pulls += r.Pulls
			}
			b.ReportMetric(float64(pulls)/float64(b.N), "pulls/op")
		})
	}
}
