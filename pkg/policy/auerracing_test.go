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

// auerLeft are the arms that Algorithm 1 of Auer, Chiang, Ortner and Drugan (AISTATS 2016) keeps in a
// round, from its definitions: the sets A1, P1 and P2 over all pairs of arms.
func auerLeft(mean [][]float64, active []int, wide, epsilon float64) []int {
	// of returns the arms of set for which no other one of among is in the way.
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

// auerWide is 2 beta after n rewards of each arm.
func auerWide(prob *explore.Problem, n int) float64 {
	bonus := arms.Bind(policy.AuerRadius{}, prob, policy.DefaultDelta)
	return bonus.Pair(bonus.Term(n), bonus.Term(n))
}

// auerPulls are the pulls of each arm by that algorithm, without noise.
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

// With noise, too, each round asks for the arms that the definitions leave, and what is said of an
// undecided arm is about the means of that round.
func TestAuerRacingWithNoise(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for n := range 40 {
		epsilon := float64(n%2) * .2
		mu := make([][]float64, 5)
		for i := range mu {
			mu[i] = []float64{rnd.Float64() * 2, rnd.Float64() * 2}
		}
		c := unconstrained(palPlain("random", .2, mu...), question.Pareto{Epsilon: epsilon})
		p := &policy.AuerRacing{}
		s, err := explore.NewSession(p, c.Problem, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum, mean := make([][2]float64, len(mu)), make([][]float64, len(mu))
		want := []int{0, 1, 2, 3, 4}
		for round := 1; round < 5000; round++ {
			pulls, err := s.Ask()
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			var obs []explore.Batch
			for _, q := range pulls {
				i := q.Arm
				got = append(got, i)
				x := []float64{mu[i][0] + .2*rnd.NormFloat64(), mu[i][1] + .2*rnd.NormFloat64()}
				sum[i][0], sum[i][1] = sum[i][0]+x[0], sum[i][1]+x[1]
				mean[i] = []float64{sum[i][0] / float64(round), sum[i][1] / float64(round)}
				obs = append(obs, explore.Batch{Pull: q, Sum: x})
			}
			if !slices.Equal(got, want) {
				t.Fatalf("run %d, round %d asks for %v; want %v", n, round, got, want)
			}
			if len(want) == 0 {
				break
			}
			if err := s.Tell(obs); err != nil {
				t.Fatal(err)
			}
			active := want
			want = auerLeft(mean, want, auerWide(c.Problem, round), epsilon)
			if round%9 > 0 || len(want) < len(active) {
				continue
			}
			a := p.Answer()
			for _, i := range want {
				looks := !slices.ContainsFunc(want, func(j int) bool {
					return pareto.Dominates(mean[j], mean[i])
				})
				if slices.Contains(a.Items, i) != looks {
					t.Fatalf("run %d, round %d: answer %v of %v with the means %v", n, round, a.Items,
						want, mean)
				}
				r := a.Reasons[i]
				if r.Class != explore.Undecided || r.Margin != pareto.Excess(mean[i], mean[r.By]) ||
					r.MarginRadius != auerWide(c.Problem, round) {
					t.Fatalf("run %d, round %d: %+v of arm %d with the means %v", n, round, r, i, mean)
				}
			}
		}
	}
}

// Auer racing retires each arm in the round in which the definitions say so, with a tolerance too.
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
			continue // closer than can be told
		}
		if want := auerPulls(mu, c.Problem, epsilon); !slices.Equal(r.ArmPulls, want) {
			t.Errorf("epsilon %v, means %v: pulls %v; want %v", epsilon, fmt.Sprint(mu), r.ArmPulls,
				want)
		}
	}
}
