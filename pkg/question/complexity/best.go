package complexity

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/internal/activeset"
	"github.com/purexp/purexp/pkg/question"
)

// NewBestFeasible is [NewTolerant] for the best few items of a region by a weighted sum. Means with another answer are
// those under which one of the answer leaves the region; or one that is not in it enters the region and is no worse than one of
// the answer, which comes down to meet it; or, if fewer are inside than are asked for, enters the region.
// The least of each kind is found exactly, and so is T, to the tolerance.
func NewBestFeasible(q question.BestFeasible, mu *mat.Dense, variance []float64, known *mat.Dense,
	tol float64) (*Tolerant, error) {
	if err := checkTolerant(q, mu, variance, known); err != nil {
		return nil, err
	}
	s := newRanks(q, mu, variance, known)
	return bound(s.k, s.cheapest, tol)
}

// ranks are the means of arms, and their answer.
type ranks struct {
	k, d    int
	mu      []float64 // k x d
	sd      []float64 // k x d, 0 of what is known
	weight  []float64 // d
	value   []float64 // by arm: the weighted sum
	spread  []float64 // by arm: the standard deviation of that of a reward
	a       [][]float64
	b       []float64
	in      []bool // the answer
	members []int
	full    bool      // it has as many as are asked for
	home    []float64 // by arm: half its squared distance to the region

	rows   activeset.System
	qp     activeset.Projector
	origin []float64
}

func newRanks(q question.BestFeasible, mu *mat.Dense, variance []float64, known *mat.Dense) *ranks {
	k, d := mu.Dims()
	s := &ranks{k: k, d: d, mu: data(mu), sd: make([]float64, k*d), weight: slices.Clone(q.Weights),
		value: make([]float64, k), spread: make([]float64, k), in: make([]bool, k), home: make([]float64, k)}
	if s.weight == nil {
		s.weight = slices.Repeat([]float64{1}, d)
	}
	for i := range k {
		for c := range d {
			s.sd[i*d+c] = math.Sqrt(variance[c])
			if known != nil && !math.IsNaN(known.At(i, c)) {
				s.sd[i*d+c], s.mu[i*d+c] = 0, known.At(i, c)
			}
			s.value[i] += s.weight[c] * s.mu[i*d+c]
			s.spread[i] = math.Hypot(s.spread[i], s.weight[c]*s.sd[i*d+c])
		}
	}
	for l := range q.Region.Rows() {
		c := q.Region.Constraint(l)
		s.a, s.b = append(s.a, c.A), append(s.b, c.B)
	}
	s.members = q.Right(mat.NewDense(k, d, s.mu))
	s.full = len(s.members) == q.Items()
	for _, i := range s.members {
		s.in[i] = true
	}
	for i := range k {
		s.home[i], _ = s.enter(i, 1, -1, 0)
	}
	return s
}

// cheapest returns the cost of the cheapest means with another answer, +Inf if there are none, and its derivative by the
// weights w of arms.
func (s *ranks) cheapest(w, grad []float64) float64 {
	best := math.Inf(1)
	take := func(cost float64, i int, own float64, j int, other float64) {
		if cost < best {
			best = cost
			clear(grad)
			if grad[i] = own; j >= 0 {
				grad[j] = other
			}
		}
	}
	for _, i := range s.members {
		x := s.leave(i)
		take(w[i]*x, i, x, -1, 0)
	}
	for k := range s.k {
		switch {
		case s.in[k]:
			continue
		case !s.full:
			take(w[k]*s.home[k], k, s.home[k], -1, 0)
			continue
		}
		for _, i := range s.members {
			gap, sd := max(s.value[i]-s.value[k], 0), math.Hypot(s.spread[k]/math.Sqrt(w[k]), s.spread[i]/math.Sqrt(w[i]))
			if w[k]*s.home[k] >= best || gap*gap/(2*sd*sd) >= best { // it costs no less
				continue
			}
			own, other := s.enter(k, w[k], i, w[i])
			take(w[k]*own+w[i]*other, k, own, i, other)
		}
	}
	return best
}

// leave returns what a unit of weight costs where arm i leaves the region.
func (s *ranks) leave(i int) float64 {
	least := math.Inf(1)
	for l, a := range s.a {
		left, length, size := s.b[l], 0., math.Abs(s.b[l])
		for c, v := range a {
			left -= v * s.mu[i*s.d+c]
			size += math.Abs(v * s.mu[i*s.d+c])
			length = math.Hypot(length, v*s.sd[i*s.d+c])
		}
		if left <= 1e-12*size {
			left = 0
		}
		if length > 0 {
			least = min(least, left*left/(2*length*length))
		}
	}
	return least
}

// enter returns what a unit of the weights of arms k and i costs where k is in the region and, unless i is -1, no worse than i
// is; +Inf if that cannot be. It is a projection in standard deviations over the roots of weights, with one more coordinate, by
// which the sum of i comes down.
func (s *ranks) enter(k int, wk float64, i int, wi float64) (own, other float64) {
	n := s.d
	if i >= 0 {
		n++
	}
	r := &s.rows
	*r = activeset.System{D: n, A: r.A[:0], B: r.B[:0], Size: r.Size[:0]}
	add := func(a []float64, limit, size, down float64) bool {
		from, length := len(r.A), 0.
		for c, v := range a {
			r.A = append(r.A, v*s.sd[k*s.d+c]/math.Sqrt(wk))
		}
		if i >= 0 {
			r.A = append(r.A, down)
		}
		for _, v := range r.A[from:] {
			length = math.Hypot(length, v)
		}
		if length == 0 {
			r.A = r.A[:from]
			return limit >= -1e-12*size
		}
		for c := from; c < len(r.A); c++ {
			r.A[c] /= length
		}
		r.B, r.Size, r.M = append(r.B, limit/length), append(r.Size, size/length), r.M+1
		return true
	}
	for l, a := range s.a {
		limit, size := s.b[l], math.Abs(s.b[l])
		for c, v := range a {
			limit -= v * s.mu[k*s.d+c]
			size += math.Abs(v * s.mu[k*s.d+c])
		}
		if !add(a, limit, size, 0) {
			return math.Inf(1), 0
		}
	}
	if i >= 0 {
		minus := make([]float64, s.d)
		for c, v := range s.weight {
			minus[c] = -v
		}
		if !add(minus, s.value[k]-s.value[i], math.Abs(s.value[k])+math.Abs(s.value[i]), -s.spread[i]/math.Sqrt(wi)) {
			return math.Inf(1), 0
		}
	}
	if len(s.origin) < n {
		s.origin = make([]float64, s.d+1)
	}
	if s.qp.Project(r, s.origin[:n], -1) == activeset.Infeasible {
		return math.Inf(1), 0
	}
	for _, x := range s.qp.X[:s.d] {
		own += x * x / (2 * wk)
	}
	if i >= 0 {
		x := s.qp.X[s.d]
		other = x * x / (2 * wi)
	}
	return own, other
}
