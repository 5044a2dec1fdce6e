package constrained

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// definition computes, from all K x K pairs, the same values that a State computes with hints.
type definition struct {
	lower    [][]float64 // m^-(i,j) as compared
	upper    [][]float64 // M^-(i,j) as compared
	possible []int
	front    []int
}

func define(c *State) (f definition) {
	var feasible []int
	for i := range c.K {
		if c.Feasibility.Inside[i] {
			feasible = append(feasible, i)
		}
		if c.Feasibility.Inside[i] || c.Gammas[i] < 0 {
			f.possible = append(f.possible, i)
		}
		f.lower = append(f.lower, make([]float64, c.K))
		f.upper = append(f.upper, make([]float64, c.K))
		for j := range c.K {
			beta := c.Factor * c.Bonus.Pair(c.Term[i], c.Term[j])
			m := pareto.Excess(c.Row(i), c.Row(j))
			f.lower[i][j], f.upper[i][j] = -m-beta, m-beta
			if c.Scaled {
				f.lower[i][j], f.upper[i][j] = f.lower[i][j]/beta, f.upper[i][j]/beta
			}
			if i == j {
				f.lower[i][j], f.upper[i][j] = -inf, inf
			}
		}
	}
	f.front = pareto.SetOf(mat.NewDense(c.K, c.D, c.Mean), feasible)
	return f
}

// unresolved returns the first minimizer of Z2, or -1 if Z2 >= 0.
func (f *definition) unresolved(c *State) int {
	least, arm := 0., -1
	for i := range c.K {
		if slices.Contains(f.front, i) {
			continue
		}
		term := -inf
		if !c.Feasibility.Inside[i] {
			term = c.status[i]
		}
		for _, j := range f.possible {
			term = max(term, f.lower[i][j])
		}
		if term < least {
			least, arm = term, i
		}
	}
	return arm
}

// doubtful returns the first minimizer of Z1, or -1 if Z1 >= 0.
func (f *definition) doubtful(c *State) int {
	single, pair, byS, byP := inf, inf, -1, -1
	for _, i := range f.front {
		if c.status[i] < single {
			single, byS = c.status[i], i
		}
		for _, j := range f.front {
			if f.upper[i][j] < pair {
				pair, byP = f.upper[i][j], i
			}
		}
	}
	switch {
	case min(single, pair) >= 0:
		return -1
	case single <= pair:
		return byS
	}
	return byP
}

// In every round, on instances with and without ties, State examines the arm given by the definitions.
func TestStateByDefinition(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	var unresolved, doubtful, stopped, ties int
	for trial := range 240 {
		k, d := 1+rnd.IntN(9), 1+rnd.IntN(3)
		p := &explore.Problem{Arms: k, Objectives: d, Sigma: []float64{.05, .3, 2}[trial%3], Question: question.Pareto{}}
		region := polyhedron.Whole(d)
		if trial%4 > 0 {
			lower := make([]float64, d)
			for q := range lower {
				lower[q] = -.25
			}
			var err error
			if region, err = polyhedron.AtLeast(lower, nil); err != nil {
				t.Fatal(err)
			}
		}
		radii := []radius.Radius{radius.Theory{}, radius.Paper{}, radius.KaufmannKoolen{}}
		c := State{Scaled: trial%5 == 0}
		c.Init(p, region, arms.Bind(radii[trial/3%3], p, .1))
		noise := .3 * float64(trial%2) // without noise, estimates are tied
		for round := range 60 {
			order := rnd.Perm(k)
			if round > 0 {
				order = order[:1+rnd.IntN(min(k, 3))]
			}
			var obs []explore.Batch
			for _, i := range order {
				b := explore.Batch{Pull: explore.Pull{Arm: i, N: 1 << rnd.IntN(6)}}
				n := float64(b.N)
				for q := range d {
					mean := float64((i*7+q*5)%4)/2 - .5
					b.Sum = append(b.Sum, n*mean+math.Sqrt(n)*noise*rnd.NormFloat64())
				}
				obs = append(obs, b)
			}
			c.Tell(obs)
			want := define(&c)
			if !slices.Equal(c.front.Members, want.front) || !slices.Equal(c.Possible, want.possible) {
				t.Fatalf("trial %d, round %d: O %v, F and G %v; want %v, %v", trial, round,
					c.front.Members, c.Possible, want.front, want.possible)
			}
			u, z := want.unresolved(&c), want.doubtful(&c)
			if got := c.unresolved(); got != u {
				t.Fatalf("trial %d, round %d: unresolved %d; want %d", trial, round, got, u)
			}
			if got := c.doubtful(); got != z {
				t.Fatalf("trial %d, round %d: doubtful %d; want %d", trial, round, got, z)
			}
			b := c.Check()
			switch {
			case u >= 0:
				unresolved++
			case z >= 0:
				doubtful++
			default:
				stopped++
			}
			for i, r := range c.Answer().Reasons {
				for _, j := range want.possible {
					if b >= 0 && r.Class == explore.Optimal && (c.Gammas[i] < 0 || j != i && want.upper[i][j] < 0) {
						t.Fatalf("trial %d, round %d: arm %d is optimal, but uncertain against arm %d: %+v", trial, round, i, j, r)
					}
				}
			}
			if want := max(u, z); u < 0 && b != want || u >= 0 && b != u {
				t.Fatalf("trial %d, round %d: arm %d; want %d or else %d", trial, round, b, u, z)
			}
			if noise == 0 && len(want.front) > 1 {
				ties++
			}
			if b < 0 {
				continue
			}
			least, rival := inf, -1
			for _, j := range want.possible {
				beta := c.Factor * c.Bonus.Pair(c.Term[b], c.Term[j])
				if m := pareto.Excess(c.Row(b), c.Row(j)) - beta; j != b && m < least {
					least, rival = m, j
				}
			}
			if got := c.Rival(b, c.Possible); got != rival {
				t.Fatalf("trial %d, round %d: rival %d of %d; want %d", trial, round, got, b, rival)
			}
		}
	}
	if min(unresolved, doubtful, stopped, ties) < 100 {
		t.Errorf("%d rounds unresolved, %d doubtful, %d stopped, %d with ties: the test cannot "+
			"see much", unresolved, doubtful, stopped, ties)
	}
}
