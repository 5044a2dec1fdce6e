package pareto

import (
	"math"
	"math/bits"
	"slices"
)

// order returns the rows 0..len(key)-1 sorted by compare. compare must put larger keys first; it
// decides about equal keys. key is left as it was.
//
// A radix sort in three passes looks at the 32 leading bits in which keys differ, and compare sorts
// the few rows that agree in them. The order is right for all keys, and takes O(n log n) at worst.
func order(key []float64, compare func(i, j uint32) int) []uint32 {
	n := len(key)
	rows := make([]uint32, n)
	if n < 512 {
		for i := range rows {
			rows[i] = uint32(i)
		}
		slices.SortFunc(rows, func(i, j uint32) int {
			switch a, b := key[i], key[j]; {
			case a > b:
				return -1
			case a < b:
				return 1
			}
			return compare(i, j)
		})
		return rows
	}

	lo, hi := uint64(math.MaxUint64), uint64(0)
	for _, v := range key {
		b := descending(v)
		lo, hi = min(lo, b), max(hi, b)
	}
	shift := max(bits.Len64(hi-lo)-32, 0)

	// An element is the 32 bits of its key above its row.
	const digit, mask = 11, 1<<11 - 1
	var count [3][1 << digit]uint32
	from, to := make([]uint64, n), make([]uint64, n)
	for i, v := range key {
		q := (descending(v) - lo) >> shift
		from[i] = q<<32 | uint64(i)
		count[0][q&mask]++
		count[1][q>>digit&mask]++
		count[2][q>>(2*digit)&mask]++
	}
	for pass := range count {
		c := &count[pass]
		s := 32 + digit*pass
		if c[from[0]>>s&mask] == uint32(n) {
			continue // one digit for all
		}
		sum := uint32(0)
		for k, m := range c {
			c[k], sum = sum, sum+m
		}
		for _, e := range from {
			k := e >> s & mask
			to[c[k]] = e
			c[k]++
		}
		from, to = to, from
	}
	for k, e := range from {
		rows[k] = uint32(e)
	}
	for k := 0; k < n; {
		q := from[k] >> 32
		e := k + 1
		for e < n && from[e]>>32 == q {
			e++
		}
		if e-k > 1 {
			slices.SortFunc(rows[k:e], compare)
		}
		k = e
	}
	return rows
}

// descending maps finite numbers to integers in the opposite order; 0 and -0 are equal.
func descending(v float64) uint64 {
	b := math.Float64bits(v + 0) // the sum turns -0 into 0
	if b>>63 != 0 {
		return b
	}
	return ^b &^ (1 << 63)
}

// column returns a copy of coordinate c of all rows.
func (x points) column(c int) []float64 {
	key := make([]float64, x.n)
	for i := range key {
		key[i] = x.data[i*x.stride+c]
	}
	return key
}

// ranks returns for each key the number of different keys that are larger, and the number of
// different keys.
func ranks(key []float64) (rank []uint32, different int) {
	rank = make([]uint32, len(key))
	r, last := uint32(0), math.Inf(1)
	for k, i := range order(key, func(i, j uint32) int {
		switch {
		case key[i] > key[j]:
			return -1
		case key[i] < key[j]:
			return 1
		}
		return 0
	}) {
		v := key[i]
		if k > 0 && v != last {
			r++
		}
		last = v
		rank[i] = r
	}
	return rank, int(r) + 1
}
