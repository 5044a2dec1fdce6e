// Package simplex solves linear programs by the revised simplex method. Each iteration is one pass
// of the following loop:
//
//	t := simplex.New(b, columns, d, column)
//	for {
//		t.Prices(y, cost)
//		id, improves := dearest(y) // a function of the caller
//		if !improves || !t.Enter(id) {
//			break
//		}
//	}
//
// The caller computes the gains of all columns, in a way that suits its problem, and chooses the
// column that enters the basis. The method supports programs with too many columns for a matrix,
// and programs to which columns are added between solutions. To solve a program only once, use
// gonum's optimize/convex/lp.
package simplex

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	pivotLeast   = 1e-9  // smallest pivot, for columns of size near 1
	stalledLimit = 20    // number of steps of length 0 after which Bland's rule applies
	ratioTie     = 1e-13 // two ratios that differ by less than ratioTie are equal up to rounding
	perturbed    = 1e-12 // smallest pivot of a Perturbed basis, relative to the largest element in the pivot's column
)

// A Basis is a feasible basis of the constraints A x = b, x >= 0, with m rows. An iteration
// consists of Refresh, Prices, the caller's choice of a column, and Enter.
type Basis struct {
	// Columns contains the indices of the m columns in the basis, and X contains the values of the
	// corresponding variables. Do not modify Columns or X.
	Columns []int
	X       []float64
	// Pivots is the number of columns that have entered the basis so far.
	Pivots int
	// If Perturbed is true, the caller has perturbed b so that ratios never tie (Charnes, 1952). In
	// this case, the elements of a column may also differ by orders of magnitude. The row with the
	// smallest ratio leaves, and a pivot is accepted by comparison with the elements of its column.
	// If Perturbed is false, columns must have sizes near 1; among rows with tied ratios, the row
	// with the largest pivot leaves (see Bland).
	Perturbed bool

	b       []float64
	column  func(dst []float64, id int)
	inverse []float64 // m x m: inverse of the basis
	alpha   []float64 // m: the column that enters, as a combination of the basis
	col     []float64 // m: a column of A
	since   int       // number of pivots since the inverse was computed
	stalled int       // number of consecutive steps of length 0
}

// New returns a basis whose matrix is diagonal, with elements d that are 1 or -1 such that x = d b
// >= 0. New keeps references to the slices b and columns, of length m; b must not change. The
// function column must store column id of A in dst, of length m.
func New(b []float64, columns []int, d []float64, column func(dst []float64, id int)) *Basis {
	m := len(b)
	t := &Basis{
		Columns: columns, X: make([]float64, m),
		b: b, column: column, inverse: make([]float64, m*m),
		alpha: make([]float64, m), col: make([]float64, m),
	}
	for r := range m {
		t.X[r], t.inverse[r*m+r] = d[r]*b[r], d[r]
	}
	return t
}

// Clone returns a copy of the basis that gets its columns from the given function.
func (t *Basis) Clone(column func(dst []float64, id int)) *Basis {
	c := *t
	c.column = column
	c.Columns, c.X, c.inverse = slices.Clone(t.Columns), slices.Clone(t.X), slices.Clone(t.inverse)
	c.alpha, c.col = slices.Clone(t.alpha), slices.Clone(t.col)
	return &c
}

// Bland reports whether the caller must enter the first column with a gain, instead of the column
// with the largest gain. Bland's rule prevents cycles (Bland, 1977).
func (t *Basis) Bland() bool { return t.stalled >= stalledLimit }

// Prices sets y, of length m, to the dual solution: y'B = c' for the costs c of the columns in the
// basis.
func (t *Basis) Prices(y []float64, cost func(id int) float64) {
	clear(y)
	for r, id := range t.Columns {
		if c := cost(id); c != 0 {
			floats.AddScaled(y, c, t.row(r))
		}
	}
}

// Enter adds column id to the basis, from which another column leaves. Enter returns false if no
// column can leave: the program is unbounded, or rounding makes it appear unbounded. Enter costs
// O(m^2).
func (t *Basis) Enter(id int) bool {
	t.column(t.col, id)
	for r := range t.alpha {
		t.alpha[r] = floats.Dot(t.row(r), t.col)
	}
	leave, step := t.leaving()
	if leave < 0 {
		return false
	}
	if step > ratioTie {
		t.stalled = 0
	} else {
		t.stalled++
	}
	for r, a := range t.alpha {
		t.X[r] = max(0, t.X[r]-step*a)
	}
	t.X[leave], t.Columns[leave] = step, id
	pivot := t.row(leave)
	floats.Scale(1/t.alpha[leave], pivot)
	for r, a := range t.alpha {
		if r != leave && a != 0 {
			floats.AddScaled(t.row(r), -a, pivot)
		}
	}
	t.Pivots++
	t.since++
	return true
}

// leaving returns the row whose variable first becomes 0 as the entering variable grows, and the
// value of the entering variable. leaving returns -1 if no variable becomes 0.
func (t *Basis) leaving() (leave int, step float64) {
	leave, step = -1, math.Inf(1)
	if t.Perturbed {
		tiny := perturbed * floats.Norm(t.alpha, math.Inf(1))
		for r, a := range t.alpha {
			if a > tiny && t.X[r] < step*a {
				leave, step = r, t.X[r]/a
			}
		}
		return leave, step
	}
	for r, a := range t.alpha {
		if a <= pivotLeast {
			continue
		}
		ratio, tie := t.X[r]/a, ratioTie*(1+step)
		switch {
		case leave < 0 || ratio < step-tie:
		case ratio > step+tie:
			continue
		// If ratios are equal, the row with the largest pivot is numerically the most accurate
		// choice.
		case t.Bland() && t.Columns[r] > t.Columns[leave], !t.Bland() && a <= t.alpha[leave]:
			continue
		}
		leave, step = r, min(step, ratio)
	}
	return leave, step
}

// Refresh recomputes the inverse and the values if at least the given number of pivots were made
// since the last recomputation. Regular calls of Refresh keep rounding errors from accumulating. If
// the basis is singular, Refresh returns false, and does not change the inverse or the values.
// Refresh costs O(m^3).
func (t *Basis) Refresh(pivots int) bool {
	if t.since < pivots {
		return true
	}
	t.since = 0
	m := len(t.b)
	if m == 0 {
		return true
	}
	a, scale := mat.NewDense(m, m, nil), make([]float64, m)
	for c, id := range t.Columns {
		t.column(t.col, id)
		a.SetCol(c, t.col)
	}
	for r := range scale {
		scale[r] = 1
		if t.Perturbed { // the rows of a Perturbed basis may differ by orders of magnitude
			scale[r] = 1 / floats.Norm(a.RawRowView(r), math.Inf(1))
			floats.Scale(scale[r], a.RawRowView(r))
		}
	}
	var lu mat.LU
	var inverse mat.Dense
	lu.Factorize(a)
	err := lu.SolveTo(&inverse, false, mat.NewDiagDense(m, scale))
	if err != nil && math.IsInf(lu.Cond(), 1) {
		return false
	}
	for r := range m {
		copy(t.row(r), inverse.RawRowView(r))
		t.X[r] = max(0, floats.Dot(t.row(r), t.b))
	}
	return true
}

func (t *Basis) row(r int) []float64 { return t.inverse[r*len(t.b):][:len(t.b)] }
