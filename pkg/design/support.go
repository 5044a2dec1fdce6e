package design

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// thinLimit bounds the number of operations of thin.
const thinLimit = 2e9

// thin changes the weights w to at most m(m+1)/2 positive ones with the same
// information matrix and a sum that is not larger; divided by their sum they are
// a design that is at least as good, for every criterion. By Caratheodory's
// theorem that is possible. The method is that of the simplex algorithm: points
// enter one by one; with the matrices x x' of a basis, the matrix of a new point
// is a linear combination of them, along which weight is moved until one is
// zero. O(s m^4) for s points; it returns false where that is too much or there
// is nothing to do.
func (s *saddle) thin(w []float64) bool {
	m := s.m
	d := m * (m + 1) / 2
	var on []int
	for i, u := range w {
		if u > 0 {
			on = append(on, i)
		}
	}
	if len(on) <= d || 2*float64(len(on))*float64(d)*float64(d) > thinLimit {
		return false
	}
	// Whitened points: the sum of all w x x' is the identity, whatever the units.
	x, wa := make([]float64, len(on)*m), make([]float64, len(on))
	for b, i := range on {
		copy(x[b*m:][:m], s.x[i*m:][:m])
		wa[b] = w[i]
	}
	a, white := make([]float64, m*m), make([]float64, m*m)
	s.information(a, x, wa)
	if !inverseFactor(white, a, m) {
		return false
	}
	size := make([]float64, len(on)) // squared length of a whitened point
	z := make([]float64, m)
	for b := range on {
		row := x[b*m:][:m]
		for r := range m {
			z[r] = floats.Dot(white[r*m:][:r+1], row[:r+1])
		}
		copy(row, z)
		size[b] = floats.Dot(z, z)
		wa[b] *= size[b]
	}
	order := make([]int, 0, len(on))
	for b := range on {
		if size[b] > 0 { // a zero point measures nothing
			order = append(order, b)
		}
	}
	// Points of much weight first, for they are likely to stay.
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(wa[b], wa[a]), a-b) })

	inverse := make([]float64, d*d)
	basis := make([]int, d) // point in each row of the basis, -1 for none yet
	weight := make([]float64, d)
	for r := range d {
		inverse[r*d+r], basis[r] = 1, -1
	}
	phi, alpha := make([]float64, d), make([]float64, d)
	for _, b := range order {
		// The matrix x x' of trace 1 as a vector with the same inner products.
		for r, c := 0, 0; r < m; r++ {
			v := x[b*m+r] / size[b]
			phi[c] = v * x[b*m+r]
			c++
			for t := r + 1; t < m; t++ {
				phi[c] = math.Sqrt2 * v * x[b*m+t]
				c++
			}
		}
		leave, largest := -1, 1e-9
		cost := -1 / size[b] // of the sum of weights, per weight moved to the basis
		for r := range d {
			alpha[r] = floats.Dot(inverse[r*d:][:d], phi)
			if basis[r] < 0 {
				if v := math.Abs(alpha[r]); v > largest {
					leave, largest = r, v
				}
				continue
			}
			cost += alpha[r] / size[basis[r]]
		}
		move := 0. // weight that goes from b to the basis
		if leave < 0 {
			toward := 1.
			if cost > 0 {
				toward = -1
			}
			most := math.Inf(1)
			if toward > 0 {
				most = wa[b]
			}
			for r, v := range alpha {
				if v *= toward; basis[r] >= 0 && v < -1e-12 && weight[r]/-v < most {
					most, leave = weight[r]/-v, r
				}
			}
			if math.IsInf(most, 1) {
				// Only rounding can say that more weight helps without end.
				return false
			}
			move = toward * most
			for r := range weight {
				if basis[r] >= 0 {
					weight[r] = max(0, weight[r]+move*alpha[r])
				}
			}
		}
		if leave < 0 {
			continue // all weight of b went to the basis
		}
		basis[leave], weight[leave] = b, wa[b]-move
		pivot := inverse[leave*d:][:d]
		floats.Scale(1/alpha[leave], pivot)
		for r := range d {
			if r != leave && alpha[r] != 0 {
				floats.AddScaled(inverse[r*d:][:d], -alpha[r], pivot)
			}
		}
	}
	clear(w)
	for r, b := range basis {
		if b >= 0 {
			w[on[b]] = weight[r] / size[b]
		}
	}
	floats.Scale(1/floats.Sum(w), w)
	return true
}
