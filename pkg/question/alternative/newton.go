package alternative

// This file finds where an arm enters if its objectives cannot be treated one by
// one, because they are correlated or because a region binds them.

// minimise moves x to where
//
//	w_k/2 (x - y_k)'P(x - y_k) + sum of w_j/2 (y_j - x)_+^2 in objective phi(j)
//
// is least, in the region if the arm is bounded by it, and returns the minimum: what
// pool does for objectives that can be treated one by one. Newton's method, each step of
// which minimises the quadratic function at hand over the region, ends after
// finitely many steps, as the function is quadratic between the points where
// members begin or cease to count. If bounded, x must be in the region.
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

// lift moves x, which costs nothing to move, up to all members that are lowered to it and
// cost something.
func (r *BestResponse) lift(x []float64) {
	for q, c := range r.phi {
		if c >= 0 && r.w[r.front[q]] > 0 {
			x[c] = max(x[c], r.member(q)[c])
		}
	}
}

// newton leaves in dir the step from x to the minimum of the quadratic function that the
// one of minimise agrees with near x, over the region if bounded. It returns the derivative
// along it, with the sign of a descent.
func (r *BestResponse) newton(x []float64, wk float64) (slope float64) {
	d, own := r.d, r.row(r.arm)
	// The gradient, with opposite sign, and the Hessian.
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
		// From the unconstrained step to the one that ends in the region.
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

// quadratic reports whether the function of minimise is quadratic from x along the whole step in
// dir: whether the same members count at both ends.
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

// shorten moves x, which has made the step in dir from a point of the given cost to one
// that costs next, back until the cost has fallen by a part of what the slope promises. It
// returns the cost there, and reports false if it does not fall but by rounding.
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

// at returns the function of minimise at x, for the weight wk of the arm.
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
