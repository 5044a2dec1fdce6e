// Package design computes optimal designs on finite sets of points. A design is a set of
// proportions in which points are measured. An optimal design minimises the largest variance of the
// estimated linear model over the directions of interest. Each computed design has a certificate,
// which bounds the design's distance from the optimum.
//
//	c, err := design.NewPairs(x, nil)  // differences of the points x, one per row
//	d, err := c.Solve(nil)             // d.Weights, within d.Gap() of the best
//	a, err := design.Round(c, d.Weights, 96, design.Best) // 96 whole measurements
//
// A design is a probability vector w on K points x_1, ..., x_K. The information matrix of a design
// w is M(w) = sum w_i x_i x_i'. After N measurements of unit variance in the proportions w, the
// least-squares estimate of y'theta has variance y'M(w)^-1 y / N. A [Criterion] is the largest such
// variance over the directions y of interest:
//
//   - [NewG]: the points themselves (G-optimal, and D-optimal at the same time);
//   - [NewXY]: given directions;
//   - [NewPairs]: all differences of given items (XY-optimal, transductive);
//   - [NewC]: one direction (c-optimal).
//
// Points need not span the space, may repeat, and may be zero. [Round] turns a design into whole
// numbers of measurements. [Elfving] and [Game] solve the linear programs for designs in a single
// direction and in finitely many directions. The package does not estimate parameters; see package
// lsq.
package design

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// DefaultTol is the default of Options.Tol, a relative gap of one per cent.
const DefaultTol = 0.01

// A Criterion is a function of designs to be minimized.
type Criterion interface {
	// K returns the number of points that can be measured.
	K() int
	// Rank returns m, the dimension of the span of the points.
	Rank() int
	// Value returns the criterion at the K weights w, which need not sum to 1. The criterion is the
	// largest y'M(w)^-1 y over the directions y of interest. The value is +Inf if a direction of
	// interest is outside the span of the points with positive weight. Calls of Value share memory,
	// so calls must not run concurrently.
	Value(w []float64) float64
	// Solve minimises the criterion over probability vectors. If o is nil, Solve uses the zero
	// Options. If Solve does not reach the requested gap, the error wraps ErrGap, and the returned
	// design is the best design found, with its actual gap.
	Solve(o *Options) (*Design, error)
}

// A Design is a probability vector with a certificate that it is nearly optimal.
type Design struct {
	// Weights contains the weights of the points, K numbers that sum to 1.
	Weights []float64
	// Value is the criterion at Weights; no design has a value below Lower.
	Value, Lower float64
	// Iterations is the number of iterations that the solver made.
	Iterations int
	// Critical lists the directions that determine the lower bound, and so the value of the design.
	// Critical omits directions with less than a thousandth of the largest weight in the mixture
	// that proved Lower. The weights in Critical are scaled to sum to 1. Let q_y be the weight of
	// direction y in Critical, v_y = y'M^-1 y and g_i = sum_y q_y (x_i'M^-1 y)^2, for M =
	// M(Weights). The critical directions alone prove the lower bound (sum_y q_y v_y)^2/max_i g_i.
	// The lower bound from the critical directions is usually about one gap below Lower, and at
	// most about five gaps below Lower. Critical is nil for the criterion G, because all support
	// points then have the same variance.
	Critical []Direction
}

// A Direction is a direction of interest, with its weight in the mixture that certifies a design.
type Direction struct {
	// I is the index of the direction (NewXY), or of the first item (NewPairs).
	I int
	// J is the index of the second item if the direction is the difference of two items, and
	// otherwise -1.
	J      int
	Weight float64
}

// Gap returns the relative gap of the design, Value/Lower - 1. A design with gap g needs at most 1
// + g times as many measurements as an optimal design. If there is nothing to estimate, Gap returns
// 0.
func (d *Design) Gap() float64 {
	if d.Value == 0 {
		return 0
	}
	return d.Value/d.Lower - 1
}

// Warning returns a warning, with the cost in pulls, for a policy whose design missed its
// tolerance. The argument err is the error that Solve returned.
func (d *Design) Warning(err error) error {
	return fmt.Errorf("the design may need %.3g %% more pulls than the optimal design: %w", 100*d.Gap(), err)
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

// Options are the settings of a solver. The zero Options are valid.
type Options struct {
	// Tol is the relative gap at which the solver stops; zero means DefaultTol.
	Tol float64
	// MaxIterations limits the iterations; zero means a limit far above the usual number.
	MaxIterations int
	// Start contains initial weights for an [XYCriterion] or a [StarCriterion] with method
	// Certified, such as the weights of a similar problem. By default, an XYCriterion starts from
	// uniform weights. All other solvers ignore Start.
	Start []float64
	// Method selects the solver.
	Method Method
	// If Watch is not nil, the solver calls it with each new certificate; Certified computes
	// certificates in some iterations only. If Watch returns false, the solver stops.
	Watch func(Bracket) bool
}

// A Bracket is an interval from Lower to Value that contains the optimum; solvers report brackets
// to Options.Watch. For methods without a certificate, Lower is 0.
type Bracket struct {
	Iteration    int
	Value, Lower float64
}

// A Method is an algorithm that computes designs.
type Method int

// The following constants are the methods of this package.
const (
	// Certified is this package's own solver, which stops at the requested gap.
	Certified Method = iota
	// FrankWolfePaper is the plain Frank-Wolfe iteration of the RAGE paper's appendix F. Step k
	// moves the fraction 2/(k+2) of the weight to the point that reduces the largest variance most.
	// The iteration ends when the weights change by less than 1 %, or after 5,000 steps. At the
	// end, weights below 1e-5 are dropped. If several directions have the largest variance,
	// FrankWolfePaper does not converge. FrankWolfePaper is only meant for comparisons; its Lower
	// is computed after the iteration.
	FrankWolfePaper
	// MirrorDescent is the entropic mirror descent of the GEGE paper's appendix H (Algorithm 4); it
	// supports only G. Each step multiplies all weights by factors; Lower is the rank of the
	// points. MirrorDescent is only meant for comparisons: each iteration uses all points, and all
	// points keep positive weight.
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

// The following errors can be tested with errors.Is.
var (
	// ErrGap means that a solver ended before it reached the requested gap.
	ErrGap = errors.New("the requested gap was not reached")
	// ErrSpan means that a direction cannot be estimated from the points.
	ErrSpan = errors.New("not identifiable")
)

// A SpanError states which direction cannot be estimated from any measurements. A SpanError wraps
// ErrSpan.
type SpanError struct {
	// I and J are the indices of the items of the direction, as in the type Direction.
	I, J int
	// Outside is the length of the direction's component outside the span of the points, divided by
	// the length of the direction.
	Outside float64
}

// Error implements error.
func (e *SpanError) Error() string {
	what := fmt.Sprintf("direction %d", e.I)
	if e.J >= 0 {
		what = fmt.Sprintf("the difference between items %d and %d", e.I, e.J)
	}
	return fmt.Sprintf("design: %s is not identifiable: %.2g %% of it lies outside the span of "+
		"the points; add points that cover it", what, 100*e.Outside)
}

// Unwrap returns ErrSpan.
func (e *SpanError) Unwrap() error { return ErrSpan }

// G returns a design that minimises the largest variance x_i'M(w)^-1 x_i at the points x, one point
// per row. G also maximises det M(w) (Kiefer and Wolfowitz, 1960). The minimal value of the
// criterion is the rank of x.
func G(x *mat.Dense, o *Options) (*Design, error) { return solve(NewG(x))(o) }

// C returns the design that minimises the variance of the estimate of c'theta, for measurements at
// the points x.
func C(x *mat.Dense, c []float64, o *Options) (*Design, error) { return solve(NewC(x, c))(o) }

// XY returns a design that minimises the largest variance y_j'M(w)^-1 y_j in the directions y, one
// per row, for measurements at the points x.
func XY(x, y *mat.Dense, o *Options) (*Design, error) { return solve(NewXY(x, y))(o) }

// Pairs returns a design that minimises the largest variance of a difference of two items z, one
// per row, for measurements at the points x. If z is nil, the items are the points x.
func Pairs(x, z *mat.Dense, o *Options) (*Design, error) { return solve(NewPairs(x, z))(o) }

func solve[T Criterion](c T, err error) func(o *Options) (*Design, error) {
	return func(o *Options) (*Design, error) {
		if err != nil {
			return nil, err
		}
		return c.Solve(o)
	}
}

// The following constants are panic messages for incorrect calls.
const (
	panicDirection = "design: the direction and the points differ in the number of features"
	panicFeatures  = "design: points and directions differ in the number of features"
	panicFinite    = "design: the information matrix is not finite"
	panicHeap      = "design: the heap of shares supports neither Push nor Pop"
	panicItems     = "design: item numbers are missing, not ascending, or out of range"
	panicRounded   = "design: weights to round are negative, not finite, or all zero"
	panicRounding  = "design: unknown Rounding"
	panicWeights   = "design: the number of weights is not the number of points"
)

// A pointSet holds the points of a criterion in coordinates relative to m spanning points, which
// the pivoting of lsq.Span selects. In these coordinates, the spanning points are the unit vectors.
// All coordinates are of size near 1, even if points are very long or nearly collinear.
type pointSet struct {
	k, m   int
	x      []float64 // k x m
	points []int     // m spanning points
	span   *lsq.Span
	basis  blas64.Triangular // the spanning points in the coordinates of the span
	a      []float64         // scratch: m x m
	metric *lsq.Metric
}

// newPointSet returns the point set of the rows of x. newPointSet copies x once.
func newPointSet(x *mat.Dense) (pointSet, error) {
	if err := finite("points", x); err != nil {
		return pointSet{}, err
	}
	span := lsq.NewSpan(x)
	k, _ := x.Dims()
	m := span.Rank()
	g := pointSet{k: k, m: m, points: span.Points(), span: span, a: make([]float64, m*m), metric: lsq.NewMetric(m)}
	if m == 0 {
		return g, nil
	}
	g.x = span.Coordinates(x).RawMatrix().Data
	// In the coordinates of lsq.Span, the spanning points form a lower triangular matrix.
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

// pointSetFor returns the point set of x. pointSetFor panics if x and the matrix about differ in
// the number of columns. If a number is not finite, pointSetFor returns an error.
func pointSetFor(x, about *mat.Dense, what string) (pointSet, error) {
	g, err := newPointSet(x)
	if err != nil {
		return g, err
	}
	_, h := x.Dims()
	if _, columns := about.Dims(); columns != h {
		panic(panicFeatures)
	}
	return g, finite(what, about)
}

// coordinates returns the coordinates of the rows of y, n x m for m > 0.
func (g *pointSet) coordinates(y *mat.Dense) []float64 {
	n, _ := y.Dims()
	c := g.span.Coordinates(y).RawMatrix().Data
	blas64.Trsm(blas.Right, blas.NoTrans, 1, g.basis, rows(c, n, g.m))
	return c
}
