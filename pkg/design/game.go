package design

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/internal/simplex"
)

// Constants of the simplex method.
const (
	priceLeast  = 1e-11 // smallest gain, of a column that costs 1, for which it enters
	refactorize = 50    // pivots until the inverse is computed anew
	rounding    = 1e-13 // of what was added up, what may be rounding
)

const panicPayoff = "design: a payoff is not a finite number"

// Game solves the zero-sum game of the matrix a: the row player chooses row i
// and receives a_ij from the column player, who chooses column j. Row is a
// mixture of rows that maximises the least payoff over columns, col a mixture of
// columns that minimises the largest payoff over rows, and value is what row
// guarantees; col shows that no mixture guarantees more, up to rounding (von
// Neumann, 1928).
//
// Payoffs may be as small as a billionth of their range: if none is negative and
// rows are at most as many as columns, mixtures are good to some digits of the
// value, otherwise to some digits of the range.
//
// It is the simplex method: O(r n) a pivot for r rows and n columns, and
// O(min(r, n)^2). Game panics if an element of a is not finite.
func Game(a *mat.Dense) (row, col []float64, value float64) {
	r, n := a.Dims()
	least, most := math.Inf(1), math.Inf(-1)
	for i := range r {
		for _, v := range a.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				panic(panicPayoff)
			}
			least, most = min(least, v), max(most, v)
		}
	}
	if r > n {
		// The basis has a row for each row of the matrix: exchange the players.
		t := mat.NewDense(n, r, nil)
		t.Copy(a.T())
		t.Scale(-1, t)
		col, row, _ = Game(t)
	} else {
		row, col = game(a, least, most)
	}
	payoff := mat.NewVecDense(n, nil)
	payoff.MulVec(a.T(), mat.NewVecDense(r, row))
	return row, col, mat.Min(payoff)
}

// cancelled returns the part of 1 - x'b that may be rounding.
func cancelled(x, b []float64) float64 {
	size := 1.
	for i, v := range x {
		size += math.Abs(v * b[i])
	}
	return rounding * size
}

// game solves max sum y subject to B y <= 1, y >= 0, with payoffs B between 0 and 1, as small as
// they are: adding to them what makes them positive would cost the small ones their digits. The
// mixtures are proportional to y and to the dual solution.
func game(a *mat.Dense, least, most float64) (row, col []float64) {
	r, n := a.Dims()
	scale := max(most/2-least/2, math.SmallestNonzeroFloat64) // half of it, lest it overflow
	bt := make([]float64, n*r)                                // columns of B
	for i := range r {
		for j, v := range a.RawRowView(i) {
			bt[j*r+i] = (v/2 - least/2) / scale
		}
	}
	row, col = make([]float64, r), make([]float64, n)
	for j := range n { // nothing is above the least payoff, and the program is unbounded
		if floats.Max(bt[j*r:][:r]) <= 0 {
			row[0], col[j] = 1, 1
			return row, col
		}
	}
	right, basic, one := make([]float64, r), make([]int, r), make([]float64, r)
	for i := range r {
		// Ties among the constraints would make the method cycle.
		right[i] = 1 + 1e-9*float64(i+1)/float64(r)
		one[i], basic[i] = 1, n+i
	}
	t := simplex.New(right, basic, one, func(dst []float64, id int) {
		if id < n {
			copy(dst, bt[id*r:][:r])
			return
		}
		clear(dst)
		dst[id-n] = 1
	})
	t.Perturbed = true
	cost := func(id int) float64 {
		if id < n {
			return 1
		}
		return 0
	}
	x := make([]float64, r)
	// No basis recurs; the limit is for rounding.
	for t.Pivots < 1000+50*(n+r) {
		t.Refresh(refactorize) // a basis that is singular up to rounding is too good to be dropped
		t.Prices(x, cost)
		enter, gain := -1, priceLeast
		for j := range n {
			b := bt[j*r:][:r]
			if g := 1 - floats.Dot(x, b); g > gain && g > cancelled(x, b) {
				enter, gain = j, g
			}
		}
		for i, v := range x { // slacks
			if enter < 0 && -v > rounding*floats.Norm(x, math.Inf(1)) {
				enter = n + i
			}
		}
		if enter < 0 || !t.Enter(enter) {
			break
		}
	}
	for i := range right {
		right[i] = 1
	}
	if t.Refresh(0) {
		t.Prices(x, cost)
	}
	for c, id := range t.Columns {
		if id < n {
			col[id] = t.X[c]
		}
	}
	for i, v := range x {
		row[i] = max(0, v)
	}
	floats.Scale(1/floats.Sum(row), row)
	floats.Scale(1/floats.Sum(col), col)
	return row, col
}
