package design

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// newton takes Newton steps for log det M on the points with weight, as far as
// weights stay nonnegative, and returns their number. First-order steps tell
// neighbours on a curve apart only slowly; these equalise the variances of the
// supporting points at once, or drop one.
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
			return taken // other points matter now
		}
	}
	return taken
}

// newtonCost estimates the operations of a Newton step: the cube of the number of
// points with weight.
func (c *GCriterion) newtonCost() int {
	s := 0
	for _, w := range c.w {
		if w > 0 {
			s++
		}
	}
	return s * s * s
}

// newtonStep returns the Newton step of the weights of the points in on, which
// leaves their sum. In whitened coordinates the gradient is z_i'z_i, and minus
// the Hessian H_ij = (z_i'z_j)^2. It returns false if H is singular.
func (c *GCriterion) newtonStep(on []int) (*mat.VecDense, bool) {
	m, s := c.m, len(on)
	h, one, grad := mat.NewSymDense(s, nil), mat.NewVecDense(s, nil), mat.NewVecDense(s, nil)
	for p, b := range on {
		for q := p; q < s; q++ {
			g := floats.Dot(c.z[b*m:][:m], c.z[on[q]*m:][:m])
			h.SetSym(p, q, g*g)
		}
		// Enough to be regular with copies or more points than dimensions.
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

// follow moves the weights of the points in on along y, as far as they stay
// nonnegative, and by less until log det M does not fall. It returns false, with
// the weights as before, if it falls all the same.
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

// logDet returns log det M at the last refresh.
func (c *GCriterion) logDet() float64 {
	s := 0.
	for r := range c.m {
		s -= 2 * math.Log(c.white[r*c.m+r])
	}
	return s
}

// regular reports whether the weights of the active points span.
func (c *GCriterion) regular() bool {
	c.information()
	return inverseFactor(c.white, c.a, c.m)
}
