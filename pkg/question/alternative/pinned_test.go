package alternative_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
)

// The cheapest alternatives of random means, one response after the other in the same memory: with
// correlated noise, constraints, reasons that are rejected, weights that are 0 or of very different
// sizes, ties, and items beside the arms.
func TestAlternativesStay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(28, 3))
	var lines []string
	say := func(x ...any) { lines = append(lines, fmt.Sprint(x...)) }
	weights := func(k int) []float64 {
		w := make([]float64, k)
		for i := range w {
			w[i] = []float64{1, .3, 1e-3, 40, 0}[rnd.IntN(5)] * rnd.Float64()
		}
		return w
	}
	for n := range 12 {
		k, d := 1+n%5, 1+n%3
		var cov mat.Symmetric
		if n%2 == 0 {
			s := mat.NewSymDense(d, nil)
			for c := range d {
				s.SetSym(c, c, 1+float64(c))
				for b := range c {
					s.SetSym(b, c, -.4)
				}
			}
			cov = s
		}
		r, err := alternative.New(k, d, cov)
		if err != nil {
			t.Fatal(err)
		}
		if n%4 > 1 {
			lower := make([]float64, d)
			for c := range lower {
				lower[c] = -.5
			}
			region, err := polyhedron.AtLeast(lower, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Constrain(region); err != nil {
				t.Fatal(err)
			}
		}
		for step := range 4 {
			mu := make([]float64, k*d)
			for i := range mu {
				mu[i] = rnd.NormFloat64()
				if step == 3 {
					mu[i] = float64(rnd.IntN(2))
				}
			}
			r.SetMeans(mu)
			r.Reject(nil)
			for range 3 {
				w, grad := weights(k), make([]float64, k)
				cost := r.Cost(grad, w)
				a := alternative.None()
				if !math.IsInf(cost, 1) {
					a = r.Alternative()
				}
				say(n, " ", step, ": front ", r.Front(), ", cost ", golden.Numbers(cost), " grad ",
					golden.Numbers(grad...), " by ", a.Arm, " ", a.By, " ", a.Constraint, " ", a.Feasible, " ",
					a.Reason, " ", means(a.Means))
				for arm := range k {
					if n%4 > 1 {
						square, constraint := r.Boundary(mu[arm*d:][:d], arm)
						say(n, " ", step, ": boundary of ", arm, " ", golden.Numbers(square), " ", constraint)
					}
				}
			}
		}
		q := question.AllEpsilonBest{Epsilon: .4, Multiplicative: n%3 == 2, Zero: -4}
		e := alternative.NewAllEpsilonArms(q, k)
		x, z := random(rnd, 3, 2), random(rnd, 2+k, 2)
		f, err := alternative.NewAllEpsilon(q, x, z)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			mu, theta := make([]float64, k), random(rnd, 1, 2)
			for i := range mu {
				mu[i] = rnd.NormFloat64()
			}
			e.SetMeans(mu)
			w, grad := weights(k), make([]float64, k)
			cost := e.Cost(grad, w)
			if !math.IsInf(cost, 1) {
				way := e.Response()
				say(n, " arms: ", golden.Numbers(cost), " grad ", golden.Numbers(grad...), " by ", way.Item,
					" ", way.By, " ", golden.Numbers(way.Cost), " ", golden.Numbers(way.Shift...))
			}
			var items mat.Dense
			items.Mul(z, theta.T())
			f.SetMeans(mat.Col(nil, 0, &items))
			w, grad = weights(3), make([]float64, 3)
			w[0], w[1] = w[0]+.1, w[1]+.1
			cost = f.Cost(grad, w)
			say(n, " items: ", golden.Numbers(cost), " grad ", golden.Numbers(grad...))
			for _, way := range f.Ways(nil, w, 3, 4, []int{0, k}) {
				say(n, " way: ", f.Inside(way.Item), " ", way.Item, " ", way.By, " ", golden.Numbers(way.Cost), " ",
					golden.Numbers(way.Shift...))
			}
		}
	}
	p := &explore.Problem{Arms: 3}
	for _, a := range []alternative.Alternative{alternative.None(), {Arm: 1, By: 2, Constraint: -1}, {Arm: 1, By: 0, Constraint: -1},
		{Arm: 2, By: -1, Constraint: 0}, {Arm: 1, By: -1, Constraint: -1, Reason: true},
		{Arm: 1, By: -1, Constraint: -1, Feasible: true, Reason: true}, {Arm: 1, By: -1, Constraint: -1},
		{Arm: 1, By: -1, Constraint: -1, Feasible: true}, {Arm: 1, By: 2, Constraint: -1, Reason: true}} {
		say("words: ", a.Explain(p))
	}
	golden.Digests(t, "pinned.txt", lines, golden.Kind)
}

func means(m *mat.Dense) string {
	if m == nil {
		return "none"
	}
	return golden.Numbers(m.RawMatrix().Data...)
}

func random(rnd *rand.Rand, k, h int) *mat.Dense {
	x := mat.NewDense(k, h, nil)
	for i := range k {
		for j := range h {
			x.Set(i, j, rnd.NormFloat64())
		}
	}
	return x
}
