package pareto

import "math"

// markLine marks the largest numbers.
func (x points) markLine(alive []bool) {
	best := math.Inf(-1)
	for i := range alive {
		best = max(best, x.row(i)[0])
	}
	for i := range alive {
		alive[i] = x.row(i)[0] == best
	}
}

// markPlane sweeps a plane from large to small first coordinates: a point is optimal if its second
// coordinate is larger than all before it. O(n log n).
func (x points) markPlane(alive []bool) {
	best, at := math.Inf(-1), 0. // largest second coordinate, and the first coordinate of its point
	for _, i := range x.lexicographic() {
		p := x.row(int(i))
		if p[1] > best {
			best, at = p[1], p[0]
		} else if p[1] < best || p[0] < at {
			continue
		} // else it is a copy of an optimal point
		alive[i] = true
	}
}

// markSpace sweeps space from large to small first coordinates: a point is dominated if one before
// it has a second and a third coordinate at least as large. The largest third coordinate among all
// second coordinates above a bound comes from a tree of prefix maxima over the ranks of second
// coordinates (Fenwick, "A new data structure for cumulative frequency tables", Software: Practice
// and Experience 24, 1994), which needs no balancing. O(n log n).
func (x points) markSpace(alive []bool) {
	rank, different := ranks(x.column(1))
	tree := make([]float64, different+1) // node r covers the ranks r-(r&-r) to r-1
	for r := range tree {
		tree[r] = math.Inf(-1)
	}
	var last []float64
	optimal := false
	for _, i := range x.lexicographic() {
		p := x.row(int(i))
		if last != nil && equal(p, last) {
			alive[i] = optimal
			continue
		}
		last, optimal = p, true
		v := p[2]
		for r := rank[i] + 1; r > 0; r &= r - 1 {
			if tree[r] >= v {
				optimal = false
				break
			}
		}
		if !optimal {
			continue
		}
		alive[i] = true
		for r := int(rank[i]) + 1; r <= different && tree[r] < v; r += r & -r {
			tree[r] = v // a node above one that holds v already holds at least v
		}
	}
}

// lexicographic returns all rows, in an order in which none is dominated by one behind it.
func (x points) lexicographic() []uint32 { return order(x.column(0), x.compare) }
