package design

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Constants of the simplex method, for columns of size near 1.
const (
	pivotLeast   = 1e-9  // smallest pivot
	priceLeast   = 1e-11 // smallest gain per unit for which a column enters
	refactorize  = 50    // pivots until the inverse is computed anew
	stalledLimit = 20    // steps of length 0 until Bland's rule takes over
)

// A tableau is a basis of the revised simplex method for the constraints
// A x = b, x >= 0, of m rows. Who uses it prices columns, and lets one enter
// after the other.
type tableau struct {
	m       int
	b       []float64 // m: right-hand side
	column  func(dst []float64, id int)
	basic   []int     // m: columns in the basis
	x       []float64 // m: their values
	inverse []float64 // m x m, of the basis
	alpha   []float64 // m: the entering column in terms of the basis
	col     []float64
	since   int // pivots since the inverse was computed
	stalled int // steps of length 0 in sequence
	pivots  int
}

// newTableau returns a tableau of a basis whose matrix is diagonal, with the
// elements d = 1 or -1 so that x = d b >= 0.
func newTableau(b []float64, basic []int, d []float64, column func(dst []float64, id int)) *tableau {
	m := len(b)
	t := &tableau{m: m, b: b, column: column, basic: basic, x: make([]float64, m), inverse: make([]float64, m*m), alpha: make([]float64, m), col: make([]float64, m)}
	for r := range m {
		t.x[r], t.inverse[r*m+r] = d[r]*b[r], d[r]
	}
	return t
}

// bland reports whether columns must enter by their number, which rules out that
// bases recur (Bland, 1977).
func (t *tableau) bland() bool { return t.stalled >= stalledLimit }

// enter lets column id enter. It reports false if none can leave.
func (t *tableau) enter(id int) bool {
	m := t.m
	t.column(t.col, id)
	for r := range m {
		t.alpha[r] = floats.Dot(t.inverse[r*m:][:m], t.col)
	}
	leave, step := -1, math.Inf(1)
	for r, a := range t.alpha {
		if a <= pivotLeast {
			continue
		}
		ratio := t.x[r] / a
		switch {
		case leave < 0 || ratio < step-1e-13*(1+step):
		case ratio > step+1e-13*(1+step):
			continue
		// Among equals the largest pivot is the most accurate.
		case t.bland() && t.basic[r] > t.basic[leave], !t.bland() && a <= t.alpha[leave]:
			continue
		}
		leave, step = r, min(step, ratio)
	}
	if leave < 0 {
		return false
	}
	if step > 1e-13 {
		t.stalled = 0
	} else {
		t.stalled++
	}
	for r, a := range t.alpha {
		t.x[r] = max(0, t.x[r]-step*a)
	}
	t.x[leave], t.basic[leave] = step, id
	t.pivots++
	if t.since++; t.since >= refactorize {
		return t.factorize()
	}
	pivot := t.inverse[leave*m:][:m]
	floats.Scale(1/t.alpha[leave], pivot)
	for r, a := range t.alpha {
		if r != leave && a != 0 {
			floats.AddScaled(t.inverse[r*m:][:m], -a, pivot)
		}
	}
	return true
}

// factorize computes the inverse and the values of the basis anew, and reports
// false if the basis is singular.
func (t *tableau) factorize() bool {
	t.since = 0
	if t.m == 0 {
		return true
	}
	a := mat.NewDense(t.m, t.m, nil)
	for c, id := range t.basic {
		t.column(t.col, id)
		a.SetCol(c, t.col)
	}
	var lu mat.LU
	lu.Factorize(a)
	inverse := mat.NewDense(t.m, t.m, t.inverse)
	eye := mat.NewDiagDense(t.m, nil)
	for r := range t.m {
		eye.SetDiag(r, 1)
	}
	if err := lu.SolveTo(inverse, false, eye); err != nil && math.IsInf(lu.Cond(), 1) {
		return false
	}
	for r := range t.m {
		t.x[r] = max(0, floats.Dot(t.inverse[r*t.m:][:t.m], t.b))
	}
	return true
}

// prices sets y to the dual solution, c the costs of the basis: y'B = c'.
func (t *tableau) prices(y []float64, cost func(id int) float64) {
	clear(y)
	for r, id := range t.basic {
		if c := cost(id); c != 0 {
			floats.AddScaled(y, c, t.inverse[r*t.m:][:t.m])
		}
	}
}

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
	t := newTableau(one, basic, one, func(dst []float64, id int) {
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
	for t.pivots < 1000+50*(n+r) {
		t.prices(x, cost)
		enter, gain := -1, priceLeast
		for j := 0; j < n && (enter < 0 || !t.bland()); j++ {
			if g := 1 - floats.Dot(x, bt[j*r:][:r]); g > gain {
				enter, gain = j, g
			}
		}
		for i := 0; i < r && (enter < 0 || !t.bland()); i++ { // slacks
			if g := -x[i]; g > gain {
				enter, gain = n+i, g
			}
		}
		if enter < 0 || !t.enter(enter) {
			break
		}
	}
	if t.since > 0 && t.factorize() {
		t.prices(x, cost)
	}
	row, col = x, make([]float64, n)
	for c, id := range t.basic {
		if id < n {
			col[id] = t.x[c]
		}
	}
	for i, v := range row {
		row[i] = max(0, v)
	}
	floats.Scale(1/floats.Sum(row), row)
	floats.Scale(1/floats.Sum(col), col)
	return row, col
}
