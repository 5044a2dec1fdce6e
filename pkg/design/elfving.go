package design

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/internal/simplex"
	"github.com/purexp/purexp/pkg/lsq"
)

// A CCriterion is the variance of the estimate in one direction. NewC creates a CCriterion.
type CCriterion struct {
	pointSet
	c []float64 // m, coordinates of the direction
}

// NewC returns the criterion c'M(w)^-1 c for the points x, K x h, one point per row, and the
// direction c, h features. If c is outside the span of the points, the error is a *SpanError with I
// = 0 and J = -1. NewC panics if c is not of length h.
func NewC(x *mat.Dense, c []float64) (*CCriterion, error) {
	if _, h := x.Dims(); h != len(c) {
		panic(panicDirection)
	}
	y := mat.NewDense(1, len(c), slices.Clone(c))
	if err := finite("direction", y); err != nil {
		return nil, err
	}
	g, err := newPointSet(x)
	if err != nil {
		return nil, err
	}
	if out := g.span.Outside(y.RawRowView(0)); out > lsq.RankTolerance {
		return nil, &SpanError{I: 0, J: -1, Outside: out}
	}
	r := &CCriterion{pointSet: g}
	if r.m > 0 {
		r.c = r.coordinates(y)
	}
	return r, nil
}

// Elfving returns signed weights u of the points x, K x h, with sum u_i x_i = c and the least
// 1-norm, and this norm. The returned norm is the standard deviation of the estimate of c'theta
// from one measurement of unit noise under the c-optimal design |u|/norm. Geometrically, the convex
// hull of the points and their mirror images extends to 1/norm in direction c (Elfving, 1952). At
// most m weights are nonzero, where m is the rank of the points. Elfving uses the simplex method,
// at a cost of O(K m) per pivot.
//
// If c is outside the span of the points, the error is a *SpanError with I = 0 and J = -1. Elfving
// panics if c is not of length h.
func Elfving(x *mat.Dense, c []float64) (u []float64, norm float64, err error) {
	r, err := NewC(x, c)
	if err != nil {
		return nil, 0, err
	}
	u, norm, bound, pivots, done := r.simplex(nil, math.MaxInt)
	if !done && !(norm <= (1+DefaultTol)*bound) {
		return u, norm, fmt.Errorf("design: %w: the norm is between %.6g and %.6g "+
			"after %d pivots; look for points that nearly coincide", ErrGap, bound, norm, pivots)
	}
	return u, norm, nil
}

// Value implements Criterion. A call of Value takes O(s m^2 + m^3) operations for s points of
// positive weight.
func (c *CCriterion) Value(w []float64) float64 {
	regular := c.factorize(w)
	if c.zero() {
		return 0
	}
	if !regular && c.metric.Outside(c.c) > outsideTolerance {
		return math.Inf(1)
	}
	return c.metric.Squared(c.c)
}

func (c *CCriterion) zero() bool { return c.m == 0 || floats.Norm(c.c, math.Inf(1)) == 0 }

// Solve implements Criterion. Except with the method FrankWolfePaper, Solve solves Elfving's linear
// program (see Elfving), exactly up to rounding for any Options.Tol. Each pivot of the simplex
// method is an iteration. At most Rank points have positive weight, possibly fewer, because their
// span need only contain c. For the direction 0, the design is uniform on points that span the same
// space as all points.
func (c *CCriterion) Solve(o *Options) (*Design, error) {
	o = cmp.Or(o, &Options{})
	if err := noMirror(o); err != nil {
		return nil, err
	}
	if c.zero() {
		return c.trivial(), nil
	}
	tol := cmp.Or(o.Tol, DefaultTol)
	d := &Design{Critical: []Direction{{I: 0, J: -1, Weight: 1}}}
	if o.Method == FrankWolfePaper {
		_, _, bound, _, _ := c.simplex(nil, math.MaxInt)
		toC := func(met *lsq.Metric) ([]float64, float64) { return c.c, met.Squared(c.c) }
		d.Weights, d.Iterations = frankWolfe(c.k, c.m, c.x, toC, o)
		d.Value = c.Value(d.Weights)
		d.Lower = min(bound*bound, d.Value)
	} else {
		limit := cmp.Or(o.MaxIterations, math.MaxInt)
		u, norm, bound, iterations, done := c.simplex(o.Watch, limit)
		for i, v := range u {
			u[i] = math.Abs(v) / norm
		}
		// The estimator sum u_i (mean of the measurements at x_i) has variance sum u_i^2/w_i =
		// norm^2. The variance of the least-squares estimator is at most norm^2.
		d.Weights, d.Value, d.Lower, d.Iterations = u, norm*norm, bound*bound, iterations
		if !done && !(d.Gap() <= tol) {
			return d, gapError(d, tol)
		}
		return d, nil
	}
	if !(d.Gap() <= tol) {
		return d, gapError(d, tol)
	}
	return d, nil
}

// simplex minimises sum |u_i| subject to sum u_i x_i = c. In the linear program, column 2i is x_i,
// and column 2i+1 is -x_i. In coordinates relative to the spanning points, these points are the
// unit vectors and form the initial basis. The dual solution h has |x_i'h| <= 1 at the optimum.
// Before the optimum, c'h/max|x_i'h| is a lower bound on the norm.
func (c *CCriterion) simplex(watch func(Bracket) bool,
	limit int) (u []float64, norm, bound float64, iterations int, done bool) {
	m := c.m
	u = make([]float64, c.k)
	if c.zero() {
		return u, 0, 0, 0, true
	}
	// Scale the right-hand side to a size near 1, because tolerances are absolute.
	size := floats.Norm(c.c, math.Inf(1))
	b, sign, basic := make([]float64, m), make([]float64, m), make([]int, m)
	for r, i := range c.points {
		b[r], sign[r], basic[r] = c.c[r]/size, 1, 2*i
		if b[r] < 0 {
			sign[r], basic[r] = -1, 2*i+1
		}
	}
	t := simplex.New(b, basic, sign, func(dst []float64, id int) {
		copy(dst, c.x[id/2*m:][:m])
		if id&1 == 1 {
			floats.Scale(-1, dst)
		}
	})
	h, one := make([]float64, m), func(int) float64 { return 1 }
	fresh := true
	for t.Refresh(refactorize) {
		t.Prices(h, one)
		enter, most := -1, 1+priceLeast
		largest := 0.
		for i := range c.k {
			g := floats.Dot(c.x[i*m:][:m], h)
			largest = max(largest, math.Abs(g))
			if math.Abs(g) > most && (enter < 0 || !t.Bland()) {
				enter, most = 2*i, math.Abs(g)
				if g < 0 {
					enter++
				}
			}
		}
		norm = floats.Sum(t.X)
		bound = max(bound, floats.Dot(b, h)/max(largest, 1))
		if watch != nil && iterations > 0 &&
			!watch(Bracket{iterations, norm * norm * size * size, bound * bound * size * size}) {
			break
		}
		if enter < 0 {
			if fresh { // confirm the optimum with a newly computed inverse
				done = true
				break
			}
			t.Refresh(0)
			fresh = true
			continue
		}
		if iterations >= limit || t.Pivots > 1000+50*(c.k+m) || !t.Enter(enter) {
			break
		}
		iterations++
		fresh = false
	}
	for r, id := range t.Columns {
		v := t.X[r] * size
		if t.X[r] < 1e-14*norm {
			v = 0 // a negative value is a rounding error
		}
		if id&1 == 1 {
			v = -v
		}
		u[id/2] += v
	}
	norm = floats.Norm(u, 1)
	return u, norm, min(bound*size, norm), iterations, done
}

// The following constants control the simplex method.
const (
	priceLeast  = 1e-11 // least gain of an entering column of cost 1
	refactorize = 50    // number of pivots after which the inverse is recomputed
	rounding    = 1e-13 // rounding error relative to the sum of absolute terms
)

const panicPayoff = "design: a payoff is not a finite number"

// Game solves the zero-sum game with payoff matrix a. The row player chooses row i and receives
// a_ij from the column player, who chooses column j. Game returns optimal mixtures and the value of
// the game. The mixture row of rows maximises the least payoff over columns. The mixture col of
// columns minimises the largest payoff over rows. The value is the payoff that row guarantees; col
// shows that, up to rounding, no other mixture guarantees more (von Neumann, 1928).
//
// Payoffs may be as small as 1e-9 of their range. Relative to the range of payoffs, the mixtures
// are accurate to several digits. If no payoff is negative and there are at most as many rows as
// columns, the mixtures are accurate to several digits of the value itself.
//
// Game uses the simplex method: for r rows and n columns, each pivot costs O(r n) and O(min(r,
// n)^2). Game panics if an element of a is not finite.
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
		// The basis has one row for each row of the matrix, so the players are exchanged if there
		// are more rows than columns.
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

// cancelled returns the part of 1 - x'b that may be due to rounding.
func cancelled(x, b []float64) float64 {
	size := 1.
	for i, v := range x {
		size += math.Abs(v * b[i])
	}
	return rounding * size
}

// game maximises sum y subject to B y <= 1 and y >= 0, with payoffs B between 0 and 1. The least
// payoff becomes 0, because a shift to positive payoffs would lose the digits of small payoffs. The
// optimal mixtures are proportional to y and to the dual solution.
func game(a *mat.Dense, least, most float64) (row, col []float64) {
	r, n := a.Dims()
	scale := max(most/2-least/2, math.SmallestNonzeroFloat64) // half of the range of payoffs, which does not overflow
	bt := make([]float64, n*r)                                // columns of B
	for i := range r {
		for j, v := range a.RawRowView(i) {
			bt[j*r+i] = (v/2 - least/2) / scale
		}
	}
	row, col = make([]float64, r), make([]float64, n)
	for j := range n { // if all payoffs of column j are the least payoff, the program is unbounded
		if floats.Max(bt[j*r:][:r]) <= 0 {
			row[0], col[j] = 1, 1
			return row, col
		}
	}
	right, basic, one := make([]float64, r), make([]int, r), make([]float64, r)
	for i := range r {
		// Perturb the right-hand side, because ties among the constraints could make the method
		// cycle.
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
	// In exact arithmetic, no basis recurs; the limit only protects against rounding errors.
	for t.Pivots < 1000+50*(n+r) {
		t.Refresh(refactorize) // if the basis is singular up to rounding, Refresh keeps the old inverse
		t.Prices(x, cost)
		enter, gain := -1, priceLeast
		for j := range n {
			b := bt[j*r:][:r]
			if g := 1 - floats.Dot(x, b); g > gain && g > cancelled(x, b) {
				enter, gain = j, g
			}
		}
		for i, v := range x { // skip the slack columns
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
