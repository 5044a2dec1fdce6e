package design

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// thinLimit limits the number of operations in thin.
const thinLimit = 2e9

// thin replaces w by a design with at most m(m+1)/2 positive weights. The information matrix of the
// new design is that of w, multiplied by a factor of at least 1. The new design is therefore at
// least as good for every criterion. The new design exists by Caratheodory's theorem. As in the
// simplex algorithm, points enter a basis one by one. The matrix x x' of a new point is a linear
// combination of the matrices of the points in the basis. thin moves weight along this combination
// until one weight is zero. For s points, thin costs O(s m^4). thin returns false if the cost is
// too high or there is nothing to do.
func (s *saddle) thin(w []float64) bool {
	var on []int
	for i, u := range w {
		if u > 0 {
			on = append(on, i)
		}
	}
	d := s.m * (s.m + 1) / 2
	if len(on) <= d || 2*float64(len(on))*float64(d)*float64(d) > thinLimit {
		return false
	}
	t := newThinner(s.m, len(on))
	if !t.whiten(s, w, on) {
		return false
	}
	for _, b := range t.order() {
		leave, cost := t.express(b)
		move := 0. // weight moved from point b to the basis
		if leave < 0 {
			var ok bool
			if leave, move, ok = t.shift(b, cost); !ok {
				return false
			}
		}
		if leave < 0 {
			continue // the whole weight of point b was moved to the basis
		}
		t.enter(b, leave, move)
	}
	clear(w)
	for r, b := range t.basis {
		if b >= 0 {
			w[on[b]] = t.weight[r] / t.size[b]
		}
	}
	floats.Scale(1/floats.Sum(w), w)
	return true
}

// A thinner is the state of thin. Its points are the points with positive weight, numbered from 0.
// The matrices x x' of points, scaled to trace 1, are treated as vectors of d = m(m+1)/2 numbers.
type thinner struct {
	m, d int
	x    []float64 // whitened points, one after the other
	size []float64 // squared length of each point
	w    []float64 // weight of the scaled matrix of each point

	basis   []int     // point in each row of the basis, or -1
	weight  []float64 // weight of the point in each row of the basis
	inverse []float64 // d x d: inverse of the matrix with the vectors of the basis as columns
	phi     []float64 // vector of the current point
	alpha   []float64 // phi as a combination of the basis
}

func newThinner(m, points int) *thinner {
	d := m * (m + 1) / 2
	t := &thinner{
		m: m, d: d,
		x: make([]float64, points*m), size: make([]float64, points), w: make([]float64, points),
		basis: make([]int, d), weight: make([]float64, d), inverse: make([]float64, d*d),
		phi: make([]float64, d), alpha: make([]float64, d),
	}
	for r := range d {
		t.inverse[r*d+r], t.basis[r] = 1, -1
	}
	return t
}

// whiten loads the points whose indices are in the slice on. In the coordinates of the loaded
// points, the weighted sum of all x x' is the identity. whiten returns false if the sum of the
// original x x' is singular.
func (t *thinner) whiten(s *saddle, w []float64, on []int) bool {
	m := t.m
	for b, i := range on {
		copy(t.x[b*m:][:m], s.x[i*m:][:m])
		t.w[b] = w[i]
	}
	a, white := make([]float64, m*m), make([]float64, m*m)
	s.information(a, t.x, t.w)
	if !inverseFactor(white, a, m) {
		return false
	}
	z := make([]float64, m)
	for b := range on {
		row := t.x[b*m:][:m]
		for r := range m {
			z[r] = floats.Dot(white[r*m:][:r+1], row[:r+1])
		}
		copy(row, z)
		t.size[b] = floats.Dot(z, z)
		t.w[b] *= t.size[b]
	}
	return true
}

// order returns the points in the order in which they enter the basis. Points with large weights
// come first, because these points are likely to stay. order omits points that are zero.
func (t *thinner) order() []int {
	order := make([]int, 0, len(t.size))
	for b, size := range t.size {
		if size > 0 {
			order = append(order, b)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(t.w[b], t.w[a]), a-b) })
	return order
}

// express stores in alpha the coefficients of the matrix of point b as a combination of the basis.
// The result leave is the free row of the basis with the largest absolute coefficient, which b can
// enter. If the coefficients of all free rows are zero, leave is -1. If leave is -1, cost is the
// increase of the sum of weights per unit of weight moved from b to the basis.
func (t *thinner) express(b int) (leave int, cost float64) {
	m, d := t.m, t.d
	for r, c := 0, 0; r < m; r++ { // upper triangle of the matrix, scaled to preserve inner products
		v := t.x[b*m+r] / t.size[b]
		t.phi[c] = v * t.x[b*m+r]
		c++
		for q := r + 1; q < m; q++ {
			t.phi[c] = math.Sqrt2 * v * t.x[b*m+q]
			c++
		}
	}
	leave, largest := -1, 1e-9
	cost = -1 / t.size[b]
	for r := range d {
		t.alpha[r] = floats.Dot(t.inverse[r*d:][:d], t.phi)
		if t.basis[r] < 0 {
			if v := math.Abs(t.alpha[r]); v > largest {
				leave, largest = r, v
			}
			continue
		}
		cost += t.alpha[r] / t.size[t.basis[r]]
	}
	return leave, cost
}

// shift moves weight between point b and the basis until a weight is zero, in the direction that
// does not increase the sum of weights. The result leave is the basis row whose weight is zero, or
// -1 if the weight of b is zero. The result move is the weight moved from b to the basis. shift
// returns false if the sum of weights decreases without bound, which only rounding errors can
// cause.
func (t *thinner) shift(b int, cost float64) (leave int, move float64, ok bool) {
	toward, most := 1., t.w[b]
	if cost > 0 {
		toward, most = -1, math.Inf(1)
	}
	leave = -1
	for r, v := range t.alpha {
		if v *= toward; t.basis[r] >= 0 && v < -1e-12 && t.weight[r]/-v < most {
			most, leave = t.weight[r]/-v, r
		}
	}
	if math.IsInf(most, 1) {
		return -1, 0, false
	}
	move = toward * most
	for r := range t.weight {
		if t.basis[r] >= 0 {
			t.weight[r] = max(0, t.weight[r]+move*t.alpha[r])
		}
	}
	return leave, move, true
}

// enter puts point b into a row of the basis. The argument move is the weight that has been moved
// from b to the points of the basis.
func (t *thinner) enter(b, row int, move float64) {
	d := t.d
	t.basis[row], t.weight[row] = b, t.w[b]-move
	pivot := t.inverse[row*d:][:d]
	floats.Scale(1/t.alpha[row], pivot)
	for r := range d {
		if r != row && t.alpha[r] != 0 {
			floats.AddScaled(t.inverse[r*d:][:d], -t.alpha[r], pivot)
		}
	}
}
