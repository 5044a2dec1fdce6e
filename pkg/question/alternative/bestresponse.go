package alternative

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/pareto"
)

// A BestResponse computes nature's move in the game of Pareto set identification: the cheapest
// means with a different Pareto set. The method is that of Crepon, Garivier and Koolen, "Sequential
// Learning of the Pareto Front for Multi-objective Bandits", AISTATS 2024. Arms have no features,
// and rewards are Gaussian with the known covariance Sigma. If each arm i is pulled w_i times, the
// means lambda cost
//
//	sum over i of w_i/2 (mu_i - lambda_i)'Sigma^-1 (mu_i - lambda_i).
//
// The Pareto set changes in one of two ways. First, a member i may fall below another member j;
// second, an arm k outside the set may enter the set. For arm k to enter, each member must be
// lowered to arm k in at least one objective. After Constrain, the answer is the Pareto set of the
// feasible arms. With constraints, a member may also leave the region, and an arm that enters the
// set must be in the region.
//
// Call SetMeans once, and then Cost any number of times. After the first calls, SetMeans and Cost
// allocate no memory for up to 48 arms; for more arms, SetMeans may allocate.
type BestResponse struct {
	k, d       int
	scale      []float64 // d: standard deviations
	correlated bool
	corr       []float64 // d x d: correlations
	precision  []float64 // d x d: inverse of the correlations
	region     *facets   // nil if unconstrained

	ready   bool        // whether SetMeans was called
	y       []float64   // k x d: means in standard deviations
	front   []int       // indices of the p members
	out     []int       // indices of all other arms
	order   []int       // d x p: members by descending mean of each objective
	fall    []float64   // p x p: squared distance by which member i must fall to be below member j
	deficit []float64   // len(out) x p: lead of member j over arm k in every objective
	as      []rejection // len(out): claims about the arms of out

	// The following fields are the state of a search for the best map from members to the
	// objectives in which they are lowered. Each level of the search has one row in the following
	// tables.
	w       []float64
	arm     int
	bounded bool      // whether the arm that enters must be in the region
	floor   float64   // in Newton's method, the least weight of the arm that enters
	phi     []int     // p: the objective of each member, or -1 if the member is not lowered
	x       []float64 // (p+1) x d: position of the arm that enters, ignoring the region
	cost    []float64 // (p+1) x d: cost by objective; for correlated objectives, the first entry is the total
	in      []float64 // (p+1) x d: position of the arm that enters, restricted to the region
	total   []float64 // p+1: cost of the position in the region
	limit   []float64 // (p+1) x d x d: upper bounds of x_b - x_a
	bound   []float64 // len(out): lower bounds on the cost of entering, +Inf for arms that are done

	best  float64
	enter int       // position in out of the arm that enters, or -1
	falls int       // position in front of the member that falls, or -1
	below int       // position in front of the member below which the member falls
	leave int       // position in front of the member that leaves the region, or -1
	bestX []float64 // d
	bestP []int     // p

	sub            []int // scratch of descend: rows of the system
	chol, rhs, dir []float64
}

// The following constants are panic messages of a BestResponse.
const (
	panicMeans   = "alternative: the number of means differs from the number of arms times objectives"
	panicWeights = "alternative: the number of weights differs from the number of arms"
	panicNoMeans = "alternative: BestResponse used before SetMeans"
	panicNoCost  = "alternative: BestResponse has no alternative: Cost was not called, or was infinite"
	panicNone    = "alternative: BestResponse needs at least one arm and one objective"
	panicFinite  = "alternative: a mean is not finite"
	panicPoint   = "alternative: the length of a point differs from the number of objectives"
)

// New returns a BestResponse for k arms and d objectives whose rewards have covariance cov (d x d,
// in squared reward units). If cov is nil, the covariance is the identity. New returns an error if
// cov is not positive definite or is not d x d, and panics if k or d is not positive.
func New(k, d int, cov mat.Symmetric) (*BestResponse, error) {
	if k < 1 || d < 1 {
		panic(panicNone)
	}
	r := &BestResponse{
		k: k, d: d, scale: make([]float64, d),
		corr: make([]float64, d*d), precision: make([]float64, d*d),
		y: make([]float64, k*d), bestX: make([]float64, d), enter: -1, falls: -1, leave: -1,
		sub: make([]int, 0, d), chol: make([]float64, d*d),
		rhs: make([]float64, d), dir: make([]float64, d),
	}
	for c := range d {
		r.scale[c], r.corr[c*d+c], r.precision[c*d+c] = 1, 1, 1
	}
	if cov == nil {
		return r, nil
	}
	if n := cov.SymmetricDim(); n != d {
		return nil, fmt.Errorf("alternative: the covariance has %d objectives; expected %d, as in the rewards", n, d)
	}
	for c := range d {
		v := cov.At(c, c)
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("alternative: the variance of objective %d is %v; expected a positive number", c, v)
		}
		r.scale[c] = math.Sqrt(v)
	}
	sym := mat.NewSymDense(d, nil)
	for a := range d {
		for b := range a {
			v := cov.At(a, b) / r.scale[a] / r.scale[b]
			r.corr[a*d+b], r.corr[b*d+a] = v, v
			r.correlated = r.correlated || v != 0
		}
	}
	for a := range d {
		for b := range d {
			sym.SetSym(a, b, r.corr[a*d+b])
		}
	}
	if !r.correlated {
		return r, nil
	}
	var chol mat.Cholesky
	if !chol.Factorize(sym) || !(chol.Cond() < 1e12) {
		return nil, fmt.Errorf("alternative: the covariance of the objectives is singular, because, up to rounding, " +
			"one objective is a linear combination of other objectives; leave that objective out")
	}
	var inverse mat.SymDense
	if err := chol.InverseTo(&inverse); err != nil {
		return nil, fmt.Errorf("alternative: the covariance of the objectives: %w", err)
	}
	for a := range d {
		for b := range d {
			r.precision[a*d+b] = inverse.At(a, b)
		}
	}
	return r, nil
}

// SetMeans copies the means, K x d, row-major and in reward units; it removes the reasons set by
// Reject. SetMeans panics if the number of means is wrong or if a mean is not finite. SetMeans
// takes O(K log K + p^2 d + K p d) operations for p members. For correlated objectives, SetMeans
// also solves p^2 linear complementarity problems of size d.
func (r *BestResponse) SetMeans(mu []float64) {
	d := r.d
	if len(mu) != r.k*d {
		panic(panicMeans)
	}
	for i, v := range mu {
		r.y[i] = v / r.scale[i%d]
	}
	if r.region == nil {
		r.front = pareto.AppendSet(r.front[:0], mu, d)
	} else {
		r.front = pareto.AppendSetOf(r.front[:0], mu, d, r.feasible(mu))
	}
	p, next := len(r.front), 0
	r.out = r.out[:0]
	for i := range r.k {
		if next < p && r.front[next] == i {
			next++
			continue
		}
		r.out = append(r.out, i)
	}
	r.order = resize(r.order, d*p)
	for c := range d {
		o := r.order[c*p:][:p]
		for q := range o {
			o[q] = q
		}
		slices.SortFunc(o, func(a, b int) int {
			return cmp.Or(cmp.Compare(r.member(b)[c], r.member(a)[c]), a-b)
		})
	}
	r.fall = resize(r.fall, p*p)
	for i := range p {
		for j := range p {
			if j != i {
				r.fall[i*p+j] = r.descend(r.member(i), r.member(j))
			}
		}
	}
	r.deficit = resize(r.deficit, len(r.out)*p)
	for q, i := range r.out {
		for j := range p {
			r.deficit[q*p+j] = max(0, pareto.Deficit(r.row(i), r.member(j)))
		}
	}
	r.phi, r.bestP = resize(r.phi, p), resize(r.bestP, p)
	r.x, r.cost = resize(r.x, (p+1)*d), resize(r.cost, (p+1)*d)
	r.in, r.total = resize(r.in, (p+1)*d), resize(r.total, p+1)
	r.limit, r.bound = resize(r.limit, (p+1)*d*d), resize(r.bound, len(r.out))
	r.as = resize(r.as, len(r.out))
	clear(r.as)
	if r.region != nil {
		r.measure()
	}
	r.enter, r.falls, r.leave, r.ready = -1, -1, -1, true
}

// resize returns a slice of length n with arbitrary contents, which reuses the memory of s if
// possible.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func (r *BestResponse) row(i int) []float64    { return r.y[i*r.d:][:r.d] }
func (r *BestResponse) member(q int) []float64 { return r.row(r.front[q]) }

// Front returns the Pareto set of the means, in ascending order. After Constrain, Front returns the
// Pareto set of the feasible means, which may be empty. The returned slice is valid until the next
// SetMeans and must not be changed.
func (r *BestResponse) Front() []int { return r.front }

// Cost returns F(w), the cost of the cheapest alternative for the weights w, one per arm. The
// weights must be at least 0; they need not sum to 1. If no alternative exists, for example for one
// arm without constraints, F(w) is +Inf. If grad is not nil, Cost stores in it the cost of the
// cheapest alternative per unit of weight of each arm. The vector grad is a super-gradient of the
// concave F: w.grad = F(w) and v.grad >= F(v) for all v. Cost panics if the length of w or grad is
// not K.
//
// The returned cost is exact up to rounding. For an arm that enters the set, branch and bound finds
// the objective in which each member is lowered. A node of the search fixes, for some members, the
// objective in which each is lowered; its children lower one more member that dominates the arm. A node
// is pruned if its cost is too high, or if it is not the cheapest for any position of the arm. For
// each arm, at most C(p+d-1, d-1) leaves remain, at a cost of O(p + d^2) per node. Most arms are
// excluded immediately, because an entering arm must at least reach the member that is better by
// the largest amount. If there are constraints, a node at which the arm would be infeasible needs a
// small quadratic program.
//
// (With constraints, an arm of weight 0 might have to move other arms. If a constraint is active,
// Cost therefore gives the entering arm a weight of at least 1e-12 times the largest weight. This
// minimum weight may make F slightly too large.)
func (r *BestResponse) Cost(grad, w []float64) float64 {
	if !r.ready {
		panic(panicNoMeans)
	}
	if len(w) != r.k || grad != nil && len(grad) != r.k {
		panic(panicWeights)
	}
	r.w, r.best, r.enter, r.falls, r.leave = w, math.Inf(1), -1, -1, -1
	p := len(r.front)
	for i := range p {
		wi := w[r.front[i]]
		for j := range p {
			if j == i {
				continue
			}
			if c := harmonic(wi, w[r.front[j]]) * r.fall[i*p+j] / 2; c < r.best {
				r.best, r.falls, r.below = c, i, j
			}
		}
	}
	if r.region != nil {
		r.cross()
	}
	for q, i := range r.out {
		if r.as[q] == infeasible {
			r.bound[q] = math.Inf(1) // the method cross has already considered the arm
			continue
		}
		b := 0.
		for j, v := range r.deficit[q*p:][:p] {
			b = max(b, harmonic(w[i], w[r.front[j]])*v*v/2)
		}
		if r.region != nil && r.as[q] == outside {
			b = max(b, w[i]/2*max(r.region.beyond[q], r.region.away[q]))
		}
		r.bound[q] = b
	}
	for len(r.bound) > 0 {
		q := floats.MinIdx(r.bound)
		if !(r.bound[q] < r.best) {
			break
		}
		r.bound[q] = math.Inf(1)
		r.start(q)
	}
	if grad != nil {
		r.gradient(grad)
	}
	return r.best
}

// harmonic returns a b/(a + b), or 0 if both are 0.
func harmonic(a, b float64) float64 {
	if s := a + b; s > 0 {
		return a / s * b
	}
	return 0
}
