package pareto

import "math"

// A staircase is the front of a few points in a plane, from large to small first coordinates, and so
// from small to large second ones.
type staircase struct {
	n           int
	x, y        [maxPairwise]float64
	at          [maxPairwise]int // position
	gap, margin [maxPairwise]float64
}

// inPlane is appendPositions and gaps for at most maxPairwise points in a plane. Along the
// staircase both coordinates of the differences of two optimal points grow with what is between
// them, also when rounded, so that the closest is a neighbour. Margins are found if margin is not
// nil. It does not allocate.
func (x points) inPlane(dst []int, gap, margin []float64, subset []int) []int {
	var s staircase
	from := len(dst)
	dst = s.climb(dst, x, subset)
	s.within()
	bound := math.Inf(-1) // largest gap of an optimal point
	for _, v := range s.gap[:s.n] {
		bound = max(bound, v)
	}
	front := dst[from:]
	for a := range gap {
		if len(front) > 0 && front[0] == a {
			front = front[1:]
			continue
		}
		u, v := x.pair(a, subset)
		gap[a] = s.above(u, v)
		if margin != nil {
			margin[a] = gap[a]
			s.widen(u, v)
		}
	}
	front = dst[from:]
	for a, da := range gap {
		if len(front) > 0 && front[0] == a {
			front = front[1:]
		} else if da < bound {
			u, v := x.pair(a, subset)
			bound = s.lower(u, v, da)
		}
	}
	for k, a := range s.at[:s.n] {
		if gap[a] = s.gap[k]; margin != nil {
			margin[a] = s.margin[k]
		}
	}
	return dst
}

// pair returns the point at a position of subset, where nil means all rows.
func (x points) pair(a int, subset []int) (u, v float64) {
	if subset != nil {
		a = subset[a]
	}
	p := x.data[a*x.stride:]
	return p[0], p[1]
}

// climb finds the staircase, and appends its positions in ascending order: as pairwise does.
func (s *staircase) climb(dst []int, x points, subset []int) []int {
	n := x.n
	if subset != nil {
		n = len(subset)
	}
	from := len(dst)
next:
	for a := range n {
		u, v := x.pair(a, subset)
		kept := 0
		for k, b := range dst[from:] {
			w, z := s.x[k], s.y[k]
			if w >= u && z >= v {
				if w > u || z > v {
					continue next // and no other one is dominated by p
				}
			} else if u >= w && v >= z {
				continue
			}
			s.x[kept], s.y[kept], dst[from+kept] = w, z, b
			kept++
		}
		s.x[kept], s.y[kept] = u, v
		dst = append(dst[:from+kept], a)
	}
	s.n = len(dst) - from
	for k, a := range dst[from:] {
		u, v := s.x[k], s.y[k]
		for ; k > 0 && s.x[k-1] < u; k-- {
			s.x[k], s.y[k], s.at[k] = s.x[k-1], s.y[k-1], s.at[k-1]
		}
		s.x[k], s.y[k], s.at[k] = u, v, a
	}
	return dst
}

// within sets gaps and margins as if there were no other points.
func (s *staircase) within() {
	right, up := math.Inf(1), math.Inf(1) // to the point before
	for k := range s.n {
		s.gap[k] = min(right, up)
		s.margin[k] = 0 - up
		if right, up = math.Inf(1), math.Inf(1); k+1 < s.n {
			right, up = s.x[k]-s.x[k+1], s.y[k+1]-s.y[k]
		}
		s.gap[k] = min(s.gap[k], right, up)
		s.margin[k] = max(s.margin[k], 0-right)
	}
}

// above returns D of a dominated point.
func (s *staircase) above(u, v float64) float64 {
	best := math.Inf(-1)
	for k, x := range s.x[:s.n] {
		m := x - u
		if m <= best {
			break
		}
		best = max(best, min(m, s.y[k]-v))
	}
	return best
}

// widen raises margins by what a dominated point says: something only if one point alone
// dominates it.
func (s *staircase) widen(u, v float64) {
	for k, x := range s.x[:s.n] {
		s.margin[k] = max(s.margin[k], min(u-x, v-s.y[k]))
	}
}

// lower lowers gaps by what a dominated point with D = da says, and returns the largest gap.
func (s *staircase) lower(u, v, da float64) float64 {
	bound := math.Inf(-1)
	for k, g := range s.gap[:s.n] {
		if da < g {
			g = min(g, max(u-s.x[k], v-s.y[k], 0)+da)
			s.gap[k] = g
		}
		bound = max(bound, g)
	}
	return bound
}
