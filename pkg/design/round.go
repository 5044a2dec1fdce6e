package design

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// A Rounding is a method that converts a design to whole numbers of measurements.
type Rounding int

// The following constants are the rounding methods.
const (
	// Best chooses the better result of Efficient and LargestRemainder, by the value of the
	// criterion. With fewer than two measurements per support point, Best also improves the result
	// by exchanges; with at least 1,000 per support point, Best is the same as Efficient.
	Best Rounding = iota
	// Efficient is the efficient apportionment of Pukelsheim and Rieder (1992). With n measurements
	// and s support points, the value of the result is at most 1/(1 - s/n) times the value of the
	// design. Efficient requires at least as many measurements as support points.
	Efficient
	// LargestRemainder rounds down, and assigns the remaining measurements to the points with the
	// largest fractional parts. For small n, LargestRemainder is often better than Efficient, but
	// has no guarantee.
	LargestRemainder
	// AllenZhu starts from LargestRemainder and swaps measurements by regret minimization, with
	// replacement (Allen-Zhu, Li, Singh and Wang, 2021). For rank m and n = 5 m/eps^2 with eps <=
	// 1/4, AllenZhu aims at an information matrix of at least 1 - 3 eps times that of the design.
	// AllenZhu supports only the criteria of this package.
	AllenZhu
)

// String returns the name of the rounding method.
func (r Rounding) String() string {
	switch r {
	case Best:
		return "best"
	case Efficient:
		return "efficient apportionment"
	case LargestRemainder:
		return "largest remainder"
	case AllenZhu:
		return "regret minimisation"
	}
	return fmt.Sprintf("Rounding(%d)", int(r))
}

// An Allocation is a number of measurements for each point, with the cost of rounding.
type Allocation struct {
	// Counts contains the number of measurements of each of the K points.
	Counts []int
	// Ratio is n times the value of the criterion at Counts, divided by its value at the design; it
	// measures the loss due to rounding. Ratio can be below 1 if the design is not optimal.
	Ratio float64
}

var errForeign = errors.New("design: AllenZhu supports only criteria of this package; use Best")

// exchangeWork limits the number of operations spent on exchanges. This number of operations takes
// about 0.05 seconds.
const exchangeWork = 5e7

// Round converts the design w, K weights that need not sum to 1, to n measurements. Points of
// weight 0 get no measurements, unless an exchange improves the value. For any n, Round takes a few
// evaluations of the criterion, and O(s log s) operations for s support points; exchanges and
// AllenZhu cost more.
//
// Round returns an error if n measurements cannot identify the directions of the criterion. With
// Efficient, Round also returns an error if n is below the number of support points. Round panics
// if w does not have K weights, if a weight is negative or not finite, if all weights are 0, or if
// r is unknown.
func Round(c Criterion, w []float64, n int, r Rounding) (*Allocation, error) {
	if len(w) != c.K() {
		panic(panicWeights)
	}
	var on []int
	for i, v := range w {
		if !(v >= 0) || math.IsInf(v, 1) {
			panic(panicRounded)
		}
		if v > 0 {
			on = append(on, i)
		}
	}
	if len(on) == 0 {
		panic(panicRounded)
	}
	p := make([]float64, len(on))
	for b, i := range on {
		p[b] = w[i]
	}
	floats.Scale(1/floats.Sum(p), p)
	a := &rounder{c: c, on: on, p: p, n: n, all: make([]float64, c.K())}
	sum := floats.Sum(w)
	for _, i := range on {
		a.all[i] = w[i] / sum
	}
	value := c.Value(a.all)
	clear(a.all)
	if math.IsInf(value, 1) {
		return nil, fmt.Errorf("design: the design to round does not span all directions; "+
			"give weight to more points: %w", ErrSpan)
	}
	if n < 1 {
		return nil, fmt.Errorf("design: rounding to %d measurements; expected at least 1", n)
	}
	var counts []int
	switch r {
	case Efficient:
		if n < len(on) {
			return nil, fmt.Errorf("design: %d measurements are fewer than the %d points of the design, and "+
				"Efficient measures every point; measure more, or use Best", n, len(on))
		}
		counts = efficient(p, n)
	case LargestRemainder:
		counts = largestRemainder(p, n)
	case AllenZhu:
		z, rank, err := a.whitened()
		if err != nil {
			return nil, err
		}
		counts = largestRemainder(p, n)
		swapRegret(z, rank, counts, swapsEps(rank, n), nil)
	case Best:
		counts = a.best()
	default:
		panic(panicRounding)
	}
	got := a.value(counts)
	if math.IsInf(got, 1) {
		return nil, a.tooFew(r)
	}
	out := &Allocation{Counts: make([]int, c.K()), Ratio: 1}
	for b, v := range counts {
		out.Counts[a.on[b]] = v
	}
	if value > 0 { // if there are no directions, the value is 0
		out.Ratio = float64(n) * got / value
	}
	return out, nil
}

// A rounder is the state of one call of Round. In the methods of a rounder, counts[b] is the number
// of measurements of point on[b].
type rounder struct {
	c   Criterion
	on  []int
	p   []float64 // weights of the points listed in on, with sum 1
	n   int
	all []float64 // K zeros
}

func (a *rounder) value(counts []int) float64 {
	for b, i := range a.on {
		a.all[i] = float64(counts[b])
	}
	v := a.c.Value(a.all)
	for _, i := range a.on {
		a.all[i] = 0
	}
	return v
}

// Apportion stores in dst, of length K, the efficient apportionment of n measurements in the
// proportions of w, as Round does with Efficient. Apportion does not evaluate a criterion.
// Apportion panics if dst and w differ in length or n is below the number of positive weights.
func Apportion(dst []int, w []float64, n int) {
	if len(dst) != len(w) {
		panic(panicWeights)
	}
	var p []float64
	for _, v := range w {
		if v > 0 {
			p = append(p, v)
		}
	}
	if len(p) == 0 || n < len(p) {
		panic(panicRounded)
	}
	floats.Scale(1/floats.Sum(p), p)
	counts := efficient(p, n)
	clear(dst)
	for i, v := range w {
		if v > 0 {
			dst[i], counts = counts[0], counts[1:]
		}
	}
}

// best implements the rounding method Best.
func (a *rounder) best() []int {
	s := len(a.on)
	if a.n >= 1000*s {
		return efficient(a.p, a.n) // exchanges could gain at most 0.1 %, so skip them
	}
	counts := largestRemainder(a.p, a.n)
	value := a.value(counts)
	consider := func(other []int) {
		if v := a.value(other); v < value {
			counts, value = other, v
		}
	}
	if a.n >= s {
		consider(efficient(a.p, a.n))
	}
	if math.IsInf(value, 1) {
		if other := a.spanning(); other != nil {
			consider(other)
		}
	}
	if a.n < 2*s && !math.IsInf(value, 1) {
		counts = a.exchange(counts, value)
	}
	return counts
}

// spanning first measures points that span the same space as the design, and then gives the
// remaining measurements to the points whose counts are furthest below n times their weights.
func (a *rounder) spanning() []int {
	x, ok := a.points()
	if !ok {
		return nil
	}
	counts, left := make([]int, len(a.on)), a.n
	for _, b := range lsq.NewSpan(x).Points() {
		if left > 0 {
			counts[b]++
			left--
		}
	}
	for ; left > 0; left-- {
		most := 0
		for b, p := range a.p {
			if float64(a.n)*p-float64(counts[b]) > float64(a.n)*a.p[most]-float64(counts[most]) {
				most = b
			}
		}
		counts[most]++
	}
	return counts
}

// exchange moves single measurements as long as this decreases the criterion (Fedorov, 1972).
// exchange moves measurements to points of the design and, if there are few points, also to other
// points.
func (a *rounder) exchange(counts []int, value float64) []int {
	k, m := float64(a.c.K()), float64(a.c.Rank())
	left := int(exchangeWork / ((k + m) * m * (m + 8)))
	if len(a.on) < a.c.K() && a.c.K() <= 256 {
		in := make([]bool, a.c.K())
		for _, i := range a.on {
			in[i] = true
		}
		for i, was := range in {
			if !was {
				a.on, counts = append(a.on, i), append(counts, 0)
			}
		}
	}
	for better := true; better; {
		better = false
		for from := range counts {
			for to := 0; to < len(counts) && counts[from] > 0; to++ {
				if to == from {
					continue
				}
				if left--; left < 0 {
					return counts
				}
				counts[from]--
				counts[to]++
				if v := a.value(counts); v < value*(1-1e-9) {
					value, better = v, true
					continue
				}
				counts[from]++
				counts[to]--
			}
		}
	}
	return counts
}

// points returns the points of the design, one per row, each multiplied by the square root of its
// weight. points returns false if the criterion is not from this package.
func (a *rounder) points() (x *mat.Dense, ok bool) {
	g, ok := a.c.(interface{ pointRows() (x []float64, m int) })
	if !ok {
		return nil, false
	}
	all, m := g.pointRows()
	if m == 0 {
		return nil, false
	}
	x = mat.NewDense(len(a.p), m, nil)
	for b, p := range a.p {
		floats.ScaleTo(x.RawRowView(b), math.Sqrt(p), all[a.on[b]*m:][:m])
	}
	return x, true
}

func (c *pointSet) pointRows() (x []float64, m int) { return c.x, c.m }

// tooFew returns the error for counts that do not identify the directions of interest.
func (a *rounder) tooFew(r Rounding) error {
	rank := a.c.Rank()
	if x, ok := a.points(); ok {
		rank = min(rank, lsq.NewSpan(x).Rank())
	}
	if a.n < rank {
		return fmt.Errorf("design: %d measurements for a design of %d dimensions; "+
			"expected at least %d: %w", a.n, rank, rank, ErrSpan)
	}
	return fmt.Errorf("design: %d measurements, rounded by %v, do not span all directions; use Best, "+
		"or measure more: %w", a.n, r, ErrSpan)
}

// largestRemainder apportions n measurements to the weights p, which sum to 1.
func largestRemainder(p []float64, n int) []int {
	counts, rest := make([]int, len(p)), make([]float64, len(p))
	left, order := n, make([]int, len(p))
	for b, v := range p {
		share := float64(n) * v
		counts[b] = int(share)
		rest[b] = share - float64(counts[b])
		left -= counts[b]
		order[b] = b
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(rest[j], rest[i]) })
	// The remainder left is between 0 and len(p), unless rounding errors occur at a huge n.
	for b := 0; left != 0; b = (b + 1) % len(p) {
		switch i := order[b]; {
		case left > 0:
			counts[i]++
			left--
		case counts[i] > 0:
			counts[i]--
			left++
		}
	}
	return counts
}

// efficient apportions n measurements to the weights p, which sum to 1, so that the minimum of
// n_i/(n p_i) is as large as possible.
func efficient(p []float64, n int) []int {
	counts := make([]int, len(p))
	left := n
	for b, v := range p {
		counts[b] = max(1, int(math.Ceil((float64(n)-float64(len(p))/2)*v)))
		left -= counts[b]
	}
	if left == 0 {
		return counts
	}
	// Add single measurements to the point with the least ratio of count to weight, or remove
	// single measurements from the point whose ratio is largest after the removal.
	q := &sharesHeap{key: make([]float64, len(p)), by: make([]int, len(p))}
	step := 1
	key := func(b int) float64 { return float64(counts[b]) / p[b] }
	if left < 0 {
		step = -1
		key = func(b int) float64 { return -float64(counts[b]-1) / p[b] }
	}
	for b := range p {
		q.key[b], q.by[b] = key(b), b
	}
	heap.Init(q)
	for ; left != 0; left -= step {
		b := q.by[0]
		counts[b] += step
		q.key[b] = key(b)
		heap.Fix(q, 0)
	}
	return counts
}

// A sharesHeap holds points in ascending order of their keys. Points with equal keys are in the
// order of their indices.
type sharesHeap struct {
	key []float64
	by  []int
}

func (q *sharesHeap) Len() int { return len(q.by) }
func (q *sharesHeap) Less(i, j int) bool {
	a, b := q.by[i], q.by[j]
	return q.key[a] < q.key[b] || q.key[a] == q.key[b] && a < b
}
func (q *sharesHeap) Swap(i, j int) { q.by[i], q.by[j] = q.by[j], q.by[i] }
func (q *sharesHeap) Push(any)      { panic(panicHeap) }
func (q *sharesHeap) Pop() any      { panic(panicHeap) }
