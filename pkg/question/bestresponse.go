package question

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
)

// A BestResponse is nature's move in the game of Pareto set identification: the
// means with another Pareto set that are cheapest to mistake for the true ones
// (Crepon, Garivier and Koolen, "Sequential Learning of the Pareto Front for
// Multi-objective Bandits", AISTATS 2024). Arms have no structure, rewards are
// Gaussian of known covariance Sigma. If arm i is pulled w_i times, means lambda
// cost
//
//	sum over i of w_i/2 (mu_i - lambda_i)'Sigma^-1 (mu_i - lambda_i).
//
// The set changes in one of two ways. Either a member i of it falls below
// another member j; or an arm k outside enters, for which each member must be
// lowered to it in at least one objective.
//
// Set the means with SetMeans, then call Cost as often as wanted. Neither
// allocates once memory has grown, for up to 48 arms; SetMeans may beyond.
type BestResponse struct {
	k, d       int
	scale      []float64 // d: standard deviations
	correlated bool
	corr       []float64 // d x d: correlations
	precision  []float64 // d x d: their inverse

	y       []float64 // k x d: means in standard deviations
	front   []int     // members, p of them
	out     []int     // the other arms
	order   []int     // d x p: members by descending mean of each objective
	fall    []float64 // p x p: squared distance that i has to fall to be below j
	deficit []float64 // len(out) x p: how far j is ahead of k in every objective

	// The search for the map that tells in which objective each member is
	// lowered, for the arm that enters; one row a level.
	w     []float64
	arm   int
	phi   []int     // p: the objective, -1 if the member is not lowered
	x     []float64 // (p+1) x d: where the arm goes
	cost  []float64 // (p+1) x d: what each objective costs; the first one all if correlated
	limit []float64 // (p+1) x d x d: upper bounds of x_b - x_a
	bound []float64 // len(out): lower bounds, +Inf once done

	best  float64
	enter int // the arm that enters, -1 if a member falls
	falls int // positions in front, if a member falls
	below int
	bestX []float64 // d
	bestP []int     // p

	sub            []int // scratch of solve: rows of the system
	chol, rhs, dir []float64
}

// Panics of a BestResponse.
const (
	panicMeans   = "question: the number of means is not that of arms times objectives"
	panicWeights = "question: the number of weights is not that of arms"
	panicNoMeans = "question: BestResponse used before SetMeans"
	panicNoCost  = "question: BestResponse has no alternative: Cost was not called, or was infinite"
	panicNone    = "question: BestResponse for no arms or no objectives"
)

// NewBestResponse returns a BestResponse for k arms and d objectives whose
// rewards have covariance cov (d x d, in squared reward units); nil is the
// identity. It fails if cov is not positive definite or has another shape, and
// panics if k or d is not positive.
func NewBestResponse(k, d int, cov mat.Symmetric) (*BestResponse, error) {
	if k < 1 || d < 1 {
		panic(panicNone)
	}
	r := &BestResponse{
		k: k, d: d, scale: make([]float64, d), corr: make([]float64, d*d), precision: make([]float64, d*d),
		y: make([]float64, k*d), bestX: make([]float64, d), enter: -1, falls: -1,
		sub: make([]int, 0, d), chol: make([]float64, d*d), rhs: make([]float64, d), dir: make([]float64, d),
	}
	for c := range d {
		r.scale[c], r.corr[c*d+c], r.precision[c*d+c] = 1, 1, 1
	}
	if cov == nil {
		return r, nil
	}
	if n := cov.SymmetricDim(); n != d {
		return nil, fmt.Errorf("question: a covariance of %d objectives for rewards with %d", n, d)
	}
	for c := range d {
		v := cov.At(c, c)
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("question: the variance of objective %d is %v; want a positive number", c, v)
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
		return nil, fmt.Errorf("question: the covariance of the objectives is singular: some objective is a combination of others, up to rounding")
	}
	var inverse mat.SymDense
	if err := chol.InverseTo(&inverse); err != nil {
		return nil, fmt.Errorf("question: the covariance of the objectives: %w", err)
	}
	for a := range d {
		for b := range d {
			r.precision[a*d+b] = inverse.At(a, b)
		}
	}
	return r, nil
}

// SetMeans sets the means, K x d, row-major and in reward units, and copies
// them. It panics if their number is wrong, and with pareto.ErrNotFinite if one
// is not finite. Cost: O(K log K + p^2 d + K p d) for p members, where
// objectives are correlated p^2 little linear systems more.
func (r *BestResponse) SetMeans(mu []float64) {
	d := r.d
	if len(mu) != r.k*d {
		panic(panicMeans)
	}
	for i, v := range mu {
		r.y[i] = v / r.scale[i%d]
	}
	r.front = pareto.AppendSet(r.front[:0], mu, d)
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
			u, v := r.member(a)[c], r.member(b)[c]
			switch {
			case u > v:
				return -1
			case u < v:
				return 1
			}
			return a - b
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
	r.limit, r.bound = resize(r.limit, (p+1)*d*d), resize(r.bound, len(r.out))
	r.enter, r.falls = -1, -1
}

// resize returns s with length n and any content, reusing its memory.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func (r *BestResponse) row(i int) []float64    { return r.y[i*r.d:][:r.d] }
func (r *BestResponse) member(q int) []float64 { return r.row(r.front[q]) }

// Front returns the Pareto set of the means, in ascending order. The slice is
// valid until the next SetMeans and must not be changed.
func (r *BestResponse) Front() []int { return r.front }

// Cost returns F(w), the cost of the cheapest alternative for the weights w, one
// an arm, at least 0; they may but need not sum to 1. It is +Inf for one arm,
// which has no alternative. If grad is not nil, it is set to what a unit of
// weight of each arm adds to the cost of that alternative, a super-gradient of
// the concave F: w.grad = F(w) and v.grad >= F(v) for all v. Cost panics if the
// length of w or grad is not K.
//
// It is exact up to rounding. The objective in which each member is lowered for
// an arm that enters is found by branch and bound: branches are members that
// still dominate, pruned by the cost so far and by whether any arm could be
// cheapest that way. At most C(p+d-1, d-1) leaves an arm are left, O(p + d^2)
// a node, and most arms are excluded at once: to enter, k has to get even with
// the member that is furthest ahead of it.
func (r *BestResponse) Cost(grad, w []float64) float64 {
	if r.front == nil {
		panic(panicNoMeans)
	}
	if len(w) != r.k || grad != nil && len(grad) != r.k {
		panic(panicWeights)
	}
	r.w, r.best, r.enter, r.falls = w, math.Inf(1), -1, -1
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
	for q, i := range r.out {
		b := 0.
		for j, v := range r.deficit[q*p:][:p] {
			b = max(b, harmonic(w[i], w[r.front[j]])*v*v/2)
		}
		r.bound[q] = b
	}
	for {
		q, least := -1, r.best
		for i, b := range r.bound {
			if b < least {
				q, least = i, b
			}
		}
		if q < 0 {
			break
		}
		r.bound[q] = math.Inf(1)
		r.start(r.out[q])
	}
	if grad != nil {
		r.gradient(grad)
	}
	return r.best
}

// harmonic returns a b/(a + b), 0 if both are 0.
func harmonic(a, b float64) float64 {
	if s := a + b; s > 0 {
		return a / s * b
	}
	return 0
}

// start searches the alternatives in which arm enters.
func (r *BestResponse) start(arm int) {
	r.arm = arm
	for j := range r.phi {
		r.phi[j] = -1
	}
	copy(r.x[:r.d], r.row(arm))
	clear(r.cost[:r.d])
	h := r.limit[:r.d*r.d]
	for i := range h {
		h[i] = math.Inf(1)
	}
	for c := range r.d {
		h[c*r.d+c] = 0
	}
	r.branch(0)
}

// branch lowers one more member than the level, or notes the alternative if
// none dominates the arm any more: then it is the cheapest of the subtree, whose
// others only lower more.
func (r *BestResponse) branch(level int) {
	d := r.d
	x, wk := r.x[level*d:][:d], r.w[r.arm]
	pick, most := -1, -1.
	for q, j := range r.front {
		if r.phi[q] >= 0 {
			continue
		}
		ahead := math.Inf(1)
		for c, v := range r.row(j) {
			ahead = min(ahead, v-x[c])
		}
		if ahead > 0 {
			if s := harmonic(wk, r.w[j]) * ahead * ahead; s > most {
				pick, most = q, s
			}
		}
	}
	if pick < 0 {
		total := 0.
		for _, v := range r.cost[level*d:][:d] {
			total += v
		}
		if total < r.best {
			r.best, r.enter = total, r.arm
			copy(r.bestX, x)
			copy(r.bestP, r.phi)
		}
		return
	}
	// The objective with the least to lower is the most promising.
	v := r.member(pick)
	first := 0
	for c := range d {
		if v[c]-x[c] < v[first]-x[first] {
			first = c
		}
	}
	r.lower(level, pick, first)
	for c := range d {
		if c != first {
			r.lower(level, pick, c)
		}
	}
	r.phi[pick] = -1
}

// lower explores the alternatives in which member q is lowered in objective c.
func (r *BestResponse) lower(level, q, c int) {
	r.phi[q] = c
	if !r.admit(level, q, c) {
		return
	}
	d := r.d
	x, cost := r.x[(level+1)*d:][:d], r.cost[(level+1)*d:][:d]
	copy(x, r.x[level*d:][:d])
	copy(cost, r.cost[level*d:][:d])
	if r.correlated {
		cost[0] = r.settle(x)
	} else {
		x[c], cost[c] = r.pool(c)
	}
	total := 0.
	for _, v := range cost {
		total += v
	}
	if total < r.best {
		r.branch(level + 1)
	}
}

// admit reports whether some x has, for every member j lowered so far, its least
// distance y_j^c - x^c in the objective c = phi(j): otherwise another map is
// cheaper for whatever x. That is, x^b - x^c <= y_j^b - y_j^c for all b:
// constraints on differences, of which the matrix of the next level holds the
// closure. They have a solution if no cycle is negative.
func (r *BestResponse) admit(level, q, c int) bool {
	d := r.d
	old, h := r.limit[level*d*d:][:d*d], r.limit[(level+1)*d*d:][:d*d]
	copy(h, old)
	v := r.member(q)
	row := h[c*d:][:d]
	for b := range d {
		row[b] = min(row[b], v[b]-v[c])
	}
	// Only paths through c are new, and no shortest one leaves it twice.
	for b := range d {
		for e := range d {
			row[e] = min(row[e], row[b]+old[b*d+e])
		}
	}
	for a := range d {
		if a == c {
			continue
		}
		to := old[a*d+c]
		for e := range d {
			h[a*d+e] = min(h[a*d+e], to+row[e])
		}
	}
	for a := range d {
		if size := math.Abs(v[a]) + math.Abs(v[c]); h[a*d+a] < -1e-14*size {
			return false
		}
	}
	return true
}

// pool returns the x that minimises
//
//	w_k/2 (x - y_k)^2 + sum of w_j/2 (y_j - x)_+^2
//
// over the members j lowered in objective c, and the minimum. From the top, each
// member that is still above the weighted mean of the arm and the members before
// joins them.
func (r *BestResponse) pool(c int) (x, cost float64) {
	p, wk, own := len(r.front), r.w[r.arm], r.row(r.arm)[c]
	order := r.order[c*p:][:p]
	x = own
	weight, shift := wk, 0. // shift/weight = x - own
	for _, q := range order {
		if r.phi[q] != c {
			continue
		}
		wj, v := r.w[r.front[q]], r.member(q)[c]
		if v <= x {
			break
		}
		if wj == 0 {
			continue // lowered for nothing
		}
		weight += wj
		shift += wj * (v - own)
		x = own + shift/weight
	}
	cost = wk / 2 * (x - own) * (x - own)
	for _, q := range order {
		if r.phi[q] != c {
			continue
		}
		v := r.member(q)[c] - x
		if v <= 0 {
			break
		}
		cost += r.w[r.front[q]] / 2 * v * v
	}
	return x, cost
}

// gradient sets grad to half the squared displacement of each arm.
func (r *BestResponse) gradient(grad []float64) {
	clear(grad)
	switch {
	case r.enter >= 0:
		for c, v := range r.row(r.enter) {
			r.dir[c] = r.bestX[c] - v
		}
		grad[r.enter] = r.form(r.dir) / 2
		for q, c := range r.bestP {
			if c >= 0 {
				v := max(0, r.member(q)[c]-r.bestX[c])
				grad[r.front[q]] = v * v / 2
			}
		}
	case r.falls >= 0:
		i, j := r.front[r.falls], r.front[r.below]
		share, half := r.share(), r.fall[r.falls*len(r.front)+r.below]/2
		grad[i], grad[j] = (1-share)*(1-share)*half, share*share*half
	}
}

// share returns w_i/(w_i + w_j) for the member i that falls below j: the part of
// the way that j rises.
func (r *BestResponse) share() float64 {
	wi, wj := r.w[r.front[r.falls]], r.w[r.front[r.below]]
	if wi+wj == 0 {
		return .5
	}
	return wi / (wi + wj)
}

// form returns z'P z for the precision P of the objectives.
func (r *BestResponse) form(z []float64) float64 {
	s := 0.
	for a, u := range z {
		if !r.correlated {
			s += u * u
			continue
		}
		for b, v := range z {
			s += u * v * r.precision[a*r.d+b]
		}
	}
	return s
}

// An Alternative is a set of means with another Pareto set.
type Alternative struct {
	// Arm is the arm whose status changes. If it falls, By is the member of the
	// Pareto set that comes to dominate it, or to equal it; By is -1 if Arm
	// enters the set.
	Arm, By int
	// Means are those of all arms, K x d, in reward units. The set changes if
	// they are passed by ever so little.
	Means *mat.Dense
}

// Explain says in a sentence what changes, with the names of p.
func (a Alternative) Explain(p *explore.Problem) string {
	if a.By < 0 {
		return p.Arm(a.Arm) + " would enter the Pareto set"
	}
	return fmt.Sprintf("%s would fall below %s", p.Arm(a.Arm), p.Arm(a.By))
}

// Alternative returns the alternative of the last call of Cost. It panics if
// there was none.
func (r *BestResponse) Alternative() Alternative {
	d := r.d
	if r.enter < 0 && r.falls < 0 {
		panic(panicNoCost)
	}
	y := mat.NewDense(r.k, d, slices.Clone(r.y))
	a := Alternative{Arm: r.enter, By: -1, Means: y}
	if r.enter >= 0 {
		y.SetRow(r.enter, r.bestX)
		for q, c := range r.bestP {
			if c < 0 {
				continue
			}
			// Lowered in objective c, a member takes the others along as far
			// as they are correlated.
			if v := r.member(q)[c] - r.bestX[c]; v > 0 {
				for b := range d {
					y.Set(r.front[q], b, r.member(q)[b]-v*r.corr[c*d+b])
				}
			}
		}
	} else {
		i, j := r.falls, r.below
		a.Arm, a.By = r.front[i], r.front[j]
		r.descend(r.member(i), r.member(j)) // leaves the way in dir
		for c, z := range r.dir {
			y.Set(a.Arm, c, r.member(i)[c]-(1-r.share())*z)
			y.Set(a.By, c, r.member(j)[c]+r.share()*z)
		}
	}
	for i := range r.k {
		for c := range d {
			y.Set(i, c, y.At(i, c)*r.scale[c])
		}
	}
	return a
}

// descend returns the squared length, in the metric of the precision P, of the
// shortest z with a - z <= b, which it leaves in dir: positive parts, if the
// objectives are not correlated.
//
// By duality z = R g for multipliers g >= 0 and correlations R, and g is 0 where
// z exceeds a - b: a linear complementarity problem, solved by Murty's least-index
// method, which ends because R is positive definite.
func (r *BestResponse) descend(a, b []float64) float64 {
	d, z := r.d, r.dir
	if !r.correlated {
		s := 0.
		for c, v := range a {
			z[c] = max(0, v-b[c])
			s += z[c] * z[c]
		}
		return s
	}
	r.sub = r.sub[:0]
	for {
		// g on the rows sub, in rhs; z = R g.
		for q, e := range r.sub {
			r.rhs[q] = a[e] - b[e]
			for t, f := range r.sub {
				r.chol[q*d+t] = r.corr[e*d+f]
			}
		}
		r.solve(len(r.sub))
		clear(z)
		for q, e := range r.sub {
			for c := range d {
				z[c] += r.corr[c*d+e] * r.rhs[q]
			}
		}
		flip, at, found := -1, 0, false
		for c := range d {
			q, in := slices.BinarySearch(r.sub, c)
			if in && r.rhs[q] < 0 || !in && z[c] < a[c]-b[c]-1e-13*(math.Abs(a[c])+math.Abs(b[c])) {
				flip, at, found = c, q, in
				break
			}
		}
		if flip < 0 {
			return max(0, r.form(z))
		}
		if found {
			r.sub = slices.Delete(r.sub, at, at+1)
		} else {
			r.sub = slices.Insert(r.sub, at, flip)
		}
	}
}

// solve solves the positive definite system of the leading n rows of chol, whose
// lower triangle it overwrites, for rhs, which becomes the solution.
func (r *BestResponse) solve(n int) {
	l, y, d := r.chol, r.rhs, r.d
	for i := range n {
		for j := range i + 1 {
			s := l[i*d+j]
			for k := range j {
				s -= l[i*d+k] * l[j*d+k]
			}
			if i == j {
				l[i*d+i] = math.Sqrt(s)
			} else {
				l[i*d+j] = s / l[j*d+j]
			}
		}
		for k := range i {
			y[i] -= l[i*d+k] * y[k]
		}
		y[i] /= l[i*d+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			y[i] -= l[k*d+i] * y[k]
		}
		y[i] /= l[i*d+i]
	}
}

// settle moves x to where
//
//	w_k/2 (x - y_k)'P(x - y_k) + sum of w_j/2 (y_j - x)_+^2 in objective phi(j)
//
// is least and returns the minimum: pool for correlated objectives. Newton's
// method ends after finitely many steps, as the function is quadratic between the
// points where members begin or cease to count.
func (r *BestResponse) settle(x []float64) float64 {
	d, wk, own := r.d, r.w[r.arm], r.row(r.arm)
	if wk == 0 {
		for q, c := range r.phi {
			if c >= 0 && r.w[r.front[q]] > 0 {
				x[c] = max(x[c], r.member(q)[c])
			}
		}
		return 0
	}
	cost := r.at(x)
	for range 100 {
		// Gradient and Hessian.
		for a := range d {
			r.rhs[a] = 0
			for b := range d {
				v := wk * r.precision[a*d+b]
				r.chol[a*d+b] = v
				r.rhs[a] -= v * (x[b] - own[b])
			}
		}
		for q, c := range r.phi {
			if c < 0 {
				continue
			}
			if v := r.member(q)[c] - x[c]; v > 0 {
				wj := r.w[r.front[q]]
				r.chol[c*d+c] += wj
				r.rhs[c] += wj * v
			}
		}
		slope := 0.
		copy(r.dir, r.rhs)
		r.solve(d)
		for c, v := range r.dir {
			slope += v * r.rhs[c]
		}
		copy(r.dir, r.rhs)
		same := true
		for q, c := range r.phi {
			if c >= 0 {
				v := r.member(q)[c] - x[c]
				same = same && (v > 0) == (v-r.dir[c] > 0)
			}
		}
		for c, v := range r.dir {
			x[c] += v
		}
		next := r.at(x)
		if same {
			return next
		}
		for step := 1.; next > cost-1e-4*step*slope; {
			if step /= 2; step < 1e-9 {
				return next // no descent but rounding
			}
			for c, v := range r.dir {
				x[c] -= step * v
			}
			next = r.at(x)
		}
		cost = next
	}
	return cost
}

// at returns the function that settle minimises.
func (r *BestResponse) at(x []float64) float64 {
	own := r.row(r.arm)
	s := 0.
	for a, v := range x {
		for b, u := range x {
			s += (v - own[a]) * (u - own[b]) * r.precision[a*r.d+b]
		}
	}
	s *= r.w[r.arm]
	for q, c := range r.phi {
		if c < 0 {
			continue
		}
		if v := r.member(q)[c] - x[c]; v > 0 {
			s += r.w[r.front[q]] * v * v
		}
	}
	return s / 2
}
