package questiontest

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/pareto"
)

// Cost returns F(w), plain and slow. Either a member i falls below a
// member j: the difference z moves by at least what i is ahead, found by
// cyclic coordinate descent. Or an arm outside rises to x, and every member is
// lowered to x in one objective: all assignments of objectives to members are
// tried, and x found by cyclic coordinate descent with bisection.
func Cost(mu *mat.Dense, cov mat.Symmetric, w []float64) float64 {
	k, d := mu.Dims()
	if cov == nil {
		i := mat.NewDiagDense(d, nil)
		for c := range d {
			i.SetDiag(c, 1)
		}
		cov = i
	}
	var p mat.Dense
	if err := p.Inverse(cov); err != nil {
		panic(err)
	}
	form := func(z []float64) float64 {
		v := mat.NewVecDense(d, z)
		return mat.Inner(v, &p, v)
	}
	front := pareto.Set(mu)
	least := math.Inf(1)
	for _, i := range front {
		for _, j := range front {
			if i == j {
				continue
			}
			z, a := make([]float64, d), make([]float64, d)
			floats.SubTo(a, mu.RawRowView(i), mu.RawRowView(j))
			copy(z, a)
			for range 400 {
				for c := range d {
					z[c] = 0
					z[c] = max(a[c], -floats.Dot(p.RawRowView(c), z)/p.At(c, c))
				}
			}
			least = min(least, w[i]*w[j]/(w[i]+w[j])*form(z)/2)
		}
	}
	maps := 1
	for range front {
		maps *= d
	}
	for a := range k {
		for m := 0; m < maps && !slices.Contains(front, a); m++ {
			x, z := slices.Clone(mu.RawRowView(a)), make([]float64, d)
			group := make([][]int, d)
			for q, rest := 0, m; q < len(front); q, rest = q+1, rest/d {
				group[rest%d] = append(group[rest%d], front[q])
			}
			sweeps := 1
			if !diagonal(&p) {
				sweeps = 100
			}
			for range sweeps {
				for c := range d {
					floats.SubTo(z, x, mu.RawRowView(a))
					z[c] = 0
					cross := floats.Dot(p.RawRowView(c), z)
					slope := func(v float64) float64 {
						s := w[a] * (p.At(c, c)*(v-mu.At(a, c)) + cross)
						for _, j := range group[c] {
							s -= w[j] / cov.At(c, c) * max(0, mu.At(j, c)-v)
						}
						return s
					}
					lo, hi := -1., 1.
					for slope(lo) > 0 {
						lo *= 2
					}
					for slope(hi) < 0 {
						hi *= 2
					}
					for range 55 {
						if mid := (lo + hi) / 2; slope(mid) > 0 {
							hi = mid
						} else {
							lo = mid
						}
					}
					x[c] = (lo + hi) / 2
				}
			}
			floats.SubTo(z, x, mu.RawRowView(a))
			cost := w[a] * form(z) / 2
			for c, g := range group {
				for _, j := range g {
					cost += w[j] / cov.At(c, c) * math.Pow(max(0, mu.At(j, c)-x[c]), 2) / 2
				}
			}
			least = min(least, cost)
		}
	}
	return least
}

func diagonal(p *mat.Dense) bool {
	d, _ := p.Dims()
	for i := range d {
		for j := range d {
			if i != j && p.At(i, j) != 0 {
				return false
			}
		}
	}
	return true
}

// Price returns the cost of moving mu to lambda.
func Price(mu, lambda *mat.Dense, cov mat.Symmetric, w []float64) float64 {
	k, d := mu.Dims()
	var p mat.Dense
	if cov != nil {
		if err := p.Inverse(cov); err != nil {
			panic(err)
		}
	}
	total := 0.
	for i := range k {
		z := mat.NewVecDense(d, nil)
		z.SubVec(lambda.RowView(i), mu.RowView(i))
		if cov == nil {
			total += w[i] / 2 * mat.Dot(z, z)
		} else {
			total += w[i] / 2 * mat.Inner(z, &p, z)
		}
	}
	return total
}
