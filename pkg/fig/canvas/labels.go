package canvas

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// Placement is the chosen position of a label.
type Placement struct {
	Box    vg.Rectangle
	Leader bool // the label is so far from its point that it needs a leader line
}

// The following constants are distances around points and labels.
const (
	labelGap  = vg.Length(7)   // distance from a point to the label next to it
	labelRoom = vg.Length(1.5) // distance between labels
)

// lineCost is the cost of a line that crosses a label. For comparison, each step to the next larger
// distance between a label and its point costs 10.
const lineCost = 15

// plan is the state of the placement of labels.
type plan struct {
	points, sizes []vg.Point
	obstacles     []vg.Rectangle
	lines         []Segment
	bounds        vg.Rectangle
	placed        []Placement
	done          []bool           // whether each label has a place
	cells         map[[2]int][]int // indices of the obstacles in each cell of a grid
	near          []int            // obstacles in the cells of the current candidate
	looked        int              // number of comparisons with obstacles
}

// cell is the width of the grid cells; their height is half the width.
const cell = 48

// meeting calls f for each grid cell that overlaps r.
func meeting(r vg.Rectangle, f func(at [2]int)) {
	floor := func(x vg.Length, size float64) int { return int(math.Floor(float64(x) / size)) }
	for x := floor(r.Min.X, cell); x <= floor(r.Max.X, cell); x++ {
		for y := floor(r.Min.Y, cell/2); y <= floor(r.Max.Y, cell/2); y++ {
			f([2]int{x, y})
		}
	}
}

// Place returns a position for the label of each point. If possible, labels are within bounds and
// overlap neither obstacles nor other labels. The argument sizes contains the sizes of the labels, in
// the order of the points. The argument obstacles must include the markers of the points. If no
// position is free, the label gets the position at which it hides least.
//
// Labels of crowded points are placed first; positions are in one of sixteen directions, at
// increasing distances. In two further passes, each label is placed again, given the positions of
// all other labels.
func Place(points, sizes []vg.Point, obstacles []vg.Rectangle, lines []Segment, bounds vg.Rectangle) []Placement {
	n := len(points)
	pl := plan{points: points, sizes: sizes, obstacles: obstacles, lines: lines, bounds: bounds,
		placed: make([]Placement, n), done: make([]bool, n), cells: map[[2]int][]int{}}
	return pl.place()
}

// place computes the positions of all labels.
func (pl *plan) place() []Placement {
	reach := Grow(pl.bounds, 400) // no label is farther away from the bounds
	for i, o := range pl.obstacles {
		if Overlap(Grow(o, 1), reach) > 0 {
			o.Min = vg.Point{X: max(o.Min.X, reach.Min.X), Y: max(o.Min.Y, reach.Min.Y)}
			o.Max = vg.Point{X: min(o.Max.X, reach.Max.X), Y: min(o.Max.Y, reach.Max.Y)}
			meeting(o, func(at [2]int) { pl.cells[at] = append(pl.cells[at], i) })
		}
	}
	order := pl.order()
	for range 3 {
		for _, i := range order {
			best := math.Inf(1)
			for _, c := range candidates(pl.points[i], pl.sizes[i]) {
				cost := c.cost + pl.fixed(i, c.Placement) + pl.others(i, c.Placement)
				if cost < best {
					best, pl.placed[i] = cost, c.Placement
				}
			}
			pl.done[i] = true
		}
	}
	return pl.placed
}

// order returns the indices of the labels, beginning with the labels of crowded points. Distances
// are in units of label sizes, because labels are wider than they are high.
func (pl *plan) order() []int {
	order, crowd := make([]int, len(pl.points)), make([]float64, len(pl.points))
	for i, p := range pl.points {
		order[i] = i
		for j, q := range pl.points {
			if j != i {
				dx := float64(p.X-q.X) / float64(pl.sizes[i].X+1)
				dy := float64(p.Y-q.Y) / float64(pl.sizes[i].Y+1)
				crowd[i] += 1 / (.05 + dx*dx + dy*dy/16)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(crowd[b], crowd[a]), a-b)
	})
	return order
}

// fixed returns that part of the cost of position c for label i that does not depend on other
// labels. Positions out of bounds have the largest cost, followed by positions on obstacles and
// positions on lines.
func (pl *plan) fixed(i int, c Placement) float64 {
	cost := 0.
	if out := Outside(c.Box, pl.bounds); out > 0 {
		cost += 1e4 + 100*out
	}
	from, to := pl.points[i], Anchor(c.Box, pl.points[i])
	area := c.Box
	if c.Leader {
		area.Min = vg.Point{X: min(area.Min.X, from.X), Y: min(area.Min.Y, from.Y)}
		area.Max = vg.Point{X: max(area.Max.X, from.X), Y: max(area.Max.Y, from.Y)}
	}
	pl.near = pl.near[:0]
	meeting(area, func(at [2]int) { pl.near = append(pl.near, pl.cells[at]...) })
	slices.Sort(pl.near)
	pl.near = slices.Compact(pl.near)
	pl.looked += len(pl.near)
	for _, i := range pl.near {
		o := pl.obstacles[i]
		if a := Overlap(c.Box, o); a > 0 {
			cost += 2000 + 20*a
		}
		if c.Leader && Crosses(from, to, o) && !Contains(o, from) {
			cost += 30
		}
	}
	for _, l := range pl.lines {
		if Crosses(l.P, l.Q, c.Box) {
			cost += lineCost
		}
	}
	return cost
}

// others returns the part of the cost of position c for label i that is due to labels already
// placed. Labels must not overlap, and leader lines should cross neither labels nor other leader
// lines.
func (pl *plan) others(i int, c Placement) float64 {
	cost := 0.
	room := Grow(c.Box, labelRoom)
	from, to := pl.points[i], Anchor(c.Box, pl.points[i])
	for j, other := range pl.placed {
		if j == i || !pl.done[j] {
			continue
		}
		if a := Overlap(room, other.Box); a > 0 {
			cost += 5000 + 20*a
		}
		if c.Leader && Crosses(from, to, other.Box) {
			cost += 400
		}
		if !other.Leader {
			continue
		}
		p, q := pl.points[j], Anchor(other.Box, pl.points[j])
		if Crosses(p, q, c.Box) {
			cost += 400
		}
		if c.Leader && cross(from, to, p, q) {
			cost += 400
		}
	}
	return cost
}

type candidate struct {
	Placement
	cost float64
}

// candidates returns the possible positions for the label of a point, with their costs. The cost
// increases with distance; positions to the right cost less than positions to the left, above or
// below.
func candidates(pt, size vg.Point) []candidate {
	var cs []candidate
	for ring, d := range []vg.Length{labelGap, 13, 21, 31, 42, 56, 74, 96, 124, 160, 200} {
		for k := range 16 {
			angle := float64(k) * math.Pi / 8
			sin, cos := math.Sincos(angle)
			c := vg.Point{ // centre of the label, which touches the circle of radius d
				X: pt.X + vg.Length(cos)*(d+size.X/2),
				Y: pt.Y + vg.Length(sin)*(d+size.Y/2),
			}
			cs = append(cs, candidate{
				Placement{vg.Rectangle{
					Min: vg.Point{X: c.X - size.X/2, Y: c.Y - size.Y/2},
					Max: vg.Point{X: c.X + size.X/2, Y: c.Y + size.Y/2},
				}, ring > 1},
				10*float64(ring) + 1.5*(1-cos) + 1.2*math.Abs(sin) + .2*(1-sin),
			})
		}
	}
	return cs
}

// Anchor returns the point of the box that is nearest to pt; the leader line ends there.
func Anchor(box vg.Rectangle, pt vg.Point) vg.Point {
	return vg.Point{
		X: min(max(pt.X, box.Min.X), box.Max.X),
		Y: min(max(pt.Y, box.Min.Y), box.Max.Y),
	}
}

// Segment is a straight line segment on the canvas.
type Segment struct{ P, Q vg.Point }

// Grow returns r with all sides moved outwards by the same distance.
func Grow(r vg.Rectangle, by vg.Length) vg.Rectangle {
	return vg.Rectangle{
		Min: vg.Point{X: r.Min.X - by, Y: r.Min.Y - by},
		Max: vg.Point{X: r.Max.X + by, Y: r.Max.Y + by},
	}
}

// Overlap returns the area of the intersection of two boxes.
func Overlap(a, b vg.Rectangle) float64 {
	w := min(a.Max.X, b.Max.X) - max(a.Min.X, b.Min.X)
	h := min(a.Max.Y, b.Max.Y) - max(a.Min.Y, b.Min.Y)
	if w <= 0 || h <= 0 {
		return 0
	}
	return float64(w * h)
}

// Outside returns the sum of the lengths by which box a extends beyond the sides of box b.
func Outside(a, b vg.Rectangle) float64 {
	left, right := max(0, b.Min.X-a.Min.X), max(0, a.Max.X-b.Max.X)
	below, above := max(0, b.Min.Y-a.Min.Y), max(0, a.Max.Y-b.Max.Y)
	return float64(left + right + below + above)
}

// Contains reports whether the point p is in the box r or on its border.
func Contains(r vg.Rectangle, p vg.Point) bool {
	return p.X >= r.Min.X && p.X <= r.Max.X && p.Y >= r.Min.Y && p.Y <= r.Max.Y
}

// Crosses reports whether the segment from p to q intersects the box.
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

// cross reports whether two line segments cross.
func cross(p, q, r, s vg.Point) bool {
	turn := func(a, b, c vg.Point) float64 {
		return float64((b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X))
	}
	return turn(p, q, r)*turn(p, q, s) < 0 && turn(r, s, p)*turn(r, s, q) < 0
}
