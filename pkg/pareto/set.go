// Package pareto compares vectors: which dominate which, which are Pareto-optimal, and how far each
// is from changing sides.
//
//	mu := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0.5, -0.25}) // 3 arms, 2 objectives
//	pareto.Set(mu)  // [0 1]: no other point is as good as they are in both objectives
//	pareto.Gaps(mu) // [0.25 0.75 0.25]: how far the means have to move until that changes
//
// # Conventions
//
// Larger is better in every objective. The K points, usually the means of K arms, are the rows of a
// K x d matrix, or the rows of a row-major slice of K*d numbers for the functions that take data
// and d.
//
// Three relations between points a and b are kept apart, because rounded data, arms with the same
// features and means of few binary rewards tell them apart:
//
//	Excess(b, a) <= 0  a_c >= b_c for all objectives c
//	Dominates(a, b)    a_c >= b_c for all c, and a != b (Pareto)
//	Deficit(b, a) > 0  a_c >  b_c for all c
//
// Sets use the second one: the Pareto set holds the points that no other point dominates, and all
// copies of such a point. Gaps use amounts instead of relations:
//
//	m(i,j) = min_c (mu_j^c - mu_i^c)    Deficit(mu_i, mu_j)
//	M(i,j) = max_c (mu_i^c - mu_j^c)    Excess(mu_i, mu_j) = -m(i,j)
//
// The deficit is by how much j exceeds i in every objective; the excess, by how much i has to lose
// in every objective until j is at least as good.
//
// Numbers have to be finite: sets and gaps panic otherwise. Functions of two points do not look: with a NaN, amounts
// are NaN and relations false.
//
// # Algorithms
//
// A few dozen points are compared pair by pair, without allocating. Larger sets are sorted, and compared with
// the optimal points so far: O(K log K) for d = 2 (Kung, Luccio and Preparata, "On finding the maxima of a set of
// vectors", J. ACM 22, 1975), O(K p d) for p optimal points otherwise. Gaps compare all points with the optimal ones
// only, O(K p d). There may be at most 2^31-1 points.
package pareto

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Set returns the indices, in ascending order, of the rows of mu (K x d) that no other row
// dominates. Equal rows are all in the set or all out of it. It is nil if mu is empty. It panics
// if an entry is NaN or infinite.
func Set(mu *mat.Dense) []int {
	x := view(mu)
	x.checkAll()
	return x.appendFront(nil, nil)
}

// SetOf returns the indices, in ascending order, of the rows of mu named by subset that no other
// row named by subset dominates; all other rows are ignored, as if they were not there. Indices in
// the result count rows of mu. It is nil if subset is empty or nil. It panics if there is no such
// row, and if one of these rows has an entry that is NaN or infinite.
func SetOf(mu *mat.Dense, subset []int) []int {
	x := view(mu)
	x.checkSubset(subset)
	if len(subset) == 0 {
		return nil
	}
	return x.appendFront(nil, subset)
}

// AppendSet appends to dst what Set would return for the points in data, row-major with d numbers
// each, and returns the extended slice. It does not allocate for up to 64 points if dst has room.
// It panics if d < 1, or if len(data) is no multiple of d.
func AppendSet(dst []int, data []float64, d int) []int {
	x := raw(data, d)
	x.checkAll()
	return x.appendFront(dst, nil)
}

// AppendSetOf appends to dst what SetOf would return for the points in data, row-major with d
// numbers each, and returns the extended slice. dst must not overlap subset. It does not allocate
// for up to 64 points if dst has room.
func AppendSetOf(dst []int, data []float64, d int, subset []int) []int {
	x := raw(data, d)
	x.checkSubset(subset)
	if len(subset) == 0 {
		return dst
	}
	return x.appendFront(dst, subset)
}

// maxPairwise is the number of points up to which comparing all pairs wins over anything that
// allocates.
const maxPairwise = 64

// appendFront appends the non-dominated rows among those of subset, nil meaning all, in ascending
// order.
func (x points) appendFront(dst []int, subset []int) []int {
	from := len(dst)
	dst = x.appendPositions(dst, subset)
	if subset == nil {
		return dst
	}
	return x.named(dst, from, subset)
}

// named turns the positions in subset from dst[from] on into rows, in ascending order.
func (x points) named(dst []int, from int, subset []int) []int {
	found := dst[from:]
	for k, a := range found {
		found[k] = subset[a]
	}
	if !slices.IsSorted(found) {
		slices.Sort(found)
	}
	return dst
}

// appendPositions appends the positions in subset, nil meaning all rows, of the non-dominated rows,
// in ascending order.
func (x points) appendPositions(dst []int, subset []int) []int {
	n := x.n
	if subset != nil {
		n = len(subset)
	}
	if n <= maxPairwise {
		return x.pairwise(dst, subset)
	}
	if subset != nil {
		x = x.pack(subset)
	}
	alive := make([]bool, n)
	x.mark(alive)
	count := 0
	for _, ok := range alive {
		if ok {
			count++
		}
	}
	dst = slices.Grow(dst, count)
	for a, ok := range alive {
		if ok {
			dst = append(dst, a)
		}
	}
	return dst
}

// pairwise is appendPositions by comparing each point with those before it that none of these
// dominates, O(n p d) for a front of p. It does not allocate.
func (x points) pairwise(dst []int, subset []int) []int {
	n := x.n
	if subset != nil {
		n = len(subset)
	}
	from := len(dst)
next:
	for a := range n {
		p := x.at(a, subset)
		kept := from
		for _, b := range dst[from:] {
			q := x.at(b, subset)
			if dominates(q, p) {
				continue next // and p dominates none of the others, which q does not
			}
			if !dominates(p, q) {
				dst[kept] = b
				kept++
			}
		}
		dst = append(dst[:kept], a)
	}
	return dst
}

// mark sets alive[i] for each non-dominated row i. len(alive) is the number of rows; all of it is
// false on entry. It goes through the rows in an order in which none is dominated by a later one, and
// compares each with the different optimal rows so far, O(n p d) for p of these; in a plane, with the
// largest second coordinate so far, O(n log n).
func (x points) mark(alive []bool) {
	rows := make([]int, x.n)
	for i := range rows {
		rows[i] = i
	}
	slices.SortFunc(rows, x.compare)
	d := x.d
	var front []float64 // the different optimal rows so far, one after the other
next:
	for _, i := range rows {
		p := x.row(i)
		from := 0
		if d == 2 {
			from = max(len(front)-2, 0) // the one with the largest second coordinate
		}
		for s := from; s < len(front); s += d {
			q := front[s : s+d : s+d]
			if !covers(q, p) {
				continue
			}
			alive[i] = equal(q, p) // a copy of an optimal row
			if d != 2 {            // rows that dominate move to the front, since they are likely to dominate again
				h := s / d / 2 * d
				for c, v := range q {
					q[c], front[h+c] = front[h+c], v
				}
			}
			continue next
		}
		alive[i] = true
		front = append(front, p...)
	}
}

// What this package panics with when the calling code is wrong.
const (
	panicShape  = "pareto: wrong length of a slice, or more than 2^31-1 points"
	panicDim    = "pareto: less than one objective"
	panicIndex  = "pareto: row index out of range"
	panicFinite = "pareto: a coordinate is NaN or infinite"
)

// finite reports whether v is neither NaN nor infinite.
func finite(v float64) bool { return v-v == 0 } // Inf-Inf is NaN
