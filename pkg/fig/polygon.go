package fig

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
