package design

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
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
	g := ground{k: k, m: m, points: span.Points(), span: span, a: make([]float64, m*m),
		metric: lsq.NewMetric(m)}
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
