package linear

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/internal/activeset"
	"github.com/purexp/purexp/pkg/lsq"
)

// Bounds restricts means that are linear up to deviations, as in the set (29) of the LinFACT paper.
type Bounds struct {
	Deviation float64 // largest deviation of a mean from the linear model
	Largest   float64 // largest absolute value of a mean
}

// The following constants control Bounds.Nearest.
const (
	// Factor on theta in a program; its square is the weight of the distance from the previous
	// theta.
	proximalWeight = 1e-2
	proximalMost   = 200 // largest number of steps
	proximalTol    = 1e-11
)

// Nearest returns the means that satisfy the bounds and are nearest to the given means: (30) of the
// LinFACT paper. The arms have features x, one arm per row. The distance weights each arm by its
// number of rewards in n. The bounds must also hold for the arms whose features are the rows of
// all; these arms need not be in x. If the iteration does not converge (because of rounding),
// Nearest returns false.
//
// Nearest solves a quadratic program in the means and theta, in which the objective does not depend
// on theta. Nearest solves the program by proximal steps. Each step adds the squared distance from
// the previous theta to the objective, which makes the step a projection onto a polyhedron. The
// means converge quickly to the solution of the original program.
func (b Bounds) Nearest(x [][]float64, n []int, mean []float64, all [][]float64) ([]float64, bool) {
	q := newProgram(b, x, n, all)
	point := make([]float64, q.rows.D)
	for k, v := range mean {
		point[q.m+k] = q.root[k] * v
	}
	size := proximalTol * (b.Largest + floats.Norm(mean, math.Inf(1)))
	var p activeset.Projector
	last, means := make([]float64, len(x)), make([]float64, len(x))
	for range proximalMost {
		if p.Project(&q.rows, point, -1) != activeset.Solved {
			return nil, false
		}
		copy(point[:q.m], p.X[:q.m])
		for k := range means {
			means[k] = p.X[q.m+k] / q.root[k]
		}
		if floats.Distance(means, last, math.Inf(1)) <= size {
			return means, true
		}
		copy(last, means)
	}
	return nil, false
}

// A program has two kinds of unknowns. Unknowns of the first kind are theta times proximalWeight,
// in coordinates in which the information matrix is the identity. Unknowns of the second kind are
// the means, each times the square root of the arm's share of rewards.
type program struct {
	m    int
	root []float64
	rows activeset.System
	l    mat.Cholesky
}

func newProgram(b Bounds, x [][]float64, n []int, all [][]float64) *program {
	m := len(x[0])
	q := &program{m: m, root: make([]float64, len(x)), rows: activeset.System{D: m + len(x)}}
	total := 0.
	for _, v := range n {
		total += float64(v)
	}
	info := mat.NewSymDense(m, nil)
	for k, row := range x {
		share := float64(n[k]) / total
		q.root[k] = math.Sqrt(share)
		info.SymRankOne(info, share, mat.NewVecDense(m, row))
	}
	if !q.l.Factorize(info) {
		// In later rounds, the measured arms may not span the model. The information matrix is then
		// singular, so a multiple of the identity is added. This changes only the coordinates of
		// theta, not the solution.
		for j, size := 0, mat.Trace(info)/float64(m); j < m; j++ {
			info.SetSym(j, j, info.At(j, j)+size)
		}
		q.l.Factorize(info)
	}
	for k, row := range x {
		q.within(b.Largest, nil, k)
		q.within(b.Deviation, row, k)
	}
	for _, row := range all {
		q.within(b.Largest+b.Deviation, row, -1)
	}
	return q
}

// within adds the two inequalities of the constraint |mean_k - y'theta| <= most. If k is -1, the
// mean is omitted; if y is nil, theta is omitted.
func (q *program) within(most float64, y []float64, k int) {
	a := make([]float64, q.rows.D)
	if y != nil {
		var l mat.TriDense
		q.l.LTo(&l)
		v := mat.NewVecDense(q.m, nil)
		if err := v.SolveVec(&l, mat.NewVecDense(q.m, y)); err != nil {
			return // an error is impossible, because the matrix is regular
		}
		floats.AddScaled(a[:q.m], -1/proximalWeight, v.RawVector().Data)
	}
	if k >= 0 {
		a[q.m+k] = 1 / q.root[k]
	}
	size := floats.Norm(a, 2)
	if size == 0 {
		return
	}
	for _, sign := range [2]float64{1, -1} {
		for _, v := range a {
			q.rows.A = append(q.rows.A, sign*v/size)
		}
		q.rows.B = append(q.rows.B, most/size)
		q.rows.M++
	}
}

// deviationSteps is the maximum number of steps in Deviating.
const deviationSteps = 5000

// Deviating fits means that are linear in the features up to deviations of at most bound. Row x_k
// of x contains the features of arm k, and mean_k is the mean of n_k rewards of arm k. Deviating
// minimises the sum over arms k of n_k (mean_k - x_k'theta - delta_k)^2 over theta and |delta_k| <=
// bound ((30) of the LinFACT paper). The results are the fit, as a function of features, and delta.
// If the minimum is not unique, Deviating returns the minimum to which the iteration converges when
// it starts from least squares.
//
// The iteration alternates between theta and delta, because for a fixed delta the best theta has a
// closed form, and vice versa. Each step costs O(K m^2 + m^3). If all residuals of least squares
// are at most bound, the first step reaches the minimum.
func Deviating(x [][]float64, n []int, mean []float64, bound float64) (
	predict func(y []float64) float64, delta []float64) {
	fit := lsq.NewFit(len(x[0]), 1)
	delta = make([]float64, len(x))
	for range deviationSteps {
		fit.Reset()
		for k, row := range x {
			fit.Add(row, n[k], []float64{float64(n[k]) * (mean[k] - delta[k])})
		}
		fit.Solve()
		moved := 0.
		for k, row := range x {
			d := mean[k] - fit.Mean(row, 0)
			d = min(max(d, -bound), bound)
			moved = max(moved, math.Abs(d-delta[k]))
			delta[k] = d
		}
		if moved <= 1e-9*bound {
			break
		}
	}
	return func(y []float64) float64 { return fit.Mean(y, 0) }, delta
}
