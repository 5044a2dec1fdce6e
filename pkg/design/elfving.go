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

// A CCriterion is the variance in one direction. Make one with NewC.
type CCriterion struct {
	ground
	c []float64 // m, coordinates of the direction
}

var _ Criterion = (*CCriterion)(nil)

// NewC returns the criterion c'M(w)^-1 c for the points x, K x h, one a row, and
// the direction c, h features. If c is outside the span of the points, the error
// is a *SpanError with I = 0 and J = -1. NewC panics if c is not of length h.
func NewC(x *mat.Dense, c []float64) (*CCriterion, error) {
	if _, h := x.Dims(); h != len(c) {
		panic(panicDirection)
	}
	y := mat.NewDense(1, len(c), slices.Clone(c))
	if err := finite("direction", y); err != nil {
		return nil, err
	}
	g, err := newGround(x)
	if err != nil {
		return nil, err
	}
	if out := g.span.Outside(y.RawRowView(0)); out > lsq.RankTolerance {
		return nil, &SpanError{I: 0, J: -1, Outside: out}
	}
	r := &CCriterion{ground: g}
	if r.m > 0 {
		r.c = r.coordinates(y)
	}
	return r, nil
}

// Elfving returns signed weights u of the points x, K x h, of least 1-norm with
// sum u_i x_i = c, and that norm. The least norm is the standard deviation of
// c'theta under the c-optimal design |u|/norm and one measurement of unit noise,
// and 1/norm is how far one can go in direction c within the convex hull of the
// points and their mirror images (Elfving, 1952). At most m weights are not
// zero, for points of rank m. It is the simplex method: O(K m) a pivot.
//
// If c is outside the span of the points, the error is a *SpanError with I = 0
// and J = -1. Elfving panics if c is not of length h.
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

// Value implements Criterion. O(s m^2 + m^3) for s points of positive weight.
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

// Solve implements Criterion. It solves Elfving's linear program (see Elfving),
// exactly up to rounding whatever Options.Tol says; an iteration is a pivot, and
// Options.Start is not used. At most Rank points get weight, which need not span
// anything but c. The design for the direction 0 is that of any points that span
// all directions.
func (c *CCriterion) Solve(o *Options) (*Design, error) {
	if o == nil {
		o = &Options{}
	}
	c.checkStart(o)
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
		// The estimate sum u_i (mean of x_i) has variance sum u_i^2/w_i = norm^2,
		// and the least-squares estimate no larger one.
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

// simplex solves min sum |u_i| subject to sum u_i x_i = c. The columns are x_i,
// number 2i, and -x_i, number 2i+1. In coordinates relative to the points that
// span, those are a basis from the start. The dual solution h has |x_i'h| <= 1
// at the optimum; before it, c'h/max|x_i'h| is a lower bound of the norm.
func (c *CCriterion) simplex(watch func(Bracket) bool,
	limit int) (u []float64, norm, bound float64, iterations int, done bool) {
	m := c.m
	u = make([]float64, c.k)
	if c.zero() {
		return u, 0, 0, 0, true
	}
	// Columns and right-hand side of size near 1, for absolute tolerances.
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
			if fresh { // the end is confirmed with an inverse free of the rounding of updates
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
			v = 0 // rounding
		}
		if id&1 == 1 {
			v = -v
		}
		u[id/2] += v
	}
	norm = floats.Norm(u, 1)
	return u, norm, min(bound*size, norm), iterations, done
}
