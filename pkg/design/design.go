// Package design computes optimal designs on finite sets of points, each with
// a certificate: how often to measure at which point, so that a linear model is
// known best where it matters.
//
//	c, err := design.NewPairs(x, nil)  // differences of the points x, one a row
//	d, err := c.Solve(nil)             // d.Weights, within d.Gap() of the best
//	a, err := design.Round(c, d.Weights, 96, design.Best) // 96 whole measurements
//
// A design is a probability vector w on K points x_1, ..., x_K. Measuring them
// in these proportions gives the information matrix M(w) = sum w_i x_i x_i';
// after N measurements of unit variance, the least-squares estimate of y'theta
// has variance y'M(w)^-1 y / N. A [Criterion] is the largest of these variances
// over the directions y of interest:
//
//   - [NewG]: the points themselves (G-optimal, and D-optimal at the same time);
//   - [NewXY]: given directions;
//   - [NewPairs]: all differences of given items (XY-optimal, transductive);
//   - [NewC]: one direction (c-optimal).
//
// Points need not span the space, may repeat, and may be zero. [Round] turns a
// design into whole numbers of measurements. [Elfving] and [Game] are the linear
// programs behind designs for one direction and for finitely many.
package design

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// DefaultTol is the relative gap at which solvers stop where Options states
// none: one per cent more measurements than necessary.
const DefaultTol = 0.01

// A Criterion is what a design is to minimise.
type Criterion interface {
	// K returns the number of points.
	K() int
	// Rank returns m, the dimension of the span of the points.
	Rank() int
	// Value returns the criterion at w, K weights that need not sum to 1: the
	// largest y'M(w)^-1 y over the directions of interest, +Inf if one of them
	// is outside the span of the points with positive weight. Calls share
	// scratch memory.
	Value(w []float64) float64
	// Solve minimises the criterion over probability vectors. A nil o means the
	// zero Options. If the gap asked for was not reached, the error wraps
	// ErrGap, and the design is the best found with the gap that it has.
	Solve(o *Options) (*Design, error)
}

// A Design is a probability vector with a certificate that it is nearly
// optimal.
type Design struct {
	// Weights of the points, K numbers that sum to 1.
	Weights []float64
	// Value is the criterion at Weights; no design has a value below Lower.
	Value, Lower float64
	// Iterations of the solver.
	Iterations int
	// Critical are the directions that make the problem hard: of the mixture that
	// proved Lower those with at least a thousandth of the largest weight, scaled to
	// sum to 1. What they prove by themselves, (sum_y q_y v_y)^2/max_i g_i at Weights
	// with v_y = y'M^-1 y and g_i = sum_y q_y (x_i'M^-1 y)^2, is a lower bound too, but
	// below Lower: by about the gap, and up to five times that. It is nil for G, where
	// all supporting points have the same variance.
	Critical []Direction
}

// A Direction of interest, with its weight in a certificate.
type Direction struct {
	// I is the number of the direction (NewXY), or of the first item (NewPairs).
	I int
	// J is the second item, whose difference from the first is the direction;
	// -1 if the direction is no difference.
	J      int
	Weight float64
}

// Gap returns Value/Lower - 1: a design of gap g needs at most 1 + g times as
// many measurements as the best one. It is 0 if there is nothing to estimate.
func (d *Design) Gap() float64 {
	if d.Value == 0 {
		return 0
	}
	return d.Value/d.Lower - 1
}

// Warning says how many more measurements a design may need that missed its tolerance, as err says: what a policy
// that goes on with it warns of.
func (d *Design) Warning(err error) error {
	return fmt.Errorf("the design may need %.3g %% more pulls than the best one: %w", 100*d.Gap(), err)
}

// Support returns the points with positive weight, in ascending order.
func (d *Design) Support() []int {
	var s []int
	for i, w := range d.Weights {
		if w > 0 {
			s = append(s, i)
		}
	}
	return s
}

// Options of a solver. The zero value works.
type Options struct {
	// Tol is the relative gap to stop at. Zero means DefaultTol.
	Tol float64
	// MaxIterations limits the iterations. Zero means a limit that is far above
	// what is needed.
	MaxIterations int
	// Start are weights to start from, such as those of a similar problem. Nil
	// means the solver's own.
	Start []float64
	// Method chooses the solver.
	Method Method
	// Watch, if not nil, sees the certificate after each iteration, and stops
	// the solver by returning false.
	Watch func(Bracket) bool
}

// A Bracket is what is known about the optimum after an iteration: it lies
// between Lower and Value. Lower is 0 where the method has no certificate.
type Bracket struct {
	Iteration    int
	Value, Lower float64
}

// A Method is a way of computing designs.
type Method int

// Methods.
const (
	// Certified is the solver of this package for the criterion.
	Certified Method = iota
	// FrankWolfePaper is the plain Frank-Wolfe iteration of the RAGE paper's
	// appendix F: all weight on the point that reduces the largest variance
	// most, step 2/(k+2), until the weights change by less than 1 % or after
	// 5000 iterations, weights below 1e-5 dropped. It does not converge where
	// several directions tie; it is here for comparison, and its Lower is
	// computed afterwards.
	FrankWolfePaper
	// MirrorDescent is the entropic mirror descent of the GEGE paper's appendix
	// H (Algorithm 4), for G alone: multiplicative steps on all weights, with
	// the rank as its Lower. It is here for comparison: every iteration looks at
	// all points, and each of them keeps some weight.
	MirrorDescent
)

// String returns the name of the method.
func (m Method) String() string {
	switch m {
	case FrankWolfePaper:
		return "Frank-Wolfe (paper)"
	case MirrorDescent:
		return "mirror descent"
	}
	return "certified"
}

// Errors that this package wraps; test for them with errors.Is.
var (
	// ErrGap says that a solver ended before it reached the gap asked for.
	ErrGap = errors.New("the gap asked for was not reached")
	// ErrSpan says that something cannot be estimated from the points.
	ErrSpan = errors.New("not identifiable")
)

// A SpanError says which direction cannot be estimated, whatever is measured. It
// wraps ErrSpan.
type SpanError struct {
	// I and J are as in Direction.
	I, J int
	// Outside is the part of the direction that lies outside the span of the
	// points, as a fraction of its length.
	Outside float64
}

// Error implements error.
func (e *SpanError) Error() string {
	what := fmt.Sprintf("direction %d", e.I)
	if e.J >= 0 {
		what = fmt.Sprintf("the difference of items %d and %d", e.I, e.J)
	}
	return fmt.Sprintf("design: %s is not identifiable: %.2g %% of it lies outside the span of "+
		"the points; add points that cover it", what, 100*e.Outside)
}

// Unwrap returns ErrSpan.
func (e *SpanError) Unwrap() error { return ErrSpan }

// G returns a design that minimises the largest variance at the points x, one a
// row: x_i'M(w)^-1 x_i. It maximises det M(w) at the same time (Kiefer and
// Wolfowitz, 1960). The optimal value is the rank of x.
func G(x *mat.Dense, o *Options) (*Design, error) { return solve(NewG(x))(o) }

// C returns a design for estimating c'theta at the points x.
func C(x *mat.Dense, c []float64, o *Options) (*Design, error) { return solve(NewC(x, c))(o) }

// XY returns a design that minimises the largest variance in the directions y,
// one a row, when the points x can be measured: y_j'M(w)^-1 y_j.
func XY(x, y *mat.Dense, o *Options) (*Design, error) { return solve(NewXY(x, y))(o) }

// Pairs returns a design that minimises the largest variance of a difference of
// two items z, one a row, when the points x can be measured. A nil z means x.
func Pairs(x, z *mat.Dense, o *Options) (*Design, error) { return solve(NewPairs(x, z))(o) }

func solve[T Criterion](c T, err error) func(o *Options) (*Design, error) {
	return func(o *Options) (*Design, error) {
		if err != nil {
			return nil, err
		}
		return c.Solve(o)
	}
}

// What this package panics with when the calling code is wrong.
const (
	panicDirection = "design: the direction and the points differ in the number of features"
	panicFeatures  = "design: points and directions differ in the number of features"
	panicFinite    = "design: the information matrix is not finite"
	panicHeap      = "design: the heap of shares neither grows nor shrinks"
	panicItems     = "design: items are not ascending numbers of items"
	panicRounded   = "design: weights to round are negative, not finite, or all zero"
	panicRounding  = "design: unknown Rounding"
	panicStart     = "design: weights to start from are negative, not finite, or all zero"
	panicWeights   = "design: the number of weights is not the number of points"
)

// A ground is what all criteria share: the points, in terms of those of them
// that lsq.Span found by pivoting. These are the unit vectors, and all
// coordinates are of size near 1, however long or nearly collinear the points
// are.
type ground struct {
	k, m   int
	x      []float64 // k x m
	points []int     // m that span
	span   *lsq.Span
	basis  blas64.Triangular // those points in the coordinates of the span
	a      []float64         // scratch: m x m
	metric *lsq.Metric
}

// newGround returns the ground of the points x. It makes one copy of them.
func newGround(x *mat.Dense) (ground, error) {
	if err := finite("points", x); err != nil {
		return ground{}, err
	}
	span := lsq.NewSpan(x)
	k, _ := x.Dims()
	m := span.Rank()
	g := ground{k: k, m: m, points: span.Points(), span: span, a: make([]float64, m*m), metric: lsq.NewMetric(m)}
	if m == 0 {
		return g, nil
	}
	g.x = span.Coordinates(x).RawMatrix().Data
	// In coordinates of the span those points are a lower triangular matrix.
	p := make([]float64, m*m)
	for r, i := range g.points {
		copy(p[r*m:][:r+1], g.x[i*m:][:r+1])
	}
	g.basis = blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: m, Stride: m, Data: p}
	blas64.Trsm(blas.Right, blas.NoTrans, 1, g.basis, rows(g.x, k, m))
	for r, i := range g.points {
		clear(g.x[i*m:][:m])
		g.x[i*m+r] = 1
	}
	return g, nil
}

// groundFor is newGround with a check of what a criterion is about, rows of as many features.
func groundFor(x, about *mat.Dense, what string) (ground, error) {
	g, err := newGround(x)
	if err != nil {
		return g, err
	}
	_, h := x.Dims()
	if _, columns := about.Dims(); columns != h {
		panic(panicFeatures)
	}
	return g, finite(what, about)
}

// coordinates returns those of the rows of y, n x m for m > 0.
func (g *ground) coordinates(y *mat.Dense) []float64 {
	n, _ := y.Dims()
	c := g.span.Coordinates(y).RawMatrix().Data
	blas64.Trsm(blas.Right, blas.NoTrans, 1, g.basis, rows(c, n, g.m))
	return c
}
