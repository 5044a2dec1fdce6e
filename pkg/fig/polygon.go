package fig

import "math"

// A point of the plane, in the units of the axes.
type point struct{ x, y float64 }

// A halfPlane is { (x, y) : a x + b y <= c }.
type halfPlane struct{ a, b, c float64 }

// side returns the slack of q: positive inside.
func (h halfPlane) side(q point) float64 { return h.c - h.a*q.x - h.b*q.y }

// rectangle returns the corners of [x0, x1] x [y0, y1], counterclockwise.
func rectangle(x0, x1, y0, y1 float64) []point {
	return []point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}

// cut returns the part of a convex polygon that lies in all half-planes
// (Sutherland and Hodgman, CACM 1974), without corners if it is empty.
func cut(polygon []point, hs ...halfPlane) []point {
	for _, h := range hs {
		var kept []point
		for i, q := range polygon {
			p := polygon[(i+len(polygon)-1)%len(polygon)]
			sp, sq := h.side(p), h.side(q)
			if (sp < 0) != (sq < 0) {
				t := sp / (sp - sq)
				kept = append(kept, point{p.x + t*(q.x-p.x), p.y + t*(q.y-p.y)})
			}
			if sq >= 0 {
				kept = append(kept, q)
			}
		}
		polygon = kept
	}
	return polygon
}

// chord returns the ends of the boundary of h within [x0, x1] x [y0, y1]; ok is
// false if it does not cross the rectangle.
func chord(h halfPlane, x0, x1, y0, y1 float64) (p, q point, ok bool) {
	var ends []point
	corners := rectangle(x0, x1, y0, y1)
	for i, b := range corners {
		a := corners[(i+3)%4]
		sa, sb := h.side(a), h.side(b)
		if (sa < 0) != (sb < 0) {
			t := sa / (sa - sb)
			ends = append(ends, point{a.x + t*(b.x-a.x), a.y + t*(b.y-a.y)})
		}
	}
	if len(ends) != 2 {
		return p, q, false
	}
	return ends[0], ends[1], true
}

// foot returns the point of the boundary of h nearest to the origin.
func (h halfPlane) foot() point {
	s := h.c / (h.a*h.a + h.b*h.b)
	return point{s * h.a, s * h.b}
}

// along returns the point of the boundary at distance t from its foot.
func (h halfPlane) along(t float64) point {
	n, f := math.Hypot(h.a, h.b), h.foot()
	return point{f.x - t*h.b/n, f.y + t*h.a/n}
}

// within returns between which distances from its foot the boundary of h lies in
// all others: from -Inf to Inf if nothing bounds it, lo > hi if it does not.
func (h halfPlane) within(others []halfPlane) (lo, hi float64) {
	lo, hi = math.Inf(-1), math.Inf(1)
	n, f := math.Hypot(h.a, h.b), h.foot()
	for _, o := range others {
		rate, slack := (h.a*o.b-h.b*o.a)/n, o.side(f) // slack at t is slack - rate t
		size := math.Hypot(o.a, o.b)
		switch {
		case math.Abs(rate) <= 1e-12*size: // parallel
			if slack < -1e-9*(size*math.Hypot(f.x, f.y)+math.Abs(o.c)) {
				return 0, -1
			}
		case rate > 0:
			hi = min(hi, slack/rate)
		default:
			lo = max(lo, slack/rate)
		}
	}
	return lo, hi
}

// side returns the part of the boundary of h from p to q that lies in all
// others; ok is false if there is none.
func side(h halfPlane, others []halfPlane, p, q point) (a, b point, ok bool) {
	lo, hi := h.within(others)
	n, f := math.Hypot(h.a, h.b), h.foot()
	at := func(p point) float64 { return (h.a*(p.y-f.y) - h.b*(p.x-f.x)) / n }
	t, u := at(p), at(q)
	lo, hi = max(lo, min(t, u)), min(hi, max(t, u))
	return h.along(lo), h.along(hi), lo < hi
}

// same reports whether o is the same half-plane but for scale and rounding.
func (h halfPlane) same(o halfPlane) bool {
	m, n := math.Hypot(h.a, h.b), math.Hypot(o.a, o.b)
	return math.Hypot(h.a/m-o.a/n, h.b/m-o.b/n) < 1e-9 && math.Abs(h.c/m-o.c/n) <= 1e-9*(math.Abs(h.c/m)+math.Abs(o.c/n))
}
