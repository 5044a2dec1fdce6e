package policy_test

import (
	"fmt"
	"log"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/seed"
)

var _ = register(gamePlansOfAll)

func gamePlansOfAll() []plan {
	cases := allCases()
	fractions := allCase("fractions", .5, 0, []float64{2, 1.5, .2}, basis(3, []float64{.5, .5, .2}))
	fractions.Problem.Question = question.AllEpsilonBest{Epsilon: .4, Multiplicative: true}
	items := linearCase("items", .5, []float64{1, 0, 0, 0}, basis(4),
		[][]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {math.Cos(.6), 0, math.Sin(.6), 0}, {.2, 0, 0, 1}})
	items.Problem.Question = question.AllEpsilonBest{Epsilon: .5}
	cases = append(cases, fractions, items)
	for i := range cases {
		cases[i].UnitDependent, cases[i].MaxPulls = false, 200_000
	}
	tight := tightAll(4)
	return []plan{
		{name: "AllEpsilonGame", new: form(policy.AllEpsilonGame{}), cases: cases,
			rates: []rate{{cases[0], policy.DefaultDelta, 30}, {tight, policy.DefaultDelta, 20}}},
		{name: "AllEpsilonGameOneByOne", new: form(policy.AllEpsilonGame{Batch: -1}), cases: cases,
			rates: []rate{{tight, policy.DefaultDelta, 50}}},
		{name: "AllEpsilonGameHeuristic",
			new:   form(policy.AllEpsilonGame{Threshold: policy.Heuristic{}}),
			cases: cases[:2]},
	}
}

// Two arms have means 1 and 0, without noise. Epsilon is 0.5, and the threshold beta is log((1 + log t)/0.1). For n_0
// and n_1 pulls of the arms, the cheapest alternative in which arm 1 is also good costs (1 - 0.5)^2/2 * n_0 n_1/(n_0 +
// n_1). For the cheapest alternative in which arm 0 is not good, 1.5 replaces 1 - 0.5. With equal counts, the run
// stops when t/32 > beta.
//
//	t = 130: 4.0625 < log(58.675) = 4.0720    t = 131: 4.0938 > log(58.752) = 4.0733
func TestAllEpsilonGameByHand(t *testing.T) {
	c := allCase("two", 1, .5, []float64{1, 0}, basis(2))
	r, err := explore.Run(&policy.AllEpsilonGame{Threshold: policy.Heuristic{}}, c.Problem, c.Exact(), nil)
	if err != nil || r.Pulls < 131 || r.Pulls > 134 || !slices.Equal(r.Answer.Items, []int{0}) {
		t.Errorf("%v, %+v; want 131 pulls, or a few more as counts are not quite equal", err, r)
	}
}

// For a small Delta, AllEpsilonGame needs about T* log(1/Delta) pulls, where T* is the characteristic
// time. On this instance, equal counts need at least 1.5 times as many pulls.
func TestAllEpsilonGameIsOptimal(t *testing.T) {
	c := allCase("optimal", 1, .5, []float64{1, .3, 0, 0, 0}, basis(5))
	g, err := complexity.NewGammaStar(c.Problem, mat.Col(nil, 0, c.Means()), 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	const delta = 1e-40
	p := &policy.AllEpsilonGame{Delta: delta, Threshold: policy.Heuristic{}}
	r, err := explore.Run(p, c.Problem, c.Exact(), nil)
	if err != nil {
		t.Fatal(err)
	}
	least := g.Upper * policy.Heuristic{}.Beta(policy.Evidence{Delta: delta, Pulls: r.Pulls})
	t.Logf("%d pulls; T* beta is %.0f, equal counts need %.0f", r.Pulls, least, uniformTime(c)*least/g.Upper)
	if ratio := float64(r.Pulls) / least; ratio < .999 || ratio > 1.05 {
		t.Errorf("%d pulls, %v times T* beta", r.Pulls, ratio)
	}
	if u := uniformTime(c); u < 1.5*g.Upper {
		t.Errorf("equal counts need %v, T* is %v: want at least 1.5 T*", u, g.Upper)
	}
}

// Compare LinFACT with AllEpsilonGame, which is optimal for small Delta.
func ExampleAllEpsilonGame() {
	inst := teas()
	for _, p := range []explore.Policy{&policy.AllEpsilonGame{Delta: 0.01}, &policy.LinFACT{Delta: 0.01}} {
		result, err := explore.Run(p, inst.Problem, inst.Sampler(seed.New(1)), nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v: %v after %d pulls\n", p, result.Answer.Items, result.Pulls)
	}
	// Output:
	// All-epsilon game (delta 0.01): [0 1] after 732 pulls
	// LinFACT-XY (delta 0.01), union over active items: [0 1] after 1648 pulls
}

// uniformTime returns the analogue of T* for equal counts.
func uniformTime(c policytest.Case) float64 {
	k := c.Problem.K()
	r, err := alternative.NewAllEpsilon(c.Problem.Question.(question.AllEpsilonBest), c.Problem.X, nil)
	if err != nil {
		panic(err)
	}
	r.SetMeans(mat.Col(nil, 0, c.Means()))
	w := make([]float64, k)
	for i := range w {
		w[i] = 1 / float64(k)
	}
	return 1 / r.Cost(nil, w)
}
