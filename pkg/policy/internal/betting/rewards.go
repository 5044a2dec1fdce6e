package betting

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
)

// mostTerms is the largest number of items in a combination: one item and six rivals.
const mostTerms = 7

// Terms is a linear combination of items, as a list of terms.
type Terms struct {
	N    int
	Item [mostTerms]int
	Coef [mostTerms]float64
}

// Sum returns the combination a z_i + b z_j, or a z_i if j is -1, where z_i stands for item i.
func Sum(a float64, i int, b float64, j int) (t Terms) {
	t.Add(a, i)
	if j >= 0 {
		t.Add(b, j)
	}
	return t
}

// Add adds the term a z_i to the combination.
func (t *Terms) Add(a float64, i int) {
	t.Item[t.N], t.Coef[t.N] = i, a
	t.N++
}

// rewards contains the least-squares estimates from a set of rewards. For arms without features,
// the estimates are the means of rewards.
type rewards struct {
	model *linear.Model
	free  bool
	d     int
	fit   *lsq.Fit
	n     []float64   // number of rewards by arm
	sum   []float64   // k x d, used if arms have no features or rewards are bounded
	mean  []float64   // by item and objective
	exact [][]float64 // by objective: known means of items; nil if measured
	white []float64   // whitened items, n x rank, whose squared norms are variances; nil if some variance is infinite
	memo  []float64   // reused memory for white
	y     []float64   // scratch
	x     []float64   // weights computed by weigh
}

func (r *rewards) init(m *linear.Model, free, bounded bool, exact [][]float64) {
	d := len(exact)
	*r = rewards{model: m, free: free, d: d, n: make([]float64, m.K), mean: make([]float64, m.N*d), exact: exact}
	for c, values := range exact {
		for i, v := range values {
			r.mean[i*d+c] = v
		}
	}
	if free || bounded {
		r.sum = make([]float64, m.K*d)
	}
	if free {
		return
	}
	r.fit, r.y, r.x = lsq.NewFit(m.Rank, d), make([]float64, m.Rank), make([]float64, m.Rank)
	r.memo = make([]float64, m.N*m.Rank)
}

// reset removes all rewards.
func (r *rewards) reset() {
	clear(r.n)
	clear(r.sum)
	if !r.free {
		r.fit.Reset()
	}
}

// add counts n rewards of an arm; callers must then call solve and means.
func (r *rewards) add(arm, n int, sum []float64) {
	r.n[arm] += float64(n)
	if !r.free {
		r.fit.Add(r.model.Arm(arm), n, sum)
	}
	r.total(arm, sum)
}

// reward adds a sum of rewards of an arm to the statistics. The method add must have counted these
// rewards before.
func (r *rewards) reward(arm int, sum []float64) {
	if !r.free {
		r.fit.Reward(r.model.Arm(arm), sum)
	}
	r.total(arm, sum)
}

func (r *rewards) total(arm int, sum []float64) {
	if r.sum == nil {
		return
	}
	for c, v := range sum {
		r.sum[arm*r.d+c] += v
	}
}

func (r *rewards) logDet() (log float64) {
	if !r.free {
		return r.fit.LogDet()
	}
	for _, n := range r.n {
		log += math.Log(n)
	}
	return log
}

func (r *rewards) solve() {
	if r.free {
		return
	}
	if r.white = nil; r.fit.Solve() {
		m := r.model.Rank
		for i := range r.model.N {
			r.fit.Whiten(r.memo[i*m:][:m], r.model.Item(i))
		}
		r.white = r.memo
	}
}

// means computes the estimated means of the items; known means do not change.
func (r *rewards) means() {
	for i := range r.model.N {
		for c := range r.d {
			if r.exact[c] != nil {
				continue
			}
			if r.free {
				r.mean[i*r.d+c] = r.sum[i*r.d+c] / max(r.n[i], 1)
			} else {
				r.mean[i*r.d+c] = r.fit.Mean(r.model.Item(i), c)
			}
		}
	}
}

// variance returns the variance of the estimate of a combination in units of the noise, or +Inf if
// the rewards do not determine the combination.
func (r *rewards) variance(t *Terms) float64 {
	if r.free {
		v := 0.
		for k, i := range t.Item[:t.N] {
			v += t.Coef[k] * t.Coef[k] / r.n[i]
		}
		return v
	}
	if r.white != nil {
		m, v := r.model.Rank, 0.
		for c := range m {
			x := 0.
			for k, i := range t.Item[:t.N] {
				x += t.Coef[k] * r.white[i*m+c]
			}
			v += x * x
		}
		return v
	}
	vector(r.y, r.model, t)
	if r.fit.Outside(r.y) > 1e-9 {
		return math.Inf(1)
	}
	return r.fit.Squared(r.y)
}

// pair returns the result of variance for the combination Sum(a, i, b, j).
func (r *rewards) pair(a float64, i int, b float64, j int) float64 {
	switch {
	case r.free:
		return a*a/r.n[i] + b*b/r.n[j]
	case r.white == nil:
		t := Sum(a, i, b, j)
		return r.variance(&t)
	}
	m, v := r.model.Rank, 0.
	y := r.white[j*m:][:m]
	for c, x := range r.white[i*m:][:m] {
		x = a*x + b*y[c]
		v += x * x
	}
	return v
}

// at returns the estimate of the combination t, summed over objectives with the weights lambda.
func (r *rewards) at(t *Terms, lambda []float64) float64 {
	return r.combine(t.Item[:t.N], t.Coef[:t.N], lambda)
}

func (r *rewards) combine(items []int, coefs, lambda []float64) float64 {
	sum := 0.
	for k, i := range items {
		for c, l := range lambda {
			sum += coefs[k] * l * r.mean[i*r.d+c]
		}
	}
	return sum
}

// weigh computes the weights of rewards in the least-squares estimate of a combination. After
// weigh, the method weight returns the weight of a reward of an arm.
func (r *rewards) weigh(items []int, coefs []float64) {
	clear(r.y)
	for k, i := range items {
		floats.AddScaled(r.y, coefs[k], r.model.Item(i))
	}
	r.fit.Metric.Solve(r.x, r.y)
}

func (r *rewards) weight(arm int) float64 { return floats.Dot(r.x, r.model.Arm(arm)) }

// vector stores the coordinates of a combination in y.
func vector(y []float64, m *linear.Model, t *Terms) {
	clear(y)
	for k, i := range t.Item[:t.N] {
		for c, v := range m.Item(i) {
			y[c] += t.Coef[k] * v
		}
	}
}
