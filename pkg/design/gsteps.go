package design

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// start activates the spanning points, with equal weights.
func (c *GCriterion) start() {
	c.active, c.w = c.active[:0], c.w[:0]
	for _, i := range c.points {
		c.active, c.w = append(c.active, i), append(c.w, 1/float64(c.m))
	}
}

// pack deactivates points without weight.
func (c *GCriterion) pack() {
	n := 0
	for b, i := range c.active {
		if c.w[b] > 0 {
			c.active[n], c.w[n] = i, c.w[b]
			n++
		}
	}
	c.active, c.w = c.active[:n], c.w[:n]
}

// enter activates the given points, with weight 0.
func (c *GCriterion) enter(points []int) {
	in := make(map[int]bool, len(c.active))
	for _, i := range c.active {
		in[i] = true
	}
	for _, i := range points {
		if !in[i] {
			in[i] = true
			c.active, c.w = append(c.active, i), append(c.w, 0)
		}
	}
}

// information sets a to the information matrix M of the active points.
func (c *GCriterion) information() {
	m := c.m
	c.white = grow(c.white, m*m)
	clear(c.a)
	for b, i := range c.active {
		if c.w[b] > 0 {
			addOuter(c.a, c.w[b], c.x[i*m:][:m])
		}
	}
}

// refresh normalizes the weights. refresh then recomputes the whitening matrix, the whitened active
// points and their variances.
func (c *GCriterion) refresh() {
	m, n := c.m, len(c.active)
	floats.Scale(1/floats.Sum(c.w), c.w)
	c.information()
	if !inverseFactor(c.white, c.a, m) {
		// The matrix M can be singular only because of rounding errors. A small weight on each
		// spanning point makes M regular again.
		for _, i := range c.points {
			c.enter([]int{i})
			c.w[slices.Index(c.active, i)] += 1e-6
		}
		c.refresh()
		return
	}
	c.z, c.v, c.g = grow(c.z, n*m), grow(c.v, n), grow(c.g, n)
	c.scan = grow(c.scan, 2*chunk*m)
	for lo := 0; lo < n; lo += chunk {
		hi := min(lo+chunk, n)
		for b := lo; b < hi; b++ {
			copy(c.scan[(b-lo)*m:][:m], c.x[c.active[b]*m:][:m])
		}
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, rows(c.scan, hi-lo, m), rows(c.white, m, m), 0,
			rows(c.z[lo*m:], hi-lo, m))
	}
	for b := range n {
		z := c.z[b*m:][:m]
		c.v[b] = floats.Dot(z, z)
	}
	c.inverse, c.row = grow(c.inverse, m*m), grow(c.row, m)
	clear(c.inverse)
	for r := range m {
		c.inverse[r*m+r] = 1 // the inverse of the whitened M is the identity
	}
}

// steps takes Wolfe-Atwood steps on the active points until the largest variance of an active point
// is at most (1 + tol) m. steps returns the number of steps.
func (c *GCriterion) steps(tol float64, limit int) (taken int) {
	m, rank := c.m, float64(c.m)
	c.refresh()
	if m == 1 {
		// In one dimension, the optimal design has all its weight on the longest point.
		b := floats.MaxIdx(c.v)
		clear(c.w)
		c.w[b] = 1
		return 0
	}
	since, tries := 0, 0 // steps since the last refresh and since the last Newton step
	for taken < limit {
		up, down := 0, -1
		for b, v := range c.v {
			if v > c.v[up] {
				up = b
			}
			if c.w[b] > 0 && (down < 0 || v < c.v[down]) {
				down = b
			}
		}
		if c.v[up] <= (1+tol)*rank {
			if since == 0 {
				return taken
			}
			c.refresh()
			since = 0
			continue
		}
		taken++
		b := up
		if rank-c.v[down] > c.v[up]-rank {
			b = down
		}
		d, least := c.v[b], -c.w[b]/(1-c.w[b])
		// With step length least, the weight of the point becomes 0. Among all step lengths t >=
		// least, the chosen t maximises the determinant. If the variance of the point is at most 1,
		// the determinant increases until the weight of the point reaches 0.
		t := least
		if d > 1 {
			t = max(least, (d/rank-1)/(d-1))
		}
		c.move(b, t)
		if t == least {
			c.w[b] = 0
		}
		if since++; since >= gRefresh || t > 0.5 {
			since = 0
		}
		if taken%gDelete == 0 {
			c.discard(deletable(c.v[up], m))
		}
		if since == 0 {
			c.refresh()
		}
		// A Newton step is due when the first-order steps since the last Newton step have cost as
		// much as a Newton step.
		if tries++; tries >= gNewton && taken < limit && tries*len(c.w)*m*8 >= c.newtonCost() {
			taken += c.newton(min(10, limit-taken))
			tries, since = 0, 0
		}
	}
	return taken
}

// move changes the weights w to (1 - t) w, and adds t to the weight of active point b.
func (c *GCriterion) move(b int, t float64) {
	m, n := c.m, len(c.active)
	z := blas64.Vector{N: m, Inc: 1, Data: c.z[b*m:][:m]}
	u := blas64.Vector{N: m, Inc: 1, Data: c.row}
	inverse := rows(c.inverse, m, m)
	blas64.Gemv(blas.NoTrans, 1, inverse, z, 0, u)
	f := t / (1 - t + t*c.v[b])
	blas64.Gemv(blas.NoTrans, 1, rows(c.z, n, m), u, 0, blas64.Vector{N: n, Inc: 1, Data: c.g})
	s := 1 / (1 - t)
	for i, g := range c.g[:n] {
		c.v[i] = s * (c.v[i] - f*g*g)
	}
	blas64.Ger(-f, u, u, inverse)
	floats.Scale(s, c.inverse)
	floats.Scale(1-t, c.w)
	c.w[b] += t
	for i, w := range c.w {
		if w < gLittle {
			c.w[i] = 0
		}
	}
}

// discard deactivates the points whose weight is 0 and whose variance is less than least.
func (c *GCriterion) discard(least float64) {
	m, n := c.m, 0
	for b, i := range c.active {
		if c.w[b] == 0 && c.v[b] < least {
			continue
		}
		if n < b {
			c.active[n], c.w[n], c.v[n] = i, c.w[b], c.v[b]
			copy(c.z[n*m:][:m], c.z[b*m:][:m])
		}
		n++
	}
	c.active, c.w, c.v, c.z, c.g = c.active[:n], c.w[:n], c.v[:n], c.z[:n*m], c.g[:n]
}

// newton takes Newton steps to maximise log det M as a function of the positive weights. Each step
// is shortened if a weight would become negative. newton returns the number of steps. First-order
// steps are slow to shift weight between neighbouring points on a curve. A Newton step equalizes
// the variances of the support points at once, or removes a point from the support.
func (c *GCriterion) newton(limit int) (taken int) {
	c.refresh()
	for taken < limit {
		var on []int
		for b, w := range c.w {
			if w > 0 {
				on = append(on, b)
			}
		}
		y, ok := c.newtonStep(on)
		if !ok {
			return taken
		}
		taken++
		if !c.follow(on, y) {
			return taken
		}
		least, most := math.Inf(1), 0.
		for b, v := range c.v {
			if c.w[b] > 0 {
				least, most = min(least, v), max(most, v)
			}
		}
		if most-least < 1e-12*most || floats.Max(c.v) > 2*most-float64(c.m) {
			return taken // points without weight must now be considered again
		}
	}
	return taken
}

// newtonCost estimates the number of operations of a Newton step, which is about the cube of the
// number of points with weight.
func (c *GCriterion) newtonCost() int {
	s := 0
	for _, w := range c.w {
		if w > 0 {
			s++
		}
	}
	return s * s * s
}

// newtonStep returns the Newton step for the weights of the points listed in on; the step keeps the
// sum of these weights constant. In whitened coordinates, the gradient is z_i'z_i, and the negative
// Hessian is H_ij = (z_i'z_j)^2. newtonStep returns false if H is singular.
func (c *GCriterion) newtonStep(on []int) (*mat.VecDense, bool) {
	m, s := c.m, len(on)
	h, one, grad := mat.NewSymDense(s, nil), mat.NewVecDense(s, nil), mat.NewVecDense(s, nil)
	for p, b := range on {
		for q := p; q < s; q++ {
			g := floats.Dot(c.z[b*m:][:m], c.z[on[q]*m:][:m])
			h.SetSym(p, q, g*g)
		}
		// The factor 1 + 1e-12 keeps H regular even if points are equal or there are more than m
		// (m+1)/2 points.
		h.SetSym(p, p, h.At(p, p)*(1+1e-12))
		one.SetVec(p, 1)
		grad.SetVec(p, c.v[b])
	}
	var chol mat.Cholesky
	if !chol.Factorize(h) {
		return nil, false
	}
	var y, u mat.VecDense
	if chol.SolveVecTo(&y, grad) != nil && math.IsInf(chol.Cond(), 1) ||
		chol.SolveVecTo(&u, one) != nil && math.IsInf(chol.Cond(), 1) {
		return nil, false
	}
	y.AddScaledVec(&y, -mat.Sum(&y)/mat.Sum(&u), &u)
	return &y, true
}

// follow changes the weights of the points listed in on along the direction y, by at most one full
// step and only as far as the weights stay nonnegative. follow shortens the step until log det M
// does not decrease. If log det M decreases for every step length, follow restores the weights and
// returns false.
func (c *GCriterion) follow(on []int, y *mat.VecDense) bool {
	step, drop := 1., -1
	for p, b := range on {
		if v := y.AtVec(p); v < 0 && c.w[b]+step*v < 0 {
			step, drop = c.w[b]/-v, p
		}
	}
	before, was := c.logDet(), slices.Clone(c.w)
	for try := range 5 {
		for p, b := range on {
			c.w[b] = max(0, was[b]+step*y.AtVec(p))
			if p == drop && try == 0 || c.w[b] < gLittle {
				c.w[b] = 0
			}
		}
		if c.regular() {
			c.refresh()
			if c.logDet() >= before-1e-14*float64(c.m) {
				return true
			}
		}
		step /= 2
	}
	copy(c.w, was)
	c.refresh()
	return false
}

func (c *GCriterion) logDet() float64 {
	s := 0.
	for r := range c.m {
		s -= 2 * math.Log(c.white[r*c.m+r])
	}
	return s
}

// regular reports whether the active points with weight span all dimensions.
func (c *GCriterion) regular() bool {
	c.information()
	return inverseFactor(c.white, c.a, c.m)
}
