// Package lsq estimates linear models from counts and sums of rewards. [Span] is the span of the
// features, [Fit] computes least squares from batches, and [Tracker] updates a fit after each
// reward for policies that pull one arm at a time.
//
//	f := lsq.NewFit(2, 1)                       // 2 features, 1 objective
//	f.Add([]float64{1, 0}, 3, []float64{2.4})   // 3 rewards at (1, 0), of sum 2.4
//	f.Add([]float64{1, 1}, 1, []float64{1.1})
//	f.Solve()                                   // true: both features are measured
//	f.Mean([]float64{0, 1}, 0)                  // 0.3, with variance f.Squared([]float64{0, 1})
//
// [Ridge] adds a penalty on the norm of the parameters, and [DoublyRobust] imputes rewards. [GLM]
// estimates generalised linear models, in which the mean is a known function of a linear predictor.
package lsq

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// RankTolerance is a relative distance. If the distance of a point from the span of previous points
// is smaller, the point does not increase the rank. Distances are relative to the longest point,
// after all features are scaled to the same size.
const RankTolerance = 1e-9

// A Span is the linear span of some points, with a system of coordinates. A change of the units of
// the features affects a Span only by rounding.
type Span struct {
	to     *mat.Dense // h x m: the product y'to contains the coordinates of y
	points []int
	scale  []float64 // scale of each feature
	basis  *mat.Dense
}

// NewSpan returns the span of the rows of x, K x h, by Gram-Schmidt with pivoting. NewSpan takes
// O(K h m) operations for rank m.
func NewSpan(x *mat.Dense) *Span {
	k, h := x.Dims()
	s := &Span{scale: make([]float64, h)}
	for i := range k {
		for j, v := range x.RawRowView(i) {
			s.scale[j] = max(s.scale[j], math.Abs(v))
		}
	}
	for j, v := range s.scale {
		if v == 0 {
			s.scale[j] = 1
		}
	}
	left := make([]float64, k) // squared distances of the points from the span so far
	exact := func(basis [][]float64) {
		y := make([]float64, h)
		for i := range left {
			s.scaled(y, x.RawRowView(i))
			for _, b := range basis {
				floats.AddScaled(y, -floats.Dot(y, b), b)
			}
			left[i] = floats.Dot(y, y)
		}
	}
	exact(nil)
	largest := floats.Max(left)
	var basis [][]float64
	fresh := largest
	for len(basis) < min(k, h) {
		if m := floats.Max(left); m < 1e-8*fresh { // after cancellation, recompute the squared distances
			exact(basis)
			fresh = floats.Max(left)
		}
		i := floats.MaxIdx(left)
		if !(left[i] > RankTolerance*RankTolerance*largest) {
			break
		}
		b := make([]float64, h)
		s.scaled(b, x.RawRowView(i))
		for range 2 {
			for _, e := range basis {
				floats.AddScaled(b, -floats.Dot(b, e), e)
			}
		}
		floats.Scale(1/floats.Norm(b, 2), b)
		basis, s.points = append(basis, b), append(s.points, i)
		u := make([]float64, h) // vector b in the units of x
		for j := range u {
			u[j] = b[j] / s.scale[j]
		}
		for r := range left {
			c := floats.Dot(x.RawRowView(r), u)
			left[r] = max(0, left[r]-c*c)
		}
		left[i] = 0
	}
	if len(basis) == 0 {
		return s
	}
	s.basis, s.to = mat.NewDense(h, len(basis), nil), mat.NewDense(h, len(basis), nil)
	for c, b := range basis {
		for j, v := range b {
			s.basis.Set(j, c, v)
			s.to.Set(j, c, v/s.scale[j])
		}
	}
	return s
}

// Axes returns the span of the k unit vectors. Axes gives the same result as NewSpan for unit
// vectors, but takes only O(k^2) operations.
func Axes(k int) *Span {
	s := &Span{to: mat.NewDense(k, k, nil), points: make([]int, k), scale: make([]float64, k)}
	for i := range k {
		s.to.Set(i, i, 1)
		s.points[i], s.scale[i] = i, 1
	}
	s.basis = s.to
	return s
}

func (s *Span) scaled(dst, y []float64) {
	for j, v := range y {
		dst[j] = v / s.scale[j]
	}
}

// Rank returns m, the dimension of the span.
func (s *Span) Rank() int { return len(s.points) }

// Points returns the indices of m points that generate the span and are far from collinear, in the
// order of selection. The returned slice must not be changed.
func (s *Span) Points() []int { return s.points }

// Coordinates returns the coordinates of the rows of y, n x h, as an n x m matrix. Coordinates
// ignores the part of each row that is outside the span. Coordinates panics if the rank is 0.
func (s *Span) Coordinates(y *mat.Dense) *mat.Dense {
	if s.Rank() == 0 {
		panic(panicZero)
	}
	n, _ := y.Dims()
	c := mat.NewDense(n, s.Rank(), nil)
	MulRows(c.RawMatrix(), y.RawMatrix(), s.to.RawMatrix())
	return c
}

// Outside returns the length of the part of y outside the span, divided by the length of y, which
// has h features. Values of Outside up to RankTolerance are rounding errors.
func (s *Span) Outside(y []float64) float64 {
	r := make([]float64, len(y))
	s.scaled(r, y)
	size := floats.Norm(r, 2)
	if size == 0 {
		return 0
	}
	for c := range s.Rank() {
		dot := 0.
		for j, v := range r {
			dot += v * s.basis.At(j, c)
		}
		for j := range r {
			r[j] -= dot * s.basis.At(j, c)
		}
	}
	return floats.Norm(r, 2) / size
}

// Numbers is a column of numbers in a table.
type Numbers struct {
	Name   string
	Values []float64
}

// A Category is a column of labels. In Features, each label has an indicator.
type Category struct {
	Name   string
	Values []string
}

// Levels returns the distinct labels in order of appearance, and the index of the label of each
// row.
func (c Category) Levels() (of []int, levels []string) {
	of = make([]int, len(c.Values))
	at := make(map[string]int)
	for i, v := range c.Values {
		l, seen := at[v]
		if !seen {
			l = len(levels)
			at[v], levels = l, append(levels, v)
		}
		of[i] = l
	}
	return of, levels
}

// Features returns the features of k rows of a table for a linear model, k x h, and their names.
// The first feature is a constant 1, followed by a feature for each column of numbers. Finally,
// each category has an indicator for each of its labels ("ligand = PPh3"), in order of appearance.
func Features(k int, numbers []Numbers, categories []Category) (x *mat.Dense, names []string) {
	names = []string{"1"}
	for _, n := range numbers {
		names = append(names, n.Name)
	}
	first := make([]int, len(categories))
	of := make([][]int, len(categories))
	for c, category := range categories {
		first[c] = len(names)
		var levels []string
		of[c], levels = category.Levels()
		for _, l := range levels {
			names = append(names, category.Name+" = "+l)
		}
	}
	// A category with many labels results in many columns, but in each row all but one of its
	// indicators are 0.
	x = mat.NewDense(k, len(names), nil)
	for i := range k {
		x.Set(i, 0, 1)
		for j, n := range numbers {
			x.Set(i, 1+j, n.Values[i])
		}
		for c := range categories {
			x.Set(i, first[c]+of[c][i], 1)
		}
	}
	return x, names
}
