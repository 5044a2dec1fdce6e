package fig

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// A shadowEdge is an inequality that bounds the projection of a region onto the
// plane of two objectives: a sum of constraints, each times a positive number,
// in which the other objectives cancel.
type shadowEdge struct {
	canvas.HalfPlane
	from []int // the constraints, by index; one alone has no other objectives
}

// maxShadowRows is how many inequalities an elimination may have at a time. A
// region that needs more is not one that a figure can show.
const maxShadowRows = 500

// shadow returns the inequalities of
//
//	{ (u, v) : a point z of the region has z_x = u and z_y = v },
//
// the projection of the region onto objectives x and y: first the constraints
// without other objectives, all of them and in their order, then of the sums of
// several those that bound it. None means the whole plane. If there are more
// than maxShadowRows at a time on the way it is not ok, and there are no sums.
//
// Objectives are eliminated one by one (Fourier and Motzkin): two inequalities in
// which one has a coefficient above and one below 0 make one without it. Only
// the extreme sums are kept, those that no sum of fewer of the same constraints
// replaces (Chernikov, USSR Comp. Math. 1965): the rest follows from them.
// There are many sums only if there are many constraints that mix objectives.
func shadow(region *polyhedron.Polyhedron, x, y int) (edges []shadowEdge, ok bool) {
	n := region.Rows()
	var others []int
	for c := range region.Dim() {
		if c != x && c != y {
			others = append(others, c)
		}
	}
	var rows []sum // those with other objectives
	for k := range n {
		c := region.Constraint(k)
		switch {
		case slices.ContainsFunc(others, func(j int) bool { return c.A[j] != 0 }):
			r := sum{a: c.A, b: c.B, from: make([]uint64, n/64+1)}
			r.from[k/64] |= 1 << (k % 64)
			rows = append(rows, r)
		case c.A[x] != 0 || c.A[y] != 0:
			edges = append(edges,
				shadowEdge{canvas.HalfPlane{A: c.A[x], B: c.A[y], C: c.B}, []int{k}})
		}
	}
	for done := 1; len(others) > 0; done++ {
		// The objective that makes the fewest pairs is next.
		next := slices.MinFunc(others,
			func(i, j int) int { return cmp.Compare(pairs(rows, i), pairs(rows, j)) })
		if pairs(rows, next) > maxShadowRows*maxShadowRows/4 {
			return edges, false
		}
		if rows = eliminate(rows, next, done); len(rows) > maxShadowRows {
			return edges, false
		}
		others = slices.DeleteFunc(others, func(c int) bool { return c == next })
	}
	var sums []shadowEdge
	for _, r := range rows {
		if r.a[x] == 0 && r.a[y] == 0 {
			continue // 0 <= b, which holds
		}
		e := shadowEdge{HalfPlane: canvas.HalfPlane{A: r.a[x], B: r.a[y], C: r.b}}
		for k := range n {
			if r.from[k/64]&(1<<(k%64)) != 0 {
				e.from = append(e.from, k)
			}
		}
		sums = append(sums, e)
	}
	return needed(edges, sums), true
}

// needed returns edges and those of the sums that the others do not imply.
func needed(edges, sums []shadowEdge) []shadowEdge {
	all := slices.Concat(edges, sums)
	for i := len(edges); i < len(all); {
		rest := slices.Delete(slices.Clone(all), i, i+1)
		others := make([]canvas.HalfPlane, len(rest))
		twin := false
		for j, o := range rest {
			others[j] = o.HalfPlane
			twin = twin || all[i].Same(o.HalfPlane)
		}
		if lo, hi := all[i].Within(others); twin ||
			!(hi-lo > 1e-9*(math.Abs(lo)+math.Abs(hi)) || math.IsInf(hi-lo, 1)) {
			all = rest
			continue
		}
		i++
	}
	return all
}

// A sum is an inequality that is a sum of constraints.
type sum struct {
	a    []float64
	b    float64
	from []uint64 // a set of constraints
}

// size returns how many constraints s and t have together.
func (s sum) size(t sum) int {
	n := 0
	for i, w := range s.from {
		n += bits.OnesCount64(w | t.from[i])
	}
	return n
}

// contains reports whether the constraints of t are among those of s.
func (s sum) contains(t sum) bool {
	for i, w := range t.from {
		if w&^s.from[i] != 0 {
			return false
		}
	}
	return true
}

// pairs returns how many sums the elimination of objective c makes.
func pairs(rows []sum, c int) int {
	above, below := 0, 0
	for _, r := range rows {
		switch {
		case r.a[c] > 0:
			above++
		case r.a[c] < 0:
			below++
		}
	}
	return above * below
}

// eliminate returns the extreme inequalities without objective c, which is the
// done-th to go; at most maxShadowRows + 1. A sum of more than done + 1
// constraints is not extreme.
func eliminate(rows []sum, c, done int) []sum {
	var kept []sum
	for _, r := range rows {
		if r.a[c] == 0 {
			kept = append(kept, r)
		}
	}
	for _, p := range rows {
		for _, q := range rows {
			if p.a[c] > 0 && q.a[c] < 0 && p.size(q) <= done+1 {
				kept = append(kept, add(p, q, c))
			}
		}
	}
	slices.SortStableFunc(kept, func(a, b sum) int { return a.size(a) - b.size(b) })
	var extreme []sum
	for _, r := range kept {
		if len(extreme) <= maxShadowRows && !slices.ContainsFunc(extreme, r.contains) {
			extreme = append(extreme, r)
		}
	}
	return extreme
}

// add returns the sum of p and q in which objective c cancels, with coefficients
// of at most 1. What rounding leaves of other coefficients that cancel is 0.
func add(p, q sum, c int) sum {
	s := sum{a: make([]float64, len(p.a)), from: make([]uint64, len(p.from))}
	wp, wq := -q.a[c], p.a[c]
	most := 0.
	for j := range s.a {
		u, v := wp*p.a[j], wq*q.a[j]
		if t := u + v; j != c && math.Abs(t) > 1e-12*(math.Abs(u)+math.Abs(v)) {
			s.a[j] = t
			most = max(most, math.Abs(t))
		}
	}
	if u, v := wp*p.b, wq*q.b; math.Abs(u+v) > 1e-12*(math.Abs(u)+math.Abs(v)) {
		s.b = u + v
	}
	if most > 0 {
		for j := range s.a {
			s.a[j] /= most
		}
		s.b /= most
	}
	for i := range s.from {
		s.from[i] = p.from[i] | q.from[i]
	}
	return s
}

// inequality writes the half-plane with the names of the objectives, so that no
// coefficient is negative: "efficacy + 2 safety ≤ 1", "efficacy ≤ safety".
func inequality(h canvas.HalfPlane, x, y string) string {
	a, b, c, relation := h.A, h.B, h.C, " ≤ "
	if a <= 0 && b <= 0 {
		a, b, c, relation = -a, -b, -c, " ≥ "
	}
	unit := max(math.Abs(a), math.Abs(b)) // so that the smaller coefficient is 1
	if m := min(math.Abs(a), math.Abs(b)); m > 0 {
		unit = m
	}
	var left, right []string
	term := func(v float64, name string) {
		s := name
		if n := short(v); n != "1" {
			s = n + " " + s
		}
		switch {
		case v > 0:
			left = append(left, s)
		case v < 0:
			right = append(right, s)
		}
	}
	term(a/unit, x)
	term(b/unit, y)
	switch n := short(c / unit); {
	case right == nil && c < 0 && n != "0":
		right = append(right, "-"+n)
	case right == nil:
		right = append(right, n)
	case n != "0" && c < 0:
		right[0] += " - " + n
	case n != "0":
		right[0] += " + " + n
	}
	return strings.Join(left, " + ") + relation + right[0]
}

// short writes the size of a number with three digits.
func short(v float64) string {
	return strconv.FormatFloat(math.Abs(v), 'g', 3, 64)
}

// String is for tests that fail.
func (e shadowEdge) String() string {
	return fmt.Sprintf("%s %v", inequality(e.HalfPlane, "x", "y"), e.from)
}
