package canvas

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestCutAgainstMembership(t *testing.T) {
	// A point is in the cut polygon if and only if it is in the rectangle and
	// in every half-plane.
	rng := rand.New(rand.NewPCG(1, 2))
	empty, full := 0, 0
	for range 300 {
		var hs []HalfPlane
		for range 1 + rng.IntN(6) {
			hs = append(hs, HalfPlane{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64() * .7})
		}
		poly := Cut(Rectangle(-1, 1, -1, 1), hs...)
		if len(poly) == 0 {
			empty++
		}
		for range 200 {
			q := Point{2.4*rng.Float64() - 1.2, 2.4*rng.Float64() - 1.2}
			want, near := math.Abs(q.X) <= 1 && math.Abs(q.Y) <= 1, false
			for _, h := range hs {
				want = want && h.Side(q) >= 0
				near = near || math.Abs(h.Side(q)) < 1e-9
			}
			inside := len(poly) > 2
			for i, b := range poly { // on the left of every edge
				a := poly[(i+len(poly)-1)%len(poly)]
				turn := (b.X-a.X)*(q.Y-a.Y) - (b.Y-a.Y)*(q.X-a.X)
				inside = inside && turn >= 0
			}
			if inside != want && !near {
				t.Fatalf("%v in %v cut by %v: got %v, want %v", q, poly, hs, inside, want)
			}
			if inside {
				full++
			}
		}
	}
	if empty == 0 || full == 0 {
		t.Fatalf("the cases are one-sided: %d empty polygons, %d points inside", empty, full)
	}
	// Worked by hand: the unit square without the corner above x + y = 1.5.
	got := Cut(Rectangle(0, 1, 0, 1), HalfPlane{1, 1, 1.5})
	want := []Point{{0, 0}, {1, 0}, {1, .5}, {.5, 1}, {0, 1}}
	area := func(ps []Point) float64 {
		s := 0.
		for i, b := range ps {
			a := ps[(i+len(ps)-1)%len(ps)]
			s += (a.X*b.Y - b.X*a.Y) / 2
		}
		return s
	}
	if len(got) != len(want) || math.Abs(area(got)-.875) > 1e-12 {
		t.Errorf("the cut square is %v, want %v", got, want)
	}
}

func TestChord(t *testing.T) {
	p, q, ok := Chord(HalfPlane{-1, 0, -.4}, 0, 1, 0, 2) // x >= 0.4
	if !ok || math.Abs(p.X-.4) > 1e-12 || math.Abs(q.X-.4) > 1e-12 || math.Abs(p.Y-q.Y) != 2 {
		t.Errorf("the line x = 0.4 is drawn from %v to %v (%v)", p, q, ok)
	}
	if _, _, ok := Chord(HalfPlane{1, 0, 5}, 0, 1, 0, 1); ok {
		t.Error("a line outside is drawn")
	}
}

// within against points of the line: by hand for the diagonal x + y = 2, whose
// foot is (1, 1), between the axes: from (2, 0) to (0, 2), at distances of the
// square root of 2.
func TestWithin(t *testing.T) {
	h := HalfPlane{3, 3, 6}
	lo, hi := h.Within([]HalfPlane{{-1, 0, 0}, {0, -1, 0}})
	if math.Abs(lo+math.Sqrt2) > 1e-12 || math.Abs(hi-math.Sqrt2) > 1e-12 {
		t.Errorf("from %v to %v", lo, hi)
	}
	if p := h.along(hi); math.Abs(p.X) > 1e-12 || math.Abs(p.Y-2) > 1e-12 {
		t.Errorf("the end is at %v", p)
	}
	if lo, hi = h.Within([]HalfPlane{{1, 1, 1}}); lo <= hi {
		t.Errorf("outside of a parallel: from %v to %v", lo, hi)
	}
	if lo, hi = h.Within([]HalfPlane{{1, 1, 2}, {-1, -1, 5}}); !math.IsInf(lo, -1) ||
		!math.IsInf(hi, 1) {
		t.Errorf("inside of parallels: from %v to %v", lo, hi)
	}
	if a, b, ok := Side(h, []HalfPlane{{-1, 0, 0}}, Point{2, 0}, Point{-1, 3}); !ok ||
		math.Hypot(a.X-2, a.Y)+math.Hypot(b.X, b.Y-2) > 1e-12 {
		t.Errorf("from %v to %v, %v", a, b, ok)
	}
}

// Area and centroid of polygons worked by hand, and of what cuts leave.
func TestAreaAndCentroid(t *testing.T) {
	triangle := []Point{{0, 0}, {3, 0}, {0, 3}}
	if a, c := Area(triangle), Centroid(triangle); a != 4.5 || math.Hypot(c.X-1, c.Y-1) > 1e-12 {
		t.Errorf("triangle: area %v, centroid %v; want 4.5 and (1, 1)", a, c)
	}
	square := Rectangle(1, 3, -1, 1)
	left, right := Cut(square, HalfPlane{1, .5, 2.2}), Cut(square, HalfPlane{-1, -.5, -2.2})
	a, b := Area(left), Area(right)
	if math.Abs(a+b-4) > 1e-12 {
		t.Errorf("parts of areas %v and %v; want 4 together", a, b)
	}
	c, d := Centroid(left), Centroid(right)
	if x, y := (a*c.X+b*d.X)/4, (a*c.Y+b*d.Y)/4; math.Hypot(x-2, y) > 1e-12 {
		t.Errorf("the centroids of the parts average to (%v, %v); want (2, 0)", x, y)
	}
	if Area(nil) != 0 {
		t.Errorf("area of nothing: %v", Area(nil))
	}
}

// A side of no length is none, and half-planes are the same whatever the scale of their numbers.
func TestSidesAndSameness(t *testing.T) {
	axis := HalfPlane{0, 1, 0}
	for name, c := range map[string]struct {
		others []HalfPlane
		ok     bool
	}{"free": {nil, true}, "a point": {[]HalfPlane{{1, 0, 0}}, false}, "half": {[]HalfPlane{{1, 0, 2}}, true}, "nothing": {[]HalfPlane{{1, 0, -1}}, false}} {
		if a, b, ok := Side(axis, c.others, Point{0, 0}, Point{5, 0}); ok != c.ok {
			t.Errorf("%s: from %v to %v, %v", name, a, b, ok)
		}
	}
	h := HalfPlane{3, 4, 10}
	for o, want := range map[HalfPlane]bool{h: true, {30, 40, 100}: true, {.3, .4, 1}: true, {3, -4, 10}: false, {-3, 4, 10}: false, {-3, -4, -10}: false,
		{3, 4, -10}: false, {3, 4, 10.001}: false, {4, 3, 10}: false, {3, 4, 10 + 1e-9}: true} {
		if h.Same(o) != want || o.Same(h) != want {
			t.Errorf("%v is the same as %v: %v", o, h, !want)
		}
	}
}
