package alternative

import (
	"math"
	"slices"
)

// The following functions search for the cheapest alternative in which an arm enters: they find the
// objective in which each member is lowered.

// start searches among the alternatives in which out[q] enters.
func (r *BestResponse) start(q int) {
	r.arm = r.out[q]
	for j := range r.phi {
		r.phi[j] = -1
	}
	copy(r.x[:r.d], r.row(r.arm))
	clear(r.cost[:r.d])
	r.total[0] = 0
	r.bounded = r.region != nil && r.as[q] == outside
	if r.bounded {
		r.total[0] = r.w[r.arm] / 2 * r.reach(q)
		if r.total[0] >= r.best {
			return
		}
		copy(r.in[:r.d], r.region.nearest[q*r.d:])
	}
	h := r.limit[:r.d*r.d]
	for i := range h {
		h[i] = math.Inf(1)
	}
	for c := range r.d {
		h[c*r.d+c] = 0
	}
	r.branch(0, q)
}

// branch extends the search by one level, at which one more member is lowered. If no member
// dominates the arm any more, branch records the alternative, which is the cheapest of the subtree,
// because all other alternatives lower even more members.
func (r *BestResponse) branch(level, out int) {
	d := r.d
	x, wk := r.x[level*d:][:d], r.w[r.arm]
	if r.bounded {
		x = r.in[level*d:][:d]
	}
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
		if total := r.total[level]; total < r.best {
			r.best, r.enter, r.falls, r.leave = total, out, -1, -1
			copy(r.bestX, x)
			copy(r.bestP, r.phi)
		}
		return
	}
	// The objective with the smallest difference is the most promising.
	v := r.member(pick)
	first := 0
	for c := range d {
		if v[c]-x[c] < v[first]-x[first] {
			first = c
		}
	}
	r.lower(level, out, pick, first)
	for c := range d {
		if c != first {
			r.lower(level, out, pick, c)
		}
	}
	r.phi[pick] = -1
}

// lower explores the alternatives in which member q is lowered in objective c.
func (r *BestResponse) lower(level, out, q, c int) {
	r.phi[q] = c
	if !r.admit(level, q, c) {
		return
	}
	d, next := r.d, level+1
	x, cost := r.x[next*d:][:d], r.cost[next*d:][:d]
	if r.bounded && r.correlated {
		in := r.in[next*d:][:d]
		copy(in, r.in[level*d:])
		r.total[next] = r.minimise(in)
	} else {
		copy(x, r.x[level*d:][:d])
		copy(cost, r.cost[level*d:][:d])
		if r.correlated {
			cost[0] = r.minimise(x)
		} else {
			x[c], cost[c] = r.pool(c)
		}
		total := 0.
		for _, v := range cost {
			total += v
		}
		r.total[next] = total
		if r.bounded && total < r.best {
			in := r.in[next*d:][:d]
			if r.region.contains(x) {
				copy(in, x)
			} else {
				copy(in, r.in[level*d:])
				r.total[next] = r.minimise(in)
			}
		}
	}
	if r.total[next] < r.best {
		r.branch(next, out)
	}
}

// admit reports whether some x is nearest to every lowered member j in the objective c = phi(j),
// that is, y_j^c - x^c is the smallest entry of y_j - x. If no such x exists, another map from
// members to objectives is cheaper for every x. The condition x^b - x^c <= y_j^b - y_j^c for all b
// is a system of constraints on differences. The matrix of the next level is the closure of the
// constraints on differences. The constraints have a solution if no cycle has a negative length.
func (r *BestResponse) admit(level, q, c int) bool {
	d := r.d
	old, h := r.limit[level*d*d:][:d*d], r.limit[(level+1)*d*d:][:d*d]
	copy(h, old)
	v := r.member(q)
	row := h[c*d:][:d]
	for b := range d {
		row[b] = min(row[b], v[b]-v[c])
	}
	// Only paths through objective c are new, and a shortest path leaves c only once.
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
// where the sum is over the members j that are lowered in objective c. pool also returns the
// minimum. Beginning with the largest member, pool adds each member that is above the weighted mean
// of the arm and the previous members to this mean.
func (r *BestResponse) pool(c int) (x, cost float64) {
	p, wk, own := len(r.front), r.w[r.arm], r.row(r.arm)[c]
	order := r.order[c*p:][:p]
	x = own
	weight, shift := wk, 0. // shift/weight is the distance of x from the arm's coordinate own
	for _, q := range order {
		if r.phi[q] != c {
			continue
		}
		wj, v := r.w[r.front[q]], r.member(q)[c]
		if v <= x {
			break
		}
		if wj == 0 {
			continue // the member is lowered to the arm at no cost
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

// The following functions implement the metric of correlated objectives: lengths, and the shortest
// displacement by which one member falls below another. In the functions below, all vectors are in
// units of standard deviations. In these units, the covariance matrix is the correlation matrix R,
// and the metric is the inverse of R, the precision matrix P.

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

// descend returns the squared length, in the metric of the precision P, of the shortest z with a -
// z <= b, and stores this z in dir. For uncorrelated objectives, z consists of the positive parts
// of a - b.
//
// By duality, z = R g for multipliers g >= 0 and correlations R, and g is 0 where z exceeds a - b.
// The duality conditions are a linear complementarity problem, solved by Murty's least-index
// method, which terminates because R is positive definite.
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
		// The entries of g for the rows in sub are stored in rhs; z = R g.
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

// factor overwrites the lower triangle of the leading n rows of chol, a positive definite matrix,
// with its Cholesky factor.
func (r *BestResponse) factor(n int) {
	l, d := r.chol, r.d
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
	}
}

// forward solves L y = rhs in place for the leading n rows of the factor L in chol; backward solves
// L'y = rhs.
func (r *BestResponse) forward(y []float64) {
	l, d := r.chol, r.d
	for i := range y {
		for k := range i {
			y[i] -= l[i*d+k] * y[k]
		}
		y[i] /= l[i*d+i]
	}
}

func (r *BestResponse) backward(y []float64) {
	l, d := r.chol, r.d
	for i := len(y) - 1; i >= 0; i-- {
		for k := i + 1; k < len(y); k++ {
			y[i] -= l[k*d+i] * y[k]
		}
		y[i] /= l[i*d+i]
	}
}

// solve solves the positive definite system of the leading n rows of chol with right-hand side rhs,
// and stores the solution in rhs. solve overwrites the lower triangle of chol.
func (r *BestResponse) solve(n int) {
	r.factor(n)
	r.forward(r.rhs[:n])
	r.backward(r.rhs[:n])
}

// rounding is the largest violation of a constraint, relative to the terms of the constraint, that
// counts as a rounding error.
const rounding = 1e-14

// project moves x to the nearest point of the region in the metric of the positive definite matrix
// L L', whose factor L is in chol. If x is already in the region up to rounding, project returns
// false and does nothing.
//
// The step s = L'(x - x0) is the shortest step with a'x <= b, that is, with (L^-1 a)'s <= b - a'x0.
// Therefore, s is the Euclidean projection of 0 onto the constraints on s. A Polyhedron would not
// help, because the metric changes with every step of Newton's method.
func (r *BestResponse) project(x []float64) bool {
	f, d := r.region, r.d
	if f.contains(x) {
		return false
	}
	for l, b := range f.b {
		row := f.rows.Row(l)
		v, size := -b, math.Abs(b)
		for c, a := range f.a[l*d:][:d] {
			row[c] = a
			v += a * x[c]
			size += math.Abs(a * x[c])
		}
		r.forward(row)
		length := 0.
		for _, a := range row {
			length += a * a
		}
		length = math.Sqrt(length)
		for c := range row {
			row[c] /= length
		}
		f.rows.B[l], f.rows.Size[l] = -v/length, size/length
	}
	// The region has an interior, so the projection exists. Only rounding errors can make the
	// constraints inconsistent or require more than a few steps; in these cases, the last point is
	// accurate enough.
	f.qp.Project(&f.rows, f.origin, -1)
	r.backward(f.qp.X)
	for c, v := range f.qp.X {
		x[c] += v
	}
	return true
}
