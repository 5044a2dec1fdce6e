package fig

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// A placement is where a label goes.
type placement struct {
	box    vg.Rectangle
	leader bool // it is far from its point and needs a line to it
}

// A segment is a straight line on the canvas.
type segment struct{ p, q vg.Point }

// Distances around points and labels.
const (
	labelGap  = vg.Length(7)   // from a point to the label next to it
	labelRoom = vg.Length(1.5) // between labels
)

// place finds a place within bounds for a label of each point that overlaps
// neither an obstacle nor another label. Sizes are those of the labels; the
// obstacles include the markers of the points themselves. Labels that find no
// room take the place where they hide least.
//
// Crowded points choose first, each among sixteen directions at growing
// distances; two more rounds let all choose again with the others in place.
func place(points, sizes []vg.Point, obstacles []vg.Rectangle, lines []segment, bounds vg.Rectangle) []placement {
	n := len(points)
	order := make([]int, n)
	crowd := make([]float64, n)
	for i := range order {
		order[i] = i
		for j := range n {
			if j != i {
				dx, dy := float64(points[i].X-points[j].X)/float64(sizes[i].X+1), float64(points[i].Y-points[j].Y)/float64(sizes[i].Y+1)
				crowd[i] += 1 / (.05 + dx*dx + dy*dy/16)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case crowd[a] > crowd[b]:
			return -1
		case crowd[a] < crowd[b]:
			return 1
		}
		return a - b
	})
	placed := make([]placement, n)
	done := make([]bool, n)
	for range 3 {
		for _, i := range order {
			best := math.Inf(1)
			for _, cand := range candidates(points[i], sizes[i]) {
				cost := cand.cost
				if out := outside(cand.box, bounds); out > 0 {
					cost += 1e4 + 100*out
				}
				room := grow(cand.box, labelRoom)
				for _, o := range obstacles {
					if a := overlap(cand.box, o); a > 0 {
						cost += 2000 + 20*a
					}
					if cand.leader && crosses(points[i], anchor(cand.box, points[i]), o) && !contains(o, points[i]) {
						cost += 30
					}
				}
				for _, l := range lines {
					if crosses(l.p, l.q, cand.box) {
						cost += 8
					}
				}
				for j := range n {
					if j == i || !done[j] {
						continue
					}
					if a := overlap(room, placed[j].box); a > 0 {
						cost += 5000 + 20*a
					}
					// Leaders that cross labels or one another mislead.
					if cand.leader && crosses(points[i], anchor(cand.box, points[i]), placed[j].box) {
						cost += 400
					}
					if placed[j].leader {
						end := anchor(placed[j].box, points[j])
						if crosses(points[j], end, cand.box) {
							cost += 400
						}
						if cand.leader && cross(points[i], anchor(cand.box, points[i]), points[j], end) {
							cost += 400
						}
					}
				}
				if cost < best {
					best, placed[i] = cost, cand.placement
				}
			}
			done[i] = true
		}
	}
	return placed
}

type candidate struct {
	placement
	cost float64
}

// candidates returns the places for the label of a point, with what each costs
// by itself: near is better than far, right better than left, beside better
// than above or below.
func candidates(pt, size vg.Point) []candidate {
	var cs []candidate
	for ring, d := range []vg.Length{labelGap, 13, 21, 31, 42, 56, 74, 96, 124, 160, 200} {
		for k := range 16 {
			angle := float64(k) * math.Pi / 8
			sin, cos := math.Sincos(angle)
			c := vg.Point{ // centre: the label touches the circle of radius d
				X: pt.X + vg.Length(cos)*(d+size.X/2),
				Y: pt.Y + vg.Length(sin)*(d+size.Y/2),
			}
			cs = append(cs, candidate{
				placement{vg.Rectangle{
					Min: vg.Point{X: c.X - size.X/2, Y: c.Y - size.Y/2},
					Max: vg.Point{X: c.X + size.X/2, Y: c.Y + size.Y/2},
				}, ring > 1},
				10*float64(ring) + 1.5*(1-cos) + 1.2*math.Abs(sin) + .2*(1-sin),
			})
		}
	}
	return cs
}

// anchor returns the point of the border of box nearest to pt, where a leader
// ends.
func anchor(box vg.Rectangle, pt vg.Point) vg.Point {
	return vg.Point{X: min(max(pt.X, box.Min.X), box.Max.X), Y: min(max(pt.Y, box.Min.Y), box.Max.Y)}
}

func grow(r vg.Rectangle, by vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: r.Min.X - by, Y: r.Min.Y - by}, Max: vg.Point{X: r.Max.X + by, Y: r.Max.Y + by}}
}

// overlap returns the area that two boxes share.
func overlap(a, b vg.Rectangle) float64 {
	w := min(a.Max.X, b.Max.X) - max(a.Min.X, b.Min.X)
	h := min(a.Max.Y, b.Max.Y) - max(a.Min.Y, b.Min.Y)
	if w <= 0 || h <= 0 {
		return 0
	}
	return float64(w * h)
}

// outside returns by how much a stands out of b.
func outside(a, b vg.Rectangle) float64 {
	return float64(max(0, b.Min.X-a.Min.X) + max(0, a.Max.X-b.Max.X) + max(0, b.Min.Y-a.Min.Y) + max(0, a.Max.Y-b.Max.Y))
}

func contains(r vg.Rectangle, p vg.Point) bool {
	return p.X >= r.Min.X && p.X <= r.Max.X && p.Y >= r.Min.Y && p.Y <= r.Max.Y
}

// crosses reports whether the segment from p to q meets the box.
func crosses(p, q vg.Point, r vg.Rectangle) bool {
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
