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

// boundedLaws add n rewards of mean m that lie between 0 and 1.
var boundedLaws = map[string]func(rnd *rand.Rand, n int, m float64) float64{
	"success": func(rnd *rand.Rand, n int, m float64) float64 {
		return distuv.Binomial{N: float64(n), P: m, Src: rnd}.Rand()
	},
	// Rewards of 0, 1/2 and 1, the last two with probabilities m and m/2.
	"half": func(rnd *rand.Rand, n int, m float64) float64 {
		some := distuv.Binomial{N: float64(n), P: 1.5 * m, Src: rnd}.Rand()
		return some/2 + distuv.Binomial{N: some, P: 1. / 3, Src: rnd}.Rand()/2
	},
}

// boundedTies are as bettingTies, with rates.
func boundedTies() []policytest.Case {
	plain := func(name string, epsilon float64, means ...float64) policytest.Case {
		mu := mat.NewDense(len(means), 1, means)
		return policytest.Case{Instance: policytest.Gaussian(name, &explore.Problem{
			Arms: len(means), Sigma: .5, Question: question.Best{Epsilon: epsilon}}, mu)}
	}
	// Rates are .1 + .05 x'(1, 0), which are those of two best arms and four others; no feature is
	// constant, and a difference has weights that do not sum to 0.
	var fan [][]float64
	for i := range 6 {
		a := float64(i/2) * 1.2
		fan = append(fan, []float64{.1 + .05*math.Cos(a), .05 * math.Sin(a), .02 * float64(i%2)})
	}
	return []policytest.Case{
		plain("two rare tied", 0, .02, .02),
		plain("two rare nearly tied", 0, .02, .0195),
		plain("six tied", 0, slices.Repeat([]float64{.05}, 6)...),
		plain("two even tied", 0, .5, .5),
		plain("tight", 0, .1, .05, .05, .01),
		plain("tolerant", .05, .1, .045, .045),
		linearCase("fan", .5, []float64{1, 0, 0}, fan, nil),
	}
}

// Item 0 is dropped with a probability of at most delta where rewards are bounded and the bets know
// it; see TestBettingEliminationErrors.
func TestBettingEliminationBoundedErrors(t *testing.T) {
	runs := 100
	if s := os.Getenv("PUREXP_ERRORS"); s != "" {
		if _, err := fmt.Sscan(s, &runs); err != nil {
			t.Fatal(err)
		}
	} else if testing.Short() {
		runs = 20
	}
	for name, law := range boundedLaws {
		for _, c := range boundedTies() {
			for _, delta := range []float64{.1, .8} {
				t.Run(fmt.Sprintf("%s/%s/%v", name, c.Name, delta), func(t *testing.T) {
					t.Parallel()
					rnd := rand.New(rand.NewPCG(uint64(len(name)), uint64(len(c.Name))))
					p := &policy.BettingElimination{Delta: delta, Growth: 1.2,
						Bounds: [2]float64{0, 1}}
					wrong, mu := 0, c.Means()
					for range runs {
						r, err := explore.Run(p, c.Problem, &lawSampler{mu, law, rnd},
							&explore.Settings{MaxPulls: 3000})
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

// What is wrong with bounds is said, and rewards outside of them are refused.
func TestBettingEliminationBounds(t *testing.T) {
	c := boundedTies()[0]
	for _, b := range [][2]float64{{1, 0}, {0, math.Inf(1)}, {math.NaN(), 1}, {2, 2}} {
		if _, err := explore.NewSession(&policy.BettingElimination{Bounds: b}, c.Problem,
			nil); err == nil || !strings.Contains(err.Error(), "Bounds") {
			t.Errorf("%v: %v; want an error about Bounds", b, err)
		}
	}
	p := &policy.BettingElimination{Bounds: [2]float64{0, 1}}
	const want = "elimination by betting (delta 0.1), rewards in [0 1]"
	if got := p.String(); got != want {
		t.Errorf("%q; want %q", got, want)
	}
	// On average of arm 1, of which the ends and what rounds to them are possible.
	for _, x := range []struct {
		bounds [2]float64
		mean   float64
		says   string
	}{
		{[2]float64{0, 1}, 1.5, "12; with Bounds of [0 1] they cannot"}, {[2]float64{0, 1}, -.25, "-2; with Bounds of [0 1] they cannot"},
		{[2]float64{0, 1}, 0, ""}, {[2]float64{0, 1}, 1, ""}, {[2]float64{0, 1}, 1 + 1e-12, ""}, {[2]float64{0, 1}, -1e-12, ""},
		{[2]float64{1, 5}, 0, "add up to 0; with Bounds of [1 5] they cannot"}, {[2]float64{1, 5}, .999, "they cannot"},
		{[2]float64{1, 5}, 1, ""}, {[2]float64{1, 5}, 5, ""}, {[2]float64{1, 5}, 5.001, "they cannot"},
		{[2]float64{-3, -1}, -3.001, "they cannot"}, {[2]float64{-3, -1}, -3, ""}, {[2]float64{-3, -1}, -.999, "they cannot"},
	} {
		s, err := explore.NewSession(&policy.BettingElimination{Bounds: x.bounds}, c.Problem, nil)
		if err != nil {
			t.Fatal(err)
		}
		pulls, err := s.Ask()
		if err != nil {
			t.Fatal(err)
		}
		var obs []explore.Batch
		for _, q := range pulls {
			mean := (x.bounds[0] + x.bounds[1]) / 2
			if q.Arm == 1 {
				mean = x.mean
			}
			obs = append(obs, explore.Batch{Pull: q, Sum: []float64{mean * float64(q.N)}})
		}
		err = s.Tell(obs)
		if (err == nil) != (x.says == "") || err != nil && (!strings.Contains(err.Error(), x.says) || !strings.Contains(err.Error(), "arm 1")) {
			t.Errorf("%v on average with bounds of %v: %v; want %q of arm 1", x.mean, x.bounds, err, x.says)
		}
	}
}

// Tied rates end by giving up, after rewards beside which those of the dropped arm are nothing: that
// it is dropped is certain, and that the tied ones are not.
func TestBettingEliminationBoundedTies(t *testing.T) {
	mu := mat.NewDense(3, 1, []float64{.6, .6, .1})
	prob := &explore.Problem{Arms: 3, Sigma: .5, Question: question.Best{}}
	r, err := explore.Run(&policy.BettingElimination{Delta: 1e-3, Bounds: [2]float64{0, 1}}, prob,
		&lawSampler{mu, boundedLaws["success"], rand.New(rand.NewPCG(5, 1))}, nil)
	if !errors.Is(err, policy.ErrUndecidable) || float64(r.Pulls) > 1e14 {
		t.Fatalf("%v, %v; want ErrUndecidable", r, err)
	}
	a := r.Answer
	if u, d := a.Of(explore.Undecided), a.Of(explore.Dominated); !slices.Equal(u, []int{0, 1}) ||
		!slices.Equal(d, []int{2}) {
		t.Errorf("undecided %v, dominated %v; want the tied ones, and the third", u, d)
	}
}

// Rates of a few percent take a third of the rewards that half their range asks for, and shifted
// and stretched rewards as many as the plain ones.
func TestBettingEliminationBoundedGain(t *testing.T) {
	mean := func(low, high float64, known bool, runs int) float64 {
		mu := mat.NewDense(4, 1, nil)
		for i, m := range []float64{.1, .05, .03, .01} {
			mu.Set(i, 0, low+(high-low)*m)
		}
		prob := &explore.Problem{Arms: 4, Sigma: (high - low) / 2, Question: question.Best{}}
		rnd := rand.New(rand.NewPCG(4, 4))
		law := func(rnd *rand.Rand, n int, m float64) float64 {
			return float64(n)*low + (high-low)*boundedLaws["success"](rnd, n, (m-low)/(high-low))
		}
		sum := 0
		for range runs {
			p := &policy.BettingElimination{}
			if known {
				p.Bounds = [2]float64{low, high}
			}
			r, err := explore.Run(p, prob, &lawSampler{mu, law, rnd}, nil)
			if err != nil || r.Status != explore.Stopped {
				t.Fatalf("%+v, %v", r, err)
			}
			sum += r.Pulls
		}
		return float64(sum) / float64(runs)
	}
	narrow, wide := mean(0, 1, true, 100), mean(0, 1, false, 100)
	t.Logf("%v rewards instead of %v", narrow, wide)
	if 2.5*narrow > wide {
		t.Errorf("%v rewards, %v without bounds", narrow, wide)
	}
	if got, narrow := mean(-5, -1, true, 10), mean(0, 1, true, 10); math.Abs(got-narrow) > 1e-6*narrow {
		t.Errorf("%v rewards between -5 and -1; want %v", got, narrow)
	}
}
