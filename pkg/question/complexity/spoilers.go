package complexity

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// spoilers searches for means for which every right answer is wrong, see Tolerant.
type spoilers struct {
	k, d  int
	mu    []float64 // K x d
	price []float64 // K x d: a squared step costs so much, 1/(2 variance); +Inf if it is known
	tol   []float64
	a     [][]float64 // rows of the region
	b     []float64
	slack []float64
	home  []home // by arm: where it may be within the region

	possible []int   // items that may be in a right answer
	stand    [][]int // sets of items: each right answer has an item of each; no set holds another
	moved    []float64
	best     []float64 // the cheapest means of the last call of cheapest, K x d
	ws       polyhedron.Workspace
}

// home is the region as an arm sees it whose known entries are as they are.
type home struct {
	free   []int // objectives that are not known
	region *polyhedron.Polyhedron
	none   bool // it cannot be there
}

func newSpoilers(q question.FeasiblePareto, mu *mat.Dense, variance []float64,
	known *mat.Dense) (*spoilers, error) {
	if err := checkTolerant(q, mu, variance, known); err != nil {
		return nil, err
	}
	k, d := mu.Dims()
	s := &spoilers{k: k, d: d, mu: data(mu), price: make([]float64, k*d), tol: make([]float64, d),
		moved: make([]float64, k*d), best: make([]float64, k*d)}
	copy(s.tol, q.Tolerance)
	for l := range q.Region.Rows() {
		c := q.Region.Constraint(l)
		s.a, s.b = append(s.a, c.A), append(s.b, c.B)
	}
	s.slack = make([]float64, len(s.b))
	copy(s.slack, q.Slack)
	for i := range k {
		for c := range d {
			s.price[i*d+c] = 1 / (2 * variance[c])
			if known != nil && !math.IsNaN(known.At(i, c)) {
				s.price[i*d+c], s.mu[i*d+c] = math.Inf(1), known.At(i, c)
			}
		}
	}
	for i := range k {
		h, err := s.homeOf(i)
		if err != nil {
			return nil, err
		}
		s.home = append(s.home, h)
	}
	s.classify()
	return s, nil
}

// homeOf returns the region with what is known of arm i put in.
func (s *spoilers) homeOf(i int) (h home, err error) {
	for c := range s.d {
		if !math.IsInf(s.price[i*s.d+c], 1) {
			h.free = append(h.free, c)
		}
	}
	var rows, limits []float64
	for l, a := range s.a {
		limit, size := s.b[l], math.Abs(s.b[l])
		for c, v := range a {
			if math.IsInf(s.price[i*s.d+c], 1) {
				limit -= v * s.mu[i*s.d+c]
				size += math.Abs(v * s.mu[i*s.d+c])
			}
		}
		row := make([]float64, len(h.free))
		for j, c := range h.free {
			row[j] = a[c]
		}
		if floats.Norm(row, 1) == 0 {
			h.none = h.none || limit < -1e-12*size
			continue
		}
		rows, limits = append(rows, row...), append(limits, limit)
	}
	if h.none || len(h.free) == 0 {
		return h, nil
	}
	h.region = polyhedron.Whole(len(h.free))
	if len(limits) > 0 {
		h.region, err = polyhedron.New(mat.NewDense(len(limits), len(h.free), rows), limits, nil)
	}
	return h, err
}

// row returns the means of arm i.
func (s *spoilers) row(i int) []float64 { return s.mu[i*s.d:][:s.d] }

// outside returns by how much x misses the region, widened by share times the slack: positive if it
// does.
func (s *spoilers) outside(x []float64, share float64) float64 {
	most := math.Inf(-1)
	for l, a := range s.a {
		most = max(most, floats.Dot(a, x)-s.b[l]-share*s.slack[l])
	}
	return most
}

// covers reports whether item j is at least as good as i after the tolerance was added to it.
func (s *spoilers) covers(j, i int) bool {
	for c, v := range s.row(j) {
		if v+s.tol[c] < s.mu[i*s.d+c] {
			return false
		}
	}
	return true
}

// beats reports whether item j dominates i even after the tolerance was taken from it.
func (s *spoilers) beats(j, i int) bool {
	better := false
	for c, v := range s.row(j) {
		v -= s.tol[c]
		if v < s.mu[i*s.d+c] {
			return false
		}
		better = better || v > s.mu[i*s.d+c]
	}
	return better
}

// classify finds the items that may be in a right answer, and the sets that each need one in it.
func (s *spoilers) classify() {
	feasible := make([]bool, s.k)
	for i := range feasible {
		feasible[i] = s.outside(s.row(i), 0) <= 0
	}
	for i := range s.k {
		can := s.outside(s.row(i), 1) <= 0
		for j := range s.k {
			can = can && !(j != i && feasible[j] && s.beats(j, i))
		}
		if can {
			s.possible = append(s.possible, i)
		}
	}
	var sets [][]int
	for i, is := range feasible {
		if !is {
			continue
		}
		var set []int
		for _, j := range s.possible {
			if j == i || s.covers(j, i) {
				set = append(set, j)
			}
		}
		if len(set) > 0 {
			sets = append(sets, set)
		}
	}
	// To make all of a set wrong is never cheaper than to make a part of it wrong.
	slices.SortStableFunc(sets, func(a, b []int) int { return len(a) - len(b) })
	for _, set := range sets {
		if !slices.ContainsFunc(s.stand, func(small []int) bool {
			return !slices.ContainsFunc(small, func(i int) bool { return !slices.Contains(set, i) })
		}) {
			s.stand = append(s.stand, set)
		}
	}
}

// cheapest returns the least cost of means that were found, for weights w, and stores its
// derivative by them in grad. It is +Inf if none were found.
func (s *spoilers) cheapest(w, grad []float64) float64 {
	least := math.Inf(1)
	take := func(cost float64) {
		if cost < least {
			least = cost
			copy(s.best, s.moved)
		}
	}
	for _, set := range s.stand {
		take(s.leave(w, set))
		for m := range s.k {
			if !s.home[m].none && !slices.Contains(set, m) {
				s.challenge(w, m, set, true, least, take)
			}
		}
	}
	for i := range s.k {
		if !s.home[i].none && !slices.Contains(s.possible, i) {
			s.challenge(w, i, s.possible, false, least, take)
		}
	}
	clear(grad)
	for at, v := range s.best {
		if step := v - s.mu[at]; step != 0 {
			grad[at/s.d] += s.price[at] * step * step
		}
	}
	return least
}

// leave moves all of a set out of the widened region, and returns the cost.
func (s *spoilers) leave(w []float64, set []int) float64 {
	copy(s.moved, s.mu)
	cost := 0.
	for _, j := range set {
		out, l := s.exit(w, j)
		if math.IsInf(out, 1) {
			return out
		}
		cost += out
		s.goOut(j, l)
	}
	return cost
}

// exit returns the cost at which item j leaves the widened region, and through which constraint;
// +Inf if it cannot.
func (s *spoilers) exit(w []float64, j int) (cost float64, through int) {
	cost = math.Inf(1)
	for l, a := range s.a {
		gap, ease := s.way(j, l, a)
		switch {
		case ease == 0: // it is about values that are known
		case gap <= 0:
			return 0, l
		case ease > 0 && w[j]*gap*gap/ease < cost:
			cost, through = w[j]*gap*gap/ease, l
		}
	}
	return cost, through
}

// way returns how far item j is from the other side of constraint l, and the squared length of the
// constraint where steps of the same cost have the same length.
func (s *spoilers) way(j, l int, a []float64) (gap, ease float64) {
	for c, v := range a {
		ease += v * v / s.price[j*s.d+c]
	}
	return s.b[l] + s.slack[l] - floats.Dot(a, s.row(j)), ease
}

// goOut moves item j out of the widened region through constraint l.
func (s *spoilers) goOut(j, l int) {
	gap, ease := s.way(j, l, s.a[l])
	if gap <= 0 {
		return
	}
	for c, v := range s.a[l] {
		s.moved[j*s.d+c] += gap / ease * v / s.price[j*s.d+c]
	}
}
