package complexity

import (
	"iter"
	"math"
	"slices"
)

// A challenge moves item m to a place x in the region from where it makes each item of a set wrong
// that does not leave the widened region: if all is set it beats it, and is better by more than the
// tolerance in every objective; otherwise the other one does not stand for m, since m is better by
// more than the tolerance in some objective.
//
// Which of the others leave, and in which objective m passes the rest, is guessed and improved: for
// a guess the best x is that of a convex problem, for an x the best choices are those of each item
// by itself. What is found is one, if perhaps not the cheapest.

const (
	leaves = -2 // the widened region
	passed = -1 // in all objectives; from 0 on: in that one
)

// challenge calls take with the cost of means that it found, which are in moved. It may give up
// above the cost most.
func (s *spoilers) challenge(w []float64, m int, set []int, all bool, most float64,
	take func(cost float64)) {
	x, choice := make([]float64, s.d), make([]int, len(set))
	start := func() {
		last := math.Inf(1)
		for range 20 {
			if !s.place(w, m, set, choice, x) {
				return
			}
			cost := s.choose(w, x, m, set, all, choice)
			for c := range x {
				if step := x[c] - s.mu[m*s.d+c]; step != 0 {
					cost += w[m] * s.price[m*s.d+c] * step * step
				}
			}
			if !(cost < last*(1-1e-9)) {
				break
			}
			last = cost
		}
		if last < most {
			s.carryOut(w, m, set, choice, x)
			take(last)
			most = min(most, last)
		}
	}
	s.choose(w, s.row(m), m, set, all, choice)
	start()
	if all {
		for n := range choice {
			choice[n] = passed
		}
		start()
		return
	}
	for first := range s.guesses(set) {
		copy(choice, first)
		start()
	}
}

// guesses goes through objectives in which an item may be ahead of each of a set: through all ways
// if there are few, in two objectives through those that a place can have, and otherwise through
// those of one objective for all.
func (s *spoilers) guesses(set []int) iter.Seq[[]int] {
	const few = 64
	choice := make([]int, len(set))
	ways := math.Pow(float64(s.d), float64(len(set)))
	return func(yield func([]int) bool) {
		switch {
		case ways <= few:
			for n := range int(ways) {
				for j := range choice {
					choice[j] = n % s.d
					n /= s.d
				}
				if !yield(choice) {
					return
				}
			}
		case s.d == 2:
			for _, edge := range set { // ahead of those up to edge in the first objective
				for n, j := range set {
					choice[n] = 1
					if s.mu[2*j] <= s.mu[2*edge] {
						choice[n] = 0
					}
				}
				if !yield(choice) {
					return
				}
			}
			fallthrough
		default:
			for c := range s.d {
				for n := range choice {
					choice[n] = c
				}
				if !yield(choice) {
					return
				}
			}
		}
	}
}

// short returns by how much x falls short of passing item j in objective c.
func (s *spoilers) short(x []float64, j, c int) float64 {
	return max(0, s.mu[j*s.d+c]+s.tol[c]-x[c])
}

// pass returns the cost at which item j goes back behind x in objective c.
func (s *spoilers) pass(w, x []float64, j, c int) float64 {
	v := s.short(x, j, c)
	if v == 0 {
		return 0
	}
	return w[j] * s.price[j*s.d+c] * v * v
}

// stuck reports whether item m cannot be ahead of j in objective c, as both are known there. Equal
// known values are not ahead, and nothing that is measured moves them.
func (s *spoilers) stuck(m, j, c int) bool {
	return math.IsInf(s.price[m*s.d+c], 1) && math.IsInf(s.price[j*s.d+c], 1) &&
		s.mu[m*s.d+c] <= s.mu[j*s.d+c]+s.tol[c]
}

// choose stores the best choice for each item of a set if m is at x, and returns what they cost.
func (s *spoilers) choose(w, x []float64, m int, set []int, all bool, choice []int) (
	cost float64) {
	for n, j := range set {
		least, _ := s.exit(w, j)
		choice[n] = leaves
		if all {
			sum := 0.
			for c := range s.d {
				sum += s.pass(w, x, j, c)
			}
			if sum < least || math.IsInf(least, 1) {
				least, choice[n] = sum, passed
			}
		} else {
			for c := range s.d {
				v := s.pass(w, x, j, c)
				if s.stuck(m, j, c) {
					v = math.Inf(1)
				}
				if v < least || choice[n] == leaves && math.IsInf(least, 1) {
					least, choice[n] = v, c
				}
			}
		}
		cost += least
	}
	return cost
}

// place moves x to where item m is cheapest for the choices. It reports false if there is no place.
func (s *spoilers) place(w []float64, m int, set, choice []int, x []float64) bool {
	h := &s.home[m]
	z, weight := make([]float64, len(h.free)), make([]float64, len(h.free))
	at := slices.Clone(s.row(m))
	for _, c := range h.free {
		at[c] = math.Inf(-1)
	}
	// Newton's method: as if those whom at does not pass, and no others, were to go back.
	for range 20 {
		if len(h.free) == 0 {
			break
		}
		for f, c := range h.free {
			z[f], weight[f] = s.level(w, m, set, choice, at[c], c)
		}
		h.region.ProjectWeightedWith(&s.ws, z, z, weight)
		change := 0.
		for f, c := range h.free {
			change = max(change, math.Abs(z[f]-at[c])/(1+math.Abs(z[f])))
			at[c] = z[f]
		}
		if change < 1e-12 {
			break
		}
	}
	copy(x, at)
	// Those of whom the value is known do not go back.
	for n, j := range set {
		for c := range s.d {
			if (choice[n] == passed || choice[n] == c) && math.IsInf(s.price[j*s.d+c], 1) &&
				s.short(x, j, c) > 0 || choice[n] == c && s.stuck(m, j, c) {
				return false
			}
		}
	}
	return true
}

// level returns the best place of item m in objective c if those whom at does not pass go back to
// it, whatever the region is, and the weight of that. Items of whom the value is known are passed
// by all means.
func (s *spoilers) level(w []float64, m int, set, choice []int, at float64,
	c int) (z, weight float64) {
	weight = w[m] * s.price[m*s.d+c]
	sum, least := weight*s.mu[m*s.d+c], math.Inf(-1)
	for n, j := range set {
		if choice[n] != passed && choice[n] != c {
			continue
		}
		top, v := s.mu[j*s.d+c]+s.tol[c], w[j]*s.price[j*s.d+c]
		switch {
		case math.IsInf(v, 1):
			least = max(least, top)
		case top > at:
			weight, sum = weight+v, sum+v*top
		}
	}
	return max(sum/weight, least), weight
}

// carryOut moves the items as chosen.
func (s *spoilers) carryOut(w []float64, m int, set, choice []int, x []float64) {
	copy(s.moved, s.mu)
	copy(s.moved[m*s.d:][:s.d], x)
	for n, j := range set {
		if choice[n] == leaves {
			_, l := s.exit(w, j)
			s.goOut(j, l)
			continue
		}
		for c := range s.d {
			if choice[n] == passed || choice[n] == c {
				s.moved[j*s.d+c] -= s.short(x, j, c)
			}
		}
	}
}
