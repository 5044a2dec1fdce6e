package canvas

import "gonum.org/v1/plot/vg"

// A Segment is a straight line on the canvas.
type Segment struct{ P, Q vg.Point }

// Grow moves the sides of r outwards.
func Grow(r vg.Rectangle, by vg.Length) vg.Rectangle {
	return vg.Rectangle{
		Min: vg.Point{X: r.Min.X - by, Y: r.Min.Y - by},
		Max: vg.Point{X: r.Max.X + by, Y: r.Max.Y + by},
	}
}

// Overlap returns the area that two boxes share.
func Overlap(a, b vg.Rectangle) float64 {
	w := min(a.Max.X, b.Max.X) - max(a.Min.X, b.Min.X)
	h := min(a.Max.Y, b.Max.Y) - max(a.Min.Y, b.Min.Y)
	if w <= 0 || h <= 0 {
		return 0
	}
	return float64(w * h)
}

// Outside returns by how much a stands out of b.
func Outside(a, b vg.Rectangle) float64 {
	left, right := max(0, b.Min.X-a.Min.X), max(0, a.Max.X-b.Max.X)
	below, above := max(0, b.Min.Y-a.Min.Y), max(0, a.Max.Y-b.Max.Y)
	return float64(left + right + below + above)
}

// Contains reports whether p is in r or on its border.
func Contains(r vg.Rectangle, p vg.Point) bool {
	return p.X >= r.Min.X && p.X <= r.Max.X && p.Y >= r.Min.Y && p.Y <= r.Max.Y
}

// Crosses reports whether the segment from p to q meets the box.
func Crosses(p, q vg.Point, r vg.Rectangle) bool {
	lo, hi := 0., 1.
	for _, s := range [][3]float64{
		{float64(p.X), float64(q.X - p.X), 0}, {float64(p.Y), float64(q.Y - p.Y), 1},
	} {
		a, b := float64(r.Min.X), float64(r.Max.X)
		if s[2] == 1 {
			a, b = float64(r.Min.Y), float64(r.Max.Y)
		}
		if s[1] == 0 {
			if s[0] < a || s[0] > b {
				return false
			}
			continue
		}
		t0, t1 := (a-s[0])/s[1], (b-s[0])/s[1]
		lo, hi = max(lo, min(t0, t1)), min(hi, max(t0, t1))
	}
	return lo <= hi
}

// cross reports whether two segments cross.
func cross(p, q, r, s vg.Point) bool {
	turn := func(a, b, c vg.Point) float64 {
		return float64((b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X))
	}
	return turn(p, q, r)*turn(p, q, s) < 0 && turn(r, s, p)*turn(r, s, q) < 0
}
