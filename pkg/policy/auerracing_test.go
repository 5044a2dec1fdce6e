package policy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/question"
)

// auerLeft returns the arms that Algorithm 1 of Auer, Chiang, Ortner and Drugan (AISTATS 2016)
// keeps in a round. It follows the definitions of the sets A1, P1 and P2 over all pairs of arms.
func auerLeft(mean [][]float64, active []int, wide, epsilon float64) []int {
	// of returns the arms i of set for which way(i, j) holds for no other arm j of among.
	of := func(set, among []int, way func(i, j int) bool) (left []int) {
		for _, i := range set {
			if !slices.ContainsFunc(among, func(j int) bool { return j != i && way(i, j) }) {
				left = append(left, i)
			}
		}
		return left
	}
	a1 := of(active, active, func(i, j int) bool { return pareto.Deficit(mean[i], mean[j]) > wide })
	p1 := of(a1, a1, func(i, j int) bool { return pareto.Excess(mean[i], mean[j])+epsilon < wide })
	rest := slices.DeleteFunc(slices.Clone(a1), func(i int) bool { return slices.Contains(p1, i) })
	p2 := of(p1, rest, func(j, i int) bool { return pareto.Excess(mean[i], mean[j])+epsilon <= wide })
	return slices.DeleteFunc(a1, func(i int) bool { return slices.Contains(p2, i) })
}

// auerWide returns 2 beta after n rewards of each arm.
func auerWide(prob *explore.Problem, n int) float64 {
	bonus := arms.Bind(policy.AuerRadius{}, prob, policy.DefaultDelta)
	return bonus.Pair(bonus.Term(n), bonus.Term(n))
}

// auerPulls returns the pulls of each arm by this algorithm, without noise.
func auerPulls(mu [][]float64, prob *explore.Problem, epsilon float64) []int {
	active, pulls := make([]int, len(mu)), make([]int, len(mu))
	for i := range active {
		active[i] = i
	}
	for n := 1; len(active) > 0; n++ {
		for _, i := range active {
			pulls[i]++
		}
		active = auerLeft(mu, active, auerWide(prob, n), epsilon)
	}
	return pulls
}

// AuerRacing retires each arm in the same round as the definitions, with and without a tolerance.
func TestAuerRacingByDefinition(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		epsilon := float64(n%3) * .2
		mu := make([][]float64, 6)
		for i := range mu {
			mu[i] = []float64{rnd.Float64() * 2, rnd.Float64() * 2}
		}
		c := unconstrained(palPlain("random", .2, mu...), question.Pareto{Epsilon: epsilon})
		r, err := explore.Run(&policy.AuerRacing{}, c.Problem, c.Exact(),
			&explore.Settings{MaxPulls: 200_000})
		if err != nil || r.Status != explore.Stopped {
			continue // too close to a boundary of the rules
		}
		if want := auerPulls(mu, c.Problem, epsilon); !slices.Equal(r.ArmPulls, want) {
			t.Errorf("epsilon %v, means %v: pulls %v; want %v", epsilon, fmt.Sprint(mu), r.ArmPulls,
				want)
		}
	}
}
