package policy_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// auerLeft returns the arms that Algorithm 1 of Auer, Chiang, Ortner and Drugan (AISTATS 2016) keeps in a round.
// auerLeft follows the definitions of the sets A1, P1 and P2 over all pairs of arms.
func auerLeft(mean func(i int) []float64, active []int, wide, epsilon float64) []int {
	// of returns those arms i in set for which way(i, j) is false for every other arm j in among.
	of := func(set, among []int, way func(i, j int) bool) (left []int) {
		for _, i := range set {
			if !slices.ContainsFunc(among, func(j int) bool { return j != i && way(i, j) }) {
				left = append(left, i)
			}
		}
		return left
	}
	a1 := of(active, active, func(i, j int) bool { return pareto.Deficit(mean(i), mean(j)) > wide })
	p1 := of(a1, a1, func(i, j int) bool { return pareto.Excess(mean(i), mean(j))+epsilon < wide })
	rest := slices.DeleteFunc(slices.Clone(a1), func(i int) bool { return slices.Contains(p1, i) })
	p2 := of(p1, rest, func(j, i int) bool { return pareto.Excess(mean(i), mean(j))+epsilon <= wide })
	return slices.DeleteFunc(a1, func(i int) bool { return slices.Contains(p2, i) })
}

// In each round, AuerRacing requests exactly the arms that auerLeft keeps, with and without a tolerance.
func TestAuerRacingByDefinition(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		epsilon := float64(n%3) * .2
		mu := make([][]float64, 6)
		for i := range mu {
			mu[i] = []float64{rnd.Float64() * 2, rnd.Float64() * 2}
		}
		c := unconstrained(palPlain("random", .2, mu...), question.Pareto{Epsilon: epsilon})
		ses, err := explore.NewSession(&policy.AuerRacing{}, c.Problem, nil)
		if err != nil {
			t.Fatal(err)
		}
		bonus := arms.Bind(policy.AuerRadius{}, c.Problem, policy.DefaultDelta)
		var sums explore.Sums
		want, sampler := []int{0, 1, 2, 3, 4, 5}, c.Sampler(seed.New(uint64(n)))
		for round := 1; round < 5000; round++ {
			pulls, err := ses.Ask()
			if asked := func(p explore.Pull, i int) bool { return p == explore.Pull{Arm: i, N: 1} }; err != nil ||
				!slices.EqualFunc(pulls, want, asked) {
				t.Fatalf("epsilon %v, means %v, round %d: pulls %v, %v; want arms %v", epsilon, mu, round, pulls, err, want)
			}
			if len(pulls) == 0 {
				break
			}
			obs, _ := sampler.Sample(nil, pulls)
			if err := errors.Join(ses.Tell(obs), sums.Record(explore.Event{Obs: obs})); err != nil {
				t.Fatal(err)
			}
			mean := sums.Means(c.Problem)
			wide := bonus.Pair(bonus.Term(round), bonus.Term(round))
			want = auerLeft(func(i int) []float64 { return mean.RawRowView(i) }, want, wide, epsilon)
		}
	}
}
