package alternative

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/internal/activeset"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// After Constrain, r refers to the Pareto set of the feasible arms, whose means are in region (in
// reward units). With constraints, the set returned by Front may be empty. The constrained Pareto
// set has three kinds of alternatives (Kone, Kaufmann and Richert, "Constrained Pareto Set
// Identification with Bandit Feedback", Lemma B.3). First, a member of the set may leave the
// region. Second, a member of the set may fall below another member. Third, an arm outside the set
// may enter the set. To enter, the arm must become feasible, if it is infeasible, and must not be
// dominated by a member. If region is nil or has no constraints, all arms are feasible.
//
// After Constrain, call SetMeans. If the region has a different number of objectives, Constrain
// returns an error.
func (r *BestResponse) Constrain(region *polyhedron.Polyhedron) error {
	r.ready, r.region = false, nil
	r.enter, r.falls, r.leave = -1, -1, -1
	if region == nil {
		return nil
	}
	if n := region.Dim(); n != r.d {
		return fmt.Errorf("alternative: the region has %d objectives; expected %d, as in the rewards", n, r.d)
	}
	d := r.d
	f := &facets{set: region, d: d}
	for k := range region.Rows() {
		c := region.Constraint(k)
		size := 0.
		for _, v := range c.A {
			size = max(size, math.Abs(v))
		}
		if size == 0 {
			continue // the constraint 0 <= b holds for every valid region
		}
		a, push := make([]float64, d), make([]float64, d)
		for j, v := range c.A {
			a[j] = v / size * r.scale[j]
		}
		length := 0.
		for j := range d {
			for e, v := range a {
				push[j] += r.corr[j*d+e] * v
			}
			length += a[j] * push[j]
		}
		length = math.Sqrt(length)
		for j := range d {
			a[j] /= length
			push[j] /= length
		}
		f.row = append(f.row, k)
		f.a, f.push, f.b = append(f.a, a...), append(f.push, push...), append(f.b, c.B/size/length)
	}
	m := len(f.row)
	if m == 0 {
		return nil
	}
	f.goal = make([]float64, d)
	f.origin = make([]float64, d)
	f.rows = activeset.System{
		M: m, D: d, A: make([]float64, m*d), B: make([]float64, m), Size: make([]float64, m),
	}
	r.region = f
	return nil
}

// facets contains the constraints a_l'x <= b_l of a region in units of standard deviations, scaled
// so that a_l'R a_l = 1, where R is the correlation matrix of the objectives. A slack is a distance
// in the metric of the precision R^-1, and R a_l is the shortest direction out of the region.
type facets struct {
	set  *polyhedron.Polyhedron
	d    int
	row  []int     // m: indices of the constraints in set
	a    []float64 // m x d
	push []float64 // m x d: R a_l
	b    []float64 // m

	in    []int     // feasible arms
	facet []int     // per member: the nearest facet
	depth []float64 // per member: the distance to the nearest facet

	// The following fields hold values for the arms outside the Pareto set. For arms far from the
	// region, the projection onto the region is not computed.
	beyond  []float64 // len(out): squared distance to the farthest half-space, 0 if the arm is feasible
	away    []float64 // len(out): squared distance to the region, -1 if not computed
	nearest []float64 // len(out) x d: nearest point of the region

	goal []float64 // d: scratch of minimise

	// The following fields are scratch memory of project: the constraints in the current metric.
	origin []float64 // d: zeros
	rows   activeset.System
	qp     activeset.Projector
}

// feasible returns the arms whose means are in the region; the slice is valid until the next call.
func (r *BestResponse) feasible(mu []float64) []int {
	f := r.region
	f.in = f.in[:0]
	for i := range r.k {
		row := mu[i*r.d:][:r.d]
		for _, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				panic(panicFinite)
			}
		}
		if f.set.Contains(row) {
			f.in = append(f.in, i)
		}
	}
	return f.in
}

// contains reports whether x, in standard deviations, is in the region up to rounding.
func (f *facets) contains(x []float64) bool {
	for l, b := range f.b {
		s, size := -b, math.Abs(b)
		for c, v := range f.a[l*f.d:][:f.d] {
			v *= x[c]
			s += v
			size += math.Abs(v)
		}
		if s > rounding*size {
			return false
		}
	}
	return true
}

// For a feasible y, exit returns the nearest facet and its distance from y.
func (f *facets) exit(y []float64) (facet int, depth float64) {
	depth = math.Inf(1)
	for l, b := range f.b {
		size := math.Abs(b)
		for c, v := range f.a[l*f.d:][:f.d] {
			v *= y[c]
			b -= v
			size += math.Abs(v)
		}
		if b <= rounding*size {
			return l, 0 // y is on the boundary of the region, up to rounding
		}
		if b < depth {
			facet, depth = l, b
		}
	}
	return facet, depth
}

// violation returns the squared distance from y to the farthest half-space that y violates, or 0 if
// y is in the region.
func (f *facets) violation(y []float64) float64 {
	if f.contains(y) {
		return 0
	}
	most := 0.
	for l, b := range f.b {
		for c, v := range f.a[l*f.d:][:f.d] {
			b -= v * y[c]
		}
		most = max(most, -b)
	}
	return most * most
}

// approach moves x, the mean of an infeasible arm, to the nearest point of the region, and returns
// the squared length of the move.
func (r *BestResponse) approach(x []float64) float64 {
	f := r.region
	square := f.violation(x)
	copy(r.chol, r.precision)
	r.factor(r.d)
	copy(f.goal, x)
	if !r.project(f.goal) {
		return 0 // the arm is infeasible only by a rounding error
	}
	for c, v := range f.goal {
		r.dir[c], x[c] = v-x[c], v
	}
	// Because of rounding, square could be slightly below the squared distance to a half-space.
	// Therefore, approach returns the larger of the two.
	return max(square, r.form(r.dir))
}

// measure computes the nearest facet of each member, and lower bounds on the distances from all
// other arms to the region.
func (r *BestResponse) measure() {
	f, d := r.region, r.d
	f.facet, f.depth = resize(f.facet, len(r.front)), resize(f.depth, len(r.front))
	for q := range r.front {
		f.facet[q], f.depth[q] = f.exit(r.member(q))
	}
	n := len(r.out)
	f.beyond, f.away, f.nearest = resize(f.beyond, n), resize(f.away, n), resize(f.nearest, n*d)
	next := 0
	for q, i := range r.out {
		for next < len(f.in) && f.in[next] < i {
			next++
		}
		if next < len(f.in) && f.in[next] == i {
			copy(f.nearest[q*d:][:d], r.row(i))
			f.beyond[q], f.away[q] = 0, 0
			continue
		}
		f.beyond[q], f.away[q] = f.violation(r.row(i)), -1
	}
}

// reach returns the squared distance from out[q] to the region. At the first call for q, reach also
// computes the nearest point.
func (r *BestResponse) reach(q int) float64 {
	f := r.region
	if f.away[q] < 0 {
		x := f.nearest[q*r.d:][:r.d]
		copy(x, r.row(r.out[q]))
		f.away[q] = r.approach(x)
	}
	return f.away[q]
}

// cross considers alternatives in which an arm crosses the boundary of the region and no other arm
// moves.
func (r *BestResponse) cross() {
	f := r.region
	r.floor = 0
	for _, v := range r.w {
		r.floor = max(r.floor, v)
	}
	r.floor = cmp.Or(r.floor, 1)
	r.floor *= 1e-12
	for q, i := range r.front {
		if c := r.w[i] / 2 * f.depth[q] * f.depth[q]; c < r.best {
			r.best, r.leave, r.falls = c, q, -1
		}
	}
	for q, i := range r.out {
		if r.as[q] != infeasible || r.w[i]/2*f.beyond[q] >= r.best {
			continue
		}
		if c := r.w[i] / 2 * r.reach(q); c < r.best {
			r.best, r.enter, r.leave, r.falls = c, q, -1, -1
			copy(r.bestX, f.nearest[q*r.d:])
			for j := range r.bestP {
				r.bestP[j] = -1
			}
		}
	}
}

// Boundary stores in x, of length d, the boundary point of the region that is nearest to the mean
// of arm, and returns the squared distance. Distances are in the metric of the inverse covariance.
// For the question whether the arm is feasible, half of the squared distance is the cost per unit
// of weight of the arm. If there are no constraints, Boundary returns +Inf and stores the mean in
// x.
func (r *BestResponse) Boundary(x []float64, arm int) (square float64) {
	if !r.ready {
		panic(panicNoMeans)
	}
	if len(x) != r.d {
		panic(panicPoint)
	}
	copy(x, r.row(arm))
	square = math.Inf(1)
	if f := r.region; f != nil && slices.Contains(f.in, arm) {
		l, depth := f.exit(x)
		floats.AddScaled(x, depth, f.push[l*r.d:][:r.d])
		square = depth * depth
	} else if f != nil {
		square = r.approach(x)
	}
	floats.Mul(x, r.scale)
	return square
}

// The following functions compute where an arm enters if correlations or active constraints prevent
// a separate treatment of the objectives.

// minimise moves x to the minimum of
//
//	w_k/2 (x - y_k)'P(x - y_k) + sum of w_j/2 (y_j - x)_+^2 in objective phi(j),
//
// with x in the region if r.bounded is true, and returns the minimum. (If objectives can be treated
// separately, the method pool solves the same problem.) Each step of Newton's method minimises the
// local quadratic function over the region. Finitely many steps suffice, because the function is
// piecewise quadratic: it changes only where the term of a member becomes zero. If bounded is true,
// x must be in the region.
func (r *BestResponse) minimise(x []float64) float64 {
	wk := r.w[r.arm]
	if r.bounded {
		wk = max(wk, r.floor)
	} else if wk == 0 {
		r.lift(x)
		return 0
	}
	cost := r.at(x, wk)
	for range 100 {
		slope := r.newton(x, wk)
		quadratic := r.quadratic(x)
		for c, v := range r.dir {
			x[c] += v
		}
		next := r.at(x, wk)
		if quadratic {
			cost = next
			break
		}
		ok := false
		if cost, ok = r.shorten(x, wk, cost, next, slope); !ok {
			break
		}
	}
	if wk != r.w[r.arm] {
		return r.at(x, r.w[r.arm])
	}
	return cost
}

// lift raises x so that no member of positive weight has to be lowered. The arm has weight 0, so
// this move costs nothing.
func (r *BestResponse) lift(x []float64) {
	for q, c := range r.phi {
		if c >= 0 && r.w[r.front[q]] > 0 {
			x[c] = max(x[c], r.member(q)[c])
		}
	}
}

// newton stores in dir the step from x to the minimum of the local quadratic function of minimise,
// over the region if r.bounded is true. newton returns the negated derivative along the step, which
// is positive for a descent.
func (r *BestResponse) newton(x []float64, wk float64) (slope float64) {
	d, own := r.d, r.row(r.arm)
	// First compute the negative gradient and the Hessian of the function.
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
	copy(r.dir, r.rhs)
	r.solve(d)
	if r.bounded {
		// Replace the unconstrained step by the step to the minimum over the region.
		z := r.region.goal
		for c, v := range x {
			z[c] = v + r.rhs[c]
		}
		if r.project(z) {
			for c, v := range x {
				r.rhs[c] = z[c] - v
			}
		}
	}
	for c, v := range r.dir {
		slope += v * r.rhs[c]
	}
	copy(r.dir, r.rhs)
	return slope
}

// quadratic reports whether the function of minimise is quadratic along the whole step dir from x.
// The function is quadratic along a step if the same members have positive terms at both ends.
func (r *BestResponse) quadratic(x []float64) bool {
	for q, c := range r.phi {
		if c < 0 {
			continue
		}
		if v := r.member(q)[c] - x[c]; (v > 0) != (v-r.dir[c] > 0) {
			return false
		}
	}
	return true
}

// shorten moves x back along the step dir towards its start. The arguments cost and next are the
// costs at the start and at the end of the step. shorten stops when the cost has decreased by a
// fraction of the decrease that slope predicts, and returns the cost at the final point. shorten
// returns false if the cost decreases only by rounding errors.
func (r *BestResponse) shorten(x []float64, wk, cost, next, slope float64) (float64, bool) {
	for step := 1.; next > cost-1e-4*step*slope; {
		if step /= 2; step < 1e-9 {
			return next, false
		}
		for c, v := range r.dir {
			x[c] -= step * v
		}
		next = r.at(x, wk)
	}
	return next, true
}

// at returns the value of the function of minimise at x, for the weight wk of the arm.
func (r *BestResponse) at(x []float64, wk float64) float64 {
	own := r.row(r.arm)
	s := 0.
	for a, v := range x {
		if !r.correlated {
			s += (v - own[a]) * (v - own[a])
			continue
		}
		for b, u := range x {
			s += (v - own[a]) * (u - own[b]) * r.precision[a*r.d+b]
		}
	}
	s *= wk
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
