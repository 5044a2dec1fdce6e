package design

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/internal/simplex"
)

// Constants of the simplex method, for columns of size near 1.
const (
	priceLeast  = 1e-11 // smallest gain per unit for which a column enters
	refactorize = 50    // pivots until the inverse is computed anew
)

const panicPayoff = "design: a payoff is not a finite number"

// Game solves the zero-sum game of the matrix a: the row player chooses row i
// and receives a_ij from the column player, who chooses column j. Row is a
// mixture of rows that maximises the least payoff over columns, col a mixture of
// columns that minimises the largest payoff over rows, and value is what row
// guarantees; col shows that no mixture guarantees more, up to rounding (von
// Neumann, 1928).
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

// game solves max sum y subject to B y <= 1, y >= 0, with payoffs B between 1
// and 2. The mixtures are proportional to y and to the dual solution.
func game(a *mat.Dense, least, most float64) (row, col []float64) {
	r, n := a.Dims()
	scale := max(most/2-least/2, math.SmallestNonzeroFloat64) // half of it, lest it overflow
	bt := make([]float64, n*r)                                // columns of B
	for i := range r {
		for j, v := range a.RawRowView(i) {
			bt[j*r+i] = 1 + (v/2-least/2)/scale
		}
	}
	one, basic := make([]float64, r), make([]int, r)
	for i := range r {
		one[i], basic[i] = 1, n+i
	}
	t := simplex.New(one, basic, one, func(dst []float64, id int) {
		if id < n {
			copy(dst, bt[id*r:][:r])
			return
		}
		clear(dst)
		dst[id-n] = 1
	})
	cost := func(id int) float64 {
		if id < n {
			return 1
		}
		return 0
	}
	x := make([]float64, r)
	// Bland's rule ends after finitely many pivots; the limit is for rounding.
	for t.Pivots < 1000+50*(n+r) && t.Refresh(refactorize) {
		t.Prices(x, cost)
		enter, gain := -1, priceLeast
		for j := 0; j < n && (enter < 0 || !t.Bland()); j++ {
			if g := 1 - floats.Dot(x, bt[j*r:][:r]); g > gain {
				enter, gain = j, g
			}
		}
		for i := 0; i < r && (enter < 0 || !t.Bland()); i++ { // slacks
			if g := -x[i]; g > gain {
				enter, gain = n+i, g
			}
		}
		if enter < 0 || !t.Enter(enter) {
			break
		}
	}
	if t.Refresh(1) {
		t.Prices(x, cost)
	}
	row, col = x, make([]float64, n)
	for c, id := range t.Columns {
		if id < n {
			col[id] = t.X[c]
		}
	}
	for i, v := range row {
		row[i] = max(0, v)
	}
	floats.Scale(1/floats.Sum(row), row)
	floats.Scale(1/floats.Sum(col), col)
	return row, col
}
