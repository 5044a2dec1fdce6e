package questiontest

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A Push is a linear condition n'x >= to, soft if weight is finite: then it may be
// missed by v at cost weight/2 v^2.
type Push struct {
	n      []float64
	to     float64
	weight float64
}

// Exceeds reports whether the least of w/2 (x-y)'S^-1(x-y) plus the costs of the soft conditions,
// over the x that satisfy the hard ones, is at least f. It is a certificate by
// weak duality, of which nothing in the package makes use: every point of the
// dual program bounds the least cost from below, and coordinate ascent raises it.
func Exceeds(y []float64, s mat.Symmetric, w float64, conds []Push, f float64) bool {
	d, n := len(y), len(conds)
	u := make([]float64, n)
	gram := make([][]float64, n)
	gap := make([]float64, n) // what is missing at y
	for i, p := range conds {
		gap[i] = p.to - floats.Dot(p.n, y)
		gram[i] = make([]float64, n)
		for j, q := range conds {
			gram[i][j] = mat.Inner(mat.NewVecDense(d, p.n), s, mat.NewVecDense(d, q.n)) / w
		}
		gram[i][i] += 1 / p.weight
	}
	for sweep := range 200_000 {
		for i := range u {
			v := gap[i] - floats.Dot(gram[i], u) + gram[i][i]*u[i]
			u[i] = max(0, v/gram[i][i])
		}
		if sweep > 2 && sweep%16 != 0 {
			continue
		}
		value := floats.Dot(gap, u)
		for i := range u {
			value -= u[i] * floats.Dot(gram[i], u) / 2
		}
		if value >= f {
			return true
		}
	}
	return false
}

// Hard returns the constraints of the region.
func (s Setting) Hard() []Push {
	var h []Push
	for k := range s.Q.Region.Rows() {
		c := s.Q.Region.Constraint(k)
		floats.Scale(-1, c.A)
		h = append(h, Push{c.A, -c.B, math.Inf(1)})
	}
	return h
}

// Entering reports whether it costs at least f for arm a to be dominated by no
// member and to be in the region, if it has to: for all d^p maps.
func (s Setting) Entering(a int, w []float64, bounded bool, f float64) bool {
	_, d := s.Mu.Dims()
	cov := s.Covariance()
	maps := 1
	for range s.Front {
		maps *= d
	}
	for m := range maps {
		var conds []Push
		if bounded {
			conds = s.Hard()
		}
		for q, rest := 0, m; q < len(s.Front); q, rest = q+1, rest/d {
			e, j, c := make([]float64, d), s.Front[q], rest%d
			e[c] = 1
			conds = append(conds, Push{e, s.Mu.At(j, c), w[j] / cov.At(c, c)})
		}
		if !Exceeds(s.Mu.RawRowView(a), cov, w[a], conds, f) {
			return false
		}
	}
	return true
}

// Crossing returns the least cost of the alternatives of the members: to leave
// the region and to fall below another member.
func (s Setting) Crossing(w []float64) float64 {
	_, d := s.Mu.Dims()
	cov := s.Covariance()
	least := math.Inf(1)
	for _, i := range s.Front {
		for k := range s.Q.Region.Rows() {
			c := s.Q.Region.Constraint(k)
			a := mat.NewVecDense(d, c.A)
			slack := c.B - floats.Dot(c.A, s.Mu.RawRowView(i))
			least = min(least, w[i]/2*slack*slack/mat.Inner(a, cov, a))
		}
	}
	if len(s.Front) > 1 { // as the unconstrained problem of the members alone
		sub := mat.NewDense(len(s.Front), d, nil)
		v := make([]float64, len(s.Front))
		for q, i := range s.Front {
			sub.SetRow(q, s.Mu.RawRowView(i))
			v[q] = w[i]
		}
		least = min(least, Cost(sub, s.Cov, v))
	}
	return least
}
