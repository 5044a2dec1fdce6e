package complexity

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/internal/simplex"
	"github.com/purexp/purexp/pkg/question/alternative"
)

// The following constants control the cutting-plane method.
const (
	tStarTol   = 1e-6 // default relative width of the bracket
	tStarMost  = 2000 // largest number of best responses
	tStarFloor = 1e-9 // least weight: cuts at weight 0 are infinitely steep
)

// A cutting finds the weights that maximise F, the concave function of a BestResponse, by the
// method of cutting planes (Kelley, 1960). The cost of each alternative is linear in the weights w,
// so the linear program for the alternatives found so far bounds F from above. To damp the
// oscillation of the method, the next weights are halfway between the solution of the linear
// program and the best weights so far. Each iteration computes one best response and solves one
// matrix game with K rows.
type cutting struct {
	r      *alternative.BestResponse
	cost   []float64 // cost of a pull, by arm, so that weights are shares of the cost; nil if costs are equal
	bought []float64 // scratch: numbers of pulls for given weights
	m      *master
	unit   float64   // F at the first weights, the unit of payoffs
	low    float64   // value of F at the weights in best
	high   float64   // upper bound on F
	best   []float64 // best weights
	w      []float64 // next weights
	rounds int       // number of best responses
}

// newCutting returns a cutting that starts with equal weights. It computes only unit, the scale of
// payoffs.
func newCutting(r *alternative.BestResponse, k int, cost []float64) *cutting {
	c := &cutting{
		r: r, cost: cost, bought: make([]float64, len(cost)), m: newMaster(k), high: math.Inf(1),
		best: make([]float64, k), w: make([]float64, k),
	}
	for i := range c.w {
		c.w[i] = 1 / float64(k)
		c.best[i] = c.w[i]
	}
	c.unit = c.value(nil, c.w)
	return c
}

// value returns F at the weights w, and stores the gradient of F in grad.
func (c *cutting) value(grad, w []float64) float64 {
	f := c.r.Cost(grad, c.pulls(w))
	if c.cost != nil {
		for i := range grad {
			grad[i] /= c.cost[i]
		}
	}
	return f
}

// pulls converts weights that are shares of the cost to proportions of pulls. The returned slice is
// valid until the next call.
func (c *cutting) pulls(w []float64) []float64 {
	if c.cost == nil {
		return w
	}
	for i, v := range w {
		c.bought[i] = v / c.cost[i]
	}
	return c.bought
}

// after returns a cutting for another function that is nowhere larger than F. All cuts of F remain
// valid for the other function.
func (c *cutting) after() *cutting {
	return &cutting{
		r: c.r, cost: c.cost, bought: c.bought, m: c.m.clone(), unit: c.unit, high: c.high,
		best: slices.Clone(c.best), w: slices.Clone(c.best),
	}
}

// run iterates until the bracket of F has relative width tol, its upper end is at most enough, or
// tStarMost best responses have been computed. run also stops if F is 0 at positive weights,
// because F is then 0 everywhere.
func (c *cutting) run(tol, enough float64) {
	grad := make([]float64, len(c.w))
	for range tStarMost {
		f := c.value(grad, c.w)
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

// A master is the linear program of the cutting-plane method,
//
//	max over weights x of min over cuts j of x.a_j.
//
// The revised simplex method solves the dual of a master: max sum v_j subject to sum of v_j a_ij <=
// 1 for each arm i. The value of the game is 1/sum v, the mixture of cuts is proportional to v, and
// the weights x are proportional to the prices. A new cut is a new column of the dual program, so
// the last basis remains feasible. (The function design.Game solves the same game without using an
// earlier solution.)
type master struct {
	k     int
	cuts  [][]float64
	some  [][]int32      // nonzero arms of each cut; an alternative involves only few arms
	basis *simplex.Basis // columns of the basis: a cut, or ^i for the slack of arm i
	price []float64      // k
	load  []float64      // k
	x     []float64      // k
}

func newMaster(k int) *master {
	m := &master{k: k, price: make([]float64, k), load: make([]float64, k), x: make([]float64, k)}
	slacks, right, one := make([]int, k), make([]float64, k), make([]float64, k)
	for i := range k {
		// Perturb the right-hand side, because ties among the constraints could make the method
		// cycle.
		right[i] = 1 + 1e-9*float64(i+1)/float64(k)
		slacks[i], one[i] = ^i, 1
	}
	m.basis = simplex.New(right, slacks, one, m.column)
	m.basis.Perturbed = true
	return m
}

// clone returns a copy that shares the existing cuts, which are never changed.
func (m *master) clone() *master {
	c := &master{
		k: m.k, cuts: slices.Clip(m.cuts), some: slices.Clip(m.some),
		price: slices.Clone(m.price), load: slices.Clone(m.load), x: slices.Clone(m.x),
	}
	c.basis = m.basis.Clone(c.column)
	return c
}

// column stores a cut, or the unit vector of a slack variable, in dst.
func (m *master) column(dst []float64, id int) {
	if id >= 0 {
		copy(dst, m.cuts[id])
		return
	}
	clear(dst)
	dst[^id] = 1
}

// add adds the cut grad/unit to the program. add returns the best weights, and an upper bound on
// the value that is valid whatever the rounding errors in the mixture of cuts.
func (m *master) add(grad []float64, unit float64) (x []float64, bound float64) {
	a := make([]float64, m.k)
	floats.AddScaled(a, 1/unit, grad)
	var some []int32
	for i, v := range a {
		if v != 0 {
			some = append(some, int32(i))
		}
	}
	m.cuts, m.some = append(m.cuts, a), append(m.some, some)
	for range 100 + 10*m.k {
		// If the basis is singular up to rounding, Refresh keeps the previous inverse.
		m.basis.Refresh(30)
		enter, ok := m.entering()
		if !ok || !m.basis.Enter(enter) {
			break
		}
	}
	sum := 0.
	for i, v := range m.price {
		m.x[i] = max(0, v)
		sum += m.x[i]
	}
	floats.Scale(1/sum, m.x)
	clear(m.load)
	all := 0.
	for r, j := range m.basis.Columns {
		if j >= 0 {
			v := m.basis.X[r]
			floats.AddScaled(m.load, v, m.cuts[j])
			all += v
		}
	}
	return m.x, floats.Max(m.load) / all
}

// entering computes the prices, and returns the column with the largest gain. Cuts are preferred to
// slack variables. If no column has a gain beyond rounding errors, entering returns false.
func (m *master) entering() (enter int, ok bool) {
	m.basis.Prices(m.price, func(id int) float64 {
		if id >= 0 {
			return 1
		}
		return 0
	})
	most := 0.
	for j, a := range m.cuts {
		g, size := 1., 1.
		for _, i := range m.some[j] {
			v := a[i] * m.price[i]
			g -= v
			size += math.Abs(v)
		}
		// A gain below the rounding error of the subtraction does not count.
		if g > most && g > 1e-13*size {
			enter, ok, most = j, true, g
		}
	}
	if ok {
		return enter, true
	}
	most = 1e-13 * floats.Norm(m.price, math.Inf(1))
	for i, v := range m.price {
		if -v > most {
			enter, ok, most = ^i, true, -v
		}
	}
	return enter, ok
}
