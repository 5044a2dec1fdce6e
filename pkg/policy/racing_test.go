package policy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// raced applies the printed rules to the active arms, with all pairs of estimates. raced returns
// classes and dominators.
func raced(p *ConstrainedRacing, active []int, class []explore.Class) ([]explore.Class, []int) {
	c := &p.exact
	sure := func(i int, in bool) bool { return c.Feasibility.Inside[i] == in && c.Gammas[i] > 0 }
	ahead := func(i, j int) float64 { // M^-(i,j)
		return pareto.Excess(c.Row(i), c.Row(j)) - c.Factor*c.Bonus.Pair(c.Term[i], c.Term[j])
	}
	behind := func(i, j int) float64 { // m^-(i,j)
		return -pareto.Excess(c.Row(i), c.Row(j)) - c.Factor*c.Bonus.Pair(c.Term[i], c.Term[j])
	}
	class, by := slices.Clone(class), make([]int, c.K)
	before := slices.Clone(class)
	var left []int
	for _, i := range active {
		if by[i] = -1; sure(i, false) {
			class[i] = explore.Infeasible
			continue
		}
		most := 0.
		for _, j := range active {
			if m := behind(i, j); j != i && sure(j, true) && m > most {
				by[i], most = j, m
			}
		}
		for j := range c.K {
			if m := behind(i, j); p.KeepWitnesses && before[j] == explore.Optimal && m > most {
				by[i], most = j, m
			}
		}
		if by[i] >= 0 {
			class[i] = explore.Dominated
			continue
		}
		left = append(left, i)
	}
	for _, i := range left {
		optimal := sure(i, true)
		for _, j := range left {
			optimal = optimal && (i == j || ahead(i, j) > 0 && ahead(j, i) > 0)
		}
		if optimal {
			class[i] = explore.Optimal
		}
	}
	return class, by
}

// In every round, on instances with and without ties, racing discards the same arms as the printed rules.
func TestRacingByDefinition(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	seen := map[explore.Class]int{}
	for trial := range 200 {
		k, d := 1+rnd.IntN(9), 1+rnd.IntN(3)
		lower := make([]float64, d)
		for q := range lower {
			lower[q] = -.25
		}
		region, err := polyhedron.AtLeast(lower, nil)
		if err != nil {
			t.Fatal(err)
		}
		prob := &explore.Problem{Arms: k, Objectives: d, Sigma: .3, Question: question.FeasiblePareto{Region: region}}
		p := &ConstrainedRacing{Radius: radius.Paper{}, KeepWitnesses: trial%3 == 0}
		if err := p.Init(prob, nil); err != nil {
			t.Fatal(err)
		}
		noise := .3 * float64(trial%2) // without noise, estimates are tied
		for range 60 {
			pulls, err := p.Ask(nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(pulls) == 0 {
				break
			}
			var obs []explore.Batch
			for _, o := range pulls {
				b, n := explore.Batch{Pull: o}, float64(o.N)
				for q := range d {
					mean := float64((o.Arm*7+q*5)%4)/2 - .5
					b.Sum = append(b.Sum, n*mean+math.Sqrt(n)*noise*rnd.NormFloat64())
				}
				obs = append(obs, b)
			}
			active, class := slices.Clone(p.exact.active), slices.Clone(p.exact.class)
			if err := p.Tell(obs); err != nil {
				t.Fatal(err)
			}
			class, by := raced(p, active, class)
			if !slices.Equal(p.exact.class, class) {
				t.Fatalf("trial %d: %v; want %v", trial, p.exact.class, class)
			}
			for _, i := range active {
				if class[i] == explore.Dominated && p.exact.final[i].By != by[i] {
					t.Fatalf("trial %d: arm %d dominated by %d; want %d", trial, i, p.exact.final[i].By, by[i])
				}
				seen[class[i]]++
			}
		}
	}
	for c := explore.Undecided; c <= explore.Infeasible; c++ {
		if seen[c] < 30 {
			t.Errorf("class %v seen %d times: the test cannot see much", c, seen[c])
		}
	}
}
