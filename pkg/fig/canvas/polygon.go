package canvas

import "math"

// A Point of the plane, in the units of the axes.
type Point struct{ X, Y float64 }

// A HalfPlane is { (x, y) : a x + b y <= c }.
type HalfPlane struct{ A, B, C float64 }

// Side returns the slack of q: positive inside.
func (h HalfPlane) Side(q Point) float64 { return h.C - h.A*q.X - h.B*q.Y }

// Rectangle returns the corners of [x0, x1] x [y0, y1], counterclockwise.
func Rectangle(x0, x1, y0, y1 float64) []Point {
	return []Point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}

// Cut returns the part of a convex polygon that lies in all half-planes
// (Sutherland and Hodgman, CACM 1974), without corners if it is empty.
func Cut(polygon []Point, hs ...HalfPlane) []Point {
	for _, h := range hs {
		var kept []Point
		for i, q := range polygon {
			p := polygon[(i+len(polygon)-1)%len(polygon)]
			sp, sq := h.Side(p), h.Side(q)
			if (sp < 0) != (sq < 0) {
				t := sp / (sp - sq)
				kept = append(kept, Point{p.X + t*(q.X-p.X), p.Y + t*(q.Y-p.Y)})
			}
			if sq >= 0 {
				kept = append(kept, q)
			}
		}
		polygon = kept
	}
	return polygon
}

// Area returns the area of a polygon with corners counterclockwise.
func Area(polygon []Point) float64 {
	sum := 0.
	for i, q := range polygon {
		p := polygon[(i+len(polygon)-1)%len(polygon)]
		sum += (p.X*q.Y - p.Y*q.X) / 2
	}
	return sum
}

// Centroid returns the centre of mass of a polygon with corners counterclockwise; its area must not
// be 0.
func Centroid(polygon []Point) Point {
	var c Point
	for i, q := range polygon {
		p := polygon[(i+len(polygon)-1)%len(polygon)]
		w := p.X*q.Y - p.Y*q.X
		c.X += (p.X + q.X) * w / 6
		c.Y += (p.Y + q.Y) * w / 6
	}
	a := Area(polygon)
	return Point{c.X / a, c.Y / a}
}

// Chord returns the ends of the boundary of h within [x0, x1] x [y0, y1]; ok is
// false if it does not cross the rectangle.
func Chord(h HalfPlane, x0, x1, y0, y1 float64) (p, q Point, ok bool) {
	var ends []Point
	corners := Rectangle(x0, x1, y0, y1)
	for i, b := range corners {
		a := corners[(i+3)%4]
		sa, sb := h.Side(a), h.Side(b)
		if (sa < 0) != (sb < 0) {
			t := sa / (sa - sb)
			ends = append(ends, Point{a.X + t*(b.X-a.X), a.Y + t*(b.Y-a.Y)})
		}
	}
	if len(ends) != 2 {
		return p, q, false
	}
	return ends[0], ends[1], true
}

// foot returns the point of the boundary of h nearest to the origin.
func (h HalfPlane) foot() Point {
	s := h.C / (h.A*h.A + h.B*h.B)
	return Point{s * h.A, s * h.B}
}

// along returns the point of the boundary at distance t from its foot.
func (h HalfPlane) along(t float64) Point {
	n, f := math.Hypot(h.A, h.B), h.foot()
	return Point{f.X - t*h.B/n, f.Y + t*h.A/n}
}

// Within returns between which distances from its foot the boundary of h lies in
// all others: from -Inf to Inf if nothing bounds it, lo > hi if it does not.
func (h HalfPlane) Within(others []HalfPlane) (lo, hi float64) {
	lo, hi = math.Inf(-1), math.Inf(1)
	n, f := math.Hypot(h.A, h.B), h.foot()
	for _, o := range others {
		rate, slack := (h.A*o.B-h.B*o.A)/n, o.Side(f) // slack at t is slack - rate t
		size := math.Hypot(o.A, o.B)
		switch {
		case math.Abs(rate) <= 1e-12*size: // parallel
			if slack < -1e-9*(size*math.Hypot(f.X, f.Y)+math.Abs(o.C)) {
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

// Side returns the part of the boundary of h from p to q that lies in all
// others; ok is false if there is none.
func Side(h HalfPlane, others []HalfPlane, p, q Point) (a, b Point, ok bool) {
	lo, hi := h.Within(others)
	n, f := math.Hypot(h.A, h.B), h.foot()
	at := func(p Point) float64 { return (h.A*(p.Y-f.Y) - h.B*(p.X-f.X)) / n }
	t, u := at(p), at(q)
	lo, hi = max(lo, min(t, u)), min(hi, max(t, u))
	return h.along(lo), h.along(hi), lo < hi
}

// Same reports whether o is the same half-plane but for scale and rounding.
func (h HalfPlane) Same(o HalfPlane) bool {
	m, n := math.Hypot(h.A, h.B), math.Hypot(o.A, o.B)
	return math.Hypot(h.A/m-o.A/n, h.B/m-o.B/n) < 1e-9 &&
		math.Abs(h.C/m-o.C/n) <= 1e-9*(math.Abs(h.C/m)+math.Abs(o.C/n))
}
