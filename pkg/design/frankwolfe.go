package design

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/lsq"
)

// The following constants are those of the Frank-Wolfe iteration in the RAGE paper.
const (
	paperIterations = 5000
	paperChange     = 0.01 // relative change of the weights at which to stop
	paperDrop       = 1e-5 // weights below paperDrop are dropped at the end
)

// frankWolfe runs the Frank-Wolfe iteration of the RAGE paper (Fiez, Jain, Jamieson and Ratliff,
// 2019, appendix F). The criterion is a maximum of variances, at k points x of m coordinates. The
// function worst returns the direction y with the largest variance under a metric, and this
// variance. From uniform weights, iteration t = 1, 2, ... moves the fraction 2/(t+2) of all weight
// to the point with the largest (x'M^-1 y)^2. Each iteration costs O(k m + m^3) and one call of
// worst.
//
// Iterations start at t = 1, because t = 0 would move all weight to one point.
func frankWolfe(k, m int, x []float64, worst func(met *lsq.Metric) (y []float64, value float64),
	o *Options) (w []float64, iterations int) {
	limit := cmp.Or(o.MaxIterations, paperIterations)
	w = make([]float64, k)
	floats.AddConst(1/float64(k), w)
	point := func(i int) []float64 { return x[i*m:][:m] }
	a := make([]float64, m*m)
	for i, v := range w {
		if v > 0 {
			addOuter(a, v, point(i))
		}
	}
	metric, u := lsq.NewMetric(m), make([]float64, m)
	for iterations < limit {
		metric.Factorize(a)
		y, value := worst(metric)
		if iterations > 0 && o.Watch != nil && !o.Watch(Bracket{Iteration: iterations, Value: value}) {
			break
		}
		iterations++
		metric.Solve(u, y)
		best, most := 0, -1.
		for i := range k {
			if g := floats.Dot(point(i), u); g*g > most {
				best, most = i, g*g
			}
		}
		step := 2 / float64(iterations+2)
		squared := floats.Dot(w, w) // |w|^2; for the unit vector e of point best, |e - w|^2 = 1 - 2 w_best + |w|^2
		change := step * step * (1 - 2*w[best] + squared)
		floats.Scale(1-step, w)
		w[best] += step
		floats.Scale(1-step, a)
		addOuter(a, step, point(best))
		if change < paperChange*paperChange*squared {
			break
		}
	}
	for i, v := range w {
		if v < paperDrop {
			w[i] = 0
		}
	}
	floats.Scale(1/floats.Sum(w), w)
	return w, iterations
}

func addOuter(a []float64, v float64, x []float64) {
	for r, f := range x {
		floats.AddScaled(a[r*len(x):][:len(x)], v*f, x)
	}
}

// mirrorIterations is the default of Options.MaxIterations for mirror descent.
const mirrorIterations = 100_000

// mirror runs entropic mirror descent for log det M(w) (Kone, Kaufmann and Richert, 2025, Algorithm
// 4, after Tao, Blanco and Zhou, 2018). Starting from uniform weights, iteration t multiplies each
// weight by exp(eta_t g_i); g_i = x_i'M(w)^-1 x_i is the gradient, and the step size is
//
//	eta_t = sqrt(2 log K)/(L sqrt(t)).
//
// The algorithm needs a Lipschitz constant L, defined as the largest gradient on the simplex, which
// is infinite here. Instead, this implementation uses the largest gradient at the current weights
// as L. Each iteration of mirror descent costs O(K m^2).
//
// The result is the best design of all iterations, because the value may increase between
// iterations.
func (c *GCriterion) mirror(o *Options, tol float64) (*Design, error) {
	limit := cmp.Or(o.MaxIterations, mirrorIterations)
	w := make([]float64, c.k)
	floats.AddConst(1/float64(c.k), w)
	c.d, c.white = grow(c.d, c.k), grow(c.white, c.m*c.m)
	best := &Design{Weights: append([]float64(nil), w...), Value: math.Inf(1), Lower: float64(c.m)}
	for {
		clear(c.a)
		for i, u := range w {
			addOuter(c.a, u, c.x[i*c.m:][:c.m])
		}
		if !inverseFactor(c.white, c.a, c.m) {
			break // some weights are now 0, and would remain 0
		}
		most := 0.
		c.variances(nil, func(i int, d float64) { c.d[i], most = d, max(most, d) })
		if most < best.Value {
			best.Value = max(most, best.Lower)
			copy(best.Weights, w)
		}
		if o.Watch != nil && !o.Watch(Bracket{Iteration: best.Iterations, Value: best.Value, Lower: best.Lower}) ||
			best.Gap() <= tol || best.Iterations >= limit {
			break
		}
		best.Iterations++
		eta := math.Sqrt(2*math.Log(float64(c.k))/float64(best.Iterations)) / most
		for i, g := range c.d[:c.k] {
			w[i] *= math.Exp(eta * (g - most)) // subtract the largest exponent to avoid overflow
		}
		floats.Scale(1/floats.Sum(w), w)
	}
	if !(best.Gap() <= tol) {
		return best, gapError(best, tol)
	}
	return best, nil
}

// noMirror returns an error if the method is mirror descent, because mirror descent supports only
// G.
func noMirror(o *Options) error {
	if o.Method == MirrorDescent {
		return fmt.Errorf("design: Options.Method is %v, which computes only G-optimal designs (NewG); "+
			"use Certified or FrankWolfePaper", o.Method)
	}
	return nil
}
