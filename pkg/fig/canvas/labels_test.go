package canvas

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestLabelsOfOnePoint(t *testing.T) {
	// Ten labels of points at the same position need leader lines, and do not overlap.
	pts, sizes := make([]vg.Point, 10), make([]vg.Point, 10)
	for i := range pts {
		pts[i], sizes[i] = vg.Point{X: 200, Y: 150}, vg.Point{X: 60, Y: 10}
	}
	bounds := vg.Rectangle{Max: vg.Point{X: 400, Y: 300}}
	leaders := 0
	places := Place(pts, sizes, []vg.Rectangle{Grow(vg.Rectangle{Min: pts[0], Max: pts[0]}, 4)}, nil, bounds)
	for i, a := range places {
		for j, b := range places[:i] {
			if Overlap(a.Box, b.Box) > 0 {
				t.Errorf("labels %d and %d overlap", j, i)
			}
		}
		if a.Leader {
			leaders++
		}
	}
	if leaders == 0 {
		t.Error("no leaders")
	}
	for i, a := range places {
		for j, b := range places {
			if p, q := pts[i], Anchor(a.Box, pts[i]); i != j && a.Leader && Crosses(p, q, b.Box) {
				t.Errorf("the leader of label %d crosses label %d", i, j)
			}
		}
	}
}

// The number of comparisons depends on the density of obstacles, not on their number.
func TestPlaceLooksNearby(t *testing.T) {
	work := func(side int) int {
		var obstacles []vg.Rectangle
		for i := range side * side {
			at := vg.Point{X: vg.Length(i%side) * 20, Y: vg.Length(i/side) * 20}
			obstacles = append(obstacles, Grow(vg.Rectangle{Min: at, Max: at}, 4))
		}
		pl := plan{points: []vg.Point{{X: 300, Y: 300}}, sizes: []vg.Point{{X: 60, Y: 10}}, obstacles: obstacles,
			bounds: Grow(vg.Rectangle{Max: obstacles[side*side-1].Max}, 4), placed: make([]Placement, 1),
			done: make([]bool, 1), cells: map[[2]int][]int{}}
		pl.place()
		return pl.looked
	}
	if few, many := work(32), work(320); few == 0 || many != few {
		t.Errorf("%d and %d comparisons with 1024 and 102400 obstacles", few, many)
	}
}

// Labels do not move if every cell of the grid contains all obstacles.
func TestPlaceMissesNoObstacle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const labels, obstacles = 12, 200
	for range 2 {
		pl := plan{bounds: vg.Rectangle{Max: vg.Point{X: 400, Y: 300}}, sizes: slices.Repeat([]vg.Point{{X: 60, Y: 10}}, labels), cells: map[[2]int][]int{}}
		for i := range obstacles {
			p := vg.Point{X: vg.Length(400 * rng.Float64()), Y: vg.Length(300 * rng.Float64())}
			pl.obstacles = append(pl.obstacles, Grow(vg.Rectangle{Min: p, Max: p}, 1))
			if i < labels {
				pl.points = append(pl.points, vg.Point{X: 180 + p.X/10, Y: 130 + p.Y/10})
			}
		}
		pl.placed, pl.done = make([]Placement, labels), make([]bool, labels)
		all, got := pl, slices.Clone(pl.place())
		all.cells, all.placed, all.done = map[[2]int][]int{}, make([]Placement, labels), make([]bool, labels)
		meeting(Grow(pl.bounds, 400), func(at [2]int) {
			for i := range obstacles {
				all.cells[at] = append(all.cells[at], i)
			}
		})
		if want := all.place(); !slices.Equal(got, want) {
			t.Fatalf("%v; want %v", got, want)
		}
	}
}

// A label is to the right of its point unless a line is there.
func TestLabelsAvoidLines(t *testing.T) {
	pt := []vg.Point{{X: 200, Y: 150}}
	bounds := vg.Rectangle{Max: vg.Point{X: 400, Y: 300}}
	size := []vg.Point{{X: 60, Y: 10}}
	if box := Place(pt, size, nil, nil, bounds)[0].Box; box.Min.X < 200 || !Contains(box, vg.Point{X: 230, Y: 150}) {
		t.Errorf("alone: %v", box)
	}
	for _, line := range []Segment{{vg.Point{X: 200, Y: 150}, vg.Point{X: 400, Y: 150}}, {vg.Point{X: 400, Y: 150}, vg.Point{X: 200, Y: 150}},
		{vg.Point{X: 220, Y: 0}, vg.Point{X: 220, Y: 300}}} {
		if place := Place(pt, size, nil, []Segment{line}, bounds)[0]; Crosses(line.P, line.Q, place.Box) || place.Leader {
			t.Errorf("beside %v: %v", line, place)
		}
	}
}

// Boxes do not overlap, keep their order and limits, and no small move brings them closer to the wanted middles.
func TestSpread1(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	loss := func(got, want []vg.Length) (s float64) {
		for i := range got {
			s += float64((got[i] - want[i]) * (got[i] - want[i]))
		}
		return s
	}
	const lo, hi = 0, 150
	for range 200 {
		want := make([]vg.Length, 1+rng.IntN(8))
		for i := range want {
			want[i] = vg.Length(rng.Float64() * 150)
			if i > 0 && rng.IntN(3) == 0 {
				want[i] = want[i-1]
			}
		}
		heights := make([]vg.Length, len(want))
		for i := range heights {
			heights[i] = []vg.Length{10, 18}[rng.IntN(2)]
		}
		got := Spread1(want, heights, lo, hi)
		ok := func(got []vg.Length) bool {
			for i := range got {
				if h := heights[i] / 2; got[i] < lo+h-1e-9 || got[i] > hi-h+1e-9 {
					return false
				}
				for j := range i {
					d := got[i] - got[j]
					if math.Abs(float64(d)) < float64(heights[i]+heights[j])/2-1e-9 || d*(want[i]-want[j]) < 0 {
						return false
					}
				}
			}
			return true
		}
		if !ok(got) {
			t.Fatalf("%v for %v: too close, out of order or outside", got, want)
		}
		best := loss(got, want)
		for range 300 { // the problem is convex: small moves find any improvement
			try := slices.Clone(got)
			for i := range try {
				if rng.IntN(2) == 0 {
					try[i] += vg.Length(rng.NormFloat64() * .1)
				}
			}
			if ok(try) && loss(try, want) < best-1e-9 {
				t.Fatalf("%v for %v: %v is nearer", got, want, try)
			}
		}
	}
	// If the boxes do not fit, they are placed in order from the lower limit.
	if got := Spread1([]vg.Length{9, 1, 5}, []vg.Length{10, 10, 10}, 2, 20); !slices.Equal(got, []vg.Length{27, 7, 17}) {
		t.Errorf("without room: %v", got)
	}
	// With heights of 10, the wanted middles 5, 6 and 30 become 0.5, 10.5 and 30. With the lower limit -3, the middles
	// become 2, 12 and 30.
	for _, c := range []struct{ lo, a, b vg.Length }{{-9, .5, 10.5}, {-3, 2, 12}} {
		if got := Spread1([]vg.Length{6, 5, 30}, []vg.Length{10, 10, 10}, c.lo, 99); got[1] != c.a || got[0] != c.b ||
			got[2] != 30 {
			t.Errorf("from %v: %v", c.lo, got)
		}
	}
}
