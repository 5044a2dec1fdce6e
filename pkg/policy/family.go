package policy

import (
	"math"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/radius"
)

// A family is the law of rewards that transport costs are about: Gaussian of one standard
// deviation, or successes and failures.
type family struct {
	rates bool
	scale float64 // standard deviation; with rates the reward of a success
}

// familyOf returns the family that a radius is for.
func familyOf(r radius.Radius, prob *explore.Problem) family {
	if b, ok := r.(radius.Bernoulli); ok && b.Trials <= 1 && !b.Centered {
		return family{true, 2 * prob.Sigma}
	}
	return family{false, prob.Sigma}
}

// divergence returns the Kullback-Leibler divergence of the law with mean a from that with mean b.
func (f family) divergence(a, b float64) float64 {
	a, b = a/f.scale, b/f.scale
	if !f.rates {
		return (a - b) * (a - b) / 2
	}
	const least = 1e-12 // rates of 0 and 1 are seen, and are not certain
	a, b = min(max(a, least), 1-least), min(max(b, least), 1-least)
	return a*math.Log(a/b) + (1-a)*math.Log((1-a)/(1-b))
}

// cost returns what it costs to make two means equal that were seen m and n times:
// the least of m d(a, x) + n d(b, x) over x, at the pooled mean (Garivier and Kaufmann 2016, Lemma 3).
func (f family) cost(m, a, n, b float64) float64 {
	x := (m*a + n*b) / (m + n)
	return m*f.divergence(a, x) + n*f.divergence(b, x)
}

// weights sets w to the proportions of pulls that tell the best arm from the others soonest
// (Garivier and Kaufmann 2016, Theorem 5), by bisection. If several means are the largest, these
// share all. There are two arms at least.
func (f family) weights(w, means []float64, best int) {
	tied, gap := 0, inf // gap is the least divergence that all rewards of the other arm leave
	for _, m := range means {
		if m == means[best] {
			tied++
		} else {
			gap = min(gap, f.divergence(means[best], m))
		}
	}
	if tied > 1 || !(gap > 0) {
		for j, m := range means {
			w[j] = 0
			if m == means[best] {
				w[j] = 1 / float64(max(tied, 1))
			}
		}
		return
	}
	// With w_j = x_j(y) w_best, all costs are y w_best; at the optimum the ratios of divergences
	// sum to 1, and they grow with y.
	excess := func(y float64) float64 {
		sum := 0.
		for j, m := range means {
			w[j] = 1
			if j != best {
				w[j] = f.share(means[best], m, y)
				x := (means[best] + w[j]*m) / (1 + w[j])
				sum += f.divergence(means[best], x) / f.divergence(m, x)
			}
		}
		return sum - 1
	}
	lo, hi := 0., gap
	for range 60 {
		if y := (lo + hi) / 2; excess(y) < 0 {
			lo = y
		} else {
			hi = y
		}
	}
	excess(lo)
	sum := 0.
	for _, v := range w {
		sum += v
	}
	for j := range w {
		w[j] /= sum
	}
}

// share returns x with cost(1, a, x, b) = y, for y below the divergence of a from b. The cost is
// concave in x, with the slope d(b, pooled mean): Newton's method goes up from 0 without overshooting.
func (f family) share(a, b, y float64) float64 {
	if !f.rates { // y = d x/(1 + x)
		d := f.divergence(a, b)
		return y / (d - y)
	}
	x := 0.
	for range 100 {
		lack := y - f.cost(1, a, x, b)
		if lack <= 1e-12*y {
			break
		}
		x += lack / f.divergence(b, (a+x*b)/(1+x))
	}
	return x
}
