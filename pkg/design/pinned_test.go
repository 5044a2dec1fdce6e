package design_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/design"
)

// Designs of random points, plain and short of rank, of very different lengths, with copies and
// zeros; cut short, from a start, restricted to some items; and what rounding makes of them. Each
// solver takes as many iterations as ever, and ends at the same weights.
func TestDesignsStay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(28, 1))
	var lines []string
	for n := range 12 {
		x := points(rnd, 4+rnd.IntN(12), 1+rnd.IntN(4), n%6)
		z := new(mat.Dense)
		z.Mul(points(rnd, 3+rnd.IntN(8), x.RawMatrix().Rows, 0), x) // in the span of the points
		say := func(what string, d *design.Design, err error) {
			s := fmt.Sprintf("%d %s: ", n, what)
			if d != nil {
				s += fmt.Sprintf("%d iterations, %s, at", d.Iterations, golden.Numbers(d.Value, d.Lower))
				for _, i := range d.Support() {
					s += fmt.Sprintf(" %d %s", i, golden.Numbers(d.Weights[i]))
				}
			}
			if err != nil {
				s += fmt.Sprint(" ", err)
			}
			lines = append(lines, s)
		}
		options := []*design.Options{nil, {Tol: 1e-8}, {Tol: .3}, {MaxIterations: 3},
			{Start: start(rnd, x.RawMatrix().Rows)}, {Method: design.FrankWolfePaper}}
		stop := &design.Options{Tol: 1e-9, Watch: func(b design.Bracket) bool { return b.Iteration < 5 }}
		solve := func(what string, c design.Criterion, err error, more ...*design.Options) {
			for i, o := range append(append(options, stop), more...) {
				if err != nil {
					say(what, nil, err)
					return
				}
				d, err := c.Solve(o)
				say(fmt.Sprintf("%s %d", what, i), d, err)
				if d == nil || i > 0 {
					continue
				}
				for r := design.Best; r <= design.AllenZhu; r++ {
					for _, m := range []int{c.Rank() + 2, 40} {
						a, err := design.Round(c, d.Weights, m, r)
						s := fmt.Sprintf("%d %s %d, rounded to %d (%v):", n, what, i, m, r)
						if a != nil {
							s += fmt.Sprint(" ", a.Counts, " ", golden.Numbers(a.Ratio))
						}
						if err != nil {
							s += fmt.Sprint(" ", err)
						}
						lines = append(lines, s)
					}
				}
			}
		}
		g, err := design.NewG(x)
		solve("G", g, err, &design.Options{Method: design.MirrorDescent, Tol: .05})
		c, err := design.NewC(x, z.RawRowView(0))
		solve("c", c, err)
		xy, err := design.NewXY(x, z)
		solve("XY", xy, err)
		pairs, err := design.NewPairs(x, z)
		solve("pairs", pairs, err)
		if err == nil {
			pairs.Keep([]int{0, 2})
			d, err := pairs.Solve(nil)
			say("two left", d, err)
		}
		star, err := design.NewStar(x, z)
		if err == nil {
			star.Set(1, []int{0, 1, 2}, []float64{1, 5, .3})
			solve("star", star, err)
			star.Set(0, []int{1, 2}, []float64{0, 2})
			d, err := star.Solve(nil)
			say("another star", d, err)
		}
		u, norm, err := design.Elfving(x, z.RawRowView(1))
		lines = append(lines, fmt.Sprintf("%d Elfving: %s at %s %v", n, golden.Numbers(norm),
			golden.Numbers(u...), err))
		row, col, value := design.Game(x)
		lines = append(lines, fmt.Sprintf("%d game: %s by %s against %s", n, golden.Numbers(value),
			golden.Numbers(row...), golden.Numbers(col...)))
	}
	golden.Digests(t, "pinned.txt", lines, golden.Kind)
}

// points returns k random points: of full rank (0), the last feature being the sum of the others
// (1), of lengths from 1e-3 to 1e3 (2), with copies and opposites (3), with zeros (4), whole numbers (5).
func points(rnd *rand.Rand, k, h, kind int) *mat.Dense {
	x := mat.NewDense(k, h, nil)
	for i := range k {
		for j := range h {
			x.Set(i, j, rnd.NormFloat64())
			switch {
			case kind == 1 && j == h-1:
				sum := 0.
				for c := range j {
					sum += x.At(i, c)
				}
				x.Set(i, j, sum)
			case kind == 2:
				x.Set(i, j, x.At(i, j)*[]float64{1e-3, 1, 1e3}[i%3])
			case kind == 3 && i > 1 && i%2 == 0:
				x.Set(i, j, x.At(i-2, j)*float64(1-i%4))
			case kind == 4 && (i+j)%3 == 0:
				x.Set(i, j, 0)
			case kind == 5:
				x.Set(i, j, float64(rnd.IntN(3)-1))
			}
		}
	}
	return x
}

// start returns weights of k points, some of them 0.
func start(rnd *rand.Rand, k int) []float64 {
	w := make([]float64, k)
	for i := range w {
		w[i] = max(0, rnd.NormFloat64()+.7)
	}
	w[0] += 1
	return w
}
