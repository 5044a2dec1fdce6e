package canvas

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestCutAgainstMembership(t *testing.T) {
	// A point is in the cut polygon if and only if it is in the rectangle and in every half-plane.
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
			for i, b := range poly { // q must be on the left of every edge
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
	// The result is the unit square without the corner above x + y = 1.5.
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
