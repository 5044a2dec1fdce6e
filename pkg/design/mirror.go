package design

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// mirrorIterations is the number of iterations of mirror descent unless Options say another.
const mirrorIterations = 100_000

// mirror runs entropic mirror descent for log det M(w) (Kone, Kaufmann and Richert, 2025,
// Algorithm 4, after Tao, Blanco and Zhou, 2018). From uniform weights, or o.Start, iteration t
// multiplies each weight by exp(eta_t g_i), where g_i = x_i'M(w)^-1 x_i is the gradient and
//
//	eta_t = sqrt(2 log K)/(L sqrt(t)).
//
// The algorithm asks for a Lipschitz constant L, the largest gradient on the simplex, which is
// infinite; L here is the largest gradient at the weights of the iteration. O(K m^2) an iteration.
//
// The design is the best of the iterations, as the value does not fall in each of them.
func (c *GCriterion) mirror(o *Options, tol float64) (*Design, error) {
	limit := cmp.Or(o.MaxIterations, mirrorIterations)
	w := make([]float64, c.k)
	if o.Start != nil {
		floats.ScaleTo(w, 1/floats.Sum(o.Start), o.Start)
	} else {
		floats.AddConst(1/float64(c.k), w)
	}
	c.d, c.white = grow(c.d, c.k), grow(c.white, c.m*c.m)
	best := &Design{Weights: append([]float64(nil), w...), Value: math.Inf(1), Lower: float64(c.m)}
	for {
		clear(c.a)
		for i, u := range w {
			addOuter(c.a, u, c.x[i*c.m:][:c.m])
		}
		if !inverseFactor(c.white, c.a, c.m) {
			break // weights that a start left at 0 stay there
		}
		most := 0.
		c.variances(nil, func(i int, d float64) { c.d[i], most = d, max(most, d) })
		if most < best.Value {
			best.Value = max(most, best.Lower)
			copy(best.Weights, w)
		}
		if o.Watch != nil &&
			!o.Watch(Bracket{Iteration: best.Iterations, Value: best.Value, Lower: best.Lower}) ||
			best.Gap() <= tol || best.Iterations >= limit {
			break
		}
		best.Iterations++
		eta := math.Sqrt(2*math.Log(float64(c.k))/float64(best.Iterations)) / most
		for i, g := range c.d[:c.k] {
			w[i] *= math.Exp(eta * (g - most)) // minus the largest, so that nothing overflows
		}
		floats.Scale(1/floats.Sum(w), w)
	}
	if !(best.Gap() <= tol) {
		return best, gapError(best, tol)
	}
	return best, nil
}

// noMirror returns an error if the method is mirror descent, which is for G alone.
func noMirror(o *Options) error {
	if o.Method == MirrorDescent {
		return fmt.Errorf("design: Options.Method is %v, which is for G-optimal designs (NewG); "+
			"take Certified or FrankWolfePaper", o.Method)
	}
	return nil
}
