package goodenough

import "math"

// pair returns the half-width of a difference of arms i and j where both are unknown, and counts
// alone decide about it.
func (s *State) pair(i, j int) float64 {
	if s.fitted != nil || s.N[i] == 0 || s.N[j] == 0 {
		return inf
	}
	return s.factor * s.bonus.Pair(s.term[i], s.term[j])
}

// half returns the half-width of the difference of arms i and j in objective c, both being that of
// pair.
func (s *State) half(i, j, c int, both float64) float64 {
	a, b := i*s.d+c, j*s.d+c
	switch {
	case s.known[a] || s.known[b] || s.N[i] == 0 || s.N[j] == 0:
		return s.factor * (s.width[a] + s.width[b])
	case s.fitted == nil:
		return both * s.scale[c]
	}
	if len(s.apart) == 0 {
		return s.factor * s.fitted.Apart(c, s.seen(i, c), s.seen(j, c)) * s.scale[c]
	}
	at := &s.apart[(i*s.K+j)*s.d+c]
	if math.IsNaN(*at) {
		*at = s.fitted.Apart(c, s.seen(i, c), s.seen(j, c)) * s.scale[c]
		s.apart[(j*s.K+i)*s.d+c] = *at
	}
	return s.factor * *at
}

// Evidence is compared in the scale of the noise of each objective.

// Spared returns the evidence that arm j does not beat i: that j is not better by more than the
// tolerance in every objective. It is certain from 0 on.
//
// An objective in which both are known and j is better by exactly the tolerance is no tie: it
// decides nothing, and the others do. If there are no others, neither beats the other.
func (s *State) Spared(i, j int) float64 {
	most, decided := -inf, false
	both := s.pair(i, j)
	for _, c := range s.compared {
		tol := s.tol[c]
		v := s.Mean[i*s.d+c] - s.Mean[j*s.d+c] + tol
		if s.known[i*s.d+c] && s.known[j*s.d+c] {
			if v != 0 {
				decided = true
				most = math.Max(most, v/s.scale[c])
			}
			continue
		}
		decided = true
		most = math.Max(most, (v-s.half(i, j, c, both))/s.scale[c])
	}
	if !decided {
		return inf
	}
	return most
}

// Covered returns the evidence that arm j stands for i: that j is worse by no more than the
// tolerance in every objective. It is certain from 0 on.
func (s *State) Covered(i, j int) float64 { return s.covers(i, j, -1) }

// covers is the estimate on which Covered rests, plus sign times its half-width.
func (s *State) covers(i, j int, sign float64) float64 {
	least := inf
	both := s.pair(i, j)
	for _, c := range s.compared {
		tol := s.tol[c]
		v := s.Mean[j*s.d+c] - s.Mean[i*s.d+c] + tol
		if s.known[i*s.d+c] && s.known[j*s.d+c] {
			if v < 0 {
				return -inf
			}
			continue
		}
		least = math.Min(least, (v+sign*s.half(i, j, c, both))/s.scale[c])
	}
	return least
}

// hope returns by how much arm i may be ahead of j in some objective, at most, in the scale of the
// noise.
func (s *State) hope(i, j int) float64 {
	most := -inf
	both := s.pair(i, j)
	for _, c := range s.compared {
		v := s.Mean[i*s.d+c] - s.Mean[j*s.d+c]
		most = math.Max(most, (v+s.half(i, j, c, both))/s.scale[c])
	}
	return most
}

// ahead returns by how much the estimate of arm i is ahead of that of j in the objective on which
// it rests that j does not beat i, and the half-width of that.
func (s *State) ahead(i, j int) (m, half float64) {
	most := -inf
	half = inf
	both := s.pair(i, j)
	for _, c := range s.compared {
		tol := s.tol[c]
		v, h := s.Mean[i*s.d+c]-s.Mean[j*s.d+c], s.half(i, j, c, both)
		if h == 0 && v+tol == 0 {
			continue // see Spared
		}
		if e := (v + tol - h) / s.scale[c]; e > most {
			most, m, half = e, v, h
		}
	}
	return m, half
}

// behind returns by how much the estimate of arm i is behind that of j in every objective, and the
// half-width of that. Objectives in which both are known, and equal, do not count.
func (s *State) behind(i, j int) (m, half float64) {
	m = inf
	both := s.pair(i, j)
	for _, c := range s.compared {
		a, b := i*s.d+c, j*s.d+c
		if s.known[a] && s.known[b] && s.Mean[a] == s.Mean[b] {
			continue
		}
		m = math.Min(m, s.Mean[b]-s.Mean[a])
		half = math.Max(half, s.half(i, j, c, both))
	}
	if m == inf {
		return 0, 0
	}
	return m, half
}
