package pareto

import "slices"

// A division is the state of divide and conquer for d > 3 objectives. Points are known by their
// place in the lexicographic order of different points, the largest first: no point is dominated by
// a later one. Coordinates are ranks, since only their order matters: rank 0 is the largest.
type division struct {
	d    int
	rank []uint32 // n x d
	dead []bool   // n, dominated
	// tree holds prefix minima of the rank of the last objective, over the ranks of the one before;
	// see markSpace. none says that nothing was inserted.
	tree []uint32
	tmp  []uint32
}

const (
	none = ^uint32(0)
	// leaf is the number of points, and leafPairs the number of pairs, that are compared pair by
	// pair.
	leaf      = 48
	leafPairs = 1024
)

// markDivided marks the non-dominated rows by divide and conquer (Kung, Luccio and Preparata 1975;
// Bentley 1980). It needs d > 3 and takes O(n log^(d-2) n).
func (x points) markDivided(alive []bool) {
	d := x.d
	rows := x.lexicographic()
	place := make([]uint32, len(rows)) // of a row, among different points
	n := 0
	for k, i := range rows {
		if k > 0 && !equal(x.row(int(i)), x.row(int(rows[k-1]))) {
			n++
		}
		place[i] = uint32(n)
	}
	n++
	v := division{d: d, rank: make([]uint32, n*d), dead: make([]bool, n), tmp: make([]uint32, n)}
	for c := range d {
		rank, different := ranks(x.column(c))
		for i, r := range rank {
			v.rank[int(place[i])*d+c] = r
		}
		if c == d-2 {
			v.tree = make([]uint32, different+1)
		}
	}
	for r := range v.tree {
		v.tree[r] = none
	}
	set := make([]uint32, n)
	for k := range set {
		set[k] = uint32(k)
		v.dead[k] = true
	}
	for _, p := range set[:v.front(set)] {
		v.dead[p] = false
	}
	for i, p := range place {
		alive[i] = !v.dead[p]
	}
}

// front moves the points of set that no other point of set dominates to its beginning, sorted by
// objective 1, and returns their number. set is ascending.
func (v *division) front(set []uint32) int {
	if len(set) <= leaf {
		k := 0
	next:
		for _, p := range set {
			for _, q := range set[:k] {
				if v.covers(q, p, 1) {
					continue next
				}
			}
			set[k] = p
			k++
		}
		v.sort(set[:k], 1)
		return k
	}
	mid := len(set) / 2
	a := set[:v.front(set[:mid])]
	b := set[mid : mid+v.front(set[mid:])]
	// Points of a are at least as large in objective 0, and no point of b dominates one of a.
	for _, p := range b {
		v.dead[p] = false
	}
	v.filter(a, b, 1)
	k, i := 0, 0
	for _, p := range b {
		if v.dead[p] {
			continue
		}
		for i < len(a) && v.at(a[i], 1) <= v.at(p, 1) {
			v.tmp[k] = a[i]
			k++
			i++
		}
		v.tmp[k] = p
		k++
	}
	k += copy(v.tmp[k:], a[i:])
	copy(set, v.tmp[:k])
	return k
}

// filter sets dead for the points of b that a point of a weakly dominates in the objectives c and
// above. a and b are sorted by objective c, the largest first. At least three objectives are left.
func (v *division) filter(a, b []uint32, c int) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	if len(a)*len(b) <= leafPairs {
	next:
		for _, p := range b {
			if v.dead[p] {
				continue
			}
			for _, q := range a {
				if v.covers(q, p, c) {
					v.dead[p] = true
					continue next
				}
			}
		}
		return
	}
	if c == v.d-3 {
		v.sweep(a, b)
		return
	}

	// Halve at a rank that leaves something on both sides.
	best := min(v.at(a[0], c), v.at(b[0], c))
	worst := max(v.at(a[len(a)-1], c), v.at(b[len(b)-1], c))
	if best < worst {
		var at uint32 // largest rank of the upper half
		if len(a) > len(b) {
			at = v.at(a[len(a)/2], c)
		} else {
			at = v.at(b[len(b)/2], c)
		}
		at = min(at, worst-1)
		upper := func(set []uint32) int {
			k, _ := slices.BinarySearchFunc(set, at, func(p, at uint32) int {
				if v.at(p, c) <= at {
					return -1
				}
				return 1
			})
			return k
		}
		i, j := upper(a), upper(b)
		v.filter(a[:i], b[:j], c)
		v.filter(a[i:], b[j:], c)
		a, b = a[:i], b[j:]
	}
	// Now all of a is at least as large as all of b in objective c.
	a, b = slices.Clone(a), slices.Clone(b)
	b = slices.DeleteFunc(b, func(p uint32) bool { return v.dead[p] })
	v.sort(a, c+1)
	v.sort(b, c+1)
	v.filter(a, b, c+1)
}

// sweep is filter for the last three objectives: it goes through both sets along the first of them
// and looks up the points of b in a tree of those of a.
func (v *division) sweep(a, b []uint32) {
	d := v.d
	i := 0
	for _, p := range b {
		if v.dead[p] {
			continue
		}
		y := v.rank[int(p)*d+d-3 : int(p)*d+d : int(p)*d+d]
		for ; i < len(a); i++ {
			q := v.rank[int(a[i])*d+d-3 : int(a[i])*d+d : int(a[i])*d+d]
			if q[0] > y[0] {
				break
			}
			for r := int(q[1]) + 1; r < len(v.tree) && v.tree[r] > q[2]; r += r & -r {
				v.tree[r] = q[2]
			}
		}
		for r := y[1] + 1; r > 0; r &= r - 1 {
			if v.tree[r] <= y[2] {
				v.dead[p] = true
				break
			}
		}
	}
	for _, p := range a[:i] {
		// All nodes above an empty one are empty or were emptied.
		for r := int(v.rank[int(p)*d+d-2]) + 1; r < len(v.tree) && v.tree[r] != none; r += r & -r {
			v.tree[r] = none
		}
	}
}

// at returns the rank of point p in objective c.
func (v *division) at(p uint32, c int) uint32 { return v.rank[int(p)*v.d+c] }

// covers reports whether q weakly dominates p in the objectives c and above.
func (v *division) covers(q, p uint32, c int) bool {
	x := v.rank[int(q)*v.d+c : int(q)*v.d+v.d]
	y := v.rank[int(p)*v.d+c : int(p)*v.d+v.d]
	y = y[:len(x)]
	for k, r := range x {
		if r > y[k] {
			return false
		}
	}
	return true
}

// sort sorts set by objective c, the largest first.
func (v *division) sort(set []uint32, c int) {
	slices.SortFunc(set, func(p, q uint32) int { return int(v.at(p, c)) - int(v.at(q, c)) })
}
