package alternative

// This file finds where an arm enters if its objectives cannot be treated one by
// one, because they are correlated or because a region binds them.

// settle moves x to where
//
//	w_k/2 (x - y_k)'P(x - y_k) + sum of w_j/2 (y_j - x)_+^2 in objective phi(j)
//
// is least, in the region if the arm is bounded by it, and returns the minimum:
// pool for objectives that cannot be separated. Newton's method, each step of
// which minimises the quadratic function at hand over the region, ends after
// finitely many steps, as the function is quadratic between the points where
// members begin or cease to count. If bounded, x must be in the region.
func (r *BestResponse) settle(x []float64) float64 {
	d, wk, own := r.d, r.w[r.arm], r.row(r.arm)
	if wk == 0 && !r.bounded {
		for q, c := range r.phi {
			if c >= 0 && r.w[r.front[q]] > 0 {
				x[c] = max(x[c], r.member(q)[c])
			}
		}
		return 0
	}
	if r.bounded {
		wk = max(wk, r.floor)
	}
	cost := r.at(x, wk)
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
		next := r.at(x, wk)
		if same {
			cost = next
			break
		}
		stuck := false
		for step := 1.; next > cost-1e-4*step*slope; {
			if step /= 2; step < 1e-9 {
				stuck = true // no descent but rounding
				break
			}
			for c, v := range r.dir {
				x[c] -= step * v
			}
			next = r.at(x, wk)
		}
		cost = next
		if stuck {
			break
		}
	}
	if wk != r.w[r.arm] {
		return r.at(x, r.w[r.arm])
	}
	return cost
}

// at returns the function that settle minimises, for the weight wk of the arm.
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
