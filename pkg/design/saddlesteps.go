package design

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// multiply takes multiplicative steps. It returns false when Newton steps
// promise more.
func (r *run) multiply() (stop bool) {
	s := r.saddle
	within := 0.3 // gap on the working set at which all directions are looked at
	since, eta, spent := 0, 2., 0.
	for r.iterations < r.limit {
		r.iterations++
		s.factorize()
		worst := s.variances()
		for t, v := range s.v {
			s.q[t] = max(s.q[t]*math.Pow(v/worst, eta), 1e-300)
		}
		floats.Scale(1/floats.Sum(s.q), s.q)
		mean := floats.Dot(s.q, s.v)
		most := s.gradient(s.ga, s.xa)
		since++
		if worst <= (1+within)*max(mean*mean/most, s.lower) || since >= 50 ||
			r.iterations == r.limit {
			since = 0
			value, stop := r.evaluate(worst, most)
			if stop {
				return true
			}
			gap := s.value/s.lower - 1
			if gap < 0.05 {
				eta = 8
			}
			s.settled = value <= worst*(1+r.tol/8)
			if !s.settled {
				within *= 2 // directions were missing: the gap there meant little
			}
			within = max(r.tol/2, min(within, gap)/2)
			most = floats.Max(s.ga)
		}
		s.step(most)
		n, t, m := len(s.active), len(s.q), s.m
		spent += float64(n+t) * float64(m) * float64(m+8)
		size := m*(m+1) + 32
		if spent > newtonSteps*newtonCost(min(n, size), min(t, size), m) && r.iterations >= 20 {
			return false
		}
	}
	return true
}

// step multiplies the weights by sqrt(g), the power that never increases
// sum_y q_y v_y for fixed q (Yu, 2010), and drops points of no weight.
func (s *saddle) step(most float64) {
	sum := 0.
	for b, g := range s.ga {
		// A point that the working set has no use for may be needed later.
		s.wa[b] = max(s.wa[b]*math.Sqrt(g/most), negligible)
		sum += s.wa[b]
	}
	floats.Scale(1/sum, s.wa)
	if !s.settled {
		return
	}
	drop := 0
	top := floats.Max(s.wa)
	for b, w := range s.wa {
		if s.useless(s.active[b], w/top, s.ga[b]/most) {
			drop++
		}
	}
	if drop*8 < len(s.active) {
		return
	}
	n := 0
	for b, i := range s.active {
		if s.useless(i, s.wa[b]/top, s.ga[b]/most) {
			continue
		}
		s.active[n], s.wa[n], s.ga[n] = i, s.wa[b], s.ga[b]
		copy(s.xa[n*s.m:][:s.m], s.xa[b*s.m:][:s.m])
		n++
	}
	s.active, s.wa, s.ga, s.xa = s.active[:n], s.wa[:n], s.ga[:n], s.xa[:n*s.m]
	floats.Scale(1/floats.Sum(s.wa), s.wa)
}

// useless says that a point can be dropped, with its weight and g relative to the
// largest. Points that span always stay, so that M(w) is regular.
func (s *saddle) useless(i int, w, g float64) bool {
	return (w < 10*negligible || w < 1e-4 && g < 0.5) && !s.spans[i]
}

// revive computes g at all points, returns the largest, and makes the points of
// the largest g active again, with a little weight.
func (s *saddle) revive(most float64) float64 {
	all := s.gradient(s.g, s.x)
	if all <= most {
		return most
	}
	// Active points have a g of at most most.
	s.back = s.back[:0]
	for i, g := range s.g {
		if g > most*(1+1e-9) {
			s.back = append(s.back, i)
		}
	}
	slices.SortFunc(s.back, func(i, j int) int { return cmp.Or(cmp.Compare(s.g[j], s.g[i]), i-j) })
	little := 1e-3 / float64(len(s.active))
	s.scatter()
	for _, i := range s.back[:min(len(s.back), generated(s.m))] {
		s.active = append(s.active, i)
		s.w[i] = little
	}
	slices.Sort(s.active)
	s.gather()
	floats.Scale(1/floats.Sum(s.wa), s.wa)
	for b, i := range s.active {
		s.ga[b] = s.g[i]
	}
	s.factorize()
	return all
}
