package linear

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Greedy sets the pulls of a phase to the arms that a greedy rule picks until
// the largest variance of a difference of active items is at most target: each
// the arm after which it is smallest. Where no single pull makes it smaller, as
// several differences share it, the arm that reduces the first of them most.
// Rewards have no part in it, so that the whole phase can be asked for at once.
//
// The inverse information matrix W is updated by rank one. Pulling x reduces the
// variance y'Wy by (y'Wx)^2/(1 + x'Wx), so that an arm is compared on the
// differences in descending order of their variances, until those that follow
// cannot matter. It returns the variance at the end.
func (p *Phases) Greedy(target float64) (variance float64, err error) {
	l, active := &p.Model, p.Survivors.Active
	n, m := len(active), l.Rank
	type pair struct {
		i, j     int // positions in active
		variance float64
	}
	pairs := make([]pair, 0, n*(n-1)/2)
	for i := range n {
		for j := range i {
			pairs = append(pairs, pair{i, j, 0})
		}
	}
	z := mat.NewDense(n, m, nil)
	for r, i := range active {
		z.SetRow(r, l.Item(i))
	}
	counts := make([]int, l.K)
	a := mat.NewDense(m, m, nil)
	for _, i := range l.Span.Points() {
		counts[i] = 1
		x := mat.NewVecDense(m, l.Arm(i))
		a.RankOne(a, 1, x, x)
	}
	var w, zw, g mat.Dense // W, Z W, Z W X'
	if err := w.Inverse(a); err != nil {
		return 0, err
	}
	lever, u := make([]float64, l.K), mat.NewVecDense(m, nil)
	for {
		zw.Mul(z, &w)
		for q := range pairs {
			r := &pairs[q]
			v := 0.
			for c, zi := range z.RawRowView(r.i) {
				v += (zi - z.At(r.j, c)) * (zw.At(r.i, c) - zw.At(r.j, c))
			}
			r.variance = v
		}
		slices.SortFunc(pairs, func(a, b pair) int {
			switch {
			case a.variance > b.variance:
				return -1
			case a.variance < b.variance:
				return 1
			}
			return 0
		})
		if pairs[0].variance <= target*(1+tie) {
			p.Counts = counts
			return pairs[0].variance, nil
		}
		if float64(Total(counts)) > mostGreedy {
			return 0, p.Survivors.Tied(p.prob, inf)
		}
		g.Mul(&zw, l.X.T())
		best, least, first := -1, inf, 0.
		for k := range l.K {
			u.MulVec(&w, mat.NewVecDense(m, l.Arm(k)))
			lever[k] = 1 + floats.Dot(u.RawVector().Data, l.Arm(k))
			worst := 0.
			for _, r := range pairs {
				if r.variance <= worst || worst > least*(1+tie) {
					break
				}
				d := g.At(r.i, k) - g.At(r.j, k)
				worst = max(worst, r.variance-d*d/lever[k])
			}
			d := g.At(pairs[0].i, k) - g.At(pairs[0].j, k)
			gain := d * d / lever[k]
			if worst < least*(1-tie) || worst <= least*(1+tie) && gain > first*(1+tie) {
				best, least, first = k, worst, gain
			}
		}
		u.MulVec(&w, mat.NewVecDense(m, l.Arm(best)))
		w.RankOne(&w, -1/lever[best], u, u)
		counts[best]++
	}
}

// tie is the relative difference below which two variances are equal.
const tie = 1e-12

// mostGreedy is the largest phase that is chosen pull by pull.
const mostGreedy = 1e7
