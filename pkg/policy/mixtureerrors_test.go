package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// A separate has the objectives of a reward drawn by one law each, independently.
type separate struct {
	mu  *mat.Dense
	law func(rnd *rand.Rand, n int, m float64) float64
	rnd *rand.Rand
}

func (s *separate) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	for _, p := range pulls {
		b := explore.Batch{Pull: p}
		for _, m := range s.mu.RawRowView(p.Arm) {
			b.Sum = append(b.Sum, s.law(s.rnd, p.N, m))
		}
		dst = append(dst, b)
	}
	return dst, nil
}

// A narrow is a policy, a problem on whose edge an answer hangs, and the laws of rewards that its
// radius is for.
type narrow struct {
	name string
	new  func(delta float64) explore.Policy
	prob *explore.Problem
	mu   *mat.Dense
	laws map[string]func(rnd *rand.Rand, n int, m float64) float64
}

// narrows have gaps of a billionth: every answer that is not that of the means is due to noise.
func narrows() []narrow {
	const gap = 1e-9
	ape := func(delta float64) explore.Policy {
		return &policy.APE{Delta: delta, Radius: radius.Mixture{}}
	}
	st2 := func(delta float64) explore.Policy {
		return &policy.ST2{Delta: delta, Radius: radius.Mixture{}}
	}
	ecape := func(r radius.Radius) func(delta float64) explore.Policy {
		return func(delta float64) explore.Policy { return &policy.ECAPE{Delta: delta, Radius: r} }
	}
	front := func(sigma float64, q explore.Question, means ...[]float64) (*explore.Problem,
		*mat.Dense) {
		mu := rows(means)
		k, d := mu.Dims()
		return &explore.Problem{Arms: k, Objectives: d, Sigma: sigma, Question: q}, mu
	}
	var all []narrow
	add := func(name string, new func(float64) explore.Policy, laws map[string]func(*rand.Rand,
		int, float64) float64, prob *explore.Problem, mu *mat.Dense) {
		all = append(all, narrow{name, new, prob, mu, laws})
	}
	prob, mu := front(1, question.Pareto{}, []float64{1}, []float64{1 - gap})
	add("APE", ape, noisyLaws, prob, mu)
	prob, mu = front(1, question.FeasiblePareto{Region: atLeast(1)}, []float64{1 - gap})
	add("e-cAPE", ecape(radius.Mixture{}), noisyLaws, prob, mu)
	prob, mu = front(1, question.AllEpsilonBest{Epsilon: .5}, []float64{1.25}, []float64{.75 - gap})
	add("ST2", st2, noisyLaws, prob, mu)
	for _, rate := range []float64{.02, .5} {
		prob, mu = front(.5, question.FeasiblePareto{Region: atLeast(rate)}, []float64{rate - gap})
		add(fmt.Sprintf("e-cAPE, a rate of %v", rate), ecape(radius.Bernoulli{}), boundedLaws, prob,
			mu)
	}
	prob, mu = front(.5, question.Pareto{}, []float64{.05}, []float64{.05 - gap})
	add("APE, two rates of .05", func(delta float64) explore.Policy {
		return &policy.APE{Delta: delta, Radius: radius.Bernoulli{}}
	}, boundedLaws, prob, mu)
	return all
}

// Answers are wrong with a probability of at most delta where radii are mixtures: exact limits, on
// problems where nothing but noise can end a run. PUREXP_ERRORS is the number of runs of a cell;
// 10 000 take some minutes.
func TestMixtureErrors(t *testing.T) {
	runs := 50
	if s := os.Getenv("PUREXP_ERRORS"); s != "" {
		if _, err := fmt.Sscan(s, &runs); err != nil {
			t.Fatal(err)
		}
	}
	ended := 0
	for _, c := range narrows() {
		for name, law := range c.laws {
			for _, delta := range []float64{.1, .8} {
				rnd := rand.New(rand.NewPCG(uint64(len(name)), math.Float64bits(delta)))
				s, p, wrong := &separate{c.mu, law, rnd}, c.new(delta), 0
				for range runs {
					r, err := explore.Run(p, c.prob, s, &explore.Settings{MaxPulls: 300})
					if err != nil {
						t.Fatal(err)
					}
					if r.Status == explore.Stopped && !c.prob.Question.Correct(c.mu, r.Answer) {
						wrong++
					}
				}
				ended += wrong
				most := policytest.MostErrors(runs, delta)
				t.Logf("%s, %s, %v: %d of %d; at most %d are compatible", c.name, name, delta,
					wrong, runs, most)
				if wrong > most {
					t.Errorf("%s, %s: more than delta = %v", c.name, name, delta)
				}
			}
		}
	}
	if ended == 0 {
		t.Error("no run ended: this test cannot fail")
	}
}
