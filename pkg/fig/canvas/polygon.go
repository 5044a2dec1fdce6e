package canvas

import (
	"slices"

	"gonum.org/v1/plot/vg"
)

// Point is a point of the plane, in the units of the axes.
type Point struct{ X, Y float64 }

// HalfPlane is the set of points (x, y) with a x + b y <= c.
type HalfPlane struct{ A, B, C float64 }

// Side returns the slack c - a x - b y at the point q, which is positive inside the half-plane.
func (h HalfPlane) Side(q Point) float64 { return h.C - h.A*q.X - h.B*q.Y }

// Rectangle returns the corners of [x0, x1] x [y0, y1], counterclockwise.
func Rectangle(x0, x1, y0, y1 float64) []Point {
	return []Point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}

// Cut returns the intersection of a convex polygon with half-planes (Sutherland and Hodgman, CACM
// 1974). If the intersection is empty, Cut returns no corners.
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

// Area returns the area of a polygon with counterclockwise corners.
func Area(polygon []Point) float64 {
	sum := 0.
	for i, q := range polygon {
		p := polygon[(i+len(polygon)-1)%len(polygon)]
		sum += (p.X*q.Y - p.Y*q.X) / 2
	}
	return sum
}

// Chord returns the two end points of the boundary line of h within [x0, x1] x [y0, y1]. The result
// ok is false if the boundary line does not cross the rectangle.
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

// Spread1 returns the middles of non-overlapping intervals with the given heights, as close as
// possible to the middles in want. If there is enough space, all intervals are between lo and hi.
// Intervals that would overlap form a block around the mean of their wanted middles. Pooling
// adjacent violators gives the least-squares solution under the order constraint.
func Spread1(want, heights []vg.Length, lo, hi vg.Length) []vg.Length {
	order := make([]int, len(want))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case want[a] < want[b]:
			return -1
		case want[a] > want[b]:
			return 1
		}
		return 0
	})
	// Middles, in ascending order, if all intervals touch and the first begins at 0.
	offset := make([]vg.Length, len(want))
	total := vg.Length(0)
	for k, i := range order {
		offset[k], total = total+heights[i]/2, total+heights[i]
	}
	type block struct {
		sum vg.Length // sum of want - offset over the intervals of the block
		n   int
	}
	var blocks []block
	mean := func(b block) vg.Length { return b.sum / vg.Length(b.n) }
	for k, i := range order {
		blocks = append(blocks, block{want[i] - offset[k], 1})
		for n := len(blocks); n > 1 && mean(blocks[n-2]) >= mean(blocks[n-1]); n = len(blocks) {
			blocks[n-2] = block{blocks[n-2].sum + blocks[n-1].sum, blocks[n-2].n + blocks[n-1].n}
			blocks = blocks[:n-1]
		}
	}
	got := make([]vg.Length, len(want))
	top := hi - total
	k := 0
	for _, b := range blocks {
		at := max(min(mean(b), top), lo) // clamping keeps the order and the optimum
		for range b.n {
			got[order[k]] = at + offset[k]
			k++
		}
	}
	return got
}
