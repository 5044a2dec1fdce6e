// Package linear supports policies for linear models. The package contains the [Model], estimators,
// and schemes that compare or eliminate items. [Sequential] pulls one arm per round; [Phases],
// [Static] and [Halving] pull many arms.
//
//	s.Init(prob, reg, false) // linear.Sequential
//	s.Tell(obs)
//	s.Test(beta) // s.Over: the leader s.Best is certainly the best
package linear

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/question"
)

// Model is a linear model in reduced form: coordinates of arms in their span, distinct items, and
// the scale of the noise. If arms have no features, each arm is a unit vector.
//
// In the coordinates of a Model, the arms of a spanning set are the unit vectors. Least squares
// does not depend on the choice of coordinates. In these coordinates, regular information matrices
// are well conditioned, so that nearly collinear arms cause no numerical problems.
//
// Policies use distinct items, numbered from 0 to n-1. Items with the same features form one class
// and have the same verdict.
type Model struct {
	K, Rank, N int        // number of arms, rank, number of distinct items
	X          *mat.Dense // K x m, the arms
	Z          *mat.Dense // n x m, the distinct items; equals X if the items are the arms
	Costs      []float64  // costs of arms; nil if costs are equal
	Span       *lsq.Span
	Class      []int // by item: its distinct item
	First      []int // by distinct item: the first item of its class
	Twin       []int // by distinct item: the class by features alone; nil unless items differ in further columns
	Sigma      float64
	Epsilon    float64
	Link       explore.Link // the link; explore.Identity unless Predictors was called
}

// Init computes the coordinates, items and noise scale of l from the problem p. Init returns an
// error if the question is not question.Best, or if differences of items cannot be estimated from
// the arms.
func (l *Model) Init(p *explore.Problem) error {
	q, ok := p.Question.(question.Best)
	if !ok {
		return fmt.Errorf("policy: the question is %T; expected question.Best: %w", p.Question, explore.ErrQuestion)
	}
	if err := l.Features(p); err != nil {
		return err
	}
	l.Epsilon = q.Epsilon
	return nil
}

// Features initialises l for the features of p and any question. If means are not linear in the
// features, because the problem has a link, Features returns an error. The argument further has
// additional columns, such as known values; items that differ in these columns are distinct.
func (l *Model) Features(p *explore.Problem, further ...[]float64) error {
	if err := p.CheckLinear(); err != nil { // least squares requires linear means; see Estimator
		return err
	}
	return l.Predictors(p, further...)
}

// Predictors initialises l from the features of p, as Features does, but accepts any link.
func (l *Model) Predictors(p *explore.Problem, further ...[]float64) error {
	*l = Model{K: p.K(), Sigma: p.Sigma, Link: p.Link}
	x, err := p.Features()
	if err != nil {
		return fmt.Errorf("policy: %w, or use a method without a model", err)
	}
	if l.Costs = p.Costs; p.X == nil && p.Z == nil { // without features, arms and items are the unit vectors
		l.Span, l.Rank, l.X, l.Z, l.N = lsq.Axes(l.K), l.K, x, x, l.K
		l.Class = memory.UpTo(nil, l.K)
		l.First = l.Class
		return nil
	}
	l.Span = lsq.NewSpan(x)
	if l.Rank = l.Span.Rank(); l.Rank == 0 {
		return fmt.Errorf("policy: the features of all %d arms are zero, so all means are 0; "+
			"give other features: %w", l.K, design.ErrSpan)
	}
	orthonormal := l.Span.Coordinates(x)
	change := l.relative(orthonormal)
	l.X = change(orthonormal)
	for c, i := range l.Span.Points() { // store exact values, free of rounding errors
		row := l.X.RawRowView(i)
		clear(row)
		row[c] = 1
	}
	z := l.X
	if p.Z == nil {
		l.Class, l.First = classes(beside(orthonormal, further))
		if len(further) > 0 {
			same, _ := classes(orthonormal)
			for _, i := range l.First {
				l.Twin = append(l.Twin, same[i])
			}
		}
	} else {
		if err := l.identifiable(p); err != nil {
			return err
		}
		of := l.Span.Coordinates(p.Z)
		l.Class, l.First = classes(of)
		z = change(of)
	}
	l.N = len(l.First)
	if l.Z = z; l.N < p.M() {
		l.Z = mat.NewDense(l.N, l.Rank, nil)
		for c, i := range l.First {
			l.Z.SetRow(c, z.RawRowView(i))
		}
	}
	return nil
}

// PerCost returns the coordinates of the arms divided by the square roots of their costs, K x m.
// The information of a row is the arm's information per unit of cost. If arms have no costs,
// PerCost returns X.
func (l *Model) PerCost() *mat.Dense {
	if l.Costs == nil {
		return l.X
	}
	x := mat.DenseCopyOf(l.X)
	for i, c := range l.Costs {
		floats.Scale(1/math.Sqrt(c), x.RawRowView(i))
	}
	return x
}

// relative returns the matrix that converts orthonormal coordinates, in which the arms are x, to
// coordinates in which the spanning arms are the unit vectors.
func (l *Model) relative(x *mat.Dense) (change func(y *mat.Dense) *mat.Dense) {
	basis := mat.NewDense(l.Rank, l.Rank, nil)
	for c, i := range l.Span.Points() {
		basis.SetCol(c, x.RawRowView(i))
	}
	var qr mat.QR
	qr.Factorize(basis)
	return func(y *mat.Dense) *mat.Dense {
		var to mat.Dense
		// A warning about collinearity is ignored, because the pivots have already been checked.
		var condition mat.Condition
		if err := qr.SolveTo(&to, false, y.T()); err != nil && !errors.As(err, &condition) {
			panic(err)
		}
		return mat.DenseCopyOf(to.T())
	}
}

// identifiable returns an error unless the differences of items lie in the span of the arms. In
// contrast to their differences, the items themselves may be outside the span.
func (l *Model) identifiable(p *explore.Problem) error {
	m, h := p.Z.Dims()
	y, worst, at := make([]float64, h), lsq.RankTolerance*10, -1
	for i := 1; i < m; i++ {
		a, b := p.Z.RawRowView(i), p.Z.RawRowView(0)
		for j := range y {
			// If two features are equal up to rounding, their difference consists of rounding
			// errors.
			if y[j] = a[j] - b[j]; math.Abs(y[j]) <= 1e-14*max(math.Abs(a[j]), math.Abs(b[j])) {
				y[j] = 0
			}
		}
		if out := l.Span.Outside(y); out > worst {
			worst, at = out, i
		}
	}
	if at < 0 {
		return nil
	}
	return fmt.Errorf("policy: %s cannot be compared with %s: %.3g %% of the difference of their features lies "+
		"outside the span of the arms and cannot be estimated; add arms that cover this difference: %w",
		p.Item(at), p.Item(0), 100*worst, &design.SpanError{I: 0, J: at, Outside: worst})
}

// beside returns x with additional columns, which are scaled to the size of x.
func beside(x *mat.Dense, further [][]float64) *mat.Dense {
	if len(further) == 0 {
		return x
	}
	n, m := x.Dims()
	all := mat.NewDense(n, m+len(further), nil)
	all.Slice(0, n, 0, m).(*mat.Dense).Copy(x)
	for j, col := range further {
		if most := floats.Norm(col, math.Inf(1)); most > 0 {
			for i, v := range col {
				all.Set(i, m+j, v*(mat.Norm(x, math.Inf(1))/most))
			}
		}
	}
	return all
}

// classes groups the rows of z that are equal up to rounding. The results are the class number of
// each row, and the first row of each class. Classes are numbered in the order of their first rows.
func classes(z *mat.Dense) (class, first []int) {
	n, m := z.Dims()
	// To find equal rows fast, classes multiplies the rows by a random vector: equal rows have
	// equal products, and different rows almost surely have different products. Only rows whose
	// products are neighbours in sorted order are compared.
	rnd := rand.New(rand.NewPCG(1, 2))
	v := make([]float64, m)
	for j := range v {
		v[j] = rnd.NormFloat64()
	}
	key, order, root, size := make([]float64, n), make([]int, n), make([]int, n), 0.
	for i := range n {
		key[i], order[i], root[i] = floats.Dot(z.RawRowView(i), v), i, i
		size = max(size, floats.Norm(z.RawRowView(i), math.Inf(1)))
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(key[a], key[b]) })
	find := func(i int) int {
		for root[i] != i {
			i = root[i]
		}
		return i
	}
	near := 1e-12 * size
	window := near * floats.Norm(v, 1)
	for p, i := range order {
		for q := p - 1; q >= 0 && key[i]-key[order[q]] <= window; q-- {
			if j := order[q]; floats.EqualApprox(z.RawRowView(i), z.RawRowView(j), near) {
				a, b := find(i), find(j)
				root[max(a, b)] = min(a, b)
				break
			}
		}
	}
	class = make([]int, n)
	for i := range n {
		if r := find(i); r < i {
			class[i] = class[r]
			continue
		}
		class[i] = len(first)
		first = append(first, i)
	}
	return class, first
}

// Arm returns the coordinates of arm i. Item returns the coordinates of distinct item i.
func (l *Model) Arm(i int) []float64  { return l.X.RawRowView(i) }
func (l *Model) Item(i int) []float64 { return l.Z.RawRowView(i) }

// Seen returns an error if the difference of two of the given items is outside the span of the
// measured arms. If the pulls follow a design, Seen returns an error only because of rounding.
func (l *Model) Seen(items []int, outside func(y []float64) float64) error {
	y := make([]float64, l.Rank)
	for _, i := range items[1:] {
		floats.SubTo(y, l.Item(i), l.Item(items[0]))
		if outside(y) > 1e-6 {
			return errCollinear
		}
	}
	return nil
}

// errCollinear occurs in published rows, so its text must not change.
var errCollinear = errors.New("policy: the arms that can tell the items left apart are too " +
	"close to collinear for least squares; drop arms that nearly coincide with others, or add " +
	"one that differs from them")

// known reports whether the answer is known without measurements, because all items are in one
// class.
func (l *Model) known() bool { return l.N == 1 }

// Answer returns the items whose class is a member of the answer, with the reasons for all items.
// The argument reasons has one reason for each class; in these reasons, By is a class. If reasons
// is nil, the answer has no reasons.
func (l *Model) Answer(member func(class int) bool, reasons []explore.Reason) explore.Answer {
	var a explore.Answer
	for i, c := range l.Class {
		if member(c) {
			a.Items = append(a.Items, i)
		}
	}
	if reasons == nil {
		return a
	}
	a.Reasons = make([]explore.Reason, len(l.Class))
	for i, c := range l.Class {
		r := reasons[c]
		r.Constraint = -1
		if r.By >= 0 {
			r.By = l.First[r.By]
		}
		a.Reasons[i] = r
	}
	return a
}

// Sizes returns for each distinct item the number of items in its class.
func (l *Model) Sizes() []int {
	sizes := make([]int, l.N)
	for _, c := range l.Class {
		sizes[c]++
	}
	return sizes
}

// class returns the member function for an answer that consists of class c only.
func class(c int) (member func(int) bool) { return func(i int) bool { return i == c } }

// compare returns the reasons for the answer best. The function ahead returns the estimated amount
// by which best is better than a distinct item i, and its half-width. An item is dominated if the
// lower end of the interval for this amount is at least 0. If the run is over, best is optimal;
// without a tolerance, all other items are then dominated.
func (l *Model) compare(
	best int, over bool, ahead func(i int) (margin, radius float64),
) []explore.Reason {
	reasons := arms.Undecided(l.N)
	own := &reasons[best]
	own.Margin = inf
	for i := range reasons {
		if i == best {
			continue
		}
		r := &reasons[i]
		margin, radius := ahead(i)
		r.By, r.Margin, r.MarginRadius = best, -margin, radius
		if margin >= radius || over && l.Epsilon == 0 {
			r.Class, r.Margin = explore.Dominated, margin
		}
		if margin-radius < own.Margin-own.MarginRadius || own.By < 0 {
			own.By, own.Margin, own.MarginRadius = i, margin, radius
		}
	}
	if own.By < 0 {
		own.Margin = 0
	}
	if over {
		own.Class = explore.Optimal
	}
	return reasons
}

// Estimator returns an empty least-squares estimator. Most policies for linear models use
// Estimator, Likelihood or Tracker; other policies have their own estimators, such as a Belief.
func (l *Model) Estimator(objectives int) *lsq.Fit { return lsq.NewFit(l.Rank, objectives) }

// Likelihood returns an empty maximum-likelihood estimator of linear predictors, for
// models with a link. A maximum-likelihood estimate need not exist. For the identity link, the
// maximum-likelihood estimate is least squares.
func (l *Model) Likelihood() *lsq.GLM { return lsq.NewGLM(l.Link, l.Rank) }

// Tracker returns a tracker of the estimated means of the distinct items, which is updated after
// every reward. The tracker uses least squares, in which reg is the weight of the squared norm of
// theta.
func (l *Model) Tracker(reg float64) *lsq.Tracker { return lsq.NewTracker(l.X, l.Z, reg) }

// inf is +Inf, which is also the minimum of an empty set of numbers.
var inf = math.Inf(1)
