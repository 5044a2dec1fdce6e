package betting

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
)

// weights are those of arms, chosen so that the largest variance of some combinations is small, each
// times a scale, for what pulls cost.
type weights struct {
	model *linear.Model
	free  bool
	w     []float64 // by arm; they sum to 1
	g     []float64 // by arm
	q     []float64 // by combination
	v     []float64 // by combination
	of    []int     // combinations that matter
	y     []float64 // combinations x rank
	info  []float64 // rank x rank
	m     *lsq.Metric
	x     []float64 // rank
}

// steps of the multiplicative solver. It starts from where it ended, and a design that is a few
// per cent too large costs as much. Of a long list most combinations need little of what the hardest
// ones do; they are left out after a few steps.
const (
	steps = 30
	thin  = 6
	long  = 1000
)

func (a *weights) init(m *linear.Model, free bool) {
	*a = weights{model: m, free: free, w: make([]float64, m.K), g: make([]float64, m.K)}
	for i := range a.w {
		a.w[i] = 1 / float64(m.K)
	}
	if !free {
		a.info, a.m = make([]float64, m.Rank*m.Rank), lsq.NewMetric(m.Rank)
		a.x = make([]float64, m.Rank)
	}
}

// solve improves the weights for combinations with scales. It plays a game: q is a mixture of
// combinations, which grows where variances are large; the weights are those for q.
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
		// No arm is out for good: multiplicative steps do not bring it back.
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

// cost returns that of a pull of arm i.
func (a *weights) cost(i int) float64 {
	if a.model.Costs == nil {
		return 1
	}
	return a.model.Costs[i]
}

func (a *weights) row(s int) []float64 { m := a.model.Rank; return a.y[s*m:][:m] }

// balance finds the best weights for q where arms have no features, and the variances.
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

// step improves the weights for q, and finds the variances.
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
	// The derivative for an arm x is x'V M V x, with M the mixture of combinations and V the inverse
	// of info: solutions for the rows of M and of its product, instead of one a combination.
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

// addScaled adds alpha x to dst: floats.AddScaled without its call, which costs more than a few numbers.
func addScaled(dst []float64, alpha float64, x []float64) {
	for i, v := range x[:len(dst)] {
		dst[i] += alpha * v
	}
}

// transpose turns an m x m matrix.
func transpose(x []float64, m int) {
	for r := range m {
		for c := range r {
			x[r*m+c], x[c*m+r] = x[c*m+r], x[r*m+c]
		}
	}
}

// resize returns a slice of n numbers, in the memory of x if that is enough.
func resize(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n, 2*n)
	}
	return x[:n]
}
