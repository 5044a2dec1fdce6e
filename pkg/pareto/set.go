// Package pareto compares vectors: it computes dominance, Pareto sets, and how far each vector is
// from a change of its status.
//
//	mu := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0.5, -0.25}) // 3 arms, 2 objectives
//	pareto.Set(mu)  // [0 1]: no other point is as good as point 0 or point 1 in both objectives
//	pareto.Gaps(mu) // [0.25 0.75 0.25]: how far means must move to change the status of a point
//
// # Conventions
//
// Larger values are better in every objective. The K points are the rows of a K x d matrix;
// usually, they are the means of K arms. Functions with arguments data and d take a slice of K*d
// numbers in row-major order instead of a matrix.
//
// Package pareto distinguishes three relations between points a and b. The distinction matters for
// rounded data, for arms with the same features, and for means of few binary rewards:
//
//	Excess(b, a) <= 0  a_c >= b_c for all objectives c
//	Dominates(a, b)    a_c >= b_c for all c, and a != b (Pareto)
//	Deficit(b, a) > 0  a_c >  b_c for all c
//
// Sets are based on the second relation: the Pareto set contains the points that no other point
// dominates, with all copies of such points. Gaps are based on amounts instead of relations:
//
//	m(i,j) = min_c (mu_j^c - mu_i^c)    Deficit(mu_i, mu_j)
//	M(i,j) = max_c (mu_i^c - mu_j^c)    Excess(mu_i, mu_j) = -m(i,j)
//
// The deficit m(i,j) is the amount by which j is better than i in every objective. The excess
// M(i,j) is the amount that i must lose in every objective until j is at least as good as i.
//
// Numbers must be finite; functions of sets and gaps panic if a number is not finite. Functions of
// two points check only their lengths; for NaN, amounts are NaN and relations are false.
//
// # Algorithms
//
// Up to a few dozen points are compared pair by pair, without allocating. Larger sets are sorted,
// and each point is compared only with the optimal points before it. The cost is O(K log K) for d =
// 2 (Kung, Luccio and Preparata, "On finding the maxima of a set of vectors", J. ACM 22, 1975). For
// any other d, the cost is O(K p d) for p optimal points. Functions of gaps compare each point only
// with the optimal points, in O(K p d). Functions of sets and gaps accept at most 2^31-1 points.
package pareto

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Set returns the indices, in ascending order, of the rows of mu (K x d) that no other row
// dominates. Equal rows are either all in the set or all outside the set. If mu is empty, Set
// returns nil. Set panics if an entry is NaN or infinite.
func Set(mu *mat.Dense) []int {
	x := view(mu)
	x.checkAll()
	return x.appendFront(nil, nil)
}

// SetOf returns, in ascending order, the indices in subset of those rows of mu that no other row in
// subset dominates. Rows of mu that are not in subset are ignored. The returned indices refer to
// rows of mu. If subset is empty or nil, SetOf returns nil. SetOf panics if a row in subset does
// not exist or has an entry that is NaN or infinite.
func SetOf(mu *mat.Dense, subset []int) []int {
	x := view(mu)
	x.checkSubset(subset)
	if len(subset) == 0 {
		return nil
	}
	return x.appendFront(nil, subset)
}

// AppendSet appends to dst the result of Set for the points in data (row-major, d numbers each),
// and returns the extended slice. For up to 64 points, AppendSet does not allocate if dst has
// enough capacity. AppendSet panics if d < 1, or if len(data) is not a multiple of d.
func AppendSet(dst []int, data []float64, d int) []int {
	x := raw(data, d)
	x.checkAll()
	return x.appendFront(dst, nil)
}

// AppendSetOf appends to dst the result of SetOf for the points in data (row-major, d numbers
// each), and returns the extended slice. The slices dst and subset must not overlap. For up to 64
// points, AppendSetOf does not allocate if dst has enough capacity.
func AppendSetOf(dst []int, data []float64, d int, subset []int) []int {
	x := raw(data, d)
	x.checkSubset(subset)
	if len(subset) == 0 {
		return dst
	}
	return x.appendFront(dst, subset)
}

// maxPairwise is the number of points up to which comparing all pairs is faster than sorting, which
// allocates.
const maxPairwise = 64

// appendFront appends the indices of the non-dominated rows in subset, in ascending order. If
// subset is nil, appendFront uses all rows.
func (x points) appendFront(dst []int, subset []int) []int {
	from := len(dst)
	dst = x.appendPositions(dst, subset)
	if subset == nil {
		return dst
	}
	return x.named(dst, from, subset)
}

// named replaces the positions in dst[from:], which refer to subset, by row indices in ascending
// order.
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

// appendPositions appends the positions in subset of the non-dominated rows, in ascending order. If
// subset is nil, appendPositions uses all rows.
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

// pairwise implements appendPositions without allocating, by comparing each point with the previous
// non-dominated points, in O(n p d) for a front of p points.
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
				// Because q dominates p, every point dominated by p is also dominated by q.
				// Therefore, p dominates no point of the front.
				continue next
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

// mark sets alive[i] to true for each non-dominated row i. On entry, alive has one entry for each
// row, all false. mark visits the rows in an order in which no row is dominated by a later row.
// mark compares each row with the distinct optimal rows so far, in O(n p d) for p distinct optimal
// rows. For two objectives, mark compares each row only with the largest second coordinate so far,
// in O(n log n).
func (x points) mark(alive []bool) {
	rows := make([]int, x.n)
	for i := range rows {
		rows[i] = i
	}
	slices.SortFunc(rows, x.compare)
	d := x.d
	var front []float64 // the distinct optimal rows so far
next:
	for _, i := range rows {
		p := x.row(i)
		from := 0
		if d == 2 {
			from = max(len(front)-2, 0) // position of the row with the largest second coordinate
		}
		for s := from; s < len(front); s += d {
			q := front[s : s+d : s+d]
			if !covers(q, p) {
				continue
			}
			alive[i] = equal(q, p) // the row is a copy of an optimal row
			if d != 2 {            // move a dominating row forward, because it is likely to dominate again
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

// The following constants are panic messages for errors of the calling code.
const (
	panicShape  = "pareto: a slice has the wrong length, or there are more than 2^31-1 points"
	panicDim    = "pareto: fewer than one objective"
	panicIndex  = "pareto: row index out of range"
	panicFinite = "pareto: a coordinate is NaN or infinite"
)

// finite reports whether v is neither NaN nor infinite.
func finite(v float64) bool { return v-v == 0 } // Inf - Inf is NaN
