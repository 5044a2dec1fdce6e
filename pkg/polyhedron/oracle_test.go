package polyhedron

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// mustNew returns the polyhedron of a and b, or fails the test.
func mustNew(t testing.TB, d int, a, b []float64) *Polyhedron {
	t.Helper()
	p, err := New(mat.NewDense(len(b), d, a), b, nil)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return p
}

// randomRows returns m rows with normal coefficients of very different scales. The polyhedron of the rows contains
// a ball around a random point. About a fifth of the rows have the coefficients of the first row.
func randomRows(rnd *rand.Rand, m, d int) (a, b []float64) {
	inside := make([]float64, d)
	for j := range inside {
		inside[j] = rnd.NormFloat64()
	}
	for k := range m {
		scale := math.Exp(rnd.NormFloat64() * 2)
		row := make([]float64, d)
		for j := range row {
			row[j] = scale * rnd.NormFloat64()
		}
		if k > 0 && rnd.IntN(5) == 0 {
			copy(row, a[:d])
		}
		a = append(a, row...)
		b = append(b, dot(row, inside)+math.Sqrt(dot(row, row))*(0.01+rnd.ExpFloat64()))
	}
	return a, b
}

// projectBrute returns the projection of x onto { z : a_k'z <= b_k } by trying all sets of at most d rows as
// equalities. For each set, projectBrute solves a linear system for the point and its multipliers. projectBrute
// returns the nearest point that satisfies all rows.
func projectBrute(p *Polyhedron, x []float64) (best []float64, dist float64) {
	d, m := p.Dim(), p.Rows()
	dist = math.Inf(1)
	for set := range 1 << m {
		var rows []Constraint
		for k := range m {
			if set>>k&1 == 1 {
				c := p.Constraint(k)
				norm := math.Sqrt(dot(c.A, c.A))
				for j := range c.A {
					c.A[j] /= norm
				}
				c.B /= norm
				rows = append(rows, c)
			}
		}
		n := len(rows)
		if n > d {
			continue
		}
		// [I A'; A 0] [z; u] = [x; b]
		kkt, rhs := mat.NewDense(d+n, d+n, nil), mat.NewVecDense(d+n, nil)
		for j := range d {
			kkt.Set(j, j, 1)
			rhs.SetVec(j, x[j])
		}
		for i, c := range rows {
			for j, v := range c.A {
				kkt.Set(j, d+i, v)
				kkt.Set(d+i, j, v)
			}
			rhs.SetVec(d+i, c.B)
		}
		var sol mat.VecDense
		if err := sol.SolveVec(kkt, rhs); err != nil {
			continue // dependent rows: a smaller set suffices
		}
		z := make([]float64, d)
		var ss float64
		for j := range z {
			z[j] = sol.AtVec(j)
			ss += (z[j] - x[j]) * (z[j] - x[j])
		}
		if _, slack := p.least(z); slack >= -1e-9 && math.Sqrt(ss) < dist {
			best, dist = z, math.Sqrt(ss)
		}
	}
	return best, dist
}

// checkKKT verifies that z is the projection of x: z satisfies all rows, and x - z is a nonnegative combination of the
// rows that hold with equality. By convexity, these two conditions are sufficient. The combination is found by
// nonnegative least squares with coordinate descent.
func checkKKT(t *testing.T, p *Polyhedron, x, z []float64) {
	t.Helper()
	size := 1.0
	for _, v := range x {
		size += math.Abs(v)
	}
	if _, slack := p.least(z); slack < -1e-12*size {
		t.Fatalf("%v: projection %v of %v violates a row by %g", p, z, x, -slack)
	}
	var rows [][]float64
	for i := range p.unit.M {
		if math.Abs(dot(p.unit.Row(i), z)-p.unit.B[i]) < 1e-9*size {
			rows = append(rows, p.unit.Row(i))
		}
	}
	rest := make([]float64, len(x))
	for j := range rest {
		rest[j] = x[j] - z[j]
	}
	u := make([]float64, len(rows))
	for range 200_000 {
		if math.Sqrt(dot(rest, rest)) <= 1e-9*size {
			return
		}
		for i, a := range rows {
			s := max(dot(a, rest), -u[i])
			u[i] += s
			floats.AddScaled(rest, -s, a)
		}
	}
	t.Fatalf("%v: %v is not the projection of %v: x - z is %v off the normal cone", p, z, x, rest)
}

// poolAdjacentViolators returns the isotonic regression of x (Ayer et al. 1955).
func poolAdjacentViolators(x []float64) []float64 {
	type block struct {
		sum float64
		n   int
	}
	var blocks []block
	for _, v := range x {
		blocks = append(blocks, block{v, 1})
		for len(blocks) > 1 {
			a, b := blocks[len(blocks)-2], blocks[len(blocks)-1]
			if a.sum/float64(a.n) <= b.sum/float64(b.n) {
				break
			}
			blocks = append(blocks[:len(blocks)-2], block{a.sum + b.sum, a.n + b.n})
		}
	}
	var z []float64
	for _, b := range blocks {
		for range b.n {
			z = append(z, b.sum/float64(b.n))
		}
	}
	return z
}

// projectSimplex returns the projection of x onto { z >= 0, sum z <= 1 }, computed by sorting (Held, Wolfe and Crowder
// 1974).
func projectSimplex(x []float64) []float64 {
	z := make([]float64, len(x))
	var sum float64
	for j, v := range x {
		z[j] = max(v, 0)
		sum += z[j]
	}
	if sum <= 1 {
		return z
	}
	s := slices.Clone(x)
	slices.Sort(s)
	slices.Reverse(s)
	var head, theta float64
	for n, v := range s {
		head += v
		if t := (head - 1) / float64(n+1); v > t {
			theta = t
		}
	}
	for j, v := range x {
		z[j] = max(v-theta, 0)
	}
	return z
}

// chebyshevLP uses gonum's simplex method to find the largest r <= 1,000 such that some x satisfies a_k'x + r ||a_k||
// <= b_k for all k. chebyshevLP is suitable only for data of moderate scale, as in these tests.
func chebyshevLP(t *testing.T, a *mat.Dense, b []float64) float64 {
	t.Helper()
	m, d := a.Dims()
	const top = 1e3
	// The unknowns are x+ (d numbers), x- (d numbers), top - r, and m slacks. All unknowns are nonnegative.
	n := 2*d + 1 + m
	eq, rhs, c := mat.NewDense(m, n, nil), make([]float64, m), make([]float64, n)
	c[2*d] = 1
	for k := range m {
		norm := mat.Norm(a.RowView(k), 2)
		for j := range d {
			eq.Set(k, j, a.At(k, j)/norm)
			eq.Set(k, d+j, -a.At(k, j)/norm)
		}
		eq.Set(k, 2*d, -1)
		eq.Set(k, 2*d+1+k, 1)
		rhs[k] = b[k]/norm - top
	}
	value, _, err := lp.Simplex(c, eq, rhs, 1e-10, nil)
	if err != nil {
		t.Fatalf("lp.Simplex: %v", err)
	}
	return top - value
}

func near(a, b []float64, tol float64) bool {
	for j := range a {
		if !(math.Abs(a[j]-b[j]) <= tol) {
			return false
		}
	}
	return len(a) == len(b)
}

func normals(rnd *rand.Rand, d int, scale float64) []float64 {
	x := make([]float64, d)
	for j := range x {
		x[j] = scale * rnd.NormFloat64()
	}
	return x
}

func distanceBetween(x, y []float64) float64 {
	var ss float64
	for j := range x {
		ss += (x[j] - y[j]) * (x[j] - y[j])
	}
	return math.Sqrt(ss)
}
