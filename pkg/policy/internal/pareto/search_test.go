package pareto

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/armstest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// APE stores findings from round to round: S, OPT, the stopping rule and the pair to pull. The stored findings equal
// findings that are computed from the current estimates alone. The test covers ties, few and many measurements at
// once, and radii that shrink for a while.
func TestAPEKeepsFindings(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	stopped, optimal := 0, 0
	for run := range 60 {
		k, d := 1+rnd.IntN(12), 1+rnd.IntN(3)
		p := &explore.Problem{Arms: k, Objectives: d, Sigma: .3 + rnd.Float64()}
		q := question.Pareto{Epsilon: []float64{0, .1}[rnd.IntN(2)], Cover: []float64{0, .2}[rnd.IntN(2)]}
		var r radius.Radius = radius.Paper{}
		if run%2 == 1 {
			r = radius.KaufmannKoolen{}
		}
		var e arms.Estimates
		e.Init(p, arms.Bind(r, p, .1))
		// Only some arms take part, as in the second stage of a two-stage method.
		among := rnd.Perm(k)[:1+rnd.IntN(k)]
		slices.Sort(among)
		var a Search
		a.Init(&e, among, q, Rules{})
		centre := mat.NewDense(k, d, nil)
		for i := range k {
			for c := range d {
				centre.Set(i, c, 3*rnd.Float64())
			}
		}
		for round := range 300 {
			some := rnd.Perm(k)
			if round > 0 && k > 2 {
				some = some[:1+rnd.IntN(2)]
			}
			obs := armstest.Batches(rnd, some, d)
			for b := range obs {
				o := &obs[b]
				if run%3 > 0 { // otherwise a lattice, with ties
					for c := range o.Sum {
						o.Sum[c] = float64(o.N)*centre.At(o.Arm, c) + p.Sigma*rnd.NormFloat64()
					}
				}
			}
			e.Tell(obs)
			e.Factor, _ = e.Bonus.Factors(e.Pulls)
			if round%50 > 40 {
				e.Factor *= rnd.Float64()
			}
			if round == 0 {
				obs = nil
			}
			a.Update(obs)

			want := pareto.SetOf(mat.NewDense(k, d, e.Mean), among)
			if !slices.Equal(a.front.Members, want) {
				t.Fatalf("run %d, round %d: S = %v; want %v", run, round, a.front.Members, want)
			}
			h, index, z := make([]float64, k), make([]float64, k), make([]float64, k)
			opt := make([]bool, k)
			for _, i := range among {
				h[i], index[i] = inf, inf
				for _, j := range among {
					if m, beta := e.Pair(i, j); j != i {
						h[i], index[i] = min(h[i], m-beta+q.Epsilon), min(index[i], m+beta)
					}
				}
				if opt[i] = h[i] > 0; opt[i] != a.opt[i] {
					t.Fatalf("run %d, round %d: h of arm %d is %v, and OPT is %v", run, round, i, h[i], a.opt[i])
				}
				if opt[i] {
					optimal++
				}
			}
			least, b := 0., -1
			for _, i := range among {
				g := -inf
				for _, j := range among {
					m, beta := e.Pair(i, j)
					if opt[j] {
						m -= q.Cover
					}
					g = max(g, -m-beta)
				}
				if z[i] = h[i]; !slices.Contains(a.front.Members, i) {
					z[i] = max(g, h[i])
				}
				least = min(least, z[i])
				if !opt[i] && (b < 0 || index[i] > index[b]) {
					b = i
				}
			}
			if a.resolved() != (least >= 0) {
				t.Fatalf("run %d, round %d: stopped is %v with %v", run, round, a.resolved(), z)
			}
			if least >= 0 {
				stopped++
				continue
			}
			if gotB, gotC, open := a.first(); gotB != b || gotC != e.Rival(b, among) || open != (z[b] < 0) {
				t.Fatalf("run %d, round %d: arms %d, %d, open is %v; want %d, %d, terms are %v",
					run, round, gotB, gotC, open, b, e.Rival(b, among), z)
			}
			if i := a.unresolved(); i < 0 || math.Abs(z[i]-least) > 1e-12 {
				t.Fatalf("run %d, round %d: arm %d is said to be hardest; terms are %v", run, round, i, z)
			}
		}
	}
	if stopped < 500 || optimal < 5000 {
		t.Errorf("%d rounds stopped, %d arms were certain: the cases do not test much", stopped, optimal)
	}
}
