package betting

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
)

// weights computes weights of arms with which, for a given cost, the largest scaled variance of
// several combinations is small.
type weights struct {
	model *linear.Model
	free  bool
	w     []float64 // weights by arm, with sum 1
	g     []float64 // by arm
	q     []float64 // by combination
	v     []float64 // by combination
	of    []int     // combinations that matter
	y     []float64 // combinations x rank
	info  []float64 // rank x rank
	m     *lsq.Metric
	x     []float64 // rank
}

// The following constants control the multiplicative solver. The solver takes few steps from the
// previous solution, because a design within a few per cent of the optimum suffices. Most
// combinations in a long list need far less information than the hardest combination, and are
// dropped after a few steps.
const (
	steps = 30
	thin  = 6
	long  = 1000
)

func (a *weights) init(m *linear.Model, free bool) {
	*a = weights{model: m, free: free, w: slices.Repeat([]float64{1 / float64(m.K)}, m.K), g: make([]float64, m.K)}
	if !free {
		a.info, a.m = make([]float64, m.Rank*m.Rank), lsq.NewMetric(m.Rank)
		a.x = make([]float64, m.Rank)
	}
}

// solve improves the weights for scaled combinations by playing a game: the mixture q of
// combinations grows where variances are large, and the weights of arms respond to q.
func (a *weights) solve(ts []Terms, scale []float64) {
	a.q, a.v, a.of = resize(a.q, len(ts)), resize(a.v, len(ts)), a.of[:0]
	for s := range a.q {
		a.q[s] = 1 / float64(len(ts))
		a.of = append(a.of, s)
	}
	if !a.free {
		a.y = resize(a.y, len(ts)*a.model.Rank)
		for s := range ts {
			vector(a.row(s), a.model, &ts[s])
		}
		// All weights stay positive, because multiplicative steps cannot restore a weight of zero.
		for i := range a.w {
			a.w[i] = .99*a.w[i] + .01/float64(len(a.w))
		}
	}
	for k := range steps {
		if a.free {
			a.balance(ts, scale)
		} else {
			a.step(scale)
		}
		sum := 0.
		for _, s := range a.of {
			sum += a.q[s] * a.v[s]
		}
		for _, s := range a.of {
			a.q[s] *= a.v[s] / sum
		}
		if k == thin && len(ts) > long {
			a.of = slices.DeleteFunc(a.of, func(s int) bool { return a.q[s] < .01/float64(len(ts)) })
		}
	}
}

func (a *weights) cost(i int) float64 {
	if a.model.Costs == nil {
		return 1
	}
	return a.model.Costs[i]
}

func (a *weights) row(s int) []float64 { m := a.model.Rank; return a.y[s*m:][:m] }

// balance computes the optimal weights for the mixture q, and the resulting variances, for arms
// without features.
func (a *weights) balance(ts []Terms, scale []float64) {
	clear(a.g)
	for _, s := range a.of {
		t := &ts[s]
		for k, i := range t.Item[:t.N] {
			a.g[i] += a.q[s] * scale[s] * t.Coef[k] * t.Coef[k]
		}
	}
	for i, g := range a.g {
		a.w[i] = math.Sqrt(g / a.cost(i))
	}
	floats.Scale(1/floats.Sum(a.w), a.w)
	for _, s := range a.of {
		t := &ts[s]
		a.v[s] = 0
		for k, i := range t.Item[:t.N] {
			a.v[s] += scale[s] * t.Coef[k] * t.Coef[k] / max(a.w[i], 1e-12)
		}
	}
}

// step improves the weights for the mixture q, and computes the resulting variances.
func (a *weights) step(scale []float64) {
	m := a.model.Rank
	clear(a.info)
	for i, w := range a.w {
		x := a.model.Arm(i)
		for r, v := range x {
			if v != 0 {
				addScaled(a.info[r*m:][:m], w*v, x)
			}
		}
	}
	a.m.Factorize(a.info)
	for _, s := range a.of {
		a.v[s] = scale[s] * a.m.Squared(a.row(s))
	}
	// The derivative of the objective for an arm x is x'V M V x, where M is the information of the
	// mixture of combinations and V is the inverse of info. Solving for the rows of M, and then of
	// V M, is cheaper than solving for each combination.
	clear(a.info)
	for _, s := range a.of {
		y := a.row(s)
		for r, v := range y {
			addScaled(a.info[r*m:][:m], a.q[s]*scale[s]*v, y)
		}
	}
	for range 2 {
		for r := range m {
			row := a.info[r*m:][:m]
			a.m.Solve(a.x, row)
			copy(row, a.x)
		}
		transpose(a.info, m)
	}
	for i := range a.w {
		x := a.model.Arm(i)
		g := 0.
		for r, v := range x {
			if v != 0 {
				g += v * floats.Dot(a.info[r*m:][:m], x)
			}
		}
		a.w[i] *= math.Sqrt(max(g, 0) / a.cost(i))
	}
	floats.Scale(1/floats.Sum(a.w), a.w)
}

// addScaled adds alpha x to dst, without the overhead of a call to floats.AddScaled.
func addScaled(dst []float64, alpha float64, x []float64) {
	for i, v := range x[:len(dst)] {
		dst[i] += alpha * v
	}
}

func transpose(x []float64, m int) {
	for r := range m {
		for c := range r {
			x[r*m+c], x[c*m+r] = x[c*m+r], x[r*m+c]
		}
	}
}

// resize returns a slice of n numbers, reusing the memory of x if possible.
func resize(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n, 2*n)
	}
	return x[:n]
}
