package question

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// ErrParetoTie says that the Pareto set hangs on a tie.
var ErrParetoTie = errors.New("the Pareto set hangs on a tie")

// A TStar is the characteristic time of finding the exact Pareto set of arms
// without structure and with Gaussian rewards,
//
//	1/T* = max over weights w of min over alternatives lambda of
//	       sum over i of w_i/2 (mu_i - lambda_i)'Sigma^-1 (mu_i - lambda_i),
//
// where alternatives are means with another Pareto set (Garivier and Kaufmann,
// COLT 2016; Crepon, Garivier and Koolen, AISTATS 2024). No method that is right
// with probability 1 - delta on every instance has an expected number of pulls
// below T* kl(delta, 1 - delta) on this one.
type TStar struct {
	// Lower and Upper certify T*, up to rounding: Upper is what Weights need,
	// Lower what a mixture of alternatives makes necessary. Both are 0 if there
	// is only one arm.
	Lower, Upper float64
	// Weights are the proportions in which an oracle pulls the arms.
	Weights []float64
	// Hardest is the alternative that is cheapest at Weights, with nil Means if
	// there is only one arm. At the optimum others may cost as much.
	Hardest Alternative
	// Iterations is the number of best responses computed.
	Iterations int
}

// Constants of the cutting-plane method.
const (
	tStarTol   = 1e-6 // default relative width of the bracket
	tStarMost  = 2000 // most best responses
	tStarFloor = 1e-9 // least weight: at 0, cuts are infinitely steep
)

// NewTStar returns T* for the means mu, K x d in reward units, and the
// covariance cov of a reward, d x d in squared units; nil is the identity. (For
// independent objectives of standard deviation sigma, T* is sigma^2 times that.)
// Upper/Lower is at most 1 + tol; zero means 1e-6.
//
// It fails with ErrParetoTie if T* is infinite, because an arm can enter or
// leave the Pareto set at no cost; and together with the best bracket if the
// tolerance is out of reach of rounding. It panics with pareto.ErrNotFinite if a
// mean is not finite.
//
// The method is that of cutting planes (Kelley, 1960): each alternative is linear
// in w, the program for those found so far bounds 1/T* from above, and the next
// w is halfway between its solution and the best so far, which damps the
// oscillation that the method is known for. An iteration costs one best
// response and one matrix game of K rows.
func NewTStar(mu *mat.Dense, cov mat.Symmetric, tol float64) (*TStar, error) {
	k, d := mu.Dims()
	if tol == 0 {
		tol = tStarTol
	}
	if !(tol > 0) {
		return nil, fmt.Errorf("question: a tolerance of %v; want a relative width such as 1e-6", tol)
	}
	r, err := NewBestResponse(k, d, cov)
	if err != nil {
		return nil, err
	}
	data := make([]float64, 0, k*d)
	for i := range k {
		data = append(data, mu.RawRowView(i)...)
	}
	r.SetMeans(data)
	s := &TStar{Weights: make([]float64, k), Hardest: Alternative{Arm: -1, By: -1}}
	w := make([]float64, k)
	for i := range w {
		w[i] = 1 / float64(k)
		s.Weights[i] = w[i]
	}
	if k == 1 {
		return s, nil
	}
	if r.Cost(nil, w) <= 0 {
		a := r.Alternative()
		if a.By >= 0 {
			return nil, fmt.Errorf("question: arm %d is in the Pareto set, but arm %d is no worse in any objective: %w", a.Arm, a.By, ErrParetoTie)
		}
		return nil, fmt.Errorf("question: arm %d is outside the Pareto set, but ties with members that dominate it: %w", a.Arm, ErrParetoTie)
	}
	var (
		m    = newMaster(k)
		grad = make([]float64, k)
		unit = 0.          // F at the first weights, to which payoffs are relative
		low  = 0.          // F at Weights
		high = math.Inf(1) // bound on F
	)
	for s.Iterations < tStarMost {
		cost := r.Cost(grad, w)
		s.Iterations++
		if cost > low {
			low = cost
			copy(s.Weights, w)
		}
		if unit == 0 {
			unit = cost
		}
		x, bound := m.add(grad, unit)
		high = min(high, bound*unit)
		if high <= low*(1+tol) {
			break
		}
		sum := 0.
		for i := range w {
			w[i] = max((x[i]+s.Weights[i])/2, tStarFloor)
			sum += w[i]
		}
		floats.Scale(1/sum, w)
	}
	r.Cost(nil, s.Weights)
	s.Hardest = r.Alternative()
	s.Lower, s.Upper = 1/max(high, low), 1/low
	if !(s.Upper <= s.Lower*(1+2*tol)) {
		return s, fmt.Errorf("question: T* is between %v and %v after %d iterations; a relative width of %v was wanted: use a larger tolerance", s.Lower, s.Upper, s.Iterations, tol)
	}
	return s, nil
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

// LowerBound returns Lower kl(delta, 1 - delta), a lower bound on the expected
// number of pulls of every method that is right with probability 1 - delta on
// every instance. Here kl(a, b) is the divergence of two coins (Kaufmann, Cappe and
// Garivier, JMLR 2016, Theorem 1 and Lemma 1); for delta of 1/2 or more the
// bound is 0.
func (s *TStar) LowerBound(delta float64) float64 {
	if !(delta > 0) {
		return math.Inf(1)
	}
	if delta >= .5 {
		return 0
	}
	return s.Lower * (1 - 2*delta) * math.Log((1-delta)/delta)
}
