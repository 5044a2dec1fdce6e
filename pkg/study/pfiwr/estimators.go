package pfiwr

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy"
)

// estimator estimates theta from the contexts of all arms, a K x d matrix per round, and the
// rewards of the pulled arms.
type estimator interface {
	Add(contexts []float64, arm int, reward []float64, noisy bool)
	// Solve computes the estimate with regulariser reg, in the units of (8) for p = 1/2.
	Solve(reg float64) bool
	Means(dst, x []float64)
}

// watched contains the settings of an estimation.
type watched struct {
	// If oneArm is true, only arm 0 is pulled; otherwise, arms are pulled cyclically.
	oneArm bool
	// scale is a factor by which contexts are multiplied before use.
	scale  float64
	rounds int
	// If unit is true, the regulariser is 1 instead of lambda_t.
	unit bool
	make func(m, d int, src rand.Source) estimator
}

// estimation is a policy that estimates theta. The schedule of pulls does not depend on rewards,
// and is the same for all estimators. The estimation's answer is the Pareto set of the estimated
// means.
type estimation struct {
	watched
	name string

	prob *explore.Problem
	est  estimator
	c    policy.PFIwRConstants
	x    []float64
	t    int
}

// String returns the name of the estimator.
func (e *estimation) String() string { return e.name }

// Init implements explore.Policy.
func (e *estimation) Init(prob *explore.Problem, src rand.Source) error {
	if !prob.Changing {
		return fmt.Errorf("pfiwr: the features do not change; use an instance with changing features: "+
			"%w", explore.ErrQuestion)
	}
	if src == nil {
		src = rand.NewPCG(0, 0)
	}
	e.prob, e.t = prob, 0
	e.c = policy.PFIwRConstants{
		Arms: prob.K(), Features: prob.H(), Objectives: prob.D(), Delta: delta, P: half, Norm: 1,
	}
	e.est = e.make(prob.H(), prob.D(), src)
	e.x = make([]float64, prob.K()*prob.H())
	return nil
}

// Observe implements explore.Contextual.
func (e *estimation) Observe(x *mat.Dense) { floats.ScaleTo(e.x, e.scale, x.RawMatrix().Data) }

// Ask implements explore.Policy.
func (e *estimation) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	switch {
	case e.t == e.rounds:
		return dst, nil
	case e.oneArm:
		return append(dst, explore.Pull{Arm: 0, N: 1}), nil
	}
	return append(dst, explore.Pull{Arm: e.t % e.prob.K(), N: 1}), nil
}

// Tell implements explore.Policy.
func (e *estimation) Tell(obs []explore.Batch) error {
	e.t++
	e.est.Add(e.x, obs[0].Arm, obs[0].Sum, float64(e.t) <= e.c.Noisy(e.t))
	return nil
}

// Answer implements explore.Policy.
func (e *estimation) Answer() explore.Answer {
	mu := mat.NewDense(e.prob.K(), e.prob.D(), nil)
	mu.Mul(e.prob.X, e.Theta())
	return explore.Answer{Items: pareto.Set(mu)}
}

// Theta returns the estimate of theta, a d x L matrix, for contexts in the units of the problem.
func (e *estimation) Theta() *mat.Dense {
	theta := mat.NewDense(e.prob.H(), e.prob.D(), nil)
	if e.t == 0 {
		return theta
	}
	reg := 1.
	if !e.unit {
		reg = e.c.Lambda(e.t)
	}
	e.est.Solve(reg)
	unit := make([]float64, e.prob.H())
	for j := range unit {
		unit[j] = e.scale
		e.est.Means(theta.RawRowView(j), unit)
		unit[j] = 0
	}
	return theta
}

// half is the paper's p.
const half = .5

// ridge is ridge regression on the pulled arms, with regulariser p times reg.
type ridge struct {
	*lsq.Ridge
	m int
	p float64
}

func newRidge(p float64) func(m, d int, _ rand.Source) estimator {
	return func(m, d int, _ rand.Source) estimator { return ridge{lsq.NewRidge(m, d), m, p} }
}

// Add implements estimator.
func (r ridge) Add(contexts []float64, arm int, reward []float64, _ bool) {
	r.Ridge.Add(contexts[arm*r.m:][:r.m], 1, reward)
}

// Solve implements estimator.
func (r ridge) Solve(reg float64) bool { return r.Ridge.Solve(r.p * reg) }

// newFresh returns the doubly robust estimator with independent pseudo-actions for (8) and (9).
func newFresh(m, d int, src rand.Source) estimator { return lsq.NewDoublyRobust(m, d, half, src) }

// printed is the estimator (8)-(10) exactly as printed in the paper. The printed estimator uses
// imputed rewards and the contexts of all arms, and adds noise to the contexts of arms that were
// not pulled. Pseudo-actions are drawn repeatedly until one equals the pulled arm. The number of
// draws of pseudo-actions is not simulated, because with p = 1/2 it exceeds the paper's limit rho_t
// only with probability delta/(6 t^3).
type printed struct {
	m, d    int
	rnd     *rand.Rand
	v, a    *mat.SymDense // information matrices: the sum over all arms, and 1/p times the sum over pulled arms
	b       *mat.Dense    // m x d matrix of products of features and rewards, divided by p
	ipw     *mat.Dense    // the estimate from (8)
	theta   *mat.Dense    // the estimate from (10)
	row     *mat.VecDense
	regular *mat.SymDense
	chol    mat.Cholesky
}

func newPrinted(m, d int, src rand.Source) estimator {
	return &printed{
		m: m, d: d, rnd: rand.New(src), v: mat.NewSymDense(m, nil), a: mat.NewSymDense(m, nil),
		b: mat.NewDense(m, d, nil), ipw: mat.NewDense(m, d, nil), theta: mat.NewDense(m, d, nil),
		row: mat.NewVecDense(m, nil), regular: mat.NewSymDense(m, nil),
	}
}

// Add implements estimator.
func (e *printed) Add(contexts []float64, arm int, reward []float64, noisy bool) {
	row := e.row.RawVector().Data
	for k := 0; k < len(contexts)/e.m; k++ {
		copy(row, contexts[k*e.m:])
		if k == arm {
			e.a.SymRankOne(e.a, 1/half, e.row)
			for j, v := range row {
				floats.AddScaled(e.b.RawRowView(j), v/half, reward)
			}
		} else if noisy {
			e.addNoise(row)
		}
		e.v.SymRankOne(e.v, 1, e.row)
	}
}

// addNoise adds U of (6), a uniform draw from the unit ball, to x.
func (e *printed) addNoise(x []float64) {
	u := make([]float64, len(x))
	for j := range u {
		u[j] = e.rnd.NormFloat64()
	}
	floats.AddScaled(x, math.Pow(e.rnd.Float64(), 1/float64(len(x)))/floats.Norm(u, 2), u)
}

// Solve implements estimator: theta-IPW is the minimiser of (8), and theta is the minimiser of
// (10). Over arms and rounds, the sum of imputed rewards times contexts is V theta-IPW + b - A
// theta-IPW.
func (e *printed) Solve(reg float64) bool {
	if !e.solve(e.ipw, e.a, reg, e.b) {
		return false
	}
	var imputed, fit mat.Dense
	imputed.Mul(e.v, e.ipw)
	fit.Mul(e.a, e.ipw)
	imputed.Add(&imputed, e.b)
	imputed.Sub(&imputed, &fit)
	return e.solve(e.theta, e.v, reg, &imputed)
}

// solve stores (s + reg I)^-1 y in the matrix to, and reports whether the system has a solution.
func (e *printed) solve(to *mat.Dense, s *mat.SymDense, reg float64, y *mat.Dense) bool {
	e.regular.CopySym(s)
	for j := range e.m {
		e.regular.SetSym(j, j, s.At(j, j)+reg)
	}
	return e.chol.Factorize(e.regular) && e.chol.SolveTo(to, y) == nil
}

// Means implements estimator.
func (e *printed) Means(dst, x []float64) {
	clear(dst)
	for j, v := range x {
		floats.AddScaled(dst, v, e.theta.RawRowView(j))
	}
}

// errorAt and worstAt return the names of measures after t rounds: the norm of the error of theta
// (for features as drawn), and the largest error of a mean.
func errorAt(t int) string { return fmt.Sprintf("error@%d", t) }
func worstAt(t int) string { return fmt.Sprintf("worst@%d", t) }

// estimationErrors is a measure of the errors of estimations after the given numbers of rounds.
func estimationErrors(at []int) mc.Measure {
	m := mc.Measure{New: func(in *bandit.Instance) mc.Meter { return &errorMeter{in: in, at: at} }}
	for _, t := range at {
		m.Names = append(m.Names, errorAt(t))
	}
	for _, t := range at {
		m.Names = append(m.Names, worstAt(t))
	}
	return m
}

type errorMeter struct {
	in            *bandit.Instance
	at            []int
	errors, worst []float64
}

// Record implements explore.Recorder.
func (m *errorMeter) Record(e explore.Event) error {
	if len(m.errors) == len(m.at) || e.Pulls < m.at[len(m.errors)] {
		return nil
	}
	var off, means mat.Dense
	off.Sub(e.Policy.(*estimation).Theta(), m.in.Theta)
	means.Mul(m.in.Problem.X, &off)
	m.errors = append(m.errors, mat.Norm(&off, 2)/m.in.Law.(*bandit.Contextual).Scale())
	m.worst = append(m.worst, max(mat.Max(&means), -mat.Min(&means)))
	return nil
}

// Values implements mc.Meter.
func (m *errorMeter) Values(dst []float64, _ *explore.Result) []float64 {
	for _, x := range [][]float64{m.errors, m.worst} {
		dst = append(dst, x...)
		for range len(m.at) - len(x) {
			dst = append(dst, math.NaN())
		}
	}
	return dst
}
