package complexity

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/question/alternative"
)

// Constants of the cutting-plane method.
const (
	tStarTol   = 1e-6 // default relative width of the bracket
	tStarMost  = 2000 // most best responses
	tStarFloor = 1e-9 // least weight: at 0, cuts are infinitely steep
)

// A cutting is the method of cutting planes (Kelley, 1960) for the weights that
// maximise F, the concave function of a BestResponse: each alternative is linear
// in w, the program for those found so far bounds F from above, and the next w
// is halfway between its solution and the best so far, which damps the
// oscillation that the method is known for. An iteration costs one best
// response and one matrix game of K rows.
type cutting struct {
	r      *alternative.BestResponse
	m      *master
	unit   float64   // F at the first weights, to which payoffs are relative
	low    float64   // F at best
	high   float64   // bound on F
	best   []float64 // best weights
	w      []float64 // next weights
	rounds int       // best responses
}

// newCutting starts at equal weights, where it computes no more than unit.
func newCutting(r *alternative.BestResponse, k int) *cutting {
	c := &cutting{r: r, m: newMaster(k), high: math.Inf(1), best: make([]float64, k), w: make([]float64, k)}
	for i := range c.w {
		c.w[i] = 1 / float64(k)
		c.best[i] = c.w[i]
	}
	c.unit = r.Cost(nil, c.w)
	return c
}

// after returns the method for a function that is nowhere larger, for which all
// cuts are still valid.
func (c *cutting) after() *cutting {
	return &cutting{r: c.r, m: c.m.clone(), unit: c.unit, high: c.high, best: slices.Clone(c.best), w: slices.Clone(c.best)}
}

// run runs until the bracket of F has relative width tol, or its upper end is at
// most enough, or tStarMost best responses are computed. A function that is 0
// somewhere is 0 everywhere, as all weights are positive.
func (c *cutting) run(tol, enough float64) {
	grad := make([]float64, len(c.w))
	for range tStarMost {
		f := c.r.Cost(grad, c.w)
		c.rounds++
		if f <= 0 {
			c.low, c.high = 0, 0
			return
		}
		if f > c.low {
			c.low = f
			copy(c.best, c.w)
		}
		x, bound := c.m.add(grad, c.unit)
		c.high = min(c.high, bound*c.unit)
		if c.high <= c.low*(1+tol) || c.high <= enough {
			return
		}
		sum := 0.
		for i := range c.w {
			c.w[i] = max((x[i]+c.best[i])/2, tStarFloor)
			sum += c.w[i]
		}
		floats.Scale(1/sum, c.w)
	}
}

// A master is the program of the cutting-plane method,
//
//	max over weights x of min over cuts j of x.a_j,
//
// solved by the revised simplex method in its dual form, max sum v_j subject to
// sum of v_j a_ij <= 1 for each arm i: the value is 1/sum v, the mixture of cuts
// is proportional to v, and x to the prices. A new cut is a new column, so that
// the last basis remains feasible. (design.Game solves the same game, from
// scratch and after a shift of the payoffs, which are not negative here; the
// shift costs the relative accuracy of the small ones.)
type master struct {
	k     int
	cuts  [][]float64
	basic []int     // k: cuts, or ^i for the slack of arm i
	v     []float64 // k: their values
	right []float64 // k: right-hand sides, 1 but for a perturbation
	inv   []float64 // k x k: inverse of the basis
	price []float64 // k
	col   []float64 // k: the entering column, in terms of the basis
	x     []float64 // k
	since int       // pivots since the inverse was computed
}

// clone returns a copy that shares the cuts so far, which never change.
func (m *master) clone() *master {
	return &master{
		k: m.k, cuts: slices.Clip(m.cuts), basic: slices.Clone(m.basic), v: slices.Clone(m.v), right: m.right, inv: slices.Clone(m.inv),
		price: slices.Clone(m.price), col: slices.Clone(m.col), x: slices.Clone(m.x), since: m.since,
	}
}

func newMaster(k int) *master {
	m := &master{k: k, right: make([]float64, k), basic: make([]int, k), v: make([]float64, k), inv: make([]float64, k*k), price: make([]float64, k), col: make([]float64, k), x: make([]float64, k)}
	for i := range k {
		// Ties among the constraints would make the method cycle; such a
		// perturbation breaks them (Charnes, 1952).
		m.right[i] = 1 + 1e-9*float64(i+1)/float64(k)
		m.basic[i], m.v[i], m.inv[i*k+i] = ^i, m.right[i], 1
	}
	return m
}

// add adds the cut grad/unit and returns the best weights and an upper bound
// on the value, which holds whatever rounding did to the mixture of cuts.
func (m *master) add(grad []float64, unit float64) (x []float64, bound float64) {
	a := make([]float64, m.k)
	floats.AddScaled(a, 1/unit, grad)
	m.cuts = append(m.cuts, a)
	for range 100 + 10*m.k {
		if m.since >= 30 {
			m.factorize()
		}
		if !m.pivot() {
			break
		}
	}
	sum := 0.
	for i, v := range m.price {
		m.x[i] = max(0, v)
		sum += m.x[i]
	}
	floats.Scale(1/sum, m.x)
	load, all := m.col, 0.
	clear(load)
	for r, j := range m.basic {
		if j >= 0 {
			floats.AddScaled(load, m.v[r], m.cuts[j])
			all += m.v[r]
		}
	}
	return m.x, floats.Max(load) / all
}

// pivot lets the column with the largest gain enter the basis. It reports
// false if there is none, up to rounding.
func (m *master) pivot() bool {
	k := m.k
	clear(m.price)
	for r, j := range m.basic {
		if j >= 0 {
			floats.Add(m.price, m.inv[r*k:][:k])
		}
	}
	enter, found, most := 0, false, 0.
	for j, a := range m.cuts {
		g, size := 1., 1.
		for i, v := range a {
			v *= m.price[i]
			g -= v
			size += math.Abs(v)
		}
		// What is left after cancellation is no gain.
		if g > most && g > 1e-13*size {
			enter, found, most = j, true, g
		}
	}
	if !found {
		most = 1e-13 * floats.Norm(m.price, math.Inf(1))
		for i, v := range m.price {
			if -v > most {
				enter, found, most = ^i, true, -v
			}
		}
	}
	if !found {
		return false
	}
	for r := range k {
		row := m.inv[r*k:][:k]
		if enter < 0 {
			m.col[r] = row[^enter]
		} else {
			m.col[r] = floats.Dot(row, m.cuts[enter])
		}
	}
	tiny := 1e-12 * floats.Norm(m.col, math.Inf(1))
	leave, step := -1, math.Inf(1)
	for r, a := range m.col {
		if a > tiny && m.v[r] < step*a {
			leave, step = r, m.v[r]/a
		}
	}
	if leave < 0 {
		return false
	}
	for r, a := range m.col {
		m.v[r] = max(0, m.v[r]-step*a)
	}
	m.v[leave], m.basic[leave] = step, enter
	pivot := m.inv[leave*k:][:k]
	floats.Scale(1/m.col[leave], pivot)
	for r, a := range m.col {
		if r != leave && a != 0 {
			floats.AddScaled(m.inv[r*k:][:k], -a, pivot)
		}
	}
	m.since++
	return true
}

// factorize computes the inverse and the values anew, unless the basis is
// singular up to rounding, for which it was too good to be dropped.
func (m *master) factorize() {
	k := m.k
	m.since = 0
	b := mat.NewDense(k, k, nil)
	for c, j := range m.basic {
		if j < 0 {
			b.Set(^j, c, 1)
			continue
		}
		b.SetCol(c, m.cuts[j])
	}
	scale := make([]float64, k) // of the rows, which differ by orders of magnitude
	for i := range k {
		scale[i] = 1 / floats.Norm(b.RawRowView(i), math.Inf(1))
		floats.Scale(scale[i], b.RawRowView(i))
	}
	var lu mat.LU
	var inv mat.Dense
	lu.Factorize(b)
	if err := lu.SolveTo(&inv, false, mat.NewDiagDense(k, scale)); err != nil && math.IsInf(lu.Cond(), 1) {
		return
	}
	for r := range k {
		copy(m.inv[r*k:][:k], inv.RawRowView(r))
		m.v[r] = max(0, floats.Dot(inv.RawRowView(r), m.right))
	}
}
