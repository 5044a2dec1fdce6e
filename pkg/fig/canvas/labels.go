package canvas

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// A placement is where a label goes.
type Placement struct {
	Box    vg.Rectangle
	Leader bool // it is far from its point and needs a line to it
}

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
func Place(points, sizes []vg.Point, obstacles []vg.Rectangle, lines []Segment, bounds vg.Rectangle) []Placement {
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
	placed := make([]Placement, n)
	done := make([]bool, n)
	for range 3 {
		for _, i := range order {
			best := math.Inf(1)
			for _, cand := range candidates(points[i], sizes[i]) {
				cost := cand.cost
				if out := Outside(cand.Box, bounds); out > 0 {
					cost += 1e4 + 100*out
				}
				room := Grow(cand.Box, labelRoom)
				for _, o := range obstacles {
					if a := Overlap(cand.Box, o); a > 0 {
						cost += 2000 + 20*a
					}
					if cand.Leader && Crosses(points[i], Anchor(cand.Box, points[i]), o) && !Contains(o, points[i]) {
						cost += 30
					}
				}
				for _, l := range lines {
					if Crosses(l.P, l.Q, cand.Box) {
						cost += 8
					}
				}
				for j := range n {
					if j == i || !done[j] {
						continue
					}
					if a := Overlap(room, placed[j].Box); a > 0 {
						cost += 5000 + 20*a
					}
					// Leaders that cross labels or one another mislead.
					if cand.Leader && Crosses(points[i], Anchor(cand.Box, points[i]), placed[j].Box) {
						cost += 400
					}
					if placed[j].Leader {
						end := Anchor(placed[j].Box, points[j])
						if Crosses(points[j], end, cand.Box) {
							cost += 400
						}
						if cand.Leader && cross(points[i], Anchor(cand.Box, points[i]), points[j], end) {
							cost += 400
						}
					}
				}
				if cost < best {
					best, placed[i] = cost, cand.Placement
				}
			}
			done[i] = true
		}
	}
	return placed
}

type candidate struct {
	Placement
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

// anchor returns the point of the border of box nearest to pt, where a leader
// ends.
func Anchor(box vg.Rectangle, pt vg.Point) vg.Point {
	return vg.Point{X: min(max(pt.X, box.Min.X), box.Max.X), Y: min(max(pt.Y, box.Min.Y), box.Max.Y)}
}
